//! What is to be erased.

use crate::id::{MemoryId, TurnId};
use crate::memory::FactKey;
use crate::provenance::Origin;
use crate::time::Timestamp;
use crate::turn::SessionName;

use super::cascade::Cascade;

/// Bytes that a text to match may have: those of a question.
pub const MATCHING_BYTES_MAX: usize = 8 * 1024;

/// What of a scope is to be erased. What follows from it is in `docs/forgetting.md`.
#[derive(Clone, Debug, PartialEq)]
pub enum Selector {
    /// A memory, with every version in its chain.
    Memory(MemoryId),
    /// Everything under a key, with every version.
    Key(FactKey),
    /// A turn.
    Turn(TurnId),
    /// A session: its turns, its board, its checkpoints.
    Session(SessionName),
    /// The scope and every scope inside it.
    Everything,
    /// What came from an origin since a time, by when the store took it, and what was made from that.
    Learned {
        /// The origin.
        origin: Origin,
        /// From when on.
        since: Timestamp,
    },
    /// Whatever holds these words: see [`Phrase`](super::Phrase).
    Matching(String),
}

impl Selector {
    /// The word that receipts and users see.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Memory(_) => "memory",
            Self::Key(_) => "key",
            Self::Turn(_) => "turn",
            Self::Session(_) => "session",
            Self::Everything => "everything",
            Self::Learned { .. } => "origin",
            Self::Matching(_) => "matching",
        }
    }

    /// How far it reaches along provenance.
    #[must_use]
    pub fn cascade(&self) -> Cascade {
        match self {
            Self::Learned { .. } => Cascade::AnySupport,
            Self::Memory(_)
            | Self::Key(_)
            | Self::Turn(_)
            | Self::Session(_)
            | Self::Everything
            | Self::Matching(_) => Cascade::LastSupport,
        }
    }

    /// Whether it is looked for in the scopes inside the scope as well: a single thing is named in its own.
    #[must_use]
    pub fn reaches_inside(&self) -> bool {
        match self {
            Self::Memory(_) | Self::Key(_) | Self::Turn(_) | Self::Session(_) => false,
            Self::Everything | Self::Learned { .. } | Self::Matching(_) => true,
        }
    }

    /// Whether what is selected takes along the turns and episodes that say it and support nothing else: who erases a
    /// fact does not want it recalled from the sentence that it was taken from.
    #[must_use]
    pub fn takes_what_says_it(&self) -> bool {
        match self {
            Self::Memory(_) | Self::Key(_) => true,
            Self::Turn(_)
            | Self::Session(_)
            | Self::Everything
            | Self::Learned { .. }
            | Self::Matching(_) => false,
        }
    }
}
