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
use rusqlite::{ToSql, params_from_iter};

use super::content::{
    MemoryContent, TurnContent, memory_binding, memory_content, turn_binding, turn_content,
};
use super::decode::{Columns, LastScope, Undecodable, cardinality, json, source_ref};
use super::keys::Cover;
use super::parts::Parts;
use super::seal;
use super::view::View;
use crate::store::{Damage, Rows};

/// A kind of record that can be fetched.
pub(super) trait Record: Sized {
    /// The table, for people who look for a damaged row.
    const TABLE: &'static str;
    /// Finds the row after a row.
    const NEXT: &'static str;

    /// Reads the row, without looking at its checksum.
    fn read(view: View<'_>, key: Key<'_>) -> Result<Sealed<Self>, Undecodable>;
    /// Hands the records with these ids, at most [`TOGETHER`], to `sink` with the number of the id. What comes after
    /// a row that cannot be read may be left out.
    fn read_together(
        view: View<'_>,
        ids: &[[u8; 16]],
        sink: &mut dyn FnMut(usize, Sealed<Self>),
    ) -> Result<(), Undecodable> {
        for (number, id) in ids.iter().enumerate() {
            sink(number, Self::read(view, Key::Id(id))?);
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
    record: T,
    seal: [u8; 16],
    cover: Cover,
}

impl<T: Record> Sealed<T> {
    /// A record of a scope whose content lies in the store like this.
    pub(super) fn new(record: T, seal: [u8; 16], cover: Cover) -> Self {
        Self {
            record,
            seal,
            cover,
        }
    }

    /// The record, if it is what was written.
    fn sound(self) -> Option<T> {
        let expected = self.cover.fingerprint(self.record.seal());
        (expected == self.seal).then_some(self.record)
    }
}

/// Fetches and verifies one record. `expected` looks at whether it is the one that was looked for: an index
/// entry can be damaged as well as a row.
pub(super) fn fetch<T: Record>(
    view: View<'_>,
    row: i64,
    expected: impl FnOnce(&T) -> bool,
) -> Result<T, Damage> {
    let damage = |why: String| Damage {
        record: format!("{} in row {row}", T::TABLE),
        why,
    };
    let sealed = T::read(view, Key::Row(row)).map_err(|error| damage(error.0))?;
    let record = sealed
        .sound()
        .ok_or_else(|| damage("the checksum does not fit".into()))?;
    if !expected(&record) {
        return Err(damage("an index entry leads to another record".into()));
    }
    Ok(record)
}

/// Fetches records by their ids, at most [`TOGETHER`], in one step. `None` in the place of one that is not there and
/// of one with which anything is wrong, which looking for its row and [`fetch`] tell apart.
pub(super) fn fetch_sound<T: Record>(view: View<'_>, ids: &[[u8; 16]]) -> Vec<Option<T>> {
    let mut found: Vec<Option<T>> = ids.iter().map(|_| None).collect();
    // What stopped it is met again by whoever looks for what is missing.
    let _ = T::read_together(view, ids, &mut |number, sealed| {
        if let Some(place) = found.get_mut(number) {
            *place = sealed.sound();
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
        concat!(
            "scope.path, memory.id, ",
            memory_content!(),
            ", memory.change, kind, cardinality, outcome, state, tier, importance, confidence, status, origin, trust,
    valid_from, valid_from_offset, valid_to, valid_to_offset, told_to, told_to_offset, recorded_at, retired_at, expires_at,
    last_recalled_at, recall_count, last_confirmed_at, confirmations, supersedes, superseded_by, version, pinned_at, checksum,
    EXISTS (SELECT 1 FROM source WHERE source.memory = memory.row), memory.row "
        )
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
    view: View<'_>,
    sql: &str,
    ids: &[[u8; 16]],
    mut decode: impl FnMut(Columns<'_>, &mut LastScope) -> Result<Sealed<T>, Undecodable>,
    sink: &mut dyn FnMut(usize, Sealed<T>),
) -> Result<(), Undecodable> {
    let unbound = std::iter::repeat(None);
    let places = ids.iter().map(Some).chain(unbound).take(TOGETHER);
    let mut statement = view.prepare_cached(sql)?;
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

    fn read(view: View<'_>, key: Key<'_>) -> Result<Sealed<Self>, Undecodable> {
        let mut statement = view.prepare_cached(match key {
            Key::Row(_) => memory_by!("row"),
            Key::Id(_) => memory_by!("id"),
        })?;
        let mut rows = statement.query([key])?;
        let found = rows
            .next()?
            .ok_or_else(|| Undecodable("the row or its scope is gone".into()))?;
        decode_memory(view, Columns::new(found), &mut LastScope::default())
    }

    fn read_together(
        view: View<'_>,
        ids: &[[u8; 16]],
        sink: &mut dyn FnMut(usize, Sealed<Self>),
    ) -> Result<(), Undecodable> {
        let decode =
            |columns: Columns<'_>, last: &mut LastScope| decode_memory(view, columns, last);
        read_asked(view, MEMORIES, ids, decode, sink)
    }

    fn seal(&self) -> [u8; 16] {
        seal::of_memory(self)
    }

    fn scope(&self) -> &Scope {
        &self.scope
    }
}

fn decode_memory(
    view: View<'_>,
    mut next: Columns<'_>,
    last: &mut LastScope,
) -> Result<Sealed<Memory>, Undecodable> {
    let (scope, cover) = last.or_read(view.keys, next.text()?)?;
    let id: [u8; 16] = next.get()?;
    let opened = next.open(&cover, &memory_binding(&id))?;
    let mut next = next.with(&opened);
    let content = MemoryContent::read(&mut next)?;
    let quotes = next.beside();
    // Fields are evaluated as they are written: in the order of the columns.
    let mut record = Memory {
        scope,
        id: MemoryId::from_bytes(id),
        change: next.change()?,
        kind: next.word(Kind::parse)?,
        key: match (content.key, next.optional_text()?) {
            (Some((entity, attribute)), Some(word)) => {
                Some((FactKey::kept(entity, attribute)?, cardinality(word)?))
            }
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                return Err(Undecodable("the key is not whole".into()));
            }
        },
        attempt: content
            .attempt(next.optional_text()?)?
            .map(AttemptRef::into_owned),
        category: content.category.map(str::to_owned),
        value: content.value.map(str::to_owned),
        statement: content.statement.to_owned(),
        actor: content.actor.map(str::to_owned),
        metadata: Metadata::from_json(content.metadata)?,
        state: next.word(State::parse)?,
        tier: next.word(Tier::parse)?,
        importance: Importance::new(next.get()?)?,
        confidence: Confidence::new(next.get()?)?,
        status: next.word(Status::parse)?,
        origin: next.word(Origin::parse)?,
        trust: Trust::new(next.get()?)?,
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
        pinned_at: next.optional_time()?,
        sources: Vec::new(),
    };
    let seal = next.get()?;
    let (has_sources, row): (bool, i64) = (next.get()?, next.get()?);
    record.sources = read_sources(view, (row, has_sources), quotes)?;
    Ok(Sealed::new(record, seal, cover))
}

/// The sources of a memory. The quotes are in the rows, or were encrypted with the memory.
fn read_sources(
    view: View<'_>,
    (memory, has_any): (i64, bool),
    mut quotes: Option<Parts<'_>>,
) -> Result<Vec<Source>, Undecodable> {
    let mut sources = Vec::new();
    if has_any {
        let mut statement = view.prepare_cached(
            "SELECT kind, record, quote FROM source WHERE memory = ?1 ORDER BY ordinal",
        )?;
        let mut rows = statement.query([memory])?;
        while let Some(found) = rows.next()? {
            let mut next = Columns::new(found);
            let of = source_ref(next.get()?, next.get()?)?;
            let shown = next.text()?;
            let quote = match &mut quotes {
                None => Some(shown),
                Some(quotes) => quotes.next()?,
            };
            let quote = quote.ok_or_else(|| Undecodable("the quote of a source is gone".into()))?;
            sources.push(Source {
                of,
                quote: quote.to_owned(),
            });
        }
    }
    if quotes.is_some_and(|quotes| !quotes.is_at_end()) {
        return Err(Undecodable("a source is gone".into()));
    }
    Ok(sources)
}

macro_rules! turn_columns {
    () => {
        concat!(
            "scope.path, turn.id, ",
            turn_content!(),
            ", session.name, turn.position, turn.recorded_at, turn.retired_at, turn.change, role, origin, at, at_offset,
    checksum "
        )
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

    fn read(view: View<'_>, key: Key<'_>) -> Result<Sealed<Self>, Undecodable> {
        let mut statement = view.prepare_cached(match key {
            Key::Row(_) => turn_by!("row"),
            Key::Id(_) => turn_by!("id"),
        })?;
        let mut rows = statement.query([key])?;
        let found = rows
            .next()?
            .ok_or_else(|| Undecodable("the row, its session or its scope is gone".into()))?;
        decode_turn(view, Columns::new(found), &mut LastScope::default())
    }

    fn read_together(
        view: View<'_>,
        ids: &[[u8; 16]],
        sink: &mut dyn FnMut(usize, Sealed<Self>),
    ) -> Result<(), Undecodable> {
        let decode = |columns: Columns<'_>, last: &mut LastScope| decode_turn(view, columns, last);
        read_asked(view, TURNS, ids, decode, sink)
    }

    fn seal(&self) -> [u8; 16] {
        seal::of_turn(self)
    }

    fn scope(&self) -> &Scope {
        &self.scope
    }
}

fn decode_turn(
    view: View<'_>,
    mut next: Columns<'_>,
    last: &mut LastScope,
) -> Result<Sealed<Turn>, Undecodable> {
    let (scope, cover) = last.or_read(view.keys, next.text()?)?;
    let id: [u8; 16] = next.get()?;
    let opened = next.open(&cover, &turn_binding(&id))?;
    let mut next = next.with(&opened);
    let content = TurnContent::read(&mut next)?;
    let record = Turn {
        scope,
        id: TurnId::from_bytes(id),
        session: SessionName::new(next.text()?)?,
        position: next.get()?,
        recorded_at: next.time()?,
        retired_at: next.optional_time()?,
        change: next.change()?,
        message: Message {
            role: next.word(Role::parse)?,
            origin: next.word(Origin::parse)?,
            at: next.zoned()?,
            speaker: content.speaker.map(str::to_owned),
            content: content.content.to_owned(),
            tool_calls: json(content.tool_calls)?,
            tool_call_id: content.tool_call_id.map(str::to_owned),
            metadata: Metadata::from_json(content.metadata)?,
            written: match json(content.written)? {
                Some(json) => Some(Written::from_json(&json)?),
                None => None,
            },
        },
    };
    Ok(Sealed::new(record, next.get()?, cover))
}
