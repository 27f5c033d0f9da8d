//! Putting a backup into the place of a store.
//!
//! The backup is copied beside the place first, and everything is done to that copy: brought to the newest format, checked,
//! and given what the store in the place must not lose. Only a copy that is finished goes into the place: over a store that
//! is there in one transaction of its file, so that a process that is killed leaves the old content or the new one. Until
//! then nobody else has the file, and nothing in it has changed.
//!
//! What of the copy has to go because it was erased since, the engine finds out; here are rows.

mod carry;
mod place;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memoriter_core::forget::ErasedCounts;
use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use rusqlite::Connection;

use self::place::Place;
use super::copy::copy_into_new;
use super::fault::{explain, words};
use super::open::{self, Access};
use super::{SqliteOptions, SqliteStore, copy, file};
use crate::error::StoreError;
use crate::migrate::{FORMAT, format};
use crate::store::{Damage, Erasure, Outcome, Snapshot, Store, VerifyReport, Write};

/// Rows without a key that go in one unit.
const KEYLESS_ROWS: usize = 4_000;

/// A backup on its way into the place of a store. Dropping it before it is finished leaves the place as it was.
pub struct SqliteRestore {
    /// Dropped before its file goes.
    store: Arc<SqliteStore>,
    staged: Staged,
    place: Place,
    unread: BTreeSet<&'static str>,
    keyless: ErasedCounts,
}

/// What was found in the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InPlace {
    /// Nothing.
    Nothing,
    /// The store that the backup is of.
    Store,
    /// What was a store and cannot be read, and why not.
    Damaged(String),
}

/// What the copy got of the store in the place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Tombstones that the backup does not have, or not so late.
    pub tombstones: u64,
    /// Receipts that are new or have gone on.
    pub receipts: u64,
    /// Lines of the audit log.
    pub audit_lines: u64,
    /// Receipts of the backup that do not fit the audit log, which were left out: of a store that was lost meanwhile.
    pub left_out: u64,
}

/// What is out of use in the place and not in the copy, each with whose it is and since when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retired {
    /// Memories that were retracted.
    pub memories: Vec<(Scope, MemoryId, Timestamp)>,
    /// Turns.
    pub turns: Vec<(Scope, TurnId, Timestamp)>,
}

impl SqliteRestore {
    /// Takes the place for itself, and copies the backup beside it. `progress` is told how many pages are copied, of how
    /// many.
    ///
    /// # Errors
    /// [`StoreError::NoStore`], [`StoreError::NotAStore`], [`StoreError::NewerFormat`] and [`StoreError::Damaged`] about the
    /// backup or the place; [`StoreError::OtherStore`] where the backup is of another store than the one in the place;
    /// [`StoreError::InUse`] where anybody has that open. Otherwise when the system fails. Nothing in the place has changed
    /// but that an older format was brought to the newest.
    pub fn begin(
        backup: &Path,
        place: &Path,
        options: &SqliteOptions<'_>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, StoreError> {
        let (backup, path) = (open::absolute(backup)?, open::absolute(place)?);
        if is_same_file(&backup, &path) {
            return Err(StoreError::ItsOwnBackup { path });
        }
        let source = open_backup(&backup)?;
        let place = Place::take(path, options)?;
        let secret = open::secret(&source).map_err(|error| explain(&error, &backup, "reading"))?;
        if place.secret().is_some_and(|other| *other != secret) {
            return Err(StoreError::OtherStore {
                backup,
                path: place.path().to_owned(),
            });
        }
        let staged = Staged::make(place.path())?;
        copy_into_new(&source, &staged.path, progress)
            .map_err(|error| explain(&error, &backup, "copying"))?;
        drop(source);
        let store = Arc::new(SqliteStore::open(
            &staged.path,
            &SqliteOptions {
                keys_beside: Some(place.path()),
                ..*options
            },
        )?);
        let keyless = remove_keyless(&store)?;
        refuse_damaged(&backup, &store.snapshot()?.verify()?.problems)?;
        Ok(Self {
            store,
            staged,
            place,
            unread: BTreeSet::new(),
            keyless,
        })
    }

    /// What of the copy went because its key was destroyed in the place.
    #[must_use]
    pub fn keyless(&self) -> ErasedCounts {
        self.keyless
    }

    /// The copy. Nobody else has it, and what is committed to it goes into the place with it.
    #[must_use]
    pub fn store(&self) -> Arc<SqliteStore> {
        Arc::clone(&self.store)
    }

    /// What was found in the place.
    #[must_use]
    pub fn in_place(&self) -> InPlace {
        self.place.found()
    }

