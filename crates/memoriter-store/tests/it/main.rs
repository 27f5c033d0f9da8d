//! What a store does, seen from outside.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first surprise, like the tests"
)]
#![expect(
    clippy::print_stdout,
    reason = "processes tell the test that started them what they did"
)]

mod books;
mod conformance;
mod crash;
mod cut;
mod damage;
#[cfg(target_os = "linux")]
mod disk;
mod encrypted;
mod erased;
mod file;
mod format;
mod full;
mod processes;
mod schema;
mod sessions;
mod support;
