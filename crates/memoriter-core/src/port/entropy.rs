//! Randomness, as an argument.

/// A source of random bytes, for identifiers and keys.
///
/// An implementation MUST fill the whole buffer. One that serves a production store MUST be
/// cryptographically strong; one that serves tests MUST give the same bytes for the same seed.
pub trait Entropy: Send + Sync {
    /// Fills `buffer` with random bytes.
    fn fill(&self, buffer: &mut [u8]);
}
