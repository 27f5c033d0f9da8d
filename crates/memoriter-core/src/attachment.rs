//! Bytes that are too long for a turn, or are no text: kept beside it and read in stretches.

use std::fmt;
use std::str::FromStr;

use crate::error::{InvalidInput, check_some_text};
pub use crate::id::AttachmentId;
use crate::id::TurnId;
use crate::scope::Scope;
use crate::time::Timestamp;
use crate::turn::{NAME_BYTES_MAX, SessionName};

/// Bytes that an attachment may have: a long log or a large image. It is in memory whole while it is written.
pub const ATTACHMENT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes that a media type may have: RFC 6838 allows 127 on either side of the stroke.
const MEDIA_TYPE_BYTES_MAX: usize = 255;

/// How a note begins, and lines and characters of a text that it shows: enough to tell what it is. They are what a
/// recall finds of it.
const NOTE_LINES: usize = 12;
const NOTE_CHARS: usize = 600;

/// An attachment without its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its id, derived from the turn's key and the bytes.
    pub id: AttachmentId,
    /// Who it belongs to.
    pub scope: Scope,
    /// The conversation it is part of.
    pub session: SessionName,
    /// The turn that it belongs to.
    pub turn: TurnId,
    /// What kind of thing it is: `text/plain`, `image/png`.
    pub media_type: MediaType,
    /// The caller's name for it, such as that of a file.
    pub name: Option<String>,
    /// How many bytes it has.
    pub bytes: usize,
    /// When the store took it.
    pub recorded_at: Timestamp,
}

impl Attachment {
    /// Checks every limit.
    ///
    /// # Errors
    /// [`InvalidInput`] naming the field and the limit.
    pub fn check(&self) -> Result<(), InvalidInput> {
        check_bytes(self.bytes)?;
        match &self.name {
            Some(name) => check_some_text("name", name, NAME_BYTES_MAX),
            None => Ok(()),
        }
    }

    /// What its handle is.
    #[must_use]
    pub fn handle(&self) -> Handle {
        Handle::Attachment(self.id)
    }
}

/// Checks the length of an attachment.
///
/// # Errors
/// [`InvalidInput`] when it is empty or over [`ATTACHMENT_BYTES_MAX`].
pub fn check_bytes(bytes: usize) -> Result<(), InvalidInput> {
    if bytes == 0 {
        return Err(InvalidInput::Empty {
            field: "attachment",
        });
    }
    if bytes > ATTACHMENT_BYTES_MAX {
        return Err(InvalidInput::OverLimit {
            field: "attachment",
            got: bytes,
            limit: ATTACHMENT_BYTES_MAX,
            unit: "bytes",
        });
    }
    Ok(())
}

/// A media type such as `text/plain` or `image/svg+xml`, without parameters, in small letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MediaType(String);

impl MediaType {
    /// Plain text.
    #[must_use]
    pub fn text() -> Self {
        Self("text/plain".into())
    }

    /// Bytes of no kind that is known.
    #[must_use]
    pub fn bytes() -> Self {
        Self("application/octet-stream".into())
    }

    /// Checks and wraps one; large letters become small ones.
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] when it is none.
    pub fn new(text: &str) -> Result<Self, InvalidInput> {
        let is_name = |name: &str| {
            let mut bytes = name.bytes();
            bytes
                .next()
                .is_some_and(|first| first.is_ascii_alphanumeric())
                && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
        };
        let is_type = text.len() <= MEDIA_TYPE_BYTES_MAX
            && text
                .split_once('/')
                .is_some_and(|(kind, name)| is_name(kind) && is_name(name));
        if is_type {
            return Ok(Self(text.to_ascii_lowercase()));
        }
        Err(InvalidInput::malformed(
            "media type",
            "a type such as text/plain or image/png",
            text,
        ))
    }

    /// The type.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What names a text or bytes that are too long to show: an attachment, or a turn's whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// An attachment.
    Attachment(AttachmentId),
    /// All that was said in a turn.
    Turn(TurnId),
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attachment(id) => write!(f, "attachment:{id}"),
            Self::Turn(id) => write!(f, "turn:{id}"),
        }
    }
}

