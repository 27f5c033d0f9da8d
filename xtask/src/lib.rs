//! The tidy check.
