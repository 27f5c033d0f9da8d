//! What the copy of a backup takes over from the store in the place.
//!
//! Both have the same secret, so that keyed hashes are the same in both. Rows are found by what they are, not by their
//! numbers. A table of the store in the place that cannot be read is named, and the others are taken.

use std::collections::BTreeSet;

use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use super::super::head::read_head;
use super::super::proof;
use super::super::write::{find_scope, signed};
use super::{Carried, Retired};

type Hash = [u8; 32];

/// Every scope of a store.
pub(super) fn scopes(copy: &Connection) -> rusqlite::Result<Vec<Scope>> {
    let paths: Vec<String> = rows(copy, "SELECT path FROM scope ORDER BY path", [], |row| {
        row.get(0)
    })?;
    Ok(paths
        .iter()
        .filter_map(|path| Scope::from_json(path).ok())
        .collect())
}

/// Tombstones, receipts, the audit log, and what language models were used for.
pub(super) fn books(
    current: &Connection,
    copy: &Connection,
    unread: &mut BTreeSet<&'static str>,
) -> rusqlite::Result<Carried> {
    let mut carried = Carried::default();
    if let Some(found) = read(unread, "tombstone", tombstones_of(current)) {
        for (path, mark, at) in found {
            carried.tombstones += put_tombstone(copy, &path, &mark, at)?;
        }
    }
    if let Some(found) = read(unread, "receipt", receipts_of(current)) {
        for receipt in found {
            carried.receipts += put_receipt(copy, &receipt)?;
        }
    }
    // What somebody has removed from the place is as good as unread.
    if let Some(missing) = read(unread, "audit", proof::missing(current)) {
        unread.extend(missing.into_iter().map(|(table, _)| table));
    }
    if let Some((lines, end)) = read(unread, "audit", audit_of(current)) {
        carried.audit_lines = put_audit(copy, &lines, end)?;
        carried.left_out = drop_misfits(copy)?;
    }
    if let Some(found) = read(unread, "usage", usage_of(current)) {
        for used in found {
            put_usage(copy, &used)?;
        }
    }
    Ok(carried)
}

/// What is out of use in the place and not in the copy.
pub(super) fn retired(
    current: &Connection,
    copy: &Connection,
    unread: &mut BTreeSet<&'static str>,
) -> rusqlite::Result<Retired> {
    let mut retired = Retired::default();
    let gone = "SELECT id, coalesce(retired_at, recorded_at) FROM memory WHERE state = 'retracted'";
    let of_copy = "SELECT scope.path FROM memory JOIN scope ON scope.row = memory.scope
        WHERE memory.id = ?1 AND memory.state <> 'retracted'";
    for (scope, id, at) in since(current, copy, (gone, of_copy), ("memory", unread))? {
        retired.memories.push((scope, MemoryId::from_bytes(id), at));
    }
    let gone = "SELECT id, retired_at FROM turn WHERE retired_at IS NOT NULL";
    let of_copy = "SELECT scope.path FROM turn JOIN session ON session.row = turn.session
        JOIN scope ON scope.row = session.scope WHERE turn.id = ?1 AND turn.retired_at IS NULL";
    for (scope, id, at) in since(current, copy, (gone, of_copy), ("turn", unread))? {
        retired.turns.push((scope, TurnId::from_bytes(id), at));
    }
    Ok(retired)
}

/// Change numbers and positions go on from the higher ones; the feed of each scope says that it begins anew.
pub(super) fn numbers(
    current: Option<&Connection>,
    copy: &Connection,
    unread: &mut BTreeSet<&'static str>,
) -> rusqlite::Result<()> {
    let mut head = signed(read_head(copy)?);
    if let Some(current) = current {
        let there = read(unread, "head", read_head(current).map(signed));
        head = head.max(there.unwrap_or(0));
        let ends = read(unread, "session", ends_of(current));
        for (path, name, end) in ends.unwrap_or_default() {
            go_on_at(copy, &path, &name, end)?;
        }
    }
    let scopes: Vec<i64> = rows(copy, "SELECT row FROM scope ORDER BY row", [], |row| {
        row.get(0)
    })?;
    copy.execute("DELETE FROM feed WHERE kind = 4", [])?;
    let mut entry =
        copy.prepare("INSERT INTO feed (scope, change, kind, record) VALUES (?1, ?2, 4, 0)")?;
    for scope in scopes {
        head += 1;
        entry.execute([scope, head])?;
    }
    copy.execute("UPDATE head SET change = ?1", [head])?;
    Ok(())
}

