//! A conversation in the shape of a provider, or as lines that `ingest` reads.

use memoriter::core::attachment::Attachment;
use memoriter::core::error::InvalidInput;
use memoriter::core::turn::{SessionName, Shape, Turn};
use memoriter::{Mode, ScopedMemory};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::layout;
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
    let text = layout::json_line(&document);
    Ok(Answer::new(&document, text))
}

/// The turns as lines. They say what the turns say: of an attachment, its note. What is left out is talk.
pub(super) fn jsonl(
    scope: &ScopedMemory,
    session: &SessionName,
    from: u32,
    limit: Option<usize>,
) -> Result<Answer, Failure> {
    let wanted = limit.map_or(usize::MAX, |limit| limit + 1);
    let mut rows = scope.turns(session, from, wanted)?;
    let next = limit.and_then(|limit| Some(rows.rows.get(limit)?.position));
    rows.rows.truncate(limit.unwrap_or(usize::MAX));
    let damaged = rows.damaged.iter().map(layout::damage);
    damaged.for_each(|damage| output::talk(&damage));
    let (in_use, forgotten): (Vec<&Turn>, Vec<&Turn>) =
        rows.rows.iter().partition(|turn| turn.retired_at.is_none());
    let is_shown = |kept: &&Attachment| in_use.iter().any(|turn| turn.id == kept.turn);
    let attachments = scope.attachments(session)?;
    let noted = attachments.iter().filter(is_shown).count();
    let left_out = [
        (
            forgotten.len(),
            "turn that somebody asked to forget",
            "turns that somebody asked to forget",
        ),
        (
            noted,
            "attachment, for which a note stands",
            "attachments, for which notes stand",
        ),
    ];
    for (count, one, many) in left_out.into_iter().filter(|(count, ..)| *count > 0) {
        output::talk(&format!(
            "left out: {}",
            layout::count(count as u64, one, many)
        ));
    }
    if let Some(next) = next {
        output::talk(&format!("more: --from {next}"));
    }
    let lines: Vec<Value> = in_use.into_iter().map(line).collect();
    let text: Vec<String> = lines.iter().map(layout::json_line).collect();
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
