//! Receipts and the audit log.

use memoriter_core::audit::link;
use memoriter_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::bound::Growing;
use super::write::Transaction;
use crate::store::{AuditEnd, AuditLine, Damage, Outcome, ReceiptQuery, ReceiptRow};

const PENDING: &str = "pending";
const COMPLETE: &str = "complete";

impl Transaction<'_> {
    pub(super) fn put_receipt(&self, receipt: &ReceiptRow) -> rusqlite::Result<Outcome> {
        let state = if receipt.is_pending {
            PENDING
        } else {
            COMPLETE
        };
        self.connection()
            .prepare_cached(
                "INSERT INTO receipt (at, state, body, id) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (id) DO UPDATE SET at = excluded.at, state = excluded.state, body = excluded.body",
            )?
            .execute(params![receipt.at.as_micros(), state, receipt.body, receipt.id])?;
        Ok(Outcome::Noted)
    }

    pub(super) fn audit(&self, line: &str) -> rusqlite::Result<Outcome> {
        let end = end(self.connection())?;
        let hash = link(&end.hash, line);
        let number = end.lines + 1;
        self.connection()
            .prepare_cached("INSERT INTO audit (row, line, hash) VALUES (?1, ?2, ?3)")?
            .execute(params![number, line, hash])?;
        self.connection()
            .prepare_cached(
                "INSERT OR REPLACE INTO audit_end (one, lines, hash) VALUES (1, ?1, ?2)",
            )?
            .execute(params![number, hash])?;
        Ok(Outcome::Noted)
    }
}

pub(super) fn receipts(
    connection: &Connection,
    query: ReceiptQuery,
) -> rusqlite::Result<Vec<ReceiptRow>> {
    let sql = match query {
        ReceiptQuery::All => "SELECT id, at, state, body FROM receipt ORDER BY row",
        ReceiptQuery::Pending => {
            "SELECT id, at, state, body FROM receipt WHERE state = 'pending' ORDER BY row"
        }
    };
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        Ok(ReceiptRow {
            id: row.get(0)?,
            at: Timestamp::from_micros(row.get(1)?),
            is_pending: row.get::<_, String>(2)? == PENDING,
            body: row.get(3)?,
        })
    })?;
    rows.collect()
}

pub(super) fn lines(
    connection: &Connection,
    after: u64,
    limit: usize,
) -> rusqlite::Result<Vec<AuditLine>> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut statement = connection
        .prepare_cached("SELECT row, line, hash FROM audit WHERE row > ?1 ORDER BY row LIMIT ?2")?;
    let mut rows = statement.query([after, limit])?;
    let (mut found, mut growing) = (Vec::new(), Growing::above(after));
    while let Some(row) = rows.next()? {
        growing.next(row.get(0)?)?;
        found.push(AuditLine {
            number: row.get(0)?,
            line: row.get(1)?,
            hash: row.get(2)?,
        });
    }
    Ok(found)
}

pub(super) fn end(connection: &Connection) -> rusqlite::Result<AuditEnd> {
    let found = connection
        .prepare_cached("SELECT lines, hash FROM audit_end")?
        .query_row([], |row| {
            Ok(AuditEnd {
                lines: row.get(0)?,
                hash: row.get(1)?,
            })
        })
        .optional()?;
    Ok(found.unwrap_or_default())
}

/// What does not fit in the audit log: every line follows the one before, and the last is where the log ends.
pub(super) fn check(connection: &Connection) -> rusqlite::Result<Vec<Damage>> {
    let mut problems = Vec::new();
    let mut before = AuditEnd::default();
    for line in lines(connection, 0, usize::MAX)? {
        let problem = |why: &str| Damage {
            record: format!("audit in row {}", line.number),
            why: why.to_owned(),
        };
        if line.number != before.lines + 1 {
            problems.push(problem("the line before it is missing"));
        } else if link(&before.hash, &line.line) != line.hash {
            problems.push(problem("it does not follow the line before it"));
        }
        before = AuditEnd {
            lines: line.number,
            hash: line.hash,
        };
    }
    if before != end(connection)? {
        problems.push(Damage {
            record: "audit".to_owned(),
            why: "the log ends elsewhere than it says".to_owned(),
        });
    }
    Ok(problems)
}
