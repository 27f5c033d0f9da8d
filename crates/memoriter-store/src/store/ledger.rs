//! The ledger: which decisions were made, and why. It names records and holds nothing of what they say.

use memoriter_core::provenance::SourceRef;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
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
}
