//! The ledger: which decisions were made, why, and what each made of the memories it touched. It names records and
//! holds nothing of what they say. Read from the beginning it tells how every memory of a scope stands.

use memoriter_core::id::MemoryId;
use memoriter_core::memory::{Memory, State};
use memoriter_core::provenance::{SourceRef, Status, Trust};
use memoriter_core::scope::Scope;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::write::Decision;

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRecord {
    /// Whose memory it is about.
    pub scope: Scope,
    /// When it was made.
    pub at: Timestamp,
    /// The decision. What it names may be gone by now.
    pub decision: Decision,
    /// What the candidate came from.
    pub source: Option<SourceRef>,
    /// What made the candidate: the name of a rule, or of a prompt with its version; at most 256 bytes.
    pub made_by: Option<String>,
    /// How every memory that the decision added or changed stands afterwards, in the order of the ids.
    pub changes: Vec<Standing>,
}

/// How a memory stands: every field that decisions change, but what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The memory.
    pub memory: MemoryId,
    /// Where it is in its life.
    pub state: State,
    /// Stated, inferred or confirmed.
    pub status: Status,
    /// How far it is believed.
    pub trust: Trust,
    /// Until when it was true.
    pub valid_to: Option<ZonedTime>,
    /// When it stopped being believed as it stands.
    pub retired_at: Option<Timestamp>,
    /// What it took the place of.
    pub supersedes: Option<MemoryId>,
    /// What took its place.
    pub superseded_by: Option<MemoryId>,
    /// How often it was replaced.
    pub version: u32,
    /// When somebody last said it again.
    pub last_confirmed_at: Option<Timestamp>,
    /// How often somebody said it again.
    pub confirmations: u32,
}

impl From<&Memory> for Standing {
    fn from(memory: &Memory) -> Self {
        Self {
            memory: memory.id,
            state: memory.state,
            status: memory.status,
            trust: memory.trust,
            valid_to: memory.valid_to,
            retired_at: memory.retired_at,
            supersedes: memory.supersedes,
            superseded_by: memory.superseded_by,
            version: memory.version,
            last_confirmed_at: memory.last_confirmed_at,
            confirmations: memory.confirmations,
        }
    }
}
