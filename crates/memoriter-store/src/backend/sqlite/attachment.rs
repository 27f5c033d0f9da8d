//! Attachments: rows, parts, and checking both.

use memoriter_core::attachment::{Attachment, AttachmentId, MediaType};
use memoriter_core::id::TurnId;
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use rusqlite::{Connection, params};

use super::bound::Growing;
use super::cipher::Binding;
use super::decode::{Columns, Undecodable};
use super::fetch::{Key, Record, Sealed};
use super::keys::Cover;
use super::locate::{self, Identified, Stretch};
use super::seal;
use super::snapshot::SqliteSnapshot;
use super::view::View;
use crate::error::StoreError;
use crate::store::{ATTACHMENT_PART_BYTES, AttachmentQuery, Attachments, Rows};

macro_rules! attachment_by {
    ($key:literal) => {
        concat!(
            "SELECT scope.path, attachment.id, attachment.cipher, attachment.name, session.name, turn.id, media_type,
    attachment.bytes, attachment.recorded_at, attachment.checksum FROM attachment JOIN turn ON turn.row = attachment.turn
    JOIN session ON session.row = turn.session JOIN scope ON scope.row = session.scope WHERE attachment.",
            $key,
            " = ?1"
        )
    };
}

impl Record for Attachment {
    const TABLE: &'static str = "attachment";
    const NEXT: &'static str = "SELECT row FROM attachment WHERE row > ?1 ORDER BY row LIMIT 1";

    fn read(view: View<'_>, key: Key<'_>) -> Result<Sealed<Self>, Undecodable> {
        let mut statement = view.prepare_cached(match key {
            Key::Row(_) => attachment_by!("row"),
            Key::Id(_) => attachment_by!("id"),
        })?;
        let mut rows = statement.query([key])?;
        let found = rows
            .next()?
            .ok_or_else(|| Undecodable("the row, its turn or its scope is gone".into()))?;
        let mut next = Columns::new(found);
        let path = next.text()?;
        let (scope, cover) = (Scope::from_json(path)?, view.keys.of(path));
        let id: [u8; 16] = next.get()?;
        let opened = next.open(&cover, &Binding::to("attachment", &id))?;
        let mut next = next.with(&opened);
        let record = Self {
            scope,
            id: AttachmentId::from_bytes(id),
            name: next.own_content()?,
            session: SessionName::new(next.text()?)?,
            turn: next.get().map(TurnId::from_bytes)?,
            media_type: MediaType::new(next.text()?)?,
            bytes: usize::try_from(next.get::<u64>()?)
                .map_err(|_| Undecodable("it is longer than memory".into()))?,
            recorded_at: next.time()?,
        };
        Ok(Sealed::new(record, next.get()?, cover))
    }

    fn seal(&self) -> [u8; 16] {
        seal::of_attachment(self)
    }

    fn scope(&self) -> &Scope {
        &self.scope
    }
}

impl Identified for Attachment {
    const BY_ID: &'static str = "SELECT row FROM attachment WHERE id = ?1";
}

impl Attachments for SqliteSnapshot<'_> {
    fn attachments(&self, query: AttachmentQuery<'_>) -> Result<Rows<Attachment>, StoreError> {
        match query {
            AttachmentQuery::Ids { scopes, ids } => Ok(self.by_ids(
                scopes,
                ids.iter().map(|id| *id.as_bytes()),
                |attachment: &Attachment, id| attachment.id.as_bytes() == id,
            )),
            AttachmentQuery::Session { scope, session } => {
                let stretches = self.told(locate::stretches(self.connection(), scope, session))?;
                let rows = self.told(of_stretches(self.connection(), &stretches))?;
                Ok(self.all(&rows, |attachment: &Attachment| {
                    let mut names = stretches.iter().map(|stretch| stretch.name.as_str());
                    attachment.scope == *scope
                        && names.any(|name| name == attachment.session.as_str())
                }))
            }
        }
    }

    fn attachment_bytes(
        &self,
        scopes: &[Scope],
        id: AttachmentId,
        offset: usize,
        length: usize,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let ids = [id];
        let found = self.attachments(AttachmentQuery::Ids { scopes, ids: &ids })?;
        if let Some(damage) = found.damaged.into_iter().next() {
            return Err(damaged(id, damage.why));
        }
        let Some(attachment) = found.rows.into_iter().next() else {
            return Ok(None);
        };
        let row = self.told(locate::by_id::<Attachment>(
            self.connection(),
            id.as_bytes(),
        ))?;
        let end = offset.saturating_add(length).min(attachment.bytes);
        let (Some(row), true) = (row, offset < end) else {
            return Ok(Some(Vec::new()));
        };
        let first = offset / ATTACHMENT_PART_BYTES;
        let last = (end - 1) / ATTACHMENT_PART_BYTES;
        let cover = self.view().keys.of(&attachment.scope.to_json());
        let mut bytes = Vec::with_capacity((last - first + 1) * ATTACHMENT_PART_BYTES);
        for ordinal in first..=last {
            let part = self
                .told(part(self.connection(), (row, id, &cover), ordinal))?
                .map_err(|why| damaged(id, why.0))?;
            bytes.extend(part);
        }
        let begin = offset - first * ATTACHMENT_PART_BYTES;
        let wanted = bytes.get(begin..begin + (end - offset));
        let wanted = wanted.ok_or_else(|| damaged(id, "a part is too short".into()))?;
        Ok(Some(wanted.to_vec()))
    }
}

