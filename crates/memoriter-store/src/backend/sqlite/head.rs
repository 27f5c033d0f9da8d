//! The newest change number, for microseconds.

use std::sync::{Mutex, PoisonError};

use memoriter_core::id::ChangeNumber;
use rusqlite::Connection;

/// Knows the head as of the last time the file changed.
pub(super) struct HeadWatch(Mutex<Watched>);

struct Watched {
    connection: Connection,
    /// What SQLite counts up when another connection commits, and the head at that count.
    known: Option<(i64, ChangeNumber)>,
}

impl HeadWatch {
    /// Takes a connection that is used for nothing else.
    pub(super) fn new(connection: Connection) -> Self {
        Self(Mutex::new(Watched {
            connection,
            known: None,
        }))
    }

    /// The head at this moment.
    pub(super) fn get(&self) -> rusqlite::Result<ChangeNumber> {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let version = watched
            .connection
            .prepare_cached("PRAGMA data_version")?
            .query_row([], |row| row.get(0))?;
        match watched.known {
            Some((known, head)) if known == version => Ok(head),
            Some(_) | None => {
                // Read after the version: if a commit falls between the two, the next call reads again.
                let head = read_head(&watched.connection)?;
                watched.known = Some((version, head));
                Ok(head)
            }
        }
    }
}

/// Reads the head in whatever transaction the connection is in.
pub(super) fn read_head(connection: &Connection) -> rusqlite::Result<ChangeNumber> {
    connection
        .prepare_cached("SELECT change FROM head")?
        .query_row([], |row| {
            let change: i64 = row.get(0)?;
            u64::try_from(change)
                .map(ChangeNumber)
                .map_err(|_| rusqlite::Error::IntegralValueOutOfRange(0, change))
        })
}
