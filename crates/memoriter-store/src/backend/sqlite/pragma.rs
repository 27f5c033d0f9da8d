//! How every connection is set up.

use std::time::Duration;

use rusqlite::Connection;
use rusqlite::config::DbConfig;

/// How long a lock of another process is waited for; longer than any transaction of ours.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Prepared statements kept per connection: more than there are different ones.
const STATEMENTS_CACHED: usize = 64;
/// Pages in the write-ahead log that start a checkpoint: 64 MiB. SQLite's default of 1,000 makes every
/// few hundred commits wait for one (p99 6 to 30 ms, measured).
const CHECKPOINT_PAGES: u32 = 16_000;
/// Page cache of the writer in KiB: the inner pages and index pages of a million records.
const WRITER_CACHE_KIB: i32 = 16 * 1024;

/// Page cache of a reader in KiB: the rows of ten thousand records. SQLite's default of 2,000 holds a third of them.
const READER_CACHE_KIB: i32 = 6 * 1024;

/// The part that readers and the writer have in common.
///
/// The file may come from anywhere: nothing in its schema is trusted to run functions, cell sizes are
/// checked, and the process never maps it. Deleted content is overwritten with zeros; temporary data stays in
/// memory, so no copy of text is left in a temporary file.
pub(super) fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_CACHED);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // Plans must not depend on bound values: otherwise, with the statistics that the bundled SQLite is built
    // for, each new value throws the prepared statement away.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "mmap_size", 0)?;
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// What only the writer needs.
pub(super) fn configure_writer(
    connection: &Connection,
    pages_max: Option<u32>,
) -> rusqlite::Result<()> {
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "cache_size", -WRITER_CACHE_KIB)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    if let Some(pages) = pages_max {
        connection.pragma_update(None, "max_page_count", pages)?;
    }
    Ok(())
}

/// What only readers need.
pub(super) fn configure_reader(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "cache_size", -READER_CACHE_KIB)?;
    connection.pragma_update(None, "query_only", true)
}
