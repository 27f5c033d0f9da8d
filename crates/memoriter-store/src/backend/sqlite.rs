//! One tenant in one SQLite file: durable, shared between processes, readable with common tools.
//!
//! One thread writes. It takes the units that wait, applies each behind its own savepoint, and makes all of
//! them durable with one commit, hence one sync. Readers hold snapshots on connections of their own and
//! never wait for the writer. Other processes may do the same on the same file; nothing that the file says
//! is remembered from one transaction to the next.
//!
//! | module | holds |
//! |---|---|
//! | `open`, `file`, `header`, `pragma` | making, recognising and opening a file |
//! | `writer`, `write` | the writing thread; what each write does to the tables |
//! | `pool`, `snapshot` | read connections; the port's reading half |
//! | `keys`, `cipher`, `parts` | the keys of an encrypted store, and what they encrypt |
//! | `content`, `vector`, `view` | what of a row is content, and what reads it |
//! | `locate`, `fetch`, `decode`, `seal` | from a query to row numbers to verified records |
//! | `index_feed`, `summary`, `verify`, `log` | feeding an index, counting, checking everything |
//! | `attachment` | reading attachments, part by part |
//! | `books`, `extraction`, `sessions` | the port's other reading half: queue, ledger, tombstones, usage; sessions besides their turns |
//! | `proof` | receipts and the audit log |
//! | `remains` | records that are damaged, and what can be read of them |
//! | `reserve` | space that is kept for erasing on a full disk |
//! | `copy` | copying the whole store while others write |
//! | `restore` | putting a copy into the place of a store |
//! | `scrub`, `raw` | cutting the log, and looking through the files for what was removed |
//! | `bound`, `fault` | reads that end; from SQLite's errors to ours |
//!
//! `docs/format.md` describes the file.

mod attachment;
mod books;
mod bound;
mod cipher;
mod content;
mod copy;
mod decode;
mod extraction;
mod fault;
mod fetch;
mod file;
mod head;
mod header;
mod index_feed;
mod keys;
mod locate;
mod log;
mod open;
mod parts;
mod pool;
mod pragma;
mod proof;
mod raw;
mod remains;
mod reserve;
mod restore;
mod scrub;
mod seal;
mod sessions;
mod snapshot;
mod spans;
mod summary;
mod vector;
mod verify;
mod view;
mod write;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memoriter_core::id::ChangeNumber;
use memoriter_core::port::Entropy;
use memoriter_core::time::Timestamp;

use self::head::HeadWatch;
use self::keys::Keys;
pub use self::keys::{KEY_TEXT_FORMS, MasterKey};
use self::open::Opened;
use self::pool::Pool;
pub use self::restore::{Carried, InPlace, Retired, SqliteRestore};
use self::snapshot::SqliteSnapshot;
use self::writer::{Writer, is_of_erasure};
use super::check::check_unit;
use crate::error::StoreError;
use crate::store::{
    Committed, Copied, DestroyedKeys, KeysOf, Needles, Patience, Scrubbed, Snapshot, Store, Write,
};

/// What a file is opened with.
#[derive(Clone, Copy)]
pub struct SqliteOptions<'a> {
    /// Where the secret of a new store comes from. Not asked when the store is there already.
    pub entropy: &'a dyn Entropy,
    /// The present: the birthday of a new store.
    pub now: Timestamp,
    /// Pages of 4 KiB that the file may have; over that, writes are [`StoreError::Full`]. `None`: as many as
    /// the disk holds.
    pub pages_max: Option<u32>,
    /// The key of an encrypted store. `None`: it is not encrypted, or cannot be opened.
    pub encryption: Option<&'a Encryption>,
    /// The store beside which the keys file lies, for a copy that has none of its own.
    pub keys_beside: Option<&'a Path>,
}

/// The key of an encrypted store, and whether it has to be one.
pub struct Encryption {
    /// What the keys of its scopes are wrapped with.
    pub master: MasterKey,
    /// Where the keys of its scopes come from.
    pub entropy: Arc<dyn Entropy>,
    /// Whether a new store is encrypted, and one that is there and is not is refused. Otherwise the key is for a store
    /// that is encrypted already, and a new one is not.
    pub is_wanted: bool,
}

impl<'a> SqliteOptions<'a> {
    /// Options without a bound on the file and without a key.
    #[must_use]
    pub fn new(entropy: &'a dyn Entropy, now: Timestamp) -> Self {
        Self {
            entropy,
            now,
            pages_max: None,
            encryption: None,
            keys_beside: None,
        }
    }
}

/// A store in one SQLite file. May be used from any thread; dropping it finishes what was accepted.
pub struct SqliteStore {
    path: PathBuf,
    keys: Arc<Keys>,
    /// `None` where the file can only be read.
    writer: Option<Writer>,
    readers: Pool,
    head: HeadWatch,
}

