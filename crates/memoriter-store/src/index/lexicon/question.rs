//! A question's words against those of a lexicon.

use memoriter_core::port::WordVectors;
use memoriter_core::query::QueryTerm;

use super::super::slot::Slot;
use super::super::vectors::Vectors;
use super::{Lexicon, WordNumber};

/// The content words of a question.
pub(in crate::index) struct QuestionWords<'a> {
    lexicon: &'a Lexicon,
    /// By word of the question: its term's number; `None` where no record holds it.
    terms: Vec<Option<u32>>,
    vectors: Vectors,
}

impl<'a> QuestionWords<'a> {
    /// No words so far.
    pub(super) fn new(lexicon: &'a Lexicon) -> Self {
        Self {
            lexicon,
            terms: Vec::new(),
            vectors: Vectors::without_signs(lexicon.dimensions),
        }
    }

    /// Adds a word; `false` where it has no vector that can be compared.
    pub(in crate::index) fn add(&mut self, asked: &QueryTerm, words: &dyn WordVectors) -> bool {
        let term = self.lexicon.terms.get(&asked.term).copied();
        if let Some(known) = self.lexicon.vector_of(&asked.word) {
            self.vectors.push(Some(known));
        } else {
            let vector = words.word_vector(&asked.word);
            let Some(vector) = vector.filter(|vector| self.vectors.fits(&vector.codes)) else {
                return false;
            };
            self.vectors.push(Some((vector.scale, &vector.codes)));
        }
        self.terms.push(term);
        true
    }

    /// Appends how near a word of the lexicon is to each of the question's: 1 where both have the same term,
    /// else the cosine.
    pub(in crate::index) fn nearness(&self, word: WordNumber, out: &mut Vec<f32>) {
        let start = out.len();
        self.lexicon
            .vectors
            .cosines_of(Slot(word.0), &self.vectors, out);
        let term = self.lexicon.term_of.get(word.at()).copied();
        for (near, asked) in out.iter_mut().skip(start).zip(&self.terms) {
            if asked.is_some() && *asked == term {
                *near = 1.0;
            }
        }
    }
}
