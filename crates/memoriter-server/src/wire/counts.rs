//! How many records of each kind.

use memoriter::RecordCounts;
use serde::Serialize;
use utoipa::ToSchema;

/// Counts of an export or import.
#[derive(Serialize, ToSchema)]
pub struct CountsWire {
    scopes: u64,
    sessions: u64,
    turns: u64,
    fields: u64,
    checkpoints: u64,
    memories: u64,
    decisions: u64,
}

impl From<&RecordCounts> for CountsWire {
    fn from(counts: &RecordCounts) -> Self {
        Self {
            scopes: counts.scopes,
            sessions: counts.sessions,
            turns: counts.turns,
            fields: counts.fields,
            checkpoints: counts.checkpoints,
            memories: counts.memories,
            decisions: counts.decisions,
        }
    }
}
