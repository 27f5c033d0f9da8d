//! The format of the store file, and the way from each released format to the newest.
//!
//! The steps that a file lacks are one transaction, and each is applied at most once: a process that dies in the
//! middle, or two that start together, leave a file at the format that it had or at the newest. Steps are only ever appended; the SQL of a released
//! step never changes (`tests/fixtures` holds a file of each). `docs/format.md` describes the newest.

mod v0001;
mod v0002;
mod v0003;
mod v0004;
mod v0005;

use std::collections::BTreeMap;

use rusqlite::{Connection, Transaction, TransactionBehavior};

/// Marks a file as a store: "memo" in ASCII, kept in the SQLite header.
pub(crate) const APPLICATION_ID: i32 = 0x6d65_6d6f;
/// The format of the file that this program writes, and the newest that it reads.
pub const FORMAT: u32 = 5;

/// What a new store is made with.
pub(crate) struct Birth {
    /// Key for ids derived from content.
    pub(crate) secret: [u8; 32],
    /// Microseconds since 1970.
    pub(crate) created_at: i64,
    /// The id of its keys file, where it is to be encrypted.
    pub(crate) keys: Option<[u8; 16]>,
}

struct Step {
    format: u32,
    apply: fn(&Transaction<'_>, &Birth) -> rusqlite::Result<()>,
}

const STEPS: &[Step] = &[
    Step {
        format: 1,
        apply: v0001::apply,
    },
    Step {
        format: 2,
        apply: v0002::apply,
    },
    Step {
        format: 3,
        apply: v0003::apply,
    },
    Step {
        format: 4,
        apply: v0004::apply,
    },
    Step {
        format: 5,
        apply: v0005::apply,
    },
];

/// The format of an open file; 0 when nothing was written yet.
pub(crate) fn format(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Brings an open file to [`FORMAT`]: all steps or none.
pub(crate) fn migrate(connection: &mut Connection, birth: &Birth) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have made the steps while this one waited for the lock.
    let found = format(&transaction)?;
    for step in STEPS.iter().filter(|step| step.format > found) {
        (step.apply)(&transaction, birth)?;
        transaction.pragma_update(None, "user_version", step.format)?;
    }
    if let (0, Some(keys)) = (found, birth.keys) {
        transaction.execute("UPDATE store SET keys = ?1", [keys])?;
    }
    transaction.commit()
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
        keys: None,
    };
    migrate(&mut connection, &birth)?;
    schema(&connection)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    const BIRTH: Birth = Birth {
        secret: [7; 32],
        created_at: 0,
        keys: None,
    };

    /// Instructions between two cuts: a prime, so that cuts fall everywhere, and some hundred of them into a migration.
    const STRIDE: usize = 67;

    /// Brings a file to the newest format, stopped after so many instructions, and says whether it got there.
    fn migrate_for(path: &Path, instructions: u64) -> bool {
        let mut connection = Connection::open(path).unwrap();
        let left = AtomicU64::new(instructions);
        let is_over = move || {
            let spent = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            });
            spent.is_err()
        };
        connection.progress_handler(1, Some(is_over)).unwrap();
        migrate(&mut connection, &BIRTH).is_ok()
    }

    /// Makes a file of an older format.
    fn make(path: &Path, format: u32) {
        let connection = Connection::open(path).unwrap();
        let transaction = connection.unchecked_transaction().unwrap();
        for step in STEPS.iter().filter(|step| step.format <= format) {
            (step.apply)(&transaction, &BIRTH).unwrap();
        }
        transaction
            .pragma_update(None, "user_version", format)
            .unwrap();
        transaction.commit().unwrap();
    }

    /// Cuts the migration of files of `old` format off at every so many instructions.
    fn check(old: u32) {
        let folder = tempfile::tempdir().unwrap();
        let original = folder.path().join("original");
        make(&original, old);
        let old_schema = schema(&Connection::open(&original).unwrap()).unwrap();
        let path = folder.path().join("cut");
        let mut cuts = 0;
        for instructions in (0..).step_by(STRIDE) {
            fs_err::copy(&original, &path).unwrap();
            let is_done = migrate_for(&path, instructions);
            let connection = Connection::open(&path).unwrap();
            // A cut between the commit and its answer is an error of a migration that is done.
            let is_committed = format(&connection).unwrap() == FORMAT;
            if is_done || is_committed {
                assert_eq!(format(&connection).unwrap(), FORMAT);
                assert_eq!(schema(&connection).unwrap(), newest_schema().unwrap());
            } else {
                assert_eq!(format(&connection).unwrap(), old);
                assert_eq!(schema(&connection).unwrap(), old_schema);
            }
            if is_done {
                break;
            }
            drop(connection);
            assert!(migrate_for(&path, u64::MAX), "it is taken up again");
            cuts += 1;
        }
        assert!(cuts > 10, "the migration from {old} was cut {cuts} times");
    }

    #[test]
    fn a_migration_that_is_cut_off_anywhere_leaves_the_format_that_was() {
        for old in 0..FORMAT {
            check(old);
        }
    }
}
