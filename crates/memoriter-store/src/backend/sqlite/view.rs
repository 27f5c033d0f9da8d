//! A connection, and the keys that open what it reads.

use std::ops::Deref;

use rusqlite::Connection;

use super::keys::Keys;

/// What reads rows.
#[derive(Clone, Copy)]
pub(super) struct View<'c> {
    pub(super) connection: &'c Connection,
    pub(super) keys: &'c Keys,
}

impl Deref for View<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}
