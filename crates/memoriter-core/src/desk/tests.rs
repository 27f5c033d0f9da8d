//! Desks of sessions that nobody had.

mod budget;
mod quoting;
mod sample;
mod session;
mod shape;