impl FromStr for Handle {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<Self, InvalidInput> {
        let expected = "attachment:ID or turn:ID, as a note says it";
        let malformed = || InvalidInput::malformed("handle", expected, text);
        let (kind, id) = text
            .trim()
            .split_once(':')
            .unwrap_or(("attachment", text.trim()));
        match kind {
            "attachment" => Ok(Self::Attachment(id.parse().map_err(|_| malformed())?)),
            "turn" => Ok(Self::Turn(id.parse().map_err(|_| malformed())?)),
            _ => Err(malformed()),
        }
    }
}

/// What stands in a turn for an attachment: its kind, size and handle, and how a text begins.
#[must_use]
pub fn note(id: AttachmentId, media_type: &MediaType, name: Option<&str>, bytes: &[u8]) -> String {
    let handle = Handle::Attachment(id);
    let named = name.map_or_else(String::new, |name| format!("{name}, "));
    let head = format!("[{named}{media_type}, {} bytes, {handle}", bytes.len());
    let Ok(text) = std::str::from_utf8(bytes) else {
        return format!("{head}]");
    };
    let begins = beginning(text);
    if begins.is_empty() {
        return format!("{head}]");
    }
    let more = if begins.len() < text.trim().len() {
        "\n…"
    } else {
        ""
    };
    format!("{head}, begins:]\n{begins}{more}")
}

/// The first lines of a text.
fn beginning(text: &str) -> &str {
    let text = text.trim();
    let lines = text.match_indices('\n').nth(NOTE_LINES - 1);
    let end = lines.map_or(text.len(), |(at, _)| at);
    let few = text.char_indices().nth(NOTE_CHARS);
    let end = few.map_or(end, |(at, _)| at.min(end));
    text.get(..end).unwrap_or_default().trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_read_back() {
        let handle = Handle::Turn(TurnId::from_bytes([9; 16]));
        assert_eq!(handle.to_string().parse(), Ok(handle));
        let id = AttachmentId::from_bytes([7; 16]);
        let handle = Handle::Attachment(id);
        assert_eq!(handle.to_string().parse(), Ok(handle));
        assert_eq!(id.to_string().parse(), Ok(handle));
        let error = "memory:1".parse::<Handle>().unwrap_err().to_string();
        assert!(error.contains("handle must be attachment:ID"), "{error}");
    }

    #[test]
    fn media_types_have_two_names() {
        assert_eq!(
            MediaType::new("Image/SVG+xml").map(|kind| kind.to_string()),
            Ok("image/svg+xml".into())
        );
        for wrong in [
            "text",
            "text/",
            "/x",
            "a/b/c",
            "text/plain; charset=x",
            "é/x",
            "a/b\n",
        ] {
            assert!(MediaType::new(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_note_says_how_a_text_begins() {
        let id = AttachmentId::from_bytes([7; 16]);
        let lines: Vec<String> = (1..40).map(|line| format!("line {line}")).collect();
        let long = note(
            id,
            &MediaType::text(),
            Some("build.log"),
            lines.join("\n").as_bytes(),
        );
        assert!(
            long.starts_with("[build.log, text/plain, 302 bytes, attachment:07070707-"),
            "{long}"
        );
        assert!(long.ends_with("line 12\n…"), "{long}");
        let image = note(id, &MediaType::bytes(), None, &[0xff, 0xd8]);
        assert!(image.ends_with("0707]"), "{image}");
        let wide = note(id, &MediaType::text(), None, "é".repeat(5_000).as_bytes());
        assert!(wide.chars().count() < NOTE_CHARS + 120, "{wide}");
    }
}
