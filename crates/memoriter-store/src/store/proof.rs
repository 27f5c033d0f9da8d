//! What proves that something was done: receipts of erasures, and the audit log.

use memoriter_core::time::Timestamp;

/// A receipt as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptRow {
    /// The request.
    pub id: [u8; 16],
    /// When it was made.
    pub at: Timestamp,
    /// Whether the files still have to be searched.
    pub is_pending: bool,
    /// The signed document.
    pub body: String,
}

/// Which receipts, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptQuery {
    /// Every one.
    All,
    /// Those of erasures whose files still have to be searched.
    Pending,
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
