//! Messages of the OpenAI API.
//!
//! Content is a string or parts; parts that are not text leave a note such as `[image]` where they stood.
//! `developer` is read as `system`, `function` as `tool`, the old `function_call` as a tool call, `name` as
//! the speaker, a refusal as what was said.

use memoriter_core::time::ZonedTime;
use memoriter_core::turn::{Message, NAME_BYTES_MAX, Role};
use serde_json::{Value, json};

use super::LeftOut;
use super::chat::{Dialect, Unknown};
use super::error::ImportError;
use super::node::Node;

pub(super) struct OpenAi;

impl Dialect for OpenAi {
    fn opening(&self, _: Node<'_>, _: ZonedTime) -> Result<Option<Message>, ImportError> {
        Ok(None)
    }

    fn messages(
        &self,
        message: Node<'_>,
        at: ZonedTime,
        left_out: &mut LeftOut,
    ) -> Result<Vec<Message>, ImportError> {
        let message = turn(message, at, Unknown::Refused)?;
        if message.content.trim().is_empty() && message.tool_calls.is_none() {
            left_out.wordless_messages += 1;
            return Ok(Vec::new());
        }
        Ok(vec![message])
    }
}

/// The turn that a message is; it may have no words.
pub(crate) fn turn(
    message: Node<'_>,
    at: ZonedTime,
    unknown: Unknown,
) -> Result<Message, ImportError> {
    let role = role(message)?;
    let content = words(message, role, unknown)?;
    Ok(Message {
        speaker: name(message, "name")?,
        tool_calls: tool_calls(message)?,
        tool_call_id: name(message, "tool_call_id")?,
        ..Message::new(role, content, at)
    })
}

fn role(message: Node<'_>) -> Result<Role, ImportError> {
    let role = message.need("role")?;
    match role.text()? {
        "user" => Ok(Role::User),
        "assistant" => Ok(Role::Assistant),
        "system" | "developer" => Ok(Role::System),
        "tool" | "function" => Ok(Role::Tool),
        _ => Err(role.unexpected("user, assistant, system, developer, tool or function")),
    }
}

/// Everything that was said, a line per part.
fn words(message: Node<'_>, role: Role, unknown: Unknown) -> Result<String, ImportError> {
    let mut lines = Vec::new();
    match message.get("content")? {
        Some(content) if content.value().is_string() => lines.push(content.text()?.to_owned()),
        Some(content) if content.value().is_array() => {
            for part in content.items()? {
                lines.push(part_words(part, unknown)?);
            }
        }
        Some(content) => return Err(content.unexpected("a string or an array of parts")),
        None if role == Role::Assistant => {}
        None => return Err(message.missing("content")),
    }
    if let Some(refusal) = message.get_text("refusal")? {
        lines.push(refusal.to_owned());
    }
    if let Some(audio) = message.get("audio")? {
        lines.push(note("audio", audio.get_text("transcript")?));
    }
    Ok(lines.join("\n"))
}

fn part_words(part: Node<'_>, unknown: Unknown) -> Result<String, ImportError> {
    let kind = part.need("type")?;
    match kind.text()? {
        "text" | "input_text" | "output_text" => part.need_text("text").map(str::to_owned),
        "refusal" => part.need_text("refusal").map(str::to_owned),
        "image_url" | "input_image" => Ok(note("image", None)),
        "input_audio" => Ok(note("audio", None)),
        "file" => {
            let file = part.need("file")?;
            Ok(note("file", file.get_text("filename")?))
        }
        "input_file" => Ok(note("file", part.get_text("filename")?)),
        other if unknown == Unknown::Noted => Ok(note(other, None)),
        _ => Err(kind.unexpected("a part of type text, refusal, image_url, input_audio or file")),
    }
}

fn note(what: &str, detail: Option<&str>) -> String {
    match detail {
        Some(detail) => format!("[{what}: {detail}]"),
        None => format!("[{what}]"),
    }
}

fn tool_calls(message: Node<'_>) -> Result<Option<Value>, ImportError> {
    if let Some(calls) = message.get("tool_calls")?
        && calls.items()?.len() > 0
    {
        return Ok(Some(calls.value().clone()));
    }
    let function = message.get("function_call")?;
    Ok(function.map(|call| json!([{ "type": "function", "function": call.value() }])))
}

fn name(message: Node<'_>, field: &'static str) -> Result<Option<String>, ImportError> {
    message
        .get(field)?
        .map(|node| node.name(field, NAME_BYTES_MAX))
        .transpose()
}
