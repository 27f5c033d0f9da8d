//! Searching the files after an erasure, and the receipts.

use std::path::Path;

use memoriter_core::access::Right;
use memoriter_core::audit::{AuditEntry, AuditKind, Chain, pseudonym};
use memoriter_core::error::Diagnose;
use memoriter_core::forget::{
    ErasedCounts, KeysGone, Progress, Receipt, ReceiptState, Search, SignedReceipt, continued,
};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{
    KeysOf, Needles, NewReceipt, Patience, ReceiptQuery, ReceiptRow, Scrubbed, StoreError, Write,
};

use super::{Erasing, Request};
use crate::engine::Engine;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::open::Memoriter;

/// How long after a search that a reader kept from its end a write tries again by itself: ten seconds.
const RETRY_MICROS: i64 = 10_000_000;
/// How long after the last unit of an erasure whoever carried it out is taken to have stopped: two minutes. A unit takes
/// seconds. One that goes on after all says so in its receipt.
const STOPPED_AFTER_MICROS: i64 = 120_000_000;

/// Lines of the audit log that are read together.
const LINES_TOGETHER: usize = 1_000;

/// A receipt of this store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptReceipt {
    /// The request, in hexadecimal digits.
    pub id: String,
    /// When it was made.
    pub at: Timestamp,
    /// How far it has come.
    pub state: ReceiptState,
    /// The signed document: JSON.
    pub document: String,
}

/// What came of completing erasures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completed {
    /// Receipts that have come to an end now: complete ones, and those of erasures that were interrupted.
    pub receipts: Vec<KeptReceipt>,
    /// How many still wait: for a reader to leave, for a search that does not fail, or for who carries them out.
    pub pending: usize,
}

impl Erasing<'_> {
    /// The receipt of a request that begins.
    pub(super) fn receipt(&self, request: &Request, unmarked: u64) -> Result<Receipt, Error> {
        let store = &self.memory.engine.store;
        let end = store.snapshot()?.audit_end()?;
        Ok(Receipt {
            id: request.id,
            at: request.now,
            subject: pseudonym(store.secret(), &self.memory.scope),
            selector: self.selector.kind().to_owned(),
            progress: Progress::begun(),
            audit: (end.lines, end.hash),
            unmarked,
            engine: concat!("memoriter ", env!("CARGO_PKG_VERSION")).to_owned(),
        })
    }
}

impl ScopedMemory {
    /// The receipt of an erasure in this scope, by its id in hexadecimal digits. One of another scope is not there for
    /// this handle.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn receipt(&self, id: &str) -> Result<Option<KeptReceipt>, Error> {
        self.may(Right::Read)?;
        let Some(id) = read_id(id) else {
            return Ok(None);
        };
        let rows = self
            .engine
            .store
            .snapshot()?
            .receipts(ReceiptQuery::Id(id))?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let signed = SignedReceipt::verify(&row.receipt.body)?;
        let is_own = signed.is_about(self.engine.store.secret(), &self.scope);
        is_own.then(|| self.engine.kept(row)).transpose()
    }
}

/// The 16 bytes of an id in hexadecimal digits.
fn read_id(text: &str) -> Option<[u8; 16]> {
    let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let id = u128::from_str_radix(text, 16).ok().filter(|_| is_hex)?;
    Some(id.to_be_bytes())
}

impl Memoriter {
    /// Searches the files for erasures whose receipt is pending, and completes those that no reader of an old snapshot
    /// keeps from it any more. What somebody began and has stopped for two minutes becomes *interrupted*. A worker and
    /// the next write do that by themselves. Where something was found in the files, they are searched again.
    ///
    /// # Errors
    /// When the store fails.
    pub fn complete_erasures(&self) -> Result<Completed, Error> {
        self.may(Right::Admin)?;
        self.engine.complete(&ReceiptState::ALL)
    }

    /// The receipts of erasures, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn receipts(&self) -> Result<Vec<KeptReceipt>, Error> {
        self.may(Right::Admin)?;
        let rows = self.engine.store.snapshot()?.receipts(ReceiptQuery::All)?;
        rows.iter().map(|row| self.engine.kept(row)).collect()
    }

    /// Whether a receipt is of this store. That its signature fits, [`SignedReceipt::verify`] has found.
    #[must_use]
    pub fn has_signed(&self, receipt: &SignedReceipt) -> bool {
        receipt.is_of(self.engine.store.secret())
    }

    /// Whether the audit log is whole from its first line to its end, has the line that a receipt names as it was then, and
    /// after it the erasure of the receipt. It is not where somebody has since changed, removed, moved or put in a line, or
    /// made the log anew, nor where the store was put back to a state before. The whole log is read, a part at a time.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn has_logged(&self, receipt: &SignedReceipt) -> Result<bool, Error> {
        let snapshot = self.engine.store.snapshot()?;
        let named = receipt.audit();
        let request = receipt.receipt.get("id").map(ToString::to_string);
        let (mut was_then, mut is_told) = (named.is_none(), false);
        let mut chain = Chain::default();
        loop {
            let page = snapshot.audit_lines(chain.lines, LINES_TOGETHER)?;
            if page.is_empty() {
                break;
            }
            for line in page {
                is_told |= was_then && request.as_ref().is_some_and(|id| line.line.contains(id));
                was_then |= named == Some((line.number, line.hash));
                if chain.follow(line.number, &line.line, line.hash).is_err() {
                    return Ok(false);
                }
            }
        }
        let end = snapshot.audit_end()?;
        Ok(is_told && (chain.lines, chain.hash) == (end.lines, end.hash))
    }
}

