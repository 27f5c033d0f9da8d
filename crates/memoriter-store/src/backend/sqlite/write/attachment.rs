//! Adding attachments with their turn.

use memoriter_core::attachment::Attachment;
use memoriter_core::turn::Turn;
use rusqlite::params;

use super::super::seal;
use super::Transaction;
use crate::store::{ATTACHMENT_PART_BYTES, NewAttachment};

impl Transaction<'_> {
    /// Adds what belongs to a turn that is new. One that is there by its id stays as it is.
    pub(super) fn add_attachments(
        &self,
        turn_row: i64,
        turn: &Turn,
        attachments: &[NewAttachment],
    ) -> rusqlite::Result<()> {
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO attachment (turn, media_type, name, bytes, recorded_at, id, checksum)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO NOTHING",
        )?;
        for new in attachments {
            let attachment = new.of(turn);
            let added = insert.execute(params![
                turn_row,
                attachment.media_type.as_str(),
                attachment.name,
                attachment.bytes as u64,
                attachment.recorded_at.as_micros(),
                attachment.id.as_bytes(),
                seal::of_attachment(&attachment),
            ])?;
            if added > 0 {
                self.add_parts(self.connection.last_insert_rowid(), &attachment, &new.bytes)?;
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

    fn add_parts(&self, row: i64, attachment: &Attachment, bytes: &[u8]) -> rusqlite::Result<()> {
        let mut insert = self.connection.prepare_cached(
            "INSERT INTO attachment_part (attachment, ordinal, bytes, checksum) VALUES (?1, ?2, ?3, ?4)",
        )?;
        for (ordinal, part) in (0_u64..).zip(bytes.chunks(ATTACHMENT_PART_BYTES)) {
            let seal = seal::of_part(attachment.id, ordinal, part);
            insert.execute(params![row, ordinal, part, seal])?;
        }
        Ok(())
    }
}
