//! Names on their way to the store: of sessions, speakers, users and fields. They are kept as they are, for they lead
//! back to what they name, so one that holds a secret is refused.

use std::collections::BTreeSet;

use memoriter_core::board::Field;
use memoriter_core::scope::Scope;
use memoriter_core::turn::Message;
use memoriter_store::{Committed, Write};

use crate::engine::Engine;
use crate::error::Error;

impl Engine {
    /// Commits a unit of writes whose names hold no secret.
    pub(crate) fn commit(&self, writes: Vec<Write>) -> Result<Committed, Error> {
        self.check_names(&writes)?;
        Ok(self.store.commit(writes)?)
    }

    fn check_names(&self, writes: &[Write]) -> Result<(), Error> {
        self.refuse_secrets(writes.iter().flat_map(names_in).collect())
    }

    /// Refuses names, each with the field that it stands in, of which one holds a secret.
    pub(crate) fn refuse_secrets(&self, names: BTreeSet<(&str, &str)>) -> Result<(), Error> {
        for (field, name) in names {
            let guarded = self.guard.check(name);
            if let Some(secret) = guarded.masked.first() {
                return Err(Error::SecretName {
                    field: field.to_owned(),
                    kind: secret.kind.to_string(),
                });
            }
        }
        Ok(())
    }
}

/// The names that a write may bring into the store, each with the field that it stands in. What comes from the store
/// has been looked at.
fn names_in(write: &Write) -> Vec<(&str, &str)> {
    let mut names = Vec::new();
    match write {
        Write::AppendTurn(turn) => {
            names.extend(of_scope(&turn.scope));
            names.push(("session", turn.session.as_str()));
            names.extend(of_message(&turn.message));
        }
        Write::InsertMemory { memory, .. } => names.extend(of_scope(&memory.scope)),
        Write::Forget { scope, .. } => names.extend(of_scope(scope)),
        Write::PutField { field, .. } => {
            names.extend(of_scope(&field.scope));
            names.push(("session", field.session.as_str()));
            names.extend(of_field(field));
        }
        Write::SetMode { scope, session, .. } | Write::SkipPositions { scope, session, .. } => {
            names.extend(of_scope(scope));
            names.push(("session", session.as_str()));
        }
        Write::ForkSession(fork) => names.push(("session", fork.session.as_str())),
        Write::SaveCheckpoint(new) => {
            names.extend(of_scope(&new.checkpoint.scope));
            names.push(("session", new.checkpoint.session.as_str()));
            names.push(("kind", &new.checkpoint.kind));
        }
        Write::UpdateMemory { .. }
        | Write::PutVectors(_)
        | Write::MarkRecalled { .. }
        | Write::RetireTurns { .. }
        | Write::QueueExtraction { .. }
        | Write::SetExtraction(_)
        | Write::LogDecision(_)
        | Write::PutSpan { .. }
        | Write::CountUsage(_)
        | Write::Answer(_)
        | Write::RemoveCheckpoints { .. }
        | Write::Erase(_)
        | Write::PutReceipt { .. }
        | Write::Audit(_) => {}
    }
    names
}

/// The names in a message.
pub(crate) fn of_message(message: &Message) -> impl Iterator<Item = (&str, &str)> {
    let names = [
        ("speaker", message.speaker.as_deref()),
        ("tool_call_id", message.tool_call_id.as_deref()),
    ];
    names.into_iter().filter_map(given)
}

/// The names of a field and of who writes it.
pub(crate) fn of_field(field: &Field) -> impl Iterator<Item = (&str, &str)> {
    let names = [
        ("field", Some(field.name.as_str())),
        ("owner", field.terms.owner.as_deref()),
        ("actor", field.actor.as_deref()),
    ];
    names.into_iter().filter_map(given)
}

fn given<'a>((field, name): (&'a str, Option<&'a str>)) -> Option<(&'a str, &'a str)> {
    Some((field, name?))
}

/// The names of a scope, each with its kind: `user`, `priya`.
pub(crate) fn of_scope(scope: &Scope) -> Vec<(&str, &str)> {
    let segments: Vec<&str> = scope.segments().collect();
    let pairs = segments.chunks_exact(2);
    pairs
        .filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)))
        .collect()
}
