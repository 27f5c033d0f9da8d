//! What older turns came to, as it lies in the file.

use memoriter_core::fold::{ItemKind, Run, Span, SpanItem};
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use rusqlite::{Connection, Row, params};
use serde_json::{Value, json};

use super::decode::{Columns, Undecodable};
use super::snapshot::SqliteSnapshot;
use super::write::find_session;
use crate::error::StoreError;
use crate::store::{Damage, Rows, Spans};

/// The columns that are read, before the condition.
macro_rules! spans {
    () => {
        "SELECT session, first, last, made_by, checksum, items FROM span "
    };
}

const ONE: &str = concat!(spans!(), "WHERE session = ?1 AND first = ?2 AND last = ?3");
const ALL: &str = concat!(spans!(), "ORDER BY session, first, last");

impl Spans for SqliteSnapshot<'_> {
    fn spans(
        &self,
        scope: &Scope,
        session: &SessionName,
        runs: &[Run],
    ) -> Result<Rows<Span>, StoreError> {
        self.told(read(self.connection(), (scope, session), runs))
    }
}

fn read(
    connection: &Connection,
    (scope, session): (&Scope, &SessionName),
    runs: &[Run],
) -> rusqlite::Result<Rows<Span>> {
    let mut found = Rows::default();
    let Some(session) = find_session(connection, scope, session)? else {
        return Ok(found);
    };
    let mut statement = connection.prepare_cached(ONE)?;
    for run in runs {
        let mut rows = statement.query(params![session, run.from, run.to])?;
        if let Some(row) = rows.next()? {
            match decode(row) {
                Ok(span) => found.rows.push(span),
                Err(why) => found.damaged.push(damage(row, &why)),
            }
        }
    }
    Ok(found)
}

/// What does not fit in the table.
pub(super) fn check(connection: &Connection) -> rusqlite::Result<Vec<Damage>> {
    let mut statement = connection.prepare(ALL)?;
    let mut rows = statement.query([])?;
    let mut problems = Vec::new();
    while let Some(row) = rows.next()? {
        if let Err(why) = decode(row) {
            problems.push(damage(row, &why));
        }
    }
    Ok(problems)
}

fn damage(row: &Row<'_>, why: &Undecodable) -> Damage {
    let number = |column: usize| row.get::<_, i64>(column).unwrap_or_default();
    Damage {
        record: format!(
            "span of session row {}, turns {}-{}",
            number(0),
            number(1),
            number(2)
        ),
        why: why.0.clone(),
    }
}

fn decode(row: &Row<'_>) -> Result<Span, Undecodable> {
    let mut next = Columns::new(row);
    let session: i64 = next.get()?;
    let (from, to): (u32, u32) = (next.get()?, next.get()?);
    let made_by: String = next.get()?;
    let checksum: [u8; 16] = next.get()?;
    let items: String = next.get()?;
    let span = Span {
        run: Run { from, to },
        made_by,
        items: decode_items(&items).ok_or(Undecodable("the items are out of form".into()))?,
    };
    if seal(session, &span, &items) == checksum {
        Ok(span)
    } else {
        Err(Undecodable("the checksum does not fit".into()))
    }
}

/// Items as JSON: `[{"kind", "text", "turns": [[position, id]]}]`.
pub(super) fn encode(items: &[SpanItem]) -> String {
    let item = |item: &SpanItem| {
        let turns = item.turns.iter();
        let turns: Vec<Value> = turns
            .map(|(position, id)| json!([position, id.to_string()]))
            .collect();
        json!({"kind": item.kind.as_str(), "text": item.text, "turns": turns})
    };
    Value::from(items.iter().map(item).collect::<Vec<_>>()).to_string()
}

fn decode_items(json: &str) -> Option<Vec<SpanItem>> {
    let items: Vec<Value> = serde_json::from_str(json).ok()?;
    let turn = |turn: &Value| {
        let position = u32::try_from(turn.get(0)?.as_u64()?).ok()?;
        Some((position, turn.get(1)?.as_str()?.parse().ok()?))
    };
    let item = |item: &Value| {
        let turns = item.get("turns")?.as_array()?.iter().map(turn);
        Some(SpanItem {
            kind: ItemKind::parse(item.get("kind")?.as_str()?).ok()?,
            text: item.get("text")?.as_str()?.to_owned(),
            turns: turns.collect::<Option<_>>()?,
        })
    };
    items.iter().map(item).collect()
}

/// The fingerprint of a row.
pub(super) fn seal(session: i64, span: &Span, items: &str) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&session.to_le_bytes());
    hasher.update(&span.run.from.to_le_bytes());
    hasher.update(&span.run.to.to_le_bytes());
    hasher.update(&(span.made_by.len() as u64).to_le_bytes());
    hasher.update(span.made_by.as_bytes());
    hasher.update(items.as_bytes());
    let mut seal = [0; 16];
    hasher.finalize_xof().fill(&mut seal);
    seal
}