/// What was read, or a note of what could not be.
fn read<T>(
    unread: &mut BTreeSet<&'static str>,
    table: &'static str,
    found: rusqlite::Result<T>,
) -> Option<T> {
    if found.is_err() {
        unread.insert(table);
    }
    found.ok()
}

fn rows<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    of_row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    connection
        .prepare_cached(sql)?
        .query_map(parameters, of_row)?
        .collect()
}

fn tombstones_of(current: &Connection) -> rusqlite::Result<Vec<(String, Vec<u8>, i64)>> {
    let sql =
        "SELECT scope.path, mark, at FROM tombstone JOIN scope ON scope.row = tombstone.scope";
    rows(current, sql, [], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })
}

/// Puts a tombstone unless there is one as late; says how many were put.
fn put_tombstone(copy: &Connection, path: &str, mark: &[u8], at: i64) -> rusqlite::Result<u64> {
    let scope = match find_scope(copy, path)? {
        Some(row) => row,
        None => copy
            .prepare_cached("INSERT INTO scope (path) VALUES (?1)")?
            .insert([path])?,
    };
    let put = copy
        .prepare_cached(
            "INSERT INTO tombstone (scope, mark, at) VALUES (?1, ?2, ?3)
            ON CONFLICT (scope, mark) DO UPDATE SET at = excluded.at WHERE excluded.at > at",
        )?
        .execute(params![scope, mark, at])?;
    Ok(put as u64)
}

/// A row of receipts.
struct ReceiptColumns {
    id: Vec<u8>,
    at: i64,
    state: String,
    touched_at: i64,
    counts: String,
    body: String,
}

fn receipts_of(current: &Connection) -> rusqlite::Result<Vec<ReceiptColumns>> {
    let sql = "SELECT id, at, state, touched_at, counts, body FROM receipt ORDER BY row";
    rows(current, sql, [], |row| {
        Ok(ReceiptColumns {
            id: row.get(0)?,
            at: row.get(1)?,
            state: row.get(2)?,
            touched_at: row.get(3)?,
            counts: row.get(4)?,
            body: row.get(5)?,
        })
    })
}

fn put_receipt(copy: &Connection, receipt: &ReceiptColumns) -> rusqlite::Result<u64> {
    let put = copy
        .prepare_cached(
            "INSERT INTO receipt (at, state, touched_at, counts, body, id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (id) DO UPDATE SET at = excluded.at, state = excluded.state,
            touched_at = excluded.touched_at, counts = excluded.counts, body = excluded.body
            WHERE excluded.body <> body OR excluded.state <> state OR excluded.counts <> counts",
        )?
        .execute(params![
            receipt.at,
            receipt.state,
            receipt.touched_at,
            receipt.counts,
            receipt.body,
            receipt.id
        ])?;
    Ok(put as u64)
}

type AuditRow = (i64, String, Hash);

fn audit_of(current: &Connection) -> rusqlite::Result<(Vec<AuditRow>, (i64, Hash))> {
    let sql = "SELECT row, line, hash FROM audit ORDER BY row";
    let lines = rows(current, sql, [], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })?;
    Ok((lines, end_of(current)?))
}

fn end_of(connection: &Connection) -> rusqlite::Result<(i64, Hash)> {
    let end = proof::end(connection)?;
    Ok((i64::try_from(end.lines).unwrap_or(i64::MAX), end.hash))
}

/// The audit log of the place is kept, unless the copy's goes on from its end: then the place lost lines before. Says how
/// many lines the copy did not have.
fn put_audit(copy: &Connection, lines: &[AuditRow], end: (i64, Hash)) -> rusqlite::Result<u64> {
    let (own_lines, _) = end_of(copy)?;
    let hash_here: Option<Hash> = copy
        .query_row("SELECT hash FROM audit WHERE row = ?1", [end.0], |row| {
            row.get(0)
        })
        .optional()?;
    if own_lines >= end.0 && (end.0 == 0 || hash_here == Some(end.1)) {
        return Ok(0);
    }
    let mut known = copy.prepare("SELECT hash FROM audit WHERE row = ?1")?;
    let mut new = 0;
    for (number, _, hash) in lines {
        let here: Option<Hash> = known.query_row([number], |row| row.get(0)).optional()?;
        new += u64::from(here.as_ref() != Some(hash));
    }
    drop(known);
    copy.execute_batch("DELETE FROM audit; DELETE FROM audit_end")?;
    let mut put = copy.prepare("INSERT INTO audit (row, line, hash) VALUES (?1, ?2, ?3)")?;
    for (number, line, hash) in lines {
        put.execute(params![number, line, hash])?;
    }
    copy.execute(
        "INSERT INTO audit_end (one, lines, hash) VALUES (1, ?1, ?2)",
        params![end.0, end.1],
    )?;
    Ok(new)
}

