//! Decisions of one unit of writes, before they are committed.

mod forgotten;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use memoriter_core::audit::{AuditEntry, AuditKind};
use memoriter_core::extract::Action;
use memoriter_core::id::{ChangeNumber, MemoryId, TurnId};
use memoriter_core::memory::{Cardinality, Memory, State};
use memoriter_core::provenance::{SourceRef, Status};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::write::judge::judged;
use memoriter_core::write::{
    Decision, Reason, Resolution, Screening, Trace, ask_to_end, contrary, end, ended, overtaken,
    recant, recanted, reconcile, reconcile_found, screen, without_traces,
};
use memoriter_store::{
    DecisionRecord, ExtractionUpdate, MemoryQuery, Rows, Snapshot, Standing, StoreError,
    StoredVector, TurnQuery, Write,
};

use crate::echo::Gone;
use crate::proposal::Proposal;

/// Rows as they stand in a snapshot with the decisions so far on top, so that notes of one unit see each
/// other; and everything that goes into the store with them.
pub(crate) struct Draft {
    scope: Scope,
    now: Timestamp,
    /// Memories of the store that change, with the change number at which they were read.
    updates: BTreeMap<MemoryId, (Memory, ChangeNumber)>,
    /// Memories that are new, in order.
    inserts: Vec<Memory>,
    /// Where in `inserts` the memories are that bear on each other.
    by_group: HashMap<Vec<u8>, Vec<usize>>,
    /// What shall be forgotten, and when somebody asked.
    forgotten: BTreeMap<Vec<u8>, Timestamp>,
    /// Turns that go out of use with what they support.
    turns: Vec<TurnId>,
    /// What goes on request.
    gone: Vec<Gone>,
    /// Sources of what is not kept because somebody asked to forget it, with what it is known by.
    withheld: Vec<(SourceRef, Vec<Trace>)>,
    ledger: Vec<DecisionRecord>,
    /// Lines of the ledger that said that nothing is known, until something was found.
    answered: BTreeSet<usize>,
    finished: Vec<ExtractionUpdate>,
    audit: Option<AuditEntry>,
}

impl Draft {
    /// An empty draft for writes into `scope`.
    pub(crate) fn new(scope: &Scope, now: Timestamp) -> Self {
        Self {
            scope: scope.clone(),
            now,
            updates: BTreeMap::new(),
            inserts: Vec::new(),
            by_group: HashMap::new(),
            forgotten: BTreeMap::new(),
            turns: Vec::new(),
            gone: Vec::new(),
            withheld: Vec::new(),
            ledger: Vec::new(),
            answered: BTreeSet::new(),
            finished: Vec::new(),
            audit: None,
        }
    }

    /// Decides on a proposal by the snapshot and the draft, and notes the outcome: one decision, or one for
    /// each memory that a request is about.
    pub(crate) fn decide(
        &mut self,
        snapshot: &dyn Snapshot,
        proposal: &Proposal,
    ) -> Result<Vec<Decision>, StoreError> {
        let gone_before = self.gone.len();
        let mut versions = self.versions(snapshot, &proposal.memory)?;
        versions.extend(proposal.near.iter().map(|memory| self.latest(memory)));
        let resolutions = match proposal.action {
            Action::Remember => {
                let contraries = self.contraries(snapshot, &proposal.memory)?;
                let decided = self.remember(snapshot, proposal, (&versions, &contraries))?;
                if decided.decision.reason == Reason::Forgotten {
                    // Its words would bring back what shall stay forgotten.
                    self.withhold(snapshot, proposal)?;
                }
                let recanted = match decided.live() {
                    Some(new) => recant(new, proposal.said_at, &contraries, self.now),
                    None => Vec::new(),
                };
                [vec![decided], recanted].concat()
            }
            Action::End => self.end(snapshot, proposal, versions)?,
            Action::Forget => self.forget(snapshot, proposal, versions)?,
            Action::ForgetAll => {
                let everything = self.everything(snapshot)?;
                self.forget(snapshot, proposal, everything)?
            }
        };
        let noted = resolutions.into_iter().map(|resolution| {
            let made_by = proposal.made_by.clone();
            self.note(resolution, proposal.source, made_by)
        });
        let decisions: Vec<Decision> = noted.collect();
        if let [
            Decision {
                reason: Reason::NothingToForget,
                ..
            },
        ] = decisions.as_slice()
        {
            let line = self.ledger.len() - 1;
            let of_request = self.gone.iter_mut().skip(gone_before);
            of_request.for_each(|gone| gone.answered_by(line));
        }
        Ok(decisions)
    }

