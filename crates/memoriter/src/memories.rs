//! Seeing, correcting and retiring what is remembered.

mod about;
mod claim;
mod correction;

use memoriter_core::access::Right;
use memoriter_core::audit::AuditKind;
use memoriter_core::error::InvalidInput;
use memoriter_core::extract::Action;
use memoriter_core::id::MemoryId;
use memoriter_core::memory::{Cardinality, FactKey, Memory, State};
use memoriter_core::query::{Filter, Records};
use memoriter_core::scope::Scope;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::write::{Decision, correct, retire, state_at, value_until};
use memoriter_store::{Damage, MemoryQuery, Page, Rows, Snapshot, StoreError};

pub use self::about::ABOUT_MAX;
pub use self::correction::Correction;
use crate::draft::{Draft, holders, sound};
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::note::Note;
use crate::remember::attempt_often;

/// Memories that a page may have.
pub const PAGE_MAX: usize = 1_000;

/// A stretch of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryPage {
    /// In order of arrival.
    pub memories: Vec<Memory>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<MemoryId>,
    /// Memories that are there and cannot be read.
    pub damaged: Vec<Damage>,
}

impl ScopedMemory {
    /// One memory, in any state, of this scope or one around it.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMemory`], also for one of another scope; or when it cannot be read.
    pub fn get(&self, id: MemoryId) -> Result<Memory, Error> {
        self.may(Right::Read)?;
        let snapshot = self.engine.store.snapshot()?;
        let memory = self.row(snapshot.as_ref(), id)?;
        let now = self.engine.clock.now();
        let memory = as_of_now(snapshot.as_ref(), memory, now)?;
        Ok(self.engine.in_tier(memory, now))
    }

    /// A page of this scope's memories in order of arrival, of the given states (none given: all), after
    /// `after`.
    ///
    /// # Errors
    /// When `limit` is 0 or over [`PAGE_MAX`], or the store cannot be read.
    pub fn list(
        &self,
        states: &[State],
        after: Option<MemoryId>,
        limit: usize,
    ) -> Result<MemoryPage, Error> {
        self.list_matching(&Filter::default(), states, after, limit)
    }

    /// [`ScopedMemory::list`] of the memories that meet the filter's conditions; there are no turns in it.
    ///
    /// # Errors
    /// As [`ScopedMemory::list`].
    pub fn list_matching(
        &self,
        filter: &Filter,
        states: &[State],
        after: Option<MemoryId>,
        limit: usize,
    ) -> Result<MemoryPage, Error> {
        self.may(Right::Read)?;
        if limit == 0 || limit > PAGE_MAX {
            return Err(InvalidInput::malformed(
                "limit",
                "a whole number from 1 to 1000",
                &limit.to_string(),
            )
            .into());
        }
        filter.check()?;
        let now = self.engine.clock.now();
        let snapshot = self.engine.store.snapshot()?;
        let mut page = MemoryPage {
            memories: Vec::new(),
            next: None,
            damaged: Vec::new(),
        };
        let mut rows = RowPages::new(snapshot.as_ref(), &self.scope, states, after);
        while page.memories.len() <= limit
            && let Some(more) = rows.next(limit + 1)?
        {
            page.damaged.extend(more.damaged);
            for row in more.rows {
                let memory = as_of_now(snapshot.as_ref(), row, now)?;
                let memory = self.engine.in_tier(memory, now);
                if passes(filter, &memory) && (states.is_empty() || states.contains(&memory.state))
                {
                    page.memories.push(memory);
                }
            }
        }
        if page.memories.len() > limit {
            page.memories.truncate(limit);
            page.next = page.memories.last().map(|memory| memory.id);
        }
        Ok(page)
    }

