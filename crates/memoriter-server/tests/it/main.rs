//! The server as its callers see it: over a socket.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests stop at the first surprise, like the tests"
)]

mod access;
mod calls;
mod client;
mod document;
mod limits;
mod matrix;
mod repeated;
mod tokens;
mod walls;
mod watch;
