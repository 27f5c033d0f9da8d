//! The command from outside: what it prints, where, and how it ends.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests stop at the first surprise, like the tests"
)]

mod attempts;
mod backup;
mod config;
mod context;
mod demo;
mod encrypt;
mod erase;
mod eval;
mod forget;
mod health;
mod ingest;
mod mcp;
mod memories;
mod messages;
#[cfg(feature = "llm")]
mod model;
mod odd;
mod read_only;
mod recall;
mod remember;
mod restore;
mod serve;
mod session;
mod state;
mod support;
mod transfer;
