//! From row numbers to verified records.
//!
//! Each record is fetched by itself, so that one that cannot be read costs only itself.

use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::{
    AttemptRef, Confidence, FactKey, Importance, Kind, Memory, State, Tier,
};
use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::{Origin, Source, Status, Trust};
use memoriter_core::scope::Scope;
use memoriter_core::turn::{Message, Role, SessionName, Turn, Written};
use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, Row, ToSql};

use super::decode::{Columns, Undecodable, cardinality, source_ref};
use super::seal;
use crate::store::{Damage, Rows};

/// A kind of record that can be fetched.
pub(super) trait Record: Sized {
    /// The table, for people who look for a damaged row.
    const TABLE: &'static str;
    /// Finds the row after a row.
    const NEXT: &'static str;

    /// Reads the row, without looking at its checksum.
    fn read(connection: &Connection, key: Key<'_>) -> Result<Sealed<Self>, Undecodable>;
    /// The checksum that the record should have.
    fn seal(&self) -> [u8; 16];
    /// Whom the record belongs to.
    fn scope(&self) -> &Scope;
}

/// What a row is read by.
#[derive(Clone, Copy)]
pub(super) enum Key<'k> {
    /// Its number.
    Row(i64),
    /// The record's id.
    Id(&'k [u8; 16]),
}

impl ToSql for Key<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Row(row) => row.to_sql(),
            Self::Id(id) => id.to_sql(),
        }
    }
}

/// A record and the checksum that was stored with it.
pub(super) struct Sealed<T> {
    pub(super) record: T,
    pub(super) seal: [u8; 16],
}

impl<T> Sealed<T> {
    pub(super) fn new(record: T, seal: [u8; 16]) -> Self {
        Self { record, seal }
    }
}

/// Fetches and verifies one record. `expected` looks at whether it is the one that was looked for: an index
/// entry can be damaged as well as a row.
pub(super) fn fetch<T: Record>(
    connection: &Connection,
    row: i64,
    expected: impl FnOnce(&T) -> bool,
) -> Result<T, Damage> {
    let damage = |why: String| Damage {
        record: format!("{} in row {row}", T::TABLE),
        why,
    };
    let Sealed { record, seal } =
        T::read(connection, Key::Row(row)).map_err(|error| damage(error.0))?;
    if record.seal() != seal {
        return Err(damage("the checksum does not fit".into()));
    }
    if !expected(&record) {
        return Err(damage("an index entry leads to another record".into()));
    }
    Ok(record)
}

/// Fetches a record by its id in one step; `None` where there is none and where anything is wrong with it,
/// which looking for its row and [`fetch`] tell apart.
pub(super) fn fetch_sound<T: Record>(connection: &Connection, id: &[u8; 16]) -> Option<T> {
    let Sealed { record, seal } = T::read(connection, Key::Id(id)).ok()?;
    (record.seal() == seal).then_some(record)
}

/// Sorts a record into the rows or the damage.
pub(super) fn sort_in<T>(rows: &mut Rows<T>, fetched: Result<T, Damage>) {
    match fetched {
        Ok(record) => rows.rows.push(record),
        Err(damage) => rows.damaged.push(damage),
    }
}

macro_rules! memory_by {
    ($key:literal) => {
        concat!(
            "SELECT scope.path, memory.id, memory.change, kind, category, entity, attribute, cardinality, value,
    statement, outcome, goal, lesson, state, tier, importance, confidence, status, origin, trust, actor, valid_from, valid_from_offset,
    valid_to, valid_to_offset, told_to, told_to_offset, recorded_at, retired_at, expires_at, last_recalled_at, recall_count, last_confirmed_at,
    confirmations, supersedes, superseded_by, version, metadata, pinned_at, checksum,
    EXISTS (SELECT 1 FROM source WHERE source.memory = memory.row), memory.row
    FROM memory JOIN scope ON scope.row = memory.scope WHERE memory.",
            $key,
            " = ?1"
        )
    };
}

impl Record for Memory {
    const TABLE: &'static str = "memory";
    const NEXT: &'static str = "SELECT row FROM memory WHERE row > ?1 ORDER BY row LIMIT 1";

    fn read(connection: &Connection, key: Key<'_>) -> Result<Sealed<Self>, Undecodable> {
        let mut statement = connection.prepare_cached(match key {
            Key::Row(_) => memory_by!("row"),
            Key::Id(_) => memory_by!("id"),
        })?;
        let mut rows = statement.query([key])?;
        let found = rows
            .next()?
            .ok_or_else(|| Undecodable("the row or its scope is gone".into()))?;
        let (mut sealed, sources_of) = decode_memory(found)?;
        if let Some(row) = sources_of {
            sealed.record.sources = read_sources(connection, row)?;
        }
        Ok(sealed)
    }

    fn seal(&self) -> [u8; 16] {
        seal::of_memory(self)
    }

    fn scope(&self) -> &Scope {
        &self.scope
    }
}

