//! From a query to row numbers.

use memoriter_core::id::MemoryId;
use memoriter_core::memory::{FactKey, Memory, State};
use memoriter_core::scope::Scope;
use memoriter_core::turn::{Role, SessionName, Turn};
use rusqlite::{Connection, OptionalExtension, ToSql, params};

use super::bound::Growing;
use super::fetch::Record;
use super::seal;
use super::write::find_scope;

/// A record that has an id of sixteen bytes.
pub(super) trait Identified: Record {
    /// Finds the row by id.
    const BY_ID: &'static str;
}

impl Identified for Memory {
    const BY_ID: &'static str = "SELECT row FROM memory WHERE id = ?1";
}

impl Identified for Turn {
    const BY_ID: &'static str = "SELECT row FROM turn WHERE id = ?1";
}

/// The row with this id, whoever it belongs to.
pub(super) fn by_id<T: Identified>(
    connection: &Connection,
    id: &[u8; 16],
) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached(T::BY_ID)?
        .query_row([id], |row| row.get(0))
        .optional()
}

/// Every memory under a key, oldest first.
pub(super) fn by_key(
    connection: &Connection,
    scope: &Scope,
    key: &FactKey,
) -> rusqlite::Result<Vec<i64>> {
    let Some(scope) = find_scope(connection, &scope.to_json())? else {
        return Ok(Vec::new());
    };
    rows(
        connection,
        "SELECT row, row FROM memory WHERE scope = ?1 AND entity = ?2 AND attribute = ?3 ORDER BY row",
        &[&scope, &key.entity(), &key.attribute()],
        Growing::above(i64::MIN),
    )
}

/// The live memory in the place that `memory` would take.
pub(super) fn by_place(
    connection: &Connection,
    secret: &[u8; 32],
    memory: &Memory,
) -> rusqlite::Result<Option<i64>> {
    let Some(scope) = find_scope(connection, &memory.scope.to_json())? else {
        return Ok(None);
    };
    connection
        .prepare_cached(
            "SELECT row FROM memory WHERE scope = ?1 AND place = ?2 AND state = 'live'",
        )?
        .query_row(params![scope, seal::of_place(secret, memory)], |row| {
            row.get(0)
        })
        .optional()
}

/// The row of a memory if it belongs to `scope`.
pub(super) fn in_scope(
    connection: &Connection,
    scope: i64,
    id: MemoryId,
) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT row FROM memory WHERE id = ?1 AND scope = ?2")?
        .query_row(params![id.as_bytes(), scope], |row| row.get(0))
        .optional()
}

/// Memories of a scope in order of arrival: those in one of `states` (empty for all) after row `after`, and those
/// in no state that there is, so that whoever fetches them finds the damage.
pub(super) fn page(
    connection: &Connection,
    scope: i64,
    states: &[State],
    after: i64,
    limit: usize,
) -> rusqlite::Result<Vec<i64>> {
    if states.is_empty() {
        return rows(
            connection,
            "SELECT record, record FROM embedding WHERE scope = ?1 AND kind = 0 AND record > ?2
                ORDER BY record LIMIT ?3",
            &[&scope, &after, &bounded(limit)],
            Growing::above(after),
        );
    }
    let wanted = |state: State| states.contains(&state).then(|| state.as_str());
    rows(
        connection,
        "SELECT memory.row, embedding.record FROM embedding CROSS JOIN memory ON memory.row = embedding.record
            WHERE embedding.scope = ?1 AND embedding.kind = 0 AND embedding.record > ?2
            AND (memory.state IN (?4, ?5, ?6, ?7, ?8, ?9) OR memory.state NOT IN
                ('live', 'pending', 'quarantined', 'superseded', 'retracted', 'expired'))
            ORDER BY embedding.record LIMIT ?3",
        &[
            &scope,
            &after,
            &bounded(limit),
            &wanted(State::Live),
            &wanted(State::Pending),
            &wanted(State::Quarantined),
            &wanted(State::Superseded),
            &wanted(State::Retracted),
            &wanted(State::Expired),
        ],
        Growing::above(after),
    )
}

/// Turns of a session in order of position.
pub(super) fn by_session(
    connection: &Connection,
    (scope, name): (&Scope, &SessionName),
    from: u32,
    limit: usize,
) -> rusqlite::Result<Vec<i64>> {
    rows(
        connection,
        "SELECT turn.row, turn.position FROM scope JOIN session ON session.scope = scope.row AND session.name = ?2
            JOIN turn ON turn.session = session.row
            WHERE scope.path = ?1 AND turn.position >= ?3 ORDER BY turn.position LIMIT ?4",
        &[&scope.to_json(), &name.as_str(), &from, &bounded(limit)],
        Growing::above(i64::from(from) - 1),
    )
}

/// Turns of a session in one role, in order of position.
pub(super) fn in_role(
    connection: &Connection,
    (scope, name): (&Scope, &SessionName),
    role: Role,
) -> rusqlite::Result<Vec<i64>> {
    rows(
        connection,
        "SELECT turn.row, turn.position FROM scope JOIN session ON session.scope = scope.row AND session.name = ?2
            JOIN turn ON turn.session = session.row
            WHERE scope.path = ?1 AND turn.role = ?3 ORDER BY turn.position",
        &[&scope.to_json(), &name.as_str(), &role.as_str()],
        Growing::above(-1),
    )
}

/// The last turns of a session in order of position.
pub(super) fn last_of_session(
    connection: &Connection,
    (scope, name): (&Scope, &SessionName),
    limit: usize,
) -> rusqlite::Result<Vec<i64>> {
    let mut last_first = rows(
        connection,
        "SELECT turn.row, -turn.position FROM scope JOIN session ON session.scope = scope.row AND session.name = ?2
            JOIN turn ON turn.session = session.row
            WHERE scope.path = ?1 ORDER BY turn.position DESC LIMIT ?3",
        &[&scope.to_json(), &name.as_str(), &bounded(limit)],
        Growing::above(i64::MIN),
    )?;
    last_first.reverse();
    Ok(last_first)
}

pub(super) fn bounded(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// The rows that a query finds: it selects them and the key that they are ordered by.
fn rows(
    connection: &Connection,
    sql: &str,
    parameters: &[&dyn ToSql],
    mut growing: Growing,
) -> rusqlite::Result<Vec<i64>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut found = statement.query(parameters)?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        growing.next(row.get(1)?)?;
        rows.push(row.get(0)?);
    }
    Ok(rows)
}
