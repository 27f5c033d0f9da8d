//! What a call into the engine can fail with.

use memoriter_core::access::AccessDenied;
use memoriter_core::attachment::Handle;
use memoriter_core::board::BoardError;
use memoriter_core::desk::DeskError;
use memoriter_core::error::{Diagnose, Fault, InvalidInput};
use memoriter_core::id::MemoryId;
use memoriter_core::port::{EmbedError, ModelError};
use memoriter_core::scope::Scope;
use memoriter_store::StoreError;

use crate::import::ImportError;
use crate::transfer::TransferError;

/// Why a call failed. [`Diagnose::code`] names it for programs, [`Diagnose::fault`] says whose move it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An argument breaks a rule; nothing was written.
    #[error(transparent)]
    Invalid(#[from] InvalidInput),
    /// The handle may not do this; nothing was done.
    #[error(transparent)]
    Denied(#[from] AccessDenied),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The embedder failed; nothing was written.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// The text could not be read for facts; nothing was written.
    #[error(transparent)]
    Extract(#[from] ModelError),
    /// There is no desk inside the budget.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// The memory does not wait for a person.
    #[error("memory {id} is {state}, and only a pending or quarantined one can be reviewed")]
    NotWaiting {
        /// The memory.
        id: MemoryId,
        /// Its state.
        state: &'static str,
    },
    /// The memory has another version than the caller expects.
    #[error("memory {id} has version {found}, not {expected}")]
    VersionConflict {
        /// The memory.
        id: MemoryId,
        /// What the caller expects.
        expected: u32,
        /// What is there.
        found: u32,
    },
    /// The memory is not in the state that the call needs.
    #[error("memory {id} is {state}, and only a live, pending or quarantined one can be {wanted}")]
    WrongState {
        /// The memory.
        id: MemoryId,
        /// Its state.
        state: &'static str,
        /// What was asked for: `corrected`, `retired`.
        wanted: &'static str,
    },
    /// Another live memory says this already.
    #[error("memory {id} says this already")]
    AlreadySaid {
        /// That memory.
        id: MemoryId,
    },
    /// A field is not written.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A memory that is not believed moves into no field.
    #[error("memory {id} is {state}, and only a live one moves into a field")]
    NotLive {
        /// The memory.
        id: MemoryId,
        /// Its state.
        state: &'static str,
    },
    /// No memory of the scope is clearly about what was said.
    #[error("no memory is clearly about this")]
    NoMatch {
        /// The best match in a scope around it, which is another place to say it in.
        around: Option<(MemoryId, Scope)>,
    },
    /// What was said is about more memories than can be meant.
    #[error("more than {limit} memories match")]
    TooManyMatches {
        /// How many there may be.
        limit: usize,
    },
    /// A key has no live value, or several.
    #[error("key {key} has {count} live values, and one is needed")]
    NotOneValue {
        /// The key.
        key: String,
        /// How many values.
        count: usize,
    },
    /// The session has no checkpoint.
    #[error("session {session} has no checkpoint")]
    NoCheckpoint {
        /// Its name.
        session: String,
    },
    /// What is to be erased is not there.
    #[error("there is no {what} to erase")]
    NothingToErase {
        /// The kind and name of it.
        what: String,
    },
    /// Messages are said to stand behind more than the session has: there would be a hole.
    #[error(
        "from is {from}, and session {session} has {messages} messages: from is at most {messages}"
    )]
    PositionGap {
        /// The session.
        session: String,
        /// How many messages were said to stand before.
        from: u64,
        /// How many do.
        messages: u64,
    },
    /// There is no session of this name in the scope.
    #[error("there is no session {name}")]
    NoSuchSession {
        /// The name.
        name: String,
    },
    /// The block has another version than the caller expects.
    #[error(
        "block {name} has version {found}, not {expected}: read it again and edit what it says now"
    )]
    BlockConflict {
        /// The block.
        name: String,
        /// What the caller expects; 0 for none.
        expected: u32,
        /// What is there; 0 for none.
        found: u32,
    },
    /// A message is not as its provider writes it.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// Nothing of the scope has this handle.
    #[error("there is nothing with the handle {handle}")]
    NoSuchHandle {
        /// The handle.
        handle: Handle,
    },
    /// Somebody asked to forget what the handle leads to.
    #[error("what {handle} leads to was forgotten on request")]
    Forgotten {
        /// The handle.
        handle: Handle,
    },
    /// A file of an export is not what it must be.
    #[error(transparent)]
    Transfer(#[from] TransferError),
    /// A name holds a secret, and names are kept as they are. The secret is not in the message.
    #[error("{field} holds a secret ({kind}), and names are kept as they are; nothing was written")]
    SecretName {
        /// The field: `session`, `speaker`, `user`.
        field: String,
        /// What the secret is, as in a mask.
        kind: String,
    },
    /// The system gives no thread.
    #[error("no thread can be started")]
    Thread {
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
}

impl Diagnose for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::Invalid(error) => error.code(),
            Self::Denied(error) => error.code(),
            Self::Store(error) => error.code(),
            Self::Embed(error) => error.code(),
            Self::Extract(error) => error.code(),
            Self::Desk(error) => error.code(),
            Self::BlockConflict { .. } => "block_conflict",
            Self::NotWaiting { .. } => "not_waiting",
            Self::VersionConflict { .. } => "version_conflict",
            Self::WrongState { .. } => "wrong_state",
            Self::AlreadySaid { .. } => "already_said",
            Self::Board(error) => error.code(),
            Self::Transfer(error) => error.code(),
            Self::NotLive { .. } => "not_live",
            Self::NoMatch { .. } => "no_match",
            Self::TooManyMatches { .. } => "too_many_matches",
            Self::NotOneValue { .. } => "not_one_value",
            Self::NoCheckpoint { .. } => "no_checkpoint",
            Self::NoSuchSession { .. } => "no_such_session",
            Self::PositionGap { .. } => "position_gap",
            Self::Import(error) => error.code(),
            Self::NoSuchHandle { .. } => "no_such_handle",
            Self::Forgotten { .. } => "forgotten",
            Self::NothingToErase { .. } => "nothing_to_erase",
            Self::SecretName { .. } => "secret_name",
            Self::Thread { .. } => "thread",
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Self::Invalid(error) => error.fault(),
            Self::Denied(error) => error.fault(),
            Self::Store(error) => error.fault(),
            Self::Embed(error) => error.fault(),
            Self::Extract(error) => error.fault(),
            Self::Desk(error) => error.fault(),
            Self::VersionConflict { .. }
            | Self::BlockConflict { .. }
            | Self::WrongState { .. }
            | Self::NotWaiting { .. }
            | Self::NotLive { .. }
            | Self::TooManyMatches { .. }
            | Self::SecretName { .. }
            | Self::AlreadySaid { .. } => Fault::Refused,
            Self::Board(error) => error.fault(),
            Self::Import(error) => error.fault(),
            Self::Transfer(error) => error.fault(),
            Self::NotOneValue { count: 0, .. }
            | Self::NoMatch { .. }
            | Self::NoCheckpoint { .. }
            | Self::NothingToErase { .. }
            | Self::NoSuchSession { .. }
            | Self::NoSuchHandle { .. }
            | Self::Forgotten { .. } => Fault::NotFound,
            Self::NotOneValue { .. } | Self::PositionGap { .. } => Fault::Caller,
            Self::Thread { .. } => Fault::Environment,
        }
    }

    fn field(&self) -> Option<&str> {
        match self {
            Self::Invalid(error) => error.field(),
            Self::Denied(error) => error.field(),
            Self::Store(error) => error.field(),
            Self::Embed(error) => error.field(),
            Self::Extract(error) => error.field(),
            Self::Desk(error) => error.field(),
            Self::Board(error) => error.field(),
            Self::Import(error) => error.field(),
            Self::NoSuchHandle { .. } | Self::Forgotten { .. } => Some("handle"),
            Self::BlockConflict { .. } => Some("expected_version"),
            Self::Transfer(error) => error.field(),
            Self::SecretName { field, .. } => Some(field),
            Self::PositionGap { .. } => Some("from"),
            Self::NotLive { .. }
            | Self::NoMatch { .. }
            | Self::TooManyMatches { .. }
            | Self::NotOneValue { .. }
            | Self::NoCheckpoint { .. }
            | Self::VersionConflict { .. }
            | Self::WrongState { .. }
            | Self::NotWaiting { .. }
            | Self::AlreadySaid { .. }
            | Self::NothingToErase { .. }
            | Self::NoSuchSession { .. }
            | Self::Thread { .. } => None,
        }
    }
}
