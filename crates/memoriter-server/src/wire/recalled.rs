//! Results of a recall: memories and turns in one shape.

use memoriter::core::memory::{Importance, Kind, Memory, State};
use memoriter::core::provenance::Status;
use memoriter::core::turn::Turn;
use memoriter::store::index::ScoreParts;
use memoriter::{Recalled, Recollection, Record};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{DamageWire, SourceWire, TurnWire, text_of};

/// What a recall found.
#[derive(Serialize, ToSchema)]
pub struct RecollectionWire {
    results: Vec<RecalledWire>,
    considered: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<DamageWire>,
}

/// One result. A turn is a live, stated, episodic record.
#[derive(Serialize, ToSchema)]
pub struct RecalledWire {
    id: String,
    kind: &'static str,
    statement: String,
    key: Option<String>,
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lesson: Option<String>,
    category: Option<String>,
    score: f32,
    parts: PartsWire,
    state: &'static str,
    status: &'static str,
    origin: &'static str,
    importance: u8,
    valid_from: String,
    valid_to: Option<String>,
    recorded_at: String,
    version: u32,
    #[schema(value_type = Object)]
    metadata: Map<String, Value>,
    sources: Vec<SourceWire>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<PlaceWire>,
}

#[derive(Serialize, ToSchema)]
struct PartsWire {
    lex: f32,
    sem: f32,
    words: f32,
    context: f32,
    traits: f32,
    relevance: f32,
    recency: f32,
    importance: f32,
}

/// Where a turn stands, with the turns around it.
#[derive(Serialize, ToSchema)]
struct PlaceWire {
    session: String,
    position: u32,
    role: &'static str,
    speaker: Option<String>,
    at: String,
    before: Vec<TurnWire>,
    after: Vec<TurnWire>,
}

impl From<&Recollection> for RecollectionWire {
    fn from(recollection: &Recollection) -> Self {
        Self {
            results: super::all(&recollection.results),
            considered: recollection.considered,
            damaged: super::all(&recollection.damaged),
        }
    }
}

impl From<&Recalled> for RecalledWire {
    fn from(recalled: &Recalled) -> Self {
        match &recalled.record {
            Record::Memory(memory) => Self::of_memory(recalled, memory),
            Record::Turn(turn) => Self::of_turn(recalled, turn),
        }
    }
}

impl RecalledWire {
    fn of_memory(recalled: &Recalled, memory: &Memory) -> Self {
        let attempt = memory.attempt.as_ref();
        Self {
            id: memory.id.to_string(),
            kind: memory.kind.as_str(),
            statement: memory.statement.clone(),
            key: text_of(memory.fact_key()),
            value: memory.value.clone(),
            outcome: attempt.map(|attempt| attempt.outcome.as_str()),
            goal: attempt.map(|attempt| attempt.goal.clone()),
            lesson: attempt.and_then(|attempt| attempt.lesson.clone()),
            category: memory.category.clone(),
            score: recalled.score,
            parts: PartsWire::from(recalled.parts),
            state: memory.state.as_str(),
            status: memory.status.as_str(),
            origin: memory.origin.as_str(),
            importance: memory.importance.get(),
            valid_from: memory.valid_from.instant.to_string(),
            valid_to: memory.valid_to.map(|end| end.instant.to_string()),
            recorded_at: memory.recorded_at.to_string(),
            version: memory.version,
            metadata: memory.metadata.as_object().clone(),
            sources: super::all(&memory.sources),
            turn: None,
        }
    }

    fn of_turn(recalled: &Recalled, turn: &Turn) -> Self {
        let message = &turn.message;
        Self {
            id: turn.id.to_string(),
            kind: Kind::Episodic.as_str(),
            statement: message.content.clone(),
            key: None,
            value: None,
            outcome: None,
            goal: None,
            lesson: None,
            category: None,
            score: recalled.score,
            parts: PartsWire::from(recalled.parts),
            state: State::Live.as_str(),
            status: Status::Stated.as_str(),
            origin: message.origin.as_str(),
            importance: Importance::DEFAULT.get(),
            valid_from: message.at.instant.to_string(),
            valid_to: None,
            recorded_at: turn.recorded_at.to_string(),
            version: 1,
            metadata: message.metadata.as_object().clone(),
            sources: Vec::new(),
            turn: Some(PlaceWire::of(turn, &recalled.neighbours)),
        }
    }
}

impl PlaceWire {
    fn of(turn: &Turn, neighbours: &[Turn]) -> Self {
        let is_before = |other: &&Turn| other.position < turn.position;
        Self {
            session: turn.session.as_str().to_owned(),
            position: turn.position,
            role: turn.message.role.as_str(),
            speaker: turn.message.speaker.clone(),
            at: turn.message.at.instant.to_string(),
            before: super::all(neighbours.iter().filter(is_before)),
            after: super::all(neighbours.iter().filter(|other| !is_before(other))),
        }
    }
}

impl From<ScoreParts> for PartsWire {
    fn from(parts: ScoreParts) -> Self {
        Self {
            lex: parts.lex,
            sem: parts.sem,
            words: parts.words,
            context: parts.context,
            traits: parts.traits,
            relevance: parts.relevance,
            recency: parts.recency,
            importance: parts.importance,
        }
    }
}
