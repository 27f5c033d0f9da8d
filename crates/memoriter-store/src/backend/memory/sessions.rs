//! Modes, boards and checkpoints of a store without a file.

use std::sync::Arc;

use memoriter_core::board::Field;
use memoriter_core::checkpoint::Checkpoint;
use memoriter_core::id::{ChangeNumber, CheckpointId};
use memoriter_core::scope::Scope;
use memoriter_core::session::{ForkPoint, Mode};
use memoriter_core::turn::{SessionName, Turn};

use super::super::check::check_board;
use super::Content;
use super::view::{View, sound};
use crate::error::StoreError;
use crate::store::{
    CheckpointQuery, FieldQuery, NewAnswer, NewCheckpoint, NewFork, Outcome, Rows, SessionRow,
    Sessions,
};

/// A session, in order of arrival.
#[derive(Clone)]
pub(super) struct SessionEntry {
    pub(super) scope: Scope,
    pub(super) name: SessionName,
    pub(super) mode: Mode,
    /// When its mode was last set.
    pub(super) mode_set: Option<ChangeNumber>,
    pub(super) forked_from: Option<ForkPoint>,
    /// Below this no position is given again.
    pub(super) next_position: u32,
}

/// What a field was, and the change that ended it.
#[derive(Clone)]
pub(super) struct PastField {
    pub(super) field: Arc<Field>,
    until: ChangeNumber,
}

/// A checkpoint with its bytes.
#[derive(Clone)]
pub(super) struct HeldCheckpoint {
    pub(super) checkpoint: Arc<Checkpoint>,
    data: Arc<Vec<u8>>,
}

/// What is kept of sessions besides turns.
#[derive(Clone, Default)]
pub(super) struct SessionEntries {
    pub(super) sessions: Vec<SessionEntry>,
    pub(super) fields: Vec<Arc<Field>>,
    pub(super) past: Vec<PastField>,
    pub(super) checkpoints: Vec<HeldCheckpoint>,
}

impl SessionEntries {
    pub(super) fn field_count(&self) -> u64 {
        (self.fields.len() + self.past.len()) as u64
    }

    pub(super) fn checkpoint_count(&self) -> u64 {
        self.checkpoints.len() as u64
    }
}

pub(super) fn is_of(field: &Field, scope: &Scope, session: &SessionName) -> bool {
    field.scope == *scope && field.session == *session
}

impl Content {
    pub(super) fn find_session(&self, scope: &Scope, name: &SessionName) -> Option<&SessionEntry> {
        let mut sessions = self.kept.sessions.iter();
        sessions.find(|entry| entry.scope == *scope && entry.name == *name)
    }

    /// The session, made where it is not there.
    pub(super) fn session_entry(&mut self, scope: &Scope, name: &SessionName) -> &mut SessionEntry {
        let sessions = &mut self.kept.sessions;
        let known = sessions
            .iter()
            .position(|entry| entry.scope == *scope && entry.name == *name);
        let at = known.unwrap_or_else(|| {
            sessions.push(SessionEntry {
                scope: scope.clone(),
                name: name.clone(),
                mode: Mode::Full,
                mode_set: None,
                forked_from: None,
                next_position: 0,
            });
            sessions.len() - 1
        });
        sessions.get_mut(at).expect("it was found or pushed")
    }

    /// How many turns a session has had, with those that it goes on from.
    pub(super) fn turn_count(&self, scope: &Scope, name: &SessionName) -> u32 {
        let entry = self.find_session(scope, name);
        let inherited = entry.and_then(|entry| Some(entry.forked_from.as_ref()?.turns));
        let own = self
            .turns
            .iter()
            .filter(|held| (&held.record.scope, &held.record.session) == (scope, name));
        let after = own.map(|held| held.record.position.saturating_add(1)).max();
        let given = entry.map(|entry| entry.next_position);
        after.max(inherited).max(given).unwrap_or(0)
    }

    /// The turns of a session in order of position, with those that it goes on from.
    pub(super) fn turns_of_session(&self, scope: &Scope, name: &SessionName) -> Vec<Turn> {
        let mut turns = Vec::new();
        let (mut name, mut until) = (Some(name.clone()), u32::MAX);
        while let Some(session) = name {
            let own = self.turns.iter().map(|held| &held.record).filter(|turn| {
                turn.scope == *scope && turn.session == session && turn.position < until
            });
            turns.splice(0..0, own.map(|turn| Turn::clone(turn)));
            let entry = self.find_session(scope, &session);
            let fork = entry.and_then(|entry| entry.forked_from.clone());
            until = until.min(fork.as_ref().map_or(0, |fork| fork.turns));
            name = fork.map(|fork| fork.session);
        }
        turns
    }

