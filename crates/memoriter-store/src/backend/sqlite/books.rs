//! A consistent view of the books.

use memoriter_core::id::MemoryId;
use memoriter_core::memory::State;
use memoriter_core::provenance::{Status, Trust};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::write::{Decision, DecisionKind, Reason};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::bound::Growing;
use super::decode::{Columns, Undecodable, source_ref};
use super::fetch::sort_in;
use super::snapshot::SqliteSnapshot;
use super::write::find_scope;
use super::{extraction, proof, seal};
use crate::error::StoreError;
use crate::store::{
    AuditEnd, AuditLine, Books, Damage, DecisionRecord, Extraction, ExtractionQuery, ReceiptQuery,
    ReceiptRow, Rows, Standing, UsageRow,
};

/// The columns of the ledger, before the condition.
macro_rules! decisions {
    () => {
        "SELECT decision.row, scope.path, at, kind, reason, memory, supersedes, source_kind, source, made_by
        FROM decision CROSS JOIN scope ON scope.row = decision.scope "
    };
}

const DECISIONS: &str = concat!(
    decisions!(),
    "WHERE decision.scope = ?1 AND decision.row > ?2 ORDER BY decision.row"
);
const ALL_DECISIONS: &str = concat!(decisions!(), "ORDER BY decision.row");
/// What a line made of memories.
const CHANGES: &str = "SELECT memory, state, status, trust, valid_to, valid_to_offset, retired_at, supersedes,
    superseded_by, version, last_confirmed_at, confirmations FROM decision_change WHERE decision = ?1 ORDER BY memory";
/// Usage, before the condition.
pub(super) const USAGE: &str = "SELECT day, purpose, calls, input_tokens, output_tokens FROM usage";

impl Books for SqliteSnapshot<'_> {
    fn extractions(&self, query: ExtractionQuery<'_>) -> Result<Rows<Extraction>, StoreError> {
        self.told(extraction::read(self.view(), query))
    }

    fn decisions(
        &self,
        scope: &Scope,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Rows<(u64, DecisionRecord)>, StoreError> {
        let after = after.map_or(i64::MIN, |row| i64::try_from(row).unwrap_or(i64::MAX));
        self.told(decisions(self.connection(), scope, after, limit))
    }

    fn has_forgotten(&self, scope: &Scope) -> Result<bool, StoreError> {
        self.told(has_forgotten(self.connection(), scope))
    }

    fn forgotten_at(
        &self,
        scope: &Scope,
        marks: &[Vec<u8>],
    ) -> Result<Option<Timestamp>, StoreError> {
        self.told(forgotten_at(
            self.connection(),
            (scope, self.secret()),
            marks,
        ))
    }

    fn usage(&self, day: i64) -> Result<Vec<UsageRow>, StoreError> {
        self.told(usage(self.connection(), day))
    }

    fn receipts(&self, query: ReceiptQuery) -> Result<Vec<ReceiptRow>, StoreError> {
        self.told(proof::receipts(self.connection(), query))
    }

    fn audit_lines(&self, after: u64, limit: usize) -> Result<Vec<AuditLine>, StoreError> {
        self.told(proof::lines(self.connection(), after, limit))
    }

    fn audit_end(&self) -> Result<AuditEnd, StoreError> {
        self.told(proof::end(self.connection()))
    }
}

/// A page is filled with lines that can be read, so that an empty one is the end.
fn decisions(
    connection: &Connection,
    scope: &Scope,
    after: i64,
    limit: usize,
) -> rusqlite::Result<Rows<(u64, DecisionRecord)>> {
    let mut found = Rows::default();
    let Some(row) = find_scope(connection, &scope.to_json())? else {
        return Ok(found);
    };
    let mut statement = connection.prepare_cached(DECISIONS)?;
    let mut lines = statement.query(params![row, after])?;
    let mut growing = Growing::above(after);
    while found.rows.len() < limit
        && let Some(line) = lines.next()?
    {
        growing.next(line.get(0)?)?;
        let read = read_decision(connection, line);
        sort_in(&mut found, read.map_err(|why| damaged_line(line, why)));
    }
    Ok(found)
}

