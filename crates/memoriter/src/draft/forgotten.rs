//! What a draft does to forget: memories, the turns that say them, and the tombstones.

use memoriter_core::extract::Action;
use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::{FactKey, Memory, State};
use memoriter_core::provenance::{SourceRef, Trust};
use memoriter_core::time::Timestamp;
use memoriter_core::write::{
    Resolution, Target, forget, is_for_review, mark_of_everything, marks, marks_of_memory,
    marks_of_rejected, marks_of_request, names_value, retire,
};
use memoriter_store::{MemoryQuery, Snapshot, StoreError};

use super::Draft;
use crate::echo::Gone;
use crate::memories::RowPages;
use crate::proposal::Proposal;

/// Rows that are read at a time where all are read.
const PAGE_ROWS: usize = 1_000;

impl Draft {
    /// What is meant goes, with the turns and episodes that it came from and the turn that asks; older texts
    /// do not bring it back.
    pub(super) fn forget(
        &mut self,
        snapshot: &dyn Snapshot,
        proposal: &Proposal,
        mut versions: Vec<Memory>,
    ) -> Result<Vec<Resolution>, StoreError> {
        let target: Target = proposal.target();
        self.leave_out_later(snapshot, &mut versions, proposal.said_at)?;
        let resolutions = forget(&target, &versions, self.now);
        let gone: Vec<Memory> = resolutions
            .iter()
            .flat_map(|resolution| &resolution.updates)
            .cloned()
            .collect();
        self.leave_tombstones(marks_of_request(&target, &gone), proposal.said_at);
        if proposal.action == Action::ForgetAll && target.trust == Trust::FULL {
            self.leave_tombstones(vec![mark_of_everything()], proposal.said_at);
        }
        self.turns.extend(proposal.turn());
        self.hide_sources(snapshot, gone, proposal.said_at)?;
        Ok(resolutions)
    }

    /// The turns and sentences that memories came from go with them.
    fn hide_sources(
        &mut self,
        snapshot: &dyn Snapshot,
        gone: Vec<Memory>,
        asked_at: Timestamp,
    ) -> Result<(), StoreError> {
        for source in gone.iter().flat_map(|memory| &memory.sources) {
            match source.of {
                SourceRef::Turn(id) => self.turns.push(id),
                SourceRef::Memory(id) => self.retire_episode(snapshot, id)?,
            }
        }
        let gone = gone.into_iter().map(|memory| Gone { memory, asked_at });
        self.gone.extend(gone);
        Ok(())
    }

    /// Every memory of the scope that is in use or waits.
    pub(super) fn everything(&self, snapshot: &dyn Snapshot) -> Result<Vec<Memory>, StoreError> {
        let states = [State::Live, State::Pending, State::Quarantined];
        let mut rows = RowPages::new(snapshot, &self.scope, &states, None);
        let mut all = Vec::new();
        while let Some(page) = rows.next(PAGE_ROWS)? {
            all.extend(page.rows.iter().map(|memory| self.latest(memory)));
        }
        all.extend(self.inserts.iter().cloned());
        Ok(all)
    }

    /// The sentence that a forgotten fact came from.
    fn retire_episode(&mut self, snapshot: &dyn Snapshot, id: MemoryId) -> Result<(), StoreError> {
        let query = MemoryQuery::Ids {
            scopes: std::slice::from_ref(&self.scope),
            ids: &[id],
        };
        for episode in snapshot.memories(query)?.rows {
            let episode = self.latest(&episode);
            if episode.state == State::Live {
                self.note(retire(&episode, &[], self.now), None, None);
            }
        }
        Ok(())
    }

    /// Leaves a tombstone of a memory that goes on request; what it came from goes with it.
    pub(crate) fn forget_memory(
        &mut self,
        snapshot: &dyn Snapshot,
        memory: &Memory,
        asked_at: Timestamp,
    ) -> Result<(), StoreError> {
        self.leave_tombstones(marks_of_memory(memory), asked_at);
        self.hide_sources(snapshot, vec![memory.clone()], asked_at)
    }

    /// Leaves a tombstone of a memory that a person rejects.
    pub(crate) fn reject_memory(&mut self, memory: &Memory) {
        self.leave_tombstones(marks_of_rejected(memory), self.now);
    }

    /// A turn of an assistant that says `said` of the user again goes out of use where that was forgotten and nobody
    /// has said it since.
    pub(crate) fn hide_echo(
        &mut self,
        snapshot: &dyn Snapshot,
        turn: TurnId,
        said: &Memory,
    ) -> Result<(), StoreError> {
        if self.forgotten_at(snapshot, said)?.is_none() {
            return Ok(());
        }
        let versions = self.versions(snapshot, said)?;
        let is_known = |known: &Memory| {
            known.state == State::Live
                && names_value(
                    said.fact_key().map_or("", FactKey::attribute),
                    said.value_or_statement(),
                    known.value_or_statement(),
                )
        };
        if !versions.iter().any(is_known) {
            self.turns.push(turn);
        }
        Ok(())
    }

    /// Memories that go on request in this unit.
    pub(crate) fn gone(&self) -> &[Gone] {
        &self.gone
    }

    /// Takes turns out of use.
    pub(crate) fn hide_turns(&mut self, turns: Vec<TurnId>) {
        self.turns.extend(turns);
        self.turns.sort_unstable();
        self.turns.dedup();
    }

    fn leave_tombstones(&mut self, marks: Vec<Vec<u8>>, asked_at: Timestamp) {
        for mark in marks {
            let at = self.forgotten.entry(mark).or_insert(asked_at);
            *at = (*at).max(asked_at);
        }
    }

    /// When somebody last asked to forget what a candidate says.
    pub(super) fn forgotten_at(
        &self,
        snapshot: &dyn Snapshot,
        candidate: &Memory,
    ) -> Result<Option<Timestamp>, StoreError> {
        if self.forgotten.is_empty() && !snapshot.has_forgotten(&self.scope)? {
            return Ok(None);
        }
        self.last_asked(snapshot, &marks(candidate))
    }

    /// When a person last rejected what a candidate says, where that bears on it.
    pub(super) fn rejected_at(
        &self,
        snapshot: &dyn Snapshot,
        candidate: &Memory,
    ) -> Result<Option<Timestamp>, StoreError> {
        if !is_for_review(candidate) {
            return Ok(None);
        }
        self.last_asked(snapshot, &marks_of_rejected(candidate))
    }

    fn last_asked(
        &self,
        snapshot: &dyn Snapshot,
        marks: &[Vec<u8>],
    ) -> Result<Option<Timestamp>, StoreError> {
        let here = marks.iter().filter_map(|mark| self.forgotten.get(mark));
        let kept = snapshot.forgotten_at(&self.scope, marks)?;
        Ok(here.copied().max().max(kept))
    }
}
