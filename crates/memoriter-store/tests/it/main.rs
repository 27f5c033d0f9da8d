//! What a store does, seen from outside.

mod conformance;
mod crash;
mod damage;
mod file;
mod full;
mod processes;
mod support;
