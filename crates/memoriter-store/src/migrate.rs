//! The format of the store file, and the way from each released format to the newest.
//!
//! A step is one transaction and is applied at most once: a process that dies in the middle, or two that
//! start together, leave a file at some whole format. Steps are only ever appended; the SQL of a released
//! step never changes (`tests/fixtures` holds a file of each). `docs/format.md` describes the newest.

mod v0001;

use std::collections::BTreeMap;

use rusqlite::{Connection, Transaction, TransactionBehavior};

/// Marks a file as a store: "memo" in ASCII, kept in the SQLite header.
pub(crate) const APPLICATION_ID: i32 = 0x6d65_6d6f;
/// The format that this program writes.
pub(crate) const FORMAT: u32 = 1;

/// What a new store is made with.
pub(crate) struct Birth {
    /// Key for ids derived from content.
    pub(crate) secret: [u8; 32],
    /// Microseconds since 1970.
    pub(crate) created_at: i64,
}

struct Step {
    format: u32,
    apply: fn(&Transaction<'_>, &Birth) -> rusqlite::Result<()>,
}

const STEPS: &[Step] = &[Step {
    format: 1,
    apply: v0001::apply,
}];

/// The format of an open file; 0 when nothing was written yet.
pub(crate) fn format(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Brings an open file to [`FORMAT`], one transaction a step.
pub(crate) fn migrate(connection: &mut Connection, birth: &Birth) -> rusqlite::Result<()> {
    for step in STEPS {
        if format(connection)? >= step.format {
            continue;
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have made the step while this one waited for the lock.
        if format(&transaction)? < step.format {
            (step.apply)(&transaction, birth)?;
            transaction.pragma_update(None, "user_version", step.format)?;
        }
        transaction.commit()?;
    }
    Ok(())
}

/// The tables, indexes and what else a file has: the SQL of each by its kind and name. The statistics that
/// `ANALYZE` leaves are passed over: they may slow queries down and cannot make them wrong.
pub(crate) fn schema(
    connection: &Connection,
) -> rusqlite::Result<BTreeMap<(String, String), Option<String>>> {
    let mut statement = connection.prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_stat[0-9]'",
    )?;
    let entries = statement.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
    entries.collect()
}

/// The schema of the newest format, from making a store in memory.
pub(crate) fn newest_schema() -> rusqlite::Result<BTreeMap<(String, String), Option<String>>> {
    let mut connection = Connection::open_in_memory()?;
    let birth = Birth {
        secret: [0; 32],
        created_at: 0,
    };
    migrate(&mut connection, &birth)?;
    schema(&connection)
}
