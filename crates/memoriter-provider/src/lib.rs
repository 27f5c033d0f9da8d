//! What Memoriter borrows from models: embedders that turn texts into vectors, language models that answer,
//! tokenizers that count.
//!
//! Each provider implements a port of [`memoriter_core::port`]. This crate knows nothing of stores, ranking or
//! configuration: it is told which provider to build and builds it.

pub mod embed;
pub mod llm;
pub mod tokens;
