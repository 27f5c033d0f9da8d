//! Receipts and the audit log.

use memoriter_core::audit::{Chain, Kept, link};
use memoriter_core::forget::{ErasedCounts, ReceiptState};
use memoriter_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::bound::Growing;
use super::fault::Failure;
use super::write::Transaction;
use crate::error::StoreError;
use crate::store::{AuditEnd, AuditLine, Damage, NewReceipt, Outcome, ReceiptQuery, ReceiptRow};

macro_rules! receipt_where {
    ($which:literal) => {
        concat!(
            "SELECT id, at, state, touched_at, counts, body FROM receipt WHERE ",
            $which,
            " ORDER BY row"
        )
    };
}

impl Transaction<'_> {
    pub(super) fn put_receipt(
        &self,
        receipt: &NewReceipt,
        over: Option<(ReceiptState, Timestamp)>,
    ) -> Result<Outcome, Failure> {
        if let Some((state, touched_at)) = over {
            let is_there: bool = self
                .connection()
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM receipt WHERE id = ?1 AND state = ?2 AND touched_at = ?3)",
                )?
                .query_row(
                    params![receipt.id, state.as_str(), touched_at.as_micros()],
                    |row| row.get(0),
                )?;
            if !is_there {
                return Err(StoreError::ReceiptChanged.into());
            }
        }
        self.connection()
            .prepare_cached(
                "INSERT INTO receipt (at, state, touched_at, counts, body, id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT (id) DO UPDATE SET at = excluded.at, state = excluded.state,
                touched_at = excluded.touched_at, body = excluded.body",
            )?
            .execute(params![
                receipt.at.as_micros(),
                receipt.state.as_str(),
                receipt.touched_at.as_micros(),
                ErasedCounts::default().to_json().to_string(),
                receipt.body,
                receipt.id
            ])?;
        Ok(Outcome::Noted)
    }

    /// Counts what an erasure removed into the receipt of its request.
    pub(super) fn count_erased(
        &self,
        (id, at): ([u8; 16], Timestamp),
        counts: &ErasedCounts,
    ) -> rusqlite::Result<()> {
        let known: Option<String> = self
            .connection()
            .prepare_cached("SELECT counts FROM receipt WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        if let Some(known) = known {
            let mut sum = counts_in(&known);
            sum.add(counts);
            self.connection()
                .prepare_cached("UPDATE receipt SET counts = ?2, touched_at = ?3 WHERE id = ?1")?
                .execute(params![id, sum.to_json().to_string(), at.as_micros()])?;
        }
        Ok(())
    }

    pub(super) fn audit(&self, line: &str) -> rusqlite::Result<Outcome> {
        let end = end(self.connection())?;
        let line = kept(self.connection())?.told_in(line);
        let hash = link(&end.hash, &line);
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
        ReceiptQuery::All => receipt_where!("?1 IS NULL"),
        ReceiptQuery::Open => {
            receipt_where!("?1 IS NULL AND state IN ('begun', 'pending', 'failed')")
        }
        ReceiptQuery::Id(_) => receipt_where!("id = ?1"),
    };
    let id = match query {
        ReceiptQuery::Id(id) => Some(id),
        ReceiptQuery::All | ReceiptQuery::Open => None,
    };
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([id], |row| {
        let state: String = row.get(2)?;
        Ok(ReceiptRow {
            receipt: NewReceipt {
                id: row.get(0)?,
                at: Timestamp::from_micros(row.get(1)?),
                // A word that is none is damage, which `verify` tells: nothing more is done for it.
                state: ReceiptState::parse(&state).unwrap_or(ReceiptState::Interrupted),
                touched_at: Timestamp::from_micros(row.get(3)?),
                body: row.get(5)?,
            },
            counts: counts_in(&row.get::<_, String>(4)?),
        })
    })?;
    rows.collect()
}

/// What a receipt has counted; nothing where that is damaged, which `verify` tells.
fn counts_in(text: &str) -> ErasedCounts {
    let json = serde_json::from_str(text).ok();
    json.and_then(|json| ErasedCounts::from_json(&json))
        .unwrap_or_default()
}

