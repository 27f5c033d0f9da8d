//! Feeding an index: rows as they lie in SQLite's pages, borrowed, neither copied nor verified.

use memoriter_core::id::{ChangeNumber, MemoryId, TurnId};
use memoriter_core::memory::{Cardinality, Importance, Kind, State, Validity};
use memoriter_core::port::ModelName;
use memoriter_core::provenance::Origin;
use memoriter_core::scope::Scope;
use memoriter_core::turn::Role;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::bound::Growing;
use super::content::{
    MemoryContent, TurnContent, memory_binding, memory_content, turn_binding, turn_content,
};
use super::decode::{Columns, Undecodable, cardinality};
use super::keys::Cover;
use super::vector::KeptVector;
use super::view::View;
use super::write::{RecordKind, find_scope, signed};
use crate::store::{IndexChange, IndexRow, RecordRef, later_start};

macro_rules! memory_columns {
    () => {
        concat!(
            "memory.id, memory.change, memory.state, ",
            memory_content!(),
            ", memory.kind, origin, outcome, cardinality, importance, pinned_at, valid_from, valid_from_offset, recorded_at,
        last_recalled_at, last_confirmed_at, valid_to, valid_to_offset, expires_at, embedding.model, embedding.scale,
        embedding.codes "
        )
    };
}

macro_rules! turn_columns {
    () => {
        concat!(
            "turn.id, turn.change, turn.retired_at, ",
            turn_content!(),
            ", role, origin, at, at_offset, recorded_at, session, position, embedding.model, embedding.scale,
        embedding.codes "
        )
    };
}

// Each begins with the key that it is ordered by. CROSS JOIN keeps SQLite to the written order: along the entries of the scope, each leading to its row.
const ALL_MEMORIES: &str = concat!(
    "SELECT embedding.record, ",
    memory_columns!(),
    "FROM embedding CROSS JOIN memory ON memory.row = embedding.record
    WHERE embedding.scope = ?1 AND embedding.kind = 0 AND memory.state = 'live' AND ?2 = 0 ORDER BY embedding.record"
);
const NEW_MEMORIES: &str = concat!(
    "SELECT feed.change, ",
    memory_columns!(),
    "FROM feed CROSS JOIN memory ON memory.row = feed.record LEFT JOIN embedding
    ON embedding.scope = feed.scope AND embedding.kind = 0 AND embedding.record = feed.record
    WHERE feed.scope = ?1 AND feed.change > ?2 AND feed.kind = 0 ORDER BY feed.change"
);
const ALL_TURNS: &str = concat!(
    "SELECT embedding.record, ",
    turn_columns!(),
    "FROM embedding CROSS JOIN turn ON turn.row = embedding.record
    WHERE embedding.scope = ?1 AND embedding.kind = 1 AND turn.retired_at IS NULL AND ?2 = 0
    ORDER BY embedding.record"
);
const NEW_TURNS: &str = concat!(
    "SELECT feed.change, ",
    turn_columns!(),
    "FROM feed CROSS JOIN turn ON turn.row = feed.record LEFT JOIN embedding
    ON embedding.scope = feed.scope AND embedding.kind = 1 AND embedding.record = feed.record
    WHERE feed.scope = ?1 AND feed.change > ?2 AND feed.kind = 1 ORDER BY feed.change"
);

/// Turns of sessions whose mode was set: whether they changed themselves or not.
const TURNS_OF_SET_SESSIONS: &str = concat!(
    "SELECT turn.row, ",
    turn_columns!(),
    "FROM feed CROSS JOIN turn ON turn.session = feed.record LEFT JOIN embedding
    ON embedding.scope = feed.scope AND embedding.kind = 1 AND embedding.record = turn.row
    WHERE feed.scope = ?1 AND feed.change > ?2 AND feed.kind = 3 ORDER BY turn.row"
);
/// Sessions whose turns no other recalls.
const HIDDEN: &str = "SELECT row FROM session WHERE scope = ?1 AND mode = 'none' ORDER BY row";

/// How rows are to be told.
struct Telling {
    /// Whose vectors.
    model: Option<i64>,
    /// Sessions whose turns are not told of.
    hidden: Vec<u64>,
    /// Whether everything is told, so that nothing needs to be taken back.
    is_all: bool,
    /// How content lies in the store.
    cover: Cover,
}

/// Tells `sink` of every change of a scope, with vectors of one model.
pub(super) fn feed(
    view: View<'_>,
    (scope, model, after): (&Scope, &ModelName, ChangeNumber),
    sink: &mut dyn FnMut(IndexChange<'_>),
) -> rusqlite::Result<()> {
    let (connection, path) = (view.connection, scope.to_json());
    let Some(scope) = find_scope(connection, &path)? else {
        return Ok(());
    };
    if after > ChangeNumber(0) && is_gone_since(connection, scope, after)? {
        sink(IndexChange::Anew);
        return Ok(());
    }
    let model: Option<i64> = connection
        .prepare_cached("SELECT row FROM model WHERE name = ?1")?
        .query_row([model.as_str()], |row| row.get(0))
        .optional()?;
    let telling = Telling {
        model,
        hidden: connection
            .prepare_cached(HIDDEN)?
            .query_map([scope], |row| row.get(0))?
            .collect::<Result<_, _>>()?,
        is_all: after == ChangeNumber(0),
        cover: view.keys.of(&path),
    };
    let (memory, turn) = (tell_memory as Tell, tell_turn as Tell);
    let queries: &[(&str, Tell, i64)] = if telling.is_all {
        &[(ALL_MEMORIES, memory, 0), (ALL_TURNS, turn, 0)]
    } else {
        &[
            (NEW_MEMORIES, memory, signed(after)),
            (NEW_TURNS, turn, signed(after)),
            (TURNS_OF_SET_SESSIONS, turn, 0),
        ]
    };
    let mut codes = Vec::new();
    for (sql, tell, above) in queries {
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query(params![scope, signed(after)])?;
        let mut growing = Growing::above(*above);
        while let Some(row) = rows.next()? {
            growing.next(row.get(0)?)?;
            // A row that cannot be read is not searchable; whoever asks for it by id is told why.
            let _ = tell(row, &telling, &mut codes, sink);
        }
    }
    Ok(())
}

/// Whether something was removed for good since a change.
fn is_gone_since(
    connection: &Connection,
    scope: i64,
    after: ChangeNumber,
) -> rusqlite::Result<bool> {
    connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM feed WHERE scope = ?1 AND change > ?2 AND kind = 4)",
        )?
        .query_row(params![scope, signed(after)], |row| row.get(0))
}

