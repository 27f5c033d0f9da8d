//! The present, decided by the test.

use std::sync::atomic::{AtomicI64, Ordering};

use memoriter_core::port::Clock;
use memoriter_core::time::Timestamp;

/// Stands still.
#[derive(Clone, Copy, Debug)]
pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// Moves by one step with each look at it, and by leaps when told to.
#[derive(Debug)]
pub struct StepClock {
    micros: AtomicI64,
    step: i64,
}

impl StepClock {
    /// Shows `start` first. `step` is in microseconds and may be negative.
    #[must_use]
    pub fn new(start: Timestamp, step: i64) -> Self {
        Self {
            micros: AtomicI64::new(start.as_micros()),
            step,
        }
    }

    /// Moves by `micros`, backwards when negative.
    pub fn leap(&self, micros: i64) {
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }
}

impl Clock for StepClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.micros.fetch_add(self.step, Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_clock_steps_and_leaps() {
        let clock = StepClock::new(Timestamp::from_micros(10), 5);
        assert_eq!(clock.now(), Timestamp::from_micros(10));
        clock.leap(-100);
        assert_eq!(clock.now(), Timestamp::from_micros(-85));
    }
}
