//! Counting.

use std::collections::BTreeMap;

use memoriter_core::memory::State;
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_core::session::Mode;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::SessionName;
use rusqlite::{Connection, Row};

use super::write::find_scope;
use crate::store::{ScopeSummary, ScopeTotals, SessionSummary};

/// The sessions of a scope, oldest first.
pub(super) fn sessions(
    connection: &Connection,
    scope: &Scope,
) -> rusqlite::Result<Vec<SessionSummary>> {
    let Some(scope) = find_scope(connection, &scope.to_json())? else {
        return Ok(Vec::new());
    };
    let mut statement = connection.prepare_cached(SUMMARIES)?;
    let summaries = statement.query_map([scope], |row| {
        let name = SessionName::new(row.get::<_, String>(0)?);
        let mode: Option<String> = row.get(6)?;
        let mode = mode.map_or(Ok(Mode::Full), |mode| Mode::parse(&mode));
        let summary = |name, mode| {
            Ok(SessionSummary {
                name,
                turns: row.get(1)?,
                first_at: zoned(row, 2)?,
                last_at: zoned(row, 4)?,
                mode,
                fields: row.get(7)?,
                checkpoints: row.get(8)?,
            })
        };
        // A name or mode that no longer is one is damage; `verify` tells.
        let readable = name.ok().zip(mode.ok());
        readable.map(|(name, mode)| summary(name, mode)).transpose()
    })?;
    summaries.filter_map(Result::transpose).collect()
}

const SUMMARIES: &str = "SELECT session.name, coalesce(count.turns, 0), first.at, first.at_offset, last.at, last.at_offset,
    session.mode, (SELECT count(value) FROM field WHERE field.session = session.row),
    (SELECT count(*) FROM checkpoint WHERE checkpoint.session = session.row)
    FROM session
    LEFT JOIN (SELECT session, count(*) AS turns, min(position) AS low, max(position) AS high FROM turn
        WHERE session IN (SELECT row FROM session WHERE scope = ?1) GROUP BY session) AS count
        ON count.session = session.row
    LEFT JOIN turn AS first ON first.session = session.row AND first.position = count.low
    LEFT JOIN turn AS last ON last.session = session.row AND last.position = count.high
    WHERE session.scope = ?1 ORDER BY session.row";

fn zoned(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<ZonedTime>> {
    let micros: Option<i64> = row.get(at)?;
    let time = |micros| {
        Ok(ZonedTime {
            instant: Timestamp::from_micros(micros),
            offset_seconds: row.get(at + 1)?,
        })
    };
    micros.map(time).transpose()
}

/// Every scope, in the order of the scopes.
pub(super) fn scopes(connection: &Connection) -> rusqlite::Result<Vec<ScopeSummary>> {
    let mut summaries = BTreeMap::new();
    let mut statement = connection.prepare_cached(SCOPES)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let Ok(scope) = Scope::from_json(row.get_ref(1)?.as_str().unwrap_or_default()) {
            summaries.insert(row.get(0)?, empty(scope));
        }
    }
    count(connection, &mut summaries, MEMORIES, |summary, row| {
        let state: String = row.get(1)?;
        let count: u64 = row.get(2)?;
        for (_, total) in summary
            .memories
            .iter_mut()
            .filter(|(known, _)| known.as_str() == state)
        {
            *total += count;
        }
        Ok(())
    })?;
    count(connection, &mut summaries, SESSIONS, |summary, row| {
        (summary.sessions, summary.turns) = (row.get(1)?, row.get(2)?);
        Ok(())
    })?;
    count(connection, &mut summaries, ATTACHMENTS, |summary, row| {
        summary.attachments = row.get(1)?;
        Ok(())
    })?;
    count(connection, &mut summaries, VECTORS, |summary, row| {
        summary
            .vectors
            .push((ModelName::new(row.get::<_, String>(1)?), row.get(2)?));
        Ok(())
    })?;
    let mut sorted: Vec<ScopeSummary> = summaries.into_values().collect();
    sorted.sort_by(|a, b| a.scope.cmp(&b.scope));
    Ok(sorted)
}

/// Scopes with a row, of one and those inside it, or all. A path that is none any more is damage; `verify` tells.
pub(super) fn scopes_within(
    connection: &Connection,
    outer: Option<&Scope>,
) -> rusqlite::Result<Vec<Scope>> {
    let mut statement = connection.prepare_cached("SELECT path FROM scope")?;
    let mut rows = statement.query([])?;
    let mut scopes = Vec::new();
    while let Some(row) = rows.next()? {
        let scope = Scope::from_json(row.get_ref(0)?.as_str().unwrap_or_default());
        let is_meant = |scope: &Scope| outer.is_none_or(|outer| scope.is_within(outer));
        scopes.extend(scope.ok().filter(is_meant));
    }
    scopes.sort();
    Ok(scopes)
}

/// Every memory has an entry among the embeddings, whose key begins with the scope; the table of memories would have to
/// be read as a whole.
pub(super) fn totals(connection: &Connection, scope: &Scope) -> rusqlite::Result<ScopeTotals> {
    let Some(scope) = find_scope(connection, &scope.to_json())? else {
        return Ok(ScopeTotals::default());
    };
    connection
        .prepare_cached(
            "SELECT (SELECT count(*) FROM embedding WHERE scope = ?1 AND kind = 0),
            (SELECT count(*) FROM decision WHERE scope = ?1)",
        )?
        .query_row([scope], |row| {
            Ok(ScopeTotals {
                memories: row.get(0)?,
                decisions: row.get(1)?,
            })
        })
}

fn empty(scope: Scope) -> ScopeSummary {
    ScopeSummary {
        scope,
        memories: State::STORED.iter().map(|state| (*state, 0)).collect(),
        turns: 0,
        sessions: 0,
        attachments: 0,
        vectors: Vec::new(),
    }
}

// Scopes of which only the books know are left out. Each begins with the scope's row.
const SCOPES: &str = "SELECT row, path FROM scope
    WHERE EXISTS (SELECT 1 FROM embedding WHERE embedding.scope = scope.row)
    OR EXISTS (SELECT 1 FROM session WHERE session.scope = scope.row)";
const MEMORIES: &str = "SELECT scope, state, count(*) FROM memory GROUP BY scope, state";
const SESSIONS: &str =
    "SELECT session.scope, count(DISTINCT session.row), count(turn.row) FROM session
    LEFT JOIN turn ON turn.session = session.row GROUP BY session.scope";
const ATTACHMENTS: &str =
    "SELECT session.scope, count(*) FROM attachment JOIN turn ON turn.row = attachment.turn
    JOIN session ON session.row = turn.session GROUP BY session.scope";
const VECTORS: &str = "SELECT embedding.scope, model.name, count(*) FROM embedding
    JOIN model ON model.row = embedding.model GROUP BY embedding.scope, model.name ORDER BY model.name";

fn count(
    connection: &Connection,
    summaries: &mut BTreeMap<i64, ScopeSummary>,
    sql: &str,
    add: impl Fn(&mut ScopeSummary, &Row<'_>) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(summary) = summaries.get_mut(&row.get(0)?) {
            add(summary, row)?;
        }
    }
    Ok(())
}
