//! Text to vector.

use crate::error::{Diagnose, Fault};
use crate::vector::UnitVector;

/// The stable name of an embedding model, such as `static-256-v1`. Vectors of different names are never
/// compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelName(String);

impl ModelName {
    /// Wraps a name. The name is not checked: it comes from the program or its operator.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What the text is for: some models embed a question and a passage differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRole {
    /// What is searched for.
    Query,
    /// What is searched.
    Record,
}

/// How cosines of *unrelated* texts are spread for one model; measured once and shipped with it.
///
/// `(cosine - mean) / deviation` is 0 for a pair as unrelated as chance, whatever the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Mean cosine of unrelated pairs, in `-1..1`.
    pub mean: f32,
    /// Standard deviation of the cosine of unrelated pairs, above 0.
    pub deviation: f32,
}

impl Calibration {
    /// The cosine in standard deviations above unrelated.
    #[must_use]
    pub fn standardise(self, cosine: f32) -> f32 {
        (cosine - self.mean) / self.deviation
    }
}

/// Turns texts into unit vectors.
///
/// - `embed` MUST return one entry per text, in order.
/// - A vector MUST have [`Embedder::dimensions`] components, all finite, and length 1 within 1e-3; a text
///   that the model cannot place (empty, unknown script) MUST be `None`, never a zero vector.
/// - Equal texts MUST give equal vectors, whatever else is in the batch (within 1e-4 a component).
/// - An implementation MUST be callable from any thread and MUST NOT hold a lock while it waits for a
///   network.
pub trait Embedder: Send + Sync {
    /// The model's stable name; changes whenever vectors change.
    fn model(&self) -> &ModelName;
    /// Components of a vector.
    fn dimensions(&self) -> usize;
    /// The spread of unrelated pairs.
    fn calibration(&self) -> Calibration;
    /// Whether the model was taught the language of a text, so that its vector means something. Where it was
    /// not, words alone decide.
    fn reads(&self, text: &str) -> bool {
        let _ = text;
        true
    }
    /// Embeds a batch. Texts over the model's own window are embedded by their beginning.
    ///
    /// # Errors
    /// [`EmbedError`] when the model or its service fails; a whole batch fails or none of it.
    fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Option<UnitVector>>, EmbedError>;
}

/// Why a batch could not be embedded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The model's files cannot be used.
    #[error("the embedding model in {place} cannot be used: {why}")]
    Model {
        /// File or folder.
        place: String,
        /// What is wrong with it.
        why: String,
    },
    /// The model failed while it ran, or its service did.
    #[error("the embedding model failed: {why}")]
    Run {
        /// What it said.
        why: String,
    },
}

impl Diagnose for EmbedError {
    fn code(&self) -> &'static str {
        match self {
            Self::Model { .. } => "embedding_model",
            Self::Run { .. } => "embedding_failed",
        }
    }

    fn fault(&self) -> Fault {
        Fault::Environment
    }
}
