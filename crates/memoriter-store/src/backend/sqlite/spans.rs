//! What older turns came to, as it lies in the file.

use memoriter_core::fold::{ItemKind, Run, Span, SpanItem};
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use rusqlite::{Row, params};
use serde_json::{Value, json};

use super::cipher::Binding;
use super::decode::{Columns, Undecodable};
use super::keys::{Cover, Covered, Keys};
use super::snapshot::SqliteSnapshot;
use super::view::View;
use super::write::find_session;
use crate::error::StoreError;
use crate::store::{Damage, Rows, Spans};

/// The columns that are read, before the condition.
macro_rules! spans {
    () => {
        "SELECT span.session, first, last, scope.path, span.cipher, items, made_by, checksum FROM span
        LEFT JOIN session ON session.row = span.session LEFT JOIN scope ON scope.row = session.scope "
    };
}

const ONE: &str = concat!(
    spans!(),
    "WHERE span.session = ?1 AND first = ?2 AND last = ?3"
);
const ALL: &str = concat!(spans!(), "ORDER BY span.session, first, last");

impl Spans for SqliteSnapshot<'_> {
    fn spans(
        &self,
        scope: &Scope,
        session: &SessionName,
        runs: &[Run],
    ) -> Result<Rows<Span>, StoreError> {
        self.told(read(self.view(), (scope, session), runs))
    }
}

fn read(
    view: View<'_>,
    (scope, session): (&Scope, &SessionName),
    runs: &[Run],
) -> rusqlite::Result<Rows<Span>> {
    let mut found = Rows::default();
    let Some(session) = find_session(view.connection, scope, session)? else {
        return Ok(found);
    };
    let mut statement = view.prepare_cached(ONE)?;
    for run in runs {
        let mut rows = statement.query(params![session, run.from, run.to])?;
        if let Some(row) = rows.next()? {
            match decode(view.keys, row) {
                Ok(span) => found.rows.push(span),
                Err(why) => found.damaged.push(damage(row, &why)),
            }
        }
    }
    Ok(found)
}

/// What does not fit in the table.
pub(super) fn check(view: View<'_>) -> rusqlite::Result<Vec<Damage>> {
    let mut statement = view.prepare(ALL)?;
    let mut rows = statement.query([])?;
    let mut problems = Vec::new();
    while let Some(row) = rows.next()? {
        if let Err(why) = decode(view.keys, row) {
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

fn decode(keys: &Keys, row: &Row<'_>) -> Result<Span, Undecodable> {
    let mut next = Columns::new(row);
    let session: i64 = next.get()?;
    let run = Run {
        from: next.get()?,
        to: next.get()?,
    };
    let cover = keys.of(next.text()?);
    let opened = next.open(&cover, &Binding::to("span", &span_id(session, run)))?;
    let mut next = next.with(&opened);
    let items = next.some_content()?;
    let span = Span {
        run,
        made_by: next.get()?,
        items: decode_items(items).ok_or(Undecodable("the items are out of form".into()))?,
    };
    let checksum: [u8; 16] = next.get()?;
    if cover.fingerprint(seal(session, &span, items)) == checksum {
        Ok(span)
    } else {
        Err(Undecodable("the checksum does not fit".into()))
    }
}

/// What the items of a span are bound to.
fn span_id(session: i64, run: Run) -> [u8; 16] {
    let mut id = [0; 16];
    let numbers = session.to_le_bytes().into_iter();
    let numbers = numbers
        .chain(run.from.to_le_bytes())
        .chain(run.to.to_le_bytes());
    for (byte, of_number) in id.iter_mut().zip(numbers) {
        *byte = of_number;
    }
    id
}

/// What stands in the column of a span's items, and the ciphertext.
pub(super) fn cover_items<'t>(
    cover: &Cover,
    (session, run): (i64, Run),
    items: &'t str,
) -> Covered<'t, 1> {
    let id = span_id(session, run);
    cover.cover(&Binding::to("span", &id), [Some(items)], &[])
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
