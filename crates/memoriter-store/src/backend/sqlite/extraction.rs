//! Reading the queue of extractions: rows by the index, each entry fetched by itself.

use memoriter_core::id::TurnId;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::SessionName;
use rusqlite::{OptionalExtension, Row, params};

use super::bound::Growing;
use super::cipher::Binding;
use super::decode::{Columns, Undecodable};
use super::fault::words;
use super::fetch::sort_in;
use super::keys::{Cover, Covered, Keys};
use super::view::View;
use super::write::find_scope;
use crate::store::{Damage, Extraction, ExtractionQuery, ExtractionState, Rows};

/// Along the index, which holds the state as its condition and ends with the turn. The words are not a parameter,
/// so that SQLite sees that the index serves.
const DUE: &str =
    "SELECT turn, due_at, session FROM extraction WHERE state = 'queued' AND due_at <= ?1
    ORDER BY due_at, session, turn";
const OF_TURN: &str = "SELECT extraction.turn FROM turn JOIN extraction ON extraction.turn = turn.row WHERE turn.id = ?1";
const IN_STATE: &str = "SELECT turn FROM extraction WHERE scope = ?1 AND state = ?2 ORDER BY turn";
const ENTRY: &str =
    "SELECT scope.path, turn.id, extraction.cipher, extraction.error, session.name, turn.position, extraction.state,
    extraction.due_at, extraction.attempts, extraction.finished_at FROM extraction
    JOIN turn ON turn.row = extraction.turn JOIN session ON session.row = turn.session
    JOIN scope ON scope.row = session.scope WHERE extraction.turn = ?1";
const NEXT: &str = "SELECT turn FROM extraction WHERE turn > ?1 ORDER BY turn LIMIT 1";

/// Entries in the order of the query. One that is damaged takes nobody's place.
pub(super) fn read(
    view: View<'_>,
    query: ExtractionQuery<'_>,
) -> rusqlite::Result<Rows<Extraction>> {
    match query {
        ExtractionQuery::Due { now, limit } => due(view, now, limit),
        ExtractionQuery::Turns { scopes, ids } => of_turns(view, scopes, ids),
        ExtractionQuery::InState {
            scope,
            state,
            limit,
        } => in_state(view, (scope, state), limit),
    }
}

fn due(view: View<'_>, now: Timestamp, limit: usize) -> rusqlite::Result<Rows<Extraction>> {
    let mut statement = view.prepare_cached(DUE)?;
    let mut keys = statement.query([now.as_micros()])?;
    let mut growing = Growing::above((i64::MIN, i64::MIN, i64::MIN));
    let mut found = Rows::default();
    while found.rows.len() < limit
        && let Some(key) = keys.next()?
    {
        let turn = key.get(0)?;
        growing.next((key.get(1)?, key.get(2)?, turn))?;
        let is_due =
            |entry: &Extraction| entry.state == ExtractionState::Queued && entry.due_at <= now;
        sort_in(&mut found, fetch(view, turn, is_due));
    }
    Ok(found)
}

fn of_turns(
    view: View<'_>,
    scopes: &[Scope],
    ids: &[TurnId],
) -> rusqlite::Result<Rows<Extraction>> {
    let mut found = Rows::default();
    for id in ids {
        let row = view
            .prepare_cached(OF_TURN)?
            .query_row([id.as_bytes()], |row| row.get(0))
            .optional()?;
        let Some(turn) = row else { continue };
        match fetch(view, turn, |entry| entry.turn == *id) {
            Ok(entry) if !scopes.contains(&entry.scope) => {}
            fetched => sort_in(&mut found, fetched),
        }
    }
    Ok(found)
}

