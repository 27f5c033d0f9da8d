//! What a session is besides its turns.

use crate::id::CheckpointId;
use crate::provenance::words;
use crate::turn::SessionName;

words! {
    /// What a session has to do with long-term memory. Later ones have less.
    #[derive(Default)]
    Mode, "mode", "full, read-only or none" {
        /// It is read, and written from what is said.
        #[default]
        Full = "full",
        /// It is read and not written. Turns are kept.
        ReadOnly = "read-only",
        /// Neither: the session's own turns and state are all there is, and no other session recalls its turns.
        NoMemory = "none",
    }
}

/// Where a session goes on from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForkPoint {
    /// The session.
    pub session: SessionName,
    /// How many of its turns come before the own ones, from its first on.
    pub turns: u32,
    /// The checkpoint; it may be gone.
    pub checkpoint: CheckpointId,
}
