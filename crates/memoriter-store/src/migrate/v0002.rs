//! Format 2: the books of the write path, turns that are out of use, and how attempts went.

use rusqlite::Transaction;

use super::Birth;

const SCHEMA: &str = "
ALTER TABLE turn ADD COLUMN retired_at INTEGER;
ALTER TABLE memory ADD COLUMN told_to INTEGER;
ALTER TABLE memory ADD COLUMN told_to_offset INTEGER;
ALTER TABLE memory ADD COLUMN outcome TEXT;
ALTER TABLE memory ADD COLUMN goal TEXT;
ALTER TABLE memory ADD COLUMN lesson TEXT;

CREATE TABLE extraction (
    turn INTEGER PRIMARY KEY REFERENCES turn (row),
    scope INTEGER NOT NULL REFERENCES scope (row),
    session INTEGER NOT NULL REFERENCES session (row),
    state TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    error TEXT,
    finished_at INTEGER
) STRICT;
CREATE INDEX extraction_due ON extraction (due_at, session) WHERE state = 'queued';
CREATE INDEX extraction_state ON extraction (scope, state);

CREATE TABLE decision (
    row INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scope (row),
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    reason TEXT NOT NULL,
    memory BLOB,
    supersedes BLOB,
    source_kind INTEGER,
    source BLOB,
    made_by TEXT
) STRICT;
CREATE INDEX decision_scope ON decision (scope);

CREATE TABLE decision_change (
    decision INTEGER NOT NULL REFERENCES decision (row),
    memory BLOB NOT NULL,
    state TEXT NOT NULL,
    status TEXT NOT NULL,
    trust INTEGER NOT NULL,
    valid_to INTEGER,
    valid_to_offset INTEGER,
    retired_at INTEGER,
    supersedes BLOB,
    superseded_by BLOB,
    version INTEGER NOT NULL,
    last_confirmed_at INTEGER,
    confirmations INTEGER NOT NULL,
    PRIMARY KEY (decision, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstone (
    scope INTEGER NOT NULL REFERENCES scope (row),
    mark BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (scope, mark)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage (
    day INTEGER NOT NULL,
    purpose TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    PRIMARY KEY (day, purpose)
) STRICT, WITHOUT ROWID;
";

pub(super) fn apply(transaction: &Transaction<'_>, _birth: &Birth) -> rusqlite::Result<()> {
    transaction.execute_batch(SCHEMA)
}
