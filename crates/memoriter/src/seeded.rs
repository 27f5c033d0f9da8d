//! Randomness that repeats, for demonstrations, evaluation and tests.

use std::sync::atomic::{AtomicU64, Ordering};

use memoriter_core::port::Entropy;

/// The same bytes for the same seed and the same order of calls. Not for stores whose ids must not be guessed.
pub struct SeededEntropy {
    seed: u64,
    calls: AtomicU64,
}

impl SeededEntropy {
    /// Starts a sequence.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            calls: AtomicU64::new(0),
        }
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.seed.to_le_bytes());
        hasher.update(&call.to_le_bytes());
        hasher.finalize_xof().fill(buffer);
    }
}
