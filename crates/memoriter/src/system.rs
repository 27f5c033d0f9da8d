//! The machine's clock and randomness: the only place that asks for them.

use std::time::{SystemTime, UNIX_EPOCH};

use memoriter_core::port::{Clock, Entropy};
use memoriter_core::time::Timestamp;

/// The operating system's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that everything else is given"
    )]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Timestamp::from_micros(since.map_or(0, |since| {
            i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
        }))
    }
}

/// The operating system's random numbers.
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    /// # Panics
    /// When the operating system has no randomness to give; without it no id is safe.
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).expect("the operating system gives random bytes");
    }
}