fn read_decision(
    connection: &Connection,
    row: &Row<'_>,
) -> Result<(u64, DecisionRecord), Undecodable> {
    let mut next = Columns::new(row);
    let number = next.get()?;
    let record = DecisionRecord {
        scope: next.word(Scope::from_json)?,
        at: next.time()?,
        decision: Decision {
            kind: next.word(DecisionKind::parse)?,
            reason: next.word(Reason::parse)?,
            id: next.optional_memory_id()?,
            supersedes: next.optional_memory_id()?,
        },
        source: match (next.get()?, next.get()?) {
            (Some(kind), Some(id)) => Some(source_ref(kind, id)?),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                return Err(Undecodable("the source is not whole".into()));
            }
        },
        made_by: next.get()?,
        changes: read_changes(connection, row.get(0)?)?,
    };
    Ok((number, record))
}

fn read_changes(connection: &Connection, line: i64) -> Result<Vec<Standing>, Undecodable> {
    let mut statement = connection.prepare_cached(CHANGES)?;
    let mut rows = statement.query([line])?;
    let mut changes = Vec::new();
    while let Some(row) = rows.next()? {
        let mut next = Columns::new(row);
        changes.push(Standing {
            memory: next.get().map(MemoryId::from_bytes)?,
            state: next.word(State::parse)?,
            status: next.word(Status::parse)?,
            trust: Trust::new(next.get()?)?,
            valid_to: next.optional_zoned()?,
            retired_at: next.optional_time()?,
            supersedes: next.optional_memory_id()?,
            superseded_by: next.optional_memory_id()?,
            version: next.get()?,
            last_confirmed_at: next.optional_time()?,
            confirmations: next.get()?,
        });
    }
    Ok(changes)
}

fn damaged_line(row: &Row<'_>, why: Undecodable) -> Damage {
    let number: i64 = row.get(0).unwrap_or_default();
    Damage {
        record: format!("decision in row {number}"),
        why: why.0,
    }
}

/// What is wrong with any line of the ledger.
pub(super) fn check_decisions(connection: &Connection) -> rusqlite::Result<Vec<Damage>> {
    let mut statement = connection.prepare(ALL_DECISIONS)?;
    let mut lines = statement.query([])?;
    let mut problems = Vec::new();
    while let Some(line) = lines.next()? {
        let read = read_decision(connection, line);
        problems.extend(read.err().map(|why| damaged_line(line, why)));
    }
    Ok(problems)
}

fn has_forgotten(connection: &Connection, scope: &Scope) -> rusqlite::Result<bool> {
    let Some(scope) = find_scope(connection, &scope.to_json())? else {
        return Ok(false);
    };
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM tombstone WHERE scope = ?1)")?
        .query_row([scope], |row| row.get(0))
}

fn forgotten_at(
    connection: &Connection,
    (scope, secret): (&Scope, &[u8; 32]),
    marks: &[Vec<u8>],
) -> rusqlite::Result<Option<Timestamp>> {
    let Some(scope) = find_scope(connection, &scope.to_json())? else {
        return Ok(None);
    };
    let mut statement =
        connection.prepare_cached("SELECT at FROM tombstone WHERE scope = ?1 AND mark = ?2")?;
    let mut latest = None;
    for mark in marks {
        let at: Option<i64> = statement
            .query_row(params![scope, seal::of_mark(secret, mark)], |row| {
                row.get(0)
            })
            .optional()?;
        latest = latest.max(at.map(Timestamp::from_micros));
    }
    Ok(latest)
}

fn usage(connection: &Connection, day: i64) -> rusqlite::Result<Vec<UsageRow>> {
    connection
        .prepare_cached(&format!("{USAGE} WHERE day = ?1 ORDER BY purpose"))?
        .query_map([day], read_usage)?
        .collect()
}

/// Reads what [`USAGE`] selects.
pub(super) fn read_usage(row: &Row<'_>) -> rusqlite::Result<UsageRow> {
    Ok(UsageRow {
        day: row.get(0)?,
        purpose: row.get(1)?,
        calls: row.get(2)?,
        input_tokens: row.get(3)?,
        output_tokens: row.get(4)?,
    })
}
