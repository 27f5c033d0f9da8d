//! Durable state: rows, their change feed, and the indexes derived from them.
//!
//! [`Store`] is the port that a back end implements; [`SqliteStore`] keeps one tenant in one file,
//! [`MemoryStore`] keeps it nowhere and is for tests. Both pass `memoriter_testkit::conformance::store`.
//! [`index`] answers searches over one scope and is rebuilt from rows at any time.
//!
//! Stores hold rows; they do not decide and do not rank. This crate knows nothing of embedding models,
//! extraction, HTTP or the command line.

pub mod backend;
mod error;
pub mod index;
mod key_file;
mod migrate;
mod store;

pub use backend::memory::MemoryStore;
pub use backend::sqlite::{
    Carried, Encryption, InPlace, KEY_TEXT_FORMS, MasterKey, Retired, SqliteOptions, SqliteRestore,
    SqliteStore,
};
pub use error::StoreError;
pub use key_file::{make_key_file, read_key_file};
pub use migrate::FORMAT;
pub use store::{
    ATTACHMENT_PART_BYTES, Appended, AttachmentQuery, Attachments, AuditEnd, AuditLine, Books,
    Change, Changed, CheckpointQuery, Committed, Copied, Damage, DamagedRow, DecisionRecord,
    DestroyedKeys, EXTRACTION_ERROR_BYTES_MAX, Erased, ErasedSession, Erasure, Extraction,
    ExtractionQuery, ExtractionState, ExtractionUpdate, FieldQuery, FieldVersion, IndexChange,
    IndexRow, KeyId, KeysOf, MemoryQuery, Needles, NewAnswer, NewAttachment, NewCheckpoint,
    NewFork, NewReceipt, NewTurn, Outcome, Page, Patience, ReceiptQuery, ReceiptRow, RecordRef,
    RowKind, Rows, ScopeSummary, ScopeTotals, Scrubbed, SessionRow, SessionSummary, Sessions,
    Snapshot, Spans, Standing, Store, StoredVector, TurnQuery, UsageRow, VerifyReport, Write,
    kept_error,
};
