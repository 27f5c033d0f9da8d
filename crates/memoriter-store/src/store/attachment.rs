//! Attachments: what is too long for a turn, or is no text.

use std::sync::Arc;

use memoriter_core::attachment::{Attachment, AttachmentId, MediaType};
use memoriter_core::scope::Scope;
use memoriter_core::turn::{SessionName, Turn};

use super::Rows;
use crate::error::StoreError;

/// Bytes of an attachment that lie together and have one checksum: a stretch is read without the rest.
pub const ATTACHMENT_PART_BYTES: usize = 64 * 1024;

/// An attachment that comes into the store with its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAttachment {
    /// Its id, derived from where it stands and what it holds.
    pub id: AttachmentId,
    /// What kind of thing it is.
    pub media_type: MediaType,
    /// The caller's name for it.
    pub name: Option<String>,
    /// What it holds: not nothing.
    pub bytes: Arc<[u8]>,
}

impl NewAttachment {
    /// The attachment as it is beside a turn.
    pub(crate) fn of(&self, turn: &Turn) -> Attachment {
        Attachment {
            id: self.id,
            scope: turn.scope.clone(),
            session: turn.session.clone(),
            turn: turn.id,
            media_type: self.media_type.clone(),
            name: self.name.clone(),
            bytes: self.bytes.len(),
            recorded_at: turn.recorded_at,
        }
    }
}

/// Which attachments.
#[derive(Clone, Copy, Debug)]
pub enum AttachmentQuery<'a> {
    /// These, in this order; ids that are not in one of the scopes are left out.
    Ids {
        /// The scopes that the caller may read.
        scopes: &'a [Scope],
        /// The ids.
        ids: &'a [AttachmentId],
    },
    /// Those of a session, in order of arrival, with those of the turns that it goes on from.
    Session {
        /// The scope.
        scope: &'a Scope,
        /// The session.
        session: &'a SessionName,
    },
}

/// Reading attachments. A part of every [`Snapshot`](super::Snapshot), whose rules hold here too.
pub trait Attachments {
    /// Attachments without their bytes, verified.
    ///
    /// # Errors
    /// As every method here: when the file cannot be read.
    fn attachments(&self, query: AttachmentQuery<'_>) -> Result<Rows<Attachment>, StoreError>;

    /// The bytes of an attachment of one of the scopes from `offset` on, `length` of them or as many as there are;
    /// `None` where there is no such attachment.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when a part of what is asked for does not fit its checksum.
    fn attachment_bytes(
        &self,
        scopes: &[Scope],
        id: AttachmentId,
        offset: usize,
        length: usize,
    ) -> Result<Option<Vec<u8>>, StoreError>;
}
