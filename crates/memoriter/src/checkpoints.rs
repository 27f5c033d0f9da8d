//! States of a run: saved, resumed, forked, pruned.

use memoriter_core::access::Right;
use memoriter_core::board::Field;
use memoriter_core::checkpoint::{Answer, Answered, Approval, Checkpoint, Pruning, prunable};
use memoriter_core::error::InvalidInput;
use memoriter_core::id::{ChangeNumber, CheckpointId};
use memoriter_core::session::ForkPoint;
use memoriter_core::turn::SessionName;
use memoriter_store::{
    CheckpointQuery, FieldQuery, NewAnswer, NewCheckpoint, NewFork, Outcome, Rows, Snapshot,
    StoreError, Write,
};
use serde_json::Value;

use crate::desk::Session;
use crate::draft::sound;
use crate::error::Error;
use crate::guarded::{masked, masked_json};
use crate::handle::ScopedMemory;

/// Sessions that a session goes on from, one after another: reading a turn walks through them.
const FORK_DEPTH_MAX: usize = 1_000;
/// Checkpoints that are removed together.
const REMOVED_AT_ONCE: usize = 1_000;

/// The checkpoints of a session. Cheap to make; nothing is read before it is asked for.
///
/// ```
/// use memoriter::{Memoriter, NewState, Scope};
/// # let folder = tempfile::tempdir()?;
/// # let memory = Memoriter::open(folder.path().join("memory.db"))?;
/// let run = memory.scope(Scope::user("priya")).session("run");
/// run.state().set("step", 3.into())?;
/// run.checkpoints().save(NewState::new("json", br#"{"at":"deploy"}"#).asks("Deploy?"))?;
/// run.state().set("step", 4.into())?;
///
/// let resumed = run.checkpoints().resume(None)?;
/// assert!(resumed.checkpoint.is_pending());
/// assert_eq!(resumed.board.rows[0].value, Some(3.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Checkpoints {
    memory: ScopedMemory,
    session: String,
}

/// A state of a run to save.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewState {
    kind: String,
    data: Vec<u8>,
    label: Option<String>,
    parent: Option<CheckpointId>,
    question: Option<String>,
    asked_for: Option<Value>,
}

impl NewState {
    /// Bytes of a form that only the caller knows, named by a word such as `json`. They are kept as they are, secrets
    /// included.
    #[must_use]
    pub fn new(kind: impl Into<String>, data: impl Into<Vec<u8>>) -> Self {
        Self {
            kind: kind.into(),
            data: data.into(),
            ..Self::default()
        }
    }

    /// A name for people.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The checkpoint before it; the newest of the session unless it is said.
    #[must_use]
    pub fn parent(mut self, parent: CheckpointId) -> Self {
        self.parent = Some(parent);
        self
    }

    /// A question to a person, on which the run waits.
    #[must_use]
    pub fn asks(mut self, question: impl Into<String>) -> Self {
        self.question = Some(question.into());
        self
    }

    /// What would be done if the answer is yes, such as the arguments of a tool call. Only with a question.
    #[must_use]
    pub fn asked_for(mut self, what: Value) -> Self {
        self.asked_for = Some(what);
        self
    }
}

/// What a run goes on from.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// The checkpoint: position, question and answer.
    pub checkpoint: Checkpoint,
    /// The bytes that were saved.
    pub data: Vec<u8>,
    /// The board as it was then, by name.
    pub board: Rows<Field>,
}

impl Session {
    /// The states of this session's run.
    #[must_use]
    pub fn checkpoints(&self) -> Checkpoints {
        Checkpoints {
            memory: self.memory.clone(),
            session: self.name.clone(),
        }
    }
}

