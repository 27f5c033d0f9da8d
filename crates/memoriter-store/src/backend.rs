//! Back ends: one file each. A back end is ported by passing `memoriter_testkit::conformance::store`.

mod check;
pub mod memory;
pub mod sqlite;