fn in_state(
    view: View<'_>,
    (scope, state): (&Scope, ExtractionState),
    limit: usize,
) -> rusqlite::Result<Rows<Extraction>> {
    let mut found = Rows::default();
    let Some(row) = find_scope(view.connection, &scope.to_json())? else {
        return Ok(found);
    };
    let mut statement = view.prepare_cached(IN_STATE)?;
    let mut keys = statement.query(params![row, state.as_str()])?;
    let mut growing = Growing::above(i64::MIN);
    while found.rows.len() < limit
        && let Some(key) = keys.next()?
    {
        let turn = key.get(0)?;
        growing.next(turn)?;
        let fits = |entry: &Extraction| entry.scope == *scope && entry.state == state;
        sort_in(&mut found, fetch(view, turn, fits));
    }
    Ok(found)
}

/// What is wrong with any entry.
pub(super) fn check(view: View<'_>) -> rusqlite::Result<Vec<Damage>> {
    let mut problems = Vec::new();
    let mut after = i64::MIN;
    let mut next = view.prepare(NEXT)?;
    while let Some(turn) = next
        .query_row([after], |row| row.get::<_, i64>(0))
        .optional()?
    {
        Growing::above(after).next(turn)?;
        problems.extend(fetch(view, turn, |_| true).err());
        after = turn;
    }
    Ok(problems)
}

/// Fetches one entry. `expected` looks at whether it is the one that was looked for.
fn fetch(
    view: View<'_>,
    turn: i64,
    expected: impl FnOnce(&Extraction) -> bool,
) -> Result<Extraction, Damage> {
    let damage = |why: String| Damage {
        record: format!("extraction in row {turn}"),
        why,
    };
    let entry = view
        .prepare_cached(ENTRY)
        .and_then(|mut statement| {
            statement
                .query_row([turn], |row| Ok(decode(view.keys, row)))
                .optional()
        })
        .map_err(|error| damage(words(&error)))?
        .ok_or_else(|| damage("its turn, session or scope is gone".into()))?
        .map_err(|error| damage(error.0))?;
    if expected(&entry) {
        Ok(entry)
    } else {
        Err(damage("an index entry leads to another record".into()))
    }
}

fn decode(keys: &Keys, row: &Row<'_>) -> Result<Extraction, Undecodable> {
    let mut next = Columns::new(row);
    let path = next.text()?;
    let (scope, cover) = (Scope::from_json(path)?, keys.of(path));
    let id: [u8; 16] = next.get()?;
    let opened = next.open(&cover, &Binding::to("extraction", &id))?;
    let mut next = next.with(&opened);
    Ok(Extraction {
        turn: TurnId::from_bytes(id),
        scope,
        error: next.own_content()?,
        session: SessionName::new(next.text()?)?,
        position: next.get()?,
        state: next.word(ExtractionState::parse)?,
        due_at: next.time()?,
        attempts: next.get()?,
        finished_at: next.optional_time()?,
    })
}

/// What stands in the column of an entry's error, and the ciphertext.
pub(super) fn cover_error<'t>(
    cover: &Cover,
    turn: &[u8; 16],
    error: Option<&'t str>,
) -> Covered<'t, 1> {
    cover.cover(&Binding::to("extraction", turn), [error], &[])
}

#[cfg(test)]
mod tests {
    use rusqlite::{Connection, params_from_iter};

    use super::*;
    use crate::migrate::{Birth, migrate};

    /// A queue of a million is walked from its front, not sorted for every batch.
    #[test]
    fn the_queue_is_read_along_its_indexes() {
        let mut connection = Connection::open_in_memory().unwrap();
        let birth = Birth {
            secret: [0; 32],
            created_at: 0,
            keys: None,
        };
        migrate(&mut connection, &birth).unwrap();
        for (sql, index) in [(DUE, "extraction_due"), (IN_STATE, "extraction_state")] {
            let mut statement = connection
                .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
                .unwrap();
            let parameters = vec![0; statement.parameter_count()];
            let steps: Vec<String> = statement
                .query_map(params_from_iter(parameters), |row| row.get(3))
                .unwrap()
                .collect::<Result<_, _>>()
                .unwrap();
            assert!(
                matches!(steps.as_slice(), [step] if step.contains(index)),
                "{steps:?}"
            );
        }
    }
}
