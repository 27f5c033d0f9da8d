//! The port: what a back end does.
//!
//! | module | holds |
//! |---|---|
//! | `attachment` | what is too long for a turn |
//! | `erase`, `needles` | what is removed for good, and what is looked for afterwards |
//! | `books`, `extraction`, `ledger`, `usage` | what the write path keeps beside records |
//! | `index_row` | what an index learns about a record |
//! | `keys` | what is told of the keys of an encrypted store |
//! | `proof` | receipts of erasures, and the audit log |
//! | `query` | which rows are asked for |
//! | `sessions`, `spans` | what a session is besides its turns, and what older ones came to |
//! | `summary` | counts, and what a check found |
//! | `write` | what a unit is made of |

mod attachment;
mod books;
mod erase;
mod extraction;
mod index_row;
mod keys;
mod ledger;
mod needles;
mod proof;
mod query;
mod sessions;
mod spans;
mod summary;
mod usage;
mod write;

use std::path::Path;

use memoriter_core::checkpoint::Checkpoint;
use memoriter_core::forget::Remains;
use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::Memory;
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_core::turn::{SessionName, Turn};

pub use self::attachment::{ATTACHMENT_PART_BYTES, AttachmentQuery, Attachments, NewAttachment};
pub use self::books::Books;
pub use self::erase::{
    DamagedRow, Erased, ErasedSession, Erasure, FieldVersion, Needles, Patience, RowKind, Scrubbed,
};
pub use self::extraction::{
    EXTRACTION_ERROR_BYTES_MAX, Extraction, ExtractionQuery, ExtractionState, ExtractionUpdate,
    kept_error,
};
pub(crate) use self::index_row::later_start;
pub use self::index_row::{IndexChange, IndexRow};
pub use self::keys::{DestroyedKeys, KeyId, KeysOf};
pub use self::ledger::{DecisionRecord, Standing};
pub(crate) use self::needles::{Finder, PIECE_BYTES};
pub use self::proof::{AuditEnd, AuditLine, NewReceipt, ReceiptQuery, ReceiptRow};
pub use self::query::{MemoryQuery, Page, TurnQuery};
pub use self::sessions::{
    CheckpointQuery, FieldQuery, NewAnswer, NewCheckpoint, NewFork, SessionRow, Sessions,
};
pub use self::spans::Spans;
pub use self::summary::{ScopeSummary, ScopeTotals, SessionSummary, VerifyReport};
pub use self::usage::UsageRow;
pub use self::write::{NewTurn, RecordRef, StoredVector, Write};
use crate::error::StoreError;

/// Durable rows of one tenant.
///
/// - [`Store::commit`] MUST be atomic: every write of the unit is in, or none is. When it returns, the unit
///   MUST survive a power cut.
/// - Each record that a commit adds or changes MUST get a change number above every earlier one of the store.
/// - A snapshot MUST see every unit whose `commit` returned before the snapshot was taken, from this process
///   or another, and MUST NOT see anything later.
/// - At most one live memory may hold a *place* (see [`Write::InsertMemory`]) in a scope, always.
/// - A record whose checksum does not fit MUST be reported as [`Damage`], never returned as a row.
/// - Every call that names a scope MUST see records of exactly that scope.
pub trait Store: Send + Sync {
    /// Applies one unit of writes and makes it durable.
    ///
    /// # Errors
    /// [`StoreError::Conflict`], [`StoreError::TurnConflict`] and [`StoreError::Taken`] leave the store as it was.
    /// After [`StoreError::Poisoned`] the store answers reads only.
    fn commit(&self, unit: Vec<Write>) -> Result<Committed, StoreError>;

    /// A consistent view of everything committed so far.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StoreError>;

    /// The newest change number, cheap enough to ask before every recall.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn head(&self) -> Result<ChangeNumber, StoreError>;

    /// Sees to it that no file of the store holds bytes of what was removed any more, and looks for `needles` in all of
    /// them. Readers that hold an old snapshot keep it from that; then it is tried again later.
    ///
    /// # Errors
    /// When the files cannot be written or read.
    fn scrub(&self, needles: &Needles, patience: Patience) -> Result<Scrubbed, StoreError>;

    /// Writes a copy of the store as it is at this moment into a new file, which gets its name when it is whole and
    /// checked. Others go on writing meanwhile. `progress` is told how many pages are copied, of how many.
    ///
    /// # Errors
    /// [`StoreError::FileExists`] when something is there; [`StoreError::NoFile`] for a store without files. Otherwise when
    /// the store cannot be read or the file cannot be written; then there is none.
    fn copy_to(&self, to: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<Copied, StoreError> {
        // What wraps a store for a test, or keeps rows elsewhere.
        let _ = (to, progress);
        Err(StoreError::NoFile)
    }

    /// Thirty-two random bytes made with the store and kept in it: the key for ids derived from content.
    fn secret(&self) -> &[u8; 32];

    /// Whether content is encrypted. One without files has nothing to encrypt.
    fn is_encrypted(&self) -> bool {
        false
    }

    /// Destroys the keys of those of the scopes that hold nothing any more: what copies of the store have of them can be
    /// read by nobody after that. Where nothing is encrypted there are none.
    ///
    /// # Errors
    /// When the keys cannot be written.
    fn destroy_keys(&self, of: KeysOf) -> Result<DestroyedKeys, StoreError> {
        let _ = of;
        Ok(DestroyedKeys::default())
    }
}

/// A consistent view of a store. Holding one for long keeps old pages alive: take it, read, let go.
pub trait Snapshot: Books + Sessions + Spans + Attachments {
    /// The newest change that this view includes.
    ///
    /// # Errors
    /// As every method here: when the file cannot be read.
    fn head(&self) -> Result<ChangeNumber, StoreError>;

