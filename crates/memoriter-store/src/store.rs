//! The port: what a back end does.
//!
//! | module | holds |
//! |---|---|
//! | `books`, `extraction`, `ledger`, `usage` | what the write path keeps beside records |
//! | `query` | which rows are asked for |
//! | `spans` | what older turns of sessions came to |
//! | `sessions` | what a session is besides its turns |
//! | `summary` | counts, and what a check found |

mod books;
mod extraction;
mod ledger;
mod query;
mod sessions;
mod spans;
mod summary;
mod usage;

use memoriter_core::board::Field;
use memoriter_core::checkpoint::Checkpoint;
use memoriter_core::fold::Span;
use memoriter_core::id::{ChangeNumber, CheckpointId, MemoryId, TurnId};
use memoriter_core::memory::{
    Attempt, AttemptRef, Cardinality, Importance, Kind, Memory, Validity,
};
use memoriter_core::port::ModelName;
use memoriter_core::provenance::Origin;
use memoriter_core::scope::Scope;
use memoriter_core::session::Mode;
use memoriter_core::text::IndexedText;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{Message, Role, SessionName, Turn};
use memoriter_core::vector::QuantisedVector;

pub use self::books::Books;
pub use self::extraction::{
    EXTRACTION_ERROR_BYTES_MAX, Extraction, ExtractionQuery, ExtractionState, ExtractionUpdate,
    kept_error,
};
pub use self::ledger::{DecisionRecord, Standing};
pub use self::query::{MemoryQuery, Page, TurnQuery};
pub use self::sessions::{
    CheckpointQuery, FieldQuery, NewAnswer, NewCheckpoint, NewFork, SessionRow, Sessions,
};
pub use self::spans::Spans;
pub use self::summary::{ScopeSummary, SessionSummary, VerifyReport};
pub use self::usage::UsageRow;
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

    /// Thirty-two random bytes made with the store and kept in it: the key for ids derived from content.
    fn secret(&self) -> &[u8; 32];
}

/// A consistent view of a store. Holding one for long keeps old pages alive: take it, read, let go.
pub trait Snapshot: Books + Sessions + Spans {
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
    /// when `after` is 0). Vectors of another model than `model` are left out of their row. Rows are not verified:
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

    /// Checks everything there is: the file's structure, every checksum, every reference.
    ///
    /// # Errors
    /// When the file cannot be read at all; damage that can be named is in the report.
    fn verify(&self) -> Result<VerifyReport, StoreError>;
}

