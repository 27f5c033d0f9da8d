//! What a unit of writes is made of.

use memoriter_core::board::Field;
use memoriter_core::fold::Span;
use memoriter_core::forget::ReceiptState;
use memoriter_core::id::{ChangeNumber, CheckpointId, MemoryId, TurnId};
use memoriter_core::memory::Memory;
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_core::session::Mode;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{Message, SessionName};
use memoriter_core::vector::QuantisedVector;

use super::attachment::NewAttachment;
use super::erase::Erasure;
use super::extraction::ExtractionUpdate;
use super::ledger::DecisionRecord;
use super::proof::NewReceipt;
use super::sessions::{NewAnswer, NewCheckpoint, NewFork};
use super::usage::UsageRow;

/// One write of a unit.
#[derive(Clone, Debug)]
pub enum Write {
    /// Appends a turn at the end of its session, which is made when it is not there. A turn with the same id
    /// and the same role and content, with all of these attachments in the session, is there already, in use or not:
    /// nothing happens. Another one with the id is a [`StoreError::TurnConflict`](crate::StoreError::TurnConflict). Nothing
    /// happens either where its id has a tombstone, see [`turn_mark`](memoriter_core::forget::turn_mark).
    AppendTurn(Box<NewTurn>),
    /// Adds a memory. A live memory takes a *place* in its scope: its key when that holds a single value, its
    /// key and normalised value when that holds a set, its kind and normalised statement when it has no key.
    /// A place that is taken is a [`StoreError::Conflict`](crate::StoreError::Conflict).
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
        /// The change number at which the caller read it; another one is a [`StoreError::Conflict`](crate::StoreError::Conflict).
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
        /// [`StoreError::FieldConflict`](crate::StoreError::FieldConflict).
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
    /// Passes over positions at the end of a session, which is made where it is not there: turns that stood there were erased
    /// in the store that it comes from. Gets no change number, as all that follows.
    SkipPositions {
        /// Whose session.
        scope: Scope,
        /// The session.
        session: SessionName,
        /// How many.
        turns: u32,
    },
    /// Makes a session that goes on from another. One of its name that is there is a [`StoreError::SessionExists`](crate::StoreError::SessionExists).
    ForkSession(Box<NewFork>),
    /// Saves a checkpoint of a session, which is made where it is not there.
    SaveCheckpoint(Box<NewCheckpoint>),
    /// Records an answer to what a checkpoint asks. One that asks nothing, or has an answer, is a
    /// [`StoreError::NotAsked`](crate::StoreError::NotAsked); one that is not in the scope a [`StoreError::NoSuchCheckpoint`](crate::StoreError::NoSuchCheckpoint).
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
    /// Removes records for good, and everything that is kept beside them: vectors, entries of the queue, spans over
    /// turns, edges that lead to them from memories that stay, what lines of the ledger name. Turns leave a gap in their
    /// session; no position is given twice. The feed of the scope says that something is gone. A memory that stays and
    /// changed since [`Erasure::read_at`] is a [`StoreError::Conflict`](crate::StoreError::Conflict) where it rests on
    /// what goes.
    Erase(Box<Erasure>),
    /// Keeps a receipt, in the place of one of the same request. What that one has counted stays.
    PutReceipt {
        /// The receipt.
        receipt: Box<NewReceipt>,
        /// What state the one before is in, and when it was touched: another is a
        /// [`StoreError::ReceiptChanged`](crate::StoreError::ReceiptChanged). `None` for a new one, and to put it whatever is there.
        over: Option<(ReceiptState, Timestamp)>,
    },
    /// Adds a line to the audit log, bound to the one before it: see [`AuditEntry`](memoriter_core::audit::AuditEntry).
    Audit(String),
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
    /// What is kept beside it.
    pub attachments: Vec<NewAttachment>,
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
