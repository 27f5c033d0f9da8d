//! Which lines of a ledger are known.

use std::collections::HashMap;

use memoriter_core::id::MemoryId;
use memoriter_core::provenance::SourceRef;
use memoriter_core::scope::Scope;
use memoriter_core::write::Decision;
use memoriter_store::{DecisionRecord, MemoryQuery, Snapshot, StoreError, TurnQuery};

use super::super::BATCH_RECORDS;
use super::super::form::{DecisionLine, Line};

/// The lines that the ledger of a scope has, each as often as it has it. A line has no name, so it is known by what it
/// says; twenty bytes are kept of each.
pub(super) struct KnownDecisions {
    lines: HashMap<[u8; 16], u32>,
    has_gaps: bool,
}

impl KnownDecisions {
    pub(super) fn read(snapshot: &dyn Snapshot, scope: &Scope) -> Result<Self, StoreError> {
        let mut known = HashMap::new();
        let mut after = None;
        loop {
            let page = snapshot.decisions(scope, after, BATCH_RECORDS)?;
            let Some((last, _)) = page.rows.last() else {
                let has_gaps = snapshot.has_forgotten(scope)?;
                let lines = known;
                return Ok(Self { lines, has_gaps });
            };
            after = Some(*last);
            for (_, record) in &page.rows {
                *known.entry(fingerprint(record)).or_default() += 1;
            }
        }
    }

    /// Whether something may have been erased that lines name.
    pub(super) fn has_gaps(&self) -> bool {
        self.has_gaps
    }

    /// Whether the ledger has a line of which no other line of the file was found to be the same.
    pub(super) fn take(&mut self, record: &DecisionRecord) -> bool {
        let Some(left) = self.lines.get_mut(&fingerprint(record)) else {
            return false;
        };
        let is_left = *left > 0;
        *left = left.saturating_sub(1);
        is_left
    }
}

/// A line as a store keeps it that has erased what the line names: without the names of what is not there.
pub(super) fn without_gone(
    snapshot: &dyn Snapshot,
    record: DecisionRecord,
) -> Result<DecisionRecord, StoreError> {
    let scopes = std::slice::from_ref(&record.scope);
    let decision = &record.decision;
    let mut ids: Vec<MemoryId> = decision.id.into_iter().chain(decision.supersedes).collect();
    for standing in &record.changes {
        ids.push(standing.memory);
        ids.extend(
            standing
                .supersedes
                .into_iter()
                .chain(standing.superseded_by),
        );
    }
    let source = record.source;
    if let Some(SourceRef::Memory(id)) = source {
        ids.push(id);
    }
    ids.sort();
    ids.dedup();
    let query = MemoryQuery::Ids { scopes, ids: &ids };
    let rows = snapshot.memories(query)?.rows;
    let is_there = |id: &MemoryId| rows.iter().any(|memory| memory.id == *id);
    let source_is_there = match source {
        Some(SourceRef::Turn(id)) => {
            let ids = [id];
            let query = TurnQuery::Ids { scopes, ids: &ids };
            !snapshot.turns(query)?.rows.is_empty()
        }
        Some(SourceRef::Memory(id)) => is_there(&id),
        None => false,
    };
    let mut changes = record.changes;
    changes.retain(|standing| is_there(&standing.memory));
    for standing in &mut changes {
        standing.supersedes = standing.supersedes.filter(is_there);
        standing.superseded_by = standing.superseded_by.filter(is_there);
    }
    Ok(DecisionRecord {
        decision: Decision {
            id: record.decision.id.filter(is_there),
            supersedes: record.decision.supersedes.filter(is_there),
            ..record.decision
        },
        source: source.filter(|_| source_is_there),
        changes,
        ..record
    })
}

/// Whether a line names any record.
pub(super) fn names_records(record: &DecisionRecord) -> bool {
    let decision = &record.decision;
    let ids = decision.id.is_some() || decision.supersedes.is_some();
    ids || record.source.is_some() || !record.changes.is_empty()
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
