//! Vectors of words that were worked out before: people share most of theirs.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use memoriter_core::port::WordVectors;
use memoriter_core::vector::QuantisedVector;

use super::lexicon::AsItIs;

/// Words that are kept: more than a person uses, and with vectors of 256 components under 6 MB.
const WORDS_MAX: usize = 16_384;

type Known = HashMap<u64, Option<QuantisedVector>, BuildHasherDefault<AsItIs>>;

/// Remembers the vectors of the first words that are asked for, by their hashes, so that the next scope that is loaded
/// does not work them out again. Once it is full others are worked out each time.
pub(super) struct KnownWords {
    vectors: Arc<dyn WordVectors>,
    known: RwLock<Known>,
}

impl KnownWords {
    pub(super) fn new(vectors: Arc<dyn WordVectors>) -> Self {
        Self {
            vectors,
            known: RwLock::default(),
        }
    }

    /// Forgets every word.
    pub(super) fn clear(&self) {
        self.write().clear();
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WordVectors for KnownWords {
    fn dimensions(&self) -> usize {
        self.vectors.dimensions()
    }

    fn word_vector(&self, word: &str) -> Option<QuantisedVector> {
        let mut hasher = DefaultHasher::new();
        hasher.write(word.as_bytes());
        let hash = hasher.finish();
        if let Some(known) = self.read().get(&hash) {
            return known.clone();
        }
        let vector = self.vectors.word_vector(word);
        let mut known = self.write();
        if known.len() < WORDS_MAX {
            known.insert(hash, vector.clone());
        }
        vector
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Counts how often it is asked.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl WordVectors for Counting {
        fn dimensions(&self) -> usize {
            2
        }

        fn word_vector(&self, word: &str) -> Option<QuantisedVector> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let length = i8::try_from(word.len()).ok()?;
            (length > 1).then(|| QuantisedVector {
                scale: 1.0,
                codes: [length, -length].into(),
            })
        }
    }

    #[test]
    fn a_word_is_worked_out_once_until_all_are_forgotten() {
        let counting = Arc::new(Counting::default());
        let words = KnownWords::new(Arc::clone(&counting) as _);
        for _ in 0..3 {
            assert_eq!(words.word_vector("exam").unwrap().codes[..], [4, -4]);
            assert_eq!(words.word_vector("x"), None);
        }
        assert_eq!(counting.0.load(Ordering::Relaxed), 2);
        words.clear();
        assert_eq!(words.word_vector("exam").unwrap().codes[..], [4, -4]);
        assert_eq!(counting.0.load(Ordering::Relaxed), 3);
    }
}
