//! What an erasure is made of, and what it did.

use std::path::PathBuf;

use memoriter_core::forget::ErasedCounts;
use memoriter_core::id::{ChangeNumber, CheckpointId, MemoryId, TurnId};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::SessionName;

pub use super::needles::Needles;

/// Records of one scope to be removed for good. What is not there, or in another scope, is passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// Whose records.
    pub scope: Scope,
    /// Memories.
    pub memories: Vec<MemoryId>,
    /// Turns.
    pub turns: Vec<TurnId>,
    /// Versions of board fields.
    pub fields: Vec<FieldVersion>,
    /// Checkpoints.
    pub checkpoints: Vec<CheckpointId>,
    /// Sessions as a whole, with whatever is in them.
    pub sessions: Vec<ErasedSession>,
    /// Records that are damaged, by where they lie. One that is sound or of another scope is passed over.
    pub damaged: Vec<DamagedRow>,
    /// Whether the lines of the scope's ledger go too, instead of losing what they name.
    pub takes_ledger: bool,
    /// The newest change when it was found out what goes. A memory that stays and rests on something that goes must not
    /// have changed since.
    pub read_at: ChangeNumber,
    /// The receipt that counts what goes, and the time: both are in the same unit, the receipt before.
    pub request: Option<([u8; 16], Timestamp)>,
}

/// Where a damaged record lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DamagedRow {
    /// What it is.
    pub kind: RowKind,
    /// The number of its row.
    pub row: i64,
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowKind {
    /// A memory.
    Memory,
    /// A turn.
    Turn,
    /// A field of a board.
    Field,
    /// What a field was.
    PastField,
    /// A checkpoint.
    Checkpoint,
    /// A session.
    Session,
}

impl RowKind {
    /// Every kind, in the order in which damaged ones are listed.
    pub const ALL: [Self; 6] = [
        Self::Memory,
        Self::Turn,
        Self::Field,
        Self::PastField,
        Self::Checkpoint,
        Self::Session,
    ];

    /// The name of its table.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Turn => "turn",
            Self::Field => "field",
            Self::PastField => "field_past",
            Self::Checkpoint => "checkpoint",
            Self::Session => "session",
        }
    }
}

impl std::fmt::Display for DamagedRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} in row {}", self.kind.as_str(), self.row)
    }
}

impl Erasure {
    /// Nothing of a scope yet.
    #[must_use]
    pub fn of(scope: Scope, read_at: ChangeNumber) -> Self {
        Self {
            scope,
            memories: Vec::new(),
            turns: Vec::new(),
            fields: Vec::new(),
            checkpoints: Vec::new(),
            sessions: Vec::new(),
            damaged: Vec::new(),
            takes_ledger: false,
            read_at,
            request: None,
        }
    }

    /// Records that it names; a session counts as one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.memories.len()
            + self.turns.len()
            + self.fields.len()
            + self.checkpoints.len()
            + self.sessions.len()
            + self.damaged.len()
    }

    /// Whether it names nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && !self.takes_ledger
    }
}

/// A version of a board field: what it is, or what it was as of a checkpoint. With the present version the whole field
/// goes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldVersion {
    /// The board, by its session.
    pub session: SessionName,
    /// The field.
    pub name: String,
    /// The change that wrote the version.
    pub change: ChangeNumber,
}

/// A session to be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErasedSession {
    /// Its name.
    pub name: SessionName,
    /// What it is called from now on where another session goes on from it, and the row has to stay.
    pub renamed: SessionName,
}

/// What an erasure did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erased {
    /// Rows that went, counted as they went.
    pub counts: ErasedCounts,
    /// The bytes to look for afterwards. They are in memory only.
    pub needles: Needles,
}

/// How patient a scrub is with readers that hold an old snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// It waits for them, some seconds.
    Wait,
    /// It gives up at once.
    None,
}

/// What a scrub found in the files of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scrubbed {
    /// Whether the log is empty: nobody holds an old snapshot. Otherwise nothing was searched.
    pub is_done: bool,
    /// The files that were searched, with their sizes in bytes. Empty for a store without files.
    pub files: Vec<(PathBuf, u64)>,
    /// Pieces that were looked for.
    pub sought: u64,
    /// Pieces that stand in records that stay as well, and were not looked for: somebody else said the same.
    pub shared: u64,
    /// Pieces that were found where no record has them.
    pub found: u64,
}
