//! Connections for reading, handed out and taken back.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;

use super::open::reader;
use crate::error::StoreError;

/// Idle connections that are kept: as many as readers commonly run at once. More are opened on demand.
const IDLE_MAX: usize = 8;

/// The idle connections of one store.
pub(super) struct Pool {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Pool {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            idle: Mutex::new(Vec::new()),
        }
    }

    /// A connection outside of any transaction.
    pub(super) fn take(&self) -> Result<Reader<'_>, StoreError> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let connection = match idle {
            Some(connection) => connection,
            None => reader(&self.path)?,
        };
        Ok(Reader {
            pool: self,
            connection: Some(connection),
        })
    }

    fn put_back(&self, connection: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE_MAX {
            idle.push(connection);
        }
    }
}

/// A connection on loan. Ends its transaction and goes back when dropped.
pub(super) struct Reader<'a> {
    pool: &'a Pool,
    connection: Option<Connection>,
}

impl Reader<'_> {
    pub(super) fn connection(&self) -> &Connection {
        self.connection
            .as_ref()
            .expect("a reader has its connection until it is dropped")
    }

    pub(super) fn path(&self) -> &std::path::Path {
        &self.pool.path
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        let ended = connection.is_autocommit() || connection.execute_batch("ROLLBACK").is_ok();
        if ended {
            self.pool.put_back(connection);
        }
    }
}