    /// Every version under a key in this scope, then in the ones around it, whatever its state: by the time it is
    /// true from, then in order of arrival.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn history_of_key(&self, key: &FactKey) -> Result<Vec<Memory>, Error> {
        self.may(Right::Read)?;
        let mut versions = Vec::new();
        for scope in &self.visible {
            versions.extend(self.versions(scope, key)?);
        }
        Ok(versions)
    }

    /// The versions that a memory belongs to: all under its key in its scope where that holds one value, as
    /// [`ScopedMemory::history_of_key`] orders them, else the chain of corrections through it, oldest first.
    ///
    /// # Errors
    /// As [`ScopedMemory::get`].
    pub fn history(&self, id: MemoryId) -> Result<Vec<Memory>, Error> {
        self.may(Right::Read)?;
        let memory = self.get(id)?;
        if let Some((key, Cardinality::Single)) = &memory.key {
            return self.versions(&memory.scope, key);
        }
        let mut chain = vec![memory.clone()];
        let mut before = memory.supersedes;
        while let Some(id) = before {
            let older = self.get(id)?;
            before = older.supersedes;
            chain.insert(0, older);
        }
        let mut after = memory.superseded_by;
        while let Some(id) = after {
            let newer = self.get(id)?;
            after = newer.superseded_by;
            chain.push(newer);
        }
        Ok(chain)
    }

    /// Corrects a memory: a new version takes its place, the old one stays as history that was never true.
    ///
    /// # Errors
    /// [`Error::VersionConflict`] when the version is not the expected one, [`Error::WrongState`] when the
    /// memory is history, [`Error::AlreadySaid`] when another live memory says the same; when there is a value
    /// for a memory without key, or none for one with a key whose new value cannot be told from the statement; when
    /// the correction was said in the future; or as [`ScopedMemory::remember`].
    pub fn update(&self, id: MemoryId, correction: &Correction) -> Result<Decision, Error> {
        self.may(Right::Write)?;
        let now = self.engine.clock.now();
        if let Some(told_at) = correction.told_at {
            check_told(told_at, now)?;
        }
        let old = self.own_row(id)?;
        check_open(&old, "corrected")?;
        correction.check_version(&old)?;
        let new = self.corrected(&old, correction, now)?;
        let _places = self.engine.lock_places([&new]);
        let versions = self.rivals(&new)?;
        let mut draft = Draft::new(&self.scope, now);
        let decision = draft.note(correct(&old, new, &versions, now), None, None);
        self.commit(draft)?;
        Ok(decision)
    }

    /// Takes memories out of use, and with them the turns and sentences that said them: those that they came from,
    /// and those of an assistant that say them again. They stay as history; all or none of them.
    ///
    /// # Errors
    /// [`StoreError::NoSuchMemory`], [`Error::WrongState`] for one that is history, or when the store fails.
    pub fn retire(&self, ids: &[MemoryId]) -> Result<Vec<Decision>, Error> {
        self.may(Right::Delete)?;
        self.retire_told(ids, ZonedTime::utc(self.engine.clock.now()))
    }

    /// [`ScopedMemory::retire`] on a request that was made at `told_at`: from then on they count as out of
    /// use.
    ///
    /// # Errors
    /// As [`ScopedMemory::retire`], or when `told_at` lies in the future.
    pub fn retire_told(
        &self,
        ids: &[MemoryId],
        told_at: ZonedTime,
    ) -> Result<Vec<Decision>, Error> {
        self.may(Right::Delete)?;
        check_told(told_at, self.engine.clock.now())?;
        attempt_often(|| {
            let mut draft = Draft::new(&self.scope, self.engine.clock.now());
            let snapshot = self.engine.store.snapshot()?;
            let mut decisions = Vec::new();
            for id in ids {
                let memory = self.own_row(*id)?;
                check_open(&memory, "retired")?;
                draft.forget_memory(snapshot.as_ref(), &memory, told_at.instant)?;
                let versions = self.versions_of(&memory)?;
                let retired = retire(&memory, &versions, told_at.instant);
                decisions.push(draft.note(retired, None, None));
            }
            drop(snapshot);
            draft.audit(AuditKind::Retire, "requested", ids);
            self.commit_decided(draft, &mut decisions)?;
            Ok(decisions)
        })
    }

    /// Takes all that is under a key out of use, as [`ScopedMemory::retire`] does, on a request that was made at
    /// `told_at`: also what was under it before, so that no question about the past answers it, and what older texts
    /// that are yet to come say of it. What was said after the request stays.
    ///
    /// # Errors
    /// When `told_at` lies in the future, or the store fails.
    pub fn forget_key(&self, key: &FactKey, told_at: ZonedTime) -> Result<Vec<Decision>, Error> {
        self.may(Right::Delete)?;
        let now = self.engine.clock.now();
        check_told(told_at, now)?;
        let request = Note::new(format!("forget {key}")).key(key.clone());
        let mut proposal = self.proposal_of_note(request.told_at(told_at), now)?;
        proposal.action = Action::Forget;
        let _places = self.engine.lock_places([&proposal.memory]);
        attempt_often(|| {
            let mut draft = Draft::new(&self.scope, now);
            let snapshot = self.engine.store.snapshot()?;
            let mut decisions = draft.decide(snapshot.as_ref(), &proposal)?;
            drop(snapshot);
            let gone = decisions.iter().filter_map(|decision| decision.id);
            draft.audit(AuditKind::Retire, "requested", &gone.collect::<Vec<_>>());
            self.commit_decided(draft, &mut decisions)?;
            Ok(decisions)
        })
    }

    /// The memories under a key in this scope that are live or dormant.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn live_under(&self, key: &FactKey) -> Result<Vec<Memory>, Error> {
        self.may(Right::Read)?;
        let mut versions = self.versions(&self.scope, key)?;
        versions.retain(|memory| matches!(memory.state, State::Live | State::Dormant));
        Ok(versions)
    }

    fn versions(&self, scope: &Scope, key: &FactKey) -> Result<Vec<Memory>, Error> {
        let now = self.engine.clock.now();
        let key = &self.engine.attributes.canonical(key);
        let query = MemoryQuery::Key { scope, key };
        let rows = sound(self.engine.store.snapshot()?.memories(query)?)?;
        let states: Vec<State> = rows.iter().map(|row| state_at(row, &rows, now)).collect();
        let told = rows.into_iter().zip(states);
        let mut versions: Vec<Memory> = told.map(|(row, state)| Memory { state, ..row }).collect();
        versions.sort_by_key(|memory| memory.valid_from.instant);
        Ok(versions)
    }

    /// All under the single-valued key of a memory, as their rows say; nothing for other memories.
    pub(crate) fn versions_of(&self, memory: &Memory) -> Result<Vec<Memory>, Error> {
        let Some((key, Cardinality::Single)) = &memory.key else {
            return Ok(Vec::new());
        };
        let scope = &memory.scope;
        let snapshot = self.engine.store.snapshot()?;
        Ok(sound(snapshot.memories(MemoryQuery::Key { scope, key })?)?)
    }

    /// A memory as its row says.
    fn row(&self, snapshot: &dyn Snapshot, id: MemoryId) -> Result<Memory, Error> {
        let query = MemoryQuery::Ids {
            scopes: &self.visible,
            ids: &[id],
        };
        let found = sound(snapshot.memories(query)?)?;
        found
            .into_iter()
            .next()
            .ok_or_else(|| StoreError::NoSuchMemory { id }.into())
    }

    /// A memory of this scope as its row says: what lies in a scope around it can be read from here, not
    /// changed.
    pub(crate) fn own_row(&self, id: MemoryId) -> Result<Memory, Error> {
        let memory = self.row(self.engine.store.snapshot()?.as_ref(), id)?;
        if memory.scope == self.scope {
            return Ok(memory);
        }
        Err(StoreError::NoSuchMemory { id }.into())
    }

    fn corrected(
        &self,
        old: &Memory,
        correction: &Correction,
        now: Timestamp,
    ) -> Result<Memory, InvalidInput> {
        if let (None, Some(value)) = (&old.key, &correction.value) {
            let expected = "left out, since the memory has no key that a value could stand under";
            return Err(InvalidInput::malformed("value", expected, value));
        }
        let correction = correction.guarded(&self.engine.guard);
        let new = Memory {
            id: MemoryId::generate(now, self.engine.entropy.as_ref()),
            supersedes: Some(old.id),
            ..correction.applied_to(old, |text, key| self.value_in(text, key))?
        };
        new.check()?;
        Ok(new)
    }

    /// What stands beside a correction: all versions of its single-valued key. Elsewhere nothing may, or it
    /// is said already.
    fn rivals(&self, new: &Memory) -> Result<Vec<Memory>, Error> {
        if matches!(new.key, Some((_, Cardinality::Single))) {
            return self.versions_of(new);
        }
        let snapshot = self.engine.store.snapshot()?;
        let holders = holders(snapshot.as_ref(), new)?;
        match holders
            .iter()
            .find(|holder| Some(holder.id) != new.supersedes)
        {
            Some(other) => Err(Error::AlreadySaid { id: other.id }),
            None => Ok(Vec::new()),
        }
    }
}

