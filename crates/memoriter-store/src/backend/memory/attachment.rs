//! Attachments of a store without a file.

use std::sync::Arc;

use memoriter_core::attachment::{Attachment, AttachmentId};
use memoriter_core::scope::Scope;
use memoriter_core::turn::Turn;

use super::Content;
use super::view::View;
use crate::error::StoreError;
use crate::store::{AttachmentQuery, Attachments, NewAttachment, Rows};

/// An attachment with its bytes.
#[derive(Clone)]
pub(super) struct HeldAttachment {
    pub(super) attachment: Arc<Attachment>,
    bytes: Arc<[u8]>,
}

impl Content {
    pub(super) fn add_attachments(&mut self, turn: &Turn, attachments: &[NewAttachment]) {
        for new in attachments {
            let is_there = |held: &HeldAttachment| held.attachment.id == new.id;
            if !self.attachments.iter().any(is_there) {
                self.attachments.push(HeldAttachment {
                    attachment: Arc::new(new.of(turn)),
                    bytes: Arc::clone(&new.bytes),
                });
            }
        }
    }
}

impl Content {
    pub(super) fn has_attachment(&self, turn: &Turn, new: &NewAttachment) -> bool {
        let is_it = |held: &HeldAttachment| {
            let Attachment {
                id, scope, session, ..
            } = &*held.attachment;
            (*id, scope, session) == (new.id, &turn.scope, &turn.session)
        };
        self.attachments.iter().any(is_it)
    }
}

impl View {
    pub(super) fn attachment_count(&self, scope: &Scope) -> u64 {
        let of_scope = self
            .0
            .attachments
            .iter()
            .filter(|held| held.attachment.scope == *scope);
        of_scope.count() as u64
    }

    fn attachment(&self, scopes: &[Scope], id: AttachmentId) -> Option<&HeldAttachment> {
        let mut held = self.0.attachments.iter();
        held.find(|held| held.attachment.id == id && scopes.contains(&held.attachment.scope))
    }
}

impl Attachments for View {
    fn attachments(&self, query: AttachmentQuery<'_>) -> Result<Rows<Attachment>, StoreError> {
        let rows = match query {
            AttachmentQuery::Ids { scopes, ids } => ids
                .iter()
                .filter_map(|id| self.attachment(scopes, *id))
                .map(|held| Attachment::clone(&held.attachment))
                .collect(),
            AttachmentQuery::Session { scope, session } => {
                let turns = self.0.turns_of_session(scope, session);
                let of_turn = turns.iter().flat_map(|turn| {
                    let held = self.0.attachments.iter().map(|held| &held.attachment);
                    held.filter(|kept| kept.turn == turn.id)
                });
                of_turn.map(|kept| Attachment::clone(kept)).collect()
            }
        };
        Ok(Rows {
            rows,
            damaged: Vec::new(),
        })
    }

    fn attachment_bytes(
        &self,
        scopes: &[Scope],
        id: AttachmentId,
        offset: usize,
        length: usize,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.attachment(scopes, id).map(|held| {
            let end = offset.saturating_add(length).min(held.bytes.len());
            held.bytes.get(offset..end).unwrap_or_default().to_vec()
        }))
    }
}