    /// Changes of `scope` after `after`, oldest first, at most `limit`. What changed more than once is listed at its
    /// last change only or at each of them.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn changes(
        &self,
        scope: &Scope,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<Change>, StoreError>;

    /// Memories, verified. In the order asked for with ids, by key oldest first, by page in order of arrival.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn memories(&self, query: MemoryQuery<'_>) -> Result<Rows<Memory>, StoreError>;

    /// Turns, verified. In the order asked for with ids, by session in order of position.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn turns(&self, query: TurnQuery<'_>) -> Result<Rows<Turn>, StoreError>;

    /// Feeds an index: what happened to the records of `scope` after `after` (0: everything that is there).
    /// Live memories and turns in use come as [`IndexChange::Put`], others as [`IndexChange::Remove`] (left out
    /// when `after` is 0). Where something was removed for good since, there is nothing but
    /// [`IndexChange::Anew`]. Vectors of another model than `model` are left out of their row. Rows are not verified:
    /// what is served later is.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn index_changes(
        &self,
        scope: &Scope,
        model: &ModelName,
        after: ChangeNumber,
        sink: &mut dyn FnMut(IndexChange<'_>),
    ) -> Result<(), StoreError>;

    /// The sessions of `scope`, oldest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn sessions(&self, scope: &Scope) -> Result<Vec<SessionSummary>, StoreError>;

    /// Every scope that has records, with its counts, in the order of the scopes.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn scopes(&self) -> Result<Vec<ScopeSummary>, StoreError>;

    /// The scopes that anything was ever written into, of `scope` and those inside it, in the order of the scopes.
    /// Unlike [`Snapshot::scopes`] it has those of which only the books or sessions know.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn scopes_within(&self, scope: &Scope) -> Result<Vec<Scope>, StoreError>;

    /// How much of what is not in a session there is of exactly this scope.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn totals(&self, scope: &Scope) -> Result<ScopeTotals, StoreError>;

    /// The damaged records of `scope`, and what can be read of them. It reads every record of the scope.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn damaged(&self, scope: &Scope) -> Result<Vec<(DamagedRow, Remains)>, StoreError>;

    /// Checks everything there is: the file's structure, every checksum, every reference.
    ///
    /// # Errors
    /// When the file cannot be read at all; damage that can be named is in the report.
    fn verify(&self) -> Result<VerifyReport, StoreError>;
}

/// A copy of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Bytes of the file.
    pub bytes: u64,
    /// The newest change that it has.
    pub head: ChangeNumber,
    /// What a check of the copy found: what is damaged in the store is so in the copy.
    pub report: VerifyReport,
}

/// What a commit did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// One outcome per write of the unit, in order.
    pub outcomes: Vec<Outcome>,
    /// The newest change number after the unit.
    pub head: ChangeNumber,
}

/// What one write did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A turn was appended, or found.
    Turn(Appended),
    /// The record now carries this change number.
    Changed(ChangeNumber),
    /// The checkpoint, as it is kept.
    Saved(Box<Checkpoint>),
    /// What was removed for good.
    Erased(Box<Erased>),
    /// Nothing that gets a change number.
    Noted,
}

/// What became of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// It is new, at this position of its session.
    New {
        /// From 0.
        position: u32,
        /// Its change number.
        change: ChangeNumber,
    },
    /// It was there.
    Known,
    /// It was erased: its tombstone keeps it from coming back.
    Erased,
}

/// One line of the change feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// When, in the order of everything.
    pub number: ChangeNumber,
    /// What was added or changed.
    pub what: Changed,
}

/// What a line of the feed is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// A memory or a turn.
    Record(RecordRef),
    /// A field of a board.
    Field {
        /// The board, by the name of its session.
        session: SessionName,
        /// The field.
        name: String,
    },
    /// The mode of a session.
    Mode(SessionName),
    /// Something was removed for good; what it was is not known any more.
    Erased,
}

/// Rows and what could not be returned as one.
#[derive(Clone, Debug)]
pub struct Rows<T> {
    /// The sound ones.
    pub rows: Vec<T>,
    /// The others.
    pub damaged: Vec<Damage>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            damaged: Vec::new(),
        }
    }
}

/// A record that is there and is not what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The record, as far as it can be told: table, row number, id.
    pub record: String,
    /// What does not fit.
    pub why: String,
}
