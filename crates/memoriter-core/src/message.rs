//! Conversations in the shapes of providers: turns on their way back to the messages that they came from, or to those of
//! another provider.
//!
//! A turn keeps the message it came from where its fields do not say all of it ([`Written`]). [`Piece::of`] makes the
//! message again, with everything that stands elsewhere back in its place, and [`Conversation::of`] puts the pieces
//! together. In its own shape a message is what came in; in the other shape it is as near as that allows, and what has
//! no place there is named.
//!
//! | module | holds |
//! |---|---|
//! | `openai`, `anthropic` | a message made of a turn's fields, and one made of the other provider's |
//! | `media` | bytes in base64 |

mod anthropic;
pub mod media;
mod openai;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use crate::attachment::AttachmentId;
use crate::error::InvalidInput;
use crate::turn::{Attached, Encoding, Message, Role, Shape, Turn, Written};

/// What stands for the words of a turn that somebody asked to forget.
const FORGOTTEN: &str = "[forgotten on request]";

/// The messages of a session in the shape of a provider.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversation {
    /// Whose shape.
    pub shape: Shape,
    /// What Anthropic's API takes beside the messages: the instructions that were given last.
    pub system: Option<Value>,
    /// The messages, in order.
    pub messages: Vec<Value>,
    /// What came in another shape and has no place in this one, as `message 3: thinking`; and what somebody asked to
    /// forget.
    pub left_out: Vec<String>,
}

/// A turn's part of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Whose shape it is in.
    pub shape: Shape,
    /// The message, or the part of it that the turn is.
    pub value: Value,
    /// Whether it is of the same message as the piece before.
    pub continues: bool,
    /// Whether somebody asked to forget the turn: then its words are not in it.
    pub is_forgotten: bool,
    /// Whether it is what a tool said in answer to no call. Anthropic has no place for it: there what a tool said is in
    /// messages of the user, and only the id of its call tells it from the user's own words.
    pub answers_no_call: bool,
}

impl Piece {
    /// The piece of a turn. One that came in no provider's shape gets that of `wanted`. `bytes` gives an attachment.
    ///
    /// # Errors
    /// [`InvalidInput`] when an attachment is not there or the place that it belongs to is not.
    pub fn of(
        turn: &Turn,
        wanted: Shape,
        bytes: &mut dyn FnMut(AttachmentId) -> Option<Vec<u8>>,
    ) -> Result<Self, InvalidInput> {
        let message = &turn.message;
        let written = message.written.as_ref();
        let shape = written.map_or(wanted, |written| written.shape);
        let continues = written.is_some_and(|written| written.continues);
        let answers_no_call =
            written.is_none() && message.role == Role::Tool && message.tool_call_id.is_none();
        if turn.retired_at.is_some() {
            let words = Message {
                content: FORGOTTEN.to_owned(),
                ..message.clone()
            };
            return Ok(Self {
                shape,
                value: plain(&words, shape),
                continues: false,
                is_forgotten: true,
                answers_no_call,
            });
        }
        let mut value = match written.and_then(|written| written.message.clone()) {
            Some(value) => value,
            None => plain(message, shape),
        };
        for attached in written.iter().flat_map(|written| &written.attached) {
            restore(&mut value, attached, bytes)?;
        }
        Ok(Self {
            shape,
            value,
            continues,
            is_forgotten: false,
            answers_no_call,
        })
    }
}

/// The message that a turn's fields make by themselves.
#[must_use]
pub fn plain(message: &Message, shape: Shape) -> Value {
    match shape {
        Shape::OpenAi => openai::plain(message),
        Shape::Anthropic => anthropic::plain(message),
    }
}

impl Written {
    /// What a turn with these fields keeps of the message that it came from: nothing of one that they make by
    /// themselves.
    #[must_use]
    pub fn of(shape: Shape, message: &Message, value: Value) -> Self {
        Self {
            message: (plain(message, shape) != value).then_some(value),
            ..Self::plain(shape)
        }
    }
}

/// Puts an attachment back into its place.
fn restore(
    value: &mut Value,
    attached: &Attached,
    bytes: &mut dyn FnMut(AttachmentId) -> Option<Vec<u8>>,
) -> Result<(), InvalidInput> {
    let missing = |expected| InvalidInput::malformed("attached", expected, &attached.at);
    let bytes = bytes(attached.id).ok_or_else(|| missing("an attachment that is there"))?;
    let text = match &attached.encoding {
        Encoding::Text => {
            String::from_utf8(bytes).map_err(|_| missing("an attachment that is text"))?
        }
        Encoding::Base64 { before } => format!("{before}{}", media::encode(&bytes)),
    };
    let place = value.pointer_mut(&attached.at);
    *place.ok_or_else(|| missing("a place in the message"))? = Value::String(text);
    Ok(())
}

