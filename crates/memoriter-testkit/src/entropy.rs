//! Chance that repeats.

use std::sync::atomic::{AtomicU64, Ordering};

use memoriter_core::port::Entropy;

/// The same bytes in the same order for the same seed: BLAKE3 over seed and number of the call.
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
