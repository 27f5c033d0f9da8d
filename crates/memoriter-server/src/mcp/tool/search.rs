//! `search_memory`: what bears on a question.

use memoriter::core::memory::{Kind, Memory, Outcome};
use memoriter::core::provenance::Origin;
use memoriter::core::query::{Filter, Records};
use memoriter::core::turn::Turn;
use memoriter::tools::{FoundAnswer, ITEMS_MAX};
use memoriter::{InvalidInput, Recalled, Record, ScopedMemory};
use serde::Serialize;
use serde_json::Value;

use super::{NOTE, json_of};
use crate::mcp::arguments::Arguments;
use crate::mcp::failure::Failure;

/// Results of a search that does not say how many.
const TOP_DEFAULT: u64 = 10;

/// What was found: leaner than what `memoriter recall --json` gives, for every word of it is read by a model.
#[derive(Serialize)]
struct SearchWire {
    note: &'static str,
    /// Best first.
    results: Vec<FoundWire>,
    considered: usize,
}

#[derive(Serialize)]
struct FoundWire {
    id: String,
    kind: &'static str,
    statement: String,
    /// Bytes of all of the statement, where only its beginning is here, and what reads the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    statement_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    handle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lesson: Option<String>,
    score: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    origin: &'static str,
    /// The day on which it happened or began to be true.
    date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<PlaceWire>,
}

/// Where a turn stands.
#[derive(Serialize)]
struct PlaceWire {
    session: String,
    position: u32,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
}

pub(super) fn call(memory: &ScopedMemory, mut arguments: Arguments) -> Result<Value, Failure> {
    let query = arguments.needed_text("query")?;
    let most = u64::try_from(ITEMS_MAX).expect("the limit is small");
    let top = arguments.whole("k", (1, most), "a whole number from 1 to 50")?;
    let filter = filter(&mut arguments)?;
    let as_of = arguments.time("as_of")?;
    let known_at = arguments.time("known_at")?;
    let min_relevance = arguments.share("min_relevance")?;
    arguments.finish()?;

    let top = usize::try_from(top.unwrap_or(TOP_DEFAULT)).expect("it is at most 50");
    let mut recall = memory.recall(&query).top(top).filter(filter);
    if let Some(time) = as_of {
        recall = recall.as_of(time.instant);
    }
    if let Some(time) = known_at {
        recall = recall.known_at(time.instant);
    }
    if let Some(relevance) = min_relevance {
        recall = recall.min_relevance(relevance);
    }
    let found = recall.recollect()?;
    Ok(json_of(&SearchWire {
        note: NOTE,
        results: found.results.iter().map(FoundWire::from).collect(),
        considered: found.considered,
    }))
}

fn filter(arguments: &mut Arguments) -> Result<Filter, Failure> {
    let metadata = arguments.metadata("metadata")?;
    Ok(Filter {
        kinds: arguments.words("kind", Kind::parse)?,
        origins: arguments.words("origin", Origin::parse)?,
        outcomes: arguments.words("outcome", Outcome::parse)?,
        category: arguments.text("category")?,
        since: arguments.time("since")?.map(|time| time.instant),
        until: arguments.time("until")?.map(|time| time.instant),
        metadata: metadata.as_object().clone().into_iter().collect(),
        records: arguments.word("records", records)?.unwrap_or_default(),
    })
}

fn records(word: &str) -> Result<Records, InvalidInput> {
    match word {
        "all" => Ok(Records::All),
        "memories" => Ok(Records::Memories),
        "turns" => Ok(Records::Turns),
        other => Err(InvalidInput::malformed(
            "records",
            "all, memories or turns",
            other,
        )),
    }
}

impl From<&Recalled> for FoundWire {
    fn from(recalled: &Recalled) -> Self {
        let begun = FoundAnswer::from(recalled);
        match &recalled.record {
            Record::Memory(memory) => Self::of_memory(begun, memory),
            Record::Turn(turn) => Self::of_turn(begun, turn),
        }
    }
}

impl FoundWire {
    fn of_memory(begun: FoundAnswer, memory: &Memory) -> Self {
        let attempt = memory.attempt.as_ref();
        Self {
            id: memory.id.to_string(),
            kind: memory.kind.as_str(),
            statement: begun.text,
            statement_bytes: begun.text_bytes,
            handle: begun.handle,
            key: begun.key,
            value: memory.value.clone(),
            outcome: attempt.map(|attempt| attempt.outcome.as_str()),
            lesson: attempt.and_then(|attempt| attempt.lesson.clone()),
            score: begun.score,
            status: Some(memory.status.as_str()),
            origin: begun.origin,
            date: begun.date,
            valid_to: memory.valid_to.map(|end| end.instant.to_string()),
            version: begun.version,
            turn: None,
        }
    }

    fn of_turn(begun: FoundAnswer, turn: &Turn) -> Self {
        Self {
            id: turn.id.to_string(),
            kind: Kind::Episodic.as_str(),
            statement: begun.text,
            statement_bytes: begun.text_bytes,
            handle: begun.handle,
            key: None,
            value: None,
            outcome: None,
            lesson: None,
            score: begun.score,
            status: None,
            origin: begun.origin,
            date: begun.date,
            valid_to: None,
            version: None,
            turn: Some(PlaceWire {
                session: turn.session.as_str().to_owned(),
                position: turn.position,
                role: turn.message.role.as_str(),
                speaker: turn.message.speaker.clone(),
            }),
        }
    }
}
