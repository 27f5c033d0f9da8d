//! Blocks: named texts of the profile, as `persona` and `human`, that are rewritten as a whole.
//!
//! A block is a pinned memory under the key `block.NAME`, written through the same decisions as every other, so its
//! versions and where they come from stay.

use memoriter_core::access::Right;
use memoriter_core::id::MemoryId;
use memoriter_core::memory::{FactKey, Memory, State};
use memoriter_core::provenance::Origin;
use memoriter_core::write::{BLOCK, Decision, DecisionKind, correct};
use memoriter_store::MemoryQuery;

use crate::draft::{Draft, sound};
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::note::Note;
use crate::proposal::Proposal;
use crate::remember::attempt_often;

/// What came of an edit.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockEdit {
    /// The decision, as for every write.
    pub decision: Decision,
    /// The block as it stands now; `None` where nothing stands under the name.
    pub block: Option<Memory>,
}

impl ScopedMemory {
    /// A block of this scope by name.
    ///
    /// # Errors
    /// When the name is none, or the store cannot be read.
    pub fn block(&self, name: &str) -> Result<Option<Memory>, Error> {
        self.may(Right::Read)?;
        let live = self.live_under(&FactKey::new(BLOCK, name)?)?;
        Ok(live.into_iter().rfind(|memory| memory.state == State::Live))
    }

    /// Writes a block, if its version is the expected one: 0 where there must be none yet. A block of somebody more
    /// trusted than `origin` stays, and the new text waits for a person.
    ///
    /// # Errors
    /// [`Error::BlockConflict`] when the version is another; or as [`ScopedMemory::remember`].
    pub fn edit_block(
        &self,
        name: &str,
        text: &str,
        expected_version: u32,
        origin: Origin,
    ) -> Result<BlockEdit, Error> {
        self.may(Right::Write)?;
        let now = self.engine.clock.now();
        let key = FactKey::new(BLOCK, name)?;
        let note = Note::new(text).key(key.clone()).value(text).origin(origin);
        let mut proposal = self.proposal_of_note(note.guarded(&self.engine.guard)?, now)?;
        proposal.memory.pinned_at = Some(now);
        let _places = self.engine.lock_places([&proposal.memory]);
        let decision =
            attempt_often(|| self.attempt_block(name, &key, &proposal, expected_version))?;
        Ok(BlockEdit {
            decision,
            block: self.within_call().block(name)?,
        })
    }

    fn attempt_block(
        &self,
        name: &str,
        key: &FactKey,
        proposal: &Proposal,
        expected: u32,
    ) -> Result<Decision, Error> {
        let now = self.engine.clock.now();
        let snapshot = self.engine.store.snapshot()?;
        let scope = &self.scope;
        let versions = sound(snapshot.memories(MemoryQuery::Key { scope, key })?)?;
        let live = |memory: &&Memory| memory.state == State::Live;
        let current = versions.iter().rfind(live);
        let found = current.map_or(0, |block| block.version);
        if found != expected {
            return Err(Error::BlockConflict {
                name: name.to_owned(),
                expected,
                found,
            });
        }
        let mut draft = Draft::new(scope, now);
        let decided = draft.decide(snapshot.as_ref(), proposal)?;
        let decision = decided.into_iter().next();
        let decision = decision.expect("what is to be remembered gets one decision");
        let new = &proposal.memory;
        // The same words in another spelling are no news of a fact, and the new text of a block.
        let rewritten = current.filter(|old| {
            decision.kind == DecisionKind::Skip
                && decision.id == Some(old.id)
                && old.value != new.value
                && new.trust >= old.trust
        });
        let decision = match rewritten {
            None => decision,
            Some(old) => {
                draft = Draft::new(scope, now);
                let id = MemoryId::generate(now, self.engine.entropy.as_ref());
                let new = Memory { id, ..new.clone() };
                draft.note(correct(old, new, &versions, now), None, None)
            }
        };
        drop(snapshot);
        self.commit(draft)?;
        Ok(decision)
    }
}
