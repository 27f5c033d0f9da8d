//! Finding out what an erasure takes.

use std::collections::BTreeSet;

use memoriter_core::board::Field;
use memoriter_core::checkpoint::Checkpoint;
use memoriter_core::forget::{
    Cascade, Phrase, Selector, falls, scope_mark, session_mark, turn_mark,
};
use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::{FactKey, Kind, Memory};
use memoriter_core::provenance::{SourceRef, Status, Trust};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{SessionName, Turn};
use memoriter_core::write::{Target, marks_of_memory, marks_of_request};
use memoriter_store::{
    CheckpointQuery, FieldQuery, FieldVersion, MemoryQuery, Snapshot, StoreError, TurnQuery,
};

use super::Erasing;
use super::plan::{ErasePlan, Planned, PlannedRecord};
use crate::draft::sound;
use crate::echo::Gone;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::memories::{PAGE_MAX, RowPages};

/// What was found so far.
struct Finding<'a> {
    memory: &'a ScopedMemory,
    snapshot: &'a dyn Snapshot,
    /// The scopes that are looked at.
    scopes: Vec<Scope>,
    cascade: Cascade,
    gone: BTreeSet<SourceRef>,
    /// What was added since the cascade last ran.
    fresh: Vec<SourceRef>,
    memories: Vec<Memory>,
    plan: ErasePlan,
}

impl Erasing<'_> {
    pub(super) fn plan(&self) -> Result<ErasePlan, Error> {
        let engine = &self.memory.engine;
        let snapshot = engine.store.snapshot()?;
        let own = &self.memory.scope;
        let mut scopes = snapshot.scopes_within(own)?;
        if !scopes.contains(own) {
            scopes.push(own.clone());
        }
        let mut finding = Finding {
            memory: self.memory,
            snapshot: snapshot.as_ref(),
            scopes,
            cascade: self.selector.cascade(),
            gone: BTreeSet::new(),
            fresh: Vec::new(),
            memories: Vec::new(),
            plan: ErasePlan {
                read_at: snapshot.head()?,
                ..ErasePlan::default()
            },
        };
        finding.select(&self.selector)?;
        finding.follow()?;
        if self.selector.takes_what_says_it() {
            finding.take_what_says_it()?;
            finding.follow()?;
        }
        finding.take_fields()?;
        let mut plan = finding.plan;
        plan.records.sort();
        plan.records.dedup();
        Ok(plan)
    }
}

