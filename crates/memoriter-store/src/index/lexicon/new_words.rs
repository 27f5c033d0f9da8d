//! Words that wait for their vectors.

use memoriter_core::port::WordVectors;
use memoriter_core::vector::QuantisedVector;

use super::super::vectors::Vectors;

/// Words from which on it pays to start a thread: together they take about a quarter of a millisecond.
const WORTH_A_THREAD: usize = 256;

/// Content words in order of arrival, one after another in one text.
#[derive(Default)]
pub(super) struct NewWords {
    text: String,
    ends: Vec<usize>,
}

impl NewWords {
    pub(super) fn push(&mut self, word: &str) {
        self.text.push_str(word);
        self.ends.push(self.text.len());
    }

    /// Appends the vector of each word. Many words are shared with a second thread.
    pub(super) fn place(&self, words: &dyn WordVectors, vectors: &mut Vectors) {
        let count = self.ends.len();
        let push = |range: std::ops::Range<usize>, vectors: &mut Vectors| {
            vectors.reserve(range.len());
            for number in range {
                let vector = vector_of(words, self.word(number));
                vectors.push(vector.as_ref().map(|vector| (vector.scale, &*vector.codes)));
            }
        };
        if count < WORTH_A_THREAD {
            push(0..count, vectors);
            return;
        }
        let mut others = vectors.empty_like();
        std::thread::scope(|threads| {
            threads.spawn(|| push(count / 2..count, &mut others));
            push(0..count / 2, vectors);
        });
        vectors.append(&others);
    }

    fn word(&self, number: usize) -> &str {
        let before = number.checked_sub(1).and_then(|at| self.ends.get(at));
        let start = before.copied().unwrap_or(0);
        let end = self.ends.get(number).copied().unwrap_or(start);
        self.text.get(start..end).unwrap_or_default()
    }
}

/// The vector of a word; a number is near to nothing but itself.
fn vector_of(words: &dyn WordVectors, word: &str) -> Option<QuantisedVector> {
    let says_something = word.chars().any(char::is_alphabetic);
    says_something.then(|| words.word_vector(word)).flatten()
}
