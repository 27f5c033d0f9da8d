//! Format 4: forgetting for good.
//!
//! A list of parts: each stands for one thing that is new.

use rusqlite::Transaction;

use super::Birth;

const PARTS: &[&str] = &[ERASED_TURNS, RECEIPTS, AUDIT];

/// How many turns of a session were erased, and the position below which none is given again.
const ERASED_TURNS: &str = "
ALTER TABLE session ADD COLUMN erased_turns INTEGER;
ALTER TABLE session ADD COLUMN next_position INTEGER;
";

/// What was erased, in numbers, signed.
const RECEIPTS: &str = "
CREATE TABLE receipt (
    row INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    touched_at INTEGER NOT NULL,
    counts TEXT NOT NULL,
    body TEXT NOT NULL,
    id BLOB NOT NULL UNIQUE
) STRICT;
CREATE INDEX receipt_open ON receipt (row) WHERE state IN ('begun', 'pending', 'failed');
";

/// Who did what, each line bound to the one before; and where the chain ends.
const AUDIT: &str = "
CREATE TABLE audit (
    row INTEGER PRIMARY KEY,
    line TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;

CREATE TABLE audit_end (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    lines INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
";

pub(super) fn apply(transaction: &Transaction<'_>, _birth: &Birth) -> rusqlite::Result<()> {
    PARTS
        .iter()
        .try_for_each(|part| transaction.execute_batch(part))
}
