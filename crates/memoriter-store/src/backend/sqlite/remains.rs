//! Records that are damaged, and what can be read of them.

use memoriter_core::board::Field;
use memoriter_core::forget::Remains;
use memoriter_core::memory::Memory;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{SessionName, Turn};
use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, params};

use super::fetch::{Record, fetch};
use super::sessions::{self, KeptCheckpoint, PastField};
use super::view::View;
use super::write::find_scope;
use crate::store::{DamagedRow, RowKind};

/// The damaged records of a scope.
pub(super) fn of_scope(
    view: View<'_>,
    scope: &Scope,
) -> rusqlite::Result<Vec<(DamagedRow, Remains)>> {
    let Some(scope) = find_scope(view.connection, &scope.to_json())? else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for kind in RowKind::ALL {
        let mut statement = view.prepare(rows_of(kind))?;
        let rows: Vec<i64> = statement
            .query_map([scope], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let rows = rows.into_iter().map(|row| DamagedRow { kind, row });
        for damaged in rows.filter(|row| is_damaged(view, *row)) {
            found.push((damaged, read(view, damaged)));
        }
    }
    Ok(found)
}

/// Whether a row is of this scope and damaged.
pub(super) fn stands_in(view: View<'_>, scope: i64, damaged: DamagedRow) -> rusqlite::Result<bool> {
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM ({}) AS listed WHERE listed.row = ?2)",
        rows_of(damaged.kind)
    );
    let is_listed: bool = view.query_row(&sql, params![scope, damaged.row], |row| row.get(0))?;
    Ok(is_listed && is_damaged(view, damaged))
}

/// The rows of a scope. Records are in a second list as well: what names the scope may be what is damaged.
fn rows_of(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Memory => {
            "SELECT memory.row AS row FROM memory WHERE scope = ?1 UNION SELECT memory.row FROM embedding
            JOIN memory ON memory.row = embedding.record WHERE embedding.scope = ?1 AND embedding.kind = 0"
        }
        RowKind::Turn => {
            "SELECT turn.row AS row FROM turn JOIN session ON session.row = turn.session WHERE session.scope = ?1
            UNION SELECT turn.row FROM embedding JOIN turn ON turn.row = embedding.record
            WHERE embedding.scope = ?1 AND embedding.kind = 1"
        }
        RowKind::Field => {
            "SELECT field.row AS row FROM field JOIN session ON session.row = field.session WHERE session.scope = ?1"
        }
        RowKind::PastField => {
            "SELECT field_past.row AS row FROM field_past JOIN field ON field.row = field_past.field
            JOIN session ON session.row = field.session WHERE session.scope = ?1"
        }
        RowKind::Checkpoint => {
            "SELECT checkpoint.row AS row FROM checkpoint JOIN session ON session.row = checkpoint.session
            WHERE session.scope = ?1"
        }
        RowKind::Session => "SELECT session.row AS row FROM session WHERE scope = ?1",
    }
}

/// An index entry that leads to a sound record of somebody else is no damage of that record.
fn is_damaged(view: View<'_>, damaged: DamagedRow) -> bool {
    fn is<T: Record>(view: View<'_>, row: i64) -> bool {
        fetch(view, row, |_: &T| true).is_err()
    }
    match damaged.kind {
        RowKind::Memory => is::<Memory>(view, damaged.row),
        RowKind::Turn => is::<Turn>(view, damaged.row),
        RowKind::Field => is::<Field>(view, damaged.row),
        RowKind::PastField => is::<PastField>(view, damaged.row),
        RowKind::Checkpoint => is::<KeptCheckpoint>(view, damaged.row),
        RowKind::Session => {
            let name = view
                .prepare_cached("SELECT name FROM session WHERE row = ?1")
                .and_then(|mut name| name.query_row([damaged.row], |row| row.get::<_, String>(0)));
            let is_named = name.is_ok_and(|name| SessionName::new(name).is_ok());
            !is_named || !sessions::is_sound(view.connection, damaged.row)
        }
    }
}

