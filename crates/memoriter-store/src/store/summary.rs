//! How much there is, and whether it is sound.

use memoriter_core::memory::State;
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_core::session::Mode;
use memoriter_core::time::ZonedTime;
use memoriter_core::turn::SessionName;

use super::Damage;

/// A session and how much is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSummary {
    /// Its name.
    pub name: SessionName,
    /// How many turns of its own.
    pub turns: u64,
    /// When the first of them was said; `None` where there is none.
    pub first_at: Option<ZonedTime>,
    /// When the last of them was said.
    pub last_at: Option<ZonedTime>,
    /// What it has to do with long-term memory.
    pub mode: Mode,
    /// Fields on its board.
    pub fields: u64,
    /// Checkpoints of its run.
    pub checkpoints: u64,
}

/// A scope and how much is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeSummary {
    /// The scope.
    pub scope: Scope,
    /// Memories by the state that their rows say, every one of [`State::STORED`] listed.
    pub memories: Vec<(State, u64)>,
    /// Turns.
    pub turns: u64,
    /// Sessions, also those without turns.
    pub sessions: u64,
    /// Attachments.
    pub attachments: u64,
    /// Records with a vector, by model.
    pub vectors: Vec<(ModelName, u64)>,
}

/// How much there is of a scope besides its sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScopeTotals {
    /// Memories in every state.
    pub memories: u64,
    /// Lines of the ledger.
    pub decisions: u64,
}

/// What a check of the whole store found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Memories that were read.
    pub memories: u64,
    /// Turns that were read.
    pub turns: u64,
    /// Attachments that were read, all of their bytes.
    pub attachments: u64,
    /// Fields of boards that were read, with what checkpoints hold of them.
    pub fields: u64,
    /// Checkpoints that were read.
    pub checkpoints: u64,
    /// Everything that does not fit; empty when the store is sound.
    pub problems: Vec<Damage>,
}