/// One write of a unit.
#[derive(Clone, Debug)]
pub enum Write {
    /// Appends a turn at the end of its session, which is made when it is not there. A turn with the same id
    /// and the same role and content is there already, in use or not: nothing happens.
    AppendTurn(Box<NewTurn>),
    /// Adds a memory. A live memory takes a *place* in its scope: its key when that holds a single value, its
    /// key and normalised value when that holds a set, its kind and normalised statement when it has no key.
    /// A place that is taken is a [`StoreError::Conflict`].
    InsertMemory {
        /// The new memory; its change number is ignored.
        memory: Box<Memory>,
        /// Its vector, if it could be embedded.
        vector: Option<StoredVector>,
    },
    /// Replaces every field of a memory but id, scope and recorded time. Another statement drops the vector,
    /// which stands for other words: see [`Write::PutVectors`].
    UpdateMemory {
        /// The memory as it shall be.
        memory: Box<Memory>,
        /// The change number at which the caller read it; another one is a [`StoreError::Conflict`].
        read_at: ChangeNumber,
    },
    /// Gives records a vector, or another one.
    PutVectors(Vec<(RecordRef, StoredVector)>),
    /// Notes that a recall returned these memories. Gets no change number.
    MarkRecalled {
        /// Which memories; ones that are gone are passed over.
        ids: Vec<MemoryId>,
        /// When.
        at: Timestamp,
    },
    /// Takes turns of a scope out of use: they stay in their session and can be read, an index drops them. Each
    /// gets a change number and goes to the end of the feed. Ids that are not in the scope or retired already are
    /// passed over, and entries of the queue stay as they are.
    RetireTurns {
        /// Whose turns.
        scope: Scope,
        /// Which turns.
        ids: Vec<TurnId>,
        /// When.
        at: Timestamp,
    },
    /// Queues turns for extraction that have no entry yet or a dead one, which then begins again without attempts
    /// and error. Turns that are gone or out of use are passed over. Gets no change number, as all that follows.
    QueueExtraction {
        /// Which turns.
        turns: Vec<TurnId>,
        /// From when on they may be taken.
        due_at: Timestamp,
    },
    /// Takes an extraction a step further, if it is as it was read.
    SetExtraction(ExtractionUpdate),
    /// Adds a line to the ledger.
    LogDecision(Box<DecisionRecord>),
    /// Leaves a tombstone for each mark: what was said before `at` and has the mark is not to be remembered. Of
    /// equal marks the latest request counts. The file keeps a keyed hash, from which no mark can be read.
    Forget {
        /// Whose memory.
        scope: Scope,
        /// Which marks; any bytes.
        marks: Vec<Vec<u8>>,
        /// When it was asked for.
        at: Timestamp,
    },
    /// Keeps a span of a session, in the place of one of the same run. Nothing happens where the session is not there or a
    /// turn of the run has changed since `read_at`: what was read then may have been forgotten.
    PutSpan {
        /// Whose session.
        scope: Scope,
        /// Which one.
        session: SessionName,
        /// What its turns came to.
        span: Box<Span>,
        /// The newest change when the turns were read.
        read_at: ChangeNumber,
    },
    /// Adds to what was counted for the day and the purpose.
    CountUsage(UsageRow),
    /// Writes a field of a board, which is made with its session where it is not there. What it held is kept for as
    /// long as a checkpoint of the session needs it.
    PutField {
        /// The field as it shall be, removed or not; its change number is ignored.
        field: Box<Field>,
        /// The change number at which the caller read it, `None` where there was no row; another one is a
        /// [`StoreError::FieldConflict`].
        read_at: Option<ChangeNumber>,
    },
    /// Sets what a session has to do with long-term memory; it is made where it is not there. It gets a change number,
    /// and an index takes in or drops the turns of the session.
    SetMode {
        /// Whose session.
        scope: Scope,
        /// The session.
        session: SessionName,
        /// What it has to do with long-term memory.
        mode: Mode,
    },
    /// Makes a session that goes on from another. One of its name that is there is a [`StoreError::SessionExists`].
    /// Gets no change number, as all that follows.
    ForkSession(Box<NewFork>),
    /// Saves a checkpoint of a session, which is made where it is not there.
    SaveCheckpoint(Box<NewCheckpoint>),
    /// Records an answer to what a checkpoint asks. One that asks nothing, or has an answer, is a
    /// [`StoreError::NotAsked`]; one that is not in the scope a [`StoreError::NoSuchCheckpoint`].
    Answer(NewAnswer),
    /// Removes checkpoints of a session, and what only they held of boards and bytes. Ids that are not there are
    /// passed over.
    RemoveCheckpoints {
        /// Whose session.
        scope: Scope,
        /// The session.
        session: SessionName,
        /// Which checkpoints.
        ids: Vec<CheckpointId>,
    },
}

/// A turn to append.
#[derive(Clone, Debug)]
pub struct NewTurn {
    /// Its id, derived from scope, session and key: see [`TurnId::derive`].
    pub id: TurnId,
    /// Who it belongs to.
    pub scope: Scope,
    /// The conversation it is part of.
    pub session: SessionName,
    /// What was said.
    pub message: Message,
    /// When the store takes it.
    pub recorded_at: Timestamp,
    /// Its vector, if it could be embedded.
    pub vector: Option<StoredVector>,
    /// From when on memories may be extracted from it; `None` for never. A turn that is known queues nothing.
    pub extract_at: Option<Timestamp>,
}

/// A vector and the model it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredVector {
    /// The model.
    pub model: ModelName,
    /// The vector.
    pub vector: QuantisedVector,
}

/// A memory or a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordRef {
    /// A memory.
    Memory(MemoryId),
    /// A turn.
    Turn(TurnId),
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

