//! Reads end, whatever the file holds.
//!
//! A flipped bit can lead a scan back to where it was, or a walk by pages to a page before: SQLite guards against
//! deep trees, not against keys out of order. So scans insist that keys grow, and a connection stops when it has
//! done more work than its file can give.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;

/// Instructions of SQLite's virtual machine between two looks at the bound: a few milliseconds.
const STRIDE: u32 = 1_000_000;
/// Instructions that a page of the file can be worth: 50 records, of which a full check takes some 2,000 each.
const INSTRUCTIONS_PER_PAGE: u64 = 100_000;
const PAGE_BYTES: u64 = 4_096;
/// Pages that may be in the log and not yet in the file.
const LOG_PAGES: u64 = 16_000;

/// How much a reading connection may still do.
pub(super) struct Bound {
    strides_left: Arc<AtomicU64>,
    strides_full: u64,
}

impl Bound {
    /// Puts a bound on the connection. It allows nothing until it is measured and renewed.
    pub(super) fn install(connection: &mut Connection) -> rusqlite::Result<Self> {
        let strides_left = Arc::new(AtomicU64::new(0));
        let bound = Self {
            strides_left: Arc::clone(&strides_left),
            strides_full: 0,
        };
        let is_over = move || {
            let spent = strides_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            });
            spent.is_err()
        };
        connection.progress_handler(i32::try_from(STRIDE).unwrap_or(i32::MAX), Some(is_over))?;
        Ok(bound)
    }

    /// Takes the measure of the file at `path`.
    pub(super) fn measure(&mut self, path: &Path) {
        let pages = path.metadata().map_or(0, |file| file.len() / PAGE_BYTES) + LOG_PAGES;
        self.strides_full = pages.saturating_mul(INSTRUCTIONS_PER_PAGE) / u64::from(STRIDE);
    }

    /// Allows as much again as the file can be worth.
    pub(super) fn renew(&self) {
        self.strides_left
            .store(self.strides_full, Ordering::Relaxed);
    }
}

/// Sees to it that the keys of a scan grow. SQLite finds the first key above a bound by halving: in a tree whose
/// keys are out of order it may find one below.
pub(super) struct Growing<K = i64>(K);

impl<K: Ord> Growing<K> {
    /// Every key must be above `bound`.
    pub(super) fn above(bound: K) -> Self {
        Self(bound)
    }

    /// Takes the next key.
    ///
    /// # Errors
    /// As SQLite's own for a damaged file, when the key is not above the one before.
    pub(super) fn next(&mut self, key: K) -> rusqlite::Result<()> {
        if key <= self.0 {
            let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
            return Err(rusqlite::Error::SqliteFailure(
                code,
                Some("a scan goes in circles".into()),
            ));
        }
        self.0 = key;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_end_is_stopped() {
        let mut connection = Connection::open_in_memory().unwrap();
        let mut bound = Bound::install(&mut connection).unwrap();
        let endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT ?1) SELECT count(*) FROM n";
        let count = |limit: i64| connection.query_row(endless, [limit], |row| row.get::<_, i64>(0));
        assert!(count(2_000_000).is_err(), "nothing is allowed yet");
        bound.measure(Path::new(""));
        bound.renew();
        assert_eq!(count(2_000_000).unwrap(), 2_000_000);
        bound.strides_full = 3;
        bound.renew();
        assert!(count(-1).is_err());
    }

    #[test]
    fn keys_must_grow() {
        let mut growing = Growing::above(-6);
        assert!(growing.next(-6).is_err() && growing.next(-5).is_ok() && growing.next(7).is_ok());
        assert!(growing.next(7).is_err() && growing.next(6).is_err());
        assert!(growing.next(8).is_ok());
    }
}
