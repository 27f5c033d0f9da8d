//! Embedders: one a file, each a [`memoriter_core::port::embedder::Embedder`].
//!
//! [`StaticTable`] is built in and needs nothing; `MiniLm`, behind the feature `minilm`, runs a transformer from
//! a local folder. Another one takes a file beside these, a variant of [`EmbedderChoice`] and an arm in
//! [`EmbedderChoice::build`]; `memoriter_testkit::conformance::embedder` says whether it keeps the contract.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use memoriter_core::error::InvalidInput;
use memoriter_core::port::embedder::{EmbedError, Embedder};

#[cfg(feature = "minilm")]
mod minilm;
mod static_table;
mod wordpiece;
mod words;

#[cfg(feature = "minilm")]
pub use minilm::MiniLm;
pub use static_table::{StaticTable, TokenRow};
pub use wordpiece::TokenId;

/// The embedder that every build has: [`StaticTable`].
#[must_use]
pub fn built_in() -> Arc<dyn Embedder> {
    Arc::new(StaticTable::new())
}

/// Which embedder an operator asks for.
///
/// ```
/// use memoriter_provider::embed::EmbedderChoice;
///
/// assert_eq!("built-in".parse(), Ok(EmbedderChoice::BuiltIn));
/// assert_eq!("minilm:/models/mini".parse(), Ok(EmbedderChoice::MiniLm { folder: "/models/mini".into() }));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EmbedderChoice {
    /// The built-in table, written `built-in`.
    #[default]
    BuiltIn,
    /// all-MiniLM-L6-v2 or a fine-tuned form of it from a folder, written `minilm:FOLDER`.
    MiniLm {
        /// Holds `config.json`, `vocab.txt` and `model.safetensors`.
        folder: PathBuf,
    },
}

impl EmbedderChoice {
    /// Builds the embedder, reading its files.
    ///
    /// # Errors
    /// [`EmbedError::Model`] when its files cannot be used, or when this build leaves the embedder out.
    pub fn build(&self) -> Result<Arc<dyn Embedder>, EmbedError> {
        match self {
            Self::BuiltIn => Ok(built_in()),
            #[cfg(feature = "minilm")]
            Self::MiniLm { folder } => Ok(Arc::new(MiniLm::open(folder)?)),
            #[cfg(not(feature = "minilm"))]
            Self::MiniLm { folder } => Err(EmbedError::Model {
                place: folder.display().to_string(),
                why: "this build is without the feature `minilm`".to_owned(),
            }),
        }
    }
}

impl FromStr for EmbedderChoice {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<Self, InvalidInput> {
        match text.split_once(':') {
            None if text == "built-in" => Ok(Self::BuiltIn),
            Some(("minilm", folder)) if !folder.is_empty() => Ok(Self::MiniLm {
                folder: folder.into(),
            }),
            _ => Err(InvalidInput::malformed(
                "embedder",
                "`built-in` or `minilm:FOLDER`",
                text,
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_built_in() {
        let embedder = EmbedderChoice::default().build().unwrap();
        assert_eq!(embedder.model().as_str(), "static-256-v1");
        assert_eq!(embedder.dimensions(), 256);
    }

    #[test]
    fn a_choice_that_is_not_one_is_refused_with_the_form_expected() {
        for text in ["", "minilm", "minilm:", "built-in:x", "other:x"] {
            let refused = text.parse::<EmbedderChoice>().unwrap_err();
            assert!(
                refused
                    .to_string()
                    .starts_with("embedder must be `built-in` or `minilm:FOLDER`"),
                "{refused}"
            );
        }
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_named() {
        let choice = EmbedderChoice::MiniLm {
            folder: "/nowhere/mini".into(),
        };
        let refused = choice
            .build()
            .map(|embedder| embedder.model().clone())
            .unwrap_err();
        assert!(refused.to_string().contains("/nowhere/mini"), "{refused}");
    }
}
