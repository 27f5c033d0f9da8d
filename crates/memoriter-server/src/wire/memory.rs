//! Memories.

use memoriter::core::memory::Memory;
use memoriter::core::provenance::{Source, SourceRef};
use memoriter::core::time::ZonedTime;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{DamageWire, text_of};

/// A memory with everything that is known about it.
#[derive(Serialize, ToSchema)]
pub struct MemoryWire {
    id: String,
    scope: Vec<String>,
    kind: &'static str,
    category: Option<String>,
    statement: String,
    key: Option<String>,
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lesson: Option<String>,
    state: &'static str,
    tier: &'static str,
    importance: u8,
    confidence: f32,
    status: &'static str,
    origin: &'static str,
    trust: u8,
    actor: Option<String>,
    sources: Vec<SourceWire>,
    valid_from: String,
    valid_to: Option<String>,
    recorded_at: String,
    retired_at: Option<String>,
    expires_at: Option<String>,
    last_recalled_at: Option<String>,
    recall_count: u32,
    last_confirmed_at: Option<String>,
    confirmations: u32,
    supersedes: Option<String>,
    superseded_by: Option<String>,
    version: u32,
    #[schema(value_type = Object)]
    metadata: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pinned_at: Option<String>,
}

/// What a memory rests on.
#[derive(Serialize, ToSchema)]
pub struct SourceWire {
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<String>,
    quote: String,
}

/// A page of a list.
#[derive(Serialize, ToSchema)]
pub struct MemoriesWire {
    /// Oldest first.
    pub memories: Vec<MemoryWire>,
    /// To go on from; nothing at the end.
    pub next_cursor: Option<String>,
    /// Records that are there and cannot be served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<DamageWire>,
}

/// A history, oldest first.
#[derive(Serialize, ToSchema)]
pub struct VersionsWire {
    /// Oldest first.
    pub versions: Vec<MemoryWire>,
}

impl MemoryWire {
    /// As a part of a history: with the end of the time in which it was the value, which a row need not have.
    #[must_use]
    pub fn until(self, end: Option<ZonedTime>) -> Self {
        Self {
            valid_to: end.map(|end| end.instant.to_string()),
            ..self
        }
    }
}

impl From<&Memory> for MemoryWire {
    fn from(memory: &Memory) -> Self {
        let attempt = memory.attempt.as_ref();
        Self {
            id: memory.id.to_string(),
            scope: memory.scope.segments().map(str::to_owned).collect(),
            kind: memory.kind.as_str(),
            category: memory.category.clone(),
            statement: memory.statement.clone(),
            key: text_of(memory.fact_key()),
            value: memory.value.clone(),
            outcome: attempt.map(|attempt| attempt.outcome.as_str()),
            goal: attempt.map(|attempt| attempt.goal.clone()),
            lesson: attempt.and_then(|attempt| attempt.lesson.clone()),
            state: memory.state.as_str(),
            tier: memory.tier.as_str(),
            importance: memory.importance.get(),
            confidence: memory.confidence.get(),
            status: memory.status.as_str(),
            origin: memory.origin.as_str(),
            trust: memory.trust.level(),
            actor: memory.actor.clone(),
            sources: super::all(&memory.sources),
            valid_from: memory.valid_from.instant.to_string(),
            valid_to: memory.valid_to.map(|end| end.instant.to_string()),
            recorded_at: memory.recorded_at.to_string(),
            retired_at: text_of(memory.retired_at.as_ref()),
            expires_at: text_of(memory.expires_at.as_ref()),
            last_recalled_at: text_of(memory.last_recalled_at.as_ref()),
            recall_count: memory.recall_count,
            last_confirmed_at: text_of(memory.last_confirmed_at.as_ref()),
            confirmations: memory.confirmations,
            supersedes: text_of(memory.supersedes.as_ref()),
            superseded_by: text_of(memory.superseded_by.as_ref()),
            version: memory.version,
            metadata: memory.metadata.as_object().clone(),
            pinned_at: text_of(memory.pinned_at.as_ref()),
        }
    }
}

impl From<&Source> for SourceWire {
    fn from(source: &Source) -> Self {
        let (turn, memory) = match source.of {
            SourceRef::Turn(id) => (Some(id.to_string()), None),
            SourceRef::Memory(id) => (None, Some(id.to_string())),
        };
        Self {
            turn,
            memory,
            quote: source.quote.clone(),
        }
    }
}
