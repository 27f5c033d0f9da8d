//! From messages of providers to turns.

use memoriter_core::access::Right;
use memoriter_core::attachment::note;
use memoriter_core::message::plain;
use memoriter_core::scope::Scope;
use memoriter_core::time::ZonedTime;
use memoriter_core::turn::{Attached, Encoding, Message, Role, SessionName, Shape, Turn, Written};
use memoriter_store::{NewAttachment, Snapshot, StoreError, TurnQuery};
use serde_json::{Value, json};

use super::taken::{self, Taken};
use crate::desk::{Session, WhenRead};
use crate::error::Error;
use crate::guarded::{masked_json, masked_message};
use crate::import::chat::Unknown;
use crate::import::node::Node;
use crate::import::{ImportError, anthropic, openai};
use crate::learn::Learned;
use crate::prepared::{Place, Prepared, attached, kind_of};
use crate::session::{TurnDraft, TurnKey};

/// How keys begin of messages whose places in the conversation are known.
const BASE: &str = "message";

/// Messages on their way into a session; [`Incoming::run`] carries it out.
#[must_use]
pub struct Incoming<'a> {
    session: &'a Session,
    shape: Shape,
    messages: &'a Value,
    from: Option<u64>,
    at: Option<ZonedTime>,
    reading: WhenRead,
}

impl Session {
    /// Starts to append messages in a shape: see [`Session::append_openai`].
    pub fn incoming<'a>(&'a self, shape: Shape, messages: &'a Value) -> Incoming<'a> {
        Incoming {
            session: self,
            shape,
            messages,
            from: None,
            at: None,
            reading: WhenRead::Now,
        }
    }
}

impl Incoming<'_> {
    /// How many messages of the conversation stand before these. With it the same call again adds nothing, so that a
    /// loop may give the whole conversation each time, from 0. One that says something else than before at its place is an
    /// error, and so is a number over that of the messages that the session has. Without it each call adds.
    pub fn from(mut self, messages: u64) -> Self {
        self.from = Some(messages);
        self
    }

    /// When they were said, if not now.
    pub fn at(mut self, at: ZonedTime) -> Self {
        self.at = Some(at);
        self
    }

    /// Keeps them as they are: nothing is learned from them.
    pub fn unread(mut self) -> Self {
        self.reading = WhenRead::Never;
        self
    }

    /// Leaves them in the queue, to be read by [`Memoriter::work`](crate::Memoriter::work).
    pub fn read_later(mut self) -> Self {
        self.reading = WhenRead::Later;
        self
    }

    /// Appends them and, in [`Mode::Full`](crate::Mode::Full), reads them for what is worth remembering.
    ///
    /// # Errors
    /// As [`Session::append_openai`], and [`Error::PositionGap`]. Nothing is appended when a message is not as the shape has it.
    pub fn run(self) -> Result<Learned, Error> {
        self.session.memory.may(Right::Write)?;
        let name = self.session.name()?;
        if let Some(from) = self.from.filter(|from| *from > 0) {
            self.refuse_gap(&name, from)?;
        }
        let maker = Maker {
            incoming: &self,
            base: match self.from {
                Some(_) => BASE.to_owned(),
                None => self.session.memory.new_id(),
            },
            at: self.at.unwrap_or_else(|| self.session.now()),
            name,
        };
        let (system, messages) = self.parts()?;
        let mut turns = Vec::new();
        if let Some(system) = system {
            turns.push(maker.instructions(system)?);
        }
        for (number, message) in messages.iter().enumerate() {
            turns.extend(maker.message(number, message)?);
        }
        let turns = turns.into_iter().map(Ok);
        self.session.append_all(turns, self.reading)
    }

    /// An error where the session has fewer messages than are said to stand before these.
    fn refuse_gap(&self, name: &SessionName, from: u64) -> Result<(), Error> {
        let memory = &self.session.memory;
        memory.may(Right::Write)?;
        let before = TurnDraft {
            session: name.clone(),
            key: TurnKey::Given(key_of(BASE, from - 1, 0)),
            message: Message::new(Role::User, String::new(), self.session.now()),
        };
        let snapshot = memory.engine.store.snapshot()?;
        let scopes = std::slice::from_ref(&memory.scope);
        let ids = [memory.turn_id(&before)];
        let query = TurnQuery::Ids { scopes, ids: &ids };
        if !snapshot.turns(query)?.rows.is_empty() {
            return Ok(());
        }
        // Those before these came in another way, or were erased.
        let messages = messages_in(snapshot.as_ref(), &memory.scope, name)?;
        if from <= messages {
            return Ok(());
        }
        Err(Error::PositionGap {
            session: name.as_str().to_owned(),
            from,
            messages,
        })
    }

    /// Instructions and messages of what was given.
    fn parts(&self) -> Result<(Option<&Value>, &[Value]), ImportError> {
        let given = self.messages;
        if let Some(messages) = given.as_array() {
            return Ok((None, messages));
        }
        let root = Node::root(given, 0, None);
        let Some(messages) = root.get("messages")? else {
            if root.get("role")?.is_some() {
                return Ok((None, std::slice::from_ref(given)));
            }
            return Err(root.missing("messages"));
        };
        let _ = messages.items()?;
        let (known, system): (&[&str], _) = match self.shape {
            Shape::OpenAi => (&["messages"], None),
            Shape::Anthropic => (&["system", "messages"], given.get("system")),
        };
        root.only(known)?;
        let messages = given.get("messages").and_then(Value::as_array);
        let messages = messages.map(Vec::as_slice).unwrap_or_default();
        Ok((system.filter(|system| !system.is_null()), messages))
    }
}