/// The memory with the state that it has at `now`, which its row need not say yet, and with the end that
/// [`ScopedMemory::history_of_key`] shows: another value that came in later may have begun before that of its row.
pub(crate) fn as_of_now(
    snapshot: &dyn Snapshot,
    row: Memory,
    now: Timestamp,
) -> Result<Memory, StoreError> {
    let versions = match &row.key {
        Some((key, Cardinality::Single)) if is_or_was_value(row.state) => {
            let scope = &row.scope;
            snapshot.memories(MemoryQuery::Key { scope, key })?.rows
        }
        Some(_) | None => Vec::new(),
    };
    let valid_to = if versions.is_empty() {
        row.valid_to
    } else {
        value_until(&row, &versions)
    };
    Ok(Memory {
        state: state_at(&row, &versions, now),
        valid_to,
        ..row
    })
}

fn is_or_was_value(state: State) -> bool {
    match state {
        State::Live | State::Dormant | State::Superseded | State::Expired => true,
        State::Pending | State::Quarantined | State::Retracted => false,
    }
}

/// The rows of a scope that may be in one of some states, page by page.
pub(crate) struct RowPages<'a> {
    snapshot: &'a dyn Snapshot,
    scope: &'a Scope,
    states: Vec<State>,
    after: Option<MemoryId>,
    is_done: bool,
}