/// What can be read of a row, as far as any of it can.
fn read(view: View<'_>, damaged: DamagedRow) -> Remains {
    let mut remains = Remains::default();
    // What cannot be read is left out.
    let _ = read_row(view, damaged, &mut remains);
    if damaged.kind == RowKind::Memory {
        let _ = read_sources(view, damaged.row, &mut remains);
    }
    remains
}

fn read_row(view: View<'_>, damaged: DamagedRow, remains: &mut Remains) -> rusqlite::Result<()> {
    let sql = match damaged.kind {
        RowKind::Memory => {
            "SELECT id, origin, recorded_at, entity, attribute, NULL FROM memory WHERE row = ?1"
        }
        RowKind::Turn => {
            "SELECT turn.id, origin, recorded_at, NULL, NULL, session.name FROM turn
            LEFT JOIN session ON session.row = turn.session WHERE turn.row = ?1"
        }
        RowKind::Field => {
            "SELECT field.source, NULL, field.at, NULL, NULL, session.name FROM field
            LEFT JOIN session ON session.row = field.session WHERE field.row = ?1"
        }
        RowKind::PastField => {
            "SELECT field_past.source, NULL, field_past.at, NULL, NULL, session.name FROM field_past
            LEFT JOIN field ON field.row = field_past.field
            LEFT JOIN session ON session.row = field.session WHERE field_past.row = ?1"
        }
        RowKind::Checkpoint => {
            "SELECT checkpoint.id, NULL, checkpoint.at, NULL, NULL, session.name FROM checkpoint
            LEFT JOIN session ON session.row = checkpoint.session WHERE checkpoint.row = ?1"
        }
        RowKind::Session => "SELECT NULL, NULL, NULL, NULL, NULL, name FROM session WHERE row = ?1",
    };
    let mut statement = view.prepare(sql)?;
    let mut rows = statement.query([damaged.row])?;
    let Some(row) = rows.next()? else {
        return Ok(());
    };
    let id = row.get::<_, Option<[u8; 16]>>(0).ok().flatten();
    match damaged.kind {
        // A field has no id; it names at most one source.
        RowKind::Field | RowKind::PastField => remains.sources.extend(id),
        RowKind::Memory | RowKind::Turn | RowKind::Checkpoint | RowKind::Session => remains.id = id,
    }
    let text = |column| row.get::<_, Option<String>>(column).ok().flatten();
    remains.origin = text(1);
    let micros = row.get::<_, Option<i64>>(2).ok().flatten();
    remains.recorded_at = micros.map(Timestamp::from_micros);
    // In an encrypted store a hash stands there.
    remains.key = text(3).zip(text(4)).filter(|_| !view.keys.is_encrypted());
    remains.session = text(5);
    Ok(())
}

fn read_sources(view: View<'_>, row: i64, remains: &mut Remains) -> rusqlite::Result<()> {
    let mut statement = view.prepare("SELECT record FROM source WHERE memory = ?1")?;
    let mut rows = statement.query([row])?;
    while let Some(source) = rows.next()? {
        remains.sources.extend(source.get::<_, [u8; 16]>(0).ok());
    }
    Ok(())
}

/// The id and the change of a row as they can be read. Without an id it is known by one that no record has.
pub(super) fn place_of(view: View<'_>, damaged: DamagedRow) -> rusqlite::Result<([u8; 16], i64)> {
    let sql = match damaged.kind {
        RowKind::Turn => "SELECT id, change FROM turn WHERE row = ?1",
        RowKind::Memory
        | RowKind::Field
        | RowKind::PastField
        | RowKind::Checkpoint
        | RowKind::Session => "SELECT id, change FROM memory WHERE row = ?1",
    };
    let found = view
        .prepare(sql)?
        .query_row([damaged.row], |row| {
            let id = match row.get_ref(0)? {
                ValueRef::Blob(bytes) => <[u8; 16]>::try_from(bytes).ok(),
                ValueRef::Text(_) | ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => {
                    None
                }
            };
            Ok((id, row.get(1).unwrap_or(0)))
        })
        .optional()?;
    let (id, change) = found.unwrap_or((None, 0));
    let mut unknown = [0xff; 16];
    for (byte, of_row) in unknown.iter_mut().zip(damaged.row.to_be_bytes()) {
        *byte = of_row;
    }
    Ok((id.unwrap_or(unknown), change))
}