/// Makes turns of messages.
struct Maker<'a> {
    incoming: &'a Incoming<'a>,
    /// How keys of this call begin.
    base: String,
    at: ZonedTime,
    name: SessionName,
}

impl Maker<'_> {
    /// What stands beside the messages. The same again is the same turn.
    fn instructions(&self, system: &Value) -> Result<Prepared, Error> {
        let guard = &self.incoming.session.memory.engine.guard;
        let value = masked_json(guard, &json!({"system": system}));
        let root = Node::root(&value, 0, None);
        let words = anthropic::instructions(root.need("system")?)?;
        let message = Message::new(Role::System, words, self.at);
        let key = format!("system:{}", blake3::hash(value.to_string().as_bytes()));
        let message = self.written(&message, value.clone(), Vec::new())?;
        Ok(self.prepared(key, root.checked(message)?, Vec::new()))
    }

    /// The turns of a message.
    fn message(&self, number: usize, message: &Value) -> Result<Vec<Prepared>, Error> {
        let shape = self.incoming.shape;
        let from = self.incoming.from.unwrap_or(0);
        let number_in_all = from.saturating_add(number as u64);
        let key = format!("{}:{number_in_all}", self.base);
        let memory = &self.incoming.session.memory;
        let mut value = message.clone();
        let media = taken::media(&mut value);
        let mut value = masked_json(&memory.engine.guard, &value);
        let mut kept = Vec::new();
        for part in media {
            kept.push(self.attachment(&key, part)?);
        }
        let over = self.incoming.session.attach_over;
        for at in taken::long_results(&value, shape, over) {
            if let Some(place) = value.pointer_mut(&at) {
                kept.push(self.long_text(&key, at, place)?);
            }
        }
        let node = Node::root(&value, 0, Some(number));
        let parts = self.turns(node)?;
        let mut turns = Vec::new();
        for (place, (message, value, blocks)) in parts.into_iter().enumerate() {
            let (own, others) = split_off(kept, blocks);
            kept = others;
            let (places, attachments): (Vec<Attached>, Vec<NewAttachment>) =
                own.into_iter().unzip();
            let mut message = self.written(&message, value, places)?;
            if let Some(written) = &mut message.written {
                written.continues = place > 0;
            }
            let message = node.checked(message)?;
            let key = key_of(&self.base, number_in_all, place);
            turns.push(self.prepared(key, message, attachments));
        }
        Ok(turns)
    }

    /// The turns of a message with the part of the message that each is, and the blocks of that.
    fn turns(&self, node: Node<'_>) -> Result<Vec<(Message, Value, Blocks)>, ImportError> {
        let value = node.value();
        if self.incoming.shape == Shape::OpenAi {
            let message = openai::turn(node, self.at, Unknown::Noted)?;
            return Ok(vec![(message, value.clone(), Blocks::ALL)]);
        }
        let turns = anthropic::turns_with_blocks(node, self.at)?;
        let Some(content) = value.get("content").and_then(Value::as_array) else {
            let whole = turns.into_iter();
            return Ok(whole
                .map(|(message, _)| (message, value.clone(), Blocks::ALL))
                .collect());
        };
        let mut from = 0;
        let mut parts = Vec::new();
        for (message, to) in turns {
            let own = Value::from(content.get(from..to).unwrap_or_default());
            let mut part = if from == 0 {
                value.clone()
            } else {
                json!({"role": value.get("role")})
            };
            if let Some(fields) = part.as_object_mut() {
                fields.insert("content".into(), own);
            }
            parts.push((message, part, Blocks { from, to }));
            from = to;
        }
        Ok(parts)
    }

    /// A message with what it keeps of how it was written. Where a secret shows only in its words as a whole, the parts
    /// they came in are not kept.
    fn written(
        &self,
        message: &Message,
        value: Value,
        attached: Vec<Attached>,
    ) -> Result<Message, Error> {
        let shape = self.incoming.shape;
        let guard = &self.incoming.session.memory.engine.guard;
        let masked = masked_message(guard, message.clone())?;
        let written = if masked == *message {
            Written {
                attached,
                ..Written::of(shape, &masked, value)
            }
        } else {
            Written::of(shape, &masked, plain(&masked, shape))
        };
        Ok(Message {
            written: Some(written),
            ..masked
        })
    }

    fn attachment(&self, key: &str, part: Taken) -> Result<(Attached, NewAttachment), Error> {
        let place = Place {
            session: &self.name,
            key: key.as_bytes(),
            at: &part.at,
        };
        let memory = &self.incoming.session.memory;
        let new = memory.new_attachment(&place, part.media_type, None, part.bytes)?;
        Ok((attached(&part.at, &new, part.encoding), new))
    }

    /// Puts a note into the place of a text, which becomes an attachment.
    fn long_text(
        &self,
        key: &str,
        at: String,
        text: &mut Value,
    ) -> Result<(Attached, NewAttachment), Error> {
        let bytes = text.as_str().unwrap_or_default().as_bytes().to_vec();
        let part = Taken {
            at,
            media_type: kind_of(&bytes),
            bytes,
            encoding: Encoding::Text,
        };
        let (attached, new) = self.attachment(key, part)?;
        *text = Value::from(note(new.id, &new.media_type, None, &new.bytes));
        Ok((attached, new))
    }

    fn prepared(&self, key: String, message: Message, attachments: Vec<NewAttachment>) -> Prepared {
        Prepared {
            turn: TurnDraft {
                session: self.name.clone(),
                key: TurnKey::Given(key),
                message,
            },
            attachments,
        }
    }
}

