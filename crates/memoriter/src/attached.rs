//! Attachments: files that are put beside a session, and reading what is too long to show.

use memoriter_core::access::Right;
use memoriter_core::attachment::{Attachment, Handle, MediaType, note};
use memoriter_core::provenance::Origin;
use memoriter_core::turn::{Message, Role, SessionName, Turn};
use memoriter_store::AttachmentQuery;

use crate::desk::{Session, WhenRead};
use crate::draft::sound;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::prepared::{Place, Prepared, kind_of};
use crate::session::{TurnDraft, TurnKey};

/// A part of what a handle leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Where they begin. Of a text, the beginning of a character: the one that was asked for or just before.
    pub offset: usize,
    /// How many bytes there are in all.
    pub total_bytes: usize,
    /// What kind of thing it is.
    pub media_type: MediaType,
}

impl Stretch {
    /// Where to go on; `None` at the end.
    #[must_use]
    pub fn next_offset(&self) -> Option<usize> {
        let next = self.offset + self.bytes.len();
        (next < self.total_bytes).then_some(next)
    }
}

impl Session {
    /// Keeps bytes beside the session: a turn of origin `document` has a note of them, and a handle that reads them. Text is
    /// masked as everything is. The same again is the same attachment. Nothing is learned from it.
    ///
    /// `media_type` is told from the bytes where it is not given: JSON, text, PNG, JPEG, GIF and PDF.
    ///
    /// # Errors
    /// When it is empty or over [`ATTACHMENT_BYTES_MAX`](memoriter_core::attachment::ATTACHMENT_BYTES_MAX), or the store
    /// or embedder fails.
    pub fn attach(
        &self,
        bytes: Vec<u8>,
        media_type: Option<MediaType>,
        name: Option<&str>,
    ) -> Result<Attachment, Error> {
        self.memory.may(Right::Write)?;
        let memory = &self.memory;
        let session = self.name()?;
        let media_type = media_type.unwrap_or_else(|| kind_of(&bytes));
        let key = format!("attachment:{}:{}", media_type, name.unwrap_or_default());
        let place = Place {
            session: &session,
            key: key.as_bytes(),
            at: "",
        };
        let new = memory.new_attachment(&place, media_type, name, bytes)?;
        let words = note(new.id, &new.media_type, new.name.as_deref(), &new.bytes);
        let message = Message {
            origin: Origin::Document,
            ..Message::new(Role::User, words, self.now())
        };
        let id = new.id;
        let turn = Prepared {
            turn: TurnDraft {
                session,
                key: TurnKey::Given(format!("attachment:{id}")),
                message,
            },
            attachments: vec![new],
        };
        self.append_all([Ok(turn)], WhenRead::Never)?;
        let (attachment, _) = memory.attachment_row(Handle::Attachment(id))?;
        Ok(attachment)
    }

    /// The attachments of the session, in order of arrival.
    ///
    /// # Errors
    /// When one is damaged, or the store cannot be read.
    pub fn attachments(&self) -> Result<Vec<Attachment>, Error> {
        self.memory.may(Right::Read)?;
        self.memory.attachments(&self.name()?)
    }
}

impl ScopedMemory {
    /// The attachments of a session of this scope, in order of arrival.
    ///
    /// # Errors
    /// When one is damaged, or the store cannot be read.
    pub fn attachments(&self, session: &SessionName) -> Result<Vec<Attachment>, Error> {
        self.may(Right::Read)?;
        let snapshot = self.engine.store.snapshot()?;
        let query = AttachmentQuery::Session {
            scope: &self.scope,
            session,
        };
        Ok(sound(snapshot.attachments(query)?)?)
    }

