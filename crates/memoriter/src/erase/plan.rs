//! What an erasure takes, and the units of writes that take it.

use std::collections::{BTreeMap, BTreeSet};

use memoriter_core::forget::ErasedCounts;
use memoriter_core::id::{ChangeNumber, CheckpointId, MemoryId, TurnId};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::SessionName;
use memoriter_store::{ErasedSession, Erasure, FieldVersion, Write};

use super::UNIT_RECORDS;

/// A record that goes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Planned {
    /// A memory, in any state.
    Memory(MemoryId),
    /// A turn.
    Turn(TurnId),
    /// A version of a board field.
    Field(FieldVersion),
    /// A checkpoint.
    Checkpoint(CheckpointId),
    /// A session as a whole.
    Session(SessionName),
}

/// A record that goes, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlannedRecord {
    /// Whose.
    pub scope: Scope,
    /// Which.
    pub record: Planned,
}

/// What an erasure takes, record by record: exactly that goes.
#[derive(Clone, Debug, Default)]
pub struct ErasePlan {
    /// In the order of scopes, kinds and ids.
    pub records: Vec<PlannedRecord>,
    pub(super) marks: BTreeMap<Scope, BTreeSet<Vec<u8>>>,
    pub(super) names: BTreeMap<SessionName, SessionName>,
    pub(super) whole: BTreeSet<Scope>,
    pub(super) read_at: ChangeNumber,
}

impl ErasePlan {
    /// How many records of each kind. What is kept beside them is counted when it goes.
    #[must_use]
    pub fn counts(&self) -> ErasedCounts {
        let mut counts = ErasedCounts::default();
        for planned in &self.records {
            match planned.record {
                Planned::Memory(_) => counts.memories += 1,
                Planned::Turn(_) => counts.turns += 1,
                Planned::Field(_) => counts.fields += 1,
                Planned::Checkpoint(_) => counts.checkpoints += 1,
                Planned::Session(_) => counts.sessions += 1,
            }
        }
        counts
    }

    /// The scopes that lose something.
    pub(super) fn scopes(&self) -> Vec<Scope> {
        let scopes: BTreeSet<&Scope> = self.records.iter().map(|planned| &planned.scope).collect();
        scopes.into_iter().cloned().collect()
    }

    /// The units of writes: tombstones go with what they stand for or before it, so that nothing comes back in between.
    pub(super) fn units(&self, now: Timestamp) -> Vec<Vec<Write>> {
        let mut units: Vec<Vec<Write>> = Vec::new();
        let mut marks: Vec<Write> = Vec::new();
        for (scope, of_scope) in &self.marks {
            let of_scope: Vec<Vec<u8>> = of_scope.iter().cloned().collect();
            marks.extend(of_scope.chunks(UNIT_RECORDS).map(|marks| Write::Forget {
                scope: scope.clone(),
                marks: marks.to_vec(),
                at: now,
            }));
        }
        let mut erasures: Vec<Write> = Vec::new();
        for records in self.records.chunk_by(|one, next| one.scope == next.scope) {
            for chunk in records.chunks(UNIT_RECORDS) {
                erasures.extend(
                    chunk
                        .first()
                        .map(|first| Write::Erase(Box::new(self.erasure(&first.scope, chunk)))),
                );
            }
        }
        for scope in &self.whole {
            let mut erasure = Erasure::of(scope.clone(), self.read_at);
            erasure.takes_ledger = true;
            erasures.push(Write::Erase(Box::new(erasure)));
        }
        let mut size = 0;
        for write in marks.into_iter().chain(erasures) {
            // Marks count as a full part of a unit, however few they are.
            let length = if let Write::Erase(erasure) = &write {
                erasure.len()
            } else {
                UNIT_RECORDS
            };
            if units.is_empty() || size + length > UNIT_RECORDS * 3 {
                units.push(Vec::new());
                size = 0;
            }
            size += length;
            if let Some(unit) = units.last_mut() {
                unit.push(write);
            }
        }
        units
    }

    fn erasure(&self, scope: &Scope, records: &[PlannedRecord]) -> Erasure {
        let mut erasure = Erasure::of(scope.clone(), self.read_at);
        for planned in records {
            match &planned.record {
                Planned::Memory(id) => erasure.memories.push(*id),
                Planned::Turn(id) => erasure.turns.push(*id),
                Planned::Field(version) => erasure.fields.push(version.clone()),
                Planned::Checkpoint(id) => erasure.checkpoints.push(*id),
                Planned::Session(name) => erasure.sessions.push(ErasedSession {
                    name: name.clone(),
                    renamed: self.names.get(name).unwrap_or(name).clone(),
                }),
            }
        }
        erasure
    }
}
