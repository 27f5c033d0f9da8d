//! Decisions.

use memoriter::Decision;
use memoriter::core::memory::Attempt;
use memoriter::core::time::ZonedTime;
use serde::Serialize;
use utoipa::ToSchema;

/// What became of a write.
#[derive(Serialize, ToSchema)]
pub struct DecisionWire {
    decision: &'static str,
    /// `null` where no memory holds it.
    id: Option<String>,
    /// A stable code.
    reason: &'static str,
    /// The reason as a sentence.
    explanation: &'static str,
    supersedes: Option<String>,
    /// What the rules found: the key of the memory and its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// How the attempt went that the rules found, and what it was at.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dormant_until: Option<String>,
}

/// What became of several.
#[derive(Serialize, ToSchema)]
pub struct DecisionsWire {
    /// In order.
    pub decisions: Vec<DecisionWire>,
}

impl DecisionWire {
    /// The decision; `dormant_until` is when the memory's time comes.
    #[must_use]
    pub fn new(decision: Decision, dormant_until: Option<ZonedTime>) -> Self {
        Self {
            decision: decision.kind.as_str(),
            id: super::text_of(decision.id.as_ref()),
            reason: decision.reason.as_str(),
            explanation: decision.reason.sentence(),
            supersedes: super::text_of(decision.supersedes.as_ref()),
            key: None,
            value: None,
            outcome: None,
            goal: None,
            dormant_until: dormant_until.map(|start| start.instant.to_string()),
        }
    }

    /// The decision with the attempt that it is about.
    #[must_use]
    pub fn with_attempt(self, attempt: Option<&Attempt>) -> Self {
        Self {
            outcome: attempt.map(|attempt| attempt.outcome.as_str()),
            goal: attempt.map(|attempt| attempt.goal.clone()),
            ..self
        }
    }

    /// The decision with the fact that it is about.
    #[must_use]
    pub fn with_fact(self, fact: Option<&(String, String)>) -> Self {
        Self {
            key: fact.map(|(key, _)| key.clone()),
            value: fact.map(|(_, value)| value.clone()),
            ..self
        }
    }
}