    /// Reads a part of what a handle leads to, of this scope or one around it: `length` bytes from `offset` on, or as many as
    /// there are. A text is never cut inside a character: it may begin up to three bytes earlier and end up to three
    /// bytes earlier.
    ///
    /// # Errors
    /// [`Error::NoSuchHandle`], also for one of another scope; [`Error::Forgotten`] where somebody asked to forget the
    /// turn; when it is damaged or the store cannot be read.
    pub fn read_handle(
        &self,
        handle: Handle,
        offset: usize,
        length: usize,
    ) -> Result<Stretch, Error> {
        self.may(Right::Read)?;
        let id = match handle {
            Handle::Turn(id) => {
                let turn = self
                    .turn(id)?
                    .ok_or(Error::NoSuchHandle { handle })
                    .and_then(|turn| not_forgotten(turn, handle))?;
                let text = turn.message.content.as_bytes();
                let end = offset.saturating_add(length).min(text.len());
                let bytes = text.get(begin(text, offset)..end).unwrap_or_default();
                return Ok(Stretch {
                    offset: begin(text, offset),
                    bytes: whole_characters(bytes.to_vec()),
                    total_bytes: text.len(),
                    media_type: MediaType::text(),
                });
            }
            Handle::Attachment(id) => id,
        };
        let (attachment, _) = self.attachment_row(handle)?;
        // Three bytes more at the beginning tell where a character begins.
        let early = offset.min(attachment.bytes).saturating_sub(3);
        let snapshot = self.engine.store.snapshot()?;
        let wanted = offset.saturating_add(length).saturating_sub(early);
        let read = snapshot.attachment_bytes(&self.visible, id, early, wanted)?;
        let mut bytes = read.ok_or(Error::NoSuchHandle { handle })?;
        let skip = offset.min(attachment.bytes) - early;
        let (start, rest) = if is_text(&attachment.media_type) {
            let start = begin(&bytes, skip);
            (start, whole_characters(bytes.split_off(start)))
        } else {
            (skip, bytes.split_off(skip.min(bytes.len())))
        };
        Ok(Stretch {
            bytes: rest,
            offset: early + start,
            total_bytes: attachment.bytes,
            media_type: attachment.media_type,
        })
    }

    /// An attachment of a visible scope with its turn.
    pub(crate) fn attachment_row(&self, handle: Handle) -> Result<(Attachment, Turn), Error> {
        let Handle::Attachment(id) = handle else {
            return Err(Error::NoSuchHandle { handle });
        };
        let snapshot = self.engine.store.snapshot()?;
        let query = AttachmentQuery::Ids {
            scopes: &self.visible,
            ids: &[id],
        };
        let found = sound(snapshot.attachments(query)?)?.into_iter().next();
        let attachment = found.ok_or(Error::NoSuchHandle { handle })?;
        let turn = self.within_call().turn(attachment.turn)?;
        let turn = turn.ok_or(Error::NoSuchHandle { handle })?;
        Ok((attachment, not_forgotten(turn, handle)?))
    }
}

fn not_forgotten(turn: Turn, handle: Handle) -> Result<Turn, Error> {
    if turn.retired_at.is_some() {
        return Err(Error::Forgotten { handle });
    }
    Ok(turn)
}

/// Whether what it says is text, as far as its type tells.
pub(crate) fn is_text(media_type: &MediaType) -> bool {
    let kind = media_type.as_str();
    kind.starts_with("text/")
        || ["json", "xml", "yaml", "javascript", "toml"]
            .iter()
            .any(|name| kind.ends_with(name))
}

/// Where the character begins that a byte is of.
fn begin(text: &[u8], offset: usize) -> usize {
    let offset = offset.min(text.len());
    let is_inner = |at: &usize| text.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let before = (offset.saturating_sub(3)..=offset).rev();
    before
        .into_iter()
        .find(|at| !is_inner(at))
        .unwrap_or(offset)
}

/// Without a character at the end that is not whole. What is no text stays as it is.
fn whole_characters(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Err(error) = std::str::from_utf8(&bytes)
        && error.error_len().is_none()
        && error.valid_up_to() > 0
    {
        bytes.truncate(error.valid_up_to());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_kept_whole() {
        let text = "aé東🦀b".as_bytes();
        let begins: Vec<usize> = (0..=text.len()).map(|at| begin(text, at)).collect();
        assert_eq!(begins, [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11]);
        let wholes = (0..=text.len()).map(|end| whole_characters(text[..end].to_vec()).len());
        let wholes: Vec<usize> = wholes.collect();
        assert_eq!(wholes, [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11]);
        assert_eq!(whole_characters(vec![0xff, 0xfe]), [0xff, 0xfe]);
    }
}
