//! Explicit writes.

use memoriter_core::id::MemoryId;
use memoriter_core::memory::Memory;
use memoriter_core::time::Timestamp;
use memoriter_core::write::Decision;
use memoriter_store::StoreError;

use crate::draft::Draft;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::note::Note;

/// Notes that are decided on and committed together.
const BATCH_NOTES: usize = 1_000;
/// How often a unit is decided on again after another process was faster. Callers of this process take
/// turns, so more than one or two means heavy traffic on one key from elsewhere.
const ATTEMPTS_MAX: usize = 16;

impl ScopedMemory {
    /// Remembers one note: decides what becomes of it, and makes that durable before it returns.
    ///
    /// # Errors
    /// When the note breaks a limit, the embedder or the store fails. Nothing is written then.
    pub fn remember(&self, note: impl Into<Note>) -> Result<Vec<Decision>, Error> {
        self.remember_all([note.into()])
    }

    /// Remembers notes in order, one decision each. Every thousand notes are one unit: committed together or
    /// not at all.
    ///
    /// # Errors
    /// As [`ScopedMemory::remember`]; units before the failing one stay.
    pub fn remember_all(
        &self,
        notes: impl IntoIterator<Item = Note>,
    ) -> Result<Vec<Decision>, Error> {
        let now = self.engine.clock.now();
        let cardinality = |key: &_| self.engine.attributes.cardinality(key);
        let mut decisions = Vec::new();
        let mut notes = notes.into_iter().peekable();
        while notes.peek().is_some() {
            let batch = notes.by_ref().take(BATCH_NOTES).map(|note| {
                let id = MemoryId::generate(now, self.engine.entropy.as_ref());
                note.into_memory(id, &self.scope, now, cardinality)
            });
            let candidates: Vec<Memory> = batch.collect::<Result<_, _>>()?;
            decisions.extend(self.decide_and_commit(&candidates, now)?);
        }
        Ok(decisions)
    }

    fn decide_and_commit(
        &self,
        candidates: &[Memory],
        now: Timestamp,
    ) -> Result<Vec<Decision>, Error> {
        let _places = self.engine.lock_places(candidates);
        let mut conflict = None;
        for _ in 0..ATTEMPTS_MAX {
            match self.attempt(candidates, now) {
                Err(Error::Store(StoreError::Conflict { id })) => conflict = Some(id),
                done => return done,
            }
        }
        let id = conflict.expect("the loop ran at least once and every other outcome returned");
        Err(StoreError::Conflict { id }.into())
    }

    fn attempt(&self, candidates: &[Memory], now: Timestamp) -> Result<Vec<Decision>, Error> {
        let mut draft = Draft::default();
        let snapshot = self.engine.store.snapshot()?;
        let decided = candidates
            .iter()
            .map(|candidate| draft.decide(snapshot.as_ref(), candidate.clone(), now));
        let decisions = decided.collect::<Result<Vec<_>, _>>()?;
        drop(snapshot);
        self.commit(draft)?;
        Ok(decisions)
    }

    /// Embeds what is new in a draft and makes the whole of it durable.
    pub(crate) fn commit(&self, draft: Draft) -> Result<(), Error> {
        if draft.is_empty() {
            return Ok(());
        }
        let vectors = self.engine.embed_memories(draft.inserts())?;
        self.engine.store.commit(draft.into_writes(vectors))?;
        Ok(())
    }
}
