//! Format 1: the first.

use rusqlite::{Transaction, params};

use super::Birth;

const SCHEMA: &str = "
CREATE TABLE store (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    secret BLOB NOT NULL CHECK (length(secret) = 32),
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE head (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    change INTEGER NOT NULL
) STRICT;

CREATE TABLE scope (
    row INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE session (
    row INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scope (row),
    name TEXT NOT NULL,
    UNIQUE (scope, name)
) STRICT;

CREATE TABLE turn (
    row INTEGER PRIMARY KEY,
    change INTEGER NOT NULL,
    session INTEGER NOT NULL REFERENCES session (row),
    position INTEGER NOT NULL,
    role TEXT NOT NULL,
    speaker TEXT,
    content TEXT NOT NULL,
    tool_calls TEXT,
    tool_call_id TEXT,
    origin TEXT NOT NULL,
    at INTEGER NOT NULL,
    at_offset INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    id BLOB NOT NULL UNIQUE,
    checksum BLOB NOT NULL,
    UNIQUE (session, position)
) STRICT;

CREATE TABLE memory (
    row INTEGER PRIMARY KEY,
    change INTEGER NOT NULL,
    kind TEXT NOT NULL,
    category TEXT,
    entity TEXT,
    attribute TEXT,
    cardinality TEXT,
    value TEXT,
    statement TEXT NOT NULL,
    state TEXT NOT NULL,
    tier TEXT NOT NULL,
    importance INTEGER NOT NULL,
    confidence REAL NOT NULL,
    status TEXT NOT NULL,
    origin TEXT NOT NULL,
    trust INTEGER NOT NULL,
    actor TEXT,
    valid_from INTEGER NOT NULL,
    valid_from_offset INTEGER NOT NULL,
    valid_to INTEGER,
    valid_to_offset INTEGER,
    retired_at INTEGER,
    expires_at INTEGER,
    last_recalled_at INTEGER,
    recall_count INTEGER NOT NULL,
    last_confirmed_at INTEGER,
    confirmations INTEGER NOT NULL,
    supersedes BLOB,
    superseded_by BLOB,
    version INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    place BLOB NOT NULL,
    checksum BLOB NOT NULL,
    scope INTEGER NOT NULL REFERENCES scope (row),
    recorded_at INTEGER NOT NULL,
    id BLOB NOT NULL UNIQUE
) STRICT;
CREATE UNIQUE INDEX memory_place ON memory (scope, place) WHERE state = 'live';
CREATE INDEX memory_key ON memory (scope, entity, attribute) WHERE entity IS NOT NULL;

CREATE TABLE source (
    memory INTEGER NOT NULL REFERENCES memory (row),
    ordinal INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    record BLOB NOT NULL,
    quote TEXT NOT NULL,
    PRIMARY KEY (memory, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_record ON source (record);

CREATE TABLE model (
    row INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL
) STRICT;

CREATE TABLE embedding (
    scope INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    record INTEGER NOT NULL,
    model INTEGER REFERENCES model (row),
    scale REAL,
    codes BLOB,
    checksum BLOB,
    PRIMARY KEY (scope, kind, record)
) STRICT, WITHOUT ROWID;

CREATE TABLE feed (
    scope INTEGER NOT NULL,
    change INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    record INTEGER NOT NULL,
    PRIMARY KEY (scope, change)
) STRICT, WITHOUT ROWID;
";

pub(super) fn apply(transaction: &Transaction<'_>, birth: &Birth) -> rusqlite::Result<()> {
    transaction.execute_batch(SCHEMA)?;
    transaction.execute("INSERT INTO head (one, change) VALUES (1, 0)", [])?;
    transaction.execute(
        "INSERT INTO store (one, secret, created_at) VALUES (1, ?1, ?2)",
        params![birth.secret, birth.created_at],
    )?;
    Ok(())
}
