//! From a query to row numbers.

use memoriter_core::id::{ChangeNumber, MemoryId};
use memoriter_core::memory::{FactKey, Memory, State};
use memoriter_core::provenance::SourceRef;
use memoriter_core::scope::Scope;
use memoriter_core::turn::{Role, SessionName, Turn};
use rusqlite::{Connection, OptionalExtension, ToSql, params};

use super::bound::Growing;
use super::fetch::Record;
use super::seal;
use super::view::View;
use super::write::{find_scope, find_session, signed, source_columns};

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
pub(super) fn by_key(view: View<'_>, scope: &Scope, key: &FactKey) -> rusqlite::Result<Vec<i64>> {
    let path = scope.to_json();
    let Some(scope) = find_scope(view.connection, &path)? else {
        return Ok(Vec::new());
    };
    let (entity, attribute) = view.keys.of(&path).key_columns(key);
    rows(
        view.connection,
        "SELECT row, row FROM memory WHERE scope = ?1 AND entity = ?2 AND attribute = ?3 ORDER BY row",
        &[&scope, &entity, &attribute],
        Growing::above(i64::MIN),
    )
}

/// The live memory in the place that `memory` would take.
pub(super) fn by_place(view: View<'_>, memory: &Memory) -> rusqlite::Result<Option<i64>> {
    let path = memory.scope.to_json();
    let Some(scope) = find_scope(view.connection, &path)? else {
        return Ok(None);
    };
    let cover = view.keys.of(&path);
    let place = seal::of_place(cover.hashes(view.keys.secret()), memory);
    view.prepare_cached(
        "SELECT row FROM memory WHERE scope = ?1 AND place = ?2 AND state = 'live'",
    )?
    .query_row(params![scope, place], |row| row.get(0))
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

/// A stretch of a session's turns: its own, or those of one that it goes on from.
pub(super) struct Stretch {
    pub(super) session: i64,
    pub(super) name: String,
    /// Positions of other sessions end here.
    pub(super) until: i64,
}

/// Where the turns of a session lie, the youngest last: one stretch, unless the session goes on from another.
pub(super) fn stretches(
    connection: &Connection,
    scope: &Scope,
    name: &SessionName,
) -> rusqlite::Result<Vec<Stretch>> {
    let mut next = find_session(connection, scope, name)?;
    let (mut stretches, mut until) = (Vec::new(), i64::MAX);
    let mut statement = connection
        .prepare_cached("SELECT name, forked_from, forked_turns FROM session WHERE row = ?1")?;
    while let Some(session) = next {
        let Some((name, from, turns)) = statement
            .query_row([session], |row| {
                let turns: Option<i64> = row.get(2)?;
                Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?, turns))
            })
            .optional()?
        else {
            break;
        };
        stretches.push(Stretch {
            session,
            name,
            until,
        });
        until = until.min(turns.unwrap_or(0));
        // A session goes on from an earlier one, or the file is damaged: then this must end all the same.
        next = from.filter(|from| *from < session);
    }
    stretches.reverse();
    Ok(stretches)
}

/// Turns of a session in order of position.
pub(super) fn by_session(
    connection: &Connection,
    stretches: &[Stretch],
    from: u32,
    limit: usize,
) -> rusqlite::Result<Vec<i64>> {
    let mut found = Vec::new();
    for stretch in stretches {
        found.extend(rows(
            connection,
            "SELECT row, position FROM turn WHERE session = ?1 AND position >= ?2 AND position < ?3
                ORDER BY position LIMIT ?4",
            &[
                &stretch.session,
                &from,
                &stretch.until,
                &bounded(limit - found.len()),
            ],
            Growing::above(i64::from(from) - 1),
        )?);
    }
    Ok(found)
}

/// Turns of a session in one role, in order of position.
pub(super) fn in_role(
    connection: &Connection,
    stretches: &[Stretch],
    role: Role,
) -> rusqlite::Result<Vec<i64>> {
    let mut found = Vec::new();
    for stretch in stretches {
        found.extend(rows(
            connection,
            "SELECT row, position FROM turn WHERE session = ?1 AND position < ?2 AND role = ?3 ORDER BY position",
            &[&stretch.session, &stretch.until, &role.as_str()],
            Growing::above(-1),
        )?);
    }
    Ok(found)
}

