//! Format 3: what a session has besides turns, how providers wrote messages, attachments, and what is pinned.
//!
//! A list of parts: each stands for one thing that is new.

use rusqlite::Transaction;

use super::Birth;

const PARTS: &[&str] = &[SESSIONS, BOARDS, CHECKPOINTS, SPANS, MESSAGES];

/// What a session has to do with long-term memory, and which session it goes on from.
const SESSIONS: &str = "
ALTER TABLE session ADD COLUMN mode TEXT;
ALTER TABLE session ADD COLUMN change INTEGER;
ALTER TABLE session ADD COLUMN forked_from INTEGER REFERENCES session (row);
ALTER TABLE session ADD COLUMN forked_turns INTEGER;
ALTER TABLE session ADD COLUMN forked_at BLOB;
";

/// The fields of boards, and what they were when a checkpoint was saved.
const BOARDS: &str = "
CREATE TABLE field (
    row INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (row),
    name TEXT NOT NULL,
    change INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    type TEXT NOT NULL,
    rule TEXT NOT NULL,
    owner TEXT,
    protected INTEGER NOT NULL,
    source_kind INTEGER,
    source BLOB,
    actor TEXT,
    at INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    value TEXT,
    UNIQUE (session, name)
) STRICT;
CREATE INDEX field_source ON field (source) WHERE source IS NOT NULL;

CREATE TABLE field_past (
    row INTEGER PRIMARY KEY,
    field INTEGER NOT NULL REFERENCES field (row),
    until INTEGER NOT NULL,
    change INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    type TEXT NOT NULL,
    rule TEXT NOT NULL,
    owner TEXT,
    protected INTEGER NOT NULL,
    source_kind INTEGER,
    source BLOB,
    actor TEXT,
    at INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    value TEXT,
    UNIQUE (field, change)
) STRICT;
CREATE INDEX field_past_source ON field_past (source) WHERE source IS NOT NULL;
";

/// States of runs. What they hold is stored once, however many checkpoints hold it.
const CHECKPOINTS: &str = "
CREATE TABLE checkpoint_data (
    row INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scope (row),
    hash BLOB NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (scope, hash)
) STRICT;

CREATE TABLE checkpoint (
    row INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (row),
    as_of INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data INTEGER NOT NULL REFERENCES checkpoint_data (row),
    parent BLOB,
    label TEXT,
    question TEXT,
    asked_for TEXT,
    answer TEXT,
    answered_by TEXT,
    answered_at INTEGER,
    at INTEGER NOT NULL,
    id BLOB NOT NULL UNIQUE,
    checksum BLOB NOT NULL
) STRICT;
CREATE INDEX checkpoint_session ON checkpoint (session, as_of);
CREATE INDEX checkpoint_held ON checkpoint (data);
";

/// What runs of turns came to.
const SPANS: &str = "
CREATE TABLE span (
    session INTEGER NOT NULL REFERENCES session (row),
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    checksum BLOB NOT NULL,
    items TEXT NOT NULL,
    PRIMARY KEY (session, first, last)
) STRICT, WITHOUT ROWID;
";

/// How a provider wrote a turn, what lies beside it, and since when a memory is pinned.
const MESSAGES: &str = "
ALTER TABLE turn ADD COLUMN written TEXT;
ALTER TABLE memory ADD COLUMN pinned_at INTEGER;

CREATE TABLE attachment (
    row INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL REFERENCES turn (row),
    media_type TEXT NOT NULL,
    name TEXT,
    bytes INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    id BLOB NOT NULL UNIQUE,
    checksum BLOB NOT NULL
) STRICT;
CREATE INDEX attachment_turn ON attachment (turn);

CREATE TABLE attachment_part (
    row INTEGER PRIMARY KEY,
    attachment INTEGER NOT NULL REFERENCES attachment (row),
    ordinal INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    checksum BLOB NOT NULL,
    UNIQUE (attachment, ordinal)
) STRICT;
";

pub(super) fn apply(transaction: &Transaction<'_>, _birth: &Birth) -> rusqlite::Result<()> {
    PARTS
        .iter()
        .try_for_each(|part| transaction.execute_batch(part))
}
