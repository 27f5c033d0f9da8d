//! memoriter
