//! Why an evaluation could not be finished.

use memoriter_core::error::{Diagnose, Fault};

use crate::import::ImportError;

/// What a subject failed with, kept as the cause.
pub type SubjectError = Box<dyn std::error::Error + Send + Sync>;

/// Why an evaluation could not be finished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// The data set cannot be read.
    #[error(transparent)]
    Dataset(#[from] ImportError),
    /// The subject could not take in a conversation.
    #[error("loading conversation {conversation} failed")]
    Load {
        /// Its id.
        conversation: String,
        /// What the subject said.
        source: SubjectError,
    },
    /// The subject could not answer a question.
    #[error("recall for question {question} failed")]
    Recall {
        /// Its id.
        question: String,
        /// What the subject said.
        source: SubjectError,
    },
    /// The subject returned a turn that the conversation does not have.
    #[error(
        "recall for question {question} returned turn {turn}, which is not in the conversation"
    )]
    StrangeTurn {
        /// The question's id.
        question: String,
        /// The id that was returned.
        turn: String,
    },
}

impl Diagnose for EvalError {
    fn code(&self) -> &'static str {
        match self {
            Self::Dataset(error) => error.code(),
            Self::Load { .. } => "eval_load_failed",
            Self::Recall { .. } => "eval_recall_failed",
            Self::StrangeTurn { .. } => "eval_strange_turn",
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Self::Dataset(error) => error.fault(),
            Self::Load { .. } | Self::Recall { .. } => Fault::Environment,
            Self::StrangeTurn { .. } => Fault::Bug,
        }
    }

    fn field(&self) -> Option<&str> {
        match self {
            Self::Dataset(error) => error.field(),
            Self::Load { .. } | Self::Recall { .. } | Self::StrangeTurn { .. } => None,
        }
    }
}