/// A memory without its sources, and its row if it has some.
fn decode_memory(row: &Row<'_>) -> Result<(Sealed<Memory>, Option<i64>), Undecodable> {
    let mut next = Columns::new(row);
    // Fields are evaluated as they are written: in the order of the columns.
    let record = Memory {
        scope: next.word(Scope::from_json)?,
        id: next.get().map(MemoryId::from_bytes)?,
        change: next.change()?,
        kind: next.word(Kind::parse)?,
        category: next.get()?,
        key: match (
            next.optional_text()?,
            next.optional_text()?,
            next.optional_text()?,
        ) {
            (Some(entity), Some(attribute), Some(word)) => {
                Some((FactKey::kept(entity, attribute)?, cardinality(word)?))
            }
            (None, None, None) => None,
            _ => return Err(Undecodable("the key is not whole".into())),
        },
        value: next.get()?,
        statement: next.get()?,
        attempt: next.attempt()?.map(AttemptRef::into_owned),
        state: next.word(State::parse)?,
        tier: next.word(Tier::parse)?,
        importance: Importance::new(next.get()?)?,
        confidence: Confidence::new(next.get()?)?,
        status: next.word(Status::parse)?,
        origin: next.word(Origin::parse)?,
        trust: Trust::new(next.get()?)?,
        actor: next.get()?,
        valid_from: next.zoned()?,
        valid_to: next.optional_zoned()?,
        told_to: next.optional_zoned()?,
        recorded_at: next.time()?,
        retired_at: next.optional_time()?,
        expires_at: next.optional_time()?,
        last_recalled_at: next.optional_time()?,
        recall_count: next.get()?,
        last_confirmed_at: next.optional_time()?,
        confirmations: next.get()?,
        supersedes: next.optional_memory_id()?,
        superseded_by: next.optional_memory_id()?,
        version: next.get()?,
        metadata: next.word(Metadata::from_json)?,
        pinned_at: next.optional_time()?,
        sources: Vec::new(),
    };
    let seal = next.get()?;
    let (has_sources, row): (bool, i64) = (next.get()?, next.get()?);
    Ok((Sealed { record, seal }, has_sources.then_some(row)))
}

fn read_sources(connection: &Connection, row: i64) -> Result<Vec<Source>, Undecodable> {
    let mut statement = connection.prepare_cached(
        "SELECT kind, record, quote FROM source WHERE memory = ?1 ORDER BY ordinal",
    )?;
    let mut rows = statement.query([row])?;
    let mut sources = Vec::new();
    while let Some(found) = rows.next()? {
        let mut next = Columns::new(found);
        let of = source_ref(next.get()?, next.get()?)?;
        sources.push(Source {
            of,
            quote: next.get()?,
        });
    }
    Ok(sources)
}

macro_rules! turn_by {
    ($key:literal) => {
        concat!(
            "SELECT scope.path, turn.id, session.name, turn.position, turn.recorded_at, turn.retired_at,
    turn.change, role, speaker, content, tool_calls, tool_call_id, origin, at, at_offset, metadata, written, checksum
    FROM turn JOIN session ON session.row = turn.session JOIN scope ON scope.row = session.scope WHERE turn.",
            $key,
            " = ?1"
        )
    };
}

impl Record for Turn {
    const TABLE: &'static str = "turn";
    const NEXT: &'static str = "SELECT row FROM turn WHERE row > ?1 ORDER BY row LIMIT 1";

    fn read(connection: &Connection, key: Key<'_>) -> Result<Sealed<Self>, Undecodable> {
        let mut statement = connection.prepare_cached(match key {
            Key::Row(_) => turn_by!("row"),
            Key::Id(_) => turn_by!("id"),
        })?;
        let mut rows = statement.query([key])?;
        let found = rows
            .next()?
            .ok_or_else(|| Undecodable("the row, its session or its scope is gone".into()))?;
        decode_turn(found)
    }

    fn seal(&self) -> [u8; 16] {
        seal::of_turn(self)
    }

    fn scope(&self) -> &Scope {
        &self.scope
    }
}

fn decode_turn(row: &Row<'_>) -> Result<Sealed<Turn>, Undecodable> {
    let mut next = Columns::new(row);
    let record = Turn {
        scope: next.word(Scope::from_json)?,
        id: next.get().map(TurnId::from_bytes)?,
        session: SessionName::new(next.text()?)?,
        position: next.get()?,
        recorded_at: next.time()?,
        retired_at: next.optional_time()?,
        change: next.change()?,
        message: Message {
            role: next.word(Role::parse)?,
            speaker: next.get()?,
            content: next.get()?,
            tool_calls: next.optional_json()?,
            tool_call_id: next.get()?,
            origin: next.word(Origin::parse)?,
            at: next.zoned()?,
            metadata: next.word(Metadata::from_json)?,
            written: match next.optional_json()? {
                Some(json) => Some(Written::from_json(&json)?),
                None => None,
            },
        },
    };
    Ok(Sealed {
        record,
        seal: next.get()?,
    })
}
