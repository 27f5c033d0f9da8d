//! Which lines of a ledger are known.

use std::collections::HashMap;

use memoriter_core::scope::Scope;
use memoriter_store::{DecisionRecord, Snapshot, StoreError};

use super::super::BATCH_RECORDS;
use super::super::form::{DecisionLine, Line};

/// The lines that the ledger of a scope has, each as often as it has it. A line has no name, so it is known by what it
/// says; twenty bytes are kept of each.
pub(super) struct KnownDecisions(HashMap<[u8; 16], u32>);

impl KnownDecisions {
    pub(super) fn read(snapshot: &dyn Snapshot, scope: &Scope) -> Result<Self, StoreError> {
        let mut known = HashMap::new();
        let mut after = None;
        loop {
            let page = snapshot.decisions(scope, after, BATCH_RECORDS)?;
            let Some((last, _)) = page.rows.last() else {
                return Ok(Self(known));
            };
            after = Some(*last);
            for (_, record) in &page.rows {
                *known.entry(fingerprint(record)).or_default() += 1;
            }
        }
    }

    /// Whether the ledger has a line of which no other line of the file was found to be the same.
    pub(super) fn take(&mut self, record: &DecisionRecord) -> bool {
        let Some(left) = self.0.get_mut(&fingerprint(record)) else {
            return false;
        };
        let is_left = *left > 0;
        *left = left.saturating_sub(1);
        is_left
    }
}

fn fingerprint(record: &DecisionRecord) -> [u8; 16] {
    of_line(&Line::Decision(Box::new(DecisionLine::from(record))))
}

/// What a line is known by.
pub(super) fn of_line(line: &Line<'_>) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    serde_json::to_writer(&mut hasher, line).expect("a line has text as keys and finite numbers");
    let mut fingerprint = [0; 16];
    hasher.finalize_xof().fill(&mut fingerprint);
    fingerprint
}