impl Conversation {
    /// Puts pieces together.
    #[must_use]
    pub fn of(pieces: impl IntoIterator<Item = Piece>, shape: Shape) -> Self {
        let mut conversation = Self {
            shape,
            system: None,
            messages: Vec::new(),
            left_out: Vec::new(),
        };
        let mut last = Last::Other;
        for piece in pieces {
            if piece.is_forgotten {
                conversation.note("what somebody asked to forget");
            }
            if piece.answers_no_call && shape == Shape::Anthropic {
                conversation.note("what a tool said in answer to no call");
                continue;
            }
            last = match (piece.shape, shape) {
                (Shape::OpenAi, Shape::OpenAi) => conversation.push(piece.value),
                (Shape::Anthropic, Shape::Anthropic) => conversation.push_own(piece, last),
                (Shape::OpenAi, Shape::Anthropic) => {
                    conversation.push_converted(&piece.value, last)
                }
                (Shape::Anthropic, Shape::OpenAi) => {
                    let (messages, left_out) = openai::from_anthropic(&piece.value);
                    for what in left_out {
                        conversation.note(&what);
                    }
                    conversation.messages.extend(messages);
                    Last::Other
                }
            };
        }
        conversation
    }

    /// As JSON: an array of messages for `OpenAI`, an object with `messages` and, where there is one, `system` for
    /// Anthropic.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match (self.shape, &self.system) {
            (Shape::OpenAi, _) => Value::from(self.messages.clone()),
            (Shape::Anthropic, None) => json!({"messages": self.messages}),
            (Shape::Anthropic, Some(system)) => {
                json!({"system": system, "messages": self.messages})
            }
        }
    }

    fn note(&mut self, what: &str) {
        self.left_out
            .push(format!("message {}: {what}", self.messages.len()));
    }

    fn push(&mut self, message: Value) -> Last {
        self.messages.push(message);
        Last::Other
    }

    /// A piece of Anthropic's own: instructions, a message, or more blocks of the last one.
    fn push_own(&mut self, piece: Piece, last: Last) -> Last {
        if let Some(system) = instructions(&piece.value) {
            self.system = Some(system.clone());
            return last;
        }
        if piece.continues && last == Last::Own {
            let content = self
                .messages
                .last_mut()
                .and_then(|message| message.get_mut("content")?.as_array_mut());
            let more = piece.value.get("content").and_then(Value::as_array);
            if let (Some(content), Some(more)) = (content, more) {
                content.extend(more.iter().cloned());
                return Last::Own;
            }
        }
        self.messages.push(piece.value);
        Last::Own
    }

    /// A message of `OpenAI`. Results of calls that were made together share a message, as Anthropic asks for.
    fn push_converted(&mut self, message: &Value, last: Last) -> Last {
        let (converted, left_out) = anthropic::from_openai(message);
        for what in left_out {
            self.note(&what);
        }
        match converted {
            anthropic::Converted::System(blocks) => {
                let mut all = match self.system.take() {
                    Some(Value::Array(blocks)) => blocks,
                    Some(Value::String(text)) => vec![json!({"type": "text", "text": text})],
                    Some(_) | None => Vec::new(),
                };
                all.extend(blocks);
                self.system = Some(Value::from(all));
                last
            }
            anthropic::Converted::Result(block) => {
                let content = self
                    .messages
                    .last_mut()
                    .filter(|_| last == Last::Results)
                    .and_then(|message| message.get_mut("content")?.as_array_mut());
                match content {
                    Some(content) => content.push(block),
                    None => self
                        .messages
                        .push(json!({"role": "user", "content": [block]})),
                }
                Last::Results
            }
            anthropic::Converted::Message(message) => self.push(message),
        }
    }
}

/// What the last message may still take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// More of itself.
    Own,
    /// More results.
    Results,
    /// Nothing.
    Other,
}

/// The instructions that stand beside Anthropic's messages, where a piece is that.
fn instructions(value: &Value) -> Option<&Value> {
    if value.get("role").is_some() {
        return None;
    }
    value.get("system")
}

/// Strings under a name.
fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str()
}

/// The fields of an object besides those that a conversion knows and those that are null.
fn other_fields(value: &Value, known: &[&str]) -> Vec<String> {
    let fields = value.as_object().into_iter().flatten();
    fields
        .filter(|(name, value)| !value.is_null() && !known.contains(&name.as_str()))
        .map(|(name, _)| name.clone())
        .collect()
}
