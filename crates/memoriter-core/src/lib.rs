//! The vocabulary of Memoriter and the pure functions that decide: what a turn and a memory are, what a
//! candidate becomes, how a record scores.
//!
//! This crate does no I/O and knows no clock, randomness, thread or future: time and random bytes are
//! arguments. It knows nothing of SQL, HTTP or the command line. Everything here gives equal output for
//! equal input.
//!
//! | module | holds |
//! |---|---|
//! | [`scope`], [`turn`], [`attachment`], [`memory`], [`provenance`], [`metadata`] | the records and the types of their fields |
//! | [`id`], [`time`], [`checksum`] | identifiers, instants, integrity |
//! | [`text`] | normalising and analysing text, the same for query and record |
//! | [`query`] | what a question asks for |
//! | [`vector`] | unit vectors and their eight-bit form |
//! | [`rank`] | one formula a file: BM25, blend, gate, recency |
//! | [`session`], [`board`], [`checkpoint`] | what a session is besides its turns: mode, state, states of its run |
//! | [`guard`] | what a text must not bring in: secrets, blocked categories, instructions |
//! | [`extract`] | from turns to candidates, and the rules that do it without a model |
//! | [`mod@write`] | reconcile: one decision per candidate |
//! | [`message`] | turns in the shapes of providers |
//! | [`audit`] | what the log of deeds says |
//! | [`forget`] | what is erased for good, and what goes with it |
//! | [`fold`] | what older turns came to, in their own words |
//! | [`desk`] | what a model reads in one call, inside a budget of tokens |
//! | [`port`] | what the outside implements: embedder, clock, entropy |

pub mod access;
mod ask;
pub mod attachment;
pub mod audit;
pub mod board;
pub mod checkpoint;
pub mod checksum;
pub mod desk;
pub mod error;
pub mod extract;
pub mod fold;
pub mod forget;
pub mod guard;
pub mod id;
pub mod memory;
pub mod message;
pub mod metadata;
pub mod port;
pub mod provenance;
pub mod query;
pub mod rank;
pub mod scope;
pub mod session;
pub mod text;
pub mod time;
pub mod turn;
pub mod vector;
pub mod write;
