//! Memory for AI agents: what is written down, recalled, rewritten and forgotten, in one embedded file.
//!
//! ```
//! use memoriter::{Memoriter, Note, Scope};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("memory.db");
//! let memory = Memoriter::open(path)?;
//! let priya = memory.scope(Scope::user("priya"));
//! priya.remember(Note::new("I live in Berlin").key("user.city".parse()?).value("Berlin"))?;
//! priya.remember(Note::new("I moved to Munich").key("user.city".parse()?).value("Munich"))?;
//!
//! let hits = priya.recall("Which city do I live in?").top(5).run()?;
//! assert_eq!(hits[0].text(), "I moved to Munich");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Memoriter`] is an open store, [`ScopedMemory`] everything a caller in one scope can do. Calls block;
//! handles are cheap to clone and may be used from any thread. Time and randomness come from the builder.
//! This crate knows nothing of HTTP, the command line or the environment.

mod attached;
mod backup;
mod block;
mod board;
mod checkpoints;
mod desk;
mod draft;
mod echo;
mod engine;
mod erase;
mod error;
pub mod eval;
mod guarded;
mod handle;
mod health;
pub mod import;
mod learn;
mod ledger;
mod memories;
mod messages;
mod mode;
mod model;
mod names;
mod near;
mod note;
mod open;
mod past;
mod pin;
mod prepared;
mod profile;
mod proposal;
mod queue;
mod recall;
mod remember;
mod review;
mod serve;
mod session;
mod sweep;
mod system;
pub mod tools;
mod transfer;
mod usage;
mod worker;

pub use attached::Stretch;
pub use backup::{BACKUP_LEAVES_OUT, Backup, Restored};
pub use block::BlockEdit;
pub use board::{Board, Taken};
pub use checkpoints::{Checkpoints, NewState, Resumed};
pub use desk::{Answered, Assembly, BUDGET_TOKENS_DEFAULT, BUDGET_TOKENS_MAX, Folded, Session};
pub use erase::{Completed, ErasePlan, Erasing, KeptReceipt, Planned, PlannedRecord, ReceiptState};
pub use error::Error;
pub use handle::ScopedMemory;
pub use health::{IndexUsage, Rebuilt, Statistics, Verification};
pub use learn::Learned;
pub use memories::{ABOUT_MAX, Correction, MemoryPage, PAGE_MAX};
pub use memoriter_core::access::{Access, AccessDenied, Right, Rights};
pub use memoriter_core::desk::{Desk, Form};
pub use memoriter_core::error::{Diagnose, Fault, InvalidInput};
pub use memoriter_core::forget::{Selector, SignedReceipt};
pub use memoriter_core::port::SeededEntropy;
pub use memoriter_core::scope::Scope;
pub use memoriter_core::session::Mode;
pub use memoriter_core::write::{Decision, DecisionKind, Reason};
pub use memoriter_store::{MasterKey, make_key_file, read_key_file};
pub use messages::Incoming;
pub use model::{ModelCaps, ModelPolicy};
pub use note::Note;
pub use open::{Builder, INDEX_BYTES_DEFAULT, Memoriter};
pub use profile::Profile;
pub use queue::Worked;
pub use recall::{NEIGHBOURS_MAX, Recall, Recalled, Recollection, Record, TOP_MAX};
pub use session::{AppendedTurn, TurnDraft, TurnKey};
pub use sweep::Swept;
pub use system::{SystemClock, SystemEntropy};
pub use transfer::{
    Clash, EXPORT_VERSION, Exported, Import, Imported, RecordCounts, TransferError,
};
pub use worker::Worker;

/// The vocabulary: records, scopes, times, ports.
pub use memoriter_core as core;
/// Embedders and language models.
pub use memoriter_provider as provider;
/// Stores and the index.
pub use memoriter_store as store;

/// The examples of README.md, compiled and run with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct ReadmeExamples;
