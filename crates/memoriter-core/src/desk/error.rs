//! Why there is no desk.

use crate::error::{Diagnose, Fault};

/// What is in the way of a desk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeskError {
    /// What must be there does not fit.
    #[error(
        "a budget of {budget_tokens} tokens is too small: what must be on the desk needs {needed_tokens}"
    )]
    BudgetTooSmall {
        /// What was given.
        budget_tokens: usize,
        /// The smallest budget that works for this material.
        needed_tokens: usize,
    },
}

impl Diagnose for DeskError {
    fn code(&self) -> &'static str {
        match self {
            Self::BudgetTooSmall { .. } => "budget_too_small",
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Self::BudgetTooSmall { .. } => Fault::Caller,
        }
    }

    fn field(&self) -> Option<&str> {
        match self {
            Self::BudgetTooSmall { .. } => Some("budget_tokens"),
        }
    }
}