impl Engine {
    /// Searches the files for what an erasure took, and keeps the receipt that comes of it.
    pub(super) fn prove(
        &self,
        id: [u8; 16],
        (needles, keys): (Needles, Option<KeysGone>),
        patience: Patience,
    ) -> Result<KeptReceipt, Error> {
        let row = self.receipt_of(id)?;
        let mut progress = self.searched(row.counts, &needles, patience);
        progress.keys = keys;
        if progress.state != ReceiptState::Complete {
            self.erasures.keep(id, needles);
            self.erasures.wait_since(Some(self.clock.now()));
        }
        // Whatever another process has come to meanwhile: this one knows what it looked for.
        self.go_on(&row, &progress, None)
    }

    /// Destroys the keys of those of the scopes that hold nothing any more. Where that fails, the receipt says so: the rows
    /// are gone.
    pub(super) fn destroy_keys(&self, scopes: Vec<Scope>) -> Option<KeysGone> {
        if !self.store.is_encrypted() {
            return None;
        }
        Some(match self.store.destroy_keys(KeysOf::Scopes(scopes)) {
            Ok(keys) => KeysGone {
                destroyed: keys.ids.iter().map(ToString::to_string).collect(),
                is_all: keys.kept == 0,
                why: None,
            },
            Err(error) => KeysGone {
                why: Some(error.code().to_owned()),
                ..KeysGone::default()
            },
        })
    }

    /// What a search of the files comes to. Where it fails, it is tried again later, and the receipt says why: the rows are
    /// gone.
    fn searched(&self, counts: ErasedCounts, needles: &Needles, patience: Patience) -> Progress {
        let pending = Progress {
            state: ReceiptState::Pending,
            counts,
            ..Progress::begun()
        };
        match self.store.scrub(needles, patience) {
            Err(error) => Progress {
                why: Some(error.code().to_owned()),
                ..pending
            },
            Ok(scrubbed) if !scrubbed.is_done => Progress {
                why: Some("reader".to_owned()),
                ..pending
            },
            Ok(scrubbed) => {
                let is_clean = scrubbed.found == 0;
                Progress {
                    state: if is_clean {
                        ReceiptState::Complete
                    } else {
                        ReceiptState::Failed
                    },
                    at: Some(self.clock.now()),
                    search: Some(search_of(&scrubbed, needles)),
                    why: (!is_clean).then(|| "residue".to_owned()),
                    ..pending
                }
            }
        }
    }

    /// Completes what can be completed, of receipts in these states.
    fn complete(&self, states: &[ReceiptState]) -> Result<Completed, Error> {
        let mut done = Completed::default();
        let mut open = self.store.snapshot()?.receipts(ReceiptQuery::Open)?;
        open.retain(|row| states.contains(&row.receipt.state));
        for row in open {
            let before = (row.receipt.state, row.receipt.touched_at);
            let ended = match self.next_of(&row)? {
                None => None,
                Some(progress) => match self.go_on(&row, &progress, Some(before)) {
                    Err(Error::Store(StoreError::ReceiptChanged)) => None,
                    receipt => Some(receipt?).filter(|receipt| !receipt.state.is_open()),
                },
            };
            match ended {
                Some(receipt) => {
                    self.erasures.let_go(&row.receipt.id);
                    done.receipts.push(receipt);
                }
                None => done.pending += 1,
            }
        }
        self.erasures
            .wait_since((done.pending > 0).then(|| self.clock.now()));
        Ok(done)
    }

    /// How an erasure goes on; `None` where it has to wait.
    fn next_of(&self, row: &ReceiptRow) -> Result<Option<Progress>, Error> {
        let receipt = &row.receipt;
        if self.erasures.is_running(&receipt.id) {
            return Ok(None);
        }
        let needles = self.erasures.needles(&receipt.id);
        match (receipt.state, needles) {
            (ReceiptState::Begun, _) => {
                let idle = self.clock.now().as_micros() - receipt.touched_at.as_micros();
                Ok((idle >= STOPPED_AFTER_MICROS).then(|| self.interrupted(row.counts)))
            }
            (ReceiptState::Pending | ReceiptState::Failed, Some(needles)) => {
                let progress = self.searched(row.counts, &needles, Patience::None);
                Ok((progress.state != receipt.state).then_some(progress))
            }
            (ReceiptState::Pending, None) => {
                // Who erased may have stopped before.
                self.store.destroy_keys(KeysOf::Unused)?;
                let scrubbed = self.store.scrub(&Needles::default(), Patience::None)?;
                Ok(scrubbed.is_done.then(|| Progress {
                    state: ReceiptState::Complete,
                    at: Some(self.clock.now()),
                    counts: row.counts,
                    search: None,
                    why: None,
                    keys: None,
                }))
            }
            // Whoever found something knows what it was.
            (ReceiptState::Failed, None)
            | (ReceiptState::Complete | ReceiptState::Interrupted, _) => Ok(None),
        }
    }

