//! A conversation in the shape of a provider, or as lines that `ingest` reads.

use memoriter::core::error::InvalidInput;
use memoriter::core::turn::{SessionName, Shape, Turn};
use memoriter::{Mode, ScopedMemory};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::output::{self, Answer};

/// What a conversation is shown as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownForm {
    /// For people.
    Text,
    OpenAi,
    Anthropic,
    /// A turn a line.
    Jsonl,
}

impl ShownForm {
    pub(super) fn parse(text: &str) -> Result<Self, InvalidInput> {
        match text {
            "text" => Ok(Self::Text),
            "openai" => Ok(Self::OpenAi),
            "anthropic" => Ok(Self::Anthropic),
            "jsonl" => Ok(Self::Jsonl),
            other => Err(InvalidInput::malformed(
                "form",
                "text, openai, anthropic or jsonl",
                other,
            )),
        }
    }
}

/// The messages; what has no place among them is talk.
pub(super) fn messages(
    scope: &ScopedMemory,
    session: &SessionName,
    shape: Shape,
) -> Result<Answer, Failure> {
    let session = scope.session(session.as_str()).mode(Mode::ReadOnly);
    let conversation = session.messages(shape)?;
    for what in &conversation.left_out {
        output::talk(&format!("left out: {what}"));
    }
    let document = conversation.to_json();
    let text = document.to_string();
    Ok(Answer::new(&document, text))
}

/// The turns as lines. They say what the turns say: of an attachment, its note.
pub(super) fn jsonl(scope: &ScopedMemory, session: &SessionName) -> Result<Answer, Failure> {
    let rows = scope.turns(session, 0, usize::MAX)?;
    let damaged = rows.damaged.iter().map(crate::layout::damage);
    damaged.for_each(|damage| output::talk(&damage));
    let in_use = rows.rows.iter().filter(|turn| turn.retired_at.is_none());
    let lines: Vec<Value> = in_use.map(line).collect();
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    Ok(Answer::new(&json!({ "turns": lines }), text.join("\n")))
}

fn line(turn: &Turn) -> Value {
    let message = &turn.message;
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    put("session", turn.session.as_str().into());
    put("id", turn.id.to_string().into());
    put("role", message.role.as_str().into());
    put("content", message.content.as_str().into());
    put("ts", message.at.to_string().into());
    if let Some(speaker) = &message.speaker {
        put("speaker", speaker.as_str().into());
    }
    if let Some(calls) = &message.tool_calls {
        put("tool_calls", calls.clone());
    }
    if let Some(id) = &message.tool_call_id {
        put("tool_call_id", id.as_str().into());
    }
    if message.origin.is_external() && message.origin != message.role.origin() {
        put("origin", message.origin.as_str().into());
    }
    Value::Object(fields)
}
