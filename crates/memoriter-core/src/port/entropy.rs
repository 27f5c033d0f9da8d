//! Randomness, as an argument.

use std::sync::atomic::{AtomicU64, Ordering};

/// A source of random bytes, for identifiers and keys.
///
/// An implementation MUST fill the whole buffer. One that serves a production store MUST be
/// cryptographically strong; one that serves tests MUST give the same bytes for the same seed.
pub trait Entropy: Send + Sync {
    /// Fills `buffer` with random bytes.
    fn fill(&self, buffer: &mut [u8]);
}

/// Bytes that repeat, for demonstrations, evaluation and tests: BLAKE3 over seed and number of the call, so the
/// same for the same seed and order of calls. Not for a store whose ids must not be guessed.
#[derive(Debug)]
pub struct SeededEntropy {
    seed: u64,
    calls: AtomicU64,
}

impl SeededEntropy {
    /// Starts anew.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            calls: AtomicU64::new(0),
        }
    }

    /// A number below `bound`.
    ///
    /// # Panics
    /// When `bound` is 0.
    #[must_use]
    pub fn below(&self, bound: u64) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u64::from_le_bytes(bytes) % bound
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_bytes() {
        let draw = |seed| {
            let entropy = SeededEntropy::new(seed);
            [entropy.below(u64::MAX), entropy.below(u64::MAX)]
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        let [first, second] = draw(1);
        assert_ne!(first, second);
    }
}