/// The key of a turn: the message by its number in the conversation, and which of its turns it is.
fn key_of(base: &str, number: u64, place: usize) -> String {
    format!("{base}:{number}:{place}")
}

/// How many messages a session has had, with those that it goes on from. A message may be several turns, and instructions that
/// stand beside the messages are none. Of turns that were erased nothing is known: each counts as a message.
fn messages_in(
    snapshot: &dyn Snapshot,
    scope: &Scope,
    session: &SessionName,
) -> Result<u64, StoreError> {
    let Some(row) = snapshot.session(scope, session)? else {
        return Ok(0);
    };
    let turns = snapshot.turns(TurnQuery::Session {
        scope,
        session,
        from: 0,
        limit: usize::MAX,
    })?;
    let is_beside = |turn: &&Turn| {
        let message = &turn.message;
        message.written.as_ref().is_some_and(|written| {
            written.continues || written.shape == Shape::Anthropic && message.role == Role::System
        })
    };
    let beside = turns.rows.iter().filter(is_beside).count() as u64;
    Ok(u64::from(row.turns).saturating_sub(beside))
}

/// Which blocks of a message's content a turn has.
#[derive(Clone, Copy)]
struct Blocks {
    from: usize,
    to: usize,
}

impl Blocks {
    const ALL: Self = Self {
        from: 0,
        to: usize::MAX,
    };
}

type Kept = Vec<(Attached, NewAttachment)>;

/// What stands in some blocks, with its place among them, and the rest. What stands in no block is with the first.
fn split_off(kept: Kept, blocks: Blocks) -> (Kept, Kept) {
    const CONTENT: &str = "/content/";
    let index = |at: &str| -> Option<usize> {
        let rest = at.strip_prefix(CONTENT)?;
        rest.split('/').next()?.parse().ok()
    };
    let is_own = |at: &str| {
        index(at).map_or(blocks.from == 0, |index| {
            (blocks.from..blocks.to).contains(&index)
        })
    };
    let (mut own, others): (Kept, Kept) =
        kept.into_iter().partition(|(place, _)| is_own(&place.at));
    for (place, _) in &mut own {
        if let Some(at) = index(&place.at) {
            let tail = place.at.strip_prefix(CONTENT).unwrap_or_default();
            let rest = tail.find('/').and_then(|slash| tail.get(slash..));
            place.at = format!("{CONTENT}{}{}", at - blocks.from, rest.unwrap_or_default());
        }
    }
    (own, others)
}
