//! Messages of `OpenAI`'s chat completions.

use serde_json::{Map, Value, json};

use super::{instructions, other_fields, text};
use crate::desk::ToolCall;
use crate::turn::{Message, Role};

/// A message made of a turn's fields.
pub(super) fn plain(message: &Message) -> Value {
    let calls = message.tool_calls.as_ref().map(calls);
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::System => "system",
        Role::Tool => "tool",
    };
    let content = if calls.is_some() && message.content.is_empty() {
        Value::Null
    } else {
        Value::from(message.content.as_str())
    };
    let mut fields = Map::new();
    fields.insert("role".into(), role.into());
    fields.insert("content".into(), content);
    if let Some(name) = &message.speaker {
        fields.insert("name".into(), name.as_str().into());
    }
    if let Some(calls) = calls {
        fields.insert("tool_calls".into(), calls);
    }
    if let Some(id) = &message.tool_call_id {
        fields.insert("tool_call_id".into(), id.as_str().into());
    }
    Value::Object(fields)
}

/// Calls as they are written here. What cannot be told as one stays as it is.
fn calls(calls: &Value) -> Value {
    let Value::Array(calls) = calls else {
        return calls.clone();
    };
    let written = calls.iter().map(|call| {
        let read = ToolCall::of(&json!([call])).into_iter().next();
        read.map_or_else(|| call.clone(), |call| call.to_openai())
    });
    written.collect()
}

/// The messages that one of Anthropic, or a part of it, becomes; and what of it has no place in them.
pub(super) fn from_anthropic(value: &Value) -> (Vec<Value>, Vec<String>) {
    if let Some(system) = instructions(value) {
        let content = text_or_parts(system);
        return (
            vec![json!({"role": "system", "content": content})],
            Vec::new(),
        );
    }
    let mut left_out = other_fields(value, &["role", "content", "type"]);
    let role = text(value, "role").unwrap_or("user");
    let blocks = match value.get("content") {
        Some(Value::Array(blocks)) => blocks,
        content => {
            let content = content.cloned().unwrap_or_default();
            return (vec![json!({"role": role, "content": content})], left_out);
        }
    };
    let mut split = Split {
        role,
        parts: Vec::new(),
        calls: Vec::new(),
        done: Vec::new(),
    };
    for block in blocks {
        split.take(block, &mut left_out);
    }
    split.finish();
    (split.done, left_out)
}

/// The blocks of a message on their way to several messages.
struct Split<'v> {
    role: &'v str,
    parts: Vec<Value>,
    calls: Vec<Value>,
    done: Vec<Value>,
}

impl Split<'_> {
    fn take(&mut self, block: &Value, left_out: &mut Vec<String>) {
        match text(block, "type") {
            Some("tool_use") => {
                let read = ToolCall::of(&json!([block])).into_iter();
                self.calls.extend(read.map(|call| call.to_openai()));
            }
            Some("tool_result") => {
                self.finish();
                let content = block.get("content").map(text_or_parts);
                let content = content.unwrap_or_else(|| Value::from(""));
                let id = block.get("tool_use_id");
                left_out.extend(other_fields(block, &["type", "tool_use_id", "content"]));
                self.done
                    .push(json!({"role": "tool", "tool_call_id": id, "content": content}));
            }
            _ => match part(block) {
                Ok(part) => self.parts.push(part),
                Err(kind) => left_out.push(kind.to_owned()),
            },
        }
    }

    fn finish(&mut self) {
        let (parts, calls) = (
            std::mem::take(&mut self.parts),
            std::mem::take(&mut self.calls),
        );
        if parts.is_empty() && calls.is_empty() {
            return;
        }
        let content = match parts.as_slice() {
            [] => Value::Null,
            [only] if only.get("type").is_some_and(|kind| kind == "text") => {
                only.get("text").cloned().unwrap_or_default()
            }
            _ => Value::from(parts),
        };
        let mut message = json!({"role": self.role, "content": content});
        if let (false, Some(fields)) = (calls.is_empty(), message.as_object_mut()) {
            fields.insert("tool_calls".into(), Value::from(calls));
        }
        self.done.push(message);
    }
}

/// Blocks as parts; a text as it is.
fn text_or_parts(content: &Value) -> Value {
    match content.as_array() {
        Some(blocks) => blocks.iter().filter_map(|block| part(block).ok()).collect(),
        None => content.clone(),
    }
}

/// A block as a part; what is known here by no name is a text that quotes it. A model's thinking has no place here,
/// and its name is what comes back.
fn part(block: &Value) -> Result<Value, &'static str> {
    let source = block.get("source");
    let of_source = |name: &str| source.and_then(|source| text(source, name));
    match (text(block, "type"), of_source("type")) {
        (Some("thinking" | "redacted_thinking"), _) => Err("thinking"),
        (Some("text"), _) => Ok(json!({"type": "text", "text": block.get("text")})),
        (Some("image"), Some("base64")) => {
            let kind = of_source("media_type").unwrap_or("application/octet-stream");
            let data = of_source("data").unwrap_or_default();
            let url = format!("data:{kind};base64,{data}");
            Ok(json!({"type": "image_url", "image_url": {"url": url}}))
        }
        (Some("image"), Some("url")) => {
            Ok(json!({"type": "image_url", "image_url": {"url": of_source("url")}}))
        }
        (Some("document"), Some("text")) => Ok(json!({"type": "text", "text": of_source("data")})),
        _ => Ok(json!({"type": "text", "text": block.to_string()})),
    }
}
