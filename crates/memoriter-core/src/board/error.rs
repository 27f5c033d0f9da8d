//! Why a field is not written.

use super::field::MergeRule;
use crate::error::{Diagnose, Fault, InvalidInput};

/// Why a field is not written; it stays as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A name or value breaks a limit.
    #[error(transparent)]
    Invalid(#[from] InvalidInput),
    /// Somebody wrote the field since the caller read it. Read again and decide again.
    #[error("field {field} has revision {found}, not {expected}")]
    Stale {
        /// The field.
        field: String,
        /// The revision that the caller expects; 0 for a field that is not there.
        expected: u64,
        /// The revision that it has; 0 where it is not there.
        found: u64,
    },
    /// The field belongs to somebody else.
    #[error("field {field} is owned by {owner}, and {actor} may not write it")]
    NotOwner {
        /// The field.
        field: String,
        /// Who owns it.
        owner: String,
        /// Who wanted to write, or `nobody in particular`.
        actor: String,
    },
    /// The value is of another type than the field, or than the rule can merge.
    #[error("field {field} takes {expected}, got {got}")]
    WrongType {
        /// The field.
        field: String,
        /// What it takes, in words.
        expected: &'static str,
        /// The type of what was given.
        got: &'static str,
    },
    /// The field was declared otherwise. Remove it first, or replace it with the revision that is expected.
    #[error("field {field} is declared as {declared}, not {asked}")]
    Declared {
        /// The field.
        field: String,
        /// The type or rule that it has.
        declared: &'static str,
        /// The type or rule that was asked for.
        asked: &'static str,
    },
    /// There is no such field.
    #[error("there is no field {field}")]
    NoSuchField {
        /// Its name.
        field: String,
    },
}

impl BoardError {
    pub(super) fn of_rule(field: &str, declared: MergeRule, asked: MergeRule) -> Self {
        Self::Declared {
            field: field.to_owned(),
            declared: declared.as_str(),
            asked: asked.as_str(),
        }
    }
}

impl Diagnose for BoardError {
    fn code(&self) -> &'static str {
        match self {
            Self::Invalid(error) => error.code(),
            Self::Stale { .. } => "revision_conflict",
            Self::NotOwner { .. } => "not_owner",
            Self::WrongType { .. } => "wrong_type",
            Self::Declared { .. } => "declared_otherwise",
            Self::NoSuchField { .. } => "no_such_field",
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Self::Invalid(error) => error.fault(),
            Self::Stale { .. } | Self::NotOwner { .. } | Self::Declared { .. } => Fault::Refused,
            Self::WrongType { .. } => Fault::Caller,
            Self::NoSuchField { .. } => Fault::NotFound,
        }
    }

    fn field(&self) -> Option<&str> {
        match self {
            Self::Invalid(error) => error.field(),
            Self::WrongType { .. } => Some("value"),
            Self::Stale { .. } => Some("expected_revision"),
            Self::NotOwner { .. } | Self::Declared { .. } | Self::NoSuchField { .. } => None,
        }
    }
}
