//! Vectors, one entry per record whether it has one or not: the entries of a scope are also the list of its
//! records.

use memoriter_core::port::ModelName;
use rusqlite::{OptionalExtension, params};

use super::super::fault::Failure;
use super::super::keys::Cover;
use super::super::vector::cover_vector;
use super::{FeedEntry, RecordKind, Transaction};
use crate::backend::check::wrong_dimensions;
use crate::store::{Outcome, RecordRef, StoredVector};

/// An entry: its key, and what its content is encrypted with.
#[derive(Clone, Copy)]
pub(super) struct Entry<'e> {
    pub(super) scope: i64,
    pub(super) kind: RecordKind,
    pub(super) row: i64,
    pub(super) id: &'e [u8; 16],
    pub(super) cover: &'e Cover,
}

impl Transaction<'_> {
    pub(super) fn add_embedding(
        &self,
        entry: Entry<'_>,
        vector: Option<&StoredVector>,
    ) -> Result<(), Failure> {
        let sql = "INSERT INTO embedding (scope, kind, record, model, scale, codes, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.put_embedding(sql, entry, vector)
    }

    /// Forgets the vector of a record whose text is another one now.
    pub(super) fn clear_embedding(&self, entry: Entry<'_>) -> Result<(), Failure> {
        self.put_embedding(REPLACE, entry, None)
    }

    pub(super) fn put_vectors(
        &mut self,
        vectors: &[(RecordRef, StoredVector)],
    ) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::Noted;
        for (record, vector) in vectors {
            let Some((entry, from, scope)) = self.find_record(*record)? else {
                continue;
            };
            let cover = self.keys.of_or_new(&scope);
            let change = self.next_change();
            let entry = FeedEntry { change, ..entry };
            let id = match record {
                RecordRef::Memory(id) => id.as_bytes(),
                RecordRef::Turn(id) => id.as_bytes(),
            };
            let of = Entry {
                scope: entry.scope,
                kind: entry.kind,
                row: entry.row,
                id,
                cover: &cover,
            };
            self.put_embedding(REPLACE, of, Some(vector))?;
            self.set_change(entry)?;
            self.move_in_feed(entry, from)?;
            outcome = Outcome::Changed(change);
        }
        Ok(outcome)
    }

    fn put_embedding(
        &self,
        sql: &str,
        entry: Entry<'_>,
        vector: Option<&StoredVector>,
    ) -> Result<(), Failure> {
        let model = vector
            .map(|stored| self.model_row(&stored.model, stored.vector.codes.len()))
            .transpose()?;
        let kept =
            vector.map(|stored| cover_vector(entry.cover, (entry.kind, entry.id), &stored.vector));
        self.connection.prepare_cached(sql)?.execute(params![
            entry.scope,
            entry.kind.code(),
            entry.row,
            model,
            kept.as_ref().map(|kept| kept.scale),
            kept.as_ref().map(|kept| &kept.codes),
            kept.as_ref().map(|kept| kept.checksum),
        ])?;
        Ok(())
    }

    /// The row of a model, which is made with the dimensions of its first vector.
    fn model_row(&self, model: &ModelName, dimensions: usize) -> Result<i64, Failure> {
        let found: Option<(i64, usize)> = self
            .connection
            .prepare_cached("SELECT row, dimensions FROM model WHERE name = ?1")?
            .query_row([model.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        match found {
            Some((row, expected)) if expected == dimensions => Ok(row),
            Some((_, expected)) => Err(wrong_dimensions(expected, dimensions).into()),
            None => Ok(self
                .connection
                .prepare_cached("INSERT INTO model (name, dimensions) VALUES (?1, ?2)")?
                .insert(params![model.as_str(), dimensions])?),
        }
    }

    /// Where a record is, as a feed entry with its present change number, that number as stored, and its scope.
    fn find_record(&self, record: RecordRef) -> rusqlite::Result<Option<(FeedEntry, i64, String)>> {
        let (sql, id, kind) = match &record {
            RecordRef::Memory(id) => (
                "SELECT scope, memory.row, change, path FROM memory JOIN scope ON scope.row = memory.scope
                    WHERE id = ?1",
                id.as_bytes(),
                RecordKind::Memory,
            ),
            RecordRef::Turn(id) => (
                "SELECT session.scope, turn.row, turn.change, path FROM turn
                    JOIN session ON session.row = turn.session JOIN scope ON scope.row = session.scope
                    WHERE turn.id = ?1",
                id.as_bytes(),
                RecordKind::Turn,
            ),
        };
        self.connection
            .prepare_cached(sql)?
            .query_row([id], |row| {
                let entry = FeedEntry {
                    scope: row.get(0)?,
                    row: row.get(1)?,
                    change: self.head,
                    kind,
                };
                Ok((entry, row.get(2)?, row.get(3)?))
            })
            .optional()
    }

    fn set_change(&self, entry: FeedEntry) -> rusqlite::Result<()> {
        let sql = match entry.kind {
            RecordKind::Memory => "UPDATE memory SET change = ?1 WHERE row = ?2",
            RecordKind::Turn => "UPDATE turn SET change = ?1 WHERE row = ?2",
            RecordKind::Field => "UPDATE field SET change = ?1 WHERE row = ?2",
            RecordKind::Session => "UPDATE session SET change = ?1 WHERE row = ?2",
            // Of what is gone there is no row.
            RecordKind::Erased => return Ok(()),
        };
        self.connection
            .prepare_cached(sql)?
            .execute([super::signed(entry.change), entry.row])?;
        Ok(())
    }
}

const REPLACE: &str =
    "INSERT OR REPLACE INTO embedding (scope, kind, record, model, scale, codes, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