    /// What is there of an erasure that was stopped; what has gone leaves the log now or with the next search.
    fn interrupted(&self, counts: ErasedCounts) -> Progress {
        let _ = self.store.destroy_keys(KeysOf::Unused);
        let _ = self.store.scrub(&Needles::default(), Patience::None);
        Progress {
            state: ReceiptState::Interrupted,
            at: Some(self.clock.now()),
            counts,
            search: None,
            why: Some("stopped".to_owned()),
            keys: None,
        }
    }

    /// Says that an erasure has stopped in the middle.
    pub(super) fn interrupt(&self, id: [u8; 16]) -> Result<KeptReceipt, Error> {
        let row = self.receipt_of(id)?;
        let progress = self.interrupted(row.counts);
        self.go_on(&row, &progress, None)
    }

    /// What the next write does for erasures that wait, now and then. A failure is left to the next one: the write itself
    /// has succeeded.
    pub(crate) fn complete_in_passing(&self) {
        let now = self.clock.now();
        let is_due = self
            .erasures
            .waiting_since()
            .is_some_and(|since| now.as_micros() - since.as_micros() >= RETRY_MICROS);
        if is_due {
            self.complete_waiting();
        }
    }

    /// Completes what waits. To search again for what was found is for who asks for it: it reads the whole file.
    pub(crate) fn complete_waiting(&self) {
        // A failure shows with the next work, too.
        let _ = self.complete(&[ReceiptState::Begun, ReceiptState::Pending]);
    }

    /// Says with the last unit that all rows are gone.
    pub(super) fn put_pending(&self, request: &Request) -> Result<Write, Error> {
        let row = self.receipt_of(request.id)?;
        let receipt = NewReceipt {
            state: ReceiptState::Pending,
            touched_at: self.clock.now(),
            ..row.receipt
        };
        Ok(Write::PutReceipt {
            receipt: Box::new(receipt),
            over: None,
        })
    }

    fn receipt_of(&self, id: [u8; 16]) -> Result<ReceiptRow, Error> {
        let rows = self.store.snapshot()?.receipts(ReceiptQuery::Id(id))?;
        let gone = || StoreError::Damaged {
            place: "receipt".to_owned(),
            why: "it is gone".to_owned(),
        };
        Ok(rows.into_iter().next().ok_or_else(gone)?)
    }

    /// Keeps a receipt as it goes on; where it comes to an end, with a line of the audit log.
    fn go_on(
        &self,
        row: &ReceiptRow,
        progress: &Progress,
        over: Option<(ReceiptState, Timestamp)>,
    ) -> Result<KeptReceipt, Error> {
        let secret = self.store.secret();
        let receipt = NewReceipt {
            state: progress.state,
            touched_at: self.clock.now(),
            body: continued(&row.receipt.body, secret, progress)?,
            ..row.receipt
        };
        let kept = KeptReceipt::of(&receipt, receipt.body.clone());
        let mut writes = vec![Write::PutReceipt {
            receipt: Box::new(receipt),
            over,
        }];
        if progress.at.is_some() {
            let entry = AuditEntry {
                at: self.clock.now(),
                actor: Some("engine".to_owned()),
                kind: AuditKind::Scrub,
                decision: progress.state.as_str().to_owned(),
                records: vec![kept.id.clone()],
                count: progress.counts.records(),
            };
            writes.push(Write::Audit(entry.line_about(&subject_of(&kept.document))));
        }
        self.store.commit(writes)?;
        Ok(kept)
    }

    /// A receipt as others see it: what is on its way is told with what has gone so far.
    fn kept(&self, row: &ReceiptRow) -> Result<KeptReceipt, Error> {
        let receipt = &row.receipt;
        let document = match receipt.state {
            ReceiptState::Begun | ReceiptState::Pending => {
                let said = SignedReceipt::verify(&receipt.body)?.receipt;
                let why = said.get("why").and_then(|why| why.as_str());
                let progress = Progress {
                    state: receipt.state,
                    counts: row.counts,
                    why: why.map(str::to_owned),
                    ..Progress::begun()
                };
                continued(&receipt.body, self.store.secret(), &progress)?
            }
            ReceiptState::Complete | ReceiptState::Failed | ReceiptState::Interrupted => {
                receipt.body.clone()
            }
        };
        Ok(KeptReceipt::of(receipt, document))
    }
}

impl KeptReceipt {
    fn of(receipt: &NewReceipt, document: String) -> Self {
        let digits = receipt.id.iter().map(|byte| format!("{byte:02x}"));
        Self {
            id: digits.collect(),
            at: receipt.at,
            state: receipt.state,
            document,
        }
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
