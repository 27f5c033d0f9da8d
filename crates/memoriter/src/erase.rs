//! Removing for good, with proof.
//!
//! An erasure is planned on a snapshot, carried out in units that are each whole, and followed by a search of the files for
//! what went. The receipt says in numbers what was done.

mod find;
mod plan;
mod prove;

use memoriter_core::audit::{AuditEntry, AuditKind};
use memoriter_core::forget::{ErasedCounts, Selector};
use memoriter_core::id::ChangeNumber;
use memoriter_core::port::Entropy;
use memoriter_core::time::Timestamp;
use memoriter_store::{
    Committed, Erasure, Needles, Outcome, Patience, ReceiptRow, StoreError, Write,
};

use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::remember::attempt_often;

pub use self::plan::{ErasePlan, Planned, PlannedRecord};
pub use self::prove::{Completed, KeptReceipt};

/// Records of one unit: with two marks each they stay below what a store takes, and others wait for a moment only.
const UNIT_RECORDS: usize = 4_000;
/// How often a later unit is tried again when a memory that stays changed meanwhile.
const UNIT_ATTEMPTS: usize = 16;

/// An erasure to carry out, or to look at first.
pub struct Erasing<'a> {
    memory: &'a ScopedMemory,
    selector: Selector,
}

/// A request with its id and time.
struct Request {
    id: [u8; 16],
    now: Timestamp,
}

impl ScopedMemory {
    /// Removes for good what the selector means in this scope, with everything that follows from it. What follows, and
    /// what is proved, is told in `docs/forgetting.md`.
    ///
    /// ```
    /// use memoriter::{Memoriter, Note, Scope, Selector};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("memory.db");
    /// let memory = Memoriter::open(path)?;
    /// let priya = memory.scope(Scope::user("priya"));
    /// priya.remember(Note::new("I live in Berlin").key("user.city".parse()?).value("Berlin"))?;
    ///
    /// let selector = Selector::Key("user.city".parse()?);
    /// assert_eq!(priya.erase(selector.clone()).dry_run()?.records.len(), 1);
    /// let receipt = priya.erase(selector).run()?;
    /// assert!(!receipt.is_pending && receipt.document.contains(r#""memories":1"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn erase(&self, selector: Selector) -> Erasing<'_> {
        Erasing {
            memory: self,
            selector,
        }
    }
}

impl Erasing<'_> {
    /// What would go, and nothing happens.
    ///
    /// # Errors
    /// When what is named is not there, or the store cannot be read.
    pub fn dry_run(&self) -> Result<ErasePlan, Error> {
        self.plan()
    }

    /// Carries it out. When it returns, no call returns what went and no row has it. Where a reader holds an old
    /// snapshot, its bytes are in the log until that reader leaves: then the receipt is pending, and
    /// [`Memoriter::complete_erasures`](crate::Memoriter::complete_erasures) completes it.
    ///
    /// # Errors
    /// As [`Erasing::dry_run`], or when the store cannot be written. An erasure of more than some thousand records is
    /// several units; those before the failing one stay done, and the same call does the rest.
    pub fn run(&self) -> Result<KeptReceipt, Error> {
        let engine = &self.memory.engine;
        // What was recalled is noted before the indexes, which know of it, are let go of.
        engine.flush_marks();
        let mut id = [0; 16];
        Entropy::fill(engine.entropy.as_ref(), &mut id);
        let request = Request {
            id,
            now: engine.clock.now(),
        };
        let (plan, committed) = attempt_often(|| {
            let plan = self.plan()?;
            let committed = self.commit_first(&plan, &request)?;
            Ok((plan, committed))
        })?;
        let (mut counts, mut needles) = (ErasedCounts::default(), Needles::default());
        let mut head = gather(committed, &mut counts, &mut needles);
        for unit in plan.units(request.now).into_iter().skip(1) {
            head = self.commit_next(unit, head, (&mut counts, &mut needles))?;
        }
        let scopes = plan.scopes();
        engine.indexes.let_go(&scopes);
        engine.made_spans.let_go(&scopes);
        let receipt = self.receipt(&request, counts)?;
        self.memory.engine.prove(&receipt, needles, Patience::Wait)
    }

    /// The first unit goes with the receipt that is to be completed, and the line of the audit log.
    fn commit_first(&self, plan: &ErasePlan, request: &Request) -> Result<Committed, Error> {
        let engine = &self.memory.engine;
        let mut unit = plan
            .units(request.now)
            .into_iter()
            .next()
            .unwrap_or_default();
        let begun = self.receipt(request, plan.counts())?;
        let secret = engine.store.secret();
        unit.push(Write::PutReceipt(Box::new(ReceiptRow {
            id: request.id,
            at: request.now,
            is_pending: true,
            body: begun.signed(secret),
        })));
        let entry = AuditEntry {
            at: request.now,
            actor: None,
            kind: AuditKind::Erase,
            decision: self.selector.kind().to_owned(),
            records: vec![begun.id_text()],
            count: plan.records.len() as u64,
        };
        unit.push(Write::Audit(entry.line(secret, &self.memory.scope)));
        Ok(engine.store.commit(unit)?)
    }

    /// A memory that stays may have changed because the unit before took an edge from it.
    fn commit_next(
        &self,
        unit: Vec<Write>,
        mut head: ChangeNumber,
        (counts, needles): (&mut ErasedCounts, &mut Needles),
    ) -> Result<ChangeNumber, Error> {
        let store = &self.memory.engine.store;
        for _ in 1..UNIT_ATTEMPTS {
            match store.commit(read_at(unit.clone(), head)) {
                Err(StoreError::Conflict { .. }) => head = store.head()?,
                committed => return Ok(gather(committed?, counts, needles)),
            }
        }
        let committed = store.commit(read_at(unit, store.head()?))?;
        Ok(gather(committed, counts, needles))
    }
}

/// The unit, as of another change.
fn read_at(mut unit: Vec<Write>, head: ChangeNumber) -> Vec<Write> {
    for write in &mut unit {
        if let Write::Erase(erasure) = write {
            **erasure = Erasure {
                read_at: head,
                ..Erasure::clone(erasure)
            };
        }
    }
    unit
}

/// Adds up what a unit did.
fn gather(committed: Committed, counts: &mut ErasedCounts, needles: &mut Needles) -> ChangeNumber {
    for outcome in committed.outcomes {
        if let Outcome::Erased(erased) = outcome {
            counts.add(&erased.counts);
            needles.add(erased.needles);
        }
    }
    committed.head
}
