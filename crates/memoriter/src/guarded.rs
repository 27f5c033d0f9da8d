//! Texts as they may be kept: secrets are masked before disk, log, queue or embedder see them.

use memoriter_core::error::InvalidInput;
use memoriter_core::guard::{Guard, names_secret};
use memoriter_core::memory::{Attempt, Kind, Memory};
use memoriter_core::metadata::Metadata;
use memoriter_core::turn::{Message, Written};
use memoriter_core::write::Screening;
use serde_json::Value;

use crate::engine::Engine;
use crate::session::TurnDraft;

/// How a mask begins: see [`Guard::check`].
const MASK: &str = "[secret:";

/// Whether there is a mask in a text.
pub(crate) fn holds_mask(text: &str) -> bool {
    text.contains(MASK)
}

/// Whether words of a text go on with a mask: "my pin is" of "remember that my pin is [secret:pin]".
pub(crate) fn lead_to_mask(text: &str, words: &str) -> bool {
    let behind = text
        .match_indices(words)
        .filter_map(|(at, _)| text.get(at + words.len()..));
    behind
        .map(str::trim_start)
        .any(|rest| rest.starts_with(MASK))
}

/// A text with its secrets masked.
pub(crate) fn masked(guard: &Guard, text: &str) -> String {
    guard.check(text).text.into_owned()
}

/// An attempt with its secrets masked.
pub(crate) fn masked_attempt(guard: &Guard, attempt: Attempt) -> Attempt {
    Attempt {
        goal: masked(guard, &attempt.goal),
        lesson: attempt.lesson.map(|lesson| masked(guard, &lesson)),
        ..attempt
    }
}

/// Metadata with the secrets in its texts masked. A name says what its value is (`"password": "..."`), so the
/// JSON is looked at as a whole, and then text by text.
pub(crate) fn masked_metadata(
    guard: &Guard,
    metadata: &Metadata,
) -> Result<Metadata, InvalidInput> {
    if metadata.is_empty() {
        return Ok(Metadata::default());
    }
    let fields = metadata.as_object().clone();
    match masked_json(guard, &Value::Object(fields.clone())) {
        Value::Object(object) => Metadata::new(object),
        // A mask lies inside one text, so that an object stays one.
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Metadata::new(fields)
        }
    }
}

/// A JSON value with the secrets in its texts masked.
pub(crate) fn masked_json(guard: &Guard, value: &Value) -> Value {
    let whole = masked(guard, &value.to_string());
    let value = serde_json::from_str(&whole).unwrap_or_else(|_| value.clone());
    map_texts(value, &|text| masked(guard, text))
}

fn map_texts(value: Value, map: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(map(&text)),
        Value::Array(items) => items.into_iter().map(|item| map_texts(item, map)).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| (name, map_texts(value, map)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

/// A message with its secrets masked.
pub(crate) fn masked_message(guard: &Guard, message: Message) -> Result<Message, InvalidInput> {
    Ok(Message {
        content: masked(guard, &message.content),
        tool_calls: message.tool_calls.map(|calls| masked_json(guard, &calls)),
        written: message.written.map(|written| Written {
            message: written.message.map(|value| masked_json(guard, &value)),
            ..written
        }),
        metadata: masked_metadata(guard, &message.metadata)?,
        ..message
    })
}

impl Engine {
    /// A turn with its secrets masked.
    pub(crate) fn guarded_turn(&self, turn: TurnDraft) -> Result<TurnDraft, InvalidInput> {
        Ok(TurnDraft {
            message: masked_message(&self.guard, turn.message)?,
            ..turn
        })
    }

    /// What the guard says about a candidate whose texts are masked already. An event keeps the rest of what was
    /// said; a fact that lacks its value is none.
    pub(crate) fn screening(&self, memory: &Memory) -> Screening {
        let said = memory.value_or_statement();
        let attempt = memory.attempt.as_ref().map(Attempt::borrowed);
        let is_masked = memory.kind != Kind::Episodic && holds_mask(said);
        Screening {
            needs_secret: is_masked || self.names_secret(memory),
            is_instruction: [
                Some(memory.statement.as_str()),
                attempt.map(|attempt| attempt.goal),
                attempt.and_then(|attempt| attempt.lesson),
            ]
            .into_iter()
            .flatten()
            .any(|text| self.guard.looks_like_instruction(text).is_some()),
            forgotten_at: None,
            rejected_at: None,
        }
    }

    /// Whether a key says that its value is a secret, or is one itself: `user.password`, whatever the value looks like.
    fn names_secret(&self, memory: &Memory) -> bool {
        let Some(key) = memory.fact_key() else {
            return false;
        };
        if names_secret(key.attribute()) {
            return true;
        }
        let attribute = key.attribute().replace('_', " ");
        let value = memory.value_or_statement();
        let texts = [format!("my {attribute} is {value}"), key.to_string()];
        texts.iter().any(|text| self.is_changed(text))
    }

    /// Whether the guard masks something in a text.
    fn is_changed(&self, text: &str) -> bool {
        masked(&self.guard, text) != text
    }
}
