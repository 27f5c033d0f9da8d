//! A correction by somebody who may be believed less than whoever said what it corrects.

use memoriter_core::access::Right;
use memoriter_core::id::MemoryId;
use memoriter_core::memory::Memory;
use memoriter_core::provenance::Origin;
use memoriter_core::write::Decision;

use super::{Correction, check_open};
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::note::Note;

impl ScopedMemory {
    /// [`ScopedMemory::update`] on the word of `origin`: for an agent that corrects what it, or somebody else, has saved.
    ///
    /// A correction takes over the trust of what it corrects, so it needs as much of its own. Where `origin` is trusted
    /// less, or may not instruct and the new text reads like an instruction to a model, the text is a note of that origin
    /// instead, and decided on as any other: it waits for a person (ASK, QUARANTINE), or stands beside the old one (ADD).
    ///
    /// # Errors
    /// As [`ScopedMemory::update`].
    ///
    /// # Panics
    /// Never: what is to be remembered gets a decision.
    pub fn update_as(
        &self,
        id: MemoryId,
        correction: &Correction,
        origin: Origin,
    ) -> Result<Decision, Error> {
        self.may(Right::Write)?;
        let now = self.engine.clock.now();
        let old = self.own_row(id)?;
        check_open(&old, "corrected")?;
        correction.check_version(&old)?;
        let new = self.corrected(&old, correction, now)?;
        let speaks_to_model = !origin.may_instruct() && self.engine.screening(&new).is_instruction;
        if origin.trust() >= old.trust && !speaks_to_model {
            return self.update(id, correction);
        }
        let note = claim(new, correction, origin).guarded(&self.engine.guard)?;
        let proposal = self.proposal_of_note(note, now)?;
        let decisions = self.decide_and_commit(&[proposal], None, now)?;
        let decision = decisions.into_iter().next();
        Ok(decision.expect("what is to be remembered gets one decision"))
    }
}

/// What a correction says, as a note of its own.
fn claim(new: Memory, correction: &Correction, origin: Origin) -> Note {
    let key = new.fact_key().cloned();
    let mut note = Note::new(new.statement)
        .kind(new.kind)
        .importance(new.importance)
        .origin(origin)
        .metadata(new.metadata);
    if let Some(attempt) = new.attempt {
        note = note.attempt(attempt);
    }
    if let Some(key) = key {
        note = note.key(key);
    }
    if let Some(value) = new.value {
        note = note.value(value);
    }
    if let Some(category) = new.category {
        note = note.category(category);
    }
    match correction.told_at {
        Some(told_at) => note.told_at(told_at),
        None => note,
    }
}
