//! The bytes of the file as they lie there, read through SQLite's own handle.
//!
//! POSIX drops every lock of a process on a file as soon as any handle on it is closed, so a file that this process has
//! open as a store cannot be opened and closed beside SQLite. SQLite gives no safe way to its handle.
#![expect(unsafe_code, reason = "SQLite's file handle is a table of C functions")]

use std::ffi::c_void;
use std::ptr;

use rusqlite::{Connection, ffi};

/// The open file of a connection.
pub(super) struct Pages<'c> {
    /// Owned by the connection, which outlives it.
    file: *mut ffi::sqlite3_file,
    _connection: &'c Connection,
}

impl<'c> Pages<'c> {
    /// The file of the main database.
    pub(super) fn of(connection: &'c Connection) -> rusqlite::Result<Self> {
        let mut file: *mut ffi::sqlite3_file = ptr::null_mut();
        // SAFETY: the handle is that of an open connection, which no other thread uses meanwhile since it is not Sync;
        // the name ends in NUL; the operation writes one pointer to where it is told to.
        let code = unsafe {
            ffi::sqlite3_file_control(
                connection.handle(),
                c"main".as_ptr(),
                ffi::SQLITE_FCNTL_FILE_POINTER,
                ptr::from_mut(&mut file).cast::<c_void>(),
            )
        };
        check(code)?;
        // SAFETY: SQLite has set the pointer to its file or left it null; a file that is not open has no methods.
        let is_open = unsafe { file.as_ref() }.is_some_and(|file| !file.pMethods.is_null());
        if !is_open {
            return Err(failure(ffi::SQLITE_CANTOPEN));
        }
        Ok(Self {
            file,
            _connection: connection,
        })
    }

    /// Its length in bytes.
    pub(super) fn bytes(&self) -> rusqlite::Result<u64> {
        let mut bytes: ffi::sqlite3_int64 = 0;
        // SAFETY: the file is open for as long as the connection is, which is borrowed; its methods are those of the
        // system's file layer.
        let code = unsafe {
            let size = (*(*self.file).pMethods).xFileSize;
            size.map(|size| size(self.file, &raw mut bytes))
        };
        check(code.unwrap_or(ffi::SQLITE_IOERR))?;
        Ok(u64::try_from(bytes).unwrap_or(0))
    }

    /// Fills a buffer with the bytes from an offset on. What lies beyond the end is zero.
    pub(super) fn read(&self, at: u64, buffer: &mut [u8]) -> rusqlite::Result<()> {
        let length = i32::try_from(buffer.len()).unwrap_or(i32::MAX);
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        // SAFETY: as in `bytes`; the buffer is at least as long as it is said to be.
        let code = unsafe {
            let read = (*(*self.file).pMethods).xRead;
            read.map(|read| read(self.file, buffer.as_mut_ptr().cast::<c_void>(), length, at))
        };
        match code.unwrap_or(ffi::SQLITE_IOERR) {
            ffi::SQLITE_IOERR_SHORT_READ => Ok(()),
            code => check(code),
        }
    }
}

fn check(code: i32) -> rusqlite::Result<()> {
    if code == ffi::SQLITE_OK {
        return Ok(());
    }
    Err(failure(code))
}

fn failure(code: i32) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)
}
