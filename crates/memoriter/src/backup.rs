//! Copies of the whole store, and putting one back.

mod restore;

use std::path::Path;

use memoriter_core::access::Right;
use memoriter_core::id::ChangeNumber;

pub use self::restore::Restored;
use crate::error::Error;
use crate::health::Verification;
use crate::open::Memoriter;

/// What a backup leaves out, in words for people.
pub const BACKUP_LEAVES_OUT: [&str; 3] = [
    "the log and its index (-wal, -shm): what they hold is in the copy",
    "space that is kept for erasing (-reserve)",
    "settings, and the stores of other tenants",
];

/// A backup that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Bytes of the file.
    pub bytes: u64,
    /// The newest change that it has.
    pub change: ChangeNumber,
    /// What a check of the copy read and found. What is damaged in the store is so in the copy.
    pub verification: Verification,
}

impl Memoriter {
    /// Copies the store as it is at this moment into a new file, while others go on writing: every write that was
    /// acknowledged before is in it. The file is a store itself, readable by its owner alone, and is there once it is whole
    /// and was read from end to end. `progress` is told how many pages are copied, of how many.
    ///
    /// ```
    /// use memoriter::{Memoriter, Scope};
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memoriter::open(folder.path().join("memory.db"))?;
    /// memory.scope(Scope::user("priya")).remember("My exam is on 14 March")?;
    /// let backup = memory.backup(folder.path().join("monday.db"), &mut |_, _| {})?;
    /// assert!(backup.verification.memories == 1 && backup.verification.problems.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When something is there by this name, the store is in no file or cannot be read, or the file cannot be written; then
    /// there is none.
    pub fn backup(
        &self,
        to: impl AsRef<Path>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Backup, Error> {
        self.may(Right::Admin)?;
        self.engine.flush_marks();
        let copied = self.engine.store.copy_to(to.as_ref(), progress)?;
        Ok(Backup {
            bytes: copied.bytes,
            change: copied.head,
            verification: copied.report.into(),
        })
    }
}
