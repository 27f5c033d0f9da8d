//! Memories that come near to what a proposal says.

use memoriter_core::extract::Action;
use memoriter_core::id::MemoryId;
use memoriter_core::memory::{Memory, State};
use memoriter_store::MemoryQuery;
use memoriter_store::index::ScopeIndex;

use crate::draft::sound;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::proposal::Proposal;

/// Memories that are compared with a new statement.
const NEAR_MAX: usize = 16;
/// Memories that one request without key may be about.
const MEANT_MAX: usize = 200;
/// Share of the words of a statement that a near copy holds: see [`memoriter_core::write::is_near_copy`].
const COPY_SHARE: f32 = 0.8;

impl ScopedMemory {
    /// The proposal with the memories that are near to it.
    pub(crate) fn with_near(&self, proposal: Proposal) -> Result<Proposal, Error> {
        let near = self.near(&proposal)?;
        Ok(Proposal { near, ..proposal })
    }

    /// Live memories of this scope that may say what an unkeyed proposal says, or that an unkeyed request may be
    /// about. Under a key the versions tell all there is to know.
    fn near(&self, proposal: &Proposal) -> Result<Vec<Memory>, Error> {
        if proposal.memory.key.is_some() {
            return Ok(Vec::new());
        }
        let ids = match (proposal.action, &proposal.about) {
            (Action::Remember, _) => {
                self.holding(&proposal.memory.statement, COPY_SHARE, NEAR_MAX)?
            }
            (Action::End | Action::Forget, Some(about)) => self.holding(about, 1.0, MEANT_MAX)?,
            (Action::End | Action::Forget, None) => Vec::new(),
        };
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let query = MemoryQuery::Ids {
            scopes: std::slice::from_ref(&self.scope),
            ids: &ids,
        };
        let mut near = sound(self.engine.store.snapshot()?.memories(query)?)?;
        near.retain(|memory| memory.state == State::Live);
        Ok(near)
    }

    fn holding(&self, text: &str, share: f32, limit: usize) -> Result<Vec<MemoryId>, Error> {
        let scopes = std::slice::from_ref(&self.scope);
        let ask = |indexes: &[&ScopeIndex]| {
            let own = indexes.first();
            own.map(|index| index.holding_words(text, share, limit))
        };
        let found = self
            .engine
            .indexes
            .with(self.engine.store.as_ref(), scopes, ask)?;
        Ok(found.unwrap_or_default())
    }
}
