//! Connections for reading, handed out and taken back.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;

use super::bound::Bound;
use super::fault::explain;
use super::open::{Access, reader};
use crate::error::StoreError;

/// Idle connections that are kept: as many as readers commonly run at once. More are opened on demand.
const IDLE_MAX: usize = 8;

/// The idle connections of one store.
pub(super) struct Pool {
    path: PathBuf,
    access: Access,
    idle: Mutex<Vec<Bounded>>,
}

impl Pool {
    pub(super) fn new(path: PathBuf, access: Access) -> Self {
        Self {
            path,
            access,
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
        let mut bounded = match idle {
            Some(bounded) => bounded,
            None => self.connect()?,
        };
        bounded.bound.measure(&self.path);
        Ok(Reader {
            pool: self,
            bounded: Some(bounded),
        })
    }

    fn connect(&self) -> Result<Bounded, StoreError> {
        let mut connection = reader(&self.path, self.access)?;
        let bound = Bound::install(&mut connection)
            .map_err(|error| explain(&error, &self.path, "reading"))?;
        Ok(Bounded { connection, bound })
    }

    fn put_back(&self, bounded: Bounded) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE_MAX {
            idle.push(bounded);
        }
    }
}

/// A connection and how much it may do.
struct Bounded {
    connection: Connection,
    bound: Bound,
}

/// A connection on loan. Ends its transaction and goes back when dropped.
pub(super) struct Reader<'a> {
    pool: &'a Pool,
    bounded: Option<Bounded>,
}

impl Reader<'_> {
    /// The connection, allowed to do as much as one operation can need.
    pub(super) fn connection(&self) -> &Connection {
        let bounded = self
            .bounded
            .as_ref()
            .expect("a reader has its connection until it is dropped");
        bounded.bound.renew();
        &bounded.connection
    }

    pub(super) fn path(&self) -> &std::path::Path {
        &self.pool.path
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        let Some(bounded) = self.bounded.take() else {
            return;
        };
        let end = |connection: &Connection| connection.prepare_cached("ROLLBACK")?.execute([]);
        let ended = bounded.connection.is_autocommit() || end(&bounded.connection).is_ok();
        if ended {
            self.pool.put_back(bounded);
        }
    }
}