impl Finding<'_> {
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
                let turns = sound(self.snapshot.turns(query)?)?;
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

    fn add_turn(&mut self, turn: &Turn) {
        let source = SourceRef::Turn(turn.id);
        if self.gone.insert(source) {
            self.fresh.push(source);
            self.mark(&turn.scope, [turn_mark(turn.id)]);
            self.record(&turn.scope, Planned::Turn(turn.id));
        }
    }

    fn add_memory(&mut self, memory: Memory) {
        let source = SourceRef::Memory(memory.id);
        if self.gone.insert(source) {
            self.fresh.push(source);
            self.mark(&memory.scope, marks_of_memory(&memory));
            self.record(&memory.scope, Planned::Memory(memory.id));
            self.memories.push(memory);
        }
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
        self.plan.records.push(PlannedRecord { scope, record });
    }

    /// A memory with every version in its chain.
    fn select_memory(&mut self, id: MemoryId) -> Result<(), Error> {
        let mut next = vec![self.memory.own_row(id)?];
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
            next.extend(sound(self.snapshot.memories(MemoryQuery::Ids {
                scopes,
                ids: &around,
            })?)?);
            self.add_memory(memory);
        }
        Ok(())
    }

    fn select_key(&mut self, own: &Scope, key: &FactKey) -> Result<(), Error> {
        let key = self.memory.engine.attributes.canonical(key);
        let versions = sound(self.snapshot.memories(MemoryQuery::Key {
            scope: own,
            key: &key,
        })?)?;
        if versions.is_empty() {
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
        };
        self.mark(own, marks_of_request(&target, &[]));
        Ok(())
    }

    fn select_session(&mut self, scope: &Scope, name: &SessionName) -> Result<(), Error> {
        let query = TurnQuery::Session {
            scope,
            session: name,
            from: 0,
            limit: usize::MAX,
        };
        let mut turns = sound(self.snapshot.turns(query)?)?;
        // Those of the session that it goes on from are that one's.
        turns.retain(|turn| turn.session == *name);
        for turn in &turns {
            self.add_turn(turn);
        }
        let mut random = [0; 16];
        self.memory.engine.entropy.fill(&mut random);
        let renamed = format!("erased-{}", TurnId::from_bytes(random));
        self.plan
            .names
            .insert(name.clone(), SessionName::new(renamed)?);
        self.mark(scope, [session_mark(name)]);
        self.record(scope, Planned::Session(name.clone()));
        Ok(())
    }

    fn select_everything(&mut self) -> Result<(), Error> {
        self.select_where(|_| true, |_| true)?;
        for scope in self.scopes.clone() {
            for session in self.snapshot.sessions(&scope)? {
                self.select_session(&scope, &session.name)?;
            }
            self.mark(&scope, [scope_mark()]);
            self.plan.whole.insert(scope);
        }
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
                let chosen = sound(page)?.into_iter().filter(&of_memory);
                chosen.for_each(|memory| self.add_memory(memory));
            }
            for session in self.snapshot.sessions(&scope)? {
                let query = TurnQuery::Session {
                    scope: &scope,
                    session: &session.name,
                    from: 0,
                    limit: usize::MAX,
                };
                let turns = sound(self.snapshot.turns(query)?)?;
                turns
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
                for field in self.versions(&scope, &session.name)? {
                    if field_says(&field, phrase) {
                        self.record(&scope, planned_field(&field));
                    }
                }
                let query = CheckpointQuery::Newest {
                    scope: &scope,
                    session: &session.name,
                    limit: usize::MAX,
                };
                for checkpoint in sound(self.snapshot.checkpoints(query)?)? {
                    let bytes = sound(self.snapshot.checkpoint_data(&scope, checkpoint.id)?)?;
                    let is_in_bytes = bytes.iter().any(|bytes| phrase.is_in_bytes(bytes));
                    if is_in_bytes || checkpoint_says(&checkpoint, phrase) {
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
            for memory in sound(self.snapshot.memories(query)?)? {
                if falls(&memory, &self.gone, self.cascade) {
                    self.add_memory(memory);
                }
            }
        }
        Ok(())
    }

    /// The sentences that a stated fact came from, and those that say it again, as far as nothing that stays rests on
    /// them. A conclusion is not what its evidence says.
    fn take_what_says_it(&mut self) -> Result<(), Error> {
        let now = self.memory.engine.clock.now();
        let stated: Vec<Memory> = self
            .memories
            .iter()
            .filter(|memory| memory.status != Status::Inferred)
            .cloned()
            .collect();
        let said: Vec<SourceRef> = stated
            .iter()
            .flat_map(|memory| memory.sources.iter().map(|source| source.of))
            .collect();
        let gone: Vec<Gone> = stated
            .into_iter()
            .map(|memory| Gone {
                memory,
                asked_at: now,
            })
            .collect();
        let echoes = self.memory.echoes(&gone)?.into_iter().map(SourceRef::Turn);
        for source in said.into_iter().chain(echoes) {
            if !self.gone.contains(&source) && !self.supports_what_stays(source)? {
                self.take_source(source)?;
            }
        }
        Ok(())
    }

    fn supports_what_stays(&self, source: SourceRef) -> Result<bool, StoreError> {
        let query = MemoryQuery::From {
            scopes: &self.scopes,
            sources: &[source],
        };
        let resting = self.snapshot.memories(query)?.rows;
        Ok(resting
            .iter()
            .any(|memory| !self.gone.contains(&SourceRef::Memory(memory.id))))
    }

    fn take_source(&mut self, source: SourceRef) -> Result<(), Error> {
        let scopes = std::slice::from_ref(&self.memory.scope);
        match source {
            SourceRef::Turn(id) => {
                let turns = sound(self.snapshot.turns(TurnQuery::Ids { scopes, ids: &[id] })?)?;
                for turn in &turns {
                    self.add_turn(turn);
                }
            }
            SourceRef::Memory(id) => {
                let found = sound(
                    self.snapshot
                        .memories(MemoryQuery::Ids { scopes, ids: &[id] })?,
                )?;
                let is_sentence =
                    |memory: &Memory| memory.kind == Kind::Episodic && memory.key.is_none();
                let sentences = found.into_iter().filter(is_sentence);
                sentences.for_each(|memory| self.add_memory(memory));
            }
        }
        Ok(())
    }

    /// Versions of fields that came from what goes.
    fn take_fields(&mut self) -> Result<(), Error> {
        for scope in self.scopes.clone() {
            for session in self.snapshot.sessions(&scope)? {
                for field in self.versions(&scope, &session.name)? {
                    if field
                        .source
                        .is_some_and(|source| self.gone.contains(&source))
                    {
                        self.record(&scope, planned_field(&field));
                    }
                }
            }
        }
        Ok(())
    }

    fn versions(&self, scope: &Scope, session: &SessionName) -> Result<Vec<Field>, StoreError> {
        sound(
            self.snapshot
                .fields(FieldQuery::Versions { scope, session })?,
        )
    }
}