/// The last turns of a session in order of position.
pub(super) fn last_of_session(
    connection: &Connection,
    stretches: &[Stretch],
    limit: usize,
) -> rusqlite::Result<Vec<i64>> {
    let mut last_first = Vec::new();
    for stretch in stretches.iter().rev() {
        last_first.extend(rows(
            connection,
            "SELECT row, -position FROM turn WHERE session = ?1 AND position < ?2 ORDER BY position DESC LIMIT ?3",
            &[
                &stretch.session,
                &stretch.until,
                &bounded(limit - last_first.len()),
            ],
            Growing::above(i64::MIN),
        )?);
    }
    last_first.reverse();
    Ok(last_first)
}

/// The fields that a board holds.
pub(super) fn fields_of_board(connection: &Connection, session: i64) -> rusqlite::Result<Vec<i64>> {
    rows(
        connection,
        "SELECT row, row FROM field WHERE session = ?1 AND value IS NOT NULL ORDER BY row",
        &[&session],
        Growing::above(i64::MIN),
    )
}

/// Every field of a board, also removed ones.
pub(super) fn fields(connection: &Connection, session: i64) -> rusqlite::Result<Vec<i64>> {
    rows(
        connection,
        "SELECT row, row FROM field WHERE session = ?1 ORDER BY row",
        &[&session],
        Growing::above(i64::MIN),
    )
}

/// Everything that is kept of a board's past.
pub(super) fn past_fields(connection: &Connection, session: i64) -> rusqlite::Result<Vec<i64>> {
    rows(
        connection,
        "SELECT field_past.row, field_past.row FROM field_past JOIN field ON field.row = field_past.field
            WHERE field.session = ?1 ORDER BY field_past.row",
        &[&session],
        Growing::above(i64::MIN),
    )
}

/// Memories that name one of these records as a source, oldest first.
pub(super) fn by_source(
    connection: &Connection,
    sources: &[SourceRef],
) -> rusqlite::Result<Vec<i64>> {
    let mut found = Vec::new();
    for source in sources {
        let (kind, id) = source_columns(source);
        found.extend(rows(
            connection,
            "SELECT DISTINCT memory, memory FROM source WHERE record = ?1 AND kind = ?2 ORDER BY memory",
            &[id, &kind.code()],
            Growing::above(i64::MIN),
        )?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The row of a field, also of a removed one.
pub(super) fn field_by_name(
    connection: &Connection,
    session: i64,
    name: &str,
) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT row FROM field WHERE session = ?1 AND name = ?2")?
        .query_row(params![session, name], |row| row.get(0))
        .optional()
}

/// The fields that a board holds and held as of a change.
pub(super) fn fields_as_of(
    connection: &Connection,
    session: i64,
    change: ChangeNumber,
) -> rusqlite::Result<Vec<i64>> {
    rows(
        connection,
        "SELECT row, row FROM field WHERE session = ?1 AND value IS NOT NULL AND change <= ?2 ORDER BY row",
        &[&session, &signed(change)],
        Growing::above(i64::MIN),
    )
}

/// What fields were as of a change that have changed since.
pub(super) fn past_fields_as_of(
    connection: &Connection,
    session: i64,
    change: ChangeNumber,
) -> rusqlite::Result<Vec<i64>> {
    rows(
        connection,
        "SELECT field_past.row, field.row FROM field JOIN field_past ON field_past.field = field.row
            WHERE field.session = ?1 AND field_past.change <= ?2 AND field_past.until > ?2 ORDER BY field.row",
        &[&session, &signed(change)],
        Growing::above(i64::MIN),
    )
}

/// Fields of a board that changed after a change, in the order of their changes.
pub(super) fn changed_fields(
    connection: &Connection,
    session: i64,
    after: ChangeNumber,
    limit: usize,
) -> rusqlite::Result<Vec<i64>> {
    rows(
        connection,
        "SELECT row, change FROM field WHERE session = ?1 AND change > ?2 ORDER BY change LIMIT ?3",
        &[&session, &signed(after), &bounded(limit)],
        Growing::above(signed(after)),
    )
}

/// The newest checkpoints of a session, oldest first.
pub(super) fn newest_checkpoints(
    connection: &Connection,
    session: i64,
    limit: usize,
) -> rusqlite::Result<Vec<i64>> {
    // The entries of one change number lie in the order of arrival: the row number is the end of their key.
    let mut newest_first = rows(
        connection,
        "SELECT row, -row FROM checkpoint WHERE session = ?1 ORDER BY as_of DESC, row DESC LIMIT ?2",
        &[&session, &bounded(limit)],
        Growing::above(i64::MIN),
    )?;
    newest_first.reverse();
    Ok(newest_first)
}

pub(super) fn bounded(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// The rows that a query finds: it selects them and the key that they are ordered by.
pub(super) fn rows(
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
