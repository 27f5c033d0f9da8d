//! Checking everything: structure, schema, checksums, references.

use memoriter_core::attachment::Attachment;
use memoriter_core::board::Field;
use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::Memory;
use memoriter_core::turn::Turn;
use rusqlite::{Connection, OptionalExtension};

use super::attachment::check_parts;
use super::bound::Growing;
use super::decode::{Columns, Undecodable};
use super::fault::words;
use super::fetch::{Record, fetch};
use super::keys::Keys;
use super::seal;
use super::sessions::{self, KeptCheckpoint, PastField};
use super::vector::KeptVector;
use super::view::View;
use super::write::{RecordKind, signed};
use super::{books, extraction, proof, spans};
use crate::migrate::{newest_schema, schema};
use crate::store::{Damage, VerifyReport};

/// What must not be there, as a query whose rows are the problems: table, row, what is wrong.
const MISFITS: &[&str] = &[
    "SELECT \"table\", coalesce(rowid, 0), 'leads to no ' || parent FROM pragma_foreign_key_check",
    "SELECT 'memory', memory.row, 'has no embedding entry' FROM memory LEFT JOIN embedding
        ON embedding.scope = memory.scope AND embedding.kind = 0 AND embedding.record = memory.row
        WHERE embedding.record IS NULL",
    "SELECT 'turn', turn.row, 'has no embedding entry' FROM turn JOIN session ON session.row = turn.session
        LEFT JOIN embedding ON embedding.scope = session.scope AND embedding.kind = 1 AND embedding.record = turn.row
        WHERE embedding.record IS NULL",
    "SELECT 'memory', memory.row, 'is not in the feed at its change' FROM memory LEFT JOIN feed
        ON feed.scope = memory.scope AND feed.change = memory.change AND feed.kind = 0 AND feed.record = memory.row
        WHERE feed.record IS NULL",
    "SELECT 'turn', turn.row, 'is not in the feed at its change' FROM turn JOIN session ON session.row = turn.session
        LEFT JOIN feed ON feed.scope = session.scope AND feed.change = turn.change AND feed.kind = 1
        AND feed.record = turn.row WHERE feed.record IS NULL",
    "SELECT 'embedding', record, 'leads to no record of its scope' FROM embedding WHERE NOT EXISTS (
        SELECT 1 FROM memory WHERE embedding.kind = 0 AND memory.row = embedding.record
        AND memory.scope = embedding.scope) AND NOT EXISTS (
        SELECT 1 FROM turn JOIN session ON session.row = turn.session WHERE embedding.kind = 1
        AND turn.row = embedding.record AND session.scope = embedding.scope)",
    "SELECT 'feed', record, 'leads to no record at this change' FROM feed WHERE feed.kind <> 4 AND NOT EXISTS (
        SELECT 1 FROM memory WHERE feed.kind = 0 AND memory.row = feed.record AND memory.change = feed.change
        AND memory.scope = feed.scope) AND NOT EXISTS (
        SELECT 1 FROM turn JOIN session ON session.row = turn.session WHERE feed.kind = 1 AND turn.row = feed.record
        AND turn.change = feed.change AND session.scope = feed.scope) AND NOT EXISTS (
        SELECT 1 FROM field JOIN session ON session.row = field.session WHERE feed.kind = 2 AND field.row = feed.record
        AND field.change = feed.change AND session.scope = feed.scope) AND NOT EXISTS (
        SELECT 1 FROM session WHERE feed.kind = 3 AND session.row = feed.record AND session.change = feed.change
        AND session.scope = feed.scope)",
    "SELECT 'field', field.row, 'is not in the feed at its change' FROM field JOIN session ON session.row = field.session
        LEFT JOIN feed ON feed.scope = session.scope AND feed.change = field.change AND feed.kind = 2
        AND feed.record = field.row WHERE feed.record IS NULL",
    "SELECT 'session', session.row, 'is not in the feed at its change' FROM session
        LEFT JOIN feed ON feed.scope = session.scope AND feed.change = session.change AND feed.kind = 3
        AND feed.record = session.row WHERE session.change IS NOT NULL AND feed.record IS NULL",
    "SELECT 'session', row, 'goes on from a later one' FROM session WHERE forked_from >= row",
    "SELECT 'field_past', row, 'is needed by no checkpoint' FROM field_past WHERE NOT EXISTS (
        SELECT 1 FROM field JOIN checkpoint ON checkpoint.session = field.session WHERE field.row = field_past.field
        AND as_of >= field_past.change AND as_of < until)",
    "SELECT 'checkpoint_data', row, 'is held by no checkpoint' FROM checkpoint_data WHERE NOT EXISTS (
        SELECT 1 FROM checkpoint WHERE data = checkpoint_data.row)",
    "SELECT 'checkpoint', checkpoint.row, 'is filed under another scope than its bytes' FROM checkpoint
        JOIN session ON session.row = checkpoint.session JOIN checkpoint_data ON checkpoint_data.row = checkpoint.data
        WHERE session.scope <> checkpoint_data.scope",
    "SELECT 'embedding', record, 'has half a vector' FROM embedding
        WHERE (embedding.model IS NULL) <> (codes IS NULL) OR (codes IS NULL) <> (scale IS NULL)",
    "SELECT 'session', session.row, 'has a gap in its turns' FROM session LEFT JOIN turn ON turn.session = session.row
        GROUP BY session.row HAVING min(position) < coalesce(forked_turns, 0)
        OR max(coalesce(max(position) + 1, 0), coalesce(next_position, 0), coalesce(forked_turns, 0))
        - coalesce(forked_turns, 0) <> count(turn.row) + coalesce(erased_turns, 0)",
    "SELECT 'extraction', extraction.turn, 'is filed under another session than its turn' FROM extraction
        JOIN turn ON turn.row = extraction.turn JOIN session ON session.row = turn.session
        WHERE session.row <> extraction.session OR session.scope <> extraction.scope",
    "SELECT 'span', session, 'ends before it begins' FROM span WHERE first > last",
    "SELECT 'tombstone', scope, 'has a mark of another length' FROM tombstone WHERE length(mark) <> 16",
    "SELECT 'usage', day, 'counts below nothing' FROM usage WHERE min(calls, input_tokens, output_tokens) < 0",
    "SELECT 'head', 1, 'is behind the feed' WHERE (SELECT max(change) FROM feed) > (SELECT change FROM head)",
];