fn damaged(id: AttachmentId, why: String) -> StoreError {
    StoreError::Damaged {
        place: format!("attachment {id}"),
        why,
    }
}

fn of_stretches(connection: &Connection, stretches: &[Stretch]) -> rusqlite::Result<Vec<i64>> {
    let mut found = Vec::new();
    for stretch in stretches {
        found.extend(locate::rows(
            connection,
            "SELECT attachment.row, attachment.row FROM attachment JOIN turn ON turn.row = attachment.turn
            WHERE turn.session = ?1 AND turn.position < ?2 ORDER BY attachment.row",
            &[&stretch.session, &stretch.until],
            Growing::above(i64::MIN),
        )?);
    }
    Ok(found)
}

/// What the bytes of a part are bound to.
pub(super) fn part_binding(id: &[u8; 16], ordinal: u64) -> Binding<'_> {
    Binding {
        part: ordinal,
        ..Binding::to("attachment_part", id)
    }
}

/// A part, verified.
fn part(
    connection: &Connection,
    (row, id, cover): (i64, AttachmentId, &Cover),
    ordinal: usize,
) -> rusqlite::Result<Result<Vec<u8>, Undecodable>> {
    let mut statement = connection.prepare_cached(
        "SELECT bytes, checksum FROM attachment_part WHERE attachment = ?1 AND ordinal = ?2",
    )?;
    let mut rows = statement.query(params![row, ordinal as u64])?;
    let Some(found) = rows.next()? else {
        return Ok(Err(Undecodable("a part is missing".into())));
    };
    let mut next = Columns::new(found);
    let read = |next: &mut Columns<'_>| -> Result<Vec<u8>, Undecodable> {
        let (bytes, stored): (Vec<u8>, [u8; 16]) = (next.get()?, next.get()?);
        let bytes = cover.open_bytes(&part_binding(id.as_bytes(), ordinal as u64), bytes)?;
        if cover.fingerprint(seal::of_part(id, ordinal as u64, &bytes)) != stored {
            return Err(Undecodable("the checksum of a part does not fit".into()));
        }
        Ok(bytes)
    };
    Ok(read(&mut next))
}

/// What is wrong with the bytes of an attachment, if something is.
pub(super) fn check_parts(
    view: View<'_>,
    row: i64,
    attachment: &Attachment,
) -> rusqlite::Result<Option<String>> {
    let cover = view.keys.of(&attachment.scope.to_json());
    let count: usize = view
        .prepare_cached("SELECT count(*) FROM attachment_part WHERE attachment = ?1")?
        .query_row([row], |found| found.get(0))?;
    if count != attachment.bytes.div_ceil(ATTACHMENT_PART_BYTES) {
        return Ok(Some("has too many parts or too few".into()));
    }
    let mut left = attachment.bytes;
    for ordinal in 0..count {
        match part(view.connection, (row, attachment.id, &cover), ordinal)? {
            Err(why) => return Ok(Some(why.0)),
            Ok(bytes) if bytes.len() != left.min(ATTACHMENT_PART_BYTES) => {
                return Ok(Some("has a part of another length".into()));
            }
            Ok(bytes) => left -= bytes.len(),
        }
    }
    Ok(None)
}