fn planned_field(field: &Field) -> Planned {
    Planned::Field(FieldVersion {
        session: field.session.clone(),
        name: field.name.clone(),
        change: field.change,
    })
}

fn memory_says(memory: &Memory, phrase: &Phrase) -> bool {
    let key = memory.fact_key().map(ToString::to_string);
    let attempt = memory.attempt.as_ref();
    let texts = [
        Some(memory.statement.as_str()),
        memory.value.as_deref(),
        memory.category.as_deref(),
        memory.actor.as_deref(),
        key.as_deref(),
        attempt.map(|attempt| attempt.goal.as_str()),
        attempt.and_then(|attempt| attempt.lesson.as_deref()),
    ];
    let quotes = memory.sources.iter().map(|source| source.quote.as_str());
    texts
        .into_iter()
        .flatten()
        .chain(quotes)
        .any(|text| phrase.is_in(text))
        || phrase.is_in(&memory.metadata.to_json())
}

fn turn_says(turn: &Turn, phrase: &Phrase) -> bool {
    let message = &turn.message;
    let calls = message.tool_calls.as_ref().map(ToString::to_string);
    let texts = [
        Some(message.content.as_str()),
        message.speaker.as_deref(),
        calls.as_deref(),
    ];
    texts.into_iter().flatten().any(|text| phrase.is_in(text))
        || phrase.is_in(&message.metadata.to_json())
}

fn field_says(field: &Field, phrase: &Phrase) -> bool {
    let value = field.to_json();
    let texts = [
        Some(field.name.as_str()),
        value.as_deref(),
        field.actor.as_deref(),
    ];
    texts.into_iter().flatten().any(|text| phrase.is_in(text))
}

fn checkpoint_says(checkpoint: &Checkpoint, phrase: &Phrase) -> bool {
    let approval = checkpoint.approval.as_ref();
    let asked_for = approval
        .and_then(|asks| asks.asked_for.as_ref())
        .map(ToString::to_string);
    let texts = [
        checkpoint.label.as_deref(),
        approval.map(|asks| asks.question.as_str()),
        asked_for.as_deref(),
    ];
    texts.into_iter().flatten().any(|text| phrase.is_in(text))
}
