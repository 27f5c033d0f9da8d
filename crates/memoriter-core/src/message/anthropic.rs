//! Messages of Anthropic's API.

use serde_json::{Map, Value, json};

use super::media::data_url;
use super::{other_fields, text};
use crate::desk::ToolCall;
use crate::turn::{Message, Role};

/// The name of the mark in a turn's metadata that says that a tool failed.
const IS_ERROR: &str = "is_error";

/// A message made of a turn's fields; of instructions, what stands beside the messages.
pub(super) fn plain(message: &Message) -> Value {
    let content = message.content.as_str();
    match (message.role, &message.tool_call_id, &message.tool_calls) {
        (Role::System, ..) => json!({"system": content}),
        (Role::Tool, Some(id), _) => {
            let failed = message.metadata.as_object().get(IS_ERROR);
            json!({"role": "user", "content": [result(id, content.into(), failed)]})
        }
        (role, _, None) => json!({"role": side(role), "content": content}),
        (role, _, Some(calls)) => {
            let mut blocks = Vec::new();
            if !content.is_empty() {
                blocks.push(json!({"type": "text", "text": content}));
            }
            match calls.as_array() {
                Some(calls) => blocks.extend(calls.iter().map(call)),
                None => blocks.push(calls.clone()),
            }
            json!({"role": side(role), "content": blocks})
        }
    }
}

fn side(role: Role) -> &'static str {
    match role {
        Role::Assistant => "assistant",
        Role::User | Role::System | Role::Tool => "user",
    }
}

fn call(call: &Value) -> Value {
    let read = ToolCall::of(&json!([call])).into_iter().next();
    read.map_or_else(|| call.clone(), |call| call.to_anthropic())
}

fn result(id: &str, content: Value, failed: Option<&Value>) -> Value {
    let mut fields = Map::new();
    fields.insert("type".into(), "tool_result".into());
    fields.insert("tool_use_id".into(), id.into());
    fields.insert("content".into(), content);
    if let Some(failed) = failed {
        fields.insert(IS_ERROR.into(), failed.clone());
    }
    Value::Object(fields)
}

/// What a message of `OpenAI` becomes.
pub(super) enum Converted {
    /// Blocks of instructions.
    System(Vec<Value>),
    /// A result, which goes into a message with others.
    Result(Value),
    /// A message.
    Message(Value),
}

/// What a message of `OpenAI` becomes, and what of it has no place there.
pub(super) fn from_openai(message: &Value) -> (Converted, Vec<String>) {
    let known = [
        "role",
        "content",
        "tool_calls",
        "tool_call_id",
        "refusal",
        "function_call",
    ];
    let mut left_out = other_fields(message, &known);
    let content = message.get("content").unwrap_or(&Value::Null);
    let converted = match (text(message, "role"), text(message, "tool_call_id")) {
        (Some("system" | "developer"), _) => Converted::System(blocks(content)),
        (Some("tool"), Some(id)) => {
            let content = if content.is_null() {
                Value::from("")
            } else {
                text_or_blocks(content)
            };
            Converted::Result(result(id, content, None))
        }
        (Some("assistant"), _) => Converted::Message(assistant(message, content, &mut left_out)),
        _ => {
            let content = text_or_blocks(content);
            Converted::Message(json!({"role": "user", "content": content}))
        }
    };
    (converted, left_out)
}

fn assistant(message: &Value, content: &Value, left_out: &mut Vec<String>) -> Value {
    let refusal = text(message, "refusal");
    let calls = message.get("tool_calls").and_then(Value::as_array);
    let calls = calls.map(Vec::as_slice).unwrap_or_default();
    let old_call = message.get("function_call").filter(|call| !call.is_null());
    if let (Value::String(content), None, [], None) = (content, refusal, calls, old_call) {
        return json!({"role": "assistant", "content": content});
    }
    let mut all = blocks(content);
    all.extend(refusal.map(|refusal| json!({"type": "text", "text": refusal})));
    all.extend(calls.iter().map(call));
    if let Some(old) = old_call {
        // It has no id of its own; its result names the function.
        let id = old.get("name");
        let old = json!({"id": id, "function": old});
        match ToolCall::of(&json!([old])).first() {
            Some(call) => all.push(call.to_anthropic()),
            None => left_out.push("function_call".into()),
        }
    }
    json!({"role": "assistant", "content": all})
}

/// Parts as blocks; a text as it is.
fn text_or_blocks(content: &Value) -> Value {
    if content.is_array() {
        Value::from(blocks(content))
    } else {
        content.clone()
    }
}

/// The content of a message as blocks.
fn blocks(content: &Value) -> Vec<Value> {
    match content {
        Value::Null => Vec::new(),
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        Value::Array(parts) => parts.iter().map(block).collect(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => vec![block(content)],
    }
}

/// A part as a block; what is known here by no name is a text that quotes it.
fn block(part: &Value) -> Value {
    let kind = text(part, "type");
    let said = match kind {
        Some("text" | "input_text" | "output_text") => text(part, "text"),
        Some("refusal") => text(part, "refusal"),
        _ => None,
    };
    if let Some(said) = said {
        return json!({"type": "text", "text": said});
    }
    let image = part
        .get("image_url")
        .filter(|_| kind.is_some_and(|kind| matches!(kind, "image_url" | "input_image")));
    let url = image.and_then(|image| image.as_str().or_else(|| text(image, "url")));
    let source = url.map(|url| match data_url(url) {
        Some((_, kind, data)) => {
            json!({"type": "base64", "media_type": kind.as_str(), "data": data})
        }
        None => json!({"type": "url", "url": url}),
    });
    match source {
        Some(source) => json!({"type": "image", "source": source}),
        None => json!({"type": "text", "text": part.to_string()}),
    }
}
