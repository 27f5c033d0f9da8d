//! Words to vectors, for comparing texts word by word.

use crate::vector::QuantisedVector;

/// Gives single words a direction, so that "piano" finds "violin" inside a sentence about something else.
///
/// - Equal words MUST give equal vectors; a word that cannot be placed MUST be `None`.
/// - Every vector MUST have [`WordVectors::dimensions`] components.
/// - An implementation MUST be fast (a few microseconds) and callable from any thread: it runs inside recall.
pub trait WordVectors: Send + Sync {
    /// Components of a vector.
    fn dimensions(&self) -> usize;
    /// The vector of one folded word.
    fn word_vector(&self, word: &str) -> Option<QuantisedVector>;
}
