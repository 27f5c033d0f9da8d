//! Destroying keys that nothing is encrypted with any more.

use memoriter_core::scope::Scope;
use rusqlite::OptionalExtension;

use super::super::fault::Failure;
use super::Transaction;
use crate::store::{DestroyedKeys, KeysOf};

/// Scopes that hold something which is encrypted.
const HOLDS: &str = "SELECT path FROM scope WHERE (EXISTS (SELECT 1 FROM embedding WHERE embedding.scope = scope.row)
    OR EXISTS (SELECT 1 FROM checkpoint_data WHERE checkpoint_data.scope = scope.row)
    OR EXISTS (SELECT 1 FROM session WHERE session.scope = scope.row
        AND (EXISTS (SELECT 1 FROM field WHERE field.session = session.row)
        OR EXISTS (SELECT 1 FROM span WHERE span.session = session.row))))";

impl Transaction<'_> {
    /// Destroys the keys of those of the scopes that hold nothing. Nothing else may have happened in the transaction.
    pub(in super::super) fn destroy_keys(&self, of: &KeysOf) -> Result<DestroyedKeys, Failure> {
        match of {
            KeysOf::Scopes(scopes) => {
                let mut empty = Vec::new();
                for scope in scopes {
                    if !self.holds(scope)? {
                        empty.push(scope.to_json());
                    }
                }
                Ok(DestroyedKeys {
                    kept: scopes.len() - empty.len(),
                    ids: self.keys.destroy(&empty)?,
                })
            }
            KeysOf::Unused => {
                let mut statement = self.connection.prepare(HOLDS)?;
                let used = statement.query_map([], |row| row.get(0))?;
                let used: Vec<String> = used.collect::<Result<_, _>>()?;
                Ok(DestroyedKeys {
                    kept: used.len(),
                    ids: self.keys.destroy_others(&used)?,
                })
            }
        }
    }

    fn holds(&self, scope: &Scope) -> rusqlite::Result<bool> {
        let found = self
            .connection
            .prepare_cached(&format!("{HOLDS} AND path = ?1"))?
            .query_row([scope.to_json()], |_| Ok(()))
            .optional()?;
        Ok(found.is_some())
    }
}