impl Checkpoints {
    /// Saves a state, with the board and the turns that there are. Durable when it returns; one sync, and nothing of the
    /// board is written again.
    ///
    /// # Errors
    /// When something is over its limit, `parent` is not there, or the store fails.
    pub fn save(&self, state: NewState) -> Result<Checkpoint, Error> {
        self.memory.may(Right::Write)?;
        let engine = &self.memory.engine;
        let (session, now) = (self.name()?, engine.clock.now());
        if state.question.is_none() && state.asked_for.is_some() {
            return Err(InvalidInput::Empty { field: "question" }.into());
        }
        let parent = match state.parent {
            Some(parent) => Some(self.within_call().get(parent)?.id),
            None => self.within_call().latest()?.map(|latest| latest.id),
        };
        let guard = &engine.guard;
        let approval = state.question.map(|question| Approval {
            question: masked(guard, &question),
            asked_for: state.asked_for.map(|what| masked_json(guard, &what)),
            answered: None,
        });
        let checkpoint = Checkpoint {
            id: CheckpointId::generate(now, engine.entropy.as_ref()),
            scope: self.memory.scope.clone(),
            session,
            as_of: ChangeNumber::default(),
            turns: 0,
            kind: state.kind,
            data_bytes: 0,
            parent,
            label: state.label.map(|label| masked(guard, &label)),
            approval,
            at: now,
        };
        let new = NewCheckpoint {
            checkpoint,
            data: state.data,
        };
        let saved = engine.commit(vec![Write::SaveCheckpoint(Box::new(new))])?;
        match saved.outcomes.into_iter().next() {
            Some(Outcome::Saved(checkpoint)) => Ok(*checkpoint),
            Some(Outcome::Turn(_) | Outcome::Changed(_) | Outcome::Erased(_) | Outcome::Noted)
            | None => {
                unreachable!("a store answers a save with what it saved")
            }
        }
    }

    /// For what a call does after it was checked.
    fn within_call(&self) -> Self {
        Self {
            memory: self.memory.within_call(),
            session: self.session.clone(),
        }
    }

