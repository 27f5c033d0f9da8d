//! Messages of providers, in and out: what an agent loop sends and gets is kept as it is and given back as it came.
//!
//! | module | holds |
//! |---|---|
//! | `incoming` | from messages to turns |
//! | `taken` | what of a message becomes an attachment |

mod incoming;
mod taken;

use memoriter_core::access::Right;
use memoriter_core::attachment::AttachmentId;
use memoriter_core::error::Diagnose;
use memoriter_core::message::{Conversation, Piece};
use memoriter_core::turn::{Shape, Turn};
use memoriter_store::{Snapshot, StoreError, TurnQuery};
use serde_json::Value;

use crate::desk::Session;
use crate::draft::sound;
use crate::error::Error;
use crate::learn::Learned;

pub use incoming::Incoming;
pub(crate) use taken::ATTACH_BYTES_MIN;

impl Session {
    /// Appends messages in the shape of `OpenAI`'s chat completions: one, an array of them, or an object with
    /// `messages`. Each call adds them at the end; see [`Session::incoming`] for calls that repeat what was sent before.
    ///
    /// Every part is kept, also of kinds that nobody here has heard of. Images and sound in base64, and results of
    /// tools that are too long for a turn, are kept as attachments. Secrets are masked in all of it.
    ///
    /// ```
    /// use memoriter::{Memoriter, Scope};
    /// use memoriter::core::turn::Shape;
    /// # let folder = tempfile::tempdir()?;
    /// # let memory = Memoriter::open(folder.path().join("memory.db"))?;
    /// let session = memory.scope(Scope::user("priya")).session("s1");
    /// let sent = serde_json::json!([{"role": "user", "content": "My exam is on 14 March"}]);
    /// session.append_openai(&sent)?;
    /// assert_eq!(session.messages(Shape::OpenAi)?.to_json(), sent);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Import`] naming the field that is not as the shape has it, or over a limit; or as [`Session::append`].
    pub fn append_openai(&self, messages: &Value) -> Result<Learned, Error> {
        self.memory.may(Right::Write)?;
        self.incoming(Shape::OpenAi, messages).run()
    }

    /// The same with messages of Anthropic's API: one, an array of them, or an object with `messages` and `system`.
    ///
    /// # Errors
    /// As [`Session::append_openai`].
    pub fn append_anthropic(&self, messages: &Value) -> Result<Learned, Error> {
        self.memory.may(Right::Write)?;
        self.incoming(Shape::Anthropic, messages).run()
    }

    /// The messages of the session in a shape. Those that came in it are equal to what came, but for masked secrets; of
    /// others, what has no place in the shape is named in [`Conversation::left_out`].
    ///
    /// # Errors
    /// [`Error::NoSuchSession`], when something of it is damaged, or the store cannot be read.
    pub fn messages(&self, shape: Shape) -> Result<Conversation, Error> {
        self.memory.may(Right::Read)?;
        let memory = &self.memory;
        let name = self.name()?;
        let snapshot = memory.engine.store.snapshot()?;
        let turns = sound(snapshot.turns(TurnQuery::Session {
            scope: &memory.scope,
            session: &name,
            from: 0,
            limit: usize::MAX,
        })?)?;
        if turns.is_empty() {
            return Err(Error::NoSuchSession {
                name: name.as_str().to_owned(),
            });
        }
        let pieces = turns
            .iter()
            .map(|turn| piece(snapshot.as_ref(), turn, shape));
        let pieces: Vec<Piece> = pieces.collect::<Result<_, _>>()?;
        Ok(Conversation::of(pieces, shape))
    }
}

/// The piece of a turn with its attachments read.
fn piece(snapshot: &dyn Snapshot, turn: &Turn, shape: Shape) -> Result<Piece, Error> {
    let scopes = std::slice::from_ref(&turn.scope);
    let mut failure: Option<StoreError> = None;
    let mut bytes = |id: AttachmentId| {
        let read = snapshot.attachment_bytes(scopes, id, 0, usize::MAX);
        read.unwrap_or_else(|error| {
            failure = Some(error);
            None
        })
    };
    let piece = Piece::of(turn, shape, &mut bytes);
    match (piece, failure) {
        (_, Some(error)) => Err(error.into()),
        // What a turn says of its attachments was checked when it was written.
        (Err(error), None) => Err(StoreError::Damaged {
            place: format!("turn {}", turn.id),
            why: format!("{}: {error}", error.code()),
        }
        .into()),
        (Ok(piece), None) => Ok(piece),
    }
}
