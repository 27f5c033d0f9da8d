//! The LongMemEval benchmark as published (Wu et al., ICLR 2025): an array of questions, each with the
//! history of chats that it is asked about.
//!
//! Read as conversations, each question brings its own history: sessions are named
//! `question_id/session_id`, since the same filler chat is dated differently under another question. The marks
//! of the turns that hold the answer are for evaluation only.

use std::collections::HashMap;

use memoriter_core::time::ZonedTime;
use memoriter_core::turn::{Message, NAME_BYTES_MAX, Role, SessionName};

use super::error::ImportError;
use super::node::Node;
use super::published::{self, Said};
use super::{Batch, FormatReader, LeftOut, time};

pub(super) struct LongMemEval;

impl FormatReader for LongMemEval {
    fn turns(&mut self, question: Node<'_>, batch: &mut Batch) -> Result<(), ImportError> {
        let id = question_id(question)?;
        let marked = turns(question, &mut batch.left_out)?.into_iter();
        published::put(batch, (question, &id), marked.map(|marked| marked.said))
    }
}

/// A turn of a question's history.
pub(crate) struct Marked {
    /// Its id is `<session>_turn_007`, numbered from 0 within the session.
    pub(crate) said: Said,
    /// Whether the answer to the question stands in it.
    pub(crate) has_answer: bool,
}

pub(crate) fn question_id(question: Node<'_>) -> Result<String, ImportError> {
    question
        .need("question_id")?
        .name("question_id", NAME_BYTES_MAX)
}

/// Every turn of a question's history, session after session as they stand.
pub(crate) fn turns(
    question: Node<'_>,
    left_out: &mut LeftOut,
) -> Result<Vec<Marked>, ImportError> {
    let sessions = question.need("haystack_sessions")?;
    let ids = question.need("haystack_session_ids")?;
    let dates = question.need("haystack_dates")?;
    let count = sessions.items()?.len();
    for list in [ids, dates] {
        if list.items()?.len() != count {
            return Err(list.unexpected(format!(
                "an array of {count}, as many as there are sessions"
            )));
        }
    }
    let mut seen = HashMap::new();
    let mut turns = Vec::new();
    for ((session, id), date) in sessions.items()?.zip(ids.items()?).zip(dates.items()?) {
        let name = unique(id, &mut seen)?;
        history(session, &name, time::any(date)?, &mut turns, left_out)?;
    }
    Ok(turns)
}

/// The session's name; one that stands in the history again gets `#2` and so on behind it.
fn unique(id: Node<'_>, seen: &mut HashMap<String, u32>) -> Result<SessionName, ImportError> {
    let name = id.session()?;
    let times = seen.entry(name.as_str().to_owned()).or_default();
    *times += 1;
    if *times == 1 {
        return Ok(name);
    }
    id.valid(SessionName::new(format!("{}#{times}", name.as_str())))
}

fn history(
    session: Node<'_>,
    name: &SessionName,
    at: ZonedTime,
    turns: &mut Vec<Marked>,
    left_out: &mut LeftOut,
) -> Result<(), ImportError> {
    for (index, turn) in session.items()?.enumerate() {
        let role = turn.need("role")?;
        let role = role.valid(Role::parse(role.text()?))?;
        let content = turn.need_text("content")?;
        if content.trim().is_empty() {
            left_out.wordless_messages += 1;
            continue;
        }
        let has_answer = match turn.get("has_answer")? {
            Some(flag) => flag.flag()?,
            None => false,
        };
        let said = Said {
            session: name.clone(),
            id: format!("{}_turn_{index:03}", name.as_str()),
            message: turn.checked(Message::new(role, content, at))?,
            place: turn.place(),
        };
        turns.push(Marked { said, has_answer });
    }
    Ok(())
}
