//! Looking at what was true, or believed, at another time.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use memoriter_core::id::{ChangeNumber, MemoryId};
use memoriter_core::memory::{Cardinality, FactKey, Memory, State};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::index::ScopeIndex;
use memoriter_store::{IndexChange, IndexRow, MemoryQuery, Page, RecordRef, Snapshot};

use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::memories::PAGE_MAX;

/// A point in both times: what was true at `as_of` by what was recorded up to `known_at`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PastView {
    pub(crate) as_of: Timestamp,
    pub(crate) known_at: Timestamp,
}

/// The memories that were true then by what was known then.
#[derive(Default)]
struct Believed {
    live: HashSet<MemoryId>,
    /// Those that are history by now, which no index holds.
    history: Vec<Memory>,
    /// Of each single-valued key, the value that prevailed.
    single: BTreeMap<FactKey, Memory>,
}

impl Believed {
    /// Takes a memory that was true then.
    fn take(&mut self, memory: Memory) {
        let Some((key, Cardinality::Single)) = &memory.key else {
            self.keep(memory);
            return;
        };
        match self.single.get(key) {
            Some(prevailing) if prevailing.precedence() > memory.precedence() => {}
            Some(_) | None => {
                self.single.insert(key.clone(), memory);
            }
        }
    }

    fn keep(&mut self, memory: Memory) {
        if memory.state == State::Live {
            self.live.insert(memory.id);
        } else {
            self.history.push(memory);
        }
    }

    /// Done taking: the prevailing values are the only ones of their keys.
    fn settled(mut self) -> Self {
        for memory in std::mem::take(&mut self.single).into_values() {
            self.keep(memory);
        }
        self
    }
}

impl PastView {
    /// Indexes of the visible scopes as they stood. Built from the rows for this one question: exact, and as
    /// slow as opening the scope. What is history by now is embedded again.
    pub(crate) fn indexes(self, memory: &ScopedMemory) -> Result<Vec<ScopeIndex>, Error> {
        let snapshot = memory.engine.store.snapshot()?;
        memory
            .visible
            .iter()
            .map(|scope| self.index(memory, snapshot.as_ref(), scope))
            .collect()
    }

    fn index(
        self,
        memory: &ScopedMemory,
        snapshot: &dyn Snapshot,
        scope: &Scope,
    ) -> Result<ScopeIndex, Error> {
        let engine = &memory.engine;
        let believed = self.believed(snapshot, scope)?;
        let mut index = ScopeIndex::new(engine.embedder.dimensions(), Arc::clone(&engine.words));
        let mut take = |change: IndexChange<'_>| {
            let IndexChange::Put(row) = change else {
                return;
            };
            let is_in = match row.record {
                RecordRef::Memory(id) => believed.live.contains(&id),
                RecordRef::Turn(_) => {
                    row.event_at.instant <= self.as_of && row.recorded_at <= self.known_at
                }
            };
            if is_in {
                index.apply(&IndexChange::Put(IndexRow {
                    usable_from: None,
                    usable_until: None,
                    ..row
                }));
            }
        };
        snapshot.index_changes(
            scope,
            engine.embedder.model(),
            ChangeNumber::default(),
            &mut take,
        )?;
        let vectors = engine.embed_memories(&believed.history)?;
        for (memory, vector) in believed.history.iter().zip(&vectors) {
            let metadata = if memory.metadata.is_empty() {
                String::new()
            } else {
                memory.metadata.to_json()
            };
            let vector = vector
                .as_ref()
                .map(|stored| (stored.vector.scale, &*stored.vector.codes));
            index.apply(&IndexChange::Put(IndexRow {
                usable_from: None,
                usable_until: None,
                ..IndexRow::of_memory(memory, &metadata, vector)
            }));
        }
        Ok(index)
    }

    fn believed(self, snapshot: &dyn Snapshot, scope: &Scope) -> Result<Believed, Error> {
        let mut believed = Believed::default();
        let mut after = None;
        loop {
            let query = MemoryQuery::Scope {
                scope,
                states: &[],
                page: Page {
                    after,
                    limit: PAGE_MAX,
                },
            };
            let page = snapshot.memories(query)?.rows;
            let Some(last) = page.last() else {
                return Ok(believed.settled());
            };
            after = Some(last.id);
            for memory in page
                .into_iter()
                .filter(|memory| memory.was_true(self.as_of, self.known_at))
            {
                believed.take(memory);
            }
        }
    }
}
