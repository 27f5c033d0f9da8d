//! memoriter-testkit
