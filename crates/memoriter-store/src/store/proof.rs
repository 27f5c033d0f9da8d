//! What proves that something was done: receipts of erasures, and the audit log.

use memoriter_core::forget::{ErasedCounts, ReceiptState};
use memoriter_core::time::Timestamp;

/// A receipt to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReceipt {
    /// The request.
    pub id: [u8; 16],
    /// When it was made.
    pub at: Timestamp,
    /// How far it has come.
    pub state: ReceiptState,
    /// When somebody last did something for it.
    pub touched_at: Timestamp,
    /// The signed document.
    pub body: String,
}

/// A receipt as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptRow {
    /// What was put there.
    pub receipt: NewReceipt,
    /// What the erasures of the request have removed so far, counted as it went: see [`Erasure::request`](super::Erasure::request).
    pub counts: ErasedCounts,
}

/// Which receipts, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptQuery {
    /// Every one.
    All,
    /// Those for which something has still to be done: see [`ReceiptState::is_open`].
    Open,
    /// That of a request.
    Id([u8; 16]),
}

/// A line of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditLine {
    /// Its number, from 1.
    pub number: u64,
    /// What it says: JSON.
    pub line: String,
    /// What binds it to the line before: see [`link`](memoriter_core::audit::link).
    pub hash: [u8; 32],
}

/// Where the audit log ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditEnd {
    /// How many lines it has.
    pub lines: u64,
    /// The hash of the last; zeros where there is none.
    pub hash: [u8; 32],
}
