//! Adding attachments with their turn.

use memoriter_core::attachment::AttachmentId;
use memoriter_core::turn::Turn;
use rusqlite::params;

use super::super::attachment::part_binding;
use super::super::cipher::Binding;
use super::super::keys::Cover;
use super::super::seal;
use super::Transaction;
use crate::store::{ATTACHMENT_PART_BYTES, NewAttachment};

impl Transaction<'_> {
    /// Adds what belongs to a turn that is new. One that is there by its id stays as it is.
    pub(super) fn add_attachments(
        &self,
        (turn_row, turn, cover): (i64, &Turn, &Cover),
        attachments: &[NewAttachment],
    ) -> rusqlite::Result<()> {
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO attachment (turn, media_type, name, bytes, recorded_at, id, checksum, cipher)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO NOTHING",
        )?;
        for new in attachments {
            let attachment = new.of(turn);
            let binding = Binding::to("attachment", attachment.id.as_bytes());
            let covered = cover.cover(&binding, [attachment.name.as_deref()], &[]);
            let [name] = covered.shown;
            let added = insert.execute(params![
                turn_row,
                attachment.media_type.as_str(),
                name,
                attachment.bytes as u64,
                attachment.recorded_at.as_micros(),
                attachment.id.as_bytes(),
                cover.fingerprint(seal::of_attachment(&attachment)),
                covered.cipher,
            ])?;
            if added > 0 {
                let row = self.connection.last_insert_rowid();
                self.add_parts((row, cover), attachment.id, &new.bytes)?;
            }
        }
        Ok(())
    }

    /// Whether these are in the session of a turn. An id says what an attachment holds.
    pub(super) fn has_attachments(
        &self,
        turn_row: i64,
        attachments: &[NewAttachment],
    ) -> rusqlite::Result<bool> {
        let mut find = self.connection.prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM attachment JOIN turn ON turn.row = attachment.turn WHERE attachment.id = ?2
            AND turn.session = (SELECT session FROM turn WHERE row = ?1))",
        )?;
        for new in attachments {
            let is_there: bool =
                find.query_row(params![turn_row, new.id.as_bytes()], |row| row.get(0))?;
            if !is_there {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn add_parts(
        &self,
        (row, cover): (i64, &Cover),
        id: AttachmentId,
        bytes: &[u8],
    ) -> rusqlite::Result<()> {
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO attachment_part (attachment, ordinal, bytes, checksum) VALUES (?1, ?2, ?3, ?4)",
        )?;
        for (ordinal, part) in (0_u64..).zip(bytes.chunks(ATTACHMENT_PART_BYTES)) {
            let seal = cover.fingerprint(seal::of_part(id, ordinal, part));
            let kept = cover.cover_bytes(&part_binding(id.as_bytes(), ordinal), part);
            insert.execute(params![row, ordinal, kept, seal])?;
        }
        Ok(())
    }
}
