//! Conversation JSONL, our own format: one turn a line.
//!
//! `session`, `role` and `content` are required; content may be left out of a turn with tool calls, and the session
//! where the caller names one for lines without. `origin` may only lower the trust in a turn: a file cannot claim
//! that the user said something.

use std::collections::HashMap;

use memoriter_core::error::InvalidInput;
use memoriter_core::provenance::Origin;
use memoriter_core::scope::SEGMENT_BYTES_MAX;
use memoriter_core::time::ZonedTime;
use memoriter_core::turn::{Message, NAME_BYTES_MAX, Role, SessionName};
use serde_json::Value;

use super::error::ImportError;
use super::node::Node;
use super::{Batch, Defaults, FormatReader, ImportedTurn};
use crate::{TurnDraft, TurnKey};

const FIELDS: &[&str] = &[
    "session",
    "role",
    "content",
    "ts",
    "user",
    "speaker",
    "id",
    "tool_calls",
    "tool_call_id",
    "origin",
];

pub(super) struct Jsonl {
    session: Option<SessionName>,
    now: ZonedTime,
    /// Turns read so far, by user and session.
    lengths: HashMap<(Option<String>, SessionName), u64>,
}

impl Jsonl {
    pub(super) fn new(defaults: &Defaults) -> Self {
        Self {
            session: defaults.line_session.clone(),
            now: defaults.now,
            lengths: HashMap::new(),
        }
    }

    fn position(&mut self, user: Option<&str>, session: &SessionName) -> u64 {
        let length = self
            .lengths
            .entry((user.map(str::to_owned), session.clone()));
        let length = length.or_default();
        *length += 1;
        *length - 1
    }
}

impl FormatReader for Jsonl {
    fn turns(&mut self, line: Node<'_>, batch: &mut Batch) -> Result<(), ImportError> {
        line.only(FIELDS)?;
        let session = match (line.get("session")?, &self.session) {
            (Some(session), _) => session.session()?,
            (None, Some(session)) => session.clone(),
            (None, None) => return Err(line.missing("session")),
        };
        let user = name(line, "user", SEGMENT_BYTES_MAX)?;
        let position = self.position(user.as_deref(), &session);
        let key = match name(line, "id", NAME_BYTES_MAX)? {
            Some(id) => TurnKey::Given(id),
            None => TurnKey::At(position),
        };
        let message = line.checked(message(line, self.now)?)?;
        batch.turns.push_back(ImportedTurn {
            user,
            draft: TurnDraft {
                session,
                key,
                message,
            },
            place: line.place(),
        });
        Ok(())
    }
}

fn message(line: Node<'_>, now: ZonedTime) -> Result<Message, ImportError> {
    let role = line.need("role")?;
    let role = role.valid(Role::parse(role.text()?))?;
    let tool_calls = tool_calls(line)?;
    let content = match line.get_text("content")? {
        Some(content) => content,
        None if tool_calls.is_some() => "",
        None => return Err(line.missing("content")),
    };
    let at = match line.get("ts")? {
        Some(ts) => ts.valid(ZonedTime::parse("ts", ts.text()?))?,
        None => now,
    };
    Ok(Message {
        speaker: name(line, "speaker", NAME_BYTES_MAX)?,
        tool_calls,
        tool_call_id: name(line, "tool_call_id", NAME_BYTES_MAX)?,
        origin: origin(line)?.unwrap_or(role.origin()),
        ..Message::new(role, content, at)
    })
}

fn tool_calls(line: Node<'_>) -> Result<Option<Value>, ImportError> {
    let Some(calls) = line.get("tool_calls")? else {
        return Ok(None);
    };
    let empty = calls.items()?.len() == 0;
    Ok((!empty).then(|| calls.value().clone()))
}

fn origin(line: Node<'_>) -> Result<Option<Origin>, ImportError> {
    let Some(origin) = line.get("origin")? else {
        return Ok(None);
    };
    match origin.text()? {
        "tool" => Ok(Some(Origin::Tool)),
        "web" => Ok(Some(Origin::Web)),
        "document" => Ok(Some(Origin::Document)),
        other => origin.valid(Err(InvalidInput::malformed(
            "origin",
            "tool, web or document",
            other,
        ))),
    }
}

fn name(line: Node<'_>, field: &'static str, limit: usize) -> Result<Option<String>, ImportError> {
    line.get(field)?
        .map(|node| node.name(field, limit))
        .transpose()
}
