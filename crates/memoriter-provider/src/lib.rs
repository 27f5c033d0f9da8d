//! memoriter-provider
