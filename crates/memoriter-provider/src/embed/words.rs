//! Single words from the built-in table.

use memoriter_core::port::{Embedder, WordVectors};
use memoriter_core::vector::QuantisedVector;

use super::StaticTable;

impl WordVectors for StaticTable {
    fn dimensions(&self) -> usize {
        Embedder::dimensions(self)
    }

    fn word_vector(&self, word: &str) -> Option<QuantisedVector> {
        self.embed_one(word).as_ref().map(QuantisedVector::quantise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn related_words_are_nearer_than_unrelated_ones() {
        let table = StaticTable::new();
        let [piano, violin, invoice] =
            ["piano", "violin", "invoice"].map(|word| table.word_vector(word).unwrap());
        assert!(piano.dot(&violin) > piano.dot(&invoice) + 0.2);
    }

    #[test]
    fn a_word_of_several_tokens_is_placed_and_an_unknown_one_is_not() {
        let table = StaticTable::new();
        assert!(table.word_vector("memoriter").is_some());
        assert_eq!(table.word_vector("𒀀"), None);
        assert_eq!(table.word_vector(""), None);
    }
}