    fn remember(
        &self,
        snapshot: &dyn Snapshot,
        proposal: &Proposal,
        (versions, contraries): (&[Memory], &[(Memory, Timestamp)]),
    ) -> Result<Resolution, StoreError> {
        let said_at = proposal.said_at;
        let mut candidate = &proposal.memory;
        let told = self.forgotten_traces(snapshot, &candidate.statement, said_at)?;
        let in_other_words = without_traces(candidate, &told);
        candidate = in_other_words.as_ref().unwrap_or(candidate);
        let mut forgotten_at = self.forgotten_at(snapshot, candidate)?;
        if candidate.key.is_none() && !told.is_empty() {
            forgotten_at = forgotten_at.max(Some(self.now));
        }
        let screening = Screening {
            forgotten_at,
            rejected_at: self.rejected_at(snapshot, candidate)?,
            ..proposal.screening
        };
        if let Some(decided) = screen(candidate, screening, said_at, versions)
            .or_else(|| ended(candidate, said_at, versions, self.now))
            .or_else(|| recanted(candidate, said_at, contraries, self.now))
        {
            return Ok(decided);
        }
        let mut times = BTreeMap::new();
        // Only a value that is the only one can be overtaken; a set may have thousands.
        let is_single = matches!(candidate.key, Some((_, Cardinality::Single)));
        for known in versions
            .iter()
            .filter(|known| is_single && known.key.is_some())
        {
            // What came into the store before the candidate was said was said before it.
            if known.last_confirmed_at.max(Some(known.recorded_at)) >= Some(said_at) {
                times.insert(known.id, self.times_said(snapshot, known)?);
            }
        }
        let weigh = if proposal.is_weighted {
            reconcile
        } else {
            reconcile_found
        };
        let decided = overtaken(candidate, said_at, &times, versions, self.now)
            .or_else(|| judged(candidate, &proposal.verdicts, versions, self.now))
            .unwrap_or_else(|| weigh(candidate.clone(), versions, self.now));
        Ok(self.said_at(said_at, decided, versions))
    }

    /// The live memories under the key that holds the contrary, each with when it was last said.
    fn contraries(
        &self,
        snapshot: &dyn Snapshot,
        candidate: &Memory,
    ) -> Result<Vec<(Memory, Timestamp)>, StoreError> {
        let Some((key, cardinality)) = &candidate.key else {
            return Ok(Vec::new());
        };
        let Some(key) = contrary(key) else {
            return Ok(Vec::new());
        };
        let other = Memory {
            key: Some((key, *cardinality)),
            ..candidate.clone()
        };
        let mut contraries = Vec::new();
        for memory in self.versions(snapshot, &other)? {
            if memory.state == State::Live {
                let times = self.times_said(snapshot, &memory)?;
                contraries.extend(times.last().map(|last| (memory, *last)));
            }
        }
        Ok(contraries)
    }

    /// What is confirmed was said again when it was said, not when it came in.
    fn said_at(
        &self,
        said_at: Timestamp,
        mut decided: Resolution,
        versions: &[Memory],
    ) -> Resolution {
        let changed = decided.updates.iter_mut().chain(&mut decided.insert);
        for memory in changed.filter(|memory| memory.last_confirmed_at == Some(self.now)) {
            let ids = [Some(memory.id), memory.supersedes];
            let before = versions.iter().find(|known| ids.contains(&Some(known.id)));
            let before = before.and_then(|known| known.last_confirmed_at);
            memory.last_confirmed_at = before.max(Some(said_at));
        }
        decided
    }

