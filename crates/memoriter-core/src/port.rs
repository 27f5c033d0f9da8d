//! What the outside implements. Each port states its contract in sentences with MUST, has at most eight
//! required methods, and is held to the contract by a conformance suite in `memoriter-testkit`.

pub mod clock;
pub mod embedder;
pub mod entropy;
pub mod extractor;
pub mod folder;
pub mod language_model;
pub mod token_counter;
pub mod words;

pub use clock::Clock;
pub use embedder::{Calibration, EmbedError, Embedder, ModelName, TextRole};
pub use entropy::{Entropy, SeededEntropy};
pub use extractor::Extractor;
pub use folder::Folder;
pub use language_model::{LanguageModel, ModelError};
pub use token_counter::{TokenCounter, TokenizerError};
pub use words::WordVectors;
