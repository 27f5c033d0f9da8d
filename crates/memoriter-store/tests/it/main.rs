//! What a store does, seen from outside.

mod conformance;
mod crash;
mod damage;
#[cfg(target_os = "linux")]
mod disk;
mod file;
mod format;
mod full;
mod processes;
mod support;