/// What an index learns about one record.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "borrowed from a row and gone with it; never kept"
)]
pub enum IndexChange<'a> {
    /// It is searchable as this; an earlier form of it is not.
    Put(IndexRow<'a>),
    /// It is not searchable any more.
    Remove(RecordRef),
}

/// The searchable form of a record.
#[derive(Clone, Copy, Debug)]
pub struct IndexRow<'a> {
    /// The record.
    pub record: RecordRef,
    /// Its change number.
    pub change: ChangeNumber,
    /// The kind of memory; a turn is episodic.
    pub kind: Kind,
    /// Where it comes from.
    pub origin: Origin,
    /// Who spoke, as models count it; `None` for a memory.
    pub role: Option<Role>,
    /// The speaker's name; `None` for a memory and for a turn whose role says it all.
    pub speaker: Option<&'a str>,
    /// Statement or content.
    pub text: &'a str,
    /// What it was an attempt at.
    pub attempt: Option<AttemptRef<'a>>,
    /// Entity and attribute of the fact key.
    pub key: Option<(&'a str, &'a str)>,
    /// The value under the key.
    pub value: Option<&'a str>,
    /// The caller's grouping.
    pub category: Option<&'a str>,
    /// The caller's data: canonical JSON, or empty.
    pub metadata: &'a str,
    /// How much it matters.
    pub importance: Importance,
    /// When it happened or began to be true.
    pub event_at: ZonedTime,
    /// When the store took it.
    pub recorded_at: Timestamp,
    /// When it was last recalled or said again.
    pub last_used_at: Option<Timestamp>,
    /// Whether its key holds one value at a time: of those that answer, the one of greatest precedence does.
    pub holds_one: bool,
    /// From when on it answers recalls, when that is later than it was recorded.
    pub usable_from: Option<Timestamp>,
    /// From when on it answers no recall.
    pub usable_until: Option<Timestamp>,
    /// For a turn: a number for its session, the same for all turns of the session, and its position.
    pub session: Option<(u64, u32)>,
    /// Its vector, when it has one of the asked model: scale and codes.
    pub vector: Option<(f32, &'a [i8])>,
}

impl<'a> IndexRow<'a> {
    /// A memory as an index takes it in, whatever its state; `metadata` is its canonical JSON, or empty.
    #[must_use]
    pub fn of_memory(
        memory: &'a Memory,
        metadata: &'a str,
        vector: Option<(f32, &'a [i8])>,
    ) -> Self {
        Self {
            record: RecordRef::Memory(memory.id),
            change: memory.change,
            kind: memory.kind,
            origin: memory.origin,
            role: None,
            speaker: None,
            text: &memory.statement,
            attempt: memory.attempt.as_ref().map(Attempt::borrowed),
            key: memory.fact_key().map(|key| (key.entity(), key.attribute())),
            value: memory.value.as_deref(),
            category: memory.category.as_deref(),
            metadata,
            importance: memory.importance,
            event_at: memory.valid_from,
            recorded_at: memory.recorded_at,
            last_used_at: memory.last_recalled_at.max(memory.last_confirmed_at),
            holds_one: matches!(memory.key, Some((_, Cardinality::Single))),
            usable_from: later_start(memory.validity()),
            usable_until: memory.validity().usable_until(),
            session: None,
            vector,
        }
    }

    /// The text as the index reads it.
    #[must_use]
    pub fn indexed_text(&self) -> IndexedText<'a> {
        IndexedText {
            day: self.event_at.day(),
            speaker: self.speaker.or(self.role.map(Role::as_str)),
            text: self.text,
            key: self
                .key
                .map(|(_, attribute)| (attribute, self.value.unwrap_or_default())),
            attempt: self.attempt,
        }
    }

    /// Whether a recall may find it: instructions and bare tool calls are kept but not recalled.
    #[must_use]
    pub fn is_recallable(&self) -> bool {
        self.role != Some(Role::System) && !self.text.trim().is_empty()
    }
}

/// When a record begins to answer, where it does not from the moment it is recorded.
pub(crate) fn later_start(validity: Validity) -> Option<Timestamp> {
    Some(validity.usable_from()).filter(|start| *start > validity.recorded_at)
}