impl<'a> RowPages<'a> {
    pub(crate) fn new(
        snapshot: &'a dyn Snapshot,
        scope: &'a Scope,
        states: &[State],
        after: Option<MemoryId>,
    ) -> Self {
        Self {
            snapshot,
            scope,
            states: stored(states),
            after,
            is_done: false,
        }
    }

    /// The next rows; `None` at the end.
    pub(crate) fn next(&mut self, limit: usize) -> Result<Option<Rows<Memory>>, StoreError> {
        if self.is_done {
            return Ok(None);
        }
        let page = Page {
            after: self.after,
            limit,
        };
        let rows = self.snapshot.memories(MemoryQuery::Scope {
            scope: self.scope,
            states: &self.states,
            page,
        })?;
        self.is_done = rows.rows.len() < limit;
        self.after = rows.rows.last().map(|memory| memory.id).or(self.after);
        Ok(Some(rows))
    }
}

/// The states that rows may say of memories in these states.
fn stored(states: &[State]) -> Vec<State> {
    let mut stored = states.to_vec();
    let told_by_dates = [State::Dormant, State::Expired];
    if told_by_dates.iter().any(|state| states.contains(state)) {
        stored.push(State::Live);
    }
    stored.retain(|state| *state != State::Dormant);
    stored
}

/// Whether a memory meets the conditions of a filter.
fn passes(filter: &Filter, memory: &Memory) -> bool {
    filter.records != Records::Turns
        && filter.admits(memory.kind, memory.origin, memory.valid_from.instant)
        && filter.admits_outcome(memory.attempt.as_ref().map(|attempt| attempt.outcome))
        && filter.admits_labels(memory.category.as_deref(), Some(&memory.metadata))
}

/// Nobody has said anything in the future.
fn check_told(told_at: ZonedTime, now: Timestamp) -> Result<(), InvalidInput> {
    if told_at.instant <= now {
        return Ok(());
    }
    let expected = "a time that is not in the future";
    Err(InvalidInput::malformed(
        "at",
        expected,
        &told_at.to_string(),
    ))
}

/// Only what is still open can be changed; history stays as it is.
pub(crate) fn check_open(memory: &Memory, wanted: &'static str) -> Result<(), Error> {
    match memory.state {
        State::Live | State::Dormant | State::Pending | State::Quarantined => Ok(()),
        State::Superseded | State::Retracted | State::Expired => Err(Error::WrongState {
            id: memory.id,
            state: memory.state.as_str(),
            wanted,
        }),
    }
}
