//! The lists of one moment.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use memoriter_core::forget::Remains;
use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::{Importance, Kind, Memory, State};
use memoriter_core::metadata::Metadata;
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_core::session::Mode;
use memoriter_core::turn::Turn;

use super::sessions::SessionEntry;
use super::{Content, Held};
use crate::error::StoreError;
use crate::store::{
    Change, Changed, CheckpointQuery, DamagedRow, FieldQuery, IndexChange, IndexRow, MemoryQuery,
    Page, RecordRef, Rows, ScopeSummary, ScopeTotals, SessionSummary, Sessions, Snapshot,
    StoredVector, TurnQuery, VerifyReport,
};

pub(super) struct View(pub(super) Arc<Content>);

impl View {
    fn memories_of(&self, scope: &Scope) -> impl Iterator<Item = &Held<Memory>> {
        self.0
            .memories
            .iter()
            .filter(move |held| held.record.scope == *scope)
    }

    fn turns_of(&self, scope: &Scope) -> impl Iterator<Item = &Held<Turn>> {
        self.0
            .turns
            .iter()
            .filter(move |held| held.record.scope == *scope)
    }

    fn page(&self, scope: &Scope, states: &[State], page: Page) -> Result<Vec<Memory>, StoreError> {
        let start = match page.after {
            None => 0,
            Some(id) => {
                1 + self
                    .memories_of(scope)
                    .position(|held| held.record.id == id)
                    .ok_or(StoreError::NoSuchMemory { id })?
            }
        };
        let wanted =
            |held: &&Held<Memory>| states.is_empty() || states.contains(&held.record.state);
        Ok(self
            .memories_of(scope)
            .skip(start)
            .filter(wanted)
            .take(page.limit)
            .map(owned)
            .collect())
    }
}

fn owned<T: Clone>(held: &Held<T>) -> T {
    T::clone(&held.record)
}

pub(super) fn sound<T>(rows: Vec<T>) -> Rows<T> {
    Rows {
        rows,
        damaged: Vec::new(),
    }
}

impl Snapshot for View {
    fn head(&self) -> Result<ChangeNumber, StoreError> {
        Ok(self.0.head)
    }

