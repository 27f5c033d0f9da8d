//! What came of remembering.

use memoriter::{Learned, ScopedMemory};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Decided, DecisionWire};

/// The decisions, and the turns where there were messages.
#[derive(Serialize, ToSchema)]
pub struct LearnedWire {
    decisions: Vec<DecisionWire>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    /// The turns; `GET /v1/operations/{id}` with one of these ids tells how far reading it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    turns: Vec<AppendedWire>,
    /// New turns that are kept and will not be read, since the session keeps no memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<usize>,
    /// Why some turns could not be read yet; they are read again later.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

/// A turn of the log.
#[derive(Serialize, ToSchema)]
struct AppendedWire {
    id: String,
    /// Whether this call added it.
    is_new: bool,
    /// Whether it was erased before, and so does not come back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    was_erased: bool,
}

impl LearnedWire {
    /// What a call learned in a scope, and in which session.
    #[must_use]
    pub fn new(scope: &ScopedMemory, session_id: Option<String>, learned: &Learned) -> Self {
        let decisions = learned.decisions.iter();
        let turns = learned.turns.iter().map(|turn| AppendedWire {
            id: turn.id.to_string(),
            is_new: turn.is_new,
            was_erased: turn.was_erased,
        });
        Self {
            decisions: decisions
                .map(|decision| Decided::of_found(scope, *decision).wire())
                .collect(),
            session_id,
            turns: turns.collect(),
            unread: (learned.unread > 0).then_some(learned.unread),
            failure: learned.failure.as_ref().map(ToString::to_string),
        }
    }
}
