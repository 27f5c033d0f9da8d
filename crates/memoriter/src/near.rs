//! Memories that come near to what a proposal says.

use memoriter_core::extract::Action;
use memoriter_core::id::MemoryId;
use memoriter_core::memory::{Memory, State};
use memoriter_core::write::judge::{Pair, Verdict, doubtful};
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
/// Share of the words of a statement from which a judge is asked: see [`memoriter_core::write::judge::doubtful`].
const JUDGED_SHARE: f32 = 0.5;

impl ScopedMemory {
    /// The proposal with the memories that are near to it, and what a judge says of them where there is one.
    pub(crate) fn with_near(&self, proposal: Proposal) -> Result<Proposal, Error> {
        let near = self.near(&proposal)?;
        let verdicts = self.verdicts(&proposal, &near)?;
        Ok(Proposal {
            near,
            verdicts,
            ..proposal
        })
    }

    /// Asked before anything is decided or locked. Where a judge does not answer, it is decided as without one, and
    /// [`Memoriter::take_judge_failure`](crate::Memoriter::take_judge_failure) tells why.
    fn verdicts(
        &self,
        proposal: &Proposal,
        near: &[Memory],
    ) -> Result<Vec<(MemoryId, Verdict)>, Error> {
        let new = &proposal.memory;
        let Some(judge) = &self.engine.judge else {
            return Ok(Vec::new());
        };
        if proposal.action != Action::Remember || proposal.screening.needs_secret {
            return Ok(Vec::new());
        }
        let under_key = match new.fact_key() {
            Some(key) => self.within_call().live_under(key)?,
            None => Vec::new(),
        };
        let known = if new.key.is_some() { &under_key } else { near };
        let doubtful = doubtful(new, known);
        if doubtful.is_empty() {
            return Ok(Vec::new());
        }
        let pairs: Vec<Pair<'_>> = doubtful.iter().map(|known| Pair { new, known }).collect();
        let verdicts = judge.judge(&pairs).unwrap_or_else(|failure| {
            self.engine.note_judge_failure(failure);
            Vec::new()
        });
        Ok(doubtful
            .iter()
            .map(|known| known.id)
            .zip(verdicts)
            .collect())
    }

    /// Live memories of this scope that may say what an unkeyed proposal says, or that an unkeyed request may be
    /// about. Under a key the versions tell all there is to know.
    fn near(&self, proposal: &Proposal) -> Result<Vec<Memory>, Error> {
        if proposal.memory.key.is_some() {
            return Ok(Vec::new());
        }
        let ids = match (proposal.action, &proposal.about) {
            (Action::Remember, _) => {
                let share = match self.engine.judge {
                    Some(_) => JUDGED_SHARE,
                    None => COPY_SHARE,
                };
                self.holding(&proposal.memory.statement, share, NEAR_MAX)?
            }
            (Action::End | Action::Forget, Some(about)) => self.holding(about, 1.0, MEANT_MAX)?,
            (Action::End | Action::Forget, None) | (Action::ForgetAll, _) => Vec::new(),
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
