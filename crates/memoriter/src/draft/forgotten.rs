//! What a draft does to forget: memories, the turns that say them, and the tombstones.

use std::collections::BTreeSet;

use memoriter_core::extract::Action;
use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::{FactKey, Kind, Memory, State};
use memoriter_core::provenance::{SourceRef, Trust};
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{Role, Turn};
use memoriter_core::write::{
    BLOCK, Decision, DecisionKind, Reason, Resolution, Target, Teller, Trace, forget,
    is_for_review, mark_of_everything, marks, marks_of_memory, marks_of_rejected, marks_of_request,
    meant_instead, names_value, of_bearers, possible_traces, retire, reworded, traces,
    without_traces,
};
use memoriter_store::{MemoryQuery, Snapshot, StoreError};

use super::Draft;
use crate::echo::{Echoes, Gone};
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
        let mut target: Target = proposal.target();
        if target.key.is_none() && target.value.is_some() {
            // What is about somebody of that name need not say it.
            let known: Vec<MemoryId> = versions.iter().map(|memory| memory.id).collect();
            let all = self.everything(snapshot)?.into_iter();
            versions.extend(all.filter(|memory| !known.contains(&memory.id)));
        }
        self.leave_out_later(snapshot, &mut versions, proposal.said_at)?;
        let mut resolutions = forget(&target, &versions, self.now);
        if is_nothing(&resolutions) {
            let all = self.everything(snapshot)?;
            if let Some(instead) = meant_instead(&target, &all) {
                versions = all;
                versions.retain(|memory| memory.fact_key() == instead.key.as_ref());
                self.leave_out_later(snapshot, &mut versions, proposal.said_at)?;
                resolutions = forget(&instead, &versions, self.now);
                target = instead;
            }
        }
        resolutions = self.with_bearers(snapshot, &target, resolutions, proposal.said_at)?;
        let is_unclear = |one: &Resolution| one.decision.reason == Reason::UnclearRequest;
        if resolutions.iter().all(is_unclear) {
            return Ok(resolutions);
        }
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
        self.hide_sources(snapshot, &gone, proposal.said_at)?;
        if target.trust == Trust::FULL {
            self.forget_past(snapshot, &target, &versions)?;
            let named = target.value.as_deref().map(|value| match &target.key {
                Some(key) => Gone::named(key, value, target.asked_at),
                None => Gone::topic(value, target.asked_at),
            });
            let by_words = target
                .key
                .as_ref()
                .filter(|key| is_nothing(&resolutions) && key.entity() == "user");
            if let Some(named) =
                named.or_else(|| by_words.map(|key| Gone::own(key, target.asked_at)))
            {
                self.leave_traces(named, target.asked_at);
            }
        }
        Ok(resolutions)
    }

    /// With a brother goes what is known of him.
    fn with_bearers(
        &self,
        snapshot: &dyn Snapshot,
        target: &Target,
        mut resolutions: Vec<Resolution>,
        asked_at: Timestamp,
    ) -> Result<Vec<Resolution>, StoreError> {
        if target.key.as_ref().is_none_or(|key| key.entity() != "user") {
            return Ok(resolutions);
        }
        let gone = resolutions.iter().flat_map(|one| one.updates.clone());
        let gone: Vec<Memory> = gone.collect();
        let all = self.everything(snapshot)?;
        let mut with_them: Vec<Memory> = of_bearers(target, &gone, &all)
            .into_iter()
            .cloned()
            .collect();
        self.leave_out_later(snapshot, &mut with_them, asked_at)?;
        if with_them.is_empty() {
            return Ok(resolutions);
        }
        if is_nothing(&resolutions) {
            resolutions.clear();
        }
        let whole = Target {
            key: None,
            value: None,
            is_all: true,
            ..target.clone()
        };
        resolutions.extend(forget(&whole, &with_them, self.now));
        Ok(resolutions)
    }

    /// A request about all that is under a key is about what was under it before, too.
    fn forget_past(
        &mut self,
        snapshot: &dyn Snapshot,
        target: &Target,
        versions: &[Memory],
    ) -> Result<(), StoreError> {
        for memory in versions.iter().filter(|memory| target.means_past(memory)) {
            if self.times_said(snapshot, memory)?.last() > Some(&target.asked_at) {
                continue;
            }
            let memory = self.latest(memory);
            self.note(retire(&memory, &[], self.now), None, None);
            self.leave_tombstones(marks_of_memory(&memory), target.asked_at);
            self.hide_sources(snapshot, &[memory], target.asked_at)?;
        }
        Ok(())
    }

    /// The turns and sentences that memories came from go with them.
    fn hide_sources(
        &mut self,
        snapshot: &dyn Snapshot,
        gone: &[Memory],
        asked_at: Timestamp,
    ) -> Result<(), StoreError> {
        for source in gone.iter().flat_map(|memory| &memory.sources) {
            self.hide_source(snapshot, source.of)?;
        }
        for memory in gone {
            self.leave_traces(Gone::memory(memory, asked_at), asked_at);
        }
        Ok(())
    }

    fn hide_source(&mut self, snapshot: &dyn Snapshot, of: SourceRef) -> Result<(), StoreError> {
        match of {
            SourceRef::Turn(id) => self.turns.push(id),
            SourceRef::Memory(id) => self.retire_episode(snapshot, id)?,
        }
        Ok(())
    }

    /// What goes is known again by its traces, also in texts that are yet to come.
    fn leave_traces(&mut self, gone: Gone, asked_at: Timestamp) {
        let marks = gone.traces().iter().map(Trace::mark).collect();
        self.leave_tombstones(marks, asked_at);
        self.gone.push(gone.after_new(self.inserts.len()));
    }

    /// What was said before somebody asked to forget it is not kept, and neither are its words elsewhere.
    pub(super) fn withhold(
        &mut self,
        snapshot: &dyn Snapshot,
        proposal: &Proposal,
    ) -> Result<(), StoreError> {
        if let Some(source) = proposal.source {
            self.hide_source(snapshot, source)?;
            self.withheld.push((source, traces(&proposal.memory)));
        }
        Ok(())
    }

    /// What came from one source with something that is withheld is kept in other words.
    pub(crate) fn reword_withheld(&mut self) {
        let withheld = std::mem::take(&mut self.withheld);
        let changed = self.updates.values_mut().map(|(memory, _)| memory);
        for memory in changed.chain(&mut self.inserts) {
            let of_it = withheld
                .iter()
                .filter(|(source, _)| memory.sources.iter().any(|one| one.of == *source));
            let traces: Vec<Trace> = of_it.flat_map(|(_, traces)| traces.clone()).collect();
            if let Some(new) = without_traces(memory, &traces) {
                *memory = new;
            }
        }
    }

    /// Takes what says again what goes out of use: turns and texts altogether, facts by the words that they have
    /// besides. The decisions on facts and on texts that somebody asked to remember are returned.
    pub(crate) fn hide_echoes(
        &mut self,
        echoes: Echoes,
        new_id: impl Fn() -> MemoryId,
    ) -> Vec<Decision> {
        self.answer_found(&echoes);
        self.turns.extend(echoes.turns);
        self.turns.sort_unstable();
        self.turns.dedup();
        let mut decisions = Vec::new();
        for (memory, traces) in echoes.memories.into_values() {
            let memory = self.latest(&memory);
            if memory.state != State::Live {
                continue;
            }
            let resolution = match memory.fact_key() {
                Some(key) => {
                    let is_block = key.entity() == BLOCK;
                    let reworded = reworded(&memory, &traces, new_id(), self.now);
                    reworded.or_else(|| is_block.then(|| retire(&memory, &[], self.now)))
                }
                None => Some(retire(&memory, &[], self.now)),
            };
            let is_told = memory.kind != Kind::Episodic;
            let noted = resolution.map(|resolution| self.note(resolution, None, None));
            decisions.extend(noted.filter(|_| is_told));
        }
        decisions
    }

    /// Where nothing is known under what a request names, and turns or sentences go that say it, that is what was done: its line
    /// of the ledger says so. The turn that asks is not among them, nor is what the unit takes away for another reason.
    fn answer_found(&mut self, echoes: &Echoes) {
        let goes = |found: &SourceRef| match found {
            SourceRef::Turn(id) => !self.turns.contains(id),
            SourceRef::Memory(id) => self
                .updates
                .get(id)
                .is_none_or(|(memory, _)| memory.state == State::Live),
        };
        let found = echoes.found.iter().filter(|(_, found)| goes(found));
        let lines: BTreeSet<usize> = found.map(|(line, _)| *line).collect();
        for line in lines {
            if let Some(record) = self.ledger.get_mut(line) {
                record.decision.kind = DecisionKind::Delete;
                record.decision.reason = Reason::Requested;
                self.answered.insert(line);
            }
        }
    }

    /// Decisions as they stand once it is known what went with them: of those that nothing is known of what shall be forgotten,
    /// in their order, some have found turns.
    pub(crate) fn as_answered(&self, decisions: &mut [Decision]) {
        let is_nothing = |decision: &Decision| decision.reason == Reason::NothingToForget;
        let lines = (0..).zip(&self.ledger);
        let lines = lines
            .filter(|(line, record)| self.answered.contains(line) || is_nothing(&record.decision));
        let nothing = decisions.iter_mut().filter(|decision| is_nothing(decision));
        for (decision, (_, record)) in nothing.zip(lines) {
            *decision = record.decision;
        }
    }

    /// The same for memories that this unit adds itself: nobody has seen them, so they are changed and not replaced.
    pub(crate) fn hide_new_echoes(&mut self, echoes: &[(MemoryId, Vec<Trace>)]) {
        for (id, traces) in echoes {
            let Some(new) = self.inserts.iter_mut().find(|new| new.id == *id) else {
                continue;
            };
            match (&new.key, without_traces(new, traces)) {
                (Some(_), Some(reworded)) => *new = reworded,
                (Some(_), None) => {}
                (None, _) => {
                    let retired = retire(new, &[], self.now);
                    self.note(retired, None, None);
                }
            }
        }
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
        let is_new = |memory: &&Memory| memory.id == id && memory.state == State::Live;
        if let Some(episode) = self.inserts.iter().find(is_new).cloned() {
            self.note(retire(&episode, &[], self.now), None, None);
            return Ok(());
        }
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
        self.hide_sources(snapshot, std::slice::from_ref(memory), asked_at)
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

    /// The records that this unit takes out of use, where something was asked to be forgotten.
    pub(crate) fn gone_records(&self) -> BTreeSet<SourceRef> {
        if self.gone.is_empty() {
            return BTreeSet::new();
        }
        let retracted = |memory: &&Memory| memory.state == State::Retracted;
        let memories = self.updates.values().map(|(memory, _)| memory);
        let memories = memories
            .filter(retracted)
            .map(|memory| SourceRef::Memory(memory.id));
        let turns = self.turns.iter().map(|turn| SourceRef::Turn(*turn));
        memories.chain(turns).collect()
    }

    /// Memories that go on request in this unit.
    pub(crate) fn gone(&self) -> &[Gone] {
        &self.gone
    }

    /// A turn that was said before a request, or by an assistant at any time, goes out of use where it has a trace of
    /// what was forgotten. `unknown` are its traces that nothing known explains.
    pub(crate) fn hide_trace(
        &mut self,
        snapshot: &dyn Snapshot,
        turn: &Turn,
        unknown: &[Trace],
    ) -> Result<(), StoreError> {
        for trace in unknown {
            let said_now =
                |new: &Memory| new.state == State::Live && trace.is_in(new.value_or_statement());
            if self.inserts.iter().any(said_now) {
                continue;
            }
            let asked_at = self.last_asked(snapshot, &[trace.mark()])?;
            let is_older = |asked_at| {
                turn.message.role == Role::Assistant || turn.message.at.instant < asked_at
            };
            if asked_at.is_some_and(is_older) {
                self.turns.push(turn.id);
                break;
            }
        }
        Ok(())
    }

    /// The traces of what somebody asked to forget after `said_at` that a text of the user has.
    pub(super) fn forgotten_traces(
        &self,
        snapshot: &dyn Snapshot,
        text: &str,
        said_at: Timestamp,
    ) -> Result<Vec<Trace>, StoreError> {
        if said_at >= self.now
            || self.forgotten.is_empty() && !snapshot.has_forgotten(&self.scope)?
        {
            return Ok(Vec::new());
        }
        let mut forgotten = Vec::new();
        for trace in possible_traces(text, Teller::User) {
            if self.last_asked(snapshot, &[trace.mark()])? > Some(said_at) {
                forgotten.push(trace);
            }
        }
        Ok(forgotten)
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

/// Whether a request found nothing to take out of use.
fn is_nothing(resolutions: &[Resolution]) -> bool {
    let found_nothing = |one: &Resolution| one.decision.reason == Reason::NothingToForget;
    resolutions.iter().all(found_nothing)
}
