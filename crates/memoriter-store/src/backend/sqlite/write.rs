//! What each write does to the tables.

mod attachment;
mod erase;
mod extraction;
mod keys;
mod ledger;
mod memory;
mod session;
mod span;
mod turn;
mod vector;

use memoriter_core::id::ChangeNumber;
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use rusqlite::{Connection, OptionalExtension, ffi, params};

pub(super) use self::memory::source_columns;
use super::fault::Failure;
use super::head::read_head;
use super::keys::{Cover, Keys};
use super::view::View;
use crate::error::StoreError;
use crate::store::{Committed, Outcome, Write};

/// What a row of the shared tables belongs to; a key column, hence a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordKind {
    Memory = 0,
    Turn = 1,
    /// A field of a board: in the feed only.
    Field = 2,
    /// A session whose mode was set: in the feed only.
    Session = 3,
    /// Something that is gone for good: in the feed only.
    Erased = 4,
}

impl RecordKind {
    pub(super) fn code(self) -> i64 {
        self as i64
    }
}

/// The open write transaction of a group.
pub(super) struct Transaction<'c> {
    connection: &'c Connection,
    keys: &'c Keys,
    /// The newest change number that this transaction gave away.
    pub(super) head: ChangeNumber,
    stored_head: ChangeNumber,
}

impl<'c> Transaction<'c> {
    /// Takes the write lock, and with it the head: while the lock is held nobody else gives numbers.
    pub(super) fn begin(connection: &'c Connection, keys: &'c Keys) -> rusqlite::Result<Self> {
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let head = read_head(connection)?;
        // While the lock is held nobody else makes or destroys a key.
        keys.begin().map_err(|error| as_sql(&error))?;
        Ok(Self {
            connection,
            keys,
            head,
            stored_head: head,
        })
    }

    /// Applies one unit. After an error the tables hold some of it: the caller rolls back.
    pub(super) fn apply(&mut self, unit: &[Write]) -> Result<Committed, Failure> {
        let outcomes = unit
            .iter()
            .map(|write| self.apply_write(write))
            .collect::<Result<_, _>>()?;
        Ok(Committed {
            outcomes,
            head: self.head,
        })
    }

    /// Notes the head, if the group moved it.
    pub(super) fn store_head(&self) -> rusqlite::Result<()> {
        if self.head != self.stored_head {
            self.connection
                .prepare_cached("UPDATE head SET change = ?1")?
                .execute([signed(self.head)])?;
        }
        Ok(())
    }

    fn apply_write(&mut self, write: &Write) -> Result<Outcome, Failure> {
        match write {
            Write::AppendTurn(turn) => self.append_turn(turn).map(Outcome::Turn),
            Write::InsertMemory { memory, vector } => self
                .insert_memory(memory, vector.as_ref())
                .map(Outcome::Changed),
            Write::UpdateMemory { memory, read_at } => {
                self.update_memory(memory, *read_at).map(Outcome::Changed)
            }
            Write::PutVectors(vectors) => self.put_vectors(vectors),
            Write::MarkRecalled { ids, at } => self.mark_recalled(ids, *at),
            Write::RetireTurns { scope, ids, at } => self.retire_turns(scope, ids, *at),
            Write::QueueExtraction { turns, due_at } => Ok(self.queue_extraction(turns, *due_at)?),
            Write::SetExtraction(update) => self.set_extraction(update),
            Write::LogDecision(record) => Ok(self.log_decision(record)?),
            Write::Forget { scope, marks, at } => Ok(self.forget(scope, marks, *at)?),
            Write::PutSpan {
                scope,
                session,
                span,
                read_at,
            } => Ok(self.put_span((scope, session), span, *read_at)?),
            Write::CountUsage(row) => Ok(self.count_usage(row)?),
            Write::PutField { field, read_at } => self.put_field(field, *read_at),
            Write::SetMode {
                scope,
                session,
                mode,
            } => Ok(self.set_mode(scope, session, *mode)?),
            Write::SkipPositions {
                scope,
                session,
                turns,
            } => Ok(self.skip_positions((scope, session), *turns)?),
            Write::ForkSession(new) => self.fork(new),
            Write::SaveCheckpoint(new) => self.save(new),
            Write::Answer(new) => self.answer(new),
            Write::RemoveCheckpoints {
                scope,
                session,
                ids,
            } => Ok(self.remove_checkpoints((scope, session), ids)?),
            Write::Erase(erasure) => self.erase(erasure),
            Write::PutReceipt { receipt, over } => self.put_receipt(receipt, *over),
            Write::Audit(line) => Ok(self.audit(line)?),
        }
    }

    pub(super) fn connection(&self) -> &Connection {
        self.connection
    }

    /// The connection with the keys.
    fn view(&self) -> View<'c> {
        View {
            connection: self.connection,
            keys: self.keys,
        }
    }

    /// How content of a scope is to be written. Where it has no key, one is made.
    fn cover(&self, scope: &Scope) -> Cover {
        self.keys.of_or_new(&scope.to_json())
    }

    /// Makes the keys durable that the transaction has made, before what they encrypt is.
    pub(super) fn keep_keys(&self) -> rusqlite::Result<()> {
        self.keys.keep().map_err(|error| as_sql(&error))
    }

    fn next_change(&mut self) -> ChangeNumber {
        self.head = ChangeNumber(self.head.0 + 1);
        self.head
    }

    /// The row of a scope, which is made when it is not there.
    fn scope_row(&self, scope: &Scope) -> rusqlite::Result<i64> {
        let path = scope.to_json();
        match find_scope(self.connection, &path)? {
            Some(row) => Ok(row),
            None => self
                .connection
                .prepare_cached("INSERT INTO scope (path) VALUES (?1)")?
                .insert([path]),
        }
    }

    fn add_to_feed(&self, entry: FeedEntry) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO feed (scope, change, kind, record) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![
                entry.scope,
                signed(entry.change),
                entry.kind.code(),
                entry.row
            ])?;
        Ok(())
    }

    /// Moves a record to the end of the feed: it is listed at its last change only.
    fn move_in_feed(&self, entry: FeedEntry, from: i64) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("DELETE FROM feed WHERE scope = ?1 AND change = ?2")?
            .execute([entry.scope, from])?;
        self.add_to_feed(entry)
    }
}

/// An error of the keys file as one of the store: it ends the transaction.
fn as_sql(error: &StoreError) -> rusqlite::Error {
    let code = if matches!(error, StoreError::Full { .. }) {
        ffi::SQLITE_FULL
    } else {
        ffi::SQLITE_IOERR
    };
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), Some(error.to_string()))
}

/// One line of the feed.
#[derive(Clone, Copy)]
struct FeedEntry {
    scope: i64,
    change: ChangeNumber,
    kind: RecordKind,
    row: i64,
}

/// The row of the scope with this canonical text.
pub(super) fn find_scope(connection: &Connection, path: &str) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT row FROM scope WHERE path = ?1")?
        .query_row([path], |row| row.get(0))
        .optional()
}

/// The row of a session.
pub(super) fn find_session(
    connection: &Connection,
    scope: &Scope,
    name: &SessionName,
) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached(
            "SELECT session.row FROM scope JOIN session ON session.scope = scope.row
            WHERE scope.path = ?1 AND session.name = ?2",
        )?
        .query_row(params![scope.to_json(), name.as_str()], |row| row.get(0))
        .optional()
}

/// SQLite's integers are signed; a store that gives a million numbers a second reaches the end in 290,000
/// years.
pub(super) fn signed(change: ChangeNumber) -> i64 {
    i64::try_from(change.0).unwrap_or(i64::MAX)
}
