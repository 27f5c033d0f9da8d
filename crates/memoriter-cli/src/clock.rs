//! A clock that somebody sets: for the demonstration, for evaluation and for tests.

use std::sync::atomic::{AtomicI64, Ordering};

use memoriter::core::port::Clock;
use memoriter::core::time::Timestamp;

/// Stands still until it is set.
pub(crate) struct SetClock(AtomicI64);

impl SetClock {
    /// Shows `now`.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.as_micros()))
    }

    /// Shows `now` from here on, forwards or backwards.
    pub(crate) fn set(&self, now: Timestamp) {
        self.0.store(now.as_micros(), Ordering::Relaxed);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::Relaxed))
    }
}
