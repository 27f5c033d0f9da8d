//! `save_memory`: one write.

use std::str::FromStr;

use memoriter::core::memory::{Attempt, Confidence, FactKey, Importance, Kind, Outcome};
use memoriter::core::provenance::{Origin, Status};
use memoriter::core::time::ZonedTime;
use memoriter::{InvalidInput, Note, ScopedMemory};
use serde_json::Value;

use super::json_of;
use crate::mcp::arguments::{Arguments, missing};
use crate::mcp::failure::Failure;
use crate::wire::{Decided, DecisionsWire};

pub(super) fn call(
    memory: &ScopedMemory,
    origin: Origin,
    arguments: Arguments,
) -> Result<Value, Failure> {
    let note = note(arguments)?.origin(origin);
    let decisions = memory.remember(note)?.into_iter();
    let decisions = decisions.map(|decision| Decided::of_found(memory, decision).wire());
    Ok(json_of(&DecisionsWire {
        decisions: decisions.collect(),
    }))
}

fn note(mut arguments: Arguments) -> Result<Note, Failure> {
    let text = arguments.text("text")?;
    let key = arguments.word("key", FactKey::from_str)?;
    let value = arguments.text("value")?;
    let kind = arguments.word("kind", Kind::parse)?;
    let importance = arguments.whole("importance", (1, 10), "a whole number from 1 to 10")?;
    let confidence = arguments.share("confidence")?;
    let status = arguments.word("status", stated_or_inferred)?;
    let category = arguments.text("category")?;
    let outcome = arguments.word("outcome", Outcome::parse)?;
    let lesson = arguments.text("lesson")?;
    let valid_from = arguments.time("valid_from")?;
    let valid_to = arguments.time("valid_to")?;
    let expires = arguments.time("expires")?;
    let metadata = arguments.metadata("metadata")?;
    arguments.finish()?;

    let text = match (text, &key, &value) {
        (Some(text), _, _) => text,
        (None, Some(key), Some(value)) => sentence(key, value),
        (None, Some(_), None) => return Err(missing("value")),
        (None, None, _) => {
            return Err(missing("text").hint("give text, or key and value"));
        }
    };
    let mut note = Note::new(text.as_str()).metadata(metadata);
    if outcome.is_some() || lesson.is_some() {
        note = note.attempt(Attempt {
            goal: text,
            outcome: outcome.unwrap_or(Outcome::Unknown),
            lesson,
        });
    }
    if let Some(kind) = kind {
        note = note.kind(kind);
    }
    if let Some(key) = key {
        note = note.key(key);
    }
    if let Some(importance) = importance {
        let importance = u8::try_from(importance).expect("it is at most 10");
        note = note.importance(Importance::new(importance)?);
    }
    if let Some(confidence) = confidence {
        note = note.confidence(Confidence::new(confidence)?);
    }
    if let Some(status) = status {
        note = note.status(status);
    }
    Ok(within(
        with_texts(note, value, category),
        valid_from,
        valid_to,
        expires,
    ))
}

fn with_texts(note: Note, value: Option<String>, category: Option<String>) -> Note {
    let note = match value {
        Some(value) => note.value(value),
        None => note,
    };
    match category {
        Some(category) => note.category(category),
        None => note,
    }
}

fn within(
    mut note: Note,
    valid_from: Option<ZonedTime>,
    valid_to: Option<ZonedTime>,
    expires: Option<ZonedTime>,
) -> Note {
    if let Some(from) = valid_from {
        note = note.valid_from(from);
    }
    if let Some(to) = valid_to {
        note = note.valid_to(to);
    }
    match expires {
        Some(at) => note.expires_at(at.instant),
        None => note,
    }
}

/// `confirmed` is what a person makes of it in review, and no model.
fn stated_or_inferred(word: &str) -> Result<Status, InvalidInput> {
    match Status::parse(word) {
        Ok(status @ (Status::Stated | Status::Inferred)) => Ok(status),
        Ok(Status::Confirmed) | Err(_) => Err(InvalidInput::malformed(
            "status",
            "stated or inferred",
            word,
        )),
    }
}

/// What a fact says that came without a sentence: `user city: Munich`.
fn sentence(key: &FactKey, value: &str) -> String {
    let attribute = key.attribute().replace('_', " ");
    format!("{} {attribute}: {value}", key.entity())
}
