//! Decisions.

use memoriter::Decision;
use serde::Serialize;

/// What became of a write.
#[derive(Serialize)]
pub(crate) struct DecisionWire {
    decision: &'static str,
    /// `null` where no memory holds it.
    id: Option<String>,
    /// A stable code.
    reason: &'static str,
    /// The reason as a sentence.
    explanation: &'static str,
    supersedes: Option<String>,
}

/// What became of several.
#[derive(Serialize)]
pub(crate) struct DecisionsWire {
    pub(crate) decisions: Vec<DecisionWire>,
}

impl From<&Decision> for DecisionWire {
    fn from(decision: &Decision) -> Self {
        Self {
            decision: decision.kind.as_str(),
            id: super::text_of(decision.id.as_ref()),
            reason: decision.reason.as_str(),
            explanation: decision.reason.sentence(),
            supersedes: super::text_of(decision.supersedes.as_ref()),
        }
    }
}
