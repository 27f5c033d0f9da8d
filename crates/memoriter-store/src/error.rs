//! What a store can fail with.

use std::path::PathBuf;

use memoriter_core::error::{Diagnose, Fault, InvalidInput};
use memoriter_core::id::{CheckpointId, MemoryId, TurnId};

/// Why a store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A record breaks a rule of the vocabulary.
    #[error(transparent)]
    Invalid(#[from] InvalidInput),
    /// Somebody changed the memory since it was read, or its place (key or text) is taken by now. Read again
    /// and decide again.
    #[error("memory {id} was changed by another writer")]
    Conflict {
        /// The memory in the way.
        id: MemoryId,
    },
    /// A turn with this key is there already and says something else.
    #[error("turn {id} is in session {session} already, with other content")]
    TurnConflict {
        /// The turn in the way.
        id: TurnId,
        /// The session's name.
        session: String,
    },
    /// Somebody else has the extraction of this turn, or it is done.
    #[error("the extraction of turn {turn} is with somebody else, or done")]
    Taken {
        /// The turn.
        turn: TurnId,
    },
    /// Somebody wrote the field since it was read. Read again and decide again.
    #[error("field {field} of session {session} was changed by another writer")]
    FieldConflict {
        /// The session's name.
        session: String,
        /// The field.
        field: String,
    },
    /// A session of this name is there.
    #[error("there is a session {name} already")]
    SessionExists {
        /// The name.
        name: String,
    },
    /// The checkpoint is not there.
    #[error("there is no checkpoint {id}")]
    NoSuchCheckpoint {
        /// The id that was asked for.
        id: CheckpointId,
    },
    /// A checkpoint with this id is there already.
    #[error("there is a checkpoint {id} already")]
    CheckpointExists {
        /// The id.
        id: CheckpointId,
    },
    /// Nothing waits for an answer here.
    #[error("checkpoint {id} waits for no answer")]
    NotAsked {
        /// The checkpoint.
        id: CheckpointId,
    },
    /// Somebody has gone on with the erasure since its receipt was read.
    #[error("the receipt was changed by another program")]
    ReceiptChanged,
    /// The memory is not there.
    #[error("there is no memory {id}")]
    NoSuchMemory {
        /// The id that was asked for.
        id: MemoryId,
    },
    /// There is no file, and none is to be made.
    #[error("there is no store at {}", path.display())]
    NoStore {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file or its folder cannot be written to.
    #[error("{} can only be read: the file or its folder cannot be written to", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Nothing can be written beside the file, which the newest changes in its log need to be read.
    #[error("{} has changes in {log} that can only be read where its folder can be written to", path.display())]
    UnreadLog {
        /// The file.
        path: PathBuf,
        /// The name of its log.
        log: String,
    },
    /// The file is something else.
    #[error("{} is not a memoriter store", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The file goes by other names as well. Locks and the write-ahead log belong to a name, so two programs
    /// that open it by different names would destroy it.
    #[error("{} is a {how}; open the store by its own and only name", path.display())]
    LinkedFile {
        /// The file.
        path: PathBuf,
        /// What kind of link.
        how: &'static str,
    },
    /// The file was written by a newer program. It is left untouched.
    #[error("{} has format {found}, newer than the {supported} that this program can read", path.display())]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format known here.
        supported: u32,
    },
    /// A file is in the way, and none is overwritten.
    #[error("{} is there already", path.display())]
    FileExists {
        /// The file.
        path: PathBuf,
    },
    /// The store is in no file, so that there is none to copy.
    #[error("the store is not in a file, and cannot be copied")]
    NoFile,
    /// The store is encrypted, and it was to be opened without a key.
    #[error("{} is encrypted: it needs its key, from a file, the environment or the system's keyring", path.display())]
    KeyNeeded {
        /// The store.
        path: PathBuf,
    },
    /// The key is another than that of the store. Nothing was touched.
    #[error("the key is not that of {}", path.display())]
    WrongKey {
        /// The store.
        path: PathBuf,
    },
    /// The store is encrypted, and its keys file is not there.
    #[error("{} is encrypted, and its keys in {} are missing", path.display(), keys.display())]
    NoKeys {
        /// The store.
        path: PathBuf,
        /// Where its keys were looked for.
        keys: PathBuf,
    },
    /// The keys file belongs to another store.
    #[error("the keys in {} are those of another store than {}", keys.display(), path.display())]
    OtherKeys {
        /// The store.
        path: PathBuf,
        /// The file with the keys.
        keys: PathBuf,
    },
    /// The store is there, and it is not encrypted as it was to be.
    #[error("{} is not encrypted; export what it holds and import that into a new store", path.display())]
    NotEncrypted {
        /// The store.
        path: PathBuf,
    },
    /// A file with the key of a store cannot be used.
    #[error("the key file {} cannot be used: {why}", path.display())]
    KeyFile {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The file's bytes are damaged.
    #[error("{place} is damaged: {why}")]
    Damaged {
        /// File, table and row, as far as known.
        place: String,
        /// What does not fit.
        why: String,
    },
    /// Another process held the file for too long.
    #[error("{} is in use by another process", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Somebody has the store open that shall be replaced.
    #[error("{} is open in another program, or by another handle of this one", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A backup is of another store than the one whose place it shall take.
    #[error("{} is of another store than {}", backup.display(), path.display())]
    OtherStore {
        /// The backup.
        backup: PathBuf,
        /// The store.
        path: PathBuf,
    },
    /// A store was named as the backup of itself.
    #[error("{} is the store itself, and no backup of it", path.display())]
    ItsOwnBackup {
        /// The file.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("no space is left for {}", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// An earlier write failed in a way that leaves the state of the disk unknown. Open the store again.
    #[error("the store refuses writes since an earlier one failed: {why}")]
    Poisoned {
        /// What failed.
        why: String,
    },
    /// The system failed.
    #[error("{doing} failed: {why}")]
    System {
        /// The operation, in words.
        doing: String,
        /// What the system said.
        why: String,
    },
}

impl Diagnose for StoreError {
    fn code(&self) -> &'static str {
        match self {
            Self::Invalid(invalid) => invalid.code(),
            Self::Conflict { .. } => "conflict",
            Self::TurnConflict { .. } => "turn_conflict",
            Self::Taken { .. } => "taken",
            Self::FieldConflict { .. } => "field_conflict",
            Self::SessionExists { .. } => "session_exists",
            Self::NoSuchCheckpoint { .. } => "no_such_checkpoint",
            Self::CheckpointExists { .. } => "checkpoint_exists",
            Self::NotAsked { .. } => "not_asked",
            Self::ReceiptChanged => "receipt_changed",
            Self::NoSuchMemory { .. } => "no_such_memory",
            Self::NoStore { .. } => "no_store",
            Self::ReadOnly { .. } => "read_only",
            Self::UnreadLog { .. } => "unread_log",
            Self::NotAStore { .. } => "not_a_store",
            Self::LinkedFile { .. } => "linked_file",
            Self::NewerFormat { .. } => "newer_format",
            Self::FileExists { .. } => "file_exists",
            Self::NoFile => "no_file",
            Self::KeyNeeded { .. } => "key_needed",
            Self::WrongKey { .. } => "wrong_key",
            Self::NoKeys { .. } => "no_keys",
            Self::OtherKeys { .. } => "other_keys",
            Self::NotEncrypted { .. } => "not_encrypted",
            Self::KeyFile { .. } => "key_file",
            Self::Damaged { .. } => "damaged",
            Self::Busy { .. } => "busy",
            Self::InUse { .. } => "in_use",
            Self::OtherStore { .. } => "other_store",
            Self::ItsOwnBackup { .. } => "its_own_backup",
            Self::Full { .. } => "disk_full",
            Self::Poisoned { .. } => "poisoned",
            Self::System { .. } => "system",
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Self::Invalid(invalid) => invalid.fault(),
            Self::Conflict { .. }
            | Self::TurnConflict { .. }
            | Self::Taken { .. }
            | Self::FieldConflict { .. }
            | Self::SessionExists { .. }
            | Self::CheckpointExists { .. }
            | Self::NotAsked { .. }
            | Self::ReceiptChanged
            | Self::FileExists { .. }
            | Self::InUse { .. }
            | Self::OtherStore { .. }
            | Self::ReadOnly { .. } => Fault::Refused,
            Self::NoSuchMemory { .. } | Self::NoSuchCheckpoint { .. } | Self::NoStore { .. } => {
                Fault::NotFound
            }
            Self::NotAStore { .. }
            | Self::LinkedFile { .. }
            | Self::NoFile
            | Self::ItsOwnBackup { .. }
            | Self::NewerFormat { .. }
            | Self::KeyNeeded { .. }
            | Self::WrongKey { .. }
            | Self::NotEncrypted { .. }
            | Self::KeyFile { .. } => Fault::Caller,
            Self::NoKeys { .. }
            | Self::OtherKeys { .. }
            | Self::UnreadLog { .. }
            | Self::Damaged { .. }
            | Self::Busy { .. }
            | Self::Full { .. }
            | Self::Poisoned { .. }
            | Self::System { .. } => Fault::Environment,
        }
    }

    fn field(&self) -> Option<&str> {
        if let Self::Invalid(invalid) = self {
            invalid.field()
        } else {
            None
        }
    }
}