    fn changes(
        &self,
        scope: &Scope,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<Change>, StoreError> {
        let change = |number, what| Change { number, what };
        let memories = self.memories_of(scope).map(|held| {
            let record = RecordRef::Memory(held.record.id);
            change(held.record.change, Changed::Record(record))
        });
        let turns = self.turns_of(scope).map(|held| {
            let record = RecordRef::Turn(held.record.id);
            change(held.record.change, Changed::Record(record))
        });
        let fields = self.0.kept.fields.iter();
        let fields = fields.filter(|field| field.scope == *scope).map(|field| {
            let what = Changed::Field {
                session: field.session.clone(),
                name: field.name.clone(),
            };
            change(field.change, what)
        });
        let modes = self.sessions_of(scope).filter_map(|session| {
            let what = Changed::Mode(session.name.clone());
            Some(change(session.mode_set?, what))
        });
        let gone = self.0.erased.get(scope);
        let gone = gone.map(|number| change(*number, Changed::Erased));
        let mut changes: Vec<Change> = memories
            .chain(gone)
            .chain(turns)
            .chain(fields)
            .chain(modes)
            .filter(|change| change.number > after)
            .collect();
        changes.sort_by_key(|change| change.number);
        changes.truncate(limit);
        Ok(changes)
    }

    fn memories(&self, query: MemoryQuery<'_>) -> Result<Rows<Memory>, StoreError> {
        let rows = match query {
            MemoryQuery::Ids { scopes, ids } => ids
                .iter()
                .filter_map(|id| self.0.memories.iter().find(|held| held.record.id == *id))
                .filter(|held| scopes.contains(&held.record.scope))
                .map(owned)
                .collect(),
            MemoryQuery::Key { scope, key } => self
                .memories_of(scope)
                .filter(|held| held.record.fact_key() == Some(key))
                .map(owned)
                .collect(),
            MemoryQuery::From { scopes, sources } => {
                let all = self.0.memories.iter();
                let rests = |held: &&Held<Memory>| {
                    let mut named = held.record.sources.iter();
                    named.any(|source| sources.contains(&source.of))
                        && scopes.contains(&held.record.scope)
                };
                all.filter(rests).map(owned).collect()
            }
            MemoryQuery::SamePlace(memory) => self
                .0
                .holder(memory)
                .into_iter()
                .map(|holder| Memory::clone(holder))
                .collect(),
            MemoryQuery::Scope {
                scope,
                states,
                page,
            } => self.page(scope, states, page)?,
        };
        Ok(sound(rows))
    }

    fn turns(&self, query: TurnQuery<'_>) -> Result<Rows<Turn>, StoreError> {
        Ok(sound(match query {
            TurnQuery::Ids { scopes, ids } => ids
                .iter()
                .filter_map(|id| self.0.turns.iter().find(|held| held.record.id == *id))
                .filter(|held| scopes.contains(&held.record.scope))
                .map(owned)
                .collect(),
            TurnQuery::Session {
                scope,
                session,
                from,
                limit,
            } => {
                let mut turns = self.0.turns_of_session(scope, session);
                turns.retain(|turn| turn.position >= from);
                turns.truncate(limit);
                turns
            }
            TurnQuery::InRole {
                scope,
                session,
                role,
            } => {
                let mut turns = self.0.turns_of_session(scope, session);
                turns.retain(|turn| turn.message.role == role);
                turns
            }
            TurnQuery::Last {
                scope,
                session,
                limit,
            } => {
                let mut turns = self.0.turns_of_session(scope, session);
                turns.split_off(turns.len().saturating_sub(limit))
            }
        }))
    }

    fn index_changes(
        &self,
        scope: &Scope,
        model: &ModelName,
        after: ChangeNumber,
        sink: &mut dyn FnMut(IndexChange<'_>),
    ) -> Result<(), StoreError> {
        let gone = self.0.erased.get(scope);
        if after > ChangeNumber(0) && gone.is_some_and(|gone| *gone > after) {
            sink(IndexChange::Anew);
            return Ok(());
        }
        for held in self
            .memories_of(scope)
            .filter(|held| held.record.change > after)
        {
            if held.record.state == State::Live {
                sink(IndexChange::Put(IndexRow::of_memory(
                    &held.record,
                    &text(&held.record.metadata),
                    vector(held, model),
                )));
            } else if after > ChangeNumber(0) {
                sink(IndexChange::Remove(RecordRef::Memory(held.record.id)));
            }
        }
        for held in self.turns_of(scope) {
            self.tell_turn(held, (model, after), sink);
        }
        Ok(())
    }

    fn sessions(&self, scope: &Scope) -> Result<Vec<SessionSummary>, StoreError> {
        let checkpoints = |name| {
            let query = CheckpointQuery::Newest {
                scope,
                session: name,
                limit: usize::MAX,
            };
            Ok::<_, StoreError>(self.checkpoints(query)?.rows.len() as u64)
        };
        let summaries = self.sessions_of(scope).map(|session| {
            let name = &session.name;
            let turns: Vec<_> = self
                .turns_of(scope)
                .filter(|held| held.record.session == *name)
                .collect();
            let said_at = |held: &&Held<Turn>| held.record.message.at;
            let board = FieldQuery::Board {
                scope,
                session: name,
            };
            Ok(SessionSummary {
                name: name.clone(),
                turns: turns.len() as u64,
                first_at: turns.first().map(said_at),
                last_at: turns.last().map(said_at),
                mode: session.mode,
                fields: self.fields(board)?.rows.len() as u64,
                checkpoints: checkpoints(name)?,
            })
        });
        summaries.collect()
    }

    fn scopes(&self) -> Result<Vec<ScopeSummary>, StoreError> {
        let mut scopes: Vec<&Scope> = self
            .0
            .memories
            .iter()
            .map(|held| &held.record.scope)
            .collect();
        scopes.extend(self.0.turns.iter().map(|held| &held.record.scope));
        scopes.extend(self.0.kept.sessions.iter().map(|session| &session.scope));
        scopes.sort();
        scopes.dedup();
        Ok(scopes
            .into_iter()
            .map(|scope| self.summary(scope))
            .collect())
    }

    fn scopes_within(&self, scope: &Scope) -> Result<Vec<Scope>, StoreError> {
        let memories = self.0.memories.iter().map(|held| &held.record.scope);
        let sessions = self.0.kept.sessions.iter().map(|session| &session.scope);
        let all = memories.chain(sessions).chain(self.0.books.scopes());
        let inside: BTreeSet<&Scope> = all.filter(|known| known.is_within(scope)).collect();
        Ok(inside.into_iter().cloned().collect())
    }

    fn totals(&self, scope: &Scope) -> Result<ScopeTotals, StoreError> {
        Ok(ScopeTotals {
            memories: self.memories_of(scope).count() as u64,
            decisions: self.0.books.decision_count(scope),
        })
    }

    fn damaged(&self, _scope: &Scope) -> Result<Vec<(DamagedRow, Remains)>, StoreError> {
        // What is in memory is as it was written.
        Ok(Vec::new())
    }

    fn verify(&self) -> Result<VerifyReport, StoreError> {
        Ok(VerifyReport {
            memories: self.0.memories.len() as u64,
            turns: self.0.turns.len() as u64,
            attachments: self.0.attachments.len() as u64,
            fields: self.0.kept.field_count(),
            checkpoints: self.0.kept.checkpoint_count(),
            problems: Vec::new(),
        })
    }
}

impl View {
    fn sessions_of(&self, scope: &Scope) -> impl Iterator<Item = &SessionEntry> {
        let sessions = self.0.kept.sessions.iter();
        sessions.filter(move |session| session.scope == *scope)
    }

    /// Tells of a turn that changed, or whose session got another mode.
    fn tell_turn(
        &self,
        held: &Held<Turn>,
        (model, after): (&ModelName, ChangeNumber),
        sink: &mut dyn FnMut(IndexChange<'_>),
    ) {
        let turn = &held.record;
        let sessions = self.0.kept.sessions.iter().zip(1..);
        let mut of_turn = sessions
            .filter(|(session, _)| (&session.scope, &session.name) == (&turn.scope, &turn.session));
        let Some((session, number)) = of_turn.next() else {
            return;
        };
        if turn.change.max(session.mode_set.unwrap_or_default()) <= after {
            return;
        }
        if turn.retired_at.is_some() || session.mode == Mode::NoMemory {
            if after > ChangeNumber(0) {
                sink(IndexChange::Remove(RecordRef::Turn(turn.id)));
            }
            return;
        }
        let metadata = text(&turn.message.metadata);
        let row = turn_row(turn, &metadata, vector(held, model));
        sink(IndexChange::Put(IndexRow {
            session: Some((number, turn.position)),
            ..row
        }));
    }

    fn summary(&self, scope: &Scope) -> ScopeSummary {
        let in_state = |state| {
            self.memories_of(scope)
                .filter(|held| held.record.state == state)
                .count() as u64
        };
        let mut vectors: BTreeMap<ModelName, u64> = BTreeMap::new();
        let of_memories = self
            .memories_of(scope)
            .filter_map(|held| held.vector.as_ref());
        for vector in
            of_memories.chain(self.turns_of(scope).filter_map(|held| held.vector.as_ref()))
        {
            *vectors.entry(vector.model.clone()).or_default() += 1;
        }
        ScopeSummary {
            scope: scope.clone(),
            memories: State::STORED
                .iter()
                .map(|state| (*state, in_state(*state)))
                .collect(),
            turns: self.turns_of(scope).count() as u64,
            sessions: self.sessions_of(scope).count() as u64,
            attachments: self.attachment_count(scope),
            vectors: vectors.into_iter().collect(),
        }
    }
}

fn text(metadata: &Metadata) -> String {
    if metadata.is_empty() {
        String::new()
    } else {
        metadata.to_json()
    }
}

fn vector<'a, T>(held: &'a Held<T>, model: &ModelName) -> Option<(f32, &'a [i8])> {
    let StoredVector { model: of, vector } = held.vector.as_deref()?;
    (of == model).then_some((vector.scale, &*vector.codes))
}

fn turn_row<'a>(
    turn: &'a Turn,
    metadata: &'a str,
    vector: Option<(f32, &'a [i8])>,
) -> IndexRow<'a> {
    let message = &turn.message;
    IndexRow {
        record: RecordRef::Turn(turn.id),
        change: turn.change,
        kind: Kind::Episodic,
        origin: message.origin,
        role: Some(message.role),
        speaker: message.speaker.as_deref(),
        text: &message.content,
        attempt: None,
        key: None,
        value: None,
        category: None,
        metadata,
        importance: Importance::DEFAULT,
        pinned: false,
        event_at: message.at,
        recorded_at: turn.recorded_at,
        last_used_at: None,
        holds_one: false,
        usable_from: None,
        usable_until: None,
        session: None,
        vector,
    }
}
