//! Adding, replacing and marking memories.

use memoriter_core::id::{ChangeNumber, MemoryId};
use memoriter_core::memory::{Attempt, Memory};
use memoriter_core::provenance::SourceRef;
use memoriter_core::time::{Timestamp, ZonedTime};
use rusqlite::{CachedStatement, OptionalExtension, Row, ToSql, params};

use super::super::content::{MemoryContent, memory_binding, memory_content, metadata_text};
use super::super::decode::{Columns, Undecodable, cardinality_word};
use super::super::fault::{Failure, is_taken};
use super::super::keys::Cover;
use super::super::seal;
use super::vector::Entry;
use super::{FeedEntry, RecordKind, Transaction, find_scope, signed};
use crate::error::StoreError;
use crate::store::{Outcome, StoredVector};

/// What an update needs to know of the row as it is.
struct Current {
    row: i64,
    scope: i64,
    change: i64,
    recorded_at: i64,
    same_text: bool,
}

impl Transaction<'_> {
    pub(super) fn insert_memory(
        &mut self,
        memory: &Memory,
        vector: Option<&StoredVector>,
    ) -> Result<ChangeNumber, Failure> {
        let (scope, cover) = (self.scope_row(&memory.scope)?, self.cover(&memory.scope));
        let change = self.next_change();
        let place = seal::of_place(cover.hashes(self.keys.secret()), memory);
        let mut statement = self.connection.prepare_cached(INSERT)?;
        let bound = bind(
            &mut statement,
            memory,
            &Derived {
                change,
                place,
                seal: cover.fingerprint(seal::of_memory(memory)),
                cover: &cover,
            },
        )?;
        bind_all(
            &mut statement,
            bound,
            &[
                &scope,
                &memory.recorded_at.as_micros(),
                memory.id.as_bytes(),
            ],
        )?;
        statement
            .raw_execute()
            .map_err(|error| self.name_holder(error, scope, memory, place))?;
        let row = self.connection.last_insert_rowid();
        self.insert_sources(row, memory, &cover)?;
        let entry = Entry {
            scope,
            kind: RecordKind::Memory,
            row,
            id: memory.id.as_bytes(),
            cover: &cover,
        };
        self.add_embedding(entry, vector)?;
        self.add_to_feed(FeedEntry {
            scope,
            change,
            kind: RecordKind::Memory,
            row,
        })?;
        Ok(change)
    }

    pub(super) fn update_memory(
        &mut self,
        memory: &Memory,
        read_at: ChangeNumber,
    ) -> Result<ChangeNumber, Failure> {
        let cover = self.cover(&memory.scope);
        let current = self
            .current(memory, &cover)?
            .ok_or(StoreError::NoSuchMemory { id: memory.id })?;
        if current.change != signed(read_at) {
            return Err(StoreError::Conflict { id: memory.id }.into());
        }
        let change = self.next_change();
        let place = seal::of_place(cover.hashes(self.keys.secret()), memory);
        let mut kept = memory.clone();
        kept.recorded_at = Timestamp::from_micros(current.recorded_at);
        let mut statement = self.connection.prepare_cached(UPDATE)?;
        let bound = bind(
            &mut statement,
            memory,
            &Derived {
                change,
                place,
                seal: cover.fingerprint(seal::of_memory(&kept)),
                cover: &cover,
            },
        )?;
        bind_all(&mut statement, bound, &[&current.row])?;
        statement
            .raw_execute()
            .map_err(|error| self.name_holder(error, current.scope, memory, place))?;
        self.connection
            .prepare_cached("DELETE FROM source WHERE memory = ?1")?
            .execute([current.row])?;
        self.insert_sources(current.row, memory, &cover)?;
        let entry = FeedEntry {
            scope: current.scope,
            change,
            kind: RecordKind::Memory,
            row: current.row,
        };
        if !current.same_text {
            self.clear_embedding(Entry {
                scope: current.scope,
                kind: RecordKind::Memory,
                row: current.row,
                id: memory.id.as_bytes(),
                cover: &cover,
            })?;
        }
        self.move_in_feed(entry, current.change)?;
        Ok(change)
    }

    pub(super) fn mark_recalled(
        &self,
        ids: &[MemoryId],
        at: Timestamp,
    ) -> Result<Outcome, Failure> {
        let mut statement = self.connection.prepare_cached(
            "UPDATE memory SET last_recalled_at = ?1, recall_count = min(recall_count + 1, 4294967295) WHERE id = ?2",
        )?;
        for id in ids {
            statement.execute(params![at.as_micros(), id.as_bytes()])?;
        }
        Ok(Outcome::Noted)
    }

    fn current(&self, memory: &Memory, cover: &Cover) -> Result<Option<Current>, Failure> {
        let Some(scope) = find_scope(self.connection, &memory.scope.to_json())? else {
            return Ok(None);
        };
        let mut statement = self.connection.prepare_cached(CURRENT)?;
        let mut rows = statement.query(params![memory.id.as_bytes(), scope])?;
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        Ok(Some(Current {
            row: row.get(0)?,
            scope,
            change: row.get(1)?,
            recorded_at: row.get(2)?,
            // One that cannot be read says something else.
            same_text: has_text_of(memory, cover, row).unwrap_or(false),
        }))
    }

    /// Turns a refusal for a taken place or id into a conflict with whoever has it.
    fn name_holder(
        &self,
        error: rusqlite::Error,
        scope: i64,
        memory: &Memory,
        place: [u8; 16],
    ) -> Failure {
        if !is_taken(&error) {
            return Failure::Sql(error);
        }
        let holder = self
            .connection
            .prepare_cached(
                "SELECT id FROM memory WHERE scope = ?1 AND place = ?2 AND state = 'live'",
            )
            .and_then(|mut statement| {
                statement
                    .query_row(params![scope, place], |row| row.get(0))
                    .optional()
            });
        match holder {
            Ok(Some(id)) => Failure::Refused(StoreError::Conflict {
                id: MemoryId::from_bytes(id),
            }),
            Ok(None) => Failure::Refused(StoreError::Conflict { id: memory.id }),
            Err(error) => Failure::Sql(error),
        }
    }

    fn insert_sources(&self, row: i64, memory: &Memory, cover: &Cover) -> rusqlite::Result<()> {
        if memory.sources.is_empty() {
            return Ok(());
        }
        let mut statement = self.connection.prepare_cached(
            "INSERT INTO source (memory, ordinal, kind, record, quote) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        for (ordinal, source) in (0_i64..).zip(&memory.sources) {
            let (kind, record) = source_columns(&source.of);
            let quote = match cover {
                // With the memory.
                Cover::Key(_) => "",
                Cover::None | Cover::Lost => &source.quote,
            };
            statement.execute(params![row, ordinal, kind.code(), record, quote])?;
        }
        Ok(())
    }
}