/// Looks at everything. References are looked at when the trees are whole: scans over broken ones tell little.
pub(super) fn verify(view: View<'_>, head: ChangeNumber) -> VerifyReport {
    let connection = view.connection;
    let mut report = VerifyReport::default();
    note(&mut report, "file", check_structure(connection));
    let is_whole = report.problems.is_empty();
    note(&mut report, "schema", check_schema(connection));
    report.memories = each::<Memory>(view, &mut report, |row, memory| {
        check_memory(view, head, row, memory)
    });
    report.turns = each::<Turn>(view, &mut report, |_, _| Ok(None));
    report.attachments = each::<Attachment>(view, &mut report, |row, attachment| {
        check_parts(view, row, attachment)
    });
    let fields = each::<Field>(view, &mut report, |_, _| Ok(None));
    report.fields = fields + each::<PastField>(view, &mut report, |_, _| Ok(None));
    report.checkpoints = each::<KeptCheckpoint>(view, &mut report, |_, kept| {
        let is_early = kept.checkpoint.as_of > head;
        Ok(is_early.then(|| "is as of a change above the head".into()))
    });
    if is_whole {
        note(&mut report, "embedding", check_vectors(view));
        note(&mut report, "extraction", extraction::check(view));
        note(&mut report, "decision", books::check_decisions(connection));
        note(&mut report, "span", spans::check(view));
        note(&mut report, "audit", proof::check(connection));
        note(&mut report, "receipt", proof::check_receipts(connection));
        note(&mut report, "tombstone", proof::check_kept(connection));
        note(&mut report, "session", sessions::check_sessions(connection));
        let data = sessions::check_data(view);
        note(&mut report, "checkpoint_data", data);
        for sql in MISFITS {
            note(&mut report, "references", check_references(connection, sql));
        }
    }
    report
}

/// Adds what a check found. A check that fails has found damage, too.
fn note(report: &mut VerifyReport, check: &str, found: rusqlite::Result<Vec<Damage>>) {
    match found {
        Ok(problems) => report.problems.extend(problems),
        Err(error) => report.problems.push(Damage {
            record: check.to_owned(),
            why: words(&error),
        }),
    }
}

fn check_structure(connection: &Connection) -> rusqlite::Result<Vec<Damage>> {
    let mut statement = connection.prepare("PRAGMA integrity_check")?;
    let mut rows = statement.query([])?;
    let mut problems = Vec::new();
    while let Some(row) = rows.next()? {
        let said = row.get_ref(0)?.as_str().unwrap_or("unreadable");
        // A line a problem, below one that names the database, which has one name only.
        let lines = said.lines().filter(|line| !line.starts_with("***"));
        problems.extend(lines.filter(|line| *line != "ok").map(|line| Damage {
            record: "file".into(),
            why: line.to_owned(),
        }));
    }
    Ok(problems)
}

/// Compares the tables, indexes and what else there is with those of a new store. A missing unique index lets
/// two live memories into one place; a trigger of somebody else's writes along with us.
fn check_schema(connection: &Connection) -> rusqlite::Result<Vec<Damage>> {
    let (found, expected) = (schema(connection)?, newest_schema()?);
    let named = |(kind, name): &(String, String), why: &str| Damage {
        record: format!("{kind} {name}"),
        why: why.to_owned(),
    };
    let missing_or_other = expected
        .iter()
        .filter_map(|(entry, sql)| match found.get(entry) {
            None => Some(named(entry, "is missing")),
            Some(other) if other != sql => Some(named(entry, "is another than this program makes")),
            Some(_) => None,
        });
    let foreign = found
        .keys()
        .filter(|entry| !expected.contains_key(*entry))
        .map(|entry| named(entry, "does not belong in a store"));
    Ok(missing_or_other.chain(foreign).collect())
}

