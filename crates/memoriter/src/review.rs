//! What a person decides about memories that wait.

use memoriter_core::access::Right;
use memoriter_core::audit::AuditKind;
use memoriter_core::id::MemoryId;
use memoriter_core::memory::{Memory, State};
use memoriter_core::write::{Decision, approve, reject};

use crate::draft::Draft;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::memories::{Correction, MemoryPage};
use crate::remember::attempt_often;

impl ScopedMemory {
    /// Memories of this scope that wait for a person, pending or quarantined, in order of arrival: a page of at
    /// most `limit` after `after`.
    ///
    /// # Errors
    /// As [`ScopedMemory::list`].
    pub fn pending(&self, after: Option<MemoryId>, limit: usize) -> Result<MemoryPage, Error> {
        self.may(Right::Read)?;
        self.list(&[State::Pending, State::Quarantined], after, limit)
    }

    /// Approves a memory that waits: it is confirmed, trusted like the user's own word, and takes its place among
    /// what is known.
    ///
    /// # Errors
    /// [`Error::WrongState`] when it does not wait; or as [`ScopedMemory::update`].
    pub fn approve(&self, id: MemoryId) -> Result<Decision, Error> {
        self.may(Right::Write)?;
        self.decide_on_waiting(id, Ok)
    }

    /// Approves a memory that waits, in other words.
    ///
    /// # Errors
    /// As [`ScopedMemory::approve`], or when the correction breaks a limit.
    pub fn approve_as(&self, id: MemoryId, correction: &Correction) -> Result<Decision, Error> {
        self.may(Right::Write)?;
        let correction = correction.guarded(&self.engine.guard);
        self.decide_on_waiting(id, |memory| {
            let edited = correction.applied_to(&memory, |text, key| self.value_in(text, key))?;
            edited.check()?;
            Ok(edited)
        })
    }

    /// Rejects a memory that waits; it stays as history. When the same is read or concluded again, it is passed over.
    ///
    /// # Errors
    /// [`Error::WrongState`] when it does not wait, or when the store fails.
    pub fn reject(&self, id: MemoryId) -> Result<Decision, Error> {
        self.may(Right::Write)?;
        let waiting = self.waiting(id)?;
        let now = self.engine.clock.now();
        let mut draft = Draft::new(&self.scope, now);
        draft.reject_memory(&waiting);
        draft.audit(AuditKind::Review, "reject", &[id]);
        let decision = draft.note(reject(&waiting, now), None, None);
        self.commit(draft)?;
        Ok(decision)
    }

    fn decide_on_waiting(
        &self,
        id: MemoryId,
        edit: impl Fn(Memory) -> Result<Memory, Error>,
    ) -> Result<Decision, Error> {
        let waiting = edit(self.waiting(id)?)?;
        let _places = self.engine.lock_places([&waiting]);
        let now = self.engine.clock.now();
        attempt_often(|| {
            let mut draft = Draft::new(&self.scope, now);
            let snapshot = self.engine.store.snapshot()?;
            let versions = draft.versions(snapshot.as_ref(), &waiting)?;
            drop(snapshot);
            draft.audit(AuditKind::Review, "approve", &[id]);
            let decision = draft.note(approve(&waiting, &versions, now), None, None);
            self.commit(draft)?;
            Ok(decision)
        })
    }

    fn waiting(&self, id: MemoryId) -> Result<Memory, Error> {
        let memory = self.own_row(id)?;
        match memory.state {
            State::Pending | State::Quarantined => Ok(memory),
            State::Live
            | State::Dormant
            | State::Superseded
            | State::Retracted
            | State::Expired => Err(Error::NotWaiting {
                id,
                state: memory.state.as_str(),
            }),
        }
    }
}