    /// What is meant becomes history. The request is kept where older texts may yet come: what was said under its
    /// key, by somebody who is believed and not forgotten meanwhile.
    fn end(
        &self,
        snapshot: &dyn Snapshot,
        proposal: &Proposal,
        mut versions: Vec<Memory>,
    ) -> Result<Vec<Resolution>, StoreError> {
        let (said, asked_at) = (&proposal.memory, proposal.said_at);
        self.leave_out_later(snapshot, &mut versions, asked_at)?;
        let is_forgotten = self.forgotten_at(snapshot, said)? > Some(asked_at);
        let is_kept = said.key.is_some()
            && !said.origin.is_external()
            && !proposal.screening.needs_secret
            && !is_forgotten;
        let kept = is_kept.then(|| said.clone());
        let target = proposal.target();
        if let Some(asked) = ask_to_end(&target, &versions, said.valid_from, said) {
            return Ok(vec![asked]);
        }
        // "Rex died" ends the animal of that name; where none is known, somebody else was meant.
        if said.status == Status::Inferred {
            let ended = end(&target, &versions, said.valid_from, None, self.now);
            let is_something = |ended: &Resolution| ended.decision.reason != Reason::NothingToEnd;
            return Ok(ended.into_iter().filter(is_something).collect());
        }
        Ok(end(&target, &versions, said.valid_from, kept, self.now))
    }

    /// Of the memories that a request at `asked_at` may be about, leaves out those that somebody has said since.
    fn leave_out_later(
        &self,
        snapshot: &dyn Snapshot,
        versions: &mut Vec<Memory>,
        asked_at: Timestamp,
    ) -> Result<(), StoreError> {
        let mut said_later = Vec::new();
        for memory in versions.iter().filter(|one| one.state == State::Live) {
            if self.times_said(snapshot, memory)?.last() > Some(&asked_at) {
                said_later.push(memory.id);
            }
        }
        versions.retain(|memory| !said_later.contains(&memory.id));
        Ok(())
    }

    /// When a memory was said, as far as its sources and confirmations tell, in order. Of one that names no source, it
    /// was when it came in or became true.
    fn times_said(
        &self,
        snapshot: &dyn Snapshot,
        memory: &Memory,
    ) -> Result<Vec<Timestamp>, StoreError> {
        let scopes = std::slice::from_ref(&self.scope);
        let (mut turns, mut episodes) = (Vec::new(), Vec::new());
        for source in &memory.sources {
            match source.of {
                SourceRef::Turn(id) => turns.push(id),
                SourceRef::Memory(id) => episodes.push(id),
            }
        }
        let turns = snapshot.turns(TurnQuery::Ids {
            scopes,
            ids: &turns,
        })?;
        let episodes = snapshot.memories(MemoryQuery::Ids {
            scopes,
            ids: &episodes,
        })?;
        let told = turns.rows.iter().map(|turn| turn.message.at.instant);
        let kept = episodes.rows.iter().map(|kept| kept.valid_from.instant);
        let mut times: Vec<Timestamp> = told.chain(kept).collect();
        if times.is_empty() {
            times.push(memory.recorded_at.min(memory.valid_from.instant));
        }
        times.extend(memory.last_confirmed_at);
        times.sort_unstable();
        times.dedup();
        Ok(times)
    }

    /// Ends the extraction of a turn together with what was found in it.
    pub(crate) fn finish(&mut self, step: ExtractionUpdate) {
        self.finished.push(step);
    }

    /// Notes a resolution, which may have been made elsewhere.
    pub(crate) fn note(
        &mut self,
        resolution: Resolution,
        source: Option<SourceRef>,
        made_by: Option<String>,
    ) -> Decision {
        let Resolution {
            decision,
            insert,
            updates,
        } = resolution.keeping_pins();
        let touched = updates.iter().chain(&insert);
        let changes: BTreeMap<MemoryId, Standing> = touched
            .map(|memory| (memory.id, Standing::from(memory)))
            .collect();
        for updated in updates {
            self.update(updated);
        }
        if let Some(new) = insert {
            let at = self.inserts.len();
            self.by_group.entry(group(&new)).or_default().push(at);
            self.inserts.push(new);
        }
        self.ledger.push(DecisionRecord {
            scope: self.scope.clone(),
            at: self.now,
            decision,
            source,
            made_by,
            changes: changes.into_values().collect(),
        });
        decision
    }

    fn update(&mut self, updated: Memory) {
        let is_it = |memory: &&mut Memory| memory.id == updated.id;
        if let Some(new) = self.inserts.iter_mut().find(is_it) {
            *new = updated;
            return;
        }
        let read_at = match self.updates.get(&updated.id) {
            Some((_, read_at)) => *read_at,
            None => updated.change,
        };
        self.updates.insert(updated.id, (updated, read_at));
    }

