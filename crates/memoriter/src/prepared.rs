//! Turns on their way to the store: masked, and with what is too long for a turn beside them.

use std::sync::Arc;

use memoriter_core::attachment::{AttachmentId, MediaType, check_bytes, note};
use memoriter_core::error::InvalidInput;
use memoriter_core::turn::{Attached, Encoding, Role, SessionName, Shape, TURN_BYTES_MAX, Written};
use memoriter_store::NewAttachment;

use crate::guarded::masked;
use crate::handle::ScopedMemory;
use crate::session::{TurnDraft, TurnKey};

/// A turn as it is appended.
pub(crate) struct Prepared {
    pub(crate) turn: TurnDraft,
    /// What stands beside it.
    pub(crate) attachments: Vec<NewAttachment>,
}

/// Where something stands that becomes an attachment: what its id is made of, besides its bytes.
pub(crate) struct Place<'p> {
    pub(crate) session: &'p SessionName,
    /// The turn's key or that of its message.
    pub(crate) key: &'p [u8],
    /// Where in the message.
    pub(crate) at: &'p str,
}

impl ScopedMemory {
    /// A turn with its secrets masked. The text of a tool's result that is longer than `attach_over` is an attachment,
    /// and the turn has a note.
    pub(crate) fn prepared(
        &self,
        turn: TurnDraft,
        attach_over: usize,
    ) -> Result<Prepared, InvalidInput> {
        const AT: &str = "/content";
        let mut turn = self.engine.guarded_turn(turn)?;
        let message = &mut turn.message;
        let is_long = message.role == Role::Tool
            && message.content.len() > attach_over.min(TURN_BYTES_MAX)
            && message.written.is_none();
        let mut attachments = Vec::new();
        if is_long {
            let content = std::mem::take(&mut message.content);
            let kind = kind_of(content.as_bytes());
            let key = key_bytes(&turn.key);
            let place = Place {
                session: &turn.session,
                key: &key,
                at: AT,
            };
            let new = self.new_attachment(&place, kind, None, content.into_bytes())?;
            message.content = note(new.id, &new.media_type, None, &new.bytes);
            message.written = Some(Written {
                attached: vec![attached(AT, &new, Encoding::Text)],
                ..Written::plain(Shape::OpenAi)
            });
            attachments.push(new);
        }
        Ok(Prepared { turn, attachments })
    }

    /// An attachment of these bytes, masked where they are text.
    pub(crate) fn new_attachment(
        &self,
        place: &Place<'_>,
        media_type: MediaType,
        name: Option<&str>,
        bytes: Vec<u8>,
    ) -> Result<NewAttachment, InvalidInput> {
        check_bytes(bytes.len())?;
        let guard = &self.engine.guard;
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => masked(guard, &text).into_bytes(),
            Err(other) => other.into_bytes(),
        };
        // A mask may be longer than what it stands for.
        check_bytes(bytes.len())?;
        let id = AttachmentId::derive(
            self.engine.store.secret(),
            &[
                b"attachment",
                self.scope.to_json().as_bytes(),
                place.session.as_str().as_bytes(),
                place.key,
                place.at.as_bytes(),
                blake3::hash(&bytes).as_bytes(),
            ],
        );
        Ok(NewAttachment {
            id,
            media_type,
            name: name.map(|name| masked(guard, name)),
            bytes: Arc::from(bytes),
        })
    }
}

/// What a turn keeps of an attachment at a place of its message.
pub(crate) fn attached(at: &str, new: &NewAttachment, encoding: Encoding) -> Attached {
    Attached {
        at: at.to_owned(),
        id: new.id,
        bytes: new.bytes.len(),
        encoding,
    }
}

fn key_bytes(key: &TurnKey) -> Vec<u8> {
    match key {
        TurnKey::Given(key) => key.as_bytes().to_vec(),
        TurnKey::At(position) => position.to_le_bytes().to_vec(),
    }
}

/// What kind of thing some bytes are, as far as they say: JSON, other text, one of the common kinds of image, PDF.
pub(crate) fn kind_of(bytes: &[u8]) -> MediaType {
    const BEGINNINGS: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"%PDF-", "application/pdf"),
    ];
    let known = BEGINNINGS
        .iter()
        .find(|(begins, _)| bytes.starts_with(begins));
    if let Some((_, kind)) = known {
        return MediaType::new(kind).unwrap_or_else(|_| MediaType::bytes());
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return MediaType::bytes();
    };
    let is_json = text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if is_json {
        return MediaType::new("application/json").unwrap_or_else(|_| MediaType::text());
    }
    MediaType::text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_say_what_they_are() {
        for (bytes, kind) in [
            (&b"{\"a\": 1}"[..], "application/json"),
            (b"{a: 1}", "text/plain"),
            (b"one\ntwo", "text/plain"),
            (b"\x89PNG\r\n\x1a\n1", "image/png"),
            (b"%PDF-1.7", "application/pdf"),
            (b"\xff\xfe", "application/octet-stream"),
        ] {
            assert_eq!(kind_of(bytes).as_str(), kind, "{bytes:?}");
        }
    }
}
