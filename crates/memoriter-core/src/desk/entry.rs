//! Stored records as lines.

use serde_json::Value;

use super::line::Line;
use super::material::BoardField;

use crate::fold::{Span, SpanItem};
use crate::memory::Memory;
use crate::turn::{Message, Turn};

/// Characters of a recalled text that are shown; of a longer one the beginning is, with its length.
const SHOWN_CHARS: usize = 1_200;

/// A memory: what it says, how it came to be believed, from whom, since when.
pub(super) fn memory(memory: &Memory) -> String {
    described(keyed(memory).text("statement", &memory.statement), memory)
}

/// A memory that may be long, by its beginning where it is.
pub(super) fn recalled_memory(memory: &Memory) -> String {
    described(shown(keyed(memory), "statement", &memory.statement), memory)
}

fn keyed(memory: &Memory) -> Line {
    let key = memory.fact_key().map(ToString::to_string);
    Line::default().optional_text("key", key.as_deref())
}

fn described(mut line: Line, memory: &Memory) -> String {
    if let Some(attempt) = &memory.attempt {
        line = line
            .word("outcome", attempt.outcome)
            .optional_text("lesson", attempt.lesson.as_deref());
    }
    if memory.pinned_at.is_some() {
        line = line.word("pinned", true);
    }
    line.word("status", memory.status)
        .word("origin", memory.origin)
        .word("date", memory.valid_from.day())
        .word("id", memory.id)
        .finish()
}

/// An instruction that was given in the session.
pub(super) fn instruction(turn: &Turn) -> String {
    Line::default()
        .text("content", &turn.message.content)
        .word("date", turn.message.at.day())
        .finish()
}

/// A turn of another time: what was said, by whom, when.
pub(super) fn recalled_turn(turn: &Turn) -> String {
    let Message {
        role,
        speaker,
        content,
        origin,
        at,
        ..
    } = &turn.message;
    let line = shown(Line::default(), "said", content).optional_text("by", speaker.as_deref());
    // Mostly the origin says it all.
    let line = if *origin == role.origin() {
        line
    } else {
        line.word("role", role)
    };
    line.word("origin", origin)
        .word("date", at.day())
        .word("turn", turn.id)
        .finish()
}

/// A text, or the beginning of one that is too long, with the length of all of it.
fn shown(line: Line, name: &str, text: &str) -> Line {
    match text.char_indices().nth(SHOWN_CHARS) {
        None => line.text(name, text),
        Some((end, _)) => line
            .text("begins", text.get(..end).unwrap_or_default())
            .word("bytes", text.len()),
    }
}

/// An item of a span, with the positions of its turns.
pub(super) fn span_item(span: &Span, item: &SpanItem) -> String {
    let turns: Vec<String> = item
        .turns
        .iter()
        .map(|(position, _)| position.to_string())
        .collect();
    Line::default()
        .word("turns", format_args!("{}-{}", span.run.from, span.run.to))
        .word("kind", item.kind)
        .text("text", &item.text)
        .word("in", turns.join(","))
        .finish()
}

/// A field of the session's state. Text stands as it is, other values as JSON.
pub(super) fn field(field: &BoardField) -> String {
    let line = Line::default().text("field", &field.name);
    let line = match &field.value {
        Value::String(text) => line.text("text", text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            line.text("json", &field.value.to_string())
        }
    };
    line.word("revision", field.revision).finish()
}
