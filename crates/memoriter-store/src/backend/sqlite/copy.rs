//! Copying a store into another file, as it is at one moment, while others write.
//!
//! SQLite copies page by page out of a read transaction, so that the copy is of one moment however long it takes; others
//! write into the log meanwhile. What is removed is overwritten before that, so that no page of the copy holds more than
//! rows do.

use std::path::Path;
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, ffi};

use super::fault::explain;
use super::file;
use super::keys::Keys;
use super::open::Access;
use super::pool::Pool;
use super::pragma::BUSY_TIMEOUT;
use super::snapshot::SqliteSnapshot;
use crate::error::StoreError;
use crate::store::{Copied, Snapshot, VerifyReport};

/// Pages that are copied at a time: 4 MiB, some milliseconds.
const STEP_PAGES: i32 = 1_024;

/// Writes a copy of what a snapshot sees.
pub(super) fn write_copy(
    moment: &SqliteSnapshot<'_>,
    to: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Copied, StoreError> {
    let to = std::path::absolute(to).map_err(|error| file::system("finding", to, &error))?;
    if to.symlink_metadata().is_ok() {
        return Err(StoreError::FileExists { path: to });
    }
    let unnamed = file::unnamed_beside(&to)?;
    copy_into_new(moment.connection(), &unnamed, progress)
        .map_err(|error| explain(&error, &to, "writing"))?;
    file::sync(&unnamed)?;
    let copied = Copied {
        bytes: file::length(&unnamed)?,
        head: moment.head()?,
        report: check_still(&unnamed, moment.view().keys)?,
    };
    file::give_name(unnamed, &to)?;
    Ok(copied)
}

/// Fills an empty file that nobody else uses. Nothing of it is of use until it is whole, so it needs no journal.
pub(super) fn copy_into_new(
    from: &Connection,
    path: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.pragma_update(None, "journal_mode", "off")?;
    connection.pragma_update(None, "synchronous", "off")?;
    copy_pages(from, &mut connection, progress)?;
    connection.close().map_err(|(_, error)| error)
}

/// Copies all pages of one database into another, in one transaction of each.
pub(super) fn copy_pages(
    from: &Connection,
    to: &mut Connection,
    progress: &mut dyn FnMut(u64, u64),
) -> rusqlite::Result<()> {
    const PAUSE: Duration = Duration::from_millis(10);
    let mut attempts_left = BUSY_TIMEOUT.as_millis() / PAUSE.as_millis();
    let backup = Backup::new(from, to)?;
    loop {
        let step = backup.step(STEP_PAGES)?;
        let pages = backup.progress();
        let count = |pages| u64::try_from(pages).unwrap_or(0);
        progress(
            count(pages.pagecount - pages.remaining),
            count(pages.pagecount),
        );
        match step {
            StepResult::Done => return Ok(()),
            StepResult::Busy | StepResult::Locked if attempts_left > 0 => {
                attempts_left -= 1;
                std::thread::sleep(PAUSE);
            }
            StepResult::Busy | StepResult::Locked => {
                let code = ffi::Error::new(ffi::SQLITE_BUSY);
                return Err(rusqlite::Error::SqliteFailure(code, None));
            }
            // The library of SQLite's may come to know more steps.
            StepResult::More | _ => {}
        }
    }
}

/// Checks a store that nobody writes to, and that has no log.
pub(super) fn check_still(path: &Path, keys: &Keys) -> Result<VerifyReport, StoreError> {
    let pool = Pool::new(path.to_owned(), Access::Still);
    SqliteSnapshot::begin(pool.take()?, keys)?.verify()
}
