//! Tokenizers: each a [`memoriter_core::port::TokenCounter`].
//!
//! [`Estimate`] is always there; `Tiktoken`, behind the feature `tiktoken`, counts exactly what OpenAI's models
//! read. Another one takes a file beside these, a variant of [`TokenizerChoice`] and an arm in
//! [`TokenizerChoice::build`]; `memoriter_testkit::conformance::token_counter` says whether it keeps the contract.

use std::str::FromStr;
use std::sync::Arc;

use memoriter_core::error::InvalidInput;
use memoriter_core::port::{TokenCounter, TokenizerError};

mod estimate;
#[cfg(feature = "tiktoken")]
mod memo;
#[cfg(feature = "tiktoken")]
mod tiktoken;

pub use estimate::Estimate;
#[cfg(feature = "tiktoken")]
pub use tiktoken::Tiktoken;

/// Which tokenizer an operator asks for.
///
/// ```
/// use memoriter_provider::tokens::TokenizerChoice;
///
/// assert_eq!("estimate".parse(), Ok(TokenizerChoice::Estimate));
/// assert_eq!("o200k".parse(), Ok(TokenizerChoice::O200k));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenizerChoice {
    /// [`Estimate`], written `estimate`.
    #[default]
    Estimate,
    /// The tokenizer of GPT-4o and what came after it, written `o200k`.
    O200k,
    /// The tokenizer of GPT-4 and GPT-3.5, written `cl100k`.
    Cl100k,
}

impl TokenizerChoice {
    /// Every choice.
    pub const ALL: &'static [Self] = &[Self::Estimate, Self::O200k, Self::Cl100k];

    /// As it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Estimate => "estimate",
            Self::O200k => "o200k",
            Self::Cl100k => "cl100k",
        }
    }

    /// Makes the counter. An exact one reads its table when it is first asked, in a tenth of a second or so.
    ///
    /// # Errors
    /// [`TokenizerError`] when this build leaves it out.
    pub fn build(self) -> Result<Arc<dyn TokenCounter>, TokenizerError> {
        match self {
            Self::Estimate => Ok(Arc::new(Estimate)),
            #[cfg(feature = "tiktoken")]
            Self::O200k => Ok(Arc::new(Tiktoken::o200k())),
            #[cfg(feature = "tiktoken")]
            Self::Cl100k => Ok(Arc::new(Tiktoken::cl100k())),
            #[cfg(not(feature = "tiktoken"))]
            Self::O200k | Self::Cl100k => Err(TokenizerError {
                name: self.as_str().to_owned(),
                why: "this build is without the feature `tiktoken`".to_owned(),
            }),
        }
    }
}

impl FromStr for TokenizerChoice {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<Self, InvalidInput> {
        let expected = "`estimate`, `o200k` or `cl100k`";
        let known = Self::ALL.iter().find(|choice| choice.as_str() == text);
        known
            .copied()
            .ok_or_else(|| InvalidInput::malformed("tokenizer", expected, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_that_is_not_one_is_refused_with_the_names_there_are() {
        for text in ["", "o200", "gpt-4o"] {
            let refused = text.parse::<TokenizerChoice>().unwrap_err();
            assert!(
                refused
                    .to_string()
                    .starts_with("tokenizer must be `estimate`, `o200k` or `cl100k`"),
                "{refused}"
            );
        }
    }

    #[test]
    fn a_counter_has_the_name_that_it_is_chosen_by() {
        for choice in TokenizerChoice::ALL {
            match choice.build() {
                Ok(counter) => assert!(counter.name().starts_with(choice.as_str())),
                Err(refused) => assert!(refused.to_string().contains("`tiktoken`"), "{refused}"),
            }
        }
    }
}