const INSERT: &str = "INSERT INTO memory (change, kind, category, entity, attribute, cardinality, value, statement,
    state, tier, importance, confidence, status, origin, trust, actor, valid_from, valid_from_offset, valid_to,
    valid_to_offset, retired_at, expires_at, last_recalled_at, recall_count, last_confirmed_at, confirmations,
    supersedes, superseded_by, version, metadata, place, checksum, told_to, told_to_offset, outcome, goal, lesson,
    pinned_at, cipher, scope, recorded_at, id)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
    ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39, ?40, ?41, ?42)";

const UPDATE: &str = "UPDATE memory SET change = ?1, kind = ?2, category = ?3, entity = ?4, attribute = ?5,
    cardinality = ?6, value = ?7, statement = ?8, state = ?9, tier = ?10, importance = ?11, confidence = ?12,
    status = ?13, origin = ?14, trust = ?15, actor = ?16, valid_from = ?17, valid_from_offset = ?18, valid_to = ?19,
    valid_to_offset = ?20, retired_at = ?21, expires_at = ?22, last_recalled_at = ?23, recall_count = ?24,
    last_confirmed_at = ?25, confirmations = ?26, supersedes = ?27, superseded_by = ?28, version = ?29,
    metadata = ?30, place = ?31, checksum = ?32, told_to = ?33, told_to_offset = ?34, outcome = ?35, goal = ?36,
    lesson = ?37, pinned_at = ?38, cipher = ?39 WHERE row = ?40";

const CURRENT: &str = concat!(
    "SELECT row, change, recorded_at, outcome, ",
    memory_content!(),
    "FROM memory WHERE id = ?1 AND scope = ?2"
);