impl SqliteStore {
    /// Opens the store at `path`, and makes it when there is nothing or an empty file.
    ///
    /// The file is readable and writable by its owner alone, and so are folders that are made for it.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] when something else is there, [`StoreError::NewerFormat`] when a newer program
    /// wrote it, [`StoreError::LinkedFile`] when the file goes by other names as well; all leave it untouched.
    /// [`StoreError::ReadOnly`] when it cannot be written to. Otherwise when the system fails.
    pub fn open(path: &Path, options: &SqliteOptions<'_>) -> Result<Self, StoreError> {
        Self::start(open::open(path, options)?)
    }

    /// Opens the store that is at `path`. Where it cannot be written to it is opened for reading, and every
    /// [`Store::commit`] is [`StoreError::ReadOnly`]. Nobody else may write to a file without a log that is
    /// opened like this: changes would go unnoticed.
    ///
    /// # Errors
    /// [`StoreError::NoStore`] when there is nothing, [`StoreError::UnreadLog`] when the log cannot be read;
    /// otherwise as [`SqliteStore::open`].
    pub fn open_existing(path: &Path, options: &SqliteOptions<'_>) -> Result<Self, StoreError> {
        Self::start(open::open_existing(path, options)?)
    }

    fn start(opened: Opened) -> Result<Self, StoreError> {
        let readers = Pool::new(opened.path.clone(), opened.access);
        let head = HeadWatch::new(open::reader(&opened.path, opened.access)?);
        let keys = Arc::new(opened.keys);
        let writer = opened
            .writer
            .map(|connection| Writer::start(connection, opened.path.clone(), Arc::clone(&keys)))
            .transpose()?;
        Ok(Self {
            path: opened.path,
            keys,
            writer,
            readers,
            head,
        })
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl SqliteStore {
    fn moment(&self) -> Result<SqliteSnapshot<'_>, StoreError> {
        SqliteSnapshot::begin(self.readers.take()?, &self.keys)
    }

    /// Makes space on a full disk. Where a reader keeps the log as it is, there is what was kept beside it.
    fn make_space(&self, writer: &Writer) {
        reserve::let_go(&self.path);
        // Whether there is enough now, the next write tells.
        let _ = writer.cut_log(Patience::Wait);
    }
}

impl Store for SqliteStore {
    fn commit(&self, unit: Vec<Write>) -> Result<Committed, StoreError> {
        check_unit(&unit)?;
        let Some(writer) = &self.writer else {
            return Err(StoreError::ReadOnly {
                path: self.path.clone(),
            });
        };
        if !is_of_erasure(&unit) {
            return writer.commit(unit);
        }
        match writer.commit(unit.clone()) {
            Err(StoreError::Full { .. }) => {
                self.make_space(writer);
                writer.commit(unit)
            }
            committed => committed,
        }
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StoreError> {
        Ok(Box::new(self.moment()?))
    }

    fn head(&self) -> Result<ChangeNumber, StoreError> {
        self.head
            .get()
            .map_err(|error| fault::explain(&error, &self.path, "reading"))
    }

    fn scrub(&self, needles: &Needles, patience: Patience) -> Result<Scrubbed, StoreError> {
        let Some(writer) = &self.writer else {
            return Err(StoreError::ReadOnly {
                path: self.path.clone(),
            });
        };
        let cut = match writer.cut_log(patience) {
            Err(StoreError::Full { .. }) => {
                reserve::let_go(&self.path);
                writer.cut_log(patience)
            }
            cut => cut,
        };
        if !cut? {
            return Ok(Scrubbed::default());
        }
        let searched = scrub::search(&self.path, needles)?;
        if searched.found == 0 || file::length(&self.path)? > scrub::REWRITE_BYTES_MAX {
            return Ok(searched);
        }
        writer.rewrite()?;
        if !writer.cut_log(patience)? {
            return Ok(Scrubbed::default());
        }
        scrub::search(&self.path, needles)
    }

    fn copy_to(&self, to: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<Copied, StoreError> {
        copy::write_copy(&self.moment()?, to, progress)
    }

    fn secret(&self) -> &[u8; 32] {
        self.keys.secret()
    }

    fn is_encrypted(&self) -> bool {
        self.keys.is_encrypted()
    }

    fn destroy_keys(&self, of: KeysOf) -> Result<DestroyedKeys, StoreError> {
        match &self.writer {
            _ if !self.keys.is_encrypted() => Ok(DestroyedKeys::default()),
            Some(writer) => writer.destroy_keys(of),
            None => Err(StoreError::ReadOnly {
                path: self.path.clone(),
            }),
        }
    }
}
