//! The LoCoMo benchmark as published (Maharana et al., ACL 2024): conversations of two people over many days.
//!
//! A sample holds `sample_id` and `conversation`, and in that `session_1` with `session_1_date_time` and so
//! on. Both speakers are people. A picture that was shared is told by its caption, as in the paper's
//! evaluation. Dates of sessions that are not there, which the published file has, mean nothing.

use memoriter_core::turn::{Message, NAME_BYTES_MAX, Role, SessionName};

use super::error::ImportError;
use super::node::Node;
use super::published::{self, Said};
use super::{Batch, FormatReader, LeftOut, time};

pub(super) struct Locomo;

impl FormatReader for Locomo {
    fn turns(&mut self, sample: Node<'_>, batch: &mut Batch) -> Result<(), ImportError> {
        let id = sample_id(sample)?;
        let turns = turns(sample, &mut batch.left_out)?;
        published::put(batch, (sample, &id), turns)
    }
}

pub(crate) fn sample_id(sample: Node<'_>) -> Result<String, ImportError> {
    sample.need("sample_id")?.name("sample_id", NAME_BYTES_MAX)
}

/// Every turn of a sample, in the order of the sessions' numbers: sessions such as `session_7`, ids such as
/// `D7:3`.
pub(crate) fn turns(sample: Node<'_>, left_out: &mut LeftOut) -> Result<Vec<Said>, ImportError> {
    let conversation = sample.need("conversation")?;
    let mut sessions: Vec<(u32, &str)> = conversation.names()?.filter_map(numbered).collect();
    sessions.sort_unstable();
    let mut turns = Vec::new();
    for (_, name) in sessions {
        session(conversation, name, &mut turns, left_out)?;
    }
    Ok(turns)
}

/// The number of a field that holds a session, beside the field.
fn numbered(field: &str) -> Option<(u32, &str)> {
    let number = field.strip_prefix("session_")?.parse().ok()?;
    Some((number, field))
}

fn session(
    conversation: Node<'_>,
    name: &str,
    turns: &mut Vec<Said>,
    left_out: &mut LeftOut,
) -> Result<(), ImportError> {
    let session = conversation.valid(SessionName::new(name))?;
    let date = format!("{name}_date_time");
    let at = time::any(conversation.need(&date)?)?;
    for turn in conversation.need(name)?.items()? {
        let content = content(turn)?;
        if content.is_empty() {
            left_out.wordless_messages += 1;
            continue;
        }
        let message = Message {
            speaker: Some(turn.need("speaker")?.name("speaker", NAME_BYTES_MAX)?),
            ..Message::new(Role::User, content, at)
        };
        turns.push(Said {
            session: session.clone(),
            id: turn.need("dia_id")?.name("dia_id", NAME_BYTES_MAX)?,
            message: turn.checked(message)?,
            place: turn.place(),
        });
    }
    Ok(())
}

/// The text, byte-exact, and what the picture shows.
fn content(turn: Node<'_>) -> Result<String, ImportError> {
    let text = turn.need_text("text")?;
    let blank = text.trim().is_empty();
    Ok(match turn.get_text("blip_caption")? {
        Some(caption) if blank => format!("[shares photo: {caption}]"),
        Some(caption) => format!("{text} [shares photo: {caption}]"),
        None if blank => String::new(),
        None => text.to_owned(),
    })
}
