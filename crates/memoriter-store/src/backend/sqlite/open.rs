//! Making, recognising and opening a file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, MAIN_DB, OpenFlags};

use super::SqliteOptions;
use super::fault::explain;
use super::file::{self, Standing};
use super::header::{self, Header};
use super::keys::{Keys, KeysFile, StoreId};
use super::pragma::{BUSY_TIMEOUT, configure, configure_reader, configure_writer};
use crate::error::StoreError;
use crate::migrate::{APPLICATION_ID, Birth, FORMAT, format, migrate};

/// The oldest SQLite that is used: older ones can lose a commit when a checkpoint and a write meet
/// (fixed in 3.51.3).
const SQLITE_VERSION_MIN: i32 = 3_051_003;
/// Bytes of a page.
pub(super) const PAGE_BYTES: u64 = 4_096;

/// A file ready to be used.
pub(super) struct Opened {
    /// Its absolute path.
    pub(super) path: PathBuf,
    /// The connection of the writer; `None` where the file can only be read.
    pub(super) writer: Option<Connection>,
    /// How readers connect.
    pub(super) access: Access,
    /// The store's secret, and the keys of an encrypted one.
    pub(super) keys: Keys,
}

/// How a connection gets at the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// With others that may write, in a folder that can be written to.
    Shared,
    /// By way of the log and its index that are there; neither can be made.
    ReadOnly,
    /// As a file that nobody writes to: without locks, log and companions.
    Still,
}

/// Opens the store at `path` or makes it.
pub(super) fn open(path: &Path, options: &SqliteOptions<'_>) -> Result<Opened, StoreError> {
    let path = absolute(path)?;
    match file::inspect(&path)? {
        Standing::Nothing => file::create(&path)?,
        Standing::Something => recognise(&path)?,
    }
    open_to_write(path, options)
}

/// Opens the store that is at `path`, for reading alone where it cannot be written to.
pub(super) fn open_existing(
    path: &Path,
    options: &SqliteOptions<'_>,
) -> Result<Opened, StoreError> {
    let path = absolute(path)?;
    match file::inspect(&path)? {
        Standing::Nothing => return Err(StoreError::NoStore { path }),
        Standing::Something => recognise(&path)?,
    }
    match open_to_write(path.clone(), options) {
        Err(StoreError::ReadOnly { .. } | StoreError::UnreadLog { .. }) => {
            open_to_read(path, options)
        }
        opened => opened,
    }
}

pub(super) fn absolute(path: &Path) -> Result<PathBuf, StoreError> {
    assert!(
        rusqlite::version_number() >= SQLITE_VERSION_MIN,
        "the SQLite in this program is too old"
    );
    std::path::absolute(path).map_err(|error| file::system("finding", path, &error))
}

pub(super) fn open_to_write(
    path: PathBuf,
    options: &SqliteOptions<'_>,
) -> Result<Opened, StoreError> {
    let had_log = file::has_log(&path);
    let mut connection = connect(&path, Access::Shared, "opening")?;
    let failed = |error: rusqlite::Error| explain_opening(&error, &path);
    // SQLite opens what it may not write to for reading. A read of it would leave companions behind.
    if connection.is_readonly(MAIN_DB).map_err(failed)? {
        return Err(StoreError::ReadOnly { path });
    }
    refuse_newer(&connection, &path)?;
    if !had_log {
        // There is nothing to write back, and the log that was made to look at the file goes again.
        write_back(&connection).map_err(failed)?;
    }
    let keys = match format(&connection).map_err(failed)? {
        0 => new_keys(&path, options)?,
        _ => None,
    };
    let is_new = keys.is_some();
    // A wrong key touches nothing.
    let known = read_keys(&connection, &path, options)?;
    write_back(&connection).map_err(failed)?;
    file::restrict(&path);
    configure_writer(&connection, options.pages_max).map_err(failed)?;
    prepare(&mut connection, options, keys).map_err(failed)?;
    // What a restore that was killed has left. One that goes on has the store for itself, and nobody comes here.
    file::clear_staged(&path);
    file::restrict(&path);
    let keys = match known {
        Some(keys) => keys,
        None => read_keys(&connection, &path, options)?.ok_or_else(|| explain_nothing(&path))?,
    };
    if is_new && !keys.is_encrypted() {
        return Err(StoreError::NotEncrypted { path });
    }
    Ok(Opened {
        path,
        writer: Some(connection),
        access: Access::Shared,
        keys,
    })
}

