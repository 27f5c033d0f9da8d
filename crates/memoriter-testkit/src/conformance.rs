//! Suites of rules, one a port; an implementation passes the suite of its port in its own tests.

pub mod embedder;
pub mod store;
pub mod token_counter;
