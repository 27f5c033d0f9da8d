//! Format 5: content may be encrypted.
//!
//! A store says which keys file it belongs to, and every table with texts has a column for what is encrypted of a row.

use rusqlite::Transaction;

use super::Birth;

const SCHEMA: &str = "
ALTER TABLE store ADD COLUMN keys BLOB;
ALTER TABLE memory ADD COLUMN cipher BLOB;
ALTER TABLE turn ADD COLUMN cipher BLOB;
ALTER TABLE attachment ADD COLUMN cipher BLOB;
ALTER TABLE field ADD COLUMN cipher BLOB;
ALTER TABLE field_past ADD COLUMN cipher BLOB;
ALTER TABLE checkpoint ADD COLUMN cipher BLOB;
ALTER TABLE span ADD COLUMN cipher BLOB;
ALTER TABLE extraction ADD COLUMN cipher BLOB;
";

pub(super) fn apply(transaction: &Transaction<'_>, _birth: &Birth) -> rusqlite::Result<()> {
    transaction.execute_batch(SCHEMA)
}
