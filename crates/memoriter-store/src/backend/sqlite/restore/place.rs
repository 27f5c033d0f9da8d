//! The place that a backup goes into, and what stands there.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};
use tempfile::TempPath;

use super::super::fault::explain;
use super::super::file::Standing;
use super::super::open::{self, Access};
use super::super::pragma::{BUSY_TIMEOUT, configure_writer};
use super::{InPlace, SqliteOptions, copy, copy_into_new, file, words};
use crate::error::StoreError;

/// A place that nobody else writes to.
pub(super) struct Place {
    path: PathBuf,
    what: What,
}

enum What {
    Nothing,
    /// The store, by the only connection that there is: others find the file in use until it is closed.
    Store {
        connection: Connection,
        secret: [u8; 32],
    },
    Damaged(String),
}

impl Place {
    /// Looks at what is there, and keeps others from it.
    pub(super) fn take(path: PathBuf, options: &SqliteOptions<'_>) -> Result<Self, StoreError> {
        let what = match look(&path, options) {
            Err(StoreError::Damaged { why, .. }) => What::Damaged(why),
            what => what?,
        };
        let place = Self { path, what };
        if let Some(aside) = place.aside()
            && place.path.exists()
            && aside.exists()
        {
            return Err(StoreError::FileExists { path: aside });
        }
        Ok(place)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn found(&self) -> InPlace {
        match &self.what {
            What::Nothing => InPlace::Nothing,
            What::Store { .. } => InPlace::Store,
            What::Damaged(why) => InPlace::Damaged(why.clone()),
        }
    }

    pub(super) fn secret(&self) -> Option<&[u8; 32]> {
        match &self.what {
            What::Store { secret, .. } => Some(secret),
            What::Nothing | What::Damaged(_) => None,
        }
    }

    pub(super) fn store(&self) -> Option<&Connection> {
        match &self.what {
            What::Store { connection, .. } => Some(connection),
            What::Nothing | What::Damaged(_) => None,
        }
    }

    pub(super) fn aside(&self) -> Option<PathBuf> {
        match self.what {
            What::Damaged(_) => Some(file::aside(&self.path)),
            What::Nothing | What::Store { .. } => None,
        }
    }

    /// Puts the content of a database into the place.
    pub(super) fn fill(
        &mut self,
        from: &Connection,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(), StoreError> {
        match &mut self.what {
            What::Store { connection, .. } => {
                // One transaction of the file. Its log is what a process that is killed leaves, whole or without an end.
                copy::copy_pages(from, connection, progress)
                    .and_then(|()| cut_log(connection))
                    .map_err(|error| explain(&error, &self.path, "writing"))
            }
            What::Nothing => put_new(from, &self.path, progress),
            What::Damaged(_) => {
                file::put_aside(&self.path)?;
                put_new(from, &self.path, progress)
            }
        }
    }
}

/// Sees to it that no copy of what was there stays in the log.
fn cut_log(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    connection.query_row(sql, [], |_| Ok(()))
}

/// Makes a file that has its name once it is whole.
fn put_new(
    from: &Connection,
    path: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), StoreError> {
    let whole = file::whole(path);
    file::create(&whole)?;
    let unnamed =
        TempPath::try_from_path(&whole).map_err(|error| file::system("making", &whole, &error))?;
    copy_into_new(from, &unnamed, progress).map_err(|error| explain(&error, path, "writing"))?;
    file::sync(&unnamed)?;
    file::clear_empty(path)?;
    file::give_name(unnamed, path)
}

fn look(path: &Path, options: &SqliteOptions<'_>) -> Result<What, StoreError> {
    match file::inspect(path)? {
        Standing::Nothing => {
            file::make_folder_of(path)?;
            return Ok(What::Nothing);
        }
        Standing::Something => open::recognise(path)?,
    }
    // Brings it to the newest format, so that its rows can be read as ours are.
    let opened = open::open_to_write(path.to_owned(), options).map_err(as_damage)?;
    drop(opened);
    let connection = take_alone(path, options)?;
    let secret = open::secret(&connection).map_err(|error| explain(&error, path, "reading"))?;
    Ok(What::Store { connection, secret })
}

/// What the system says of a file that is ours by its header and cannot be read is damage to it.
fn as_damage(error: StoreError) -> StoreError {
    if let StoreError::System { doing, why } = error {
        return StoreError::Damaged { place: doing, why };
    }
    error
}

/// The only connection to a store.
fn take_alone(path: &Path, options: &SqliteOptions<'_>) -> Result<Connection, StoreError> {
    const PAUSE: Duration = Duration::from_millis(10);
    let mut attempts_left = BUSY_TIMEOUT.as_millis() / PAUSE.as_millis();
    loop {
        match try_alone(path, options) {
            Ok(connection) => return Ok(connection),
            Err(error) if is_busy(&error) && attempts_left > 0 => {
                attempts_left -= 1;
                std::thread::sleep(PAUSE);
            }
            Err(error) if is_busy(&error) => {
                return Err(StoreError::InUse {
                    path: path.to_owned(),
                });
            }
            Err(error) => {
                return Err(StoreError::Damaged {
                    place: path.display().to_string(),
                    why: words(&error),
                });
            }
        }
    }
}

fn try_alone(path: &Path, options: &SqliteOptions<'_>) -> rusqlite::Result<Connection> {
    let connection = open::connect_as(path, Access::Shared)?;
    // Whoever calls waits.
    connection.busy_timeout(Duration::ZERO)?;
    // Before the first read, so that the index of the log is in memory, and the file is ours from then on.
    connection.pragma_update(None, "locking_mode", "exclusive")?;
    configure_writer(&connection, options.pages_max)?;
    connection.execute_batch("BEGIN IMMEDIATE; COMMIT")?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}
