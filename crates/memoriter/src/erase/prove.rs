//! Searching the files after an erasure, and the receipts.

use std::path::Path;

use memoriter_core::audit::{AuditEntry, AuditKind, pseudonym};
use memoriter_core::forget::{
    ErasedCounts, Receipt, ReceiptState, Search, SignedReceipt, completed,
};
use memoriter_core::time::Timestamp;
use memoriter_store::{Needles, Patience, ReceiptQuery, ReceiptRow, Scrubbed, Write};

use super::{Erasing, Request};
use crate::engine::Engine;
use crate::error::Error;
use crate::open::Memoriter;

/// How long after a search that a reader kept from its end a write tries again by itself: ten seconds.
const RETRY_MICROS: i64 = 10_000_000;

/// A receipt of this store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptReceipt {
    /// The request, in hexadecimal digits.
    pub id: String,
    /// When it was made.
    pub at: Timestamp,
    /// Whether the files still have to be searched.
    pub is_pending: bool,
    /// The signed document: JSON.
    pub document: String,
}

/// What came of completing erasures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completed {
    /// Receipts that are complete now.
    pub receipts: Vec<KeptReceipt>,
    /// How many still wait for a reader to leave.
    pub pending: usize,
}

impl From<ReceiptRow> for KeptReceipt {
    fn from(row: ReceiptRow) -> Self {
        let digits = row.id.iter().map(|byte| format!("{byte:02x}"));
        Self {
            id: digits.collect(),
            at: row.at,
            is_pending: row.is_pending,
            document: row.body,
        }
    }
}

impl Erasing<'_> {
    /// The receipt of a request as it is before the files are searched.
    pub(super) fn receipt(
        &self,
        request: &Request,
        counts: ErasedCounts,
    ) -> Result<Receipt, Error> {
        let store = &self.memory.engine.store;
        let end = store.snapshot()?.audit_end()?;
        Ok(Receipt {
            id: request.id,
            at: request.now,
            subject: pseudonym(store.secret(), &self.memory.scope),
            selector: self.selector.kind().to_owned(),
            counts,
            state: ReceiptState::Pending,
            completed_at: None,
            search: None,
            audit: (end.lines, end.hash),
            engine: concat!("memoriter ", env!("CARGO_PKG_VERSION")).to_owned(),
        })
    }
}

impl Memoriter {
    /// Searches the files for erasures whose receipt is pending, and completes those that no reader of an old snapshot
    /// keeps from it any more. A worker and the next write do it by themselves.
    ///
    /// # Errors
    /// When the store fails.
    pub fn complete_erasures(&self) -> Result<Completed, Error> {
        self.engine.complete_erasures()
    }

    /// The receipts of erasures, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn receipts(&self) -> Result<Vec<KeptReceipt>, Error> {
        let rows = self.engine.store.snapshot()?.receipts(ReceiptQuery::All)?;
        Ok(rows.into_iter().map(KeptReceipt::from).collect())
    }

    /// Whether a receipt is of this store. That its signature fits, [`SignedReceipt::verify`] has found.
    #[must_use]
    pub fn has_signed(&self, receipt: &SignedReceipt) -> bool {
        receipt.is_of(self.engine.store.secret())
    }
}

impl Engine {
    /// Searches the files for what an erasure took, and keeps the receipt that comes of it.
    pub(super) fn prove(
        &self,
        receipt: &Receipt,
        needles: Needles,
        patience: Patience,
    ) -> Result<KeptReceipt, Error> {
        let row = ReceiptRow {
            id: receipt.id,
            at: receipt.at,
            is_pending: true,
            body: receipt.signed(self.store.secret()),
        };
        // The rows are gone, whatever becomes of the search: where it fails, it is tried again later.
        let scrubbed = self.store.scrub(&needles, patience).unwrap_or_default();
        let row = if scrubbed.is_done {
            self.completed(&row, Some(&search_of(&scrubbed, &needles)))?
        } else {
            self.unsearched().insert(row.id, needles);
            self.pending_since(Some(self.clock.now()));
            row
        };
        self.store.commit(self.writes_of(&row))?;
        Ok(row.into())
    }

    /// Completes what can be completed.
    pub(crate) fn complete_erasures(&self) -> Result<Completed, Error> {
        let mut done = Completed::default();
        let pending = self.store.snapshot()?.receipts(ReceiptQuery::Pending)?;
        for row in pending {
            let needles = self.unsearched().get(&row.id).cloned();
            let scrubbed = self
                .store
                .scrub(&needles.clone().unwrap_or_default(), Patience::None)?;
            if !scrubbed.is_done {
                done.pending += 1;
                continue;
            }
            let search = needles.map(|needles| search_of(&scrubbed, &needles));
            let row = self.completed(&row, search.as_ref())?;
            self.store.commit(self.writes_of(&row))?;
            self.unsearched().remove(&row.id);
            done.receipts.push(row.into());
        }
        self.pending_since((done.pending > 0).then(|| self.clock.now()));
        Ok(done)
    }

    /// What the next write does for erasures that wait, now and then. A failure is left to the next one: the write itself
    /// has succeeded.
    pub(crate) fn complete_in_passing(&self) {
        let now = self.clock.now();
        let is_due = self
            .pending_since_when()
            .is_some_and(|since| now.as_micros() - since.as_micros() >= RETRY_MICROS);
        if is_due {
            let _ = self.complete_erasures();
        }
    }

    fn completed(&self, row: &ReceiptRow, search: Option<&Search>) -> Result<ReceiptRow, Error> {
        let body = completed(&row.body, self.store.secret(), self.clock.now(), search)?;
        Ok(ReceiptRow {
            is_pending: false,
            body,
            ..row.clone()
        })
    }

    fn writes_of(&self, row: &ReceiptRow) -> Vec<Write> {
        let id: String = KeptReceipt::from(row.clone()).id;
        let mut writes = vec![Write::PutReceipt(Box::new(row.clone()))];
        if !row.is_pending {
            let entry = AuditEntry {
                at: self.clock.now(),
                actor: Some("engine".to_owned()),
                kind: AuditKind::Scrub,
                decision: "complete".to_owned(),
                records: vec![id],
                count: 1,
            };
            writes.push(Write::Audit(entry.line_about(&subject_of(&row.body))));
        }
        writes
    }
}

/// Whom a receipt is about, by its pseudonym.
fn subject_of(document: &str) -> String {
    let signed = SignedReceipt::verify(document).ok();
    let subject =
        signed.and_then(|signed| Some(signed.receipt.get("subject")?.as_str()?.to_owned()));
    subject.unwrap_or_default()
}

fn search_of(scrubbed: &Scrubbed, needles: &Needles) -> Search {
    let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
    Search {
        files: scrubbed
            .files
            .iter()
            .map(|(path, bytes)| (name(path), *bytes))
            .collect(),
        sought: scrubbed.sought,
        shared: scrubbed.shared,
        found: scrubbed.found,
        short: needles.short(),
    }
}
