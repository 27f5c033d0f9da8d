//! Seeing to it that the files of a store hold nothing of what was removed, and looking whether it is so.
//!
//! SQLite overwrites what it removes (`secure_delete`), in the newest copy of a page. Older copies stand in the log until
//! it is written back and cut to nothing, which has to wait for readers of an old snapshot. After that there is one copy
//! of every page, and every file is read from end to end.
//!
//! One thing is not overwritten: where SQLite fills a page anew to balance a tree, the space between its cells keeps what stood
//! there (`rebuildPage` in its source), a copy of rows that have moved on. A row that is removed later is overwritten
//! where it is, and not there. So where something is found, every page is written anew.

use std::io::Read;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::fault::explain;
use super::file;
use super::open::{Access, reader};
use super::raw::Pages;
use crate::error::StoreError;
use crate::store::{Finder, Needles, PIECE_BYTES, Scrubbed};

/// Bytes that are read at a time.
const PART_BYTES: usize = 1024 * 1024;

/// Bytes up to which a store is written anew: SQLite holds a copy of it in memory meanwhile, since temporary data comes to no
/// disk, and others wait to write.
pub(super) const REWRITE_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// Looks for needles in every file of the store at `path`, whose log was just cut.
pub(super) fn search(path: &Path, needles: &Needles) -> Result<Scrubbed, StoreError> {
    let connection = reader(path, Access::Shared)?;
    let mut finder = Finder::new(needles);
    let failed = |error: rusqlite::Error| explain(&error, path, "searching");
    if !needles.is_empty() {
        look_in_records(&connection, &mut finder).map_err(failed)?;
    }
    let mut scrubbed = Scrubbed {
        is_done: true,
        ..Scrubbed::default()
    };
    let bytes = look_in_store(&connection, &mut finder).map_err(failed)?;
    scrubbed.files.push((path.to_owned(), bytes));
    for companion in file::searched_beside(path) {
        if let Some(bytes) = look_in_file(&companion, &mut finder)? {
            scrubbed.files.push((companion, bytes));
        }
    }
    let (sought, shared, found) = finder.counts();
    (scrubbed.sought, scrubbed.shared, scrubbed.found) = (sought, shared, found);
    Ok(scrubbed)
}

/// Everything that rows say: what stands there as well is no residue.
fn look_in_records(connection: &Connection, finder: &mut Finder) -> rusqlite::Result<()> {
    let tables: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_stat[0-9]'")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for table in tables.iter().map(String::as_str).chain(["sqlite_schema"]) {
        // The name comes from the schema; as an identifier it is quoted.
        let sql = format!("SELECT * FROM \"{}\"", table.replace('"', "\"\""));
        let mut statement = connection.prepare(&sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                match row.get_ref(column)? {
                    ValueRef::Text(bytes) | ValueRef::Blob(bytes) => finder.look_in_record(bytes),
                    ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => {}
                }
            }
        }
    }
    Ok(())
}

/// The file itself, read by SQLite's own hands: to open it by other means and close it would drop the locks of this
/// process.
fn look_in_store(connection: &Connection, finder: &mut Finder) -> rusqlite::Result<u64> {
    let pages = Pages::of(connection)?;
    let bytes = pages.bytes()?;
    let mut part = vec![0; PART_BYTES + PIECE_BYTES];
    let mut at = 0;
    while at < bytes {
        let length = usize::try_from(bytes - at).map_or(part.len(), |left| left.min(part.len()));
        let read = part.get_mut(..length).unwrap_or_default();
        pages.read(at, read)?;
        finder.look_in_file(read);
        at += PART_BYTES as u64;
    }
    Ok(bytes)
}

/// A file beside the store that SQLite holds no locks on; `None` where there is none.
fn look_in_file(path: &PathBuf, finder: &mut Finder) -> Result<Option<u64>, StoreError> {
    let failed = |error: &std::io::Error| file::system("searching", path, error);
    let mut opened = match fs_err::File::open(path) {
        Ok(opened) => opened,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(&error)),
    };
    let (mut part, mut kept, mut bytes) = (vec![0; PART_BYTES + PIECE_BYTES], 0, 0);
    loop {
        let read = opened
            .read(part.get_mut(kept..).unwrap_or_default())
            .map_err(|error| failed(&error))?;
        if read == 0 {
            return Ok(Some(bytes));
        }
        bytes += read as u64;
        let filled = kept + read;
        finder.look_in_file(part.get(..filled).unwrap_or_default());
        // The end is looked at again together with what follows it.
        kept = filled.min(PIECE_BYTES);
        part.copy_within(filled - kept..filled, 0);
    }
}
