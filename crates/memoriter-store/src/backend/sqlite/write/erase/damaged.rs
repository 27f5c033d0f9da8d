//! What goes of records that are damaged: they are known by where they lie, and may have lost what leads to them.

use rusqlite::params;

use super::super::super::fault::Failure;
use super::super::super::remains;
use super::super::RecordKind;
use super::{Removal, Row};
use crate::store::{DamagedRow, RowKind};

impl Removal<'_, '_> {
    /// Takes damaged memories and turns among what goes, each by the id that its row has.
    pub(super) fn find_damaged(&mut self) -> Result<(), Failure> {
        let connection = self.tables.connection;
        self.lead_to_damaged();
        for damaged in self.damaged_of(&[RowKind::Memory, RowKind::Turn])? {
            let (id, change) = remains::place_of(self.tables.view(), damaged)?;
            let row = damaged.row;
            let (kind, gone) = match damaged.kind {
                RowKind::Turn => (RecordKind::Turn, &mut self.gone.turns),
                RowKind::Memory
                | RowKind::Field
                | RowKind::PastField
                | RowKind::Checkpoint
                | RowKind::Session => (RecordKind::Memory, &mut self.gone.memories),
            };
            gone.insert(id, Row { row, change });
            // Its change may be what is damaged.
            connection
                .prepare_cached("DELETE FROM feed WHERE scope = ?1 AND kind = ?2 AND record = ?3")?
                .execute(params![self.scope, kind.code(), row])?;
        }
        Ok(())
    }

    /// Removes damaged fields, checkpoints and sessions. Others have gone before.
    pub(super) fn remove_damaged(&mut self) -> Result<(), Failure> {
        for damaged in self.damaged_of(&[RowKind::PastField, RowKind::Field])? {
            if damaged.kind == RowKind::Field {
                self.tables
                    .connection
                    .prepare_cached(
                        "DELETE FROM feed WHERE scope = ?1 AND kind = 2 AND record = ?2",
                    )?
                    .execute(params![self.scope, damaged.row])?;
                self.remove_field(damaged.row, 0)?;
            } else {
                let sql =
                    "DELETE FROM field_past WHERE row = ?1 RETURNING owner, actor, value, cipher";
                self.counts.fields += self.take(sql, [damaged.row])?;
            }
        }
        for damaged in self.damaged_of(&[RowKind::Checkpoint])? {
            self.remove_checkpoint(damaged.row)?;
        }
        for damaged in self.damaged_of(&[RowKind::Session])? {
            // What it is called from now on, where another goes on from it: its row tells it from others.
            self.remove_session(damaged.row, &format!("erased-{}", damaged.row))?;
        }
        Ok(())
    }

    /// The named rows of these kinds that are of the scope and damaged.
    fn damaged_of(&self, kinds: &[RowKind]) -> rusqlite::Result<Vec<DamagedRow>> {
        let named = self.erasure.damaged.iter().copied();
        let mut found = Vec::new();
        for damaged in named.filter(|damaged| kinds.contains(&damaged.kind)) {
            if remains::stands_in(self.tables.view(), self.scope, damaged)? {
                found.push(damaged);
            }
        }
        Ok(found)
    }

    /// Makes the indexes of their tables anew: a row that is not where its index says cannot be removed.
    fn lead_to_damaged(&self) {
        let mut tables: Vec<&str> = self
            .erasure
            .damaged
            .iter()
            .map(|damaged| damaged.kind.as_str())
            .collect();
        tables.sort_unstable();
        tables.dedup();
        for table in tables {
            // Where that fails, a removal fails as well and says why.
            let _ = self
                .tables
                .connection
                .execute_batch(&format!("REINDEX \"{table}\""));
        }
    }
}
