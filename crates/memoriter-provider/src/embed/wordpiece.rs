//! BERT's WordPiece tokeniser, uncased: text to token numbers.
//!
//! Control characters go, ideographs stand apart, combining marks go (NFD, then category `Mn`), letters become
//! lower case, white space and punctuation cut words. A word is the longest piece of the vocabulary that it
//! begins with, then the longest `##` piece that the rest begins with, and so on; a word that cannot be spelled
//! this way, or of over 100 characters, is one unknown token (Devlin et al. 2019, arXiv:1810.04805).
//!
//! The numbers are those of the reference tokeniser, with one exception: the text is never read for control
//! tokens. `[SEP]` typed by a user is two brackets and a word.
//!
//! Time is linear in the text whatever the text, and there is no text that fails.

use std::ops::ControlFlow;

mod classes;
mod vocabulary;
mod words;

pub use vocabulary::TokenId;
pub(crate) use vocabulary::Vocabulary;

use vocabulary::Place;
use words::{Word, for_each_word};

/// The token for a word that cannot be spelled.
const UNKNOWN: &str = "[UNK]";

/// A tokeniser with its vocabulary.
#[derive(Debug)]
pub(crate) struct WordPiece {
    vocabulary: Vocabulary,
    unknown: TokenId,
}

impl WordPiece {
    /// Tokenises with the pieces of `vocabulary`; `None` when it has no `[UNK]`.
    pub(crate) fn new(vocabulary: Vocabulary) -> Option<Self> {
        let unknown = vocabulary.token(UNKNOWN)?;
        Some(Self {
            vocabulary,
            unknown,
        })
    }

    /// The token that stands for every unknown word.
    pub(crate) fn unknown(&self) -> TokenId {
        self.unknown
    }

    /// The first `count_max` tokens of the text, `[UNK]` included. Reads no more of the text than it takes.
    pub(crate) fn tokenise(&self, text: &str, count_max: usize) -> Vec<TokenId> {
        let mut tokens = Vec::new();
        let mut prefix_hashes = Vec::new();
        for_each_word(text, |word| {
            self.push_pieces(word, &mut tokens, &mut prefix_hashes);
            if tokens.len() < count_max {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        tokens.truncate(count_max);
        tokens
    }

    fn push_pieces(&self, word: Word<'_>, tokens: &mut Vec<TokenId>, prefix_hashes: &mut Vec<u64>) {
        let Word::Spelled(mut rest) = word else {
            tokens.push(self.unknown);
            return;
        };
        let before = tokens.len();
        let mut place = Place::Initial;
        while !rest.is_empty() {
            let Some((token, length)) = self.vocabulary.longest_piece(rest, place, prefix_hashes)
            else {
                tokens.truncate(before);
                tokens.push(self.unknown);
                return;
            };
            tokens.push(token);
            rest = rest.split_at(length).1;
            place = Place::Continuation;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, count_max: usize, expected: &[usize]) {
        let vocabulary =
            Vocabulary::parse("[UNK]\n[SEP]\nun\n##want\n##ed\n!\n[\n]\nsep\na").unwrap();
        let wordpiece = WordPiece::new(vocabulary).unwrap();
        let tokens: Vec<usize> = wordpiece
            .tokenise(text, count_max)
            .into_iter()
            .map(TokenId::index)
            .collect();
        assert_eq!(tokens, expected, "{text:?}");
    }

    #[test]
    fn spells_words_by_their_longest_pieces() {
        check("Unwanted unwant un!", usize::MAX, &[2, 3, 4, 2, 3, 2, 5]);
    }

    #[test]
    fn makes_a_word_with_one_unknown_piece_unknown_as_a_whole() {
        check("unwantedly un", usize::MAX, &[0, 2]);
        check(&format!("{} un", "a".repeat(101)), usize::MAX, &[0, 2]);
    }

    #[test]
    fn reads_control_tokens_as_text() {
        check("[SEP]", usize::MAX, &[6, 8, 7]);
    }

    #[test]
    fn stops_at_the_limit() {
        check("un unwanted", 3, &[2, 2, 3]);
        check("un", 0, &[]);
    }

    #[test]
    fn needs_a_token_for_the_unknown() {
        assert!(WordPiece::new(Vocabulary::parse("a\nb").unwrap()).is_none());
    }
}
