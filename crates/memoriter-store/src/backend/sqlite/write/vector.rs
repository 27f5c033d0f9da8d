//! Vectors, one entry per record whether it has one or not: the entries of a scope are also the list of its
//! records.

use memoriter_core::port::ModelName;
use rusqlite::{OptionalExtension, params};

use super::super::fault::Failure;
use super::super::seal;
use super::{FeedEntry, RecordKind, Transaction};
use crate::backend::check::wrong_dimensions;
use crate::store::{Outcome, RecordRef, StoredVector};

/// Key of an entry: scope, kind and row of the record.
type EntryKey = (i64, RecordKind, i64);

impl Transaction<'_> {
    pub(super) fn add_embedding(
        &self,
        key: EntryKey,
        vector: Option<&StoredVector>,
    ) -> Result<(), Failure> {
        let sql = "INSERT INTO embedding (scope, kind, record, model, scale, codes, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.put_embedding(sql, key, vector)
    }

    /// Forgets the vector of a record whose text is another one now.
    pub(super) fn clear_embedding(&self, key: EntryKey) -> Result<(), Failure> {
        self.put_embedding(REPLACE, key, None)
    }

    pub(super) fn put_vectors(
        &mut self,
        vectors: &[(RecordRef, StoredVector)],
    ) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::Noted;
        for (record, vector) in vectors {
            let Some((entry, from)) = self.find_record(*record)? else {
                continue;
            };
            let change = self.next_change();
            let entry = FeedEntry { change, ..entry };
            self.put_embedding(REPLACE, (entry.scope, entry.kind, entry.row), Some(vector))?;
            self.set_change(entry)?;
            self.move_in_feed(entry, from)?;
            outcome = Outcome::Changed(change);
        }
        Ok(outcome)
    }

    fn put_embedding(
        &self,
        sql: &str,
        key: EntryKey,
        vector: Option<&StoredVector>,
    ) -> Result<(), Failure> {
        let (scope, kind, row) = key;
        let model = vector
            .map(|stored| self.model_row(&stored.model, stored.vector.codes.len()))
            .transpose()?;
        let vector = vector.map(|stored| &stored.vector);
        let codes: Option<Vec<u8>> = vector.map(|vector| {
            let codes = vector.codes.iter();
            codes.map(|code| code.cast_unsigned()).collect()
        });
        let checksum = vector
            .zip(codes.as_ref())
            .map(|(vector, codes)| seal::of_vector(vector.scale, codes));
        self.connection.prepare_cached(sql)?.execute(params![
            scope,
            kind.code(),
            row,
            model,
            vector.map(|vector| f64::from(vector.scale)),
            codes,
            checksum,
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

    /// Where a record is, as a feed entry with its present change number, and that number as stored.
    fn find_record(&self, record: RecordRef) -> rusqlite::Result<Option<(FeedEntry, i64)>> {
        let (sql, id, kind) = match &record {
            RecordRef::Memory(id) => (
                "SELECT scope, row, change FROM memory WHERE id = ?1",
                id.as_bytes(),
                RecordKind::Memory,
            ),
            RecordRef::Turn(id) => (
                "SELECT session.scope, turn.row, turn.change FROM turn
                    JOIN session ON session.row = turn.session WHERE turn.id = ?1",
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
                Ok((entry, row.get(2)?))
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
