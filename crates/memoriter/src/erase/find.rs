//! Finding out what an erasure takes.

use std::collections::BTreeSet;

use memoriter_core::board::Field;
use memoriter_core::forget::{
    Cascade, Phrase, Remains, Selector, checkpoint_mark, falls, field_mark, memory_mark,
    scope_mark, session_mark, turn_mark, version_mark,
};
use memoriter_core::id::{CheckpointId, MemoryId, TurnId};
use memoriter_core::memory::{FactKey, Memory};
use memoriter_core::provenance::{SourceRef, Trust};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{SessionName, Turn};
use memoriter_core::write::{Target, marks_of_memory, marks_of_request};
use memoriter_store::{
    CheckpointQuery, DamagedRow, FieldQuery, FieldVersion, MemoryQuery, RowKind, Rows, Snapshot,
    StoreError, TurnQuery,
};

use super::Erasing;
use super::plan::{ErasePlan, Planned, PlannedRecord};
use super::says::{checkpoint_says, field_says, memory_says, turn_says};
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::memories::{PAGE_MAX, RowPages};

/// What was found so far.
pub(super) struct Finding<'a> {
    pub(super) memory: &'a ScopedMemory,
    pub(super) snapshot: &'a dyn Snapshot,
    /// The scopes that are looked at.
    pub(super) scopes: Vec<Scope>,
    cascade: Cascade,
    pub(super) gone: BTreeSet<SourceRef>,
    /// What was added since the cascade last ran.
    fresh: Vec<SourceRef>,
    pub(super) memories: Vec<Memory>,
    /// Turns and sentences that were to go and cannot be read.
    pub(super) lost: BTreeSet<[u8; 16]>,
    /// Whether any of the records that were read is damaged.
    has_damage: bool,
    pub(super) plan: ErasePlan,
}

impl Erasing<'_> {
    pub(super) fn plan(&self) -> Result<ErasePlan, Error> {
        self.plan_on(None)
    }

    /// The plan as it is now, when some of it has gone already and others have written since.
    pub(super) fn plan_again(&self, before: &ErasePlan) -> Result<ErasePlan, Error> {
        self.plan_on(Some(before))
    }

    fn plan_on(&self, before: Option<&ErasePlan>) -> Result<ErasePlan, Error> {
        let engine = &self.memory.engine;
        let snapshot = engine.store.snapshot()?;
        let own = &self.memory.scope;
        let mut scopes = snapshot.scopes_within(own)?;
        if !scopes.contains(own) {
            scopes.push(own.clone());
        }
        let gone: BTreeSet<SourceRef> = before.iter().flat_map(|plan| plan.sources()).collect();
        let mut finding = Finding {
            memory: self.memory,
            snapshot: snapshot.as_ref(),
            scopes,
            cascade: self.selector.cascade(),
            fresh: gone.iter().copied().collect(),
            gone,
            memories: Vec::new(),
            lost: BTreeSet::new(),
            has_damage: false,
            plan: before.cloned().unwrap_or_default(),
        };
        finding.plan.read_at = snapshot.head()?;
        let selected = finding.select(&self.selector);
        finding.follow()?;
        if self.selector.takes_what_says_it() {
            finding.take_what_says_it()?;
            finding.follow()?;
        }
        finding.take_fields()?;
        if finding.has_damage {
            finding.take_damaged(&self.selector)?;
        }
        let mut plan = finding.plan;
        plan.records = plan.found.keys().cloned().collect();
        plan.begins_with_turns = self.selector.takes_what_says_it();
        // What is named may be damaged, or gone with the first part of the plan.
        if plan.records.is_empty() {
            selected?;
        }
        plan.still_say.sort();
        plan.still_say.dedup();
        Ok(plan)
    }
}