/// Removes receipts that name a line which the audit log does not have: of a time after a store was lost, which an older
/// backup has taken the place of. Says how many they were.
fn drop_misfits(copy: &Connection) -> rusqlite::Result<u64> {
    let mut dropped = 0;
    let all: Vec<(i64, String)> = rows(copy, "SELECT row, body FROM receipt", [], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    for (row, body) in all {
        if !proof::fits_log(copy, &body)? {
            copy.prepare_cached("DELETE FROM receipt WHERE row = ?1")?
                .execute([row])?;
            dropped += 1;
        }
    }
    Ok(dropped)
}

type UsageColumns = (i64, String, i64, i64, i64);

fn usage_of(current: &Connection) -> rusqlite::Result<Vec<UsageColumns>> {
    let sql = "SELECT day, purpose, calls, input_tokens, output_tokens FROM usage";
    rows(current, sql, [], |row| {
        Ok((
            row.get(0)?,
            row.get(1)?,
            row.get(2)?,
            row.get(3)?,
            row.get(4)?,
        ))
    })
}

/// What was used stays used: a cap on calls holds over a restore.
fn put_usage(copy: &Connection, used: &UsageColumns) -> rusqlite::Result<()> {
    copy.prepare_cached(
        "INSERT INTO usage (day, purpose, calls, input_tokens, output_tokens) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (day, purpose) DO UPDATE SET calls = max(calls, excluded.calls),
        input_tokens = max(input_tokens, excluded.input_tokens),
        output_tokens = max(output_tokens, excluded.output_tokens)",
    )?
    .execute(params![used.0, used.1, used.2, used.3, used.4])
    .map(drop)
}

/// Records of the place by id that the copy has still in use.
fn since(
    current: &Connection,
    copy: &Connection,
    (gone, of_copy): (&str, &str),
    (table, unread): (&'static str, &mut BTreeSet<&'static str>),
) -> rusqlite::Result<Vec<(Scope, [u8; 16], Timestamp)>> {
    let found: rusqlite::Result<Vec<([u8; 16], i64)>> =
        rows(current, gone, [], |row| Ok((row.get(0)?, row.get(1)?)));
    let mut in_use = Vec::new();
    let mut look = copy.prepare(of_copy)?;
    for (id, at) in read(unread, table, found).unwrap_or_default() {
        let path: Option<String> = look.query_row([id], |row| row.get(0)).optional()?;
        if let Some(scope) = path.and_then(|path| Scope::from_json(&path).ok()) {
            in_use.push((scope, id, Timestamp::from_micros(at)));
        }
    }
    Ok(in_use)
}

/// Where each session would go on.
const ENDS: &str = "SELECT scope.path, session.name, max(coalesce(max(turn.position) + 1, 0),
    coalesce(session.next_position, 0), coalesce(session.forked_turns, 0))
    FROM session JOIN scope ON scope.row = session.scope LEFT JOIN turn ON turn.session = session.row
    GROUP BY session.row";

fn ends_of(connection: &Connection) -> rusqlite::Result<Vec<(String, String, i64)>> {
    rows(connection, ENDS, [], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })
}

/// No position below `end` is given in a session of the copy. What stood there counts as turns that are gone.
fn go_on_at(copy: &Connection, path: &str, name: &str, end: i64) -> rusqlite::Result<()> {
    let sql = format!("SELECT * FROM ({ENDS}) WHERE path = ?1 AND name = ?2");
    let here: Option<i64> = copy
        .prepare_cached(&sql)?
        .query_row([path, name], |row| row.get(2))
        .optional()?;
    let Some(missing) = here.map(|here| end - here).filter(|missing| *missing > 0) else {
        return Ok(());
    };
    copy.prepare_cached(
        "UPDATE session SET erased_turns = coalesce(erased_turns, 0) + ?3, next_position = ?4 WHERE name = ?2
        AND scope = (SELECT row FROM scope WHERE path = ?1)",
    )?
    .execute(params![path, name, missing, end])
    .map(drop)
}
