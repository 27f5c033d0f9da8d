//! The ledger of decisions, as callers read it.

use memoriter_core::access::Right;
use memoriter_core::id::MemoryId;
use memoriter_store::DecisionRecord;

use crate::draft::sound;
use crate::error::Error;
use crate::handle::ScopedMemory;

/// Lines that are read at a time.
const PAGE_LINES: usize = 10_000;

impl ScopedMemory {
    /// The ledger of this scope after the line `after` (`None`: from the beginning), oldest first, at most `limit`
    /// lines, each with its number: which decisions were made, why, on what, and what found it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn ledger(
        &self,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Vec<(u64, DecisionRecord)>, Error> {
        self.may(Right::Read)?;
        let snapshot = self.engine.store.snapshot()?;
        Ok(sound(snapshot.decisions(&self.scope, after, limit)?)?)
    }

    /// The decisions of this scope that a memory comes from or was the answer to, oldest first. Reads the whole
    /// ledger of the scope.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn decisions_on(&self, id: MemoryId) -> Result<Vec<DecisionRecord>, Error> {
        self.may(Right::Read)?;
        let mut on_it = Vec::new();
        let mut after = None;
        loop {
            let page = self.ledger(after, PAGE_LINES)?;
            let Some((last, _)) = page.last() else {
                return Ok(on_it);
            };
            after = Some(*last);
            let lines = page.into_iter().map(|(_, record)| record);
            on_it.extend(lines.filter(|record| record.decision.id == Some(id)));
        }
    }
}
