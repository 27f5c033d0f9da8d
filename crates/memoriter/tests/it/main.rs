//! The library as its users see it.

mod brute_force;
mod determinism;
mod hostile;
mod neighbours_in_process;
mod recall;
mod writing;