    /// What bears on a candidate: all versions under its key, or who holds its place; of an attempt also the event as
    /// it stands with less known of how it went, or more.
    pub(crate) fn versions(
        &self,
        snapshot: &dyn Snapshot,
        candidate: &Memory,
    ) -> Result<Vec<Memory>, StoreError> {
        let kept = match candidate.fact_key() {
            Some(key) => {
                let scope = &candidate.scope;
                sound(snapshot.memories(MemoryQuery::Key { scope, key })?)?
            }
            None => holders(snapshot, candidate)?,
        };
        let mut versions: Vec<Memory> = kept.iter().map(|memory| self.latest(memory)).collect();
        let here = self.by_group.get(&group(candidate));
        let new = here
            .into_iter()
            .flatten()
            .filter_map(|at| self.inserts.get(*at));
        versions.extend(new.cloned());
        Ok(versions)
    }

    /// A memory of the store as this draft leaves it.
    fn latest(&self, memory: &Memory) -> Memory {
        match self.updates.get(&memory.id) {
            Some((updated, _)) => updated.clone(),
            None => memory.clone(),
        }
    }

    /// Notes in the audit log what was decided about memories.
    pub(crate) fn audit(&mut self, kind: AuditKind, decision: &str, ids: &[MemoryId]) {
        self.audit = Some(AuditEntry {
            at: self.now,
            actor: None,
            kind,
            decision: decision.to_owned(),
            records: ids.iter().map(ToString::to_string).collect(),
            count: ids.len() as u64,
        });
    }

    /// The memories to be added, for embedding.
    pub(crate) fn inserts(&self) -> &[Memory] {
        &self.inserts
    }

    /// When its decisions are made.
    pub(crate) fn now(&self) -> Timestamp {
        self.now
    }

    /// Whether there is nothing to write.
    pub(crate) fn is_empty(&self) -> bool {
        self.ledger.is_empty() && self.finished.is_empty()
    }

    /// The unit of writes: places are freed before they are taken. `vectors` has one entry an insert.
    pub(crate) fn into_writes(
        self,
        vectors: Vec<Option<StoredVector>>,
        secret: &[u8; 32],
    ) -> Vec<Write> {
        let Self { scope, now, .. } = &self;
        let (scope, now) = (scope.clone(), *now);
        let mut updates: Vec<(Memory, ChangeNumber)> = self.updates.into_values().collect();
        updates.sort_by_key(|(memory, _)| (memory.state == State::Live, memory.id));
        let mut writes = Vec::new();
        for (memory, read_at) in updates {
            let memory = Box::new(memory);
            writes.push(Write::UpdateMemory { memory, read_at });
        }
        for (memory, vector) in self.inserts.into_iter().zip(vectors) {
            let memory = Box::new(memory);
            writes.push(Write::InsertMemory { memory, vector });
        }
        if !self.turns.is_empty() {
            writes.push(Write::RetireTurns {
                scope: scope.clone(),
                ids: self.turns,
                at: now,
            });
        }
        for (mark, at) in self.forgotten {
            writes.push(Write::Forget {
                scope: scope.clone(),
                marks: vec![mark],
                at,
            });
        }
        let ledger = self.ledger.into_iter().map(Box::new);
        writes.extend(ledger.map(Write::LogDecision));
        writes.extend(self.finished.into_iter().map(Write::SetExtraction));
        let entry = self.audit.map(|entry| entry.line(secret, &scope));
        writes.extend(entry.map(Write::Audit));
        writes
    }
}

/// Who holds the place of a memory without key, or that of another form of the same event.
pub(crate) fn holders(snapshot: &dyn Snapshot, memory: &Memory) -> Result<Vec<Memory>, StoreError> {
    let mut holders = Vec::new();
    for form in memory.forms_of_event() {
        holders.extend(sound(snapshot.memories(MemoryQuery::SamePlace(&form))?)?);
    }
    Ok(holders)
}

/// Memories that bear on each other have equal bytes: all under one key, or those that say the same.
fn group(memory: &Memory) -> Vec<u8> {
    match memory.fact_key() {
        Some(key) => ["key", key.entity(), key.attribute()]
            .join("\0")
            .into_bytes(),
        None => memory.place_of_event(),
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