/// Closing writes the log back into the file again.
fn write_back(connection: &Connection) -> rusqlite::Result<()> {
    connection
        .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
        .map(drop)
}

/// Opens a file that cannot be written to, or lies where nothing can. A file without a log is whole by itself;
/// one with a log is only read together with it.
fn open_to_read(path: PathBuf, options: &SqliteOptions<'_>) -> Result<Opened, StoreError> {
    let access = if file::has_log(&path) {
        Access::ReadOnly
    } else {
        Access::Still
    };
    let connection = reader(&path, access)?;
    let failed = |error: rusqlite::Error| explain_opening(&error, &path);
    let found = format(&connection).map_err(failed)?;
    if found > FORMAT {
        return Err(newer(path, found));
    }
    if found < FORMAT {
        // It would have to be brought to the newest format first.
        return Err(StoreError::ReadOnly { path });
    }
    let keys = read_keys(&connection, &path, options)?.ok_or_else(|| explain_nothing(&path))?;
    Ok(Opened {
        path,
        writer: None,
        access,
        keys,
    })
}

/// The part of the secret that lies in the store.
pub(super) fn secret(connection: &Connection) -> rusqlite::Result<[u8; 32]> {
    connection.query_row("SELECT secret FROM store", [], |row| row.get(0))
}

/// The keys file of a store that is to be made, if it is to be encrypted.
fn new_keys(path: &Path, options: &SqliteOptions<'_>) -> Result<Option<StoreId>, StoreError> {
    let Some(encryption) = options.encryption.filter(|encryption| encryption.is_wanted) else {
        return Ok(None);
    };
    let made = KeysFile::make(
        options.keys_beside.unwrap_or(path),
        &encryption.master,
        encryption.entropy.as_ref(),
    )?;
    Ok(Some(made.id()))
}

/// The secret and the keys of a store; `None` where it has no tables yet.
fn read_keys(
    connection: &Connection,
    path: &Path,
    options: &SqliteOptions<'_>,
) -> Result<Option<Keys>, StoreError> {
    let failed = |error: rusqlite::Error| explain_opening(&error, path);
    let found = format(connection).map_err(failed)?;
    if found == 0 {
        return Ok(None);
    }
    // Before format 5 nothing was encrypted.
    let sql = if found < 5 {
        "SELECT secret, NULL FROM store"
    } else {
        "SELECT secret, keys FROM store"
    };
    let (secret, id): ([u8; 32], Option<StoreId>) = connection
        .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .map_err(failed)?;
    let path = path.to_owned();
    match (id, options.encryption) {
        (None, Some(encryption)) if encryption.is_wanted => Err(StoreError::NotEncrypted { path }),
        (None, _) => Ok(Some(Keys::none(secret))),
        (Some(_), None) => Err(StoreError::KeyNeeded { path }),
        (Some(id), Some(encryption)) => {
            let beside = options.keys_beside.unwrap_or(&path);
            let file = KeysFile::open(beside, &encryption.master)?;
            if file.id() != id {
                let keys = file::keys(beside);
                return Err(StoreError::OtherKeys { path, keys });
            }
            let entropy = Arc::clone(&encryption.entropy);
            Ok(Some(Keys::of_file(file, &secret, entropy)))
        }
    }
}

/// A store that has no tables after it was made.
fn explain_nothing(path: &Path) -> StoreError {
    StoreError::Damaged {
        place: path.display().to_string(),
        why: "it has no tables".into(),
    }
}

/// Says what an error means before the first read is done, where a log that cannot be opened shows.
fn explain_opening(error: &rusqlite::Error, path: &Path) -> StoreError {
    let cannot_open = error.sqlite_error_code() == Some(rusqlite::ErrorCode::CannotOpen);
    if cannot_open && file::has_log(path) {
        return StoreError::UnreadLog {
            path: path.to_owned(),
            log: file::log_name(path),
        };
    }
    explain(error, path, "opening")
}

/// A connection for reading.
pub(super) fn reader(path: &Path, access: Access) -> Result<Connection, StoreError> {
    let connection = connect(path, access, "reading")?;
    configure_reader(&connection).map_err(|error| explain_opening(&error, path))?;
    Ok(connection)
}

pub(super) fn connect(path: &Path, access: Access, doing: &str) -> Result<Connection, StoreError> {
    connect_as(path, access).map_err(|error| explain(&error, path, doing))
}