    /// The newest checkpoints, at most `limit`, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn list(&self, limit: usize) -> Result<Rows<Checkpoint>, Error> {
        self.memory.may(Right::Read)?;
        let snapshot = self.memory.engine.store.snapshot()?;
        self.newest(snapshot.as_ref(), limit)
    }

    /// The newest checkpoint; `None` where there is none.
    ///
    /// # Errors
    /// When it is damaged, or the store cannot be read.
    pub fn latest(&self) -> Result<Option<Checkpoint>, Error> {
        self.memory.may(Right::Read)?;
        Ok(sound(self.list(1)?)?.pop())
    }

    /// One checkpoint of this session.
    ///
    /// # Errors
    /// [`StoreError::NoSuchCheckpoint`], also for one of another session; or when it cannot be read.
    pub fn get(&self, id: CheckpointId) -> Result<Checkpoint, Error> {
        self.memory.may(Right::Read)?;
        let snapshot = self.memory.engine.store.snapshot()?;
        self.find(snapshot.as_ref(), id)
    }

    /// What a run goes on from: a checkpoint, or the newest, with its bytes and the board as it was. Nothing is changed.
    ///
    /// # Errors
    /// As [`Checkpoints::get`]; [`Error::NoCheckpoint`] where there is none; when the bytes are damaged.
    pub fn resume(&self, id: Option<CheckpointId>) -> Result<Resumed, Error> {
        self.memory.may(Right::Read)?;
        let snapshot = self.memory.engine.store.snapshot()?;
        let checkpoint = match id {
            Some(id) => self.find(snapshot.as_ref(), id)?,
            None => sound(self.newest(snapshot.as_ref(), 1)?)?
                .pop()
                .ok_or_else(|| Error::NoCheckpoint {
                    session: self.session.clone(),
                })?,
        };
        let data = sound(snapshot.checkpoint_data(&self.memory.scope, checkpoint.id)?)?.pop();
        let board = snapshot.fields(FieldQuery::AsOf {
            scope: &self.memory.scope,
            session: &checkpoint.session,
            change: checkpoint.as_of,
        })?;
        Ok(Resumed {
            data: data.ok_or(StoreError::NoSuchCheckpoint { id: checkpoint.id })?,
            checkpoint,
            board,
        })
    }

    /// Records what a person said to the question of a checkpoint, once and for all.
    ///
    /// # Errors
    /// [`StoreError::NotAsked`] where nothing waits for an answer; otherwise as [`Checkpoints::get`].
    pub fn answer(
        &self,
        id: CheckpointId,
        answer: Answer,
        by: Option<&str>,
    ) -> Result<Checkpoint, Error> {
        self.memory.may(Right::Write)?;
        let engine = &self.memory.engine;
        let within = self.within_call();
        let checkpoint = within.get(id)?.id;
        let recorded = Write::Answer(NewAnswer {
            scope: self.memory.scope.clone(),
            checkpoint,
            answered: Answered {
                answer,
                by: by.map(str::to_owned),
                at: engine.clock.now(),
            },
        });
        engine.commit(vec![recorded])?;
        within.get(id)
    }

    /// Makes a session that goes on from a checkpoint, beside this one: with the board as it was, revisions included,
    /// and with the turns up to there. These stay where they are and are read through: nothing is recalled twice, and
    /// what is taken out of use or erased in one session is so in both.
    ///
    /// # Errors
    /// [`StoreError::SessionExists`] where the name is taken; otherwise as [`Checkpoints::get`].
    pub fn fork(&self, id: CheckpointId, name: impl Into<String>) -> Result<Session, Error> {
        self.memory.may(Right::Write)?;
        let (engine, scope) = (&self.memory.engine, &self.memory.scope);
        let session = SessionName::new(name)?;
        let snapshot = engine.store.snapshot()?;
        let checkpoint = self.find(snapshot.as_ref(), id)?;
        let row = snapshot.session(scope, &checkpoint.session)?;
        let mode = row.map_or_else(Default::default, |row| row.mode);
        let from = self.fork_point(snapshot.as_ref(), &checkpoint)?;
        let board = sound(snapshot.fields(FieldQuery::AsOf {
            scope,
            session: &checkpoint.session,
            change: checkpoint.as_of,
        })?)?;
        drop(snapshot);
        let mut unit = vec![Write::ForkSession(Box::new(NewFork {
            scope: scope.clone(),
            session: session.clone(),
            from,
            mode,
        }))];
        unit.extend(board.into_iter().map(|field| Write::PutField {
            field: Box::new(Field {
                session: session.clone(),
                ..field
            }),
            read_at: None,
        }));
        engine.commit(unit)?;
        Ok(self.memory.session(session.as_str()))
    }

    /// Removes checkpoints by number and age, and what only they held; tells which. The newest stays, and so does what
    /// waits for a person unless `pruning` says otherwise.
    ///
    /// # Errors
    /// When a checkpoint is damaged, or the store fails.
    pub fn prune(&self, pruning: Pruning) -> Result<Vec<CheckpointId>, Error> {
        self.memory.may(Right::Delete)?;
        let gone = prunable(&sound(self.within_call().list(usize::MAX)?)?, pruning);
        for ids in gone.chunks(REMOVED_AT_ONCE) {
            let remove = Write::RemoveCheckpoints {
                scope: self.memory.scope.clone(),
                session: self.name()?,
                ids: ids.to_vec(),
            };
            self.memory.engine.commit(vec![remove])?;
        }
        Ok(gone)
    }

    fn name(&self) -> Result<SessionName, Error> {
        Ok(SessionName::new(self.session.as_str())?)
    }

    fn newest(&self, snapshot: &dyn Snapshot, limit: usize) -> Result<Rows<Checkpoint>, Error> {
        Ok(snapshot.checkpoints(CheckpointQuery::Newest {
            scope: &self.memory.scope,
            session: &self.name()?,
            limit,
        })?)
    }

    fn find(&self, snapshot: &dyn Snapshot, id: CheckpointId) -> Result<Checkpoint, Error> {
        let scope = &self.memory.scope;
        let rows = snapshot.checkpoints(CheckpointQuery::Id { scope, id })?;
        let found = sound(rows)?.pop();
        let name = self.name()?;
        let own = found.filter(|checkpoint| checkpoint.session == name);
        Ok(own.ok_or(StoreError::NoSuchCheckpoint { id })?)
    }

    /// Where a fork begins: in the session that has the last of its turns.
    fn fork_point(
        &self,
        snapshot: &dyn Snapshot,
        checkpoint: &Checkpoint,
    ) -> Result<ForkPoint, Error> {
        let scope = &self.memory.scope;
        let mut point = ForkPoint {
            session: checkpoint.session.clone(),
            turns: checkpoint.turns,
            checkpoint: checkpoint.id,
        };
        let mut next = point.session.clone();
        for _ in 0..FORK_DEPTH_MAX {
            let row = snapshot.session(scope, &next)?;
            let Some(from) = row.and_then(|row| row.forked_from) else {
                return Ok(point);
            };
            if point.session == next && point.turns <= from.turns {
                point.session = from.session.clone();
            }
            next = from.session;
        }
        Err(InvalidInput::OverLimit {
            field: "fork",
            got: FORK_DEPTH_MAX + 1,
            limit: FORK_DEPTH_MAX,
            unit: "sessions that go on from each other",
        }
        .into())
    }
}
