//! What an erasure takes, and the units of writes that take it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use memoriter_core::forget::ErasedCounts;
use memoriter_core::id::{ChangeNumber, CheckpointId, MemoryId, TurnId};
use memoriter_core::provenance::SourceRef;
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use memoriter_store::{DamagedRow, ErasedSession, Erasure, FieldVersion, RowKind, Write};

use super::{Request, UNIT_PARTS, UNIT_RECORDS};

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
    /// A record that is damaged and may be meant.
    Damaged(DamagedRow),
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
    /// Turns and memories that stay and hold the same words: for a memory or a key, what may be meant as well.
    pub still_say: Vec<SourceRef>,
    /// Each record with its place in the order in which they were found.
    pub(super) found: BTreeMap<PlannedRecord, usize>,
    /// Whether the order is of a fact, to which the sentences lead that say it.
    pub(super) begins_with_turns: bool,
    pub(super) marks: BTreeMap<Scope, BTreeSet<Vec<u8>>>,
    pub(super) names: BTreeMap<SessionName, SessionName>,
    pub(super) whole: BTreeSet<Scope>,
    /// Damaged records that leave no tombstone.
    pub(super) unmarked: u64,
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
                Planned::Damaged(row) => match row.kind {
                    RowKind::Memory => counts.memories += 1,
                    RowKind::Turn => counts.turns += 1,
                    RowKind::Field | RowKind::PastField => counts.fields += 1,
                    RowKind::Checkpoint => counts.checkpoints += 1,
                    RowKind::Session => counts.sessions += 1,
                },
            }
        }
        counts
    }

    /// The scopes that lose something.
    pub(super) fn scopes(&self) -> Vec<Scope> {
        let scopes: BTreeSet<&Scope> = self.records.iter().map(|planned| &planned.scope).collect();
        scopes.into_iter().cloned().collect()
    }

    /// The memories and turns.
    pub(super) fn sources(&self) -> Vec<SourceRef> {
        let sources = self
            .records
            .iter()
            .filter_map(|planned| match planned.record {
                Planned::Memory(id) => Some(SourceRef::Memory(id)),
                Planned::Turn(id) => Some(SourceRef::Turn(id)),
                Planned::Field(_)
                | Planned::Checkpoint(_)
                | Planned::Session(_)
                | Planned::Damaged(_) => None,
            });
        sources.collect()
    }

    /// Takes out what is gone, and the tombstones that stand.
    pub(super) fn without(mut self, before: &Self, gone: &BTreeSet<PlannedRecord>) -> Self {
        self.records.retain(|planned| !gone.contains(planned));
        for (scope, known) in &before.marks {
            if let Some(marks) = self.marks.get_mut(scope) {
                marks.retain(|mark| !known.contains(mark));
            }
        }
        self
    }

    /// The units of writes: tombstones go with what they stand for or before it, so that nothing comes back in between.
    /// There is one at least.
    pub(super) fn units(&self, request: &Request) -> Vec<Unit> {
        let mut parts: Vec<Unit> = Vec::new();
        for (scope, of_scope) in &self.marks {
            let of_scope: Vec<Vec<u8>> = of_scope.iter().cloned().collect();
            parts.extend(of_scope.chunks(UNIT_RECORDS).map(|marks| Unit {
                writes: vec![Write::Forget {
                    scope: scope.clone(),
                    marks: marks.to_vec(),
                    at: request.now,
                }],
                records: Vec::new(),
                size: marks.len(),
            }));
        }
        let ordered = self.in_order();
        for records in ordered.chunk_by(|one, next| one.scope == next.scope) {
            for chunk in records.chunks(UNIT_RECORDS) {
                let erasure = self.erasure(request, chunk);
                parts.extend(erasure.map(|erasure| Unit {
                    writes: vec![Write::Erase(Box::new(erasure))],
                    records: chunk.to_vec(),
                    size: chunk.len(),
                }));
            }
        }
        for scope in &self.whole {
            let mut erasure = Erasure::of(scope.clone(), self.read_at);
            erasure.takes_ledger = true;
            erasure.request = Some((request.id, request.now));
            parts.push(Unit {
                writes: vec![Write::Erase(Box::new(erasure))],
                records: Vec::new(),
                size: 1,
            });
        }
        let mut units = vec![Unit::default()];
        for part in parts {
            match units.last_mut() {
                Some(last) if last.size + part.size <= UNIT_RECORDS * UNIT_PARTS => last.add(part),
                Some(_) | None => units.push(part),
            }
        }
        units
    }

    /// What leads to others goes after them, so that whoever was stopped in the middle finds the rest by the same
    /// words: the last that was found goes first.
    fn in_order(&self) -> Vec<PlannedRecord> {
        let mut ordered = self.records.clone();
        ordered.sort_by_cached_key(|planned| {
            let rank = match planned.record {
                Planned::Turn(_) => u8::from(!self.begins_with_turns) * 2,
                Planned::Memory(_) => 1,
                Planned::Field(_)
                | Planned::Checkpoint(_)
                | Planned::Session(_)
                | Planned::Damaged(_) => 3,
            };
            (rank, Reverse(self.found.get(planned).copied()))
        });
        ordered
    }

    /// `None` for no records.
    fn erasure(&self, request: &Request, records: &[PlannedRecord]) -> Option<Erasure> {
        let mut erasure = Erasure::of(records.first()?.scope.clone(), self.read_at);
        erasure.request = Some((request.id, request.now));
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
                Planned::Damaged(row) => erasure.damaged.push(*row),
            }
        }
        Some(erasure)
    }
}

/// Writes that are committed together, and what they take.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    pub(super) writes: Vec<Write>,
    pub(super) records: Vec<PlannedRecord>,
    size: usize,
}

impl Unit {
    fn add(&mut self, more: Self) {
        self.writes.extend(more.writes);
        self.records.extend(more.records);
        self.size += more.size;
    }
}
