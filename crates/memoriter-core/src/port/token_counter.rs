//! Text to a number of tokens.

use crate::error::{Diagnose, Fault};

/// Counts what a language model would read a text as.
///
/// - Equal texts MUST give equal counts, from any thread.
/// - The empty text MUST count 0, any other text at least 1.
/// - What is spelled like a control token of a model (`<|endoftext|>`) MUST be counted as the ordinary text
///   that it is.
/// - `count` MUST take any text, also of a megabyte and also one character repeated, and MUST end in time
///   linear in its length or nearly so.
/// - `name` MUST be stable and change whenever counts change.
///
/// The count of two texts together may be above or below the sum of their counts: whoever keeps a budget counts
/// the whole.
pub trait TokenCounter: Send + Sync {
    /// The tokenizer by name, such as `o200k`.
    fn name(&self) -> &str;

    /// Tokens of a text.
    fn count(&self, text: &str) -> usize;
}

/// Why there is no counter of a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tokenizer {name} cannot be used: {why}")]
pub struct TokenizerError {
    /// The tokenizer that was asked for.
    pub name: String,
    /// What is in the way.
    pub why: String,
}

impl Diagnose for TokenizerError {
    fn code(&self) -> &'static str {
        "tokenizer"
    }

    fn fault(&self) -> Fault {
        Fault::Environment
    }
}
