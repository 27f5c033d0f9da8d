//! Single words from the built-in table.

use memoriter_core::port::{Embedder, WordVectors};
use memoriter_core::vector::{QuantisedVector, UnitVector};

use super::StaticTable;

impl WordVectors for StaticTable {
    fn dimensions(&self) -> usize {
        Embedder::dimensions(self)
    }

    fn word_vector(&self, word: &str) -> Option<QuantisedVector> {
        let mut sum = vec![0.0_f32; Embedder::dimensions(self)];
        for row in self.token_rows(word) {
            sum.iter_mut().zip(&row.components).for_each(|(sum, component)| *sum += component);
        }
        UnitVector::normalise(sum).as_ref().map(QuantisedVector::quantise)
    }
}