impl Finding<'_> {
    /// The sound rows. The others are looked at in the end.
    pub(super) fn sound<T>(&mut self, rows: Rows<T>) -> Vec<T> {
        self.has_damage |= !rows.damaged.is_empty();
        rows.rows
    }

    pub(super) fn turns_in(
        &mut self,
        scope: &Scope,
        session: &SessionName,
    ) -> Result<Vec<Turn>, Error> {
        let query = TurnQuery::Session {
            scope,
            session,
            from: 0,
            limit: usize::MAX,
        };
        let turns = self.snapshot.turns(query)?;
        Ok(self.sound(turns))
    }

    fn select(&mut self, selector: &Selector) -> Result<(), Error> {
        let own = self.memory.scope.clone();
        match selector {
            Selector::Memory(id) => self.select_memory(*id),
            Selector::Key(key) => self.select_key(&own, key),
            Selector::Turn(id) => {
                let ids = [*id];
                let query = TurnQuery::Ids {
                    scopes: std::slice::from_ref(&own),
                    ids: &ids,
                };
                let turns = self.snapshot.turns(query)?;
                let turns = self.sound(turns);
                if turns.is_empty() {
                    return Err(Error::NothingToErase {
                        what: format!("turn {id}"),
                    });
                }
                for turn in &turns {
                    self.add_turn(turn);
                }
                Ok(())
            }
            Selector::Session(name) => {
                if self.snapshot.session(&own, name)?.is_none() {
                    return Err(Error::NoSuchSession {
                        name: name.as_str().to_owned(),
                    });
                }
                self.select_session(&own, name)
            }
            Selector::Everything => self.select_everything(),
            Selector::Learned { origin, since } => self.select_where(
                |memory| memory.origin == *origin && memory.recorded_at >= *since,
                |turn| turn.message.origin == *origin && turn.recorded_at >= *since,
            ),
            Selector::Matching(text) => self.select_matching(&Phrase::new(text)?),
        }
    }

    pub(super) fn add_turn(&mut self, turn: &Turn) {
        let source = SourceRef::Turn(turn.id);
        if self.gone.insert(source) {
            self.fresh.push(source);
            self.mark(&turn.scope, [turn_mark(turn.id)]);
            self.record(&turn.scope, Planned::Turn(turn.id));
        }
    }

    pub(super) fn add_memory(&mut self, memory: Memory) {
        let source = SourceRef::Memory(memory.id);
        if self.gone.insert(source) {
            self.fresh.push(source);
            let marks = marks_of_memory(&memory).into_iter();
            self.mark(&memory.scope, marks.chain([memory_mark(memory.id)]));
            self.record(&memory.scope, Planned::Memory(memory.id));
            self.memories.push(memory);
        }
    }

    /// Adds versions of fields. With the present one the whole field goes.
    fn add_fields(
        &mut self,
        scope: &Scope,
        session: &SessionName,
        goes: impl Fn(&Field) -> bool,
    ) -> Result<(), StoreError> {
        let versions = self.versions(scope, session)?;
        for (at, field) in versions.iter().enumerate() {
            if goes(field) {
                let next = versions.get(at + 1);
                let is_present = next.is_none_or(|next| next.name != field.name);
                let of_version = if is_present { field_mark } else { version_mark };
                self.mark(scope, [of_version(field)]);
                self.record(scope, planned_field(field));
            }
        }
        Ok(())
    }

    /// A damaged record leaves a tombstone where its id can be read.
    fn add_damaged(&mut self, scope: &Scope, row: DamagedRow, remains: &Remains) {
        let mark = remains.id.and_then(|id| match row.kind {
            RowKind::Memory => Some(memory_mark(MemoryId::from_bytes(id))),
            RowKind::Turn => Some(turn_mark(TurnId::from_bytes(id))),
            RowKind::Checkpoint => Some(checkpoint_mark(CheckpointId::from_bytes(id))),
            RowKind::Field | RowKind::PastField | RowKind::Session => None,
        });
        match mark {
            Some(mark) => self.mark(scope, [mark]),
            None => self.plan.unmarked += 1,
        }
        self.record(scope, Planned::Damaged(row));
    }

    fn mark(&mut self, scope: &Scope, marks: impl IntoIterator<Item = Vec<u8>>) {
        self.plan
            .marks
            .entry(scope.clone())
            .or_default()
            .extend(marks);
    }

    fn record(&mut self, scope: &Scope, record: Planned) {
        let scope = scope.clone();
        let place = self.plan.found.len();
        self.plan
            .found
            .entry(PlannedRecord { scope, record })
            .or_insert(place);
    }

    /// A memory with every version in its chain.
    fn select_memory(&mut self, id: MemoryId) -> Result<(), Error> {
        let own = std::slice::from_ref(&self.memory.scope);
        let ids = [id];
        let named = self.snapshot.memories(MemoryQuery::Ids {
            scopes: own,
            ids: &ids,
        })?;
        let mut next = self.sound(named);
        if next.is_empty() {
            return Err(StoreError::NoSuchMemory { id }.into());
        }
        while let Some(memory) = next.pop() {
            if self.gone.contains(&SourceRef::Memory(memory.id)) {
                continue;
            }
            let around: Vec<MemoryId> = memory
                .supersedes
                .into_iter()
                .chain(memory.superseded_by)
                .collect();
            let scopes = std::slice::from_ref(&memory.scope);
            let around = self.snapshot.memories(MemoryQuery::Ids {
                scopes,
                ids: &around,
            })?;
            next.extend(self.sound(around));
            self.add_memory(memory);
        }
        Ok(())
    }

    fn select_key(&mut self, own: &Scope, key: &FactKey) -> Result<(), Error> {
        let key = self.memory.engine.attributes.canonical(key);
        let versions = self.snapshot.memories(MemoryQuery::Key {
            scope: own,
            key: &key,
        })?;
        let is_there = !(versions.rows.is_empty() && versions.damaged.is_empty());
        let versions = self.sound(versions);
        if !is_there {
            return Err(Error::NothingToErase {
                what: format!("memory under {key}"),
            });
        }
        for memory in versions {
            self.select_memory(memory.id)?;
        }
        // Nothing older may come back under the key, whatever it says.
        let target = Target {
            key: Some(key),
            value: None,
            statement: String::new(),
            trust: Trust::FULL,
            asked_at: Timestamp::MIN,
            is_all: false,
        };
        self.mark(own, marks_of_request(&target, &[]));
        Ok(())
    }

    fn select_session(&mut self, scope: &Scope, name: &SessionName) -> Result<(), Error> {
        let mut turns = self.turns_in(scope, name)?;
        // Those of the session that it goes on from are that one's.
        turns.retain(|turn| turn.session == *name);
        for turn in &turns {
            self.add_turn(turn);
        }
        let renamed = self.memory.engine.erased_name()?;
        self.plan.names.insert(name.clone(), renamed);
        self.mark(scope, [session_mark(name)]);
        self.record(scope, Planned::Session(name.clone()));
        Ok(())
    }

    /// Of a scope that is empty by now nothing goes, and that is what was asked for. One that the store has never heard of was
    /// hardly meant.
    fn select_everything(&mut self) -> Result<(), Error> {
        let own = &self.memory.scope;
        if self.snapshot.scopes_within(own)?.is_empty() {
            return Err(Error::NothingToErase {
                what: format!("scope {own}"),
            });
        }
        self.select_where(|_| true, |_| true)?;
        for scope in self.scopes.clone() {
            for session in self.snapshot.sessions(&scope)? {
                self.select_session(&scope, &session.name)?;
            }
            self.mark(&scope, [scope_mark()]);
            self.plan.whole.insert(scope);
        }
        // Not even a session whose name cannot be read may hide what is in it.
        self.has_damage = true;
        Ok(())
    }

    fn select_where(
        &mut self,
        of_memory: impl Fn(&Memory) -> bool,
        of_turn: impl Fn(&Turn) -> bool,
    ) -> Result<(), Error> {
        for scope in self.scopes.clone() {
            let snapshot = self.snapshot;
            let mut pages = RowPages::new(snapshot, &scope, &[], None);
            while let Some(page) = pages.next(PAGE_MAX)? {
                let page = self.sound(page);
                let chosen = page.into_iter().filter(&of_memory);
                chosen.for_each(|memory| self.add_memory(memory));
            }
            for session in self.snapshot.sessions(&scope)? {
                self.turns_in(&scope, &session.name)?
                    .iter()
                    .filter(|turn| of_turn(turn))
                    .for_each(|turn| self.add_turn(turn));
            }
        }
        Ok(())
    }

    fn select_matching(&mut self, phrase: &Phrase) -> Result<(), Error> {
        self.select_where(
            |memory| memory_says(memory, phrase),
            |turn| turn_says(turn, phrase),
        )?;
        for scope in self.scopes.clone() {
            for session in self.snapshot.sessions(&scope)? {
                self.add_fields(&scope, &session.name, |field| field_says(field, phrase))?;
                let query = CheckpointQuery::Newest {
                    scope: &scope,
                    session: &session.name,
                    limit: usize::MAX,
                };
                let checkpoints = self.snapshot.checkpoints(query)?;
                for checkpoint in self.sound(checkpoints) {
                    let bytes = self.snapshot.checkpoint_data(&scope, checkpoint.id)?;
                    let bytes = self.sound(bytes);
                    let is_in_bytes = bytes.iter().any(|bytes| phrase.is_in_bytes(bytes));
                    if is_in_bytes || checkpoint_says(&checkpoint, phrase) {
                        self.mark(&scope, [checkpoint_mark(checkpoint.id)]);
                        self.record(&scope, Planned::Checkpoint(checkpoint.id));
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds what rests on what goes, until nothing more falls.
    fn follow(&mut self) -> Result<(), Error> {
        while !self.fresh.is_empty() {
            let sources = std::mem::take(&mut self.fresh);
            let scopes = &self.scopes;
            let query = MemoryQuery::From {
                scopes,
                sources: &sources,
            };
            let resting = self.snapshot.memories(query)?;
            for memory in self.sound(resting) {
                if falls(&memory, &self.gone, self.cascade) {
                    self.add_memory(memory);
                }
            }
        }
        Ok(())
    }

    /// Damaged records that may be meant, and those that rest on what goes.
    fn take_damaged(&mut self, selector: &Selector) -> Result<(), Error> {
        let mut meant = selector.clone();
        if let Selector::Key(key) = &mut meant {
            *key = self.memory.engine.attributes.canonical(key);
        }
        let gone: BTreeSet<[u8; 16]> = self.gone.iter().map(bytes_of).collect();
        for scope in self.scopes.clone() {
            // A single thing is named in the scope of the handle.
            let is_own = scope == self.memory.scope || selector.reaches_inside();
            for (row, remains) in self.snapshot.damaged(&scope)? {
                let is_meant = is_own && remains.may_be_meant(&meant);
                let is_named = remains.id.is_some_and(|id| self.lost.contains(&id));
                if is_meant || is_named || remains.falls(&gone, self.cascade) {
                    self.add_damaged(&scope, row, &remains);
                }
            }
        }
        Ok(())
    }

    /// Versions of fields that came from what goes.
    fn take_fields(&mut self) -> Result<(), Error> {
        for scope in self.scopes.clone() {
            for session in self.snapshot.sessions(&scope)? {
                let gone = std::mem::take(&mut self.gone);
                let came_from = |field: &Field| field.source.is_some_and(|of| gone.contains(&of));
                let added = self.add_fields(&scope, &session.name, came_from);
                self.gone = gone;
                added?;
            }
        }
        Ok(())
    }

    fn versions(&mut self, scope: &Scope, session: &SessionName) -> Result<Vec<Field>, StoreError> {
        let versions = self
            .snapshot
            .fields(FieldQuery::Versions { scope, session })?;
        Ok(self.sound(versions))
    }
}

pub(super) fn bytes_of(source: &SourceRef) -> [u8; 16] {
    match source {
        SourceRef::Memory(id) => *id.as_bytes(),
        SourceRef::Turn(id) => *id.as_bytes(),
    }
}

pub(super) fn planned_field(field: &Field) -> Planned {
    Planned::Field(FieldVersion {
        session: field.session.clone(),
        name: field.name.clone(),
        change: field.change,
    })
}
