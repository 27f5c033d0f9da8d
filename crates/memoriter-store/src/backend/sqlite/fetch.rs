//! From row numbers to verified records.
//!
//! Each record is fetched by itself, so that one that cannot be read costs only itself. Those of a recall are first
//! asked for together, which is faster; what does not come as it should is then fetched by itself.

use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::{
    AttemptRef, Confidence, FactKey, Importance, Kind, Memory, State, Tier,
};
use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::{Origin, Source, Status, Trust};
use memoriter_core::scope::Scope;
use memoriter_core::turn::{Message, Role, SessionName, Turn, Written};
use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, ToSql, params_from_iter};

use super::decode::{Columns, LastScope, Undecodable, cardinality, source_ref};
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
    /// Hands the records with these ids, at most [`TOGETHER`], to `sink` with the number of the id. What comes after
    /// a row that cannot be read may be left out.
    fn read_together(
        connection: &Connection,
        ids: &[[u8; 16]],
        sink: &mut dyn FnMut(usize, Sealed<Self>),
    ) -> Result<(), Undecodable> {
        for (number, id) in ids.iter().enumerate() {
            sink(number, Self::read(connection, Key::Id(id))?);
        }
        Ok(())
    }
    /// The checksum that the record should have.
    fn seal(&self) -> [u8; 16];
    /// Whom the record belongs to.
    fn scope(&self) -> &Scope;
}

/// Records that one statement asks for: as many as a recall commonly has results.
pub(super) const TOGETHER: usize = 10;

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

/// Fetches records by their ids, at most [`TOGETHER`], in one step. `None` in the place of one that is not there and
/// of one with which anything is wrong, which looking for its row and [`fetch`] tell apart.
pub(super) fn fetch_sound<T: Record>(connection: &Connection, ids: &[[u8; 16]]) -> Vec<Option<T>> {
    let mut found: Vec<Option<T>> = ids.iter().map(|_| None).collect();
    // What stopped it is met again by whoever looks for what is missing.
    let _ = T::read_together(connection, ids, &mut |number, Sealed { record, seal }| {
        if let Some(place) = found.get_mut(number)
            && record.seal() == seal
        {
            *place = Some(record);
        }
    });
    found
}

/// Sorts a record into the rows or the damage.
pub(super) fn sort_in<T>(rows: &mut Rows<T>, fetched: Result<T, Damage>) {
    match fetched {
        Ok(record) => rows.rows.push(record),
        Err(damage) => rows.damaged.push(damage),
    }
}

/// The ids that a statement asks for, each with its number. One that is not bound is no record's.
macro_rules! asked {
    () => {
        "WITH asked (number, id) AS (VALUES (0, ?1), (1, ?2), (2, ?3), (3, ?4), (4, ?5), (5, ?6), (6, ?7), (7, ?8), (8, ?9), (9, ?10)) "
    };
}

macro_rules! memory_columns {
    () => {
        "scope.path, memory.id, memory.change, kind, category, entity, attribute, cardinality, value,
    statement, outcome, goal, lesson, state, tier, importance, confidence, status, origin, trust, actor, valid_from, valid_from_offset,
    valid_to, valid_to_offset, told_to, told_to_offset, recorded_at, retired_at, expires_at, last_recalled_at, recall_count, last_confirmed_at,
    confirmations, supersedes, superseded_by, version, metadata, pinned_at, checksum,
    EXISTS (SELECT 1 FROM source WHERE source.memory = memory.row), memory.row "
    };
}

macro_rules! memory_by {
    ($key:literal) => {
        concat!(
            "SELECT ",
            memory_columns!(),
            "FROM memory JOIN scope ON scope.row = memory.scope WHERE memory.",
            $key,
            " = ?1"
        )
    };
}

const MEMORIES: &str = concat!(
    asked!(),
    "SELECT asked.number, ",
    memory_columns!(),
    "FROM asked CROSS JOIN memory ON memory.id = asked.id CROSS JOIN scope ON scope.row = memory.scope"
);

/// Runs a statement that begins with [`asked`]. `decode` gets the columns after the number.
fn read_asked<T>(
    connection: &Connection,
    sql: &str,
    ids: &[[u8; 16]],
    mut decode: impl FnMut(Columns<'_>, &mut LastScope) -> Result<Sealed<T>, Undecodable>,
    sink: &mut dyn FnMut(usize, Sealed<T>),
) -> Result<(), Undecodable> {
    let unbound = std::iter::repeat(None);
    let places = ids.iter().map(Some).chain(unbound).take(TOGETHER);
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(places))?;
    let mut last = LastScope::default();
    while let Some(row) = rows.next()? {
        sink(row.get(0)?, decode(Columns::after_key(row), &mut last)?);
    }
    Ok(())
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
        decode_memory(connection, Columns::new(found), &mut LastScope::default())
    }

    fn read_together(
        connection: &Connection,
        ids: &[[u8; 16]],
        sink: &mut dyn FnMut(usize, Sealed<Self>),
    ) -> Result<(), Undecodable> {
        let decode =
            |columns: Columns<'_>, last: &mut LastScope| decode_memory(connection, columns, last);
        read_asked(connection, MEMORIES, ids, decode, sink)
    }

    fn seal(&self) -> [u8; 16] {
        seal::of_memory(self)
    }

    fn scope(&self) -> &Scope {
        &self.scope
    }
}

fn decode_memory(
    connection: &Connection,
    mut next: Columns<'_>,
    last: &mut LastScope,
) -> Result<Sealed<Memory>, Undecodable> {
    // Fields are evaluated as they are written: in the order of the columns.
    let mut record = Memory {
        scope: last.or_read(next.text()?)?,
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
    if has_sources {
        record.sources = read_sources(connection, row)?;
    }
    Ok(Sealed { record, seal })
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

macro_rules! turn_columns {
    () => {
        "scope.path, turn.id, session.name, turn.position, turn.recorded_at, turn.retired_at,
    turn.change, role, speaker, content, tool_calls, tool_call_id, origin, at, at_offset, metadata, written, checksum "
    };
}

macro_rules! turn_by {
    ($key:literal) => {
        concat!(
            "SELECT ",
            turn_columns!(),
            "FROM turn JOIN session ON session.row = turn.session JOIN scope ON scope.row = session.scope WHERE turn.",
            $key,
            " = ?1"
        )
    };
}

const TURNS: &str = concat!(
    asked!(),
    "SELECT asked.number, ",
    turn_columns!(),
    "FROM asked CROSS JOIN turn ON turn.id = asked.id CROSS JOIN session ON session.row = turn.session
    CROSS JOIN scope ON scope.row = session.scope"
);

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
        decode_turn(Columns::new(found), &mut LastScope::default())
    }

    fn read_together(
        connection: &Connection,
        ids: &[[u8; 16]],
        sink: &mut dyn FnMut(usize, Sealed<Self>),
    ) -> Result<(), Undecodable> {
        read_asked(connection, TURNS, ids, decode_turn, sink)
    }

    fn seal(&self) -> [u8; 16] {
        seal::of_turn(self)
    }

    fn scope(&self) -> &Scope {
        &self.scope
    }
}

fn decode_turn(mut next: Columns<'_>, last: &mut LastScope) -> Result<Sealed<Turn>, Undecodable> {
    let record = Turn {
        scope: last.or_read(next.text()?)?,
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
