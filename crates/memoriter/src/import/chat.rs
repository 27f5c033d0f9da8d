//! What the message formats of model providers have in common: the three shapes of a file and how their
//! conversations, which have no names, become sessions.
//!
//! A file is one object with `messages`, any number of such objects (in an array or one after the other), or
//! one array of bare messages. The first conversation gets the name that the caller gives, the n-th `name/n`.
//! Fields that carry no words of the conversation (model, usage, tools, sampling) are passed over.

use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{Message, SessionName};

use super::error::ImportError;
use super::node::Node;
use super::{Batch, Defaults, FormatReader, ImportedTurn, LeftOut};
use crate::{TurnDraft, TurnKey};

/// What becomes of a part or block of a type that nobody here has heard of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// It is an error.
    Refused,
    /// A note stands for it among the words: the part itself is kept elsewhere.
    Noted,
}

/// How one provider writes messages.
pub(super) trait Dialect {
    /// What stands beside `messages` and comes before them.
    fn opening(
        &self,
        conversation: Node<'_>,
        at: ZonedTime,
    ) -> Result<Option<Message>, ImportError>;

    /// One message of the file, which can be several turns, or none when it has no words.
    fn messages(
        &self,
        message: Node<'_>,
        at: ZonedTime,
        left_out: &mut LeftOut,
    ) -> Result<Vec<Message>, ImportError>;
}

pub(super) struct Chat<D> {
    dialect: D,
    name: SessionName,
    now: ZonedTime,
    conversations: u64,
    /// Turns so far in the conversation that bare messages belong to.
    bare_turns: u64,
}

impl<D: Dialect> Chat<D> {
    pub(super) fn new(dialect: D, defaults: &Defaults) -> Self {
        Self {
            dialect,
            name: defaults.session.clone(),
            now: defaults.now,
            conversations: 0,
            bare_turns: 0,
        }
    }

    fn conversation(
        &mut self,
        conversation: Node<'_>,
        messages: Node<'_>,
        batch: &mut Batch,
    ) -> Result<(), ImportError> {
        let session = self.next_session(conversation)?;
        let at = time(conversation)?.unwrap_or(self.now);
        let mut position = 0;
        let opening = self.dialect.opening(conversation, at)?;
        put(batch, conversation, &session, &mut position, opening)?;
        for message in messages.items()? {
            let at = time(message)?.unwrap_or(at);
            let turns = self.dialect.messages(message, at, &mut batch.left_out)?;
            put(batch, message, &session, &mut position, turns)?;
        }
        Ok(())
    }

    fn bare_message(&mut self, message: Node<'_>, batch: &mut Batch) -> Result<(), ImportError> {
        self.conversations = self.conversations.max(1);
        let at = time(message)?.unwrap_or(self.now);
        let turns = self.dialect.messages(message, at, &mut batch.left_out)?;
        put(batch, message, &self.name, &mut self.bare_turns, turns)
    }

    fn next_session(&mut self, conversation: Node<'_>) -> Result<SessionName, ImportError> {
        self.conversations += 1;
        if self.conversations == 1 {
            return Ok(self.name.clone());
        }
        let name = format!("{}/{}", self.name.as_str(), self.conversations);
        conversation.valid(SessionName::new(name))
    }
}

impl<D: Dialect> FormatReader for Chat<D> {
    fn turns(&mut self, item: Node<'_>, batch: &mut Batch) -> Result<(), ImportError> {
        if let Some(messages) = item.get("messages")? {
            return self.conversation(item, messages, batch);
        }
        if item.is_element_of_file() && item.get("role")?.is_some() {
            return self.bare_message(item, batch);
        }
        Err(item.missing("messages"))
    }
}

fn put(
    batch: &mut Batch,
    node: Node<'_>,
    session: &SessionName,
    position: &mut u64,
    messages: impl IntoIterator<Item = Message>,
) -> Result<(), ImportError> {
    for message in messages {
        batch.turns.push_back(ImportedTurn {
            user: None,
            draft: TurnDraft {
                session: session.clone(),
                key: TurnKey::At(*position),
                message: node.checked(message)?,
            },
            place: node.place(),
        });
        *position += 1;
    }
    Ok(())
}

/// When it was said, under any of the names in use: RFC 3339, or seconds since 1970.
fn time(node: Node<'_>) -> Result<Option<ZonedTime>, ImportError> {
    for field in ["ts", "timestamp", "created_at", "created"] {
        let Some(node) = node.get(field)? else {
            continue;
        };
        if let Some(seconds) = node.value().as_f64() {
            return seconds_since_1970(node, seconds).map(Some);
        }
        return node.valid(ZonedTime::parse("ts", node.text()?)).map(Some);
    }
    Ok(None)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the range is checked before"
)]
fn seconds_since_1970(node: Node<'_>, seconds: f64) -> Result<ZonedTime, ImportError> {
    /// The end of the year 9998.
    const SECONDS_MAX: f64 = 253_370_764_800.0;
    if !(0.0..SECONDS_MAX).contains(&seconds) {
        return Err(node.unexpected("seconds since 1970, before the year 9999"));
    }
    let micros = (seconds * 1e6).round() as i64;
    Ok(ZonedTime::utc(Timestamp::from_micros(micros)))
}
