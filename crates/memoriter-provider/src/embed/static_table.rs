//! The built-in embedder: a table of token vectors, no model to run.
//!
//! A text's vector is the sum of the rows of its WordPiece tokens, scaled to length 1. The rows were taught to
//! sum to what the sentence model all-MiniLM-L6-v2 says (`data/README.md`), so related words are near each
//! other. Word order and negation are lost: the table finds candidates and judges nothing. It knows English
//! best; of other scripts it has single characters, and the text index carries those languages.
//!
//! Unknown words count for nothing. A row for them would pull together all texts with unknown words, however
//! unrelated; a text of nothing else has no vector.

use memoriter_core::port::embedder::{Calibration, EmbedError, Embedder, ModelName, TextRole};
use memoriter_core::text::is_mostly_latin;
use memoriter_core::vector::UnitVector;

use super::wordpiece::{TokenId, WordPiece};

mod table;

use table::{DIMENSIONS, RowSum, Rows};

/// The table's file; `data/README.md` says what it is and where it comes from.
static FILE: &[u8] = include_bytes!("../../data/static-256-v1.bin");

/// Measured on LoCoMo: questions against turns, as `speaker: text`, of other conversations, 2.2 million pairs
/// (`examples/calibrate.rs`). Within one conversation, where the speaker's name alone brings a question and a
/// turn together, the mean is 0.212 and the deviation 0.109.
const CALIBRATION: Calibration = Calibration {
    mean: 0.136,
    deviation: 0.088,
};

/// The built-in static token table, `static-256-v1`: 29,525 tokens, 256 dimensions.
///
/// Takes a few microseconds a sentence and has no window: a text is embedded as a whole.
///
/// ```
/// use memoriter_core::port::embedder::{Embedder, TextRole};
/// use memoriter_provider::embed::StaticTable;
///
/// let table = StaticTable::new();
/// let vectors = table.embed(&["My exam is on 14 March", "When is the test?", "§"], TextRole::Record)?;
/// assert_eq!(vectors.len(), 3);
/// # Ok::<(), memoriter_core::port::embedder::EmbedError>(())
/// ```
#[derive(Debug)]
pub struct StaticTable {
    model: ModelName,
    wordpiece: WordPiece,
    rows: Rows,
}

/// A token of a text with its row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenRow {
    /// The token.
    pub token: TokenId,
    /// What the token adds to a text's sum, [`Embedder::dimensions`] components. Its length is the token's
    /// weight: long for telling words, short for frequent ones.
    pub components: Box<[f32]>,
}

impl StaticTable {
    /// Reads the table that is part of the program; takes less than a millisecond.
    ///
    /// # Panics
    /// Never: the tests read the same table.
    #[must_use]
    pub fn new() -> Self {
        let (vocabulary, rows) = table::parse(FILE).expect("the built-in table is whole");
        let wordpiece =
            WordPiece::new(vocabulary).expect("the built-in vocabulary has an unknown token");
        Self {
            model: ModelName::new("static-256-v1"),
            wordpiece,
            rows,
        }
    }

    /// The known tokens of a text in order, each with its row: what a comparison token by token needs.
    #[must_use]
    pub fn token_rows(&self, text: &str) -> Vec<TokenRow> {
        let row_of = |token| TokenRow {
            token,
            components: Box::new(self.rows.row(token)),
        };
        self.known_tokens(text).map(row_of).collect()
    }

    fn known_tokens(&self, text: &str) -> impl Iterator<Item = TokenId> {
        let unknown = self.wordpiece.unknown();
        self.wordpiece
            .tokenise(text, usize::MAX)
            .into_iter()
            .filter(move |token| *token != unknown)
    }

    /// The vector of one text.
    pub(super) fn embed_one(&self, text: &str) -> Option<UnitVector> {
        let mut sum = RowSum::default();
        for token in self.known_tokens(text) {
            self.rows.add(token, &mut sum);
        }
        UnitVector::normalise(sum.components().to_vec())
    }
}

impl Default for StaticTable {
    fn default() -> Self {
        Self::new()
    }
}

impl Embedder for StaticTable {
    fn model(&self) -> &ModelName {
        &self.model
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn calibration(&self) -> Calibration {
        CALIBRATION
    }

    fn reads(&self, text: &str) -> bool {
        is_mostly_latin(text)
    }

    fn embed(
        &self,
        texts: &[&str],
        _role: TextRole,
    ) -> Result<Vec<Option<UnitVector>>, EmbedError> {
        Ok(texts.iter().map(|text| self.embed_one(text)).collect())
    }
}

#[cfg(test)]
mod tests;
