//! What a session is besides its turns: its mode, its board, the checkpoints of its run.

use memoriter_core::board::Field;
use memoriter_core::checkpoint::{Answered, Checkpoint};
use memoriter_core::id::{ChangeNumber, CheckpointId};
use memoriter_core::scope::Scope;
use memoriter_core::session::{ForkPoint, Mode};
use memoriter_core::turn::SessionName;

use super::Rows;
use crate::error::StoreError;

/// Reading sessions besides their turns. A part of every [`Snapshot`](super::Snapshot), whose rules hold here too.
pub trait Sessions {
    /// The session of this name, if it has ever been written to.
    ///
    /// # Errors
    /// As every method here: when the file cannot be read.
    fn session(&self, scope: &Scope, name: &SessionName) -> Result<Option<SessionRow>, StoreError>;

    /// Fields of boards, verified, in the order that the query names.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn fields(&self, query: FieldQuery<'_>) -> Result<Rows<Field>, StoreError>;

    /// Checkpoints, verified but for their bytes.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn checkpoints(&self, query: CheckpointQuery<'_>) -> Result<Rows<Checkpoint>, StoreError>;

    /// The bytes of a checkpoint of `scope`, verified; no row where it is not there.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn checkpoint_data(&self, scope: &Scope, id: CheckpointId)
    -> Result<Rows<Vec<u8>>, StoreError>;
}

/// A session, besides its turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// What it has to do with long-term memory.
    pub mode: Mode,
    /// Where it goes on from.
    pub forked_from: Option<ForkPoint>,
    /// How many turns it has had, with those that it goes on from: the position of the next one.
    pub turns: u32,
}

/// Which fields.
#[derive(Clone, Copy, Debug)]
pub enum FieldQuery<'a> {
    /// Those that a board holds, by name.
    Board {
        /// Whose board.
        scope: &'a Scope,
        /// The board.
        session: &'a SessionName,
    },
    /// One field, also a removed one.
    Named {
        /// Whose board.
        scope: &'a Scope,
        /// The board.
        session: &'a SessionName,
        /// The field.
        name: &'a str,
    },
    /// Those that a board held as of a change, by name. Exact for every change that a checkpoint of the session is as
    /// of; of others what has been overwritten since is not known.
    AsOf {
        /// Whose board.
        scope: &'a Scope,
        /// The board.
        session: &'a SessionName,
        /// The change.
        change: ChangeNumber,
    },
    /// Every version that is kept: what fields hold, removed ones too, and what checkpoints need of their past. By name,
    /// the oldest first.
    Versions {
        /// Whose board.
        scope: &'a Scope,
        /// The board.
        session: &'a SessionName,
    },
    /// Those that changed after a change, also removed ones, in the order of their last change: what a watcher asks
    /// for.
    Changed {
        /// Whose board.
        scope: &'a Scope,
        /// The board.
        session: &'a SessionName,
        /// The change.
        after: ChangeNumber,
        /// At most so many.
        limit: usize,
    },
}

/// Which checkpoints.
#[derive(Clone, Copy, Debug)]
pub enum CheckpointQuery<'a> {
    /// One by its id, if it is in the scope.
    Id {
        /// The scope.
        scope: &'a Scope,
        /// The id.
        id: CheckpointId,
    },
    /// The newest of a session, oldest first.
    Newest {
        /// The scope.
        scope: &'a Scope,
        /// The session.
        session: &'a SessionName,
        /// At most so many.
        limit: usize,
    },
}

/// A checkpoint to save. Which change it is as of and how many turns its session has is found out as it is saved.
#[derive(Clone, Debug, PartialEq)]
pub struct NewCheckpoint {
    /// The checkpoint; [`Checkpoint::as_of`], [`Checkpoint::turns`] and [`Checkpoint::data_bytes`] are ignored.
    pub checkpoint: Checkpoint,
    /// What it holds.
    pub data: Vec<u8>,
}

impl NewCheckpoint {
    /// The checkpoint as it is kept.
    pub(crate) fn kept(&self, as_of: ChangeNumber, turns: u32) -> Checkpoint {
        Checkpoint {
            as_of,
            turns,
            data_bytes: self.data.len() as u64,
            ..self.checkpoint.clone()
        }
    }
}

/// An answer to record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAnswer {
    /// Whose checkpoint.
    pub scope: Scope,
    /// The checkpoint.
    pub checkpoint: CheckpointId,
    /// What was said.
    pub answered: Answered,
}

/// A session to make that goes on from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFork {
    /// Whose sessions.
    pub scope: Scope,
    /// The new one.
    pub session: SessionName,
    /// What it goes on from.
    pub from: ForkPoint,
    /// What it has to do with long-term memory.
    pub mode: Mode,
}
