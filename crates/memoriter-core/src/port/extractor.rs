//! From turns to candidates.

use crate::error::{Diagnose, Fault};
use crate::extract::{Candidate, Heard};

/// Proposes what to write down.
///
/// - `extract` MUST return candidates in the order of their turns; none is a right answer.
/// - A candidate's quote MUST be a part of the text of the turn that it names, byte for byte.
/// - A candidate MUST be supported by what its turn says: a question, a supposition, a quotation of somebody
///   else or a joke supports nothing.
/// - Equal turns MUST give equal candidates where no language model takes part.
/// - An implementation MUST be callable from any thread and MUST NOT hold a lock while it waits for a
///   network.
pub trait Extractor: Send + Sync {
    /// A stable name with a version, such as `rules-1`; changes whenever candidates change.
    fn name(&self) -> &str;

    /// Reads a batch of turns of one session, in order.
    ///
    /// # Errors
    /// [`ExtractError`] when a model or its service fails; the caller keeps the turns and tries again.
    fn extract(&self, turns: &[Heard<'_>]) -> Result<Vec<Candidate>, ExtractError>;
}

/// Why a batch could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// The service cannot be reached, is busy or failed; later it may work.
    #[error("the language model could not be asked: {why}")]
    Unavailable {
        /// What happened.
        why: String,
    },
    /// The model answered something that cannot be used, also when asked again.
    #[error("the language model's answer cannot be used: {why}")]
    Answer {
        /// What is wrong with it.
        why: String,
    },
    /// A cap on calls or tokens is reached.
    #[error("the cap on {what} is reached: {limit} a day")]
    Cap {
        /// Calls or tokens.
        what: &'static str,
        /// How many are allowed.
        limit: u64,
    },
}

impl Diagnose for ExtractError {
    fn code(&self) -> &'static str {
        match self {
            Self::Unavailable { .. } => "model_unavailable",
            Self::Answer { .. } => "model_answer",
            Self::Cap { .. } => "model_cap",
        }
    }

    fn fault(&self) -> Fault {
        Fault::Environment
    }
}
