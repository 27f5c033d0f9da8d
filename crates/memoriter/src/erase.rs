//! Removing for good, with proof.
//!
//! An erasure is planned on a snapshot, carried out in units that are each whole, and followed by a search of the files for
//! what went. The receipt says in numbers what was done.

mod again;
mod find;
mod open;
mod plan;
mod prove;
mod says;
mod sentences;

use std::collections::{BTreeSet, VecDeque};

use memoriter_core::access::Right;
use memoriter_core::audit::{AuditEntry, AuditKind};
pub use memoriter_core::forget::ReceiptState;
use memoriter_core::forget::Selector;
use memoriter_core::port::Entropy;
use memoriter_core::time::Timestamp;
use memoriter_store::{Committed, Needles, NewReceipt, Outcome, Patience, StoreError, Write};

use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::remember::attempt_often;

pub(crate) use self::again::ErasedWhole;
pub(crate) use self::open::Erasures;
use self::plan::Unit;
pub use self::plan::{ErasePlan, Planned, PlannedRecord};
pub use self::prove::{Completed, KeptReceipt};

/// Records of a part of a unit: with the parts of a unit they stay below what a store takes, and others wait for a moment only.
const UNIT_RECORDS: usize = 4_000;
/// Parts of so many records that are one unit.
const UNIT_PARTS: usize = 3;
/// How often a later unit is planned anew when a memory that stays changed meanwhile.
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
    /// use memoriter::{Memoriter, Note, ReceiptState, Scope, Selector};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("memory.db");
    /// let memory = Memoriter::open(path)?;
    /// let priya = memory.scope(Scope::user("priya"));
    /// priya.remember(Note::new("I live in Berlin").key("user.city".parse()?).value("Berlin"))?;
    ///
    /// let selector = Selector::Key("user.city".parse()?);
    /// assert_eq!(priya.erase(selector.clone()).dry_run()?.records.len(), 1);
    /// let receipt = priya.erase(selector).run()?;
    /// assert!(receipt.state == ReceiptState::Complete && receipt.document.contains(r#""memories":1"#));
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
        self.memory.may(Right::Delete)?;
        self.plan()
    }

    /// Carries it out. When it returns, no call returns what went and no row has it. Where a reader holds an old
    /// snapshot, its bytes are in the log until that reader leaves: then the receipt is pending, as it is where the files
    /// could not be searched, and [`Memoriter::complete_erasures`](crate::Memoriter::complete_erasures) completes it.
    ///
    /// # Errors
    /// As [`Erasing::dry_run`], or when the store cannot be written. An erasure of more than some thousand records is
    /// several units; those before the failing one stay done and counted in the receipt, which is then *interrupted*, and
    /// the same call does the rest.
    pub fn run(&self) -> Result<KeptReceipt, Error> {
        self.memory.may(Right::Delete)?;
        let engine = &self.memory.engine;
        // What was recalled is noted before the indexes, which know of it, are let go of.
        engine.flush_marks();
        let mut id = [0; 16];
        Entropy::fill(engine.entropy.as_ref(), &mut id);
        let request = Request {
            id,
            now: engine.clock.now(),
        };
        let _running = engine.erasures.begin(id);
        let (mut plan, first, committed) = attempt_often(|| {
            let plan = self.plan()?;
            let (first, committed) = self.commit_first(&plan, &request)?;
            Ok((plan, first, committed))
        })?;
        let mut needles = Needles::default();
        gather(committed, &mut needles);
        let carried = self.carry_on(&mut plan, first, &request, &mut needles);
        let scopes = plan.scopes();
        engine.indexes.let_go(&scopes);
        engine.made_spans.let_go(&scopes);
        if let Err(error) = carried {
            // The error says more than a second one would.
            let _ = engine.interrupt(id);
            return Err(error);
        }
        let keys = engine.destroy_keys(scopes);
        engine.prove(id, (needles, keys), Patience::Wait)
    }

    /// The first unit goes with the receipt that counts what goes, and the line of the audit log.
    fn commit_first(
        &self,
        plan: &ErasePlan,
        request: &Request,
    ) -> Result<(Unit, Committed), Error> {
        let engine = &self.memory.engine;
        let mut units = plan.units(request).into_iter();
        let first = units.next().unwrap_or_default();
        let begun = self.receipt(request, plan.unmarked)?;
        let secret = engine.store.secret();
        let state = if units.next().is_some() {
            ReceiptState::Begun
        } else {
            ReceiptState::Pending
        };
        let entry = AuditEntry {
            at: request.now,
            actor: None,
            kind: AuditKind::Erase,
            decision: self.selector.kind().to_owned(),
            records: vec![begun.id_text()],
            count: plan.records.len() as u64,
        };
        let mut writes = vec![Write::PutReceipt {
            receipt: Box::new(NewReceipt {
                id: request.id,
                at: request.now,
                state,
                touched_at: request.now,
                body: begun.signed(secret),
            }),
            over: None,
        }];
        writes.extend(first.writes.iter().cloned());
        writes.push(Write::Audit(entry.line(secret, &self.memory.scope)));
        let committed = engine.store.commit(writes)?;
        Ok((first, committed))
    }

    /// The other units. Where somebody has changed what stays, or a unit of ours has, it is found out anew what goes.
    fn carry_on(
        &self,
        plan: &mut ErasePlan,
        first: Unit,
        request: &Request,
        needles: &mut Needles,
    ) -> Result<(), Error> {
        let engine = &self.memory.engine;
        let mut gone: BTreeSet<PlannedRecord> = first.records.into_iter().collect();
        let mut units: VecDeque<Unit> = plan.units(request).into_iter().skip(1).collect();
        let mut attempts = 0;
        while let Some(unit) = units.pop_front() {
            let mut writes = unit.writes.clone();
            if units.is_empty() {
                writes.push(engine.put_pending(request)?);
            }
            match engine.store.commit(writes) {
                Ok(committed) => {
                    gather(committed, needles);
                    gone.extend(unit.records);
                    attempts = 0;
                }
                Err(StoreError::Conflict { .. }) if attempts < UNIT_ATTEMPTS => {
                    attempts += 1;
                    let again = self.plan_again(plan)?;
                    units = again.clone().without(plan, &gone).units(request).into();
                    *plan = again;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Gathers what to look for after a unit.
fn gather(committed: Committed, needles: &mut Needles) {
    for outcome in committed.outcomes {
        if let Outcome::Erased(erased) = outcome {
            needles.add(erased.needles);
        }
    }
}