/// Whether a row that [`CURRENT`] reads says what the memory says.
fn has_text_of(memory: &Memory, cover: &Cover, row: &Row<'_>) -> Result<bool, Undecodable> {
    let mut next = Columns::new(row);
    let _: (i64, i64, i64) = (next.get()?, next.get()?, next.get()?);
    let outcome = next.optional_text()?;
    let opened = next.open(cover, &memory_binding(memory.id.as_bytes()))?;
    let content = MemoryContent::read(&mut next.with(&opened))?;
    let attempt = content.attempt(outcome)?;
    Ok(content.statement == memory.statement
        && attempt == memory.attempt.as_ref().map(Attempt::borrowed))
}

/// Columns that the store computes.
struct Derived<'c> {
    change: ChangeNumber,
    place: [u8; 16],
    seal: [u8; 16],
    cover: &'c Cover,
}

/// Binds the columns that a replacement changes, in the order of [`INSERT`] and [`UPDATE`], and returns how
/// many.
fn bind(
    statement: &mut CachedStatement<'_>,
    memory: &Memory,
    derived: &Derived<'_>,
) -> rusqlite::Result<usize> {
    let metadata = metadata_text(&memory.metadata);
    let quotes: Vec<&str> = memory.sources.iter().map(|source| &*source.quote).collect();
    let content = MemoryContent::of(memory, &metadata);
    let covered = content.cover(derived.cover, memory.id.as_bytes(), &quotes);
    let [
        category,
        _,
        _,
        value,
        statement_shown,
        goal,
        lesson,
        actor,
        metadata,
    ] = covered.shown;
    let key = memory.fact_key().map(|key| derived.cover.key_columns(key));
    let end: Option<ZonedTime> = memory.valid_to;
    let told_end: Option<ZonedTime> = memory.told_to;
    let outcome = outcome_word(memory);
    bind_all(
        statement,
        0,
        &[
            &signed(derived.change),
            &memory.kind.as_str(),
            &category,
            &key.as_ref().map(|(entity, _)| entity),
            &key.as_ref().map(|(_, attribute)| attribute),
            &memory
                .key
                .as_ref()
                .map(|(_, cardinality)| cardinality_word(*cardinality)),
            &value,
            &statement_shown,
            &memory.state.as_str(),
            &memory.tier.as_str(),
            &memory.importance.get(),
            &f64::from(memory.confidence.get()),
            &memory.status.as_str(),
            &memory.origin.as_str(),
            &memory.trust.level(),
            &actor,
            &memory.valid_from.instant.as_micros(),
            &memory.valid_from.offset_seconds,
            &end.map(|end| end.instant.as_micros()),
            &end.map(|end| end.offset_seconds),
            &memory.retired_at.map(Timestamp::as_micros),
            &memory.expires_at.map(Timestamp::as_micros),
            &memory.last_recalled_at.map(Timestamp::as_micros),
            &memory.recall_count,
            &memory.last_confirmed_at.map(Timestamp::as_micros),
            &memory.confirmations,
            &memory.supersedes.as_ref().map(MemoryId::as_bytes),
            &memory.superseded_by.as_ref().map(MemoryId::as_bytes),
            &memory.version,
            &metadata,
            &derived.place,
            &derived.seal,
            &told_end.map(|end| end.instant.as_micros()),
            &told_end.map(|end| end.offset_seconds),
            &outcome,
            &goal,
            &lesson,
            &memory.pinned_at.map(Timestamp::as_micros),
            &covered.cipher,
        ],
    )
}

fn outcome_word(memory: &Memory) -> Option<&'static str> {
    let attempt = memory.attempt.as_ref()?;
    Some(attempt.outcome.as_str())
}

fn bind_all(
    statement: &mut CachedStatement<'_>,
    bound: usize,
    values: &[&dyn ToSql],
) -> rusqlite::Result<usize> {
    for (value, index) in values.iter().zip(bound + 1..) {
        statement.raw_bind_parameter(index, value)?;
    }
    Ok(bound + values.len())
}

/// The columns that say which record a source is.
pub(in crate::backend::sqlite) fn source_columns(of: &SourceRef) -> (RecordKind, &[u8; 16]) {
    match of {
        SourceRef::Memory(id) => (RecordKind::Memory, id.as_bytes()),
        SourceRef::Turn(id) => (RecordKind::Turn, id.as_bytes()),
    }
}