/// A connection with nothing read yet.
pub(super) fn connect_as(path: &Path, access: Access) -> rusqlite::Result<Connection> {
    let connection = match access {
        Access::Shared => {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(path, flags)
        }
        Access::ReadOnly => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            Connection::open_with_flags(path, flags)
        }
        Access::Still => open_still(path),
    }?;
    configure(&connection)?;
    Ok(connection)
}

/// Whether a file that is there is a store, judged by its header alone. Opened as immutable, so that SQLite
/// neither recovers nor locks nor makes companions of a file that is not ours.
pub(super) fn recognise(path: &Path) -> Result<(), StoreError> {
    let pages = pages_of_store(path);
    let header = match pages {
        Some(pages) => Header::Store {
            bytes: pages * PAGE_BYTES,
        },
        // SQLite takes nothing of a file that is not whole, so its header is read without it.
        None => header::read(path)?,
    };
    // In this order: who closes the store lengthens the file first and removes the log then.
    let has_log = file::has_log(path);
    let bytes = file::length(path)?;
    let why = match header {
        Header::Other => {
            return Err(StoreError::NotAStore {
                path: path.to_owned(),
            });
        }
        // While there is a log, the file may be shorter than it says: the rest is in the log.
        Header::Store { .. } | Header::Cut if has_log => return Ok(()),
        Header::Store { bytes: said } if bytes < said => {
            format!("it is cut off after {bytes} of {said} bytes")
        }
        // Looked at again, for it may have been seen in the middle of a write.
        Header::Store { .. } if pages.or_else(|| pages_of_store(path)).is_some() => return Ok(()),
        Header::Store { .. } => "its header does not fit".to_owned(),
        Header::Cut => format!("it is cut off after {bytes} bytes"),
        Header::Damaged => {
            "its first bytes are not those of a store, and its tables are".to_owned()
        }
    };
    Err(StoreError::Damaged {
        place: path.display().to_string(),
        why,
    })
}

/// How many pages a store has, if SQLite can read it as one.
fn pages_of_store(path: &Path) -> Option<u64> {
    let connection = open_still(path).ok()?;
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let id = pragma("application_id").ok()?;
    let pages = u64::try_from(pragma("page_count").ok()?).ok()?;
    (id == i64::from(APPLICATION_ID)).then_some(pages)
}

fn open_still(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(immutable_uri(path), flags)
}

fn immutable_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_') {
            uri.push(char::from(*byte));
        } else {
            write!(uri, "%{byte:02X}").expect("writing to a string cannot fail");
        }
    }
    uri.push_str("?immutable=1");
    uri
}

/// From here until it is set otherwise, closing leaves the file as it is.
fn refuse_newer(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| explain_opening(&error, path);
    // The last connection to close writes the log back into the file, which must not happen to a file that
    // another program shall find as it left it.
    connection
        .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        .map_err(failed)?;
    let found = format(connection).map_err(failed)?;
    if found > FORMAT {
        return Err(newer(path.to_owned(), found));
    }
    Ok(())
}

fn newer(path: PathBuf, found: u32) -> StoreError {
    StoreError::NewerFormat {
        path,
        found,
        supported: FORMAT,
    }
}

/// Marks an empty file as ours, switches it to the write-ahead log and brings it to the newest format.
fn prepare(
    connection: &mut Connection,
    options: &SqliteOptions<'_>,
    keys: Option<StoreId>,
) -> rusqlite::Result<()> {
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    if pages == 0 {
        // The first thing in the file, so that one that was cut off here is recognised as ours.
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    use_write_ahead_log(connection)?;
    if format(connection)? < FORMAT {
        let mut birth = Birth {
            secret: [0; 32],
            created_at: options.now.as_micros(),
            keys,
        };
        options.entropy.fill(&mut birth.secret);
        migrate(connection, &birth)?;
    }
    Ok(())
}

/// SQLite does not wait for locks when it switches the journal, so two processes that make a store together
/// have to ask again.
fn use_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(10);
    let mut attempts_left = BUSY_TIMEOUT.as_millis() / PAUSE.as_millis();
    loop {
        let switched = connection.query_row("PRAGMA journal_mode = wal", [], |row| {
            row.get::<_, String>(0)
        });
        let busy = |error: &rusqlite::Error| {
            error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
                && attempts_left > 0
        };
        match switched {
            Err(error) if busy(&error) => {
                attempts_left -= 1;
                std::thread::sleep(PAUSE);
            }
            Err(error) => return Err(error),
            Ok(_) => return Ok(()),
        }
    }
}