type Tell = fn(
    &Row<'_>,
    &Telling,
    &mut Vec<i8>,
    &mut dyn FnMut(IndexChange<'_>),
) -> Result<(), Undecodable>;

fn tell_memory(
    row: &Row<'_>,
    telling: &Telling,
    codes: &mut Vec<i8>,
    sink: &mut dyn FnMut(IndexChange<'_>),
) -> Result<(), Undecodable> {
    let mut next = Columns::after_key(row);
    let id: [u8; 16] = next.get()?;
    let record = RecordRef::Memory(MemoryId::from_bytes(id));
    let change = next.change()?;
    if next.word(State::parse)? != State::Live {
        sink(IndexChange::Remove(record));
        return Ok(());
    }
    let opened = next.open(&telling.cover, &memory_binding(&id))?;
    let mut next = next.with(&opened);
    let content = MemoryContent::read(&mut next)?;
    let mut index_row = IndexRow {
        record,
        change,
        kind: next.word(Kind::parse)?,
        origin: next.word(Origin::parse)?,
        role: None,
        speaker: None,
        text: content.statement,
        attempt: content.attempt(next.optional_text()?)?,
        key: content.key,
        holds_one: next.optional_text()?.map(cardinality).transpose()? == Some(Cardinality::Single),
        value: content.value,
        category: content.category,
        metadata: content.metadata,
        importance: Importance::new(next.get()?)?,
        pinned: next.optional_time()?.is_some(),
        event_at: next.zoned()?,
        recorded_at: next.time()?,
        last_used_at: next.optional_time()?.max(next.optional_time()?),
        usable_from: None,
        usable_until: None,
        session: None,
        vector: None,
    };
    let validity = Validity {
        kind: index_row.kind,
        valid_from: index_row.event_at,
        valid_to: next.optional_zoned()?,
        recorded_at: index_row.recorded_at,
        expires_at: next.optional_time()?,
    };
    index_row.usable_from = later_start(validity);
    index_row.usable_until = validity.usable_until();
    index_row.vector = vector(&mut next, (telling, RecordKind::Memory, &id), codes)?;
    sink(IndexChange::Put(index_row));
    Ok(())
}

fn tell_turn(
    row: &Row<'_>,
    telling: &Telling,
    codes: &mut Vec<i8>,
    sink: &mut dyn FnMut(IndexChange<'_>),
) -> Result<(), Undecodable> {
    let mut next = Columns::after_key(row);
    let id: [u8; 16] = next.get()?;
    let record = RecordRef::Turn(TurnId::from_bytes(id));
    let change = next.change()?;
    if next.optional_time()?.is_some() {
        sink(IndexChange::Remove(record));
        return Ok(());
    }
    let opened = next.open(&telling.cover, &turn_binding(&id))?;
    let mut next = next.with(&opened);
    let content = TurnContent::read(&mut next)?;
    let index_row = IndexRow {
        record,
        change,
        kind: Kind::Episodic,
        role: Some(next.word(Role::parse)?),
        origin: next.word(Origin::parse)?,
        speaker: content.speaker,
        text: content.content,
        attempt: None,
        key: None,
        value: None,
        category: None,
        metadata: content.metadata,
        importance: Importance::DEFAULT,
        pinned: false,
        event_at: next.zoned()?,
        recorded_at: next.time()?,
        last_used_at: None,
        holds_one: false,
        usable_from: None,
        usable_until: None,
        session: Some((next.get()?, next.get()?)),
        vector: vector(&mut next, (telling, RecordKind::Turn, &id), codes)?,
    };
    let session = index_row.session.map(|(session, _)| session);
    if session.is_none_or(|session| telling.hidden.binary_search(&session).is_err()) {
        sink(IndexChange::Put(index_row));
    } else if !telling.is_all {
        sink(IndexChange::Remove(record));
    }
    Ok(())
}

/// The last three columns. `codes` is filled again for each row: the sign of a byte cannot be changed in
/// place without `unsafe`, and copying 256 bytes takes a hundredth of what the row takes.
fn vector<'c>(
    next: &mut Columns<'_>,
    (telling, kind, id): (&Telling, RecordKind, &[u8; 16]),
    codes: &'c mut Vec<i8>,
) -> Result<Option<(f32, &'c [i8])>, Undecodable> {
    let of: Option<i64> = next.get()?;
    if of.is_none() || of != telling.model {
        return Ok(None);
    }
    let stored = KeptVector::read(next)?;
    let scale = stored.open(&telling.cover, (kind, id), codes)?;
    Ok(Some((scale, codes)))
}
