//! Attachments, before the turn that they belong to.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use memoriter_core::attachment::{Attachment, MediaType, check_bytes};
use memoriter_core::error::{InvalidInput, check_some_text};
use memoriter_core::id::TurnId;
use memoriter_core::turn::NAME_BYTES_MAX;
use memoriter_store::NewAttachment;
use serde::{Deserialize, Serialize};

use super::value::{Maybe, Text, borrowed, owned, word};

/// An attachment with its bytes.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct AttachmentLine<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    /// The turn that it belongs to, which comes next.
    #[serde(borrow)]
    turn: Text<'a>,
    #[serde(borrow, rename = "type")]
    media_type: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Maybe<'a>,
    /// In base64 with padding, RFC 4648.
    #[serde(borrow)]
    data: Text<'a>,
}

impl<'a> AttachmentLine<'a> {
    pub(in super::super) fn new(attachment: &'a Attachment, bytes: &[u8]) -> Self {
        Self {
            id: word(&attachment.id),
            turn: word(&attachment.turn),
            media_type: Cow::Borrowed(attachment.media_type.as_str()),
            name: borrowed(attachment.name.as_ref()),
            data: Cow::Owned(STANDARD.encode(bytes)),
        }
    }

    /// The attachment, within every limit, and its turn.
    pub(in super::super) fn into_attachment(self) -> Result<(NewAttachment, TurnId), InvalidInput> {
        let bytes = STANDARD
            .decode(self.data.as_bytes())
            .map_err(|_| InvalidInput::malformed("data", "base64 with padding", &self.data))?;
        check_bytes(bytes.len())?;
        if let Some(name) = &self.name {
            check_some_text("name", name, NAME_BYTES_MAX)?;
        }
        let attachment = NewAttachment {
            id: self.id.parse()?,
            media_type: MediaType::new(&self.media_type)?,
            name: owned(self.name),
            bytes: Arc::from(bytes),
        };
        Ok((attachment, self.turn.parse()?))
    }
}