    pub(super) fn put_field(
        &mut self,
        field: &Field,
        read_at: Option<ChangeNumber>,
    ) -> Result<Outcome, StoreError> {
        let (scope, session) = (&field.scope, &field.session);
        let of_board = || {
            self.kept
                .fields
                .iter()
                .filter(|other| is_of(other, scope, session))
        };
        let known = of_board().find(|other| other.name == field.name).cloned();
        if known.as_ref().map(|known| known.change) != read_at {
            return Err(StoreError::FieldConflict {
                session: session.as_str().to_owned(),
                field: field.name.clone(),
            });
        }
        let is_live = |field: &Field| field.value.is_some();
        if is_live(field) && !known.as_ref().is_some_and(|known| is_live(known)) {
            let live = of_board().filter(|field| is_live(field)).count();
            check_board(live, of_board().count(), known.is_some())?;
        }
        self.session_entry(scope, session);
        let change = self.next_change();
        if let Some(known) = known {
            let is_held = self.kept.checkpoints.iter().any(|held| {
                (&held.checkpoint.scope, &held.checkpoint.session) == (scope, session)
                    && held.checkpoint.as_of >= known.change
            });
            if is_held && is_live(&known) {
                self.kept.past.push(PastField {
                    field: Arc::clone(&known),
                    until: change,
                });
            }
            self.kept.fields.retain(|other| !Arc::ptr_eq(other, &known));
        }
        self.kept.fields.push(Arc::new(Field {
            change,
            ..field.clone()
        }));
        Ok(Outcome::Changed(change))
    }

    pub(super) fn set_mode(&mut self, scope: &Scope, name: &SessionName, mode: Mode) -> Outcome {
        let change = self.next_change();
        let entry = self.session_entry(scope, name);
        (entry.mode, entry.mode_set) = (mode, Some(change));
        Outcome::Changed(change)
    }

    pub(super) fn skip_positions(
        &mut self,
        scope: &Scope,
        name: &SessionName,
        turns: u32,
    ) -> Outcome {
        let next = self.turn_count(scope, name).saturating_add(turns);
        self.session_entry(scope, name).next_position = next;
        Outcome::Noted
    }

    pub(super) fn fork(&mut self, new: &NewFork) -> Result<Outcome, StoreError> {
        self.session_entry(&new.scope, &new.from.session);
        if self.find_session(&new.scope, &new.session).is_some() {
            return Err(StoreError::SessionExists {
                name: new.session.as_str().to_owned(),
            });
        }
        let entry = self.session_entry(&new.scope, &new.session);
        (entry.mode, entry.forked_from) = (new.mode, Some(new.from.clone()));
        Ok(Outcome::Noted)
    }

    pub(super) fn save(&mut self, new: &NewCheckpoint) -> Result<Outcome, StoreError> {
        let Checkpoint {
            id, scope, session, ..
        } = &new.checkpoint;
        if self.checkpoint_at(*id).is_some() {
            return Err(StoreError::CheckpointExists { id: *id });
        }
        self.session_entry(scope, session);
        let checkpoint = new.kept(self.head, self.turn_count(scope, session));
        self.kept.checkpoints.push(HeldCheckpoint {
            checkpoint: Arc::new(checkpoint.clone()),
            data: Arc::new(new.data.clone()),
        });
        Ok(Outcome::Saved(Box::new(checkpoint)))
    }

    fn checkpoint_at(&self, id: CheckpointId) -> Option<usize> {
        let mut held = self.kept.checkpoints.iter();
        held.position(|held| held.checkpoint.id == id)
    }

    pub(super) fn answer(&mut self, new: &NewAnswer) -> Result<Outcome, StoreError> {
        let id = new.checkpoint;
        let held = self
            .checkpoint_at(id)
            .and_then(|at| self.kept.checkpoints.get_mut(at))
            .filter(|held| held.checkpoint.scope == new.scope)
            .ok_or(StoreError::NoSuchCheckpoint { id })?;
        let checkpoint = Arc::make_mut(&mut held.checkpoint);
        match &mut checkpoint.approval {
            Some(approval) if approval.answered.is_none() => {
                approval.answered = Some(new.answered.clone());
                Ok(Outcome::Noted)
            }
            Some(_) | None => Err(StoreError::NotAsked { id }),
        }
    }

    pub(super) fn remove_checkpoints(
        &mut self,
        scope: &Scope,
        session: &SessionName,
        ids: &[CheckpointId],
    ) {
        let is_of_session =
            |checkpoint: &Checkpoint| checkpoint.scope == *scope && checkpoint.session == *session;
        self.kept
            .checkpoints
            .retain(|held| !(is_of_session(&held.checkpoint) && ids.contains(&held.checkpoint.id)));
        self.let_past_go(scope, session);
    }