    /// What of the store in the place could not be read so far, by the name of the table.
    #[must_use]
    pub fn unread(&self) -> &BTreeSet<&'static str> {
        &self.unread
    }

    /// Where a damaged store will be put aside; `None` where there is none.
    #[must_use]
    pub fn put_aside(&self) -> Option<PathBuf> {
        self.place.aside()
    }

    /// Every scope that the copy has ever heard of.
    ///
    /// # Errors
    /// When the copy cannot be read.
    pub fn scopes(&self) -> Result<Vec<Scope>, StoreError> {
        self.in_copy(carry::scopes)
    }

    /// Gives the copy the tombstones, the receipts and the audit log of the store in the place. What cannot be read there is
    /// [`SqliteRestore::unread`].
    ///
    /// # Errors
    /// When the copy cannot be written.
    pub fn carry_over(&mut self) -> Result<Carried, StoreError> {
        let Some(current) = self.place.store() else {
            return Ok(Carried::default());
        };
        let mut unread = BTreeSet::new();
        let carried = self.in_copy(|copy| carry::books(current, copy, &mut unread))?;
        self.unread.append(&mut unread);
        Ok(carried)
    }

    /// What was taken out of use in the place since.
    ///
    /// # Errors
    /// When the copy cannot be read.
    pub fn retired_since(&mut self) -> Result<Retired, StoreError> {
        let Some(current) = self.place.store() else {
            return Ok(Retired::default());
        };
        let mut unread = BTreeSet::new();
        let retired = self.in_copy(|copy| carry::retired(current, copy, &mut unread))?;
        self.unread.append(&mut unread);
        Ok(retired)
    }

    /// Sees to it that numbers go on from where the store in the place is: of changes, so that every index begins anew, and
    /// of positions in sessions. The last thing that is done to the copy.
    ///
    /// # Errors
    /// When the copy cannot be written.
    pub fn go_on_from_there(&mut self) -> Result<(), StoreError> {
        let mut unread = BTreeSet::new();
        let current = self.place.store();
        self.in_copy(|copy| carry::numbers(current, copy, &mut unread))?;
        self.unread.append(&mut unread);
        Ok(())
    }

    /// Checks the copy and puts it into the place. What it returns was read of the copy just before.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when the copy does not fit after what was done to it, or the system fails. Then the place is
    /// as it was, but for a damaged store, which may have been put aside.
    pub fn finish(
        mut self,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<VerifyReport, StoreError> {
        let moment = self.store.moment()?;
        let report = moment.verify()?;
        refuse_damaged(&self.staged.path, &report.problems)?;
        self.place.fill(moment.connection(), progress)?;
        Ok(report)
    }

    /// Does something to the copy, by a connection of its own and in one transaction.
    fn in_copy<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let failed = |error: rusqlite::Error| explain(&error, &self.staged.path, "writing");
        let mut connection = open::connect(&self.staged.path, Access::Shared, "opening")?;
        let transaction = connection
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
            .map_err(failed)?;
        let done = work(&transaction).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        Ok(done)
    }
}

/// Removes what nobody can read any more because its key was destroyed: it was erased. Says what it was.
fn remove_keyless(store: &SqliteStore) -> Result<ErasedCounts, StoreError> {
    let mut counts = ErasedCounts::default();
    let scopes = store.moment()?.keyless_scopes()?;
    for scope in scopes {
        loop {
            let moment = store.moment()?;
            let found = moment.damaged(&scope)?.into_iter();
            let mut erasure = Erasure::of(scope.clone(), moment.head()?);
            erasure.damaged = found.map(|(row, _)| row).take(KEYLESS_ROWS).collect();
            drop(moment);
            if erasure.damaged.is_empty() {
                break;
            }
            let committed = store.commit(vec![Write::Erase(Box::new(erasure))])?;
            for outcome in committed.outcomes {
                if let Outcome::Erased(erased) = outcome {
                    counts.add(&erased.counts);
                }
            }
        }
    }
    Ok(counts)
}

/// Whether two names lead to one file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs_err::canonicalize(one), fs_err::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        (Err(_), _) | (_, Err(_)) => one == other,
    }
}

/// A connection to a backup, in a transaction: of one moment, should it be a store that somebody uses.
fn open_backup(backup: &Path) -> Result<Connection, StoreError> {
    match backup.metadata() {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => {
            return Err(StoreError::NotAStore {
                path: backup.to_owned(),
            });
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(StoreError::NoStore {
                path: backup.to_owned(),
            });
        }
        Err(error) => return Err(file::system("looking at", backup, &error)),
    }
    open::recognise(backup)?;
    let access = if file::has_log(backup) {
        Access::ReadOnly
    } else {
        Access::Still
    };
    let connection = open::reader(backup, access)?;
    let failed = |error: rusqlite::Error| explain(&error, backup, "reading");
    connection.execute_batch("BEGIN").map_err(failed)?;
    let found = format(&connection).map_err(failed)?;
    if found > FORMAT {
        return Err(StoreError::NewerFormat {
            path: backup.to_owned(),
            found,
            supported: FORMAT,
        });
    }
    Ok(connection)
}

fn refuse_damaged(path: &Path, problems: &[Damage]) -> Result<(), StoreError> {
    let Some(first) = problems.first() else {
        return Ok(());
    };
    let more = match problems.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Err(StoreError::Damaged {
        place: path.display().to_string(),
        why: format!("{}: {}{more}", first.record, first.why),
    })
}

/// The copy's file beside the place, which goes with its companions when it is dropped.
struct Staged {
    path: PathBuf,
}

impl Staged {
    fn make(place: &Path) -> Result<Self, StoreError> {
        file::clear_staged(place);
        let path = file::staged(place);
        file::create(&path)?;
        Ok(Self { path })
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        file::remove_store(&self.path);
    }
}