fn check_references(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<Damage>> {
    let mut statement = connection.prepare(sql)?;
    let problems = statement.query_map([], |row| {
        let (table, number, why): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(Damage {
            record: format!("{table} in row {number}"),
            why,
        })
    })?;
    problems.collect()
}

fn check_vectors(view: View<'_>) -> rusqlite::Result<Vec<Damage>> {
    let mut statement = view.prepare(
        "SELECT record, kind, path, CASE kind WHEN 0 THEN (SELECT id FROM memory WHERE memory.row = record)
        ELSE (SELECT id FROM turn WHERE turn.row = record) END, dimensions, scale, codes, checksum
        FROM embedding LEFT JOIN scope ON scope.row = embedding.scope LEFT JOIN model ON model.row = embedding.model
        WHERE codes IS NOT NULL",
    )?;
    let mut rows = statement.query([])?;
    let (mut problems, mut codes) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        let mut next = Columns::new(row);
        let number: i64 = next.get().unwrap_or_default();
        let why = match is_sound_vector(view.keys, &mut next, &mut codes) {
            Ok(true) => None,
            Ok(false) => Some("has another length than its model"),
            Err(_) => Some("the checksum does not fit"),
        };
        problems.extend(why.map(|why| Damage {
            record: format!("embedding in row {number}"),
            why: why.into(),
        }));
    }
    Ok(problems)
}

/// Whether a vector has the length of its model; an error where it is not what was written.
fn is_sound_vector(
    keys: &Keys,
    next: &mut Columns<'_>,
    codes: &mut Vec<i8>,
) -> Result<bool, Undecodable> {
    let kind = match next.get()? {
        0_i64 => RecordKind::Memory,
        _ => RecordKind::Turn,
    };
    let cover = keys.of(next.text()?);
    let (id, dimensions): (Option<[u8; 16]>, Option<usize>) = (next.get()?, next.get()?);
    // One without a record is found among the references.
    let id = id.unwrap_or_default();
    let scale = KeptVector::read(next)?.open(&cover, (kind, &id), codes)?;
    if dimensions != Some(codes.len()) {
        return Ok(false);
    }
    let bytes: Vec<u8> = codes.iter().map(|code| code.cast_unsigned()).collect();
    if cover.fingerprint(seal::of_vector(scale, &bytes)) != next.get::<[u8; 8]>()? {
        return Err(Undecodable("the checksum does not fit".into()));
    }
    Ok(true)
}

/// Fetches every record of a kind and returns how many were read.
fn each<T: Record>(
    view: View<'_>,
    report: &mut VerifyReport,
    look: impl Fn(i64, &T) -> rusqlite::Result<Option<String>>,
) -> u64 {
    let mut sound = 0;
    let mut after = i64::MIN;
    loop {
        match next_row::<T>(view.connection, after) {
            Ok(None) => return sound,
            Ok(Some(row)) => {
                after = row;
                match fetch(view, row, |_: &T| true) {
                    Ok(record) => {
                        sound += 1;
                        note(
                            report,
                            T::TABLE,
                            look(row, &record).map(|why| named::<T>(row, why)),
                        );
                    }
                    Err(damage) => report.problems.push(damage),
                }
            }
            Err(error) => {
                report.problems.push(Damage {
                    record: T::TABLE.into(),
                    why: words(&error),
                });
                return sound;
            }
        }
    }
}

fn named<T: Record>(row: i64, why: Option<String>) -> Vec<Damage> {
    why.map(|why| Damage {
        record: format!("{} in row {row}", T::TABLE),
        why,
    })
    .into_iter()
    .collect()
}

fn next_row<T: Record>(connection: &Connection, after: i64) -> rusqlite::Result<Option<i64>> {
    let found: Option<i64> = connection
        .prepare_cached(T::NEXT)?
        .query_row([after], |row| row.get(0))
        .optional()?;
    found
        .map(|row| Growing::above(after).next(row).map(|()| row))
        .transpose()
}

/// What a memory's checksum does not say: that it is filed under its own place and not from the future.
fn check_memory(
    view: View<'_>,
    head: ChangeNumber,
    row: i64,
    memory: &Memory,
) -> rusqlite::Result<Option<String>> {
    let place: Vec<u8> = view
        .prepare_cached("SELECT place FROM memory WHERE row = ?1")?
        .query_row([row], |found| found.get(0))?;
    let cover = view.keys.of(&memory.scope.to_json());
    if place != seal::of_place(cover.hashes(view.keys.secret()), memory) {
        return Ok(Some("is filed under another place than its own".into()));
    }
    if signed(memory.change) > signed(head) {
        return Ok(Some("has a change number above the head".into()));
    }
    Ok(None)
}