/// What is wrong with any receipt besides its signature. Each names a line of the audit log, which must be there: a log
/// that somebody has cut or made anew does not fit what was signed before.
pub(super) fn check_receipts(connection: &Connection) -> rusqlite::Result<Vec<Damage>> {
    let mut statement =
        connection.prepare("SELECT row, state, counts, body FROM receipt ORDER BY row")?;
    let rows = statement.query_map([], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    })?;
    let mut problems = Vec::new();
    for found in rows {
        let (row, state, counts, body): (i64, String, String, String) = found?;
        let mut tell = |why: String| {
            problems.push(Damage {
                record: format!("receipt in row {row}"),
                why,
            });
        };
        let json: Option<Value> = serde_json::from_str(&counts).ok();
        let counts = json.and_then(|json| ErasedCounts::from_json(&json));
        if ReceiptState::parse(&state).is_none() || counts.is_none() {
            tell("its state or counts cannot be read".to_owned());
        }
        if let Some((number, _)) = named_line(&body)
            && !fits_log(connection, &body)?
        {
            tell(format!(
                "it names another line {number} than the audit log has"
            ));
        }
    }
    Ok(problems)
}

/// Whether the audit log has the line that a receipt names; so it is of one that names none.
pub(super) fn fits_log(connection: &Connection, body: &str) -> rusqlite::Result<bool> {
    match named_line(body) {
        Some((number, hash)) => Ok(hash_at(connection, number)?.as_deref() == Some(&*hash)),
        None => Ok(true),
    }
}

/// The line of the audit log that a receipt names, with its hash; `None` where it names none.
fn named_line(body: &str) -> Option<(i64, String)> {
    let document: Value = serde_json::from_str(body).ok()?;
    let audit = document.get("receipt")?.get("audit")?;
    let number = audit.get("lines")?.as_i64().filter(|number| *number > 0)?;
    Some((number, audit.get("hash")?.as_str()?.to_owned()))
}

/// The hash of a line, in hexadecimal digits.
fn hash_at(connection: &Connection, number: i64) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT lower(hex(hash)) FROM audit WHERE row = ?1")?
        .query_row([number], |row| row.get(0))
        .optional()
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

/// Tombstones and receipts that are there.
pub(super) fn kept(connection: &Connection) -> rusqlite::Result<Kept> {
    connection
        .prepare_cached("SELECT (SELECT count(*) FROM tombstone), (SELECT count(*) FROM receipt)")?
        .query_row([], |row| {
            Ok(Kept {
                tombstones: row.get(0)?,
                receipts: row.get(1)?,
            })
        })
}

/// Tombstones and receipts that are missing: there are fewer than the last line of the log says that tells their number. By
/// the kind of what is missing, with words.
pub(super) fn missing(connection: &Connection) -> rusqlite::Result<Vec<(&'static str, String)>> {
    let mut statement = connection.prepare_cached("SELECT line FROM audit ORDER BY row DESC")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let line: String = row.get(0)?;
        if let Some(said) = Kept::said_in(&line) {
            return Ok(kept(connection)?.missing(said));
        }
    }
    Ok(Vec::new())
}

/// [`missing`] as damage.
pub(super) fn check_kept(connection: &Connection) -> rusqlite::Result<Vec<Damage>> {
    let missing = missing(connection)?.into_iter();
    Ok(missing
        .map(|(kind, why)| Damage {
            record: kind.to_owned(),
            why,
        })
        .collect())
}

/// What does not fit in the audit log: every line follows the one before, and the last is where the log ends.
pub(super) fn check(connection: &Connection) -> rusqlite::Result<Vec<Damage>> {
    let mut problems = Vec::new();
    let mut chain = Chain::default();
    for line in lines(connection, 0, usize::MAX)? {
        if let Err(why) = chain.follow(line.number, &line.line, line.hash) {
            problems.push(Damage {
                record: format!("audit in row {}", line.number),
                why: why.to_owned(),
            });
        }
    }
    let end = end(connection)?;
    if (chain.lines, chain.hash) != (end.lines, end.hash) {
        problems.push(Damage {
            record: "audit".to_owned(),
            why: "the log ends elsewhere than it says".to_owned(),
        });
    }
    Ok(problems)
}