    /// What no checkpoint of the session needs any more.
    pub(super) fn let_past_go(&mut self, scope: &Scope, session: &SessionName) {
        let is_of_session =
            |checkpoint: &Checkpoint| checkpoint.scope == *scope && checkpoint.session == *session;
        let left: Vec<ChangeNumber> = self
            .kept
            .checkpoints
            .iter()
            .filter(|held| is_of_session(&held.checkpoint))
            .map(|held| held.checkpoint.as_of)
            .collect();
        self.kept.past.retain(|past| {
            let is_held = |as_of: &ChangeNumber| past.field.change <= *as_of && *as_of < past.until;
            !is_of(&past.field, scope, session) || left.iter().any(is_held)
        });
    }
}

impl Sessions for View {
    fn session(&self, scope: &Scope, name: &SessionName) -> Result<Option<SessionRow>, StoreError> {
        let entry = self.0.find_session(scope, name);
        Ok(entry.map(|entry| SessionRow {
            mode: entry.mode,
            forked_from: entry.forked_from.clone(),
            turns: self.0.turn_count(scope, name),
        }))
    }

    fn fields(&self, query: FieldQuery<'_>) -> Result<Rows<Field>, StoreError> {
        let kept = &self.0.kept;
        let of_board = |scope: &Scope, session: &SessionName| {
            let fields = kept
                .fields
                .iter()
                .filter(|field| is_of(field, scope, session));
            fields.map(|field| Field::clone(field)).collect::<Vec<_>>()
        };
        let mut fields = match query {
            FieldQuery::Board { scope, session } => {
                let mut fields = of_board(scope, session);
                fields.retain(|field| field.value.is_some());
                fields
            }
            FieldQuery::Named {
                scope,
                session,
                name,
            } => {
                let mut fields = of_board(scope, session);
                fields.retain(|field| field.name == name);
                fields
            }
            FieldQuery::AsOf {
                scope,
                session,
                change,
            } => {
                let mut fields = of_board(scope, session);
                fields.retain(|field| field.value.is_some() && field.change <= change);
                let past = kept.past.iter().filter(|past| {
                    is_of(&past.field, scope, session)
                        && past.field.change <= change
                        && change < past.until
                });
                fields.extend(past.map(|past| Field::clone(&past.field)));
                fields
            }
            FieldQuery::Versions { scope, session } => {
                let past = kept.past.iter().map(|past| &past.field);
                let past = past.filter(|field| is_of(field, scope, session));
                let mut fields = of_board(scope, session);
                fields.extend(past.map(|field| Field::clone(field)));
                fields
            }
            FieldQuery::Changed {
                scope,
                session,
                after,
                limit,
            } => {
                let mut fields = of_board(scope, session);
                fields.retain(|field| field.change > after);
                fields.sort_by_key(|field| field.change);
                fields.truncate(limit);
                return Ok(sound(fields));
            }
        };
        fields.sort_by(|a, b| (&a.name, a.change).cmp(&(&b.name, b.change)));
        Ok(sound(fields))
    }

    fn checkpoints(&self, query: CheckpointQuery<'_>) -> Result<Rows<Checkpoint>, StoreError> {
        let held = self.0.kept.checkpoints.iter().map(|held| &held.checkpoint);
        let mut found: Vec<Checkpoint> = match query {
            CheckpointQuery::Id { scope, id } => held
                .filter(|checkpoint| checkpoint.id == id && checkpoint.scope == *scope)
                .map(|checkpoint| Checkpoint::clone(checkpoint))
                .collect(),
            CheckpointQuery::Newest {
                scope,
                session,
                limit,
            } => held
                .filter(|checkpoint| checkpoint.scope == *scope && checkpoint.session == *session)
                .rev()
                .take(limit)
                .map(|checkpoint| Checkpoint::clone(checkpoint))
                .collect(),
        };
        found.reverse();
        Ok(sound(found))
    }

    fn checkpoint_data(
        &self,
        scope: &Scope,
        id: CheckpointId,
    ) -> Result<Rows<Vec<u8>>, StoreError> {
        let held = self.0.checkpoint_at(id);
        let held = held.and_then(|at| self.0.kept.checkpoints.get(at));
        let data = held.filter(|held| held.checkpoint.scope == *scope);
        Ok(sound(
            data.map(|held| Vec::clone(&held.data))
                .into_iter()
                .collect(),
        ))
    }
}
