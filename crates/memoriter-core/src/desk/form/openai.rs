//! Messages of OpenAI's chat completions.
//!
//! One system message with the stable sections, the turns as they were, and one user message of two parts: what
//! changes from call to call, quoted, and what the user says.

use serde_json::{Map, Value, json};

use super::{HEAD, MESSAGE_TOKENS, Piece, Reader, Sheet, Shown, TAIL};
use crate::desk::section::Section;
use crate::port::TokenCounter;
use crate::turn::Role;

pub(super) fn render(sheet: &Sheet<'_>) -> Vec<Value> {
    let mut head = sheet.system.to_owned();
    for section in HEAD {
        let text = sheet.section(section);
        // Marks begin lines, and the line end before the first one is not of the application.
        if !text.is_empty() && head == sheet.system && !head.is_empty() {
            head.push('\n');
        }
        head.push_str(&text);
    }
    let mut rendered = Vec::new();
    if !head.is_empty() {
        rendered.push(json!({"role": "system", "content": head}));
    }
    rendered.extend(sheet.turns.iter().flat_map(messages));
    let tail: String = TAIL.map(|section| sheet.section(section)).concat();
    rendered.push(if tail.is_empty() {
        json!({"role": "user", "content": sheet.message})
    } else {
        json!({"role": "user", "content": [{"type": "text", "text": tail}, {"type": "text", "text": sheet.message}]})
    });
    rendered
}

/// A turn and the results of its calls.
pub(super) fn messages(shown: &Shown<'_>) -> Vec<Value> {
    let message = &shown.atom.turn.message;
    let role = match message.role {
        Role::Assistant => "assistant",
        Role::User | Role::System | Role::Tool => "user",
    };
    let mut first = Map::from_iter([
        ("role".to_owned(), Value::from(role)),
        ("content".to_owned(), Value::from(message.content.as_str())),
    ]);
    if let Some(name) = message.speaker.as_deref().filter(|name| is_name(name)) {
        first.insert("name".to_owned(), Value::from(name));
    }
    let calls: Vec<Value> = shown
        .atom
        .calls
        .iter()
        .map(|(call, _)| call.to_openai())
        .collect();
    if !calls.is_empty() {
        first.insert("tool_calls".to_owned(), Value::from(calls));
    }
    let mut rendered = vec![Value::Object(first)];
    rendered.extend(
        shown
            .results()
            .map(|(id, content)| json!({"role": "tool", "tool_call_id": id, "content": content})),
    );
    rendered
}

/// Whether OpenAI takes it as the name of a speaker.
fn is_name(name: &str) -> bool {
    const NAME_BYTES_MAX: usize = 64;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    name.len() <= NAME_BYTES_MAX && name.bytes().all(is_plain)
}

/// Tokens of a message.
pub(super) fn count(message: &Value, counter: &dyn TokenCounter) -> usize {
    let text = |name: &str| {
        message
            .get(name)
            .and_then(Value::as_str)
            .map_or(0, |text| counter.count(text))
    };
    let parts = message
        .get("content")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let parts = parts
        .filter_map(|part| part.get("text")?.as_str())
        .map(|text| counter.count(text));
    let calls = message
        .get("tool_calls")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let calls = calls.map(|call| counter.count(&call.to_string()));
    MESSAGE_TOKENS
        + text("content")
        + text("tool_call_id")
        + text("name")
        + parts.chain(calls).sum::<usize>()
}

pub(super) fn read(messages: &[Value], reader: &Reader<'_>) -> Option<Vec<Piece>> {
    let (last, before) = messages.split_last()?;
    let mut pieces = Vec::new();
    let mut turns = before;
    if let Some((first, rest)) = before.split_first()
        && first.get("role")? == "system"
    {
        pieces.extend(reader.marked(first.get("content")?.as_str()?)?);
        turns = rest;
    }
    for turn in turns {
        pieces.push(read_turn(turn, reader)?);
    }
    match last.get("content")? {
        Value::String(message) => pieces.push(reader.free(Section::Message, message)),
        Value::Array(parts) => {
            let [tail, message] = parts.as_slice() else {
                return None;
            };
            pieces.extend(reader.marked(tail.get("text")?.as_str()?)?);
            pieces.push(reader.free(Section::Message, message.get("text")?.as_str()?));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    }
    Some(pieces)
}

fn read_turn(message: &Value, reader: &Reader<'_>) -> Option<Piece> {
    let mut fields = Vec::new();
    for (name, field) in [
        ("role", "role"),
        ("content", "content"),
        ("name", "by"),
        ("tool_call_id", "answers"),
    ] {
        if let Some(text) = message.get(name) {
            fields.push((field.to_owned(), text.as_str()?.to_owned()));
        }
    }
    if let Some(calls) = message.get("tool_calls") {
        fields.push(("calls".to_owned(), calls.to_string()));
    }
    Some(Piece {
        section: Section::Turns,
        fields,
        tokens: count(message, reader.counter),
    })
}
