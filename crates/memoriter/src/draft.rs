//! Decisions of one unit of writes, before they are committed.

use std::collections::{BTreeMap, HashMap};

use memoriter_core::id::{ChangeNumber, MemoryId};
use memoriter_core::memory::Memory;
use memoriter_core::time::Timestamp;
use memoriter_core::write::{Decision, Resolution, reconcile};
use memoriter_store::{MemoryQuery, Rows, Snapshot, StoreError, StoredVector, Write};

/// Rows as they stand in a snapshot with the decisions so far on top, so that notes of one unit see each
/// other.
#[derive(Default)]
pub(crate) struct Draft {
    /// Memories of the store that change, with the change number at which they were read.
    updates: BTreeMap<MemoryId, (Memory, ChangeNumber)>,
    /// Memories that are new, in order.
    inserts: Vec<Memory>,
    /// Where in `inserts` the memories are that bear on each other.
    by_group: HashMap<Vec<u8>, Vec<usize>>,
}

impl Draft {
    /// Reconciles one candidate with the snapshot and the draft, and notes the outcome.
    pub(crate) fn decide(
        &mut self,
        snapshot: &dyn Snapshot,
        candidate: Memory,
        now: Timestamp,
    ) -> Result<Decision, StoreError> {
        let versions = self.versions(snapshot, &candidate)?;
        let resolution = reconcile(candidate, &versions, now);
        Ok(self.note(resolution))
    }

    /// Notes a resolution that was made elsewhere.
    pub(crate) fn note(&mut self, resolution: Resolution) -> Decision {
        for updated in resolution.updates {
            if let Some(new) = self
                .inserts
                .iter_mut()
                .find(|memory| memory.id == updated.id)
            {
                *new = updated;
            } else {
                let read_at = self
                    .updates
                    .get(&updated.id)
                    .map_or(updated.change, |(_, read_at)| *read_at);
                self.updates.insert(updated.id, (updated, read_at));
            }
        }
        if let Some(new) = resolution.insert {
            let at = self.inserts.len();
            self.by_group.entry(group(&new)).or_default().push(at);
            self.inserts.push(new);
        }
        resolution.decision
    }

    /// What bears on a candidate: all versions under its key, or who holds its place.
    fn versions(
        &self,
        snapshot: &dyn Snapshot,
        candidate: &Memory,
    ) -> Result<Vec<Memory>, StoreError> {
        let query = match candidate.fact_key() {
            Some(key) => MemoryQuery::Key {
                scope: &candidate.scope,
                key,
            },
            None => MemoryQuery::SamePlace(candidate),
        };
        let mut versions = sound(snapshot.memories(query)?)?;
        for version in &mut versions {
            if let Some((updated, _)) = self.updates.get(&version.id) {
                *version = updated.clone();
            }
        }
        let here = self.by_group.get(&group(candidate));
        let new = here
            .into_iter()
            .flatten()
            .filter_map(|at| self.inserts.get(*at));
        versions.extend(new.cloned());
        Ok(versions)
    }

    /// The memories to be added, for embedding.
    pub(crate) fn inserts(&self) -> &[Memory] {
        &self.inserts
    }

    /// Whether there is nothing to write.
    pub(crate) fn is_empty(&self) -> bool {
        self.inserts.is_empty() && self.updates.is_empty()
    }

    /// The unit of writes: places are freed before they are taken. `vectors` has one entry an insert.
    pub(crate) fn into_writes(self, vectors: Vec<Option<StoredVector>>) -> Vec<Write> {
        let updates = self
            .updates
            .into_values()
            .map(|(memory, read_at)| Write::UpdateMemory {
                memory: Box::new(memory),
                read_at,
            });
        let inserts = self
            .inserts
            .into_iter()
            .zip(vectors)
            .map(|(memory, vector)| Write::InsertMemory {
                memory: Box::new(memory),
                vector,
            });
        updates.chain(inserts).collect()
    }
}

/// Memories that bear on each other have equal bytes: all under one key, or those that say the same.
fn group(memory: &Memory) -> Vec<u8> {
    match memory.fact_key() {
        Some(key) => ["key", key.entity(), key.attribute()]
            .join("\0")
            .into_bytes(),
        None => memory.place(),
    }
}

/// The rows, or an error when one that a decision needs is damaged.
pub(crate) fn sound<T>(rows: Rows<T>) -> Result<Vec<T>, StoreError> {
    match rows.damaged.into_iter().next() {
        Some(damage) => Err(StoreError::Damaged {
            place: damage.record,
            why: damage.why,
        }),
        None => Ok(rows.rows),
    }
}
