//! Reading what the write path keeps beside records.

use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;

use super::Rows;
use super::extraction::{Extraction, ExtractionQuery};
use super::ledger::DecisionRecord;
use super::proof::{AuditEnd, AuditLine, ReceiptQuery, ReceiptRow};
use super::usage::UsageRow;
use crate::error::StoreError;

/// The books of a store: the queue of turns that wait to be read, the ledger of decisions, the tombstones, and
/// what language models were used for. A part of every [`Snapshot`](super::Snapshot), whose rules hold here too.
pub trait Books {
    /// Entries of the queue, in the order that the query names.
    ///
    /// # Errors
    /// As every method here: when the file cannot be read.
    fn extractions(&self, query: ExtractionQuery<'_>) -> Result<Rows<Extraction>, StoreError>;

    /// The ledger of `scope` after the line `after` (`None`: from the beginning), oldest first, at most `limit`
    /// lines, each with its number. Numbers rise over all scopes; those of one scope need not follow each other.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn decisions(
        &self,
        scope: &Scope,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Rows<(u64, DecisionRecord)>, StoreError>;

    /// Whether somebody ever asked to forget something in `scope`; where not, no mark needs to be made.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn has_forgotten(&self, scope: &Scope) -> Result<bool, StoreError>;

    /// When somebody last asked to forget any of `marks` in `scope`: see [`Write::Forget`](super::Write::Forget).
    ///
    /// # Errors
    /// When the file cannot be read.
    fn forgotten_at(
        &self,
        scope: &Scope,
        marks: &[Vec<u8>],
    ) -> Result<Option<Timestamp>, StoreError>;

    /// What language models were used for on `day`, in days since 1970, in the order of the purposes.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn usage(&self, day: i64) -> Result<Vec<UsageRow>, StoreError>;

    /// Receipts of erasures, oldest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn receipts(&self, query: ReceiptQuery) -> Result<Vec<ReceiptRow>, StoreError>;

    /// Lines of the audit log after a number, oldest first, at most `limit`.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn audit_lines(&self, after: u64, limit: usize) -> Result<Vec<AuditLine>, StoreError>;

    /// Where the audit log ends.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn audit_end(&self) -> Result<AuditEnd, StoreError>;
}
