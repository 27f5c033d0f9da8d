//! What can be wrong with a file, and where in it.

use std::fmt;
use std::io;

use memoriter_core::error::{Diagnose, Fault, InvalidInput};

use super::format::SAID_FORMAT_NAMES;

/// Where in a file something stands: `line 3, messages[2].role`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1, that the JSON value begins on; 0 for a value that comes from no file.
    pub line: u64,
    /// The way to it inside that value; empty for the value itself.
    pub path: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            let path = if self.path.is_empty() {
                "the value"
            } else {
                &self.path
            };
            return f.write_str(path);
        }
        write!(f, "line {}", self.line)?;
        if self.path.is_empty() {
            return Ok(());
        }
        write!(f, ", {}", self.path)
    }
}

/// Why a file could not be read, or not further than this place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The system failed.
    #[error("reading failed at line {line}")]
    Read {
        /// The line that was being read, from 1.
        line: u64,
        /// What the system said.
        source: io::Error,
    },
    /// There is no JSON value in the file.
    #[error("the file holds no messages")]
    Empty,
    /// None of the formats looks like this.
    #[error("line 1: the format cannot be told from the content: it may be {SAID_FORMAT_NAMES}")]
    Undetected,
    /// The file is not JSON where it should be.
    #[error("{place}: {why}")]
    Syntax {
        /// Where.
        place: Place,
        /// What the parser met.
        why: String,
    },
    /// One line or value is longer than any message could be.
    #[error("{place}: over the limit of {limit} bytes")]
    TooLong {
        /// Where it begins.
        place: Place,
        /// The largest allowed size.
        limit: usize,
    },
    /// A field that must be there is not.
    #[error("{place}: field `{field}` is missing")]
    Missing {
        /// The object that lacks it.
        place: Place,
        /// Its name.
        field: String,
    },
    /// A field that does not belong there.
    #[error("{place}: unknown field `{field}`, the fields are {known}")]
    UnknownField {
        /// The object that holds it.
        place: Place,
        /// Its name.
        field: String,
        /// The names that may stand there.
        known: String,
    },
    /// A value of another form or type.
    #[error("{place}: expected {expected}, got {got}")]
    Unexpected {
        /// The value.
        place: Place,
        /// What should stand there, in words.
        expected: String,
        /// The value, or its start, or its type.
        got: String,
    },
    /// A value of the right form that breaks a rule of the vocabulary, such as a limit.
    #[error("{place}: {invalid}")]
    Invalid {
        /// The value or the message it is part of.
        place: Place,
        /// The broken rule, naming the field.
        invalid: InvalidInput,
    },
}

impl Diagnose for ImportError {
    fn code(&self) -> &'static str {
        match self {
            Self::Read { .. } => "read_failed",
            Self::Empty => "no_messages",
            Self::Undetected => "format_undetected",
            Self::Syntax { .. } => "not_json",
            Self::TooLong { .. } => "over_limit",
            Self::Missing { .. } => "missing_field",
            Self::UnknownField { .. } => "unknown_field",
            Self::Unexpected { .. } => "unexpected_value",
            Self::Invalid { invalid, .. } => invalid.code(),
        }
    }

    fn fault(&self) -> Fault {
        match self {
            Self::Read { .. } => Fault::Environment,
            Self::Empty
            | Self::Undetected
            | Self::Syntax { .. }
            | Self::TooLong { .. }
            | Self::Missing { .. }
            | Self::UnknownField { .. }
            | Self::Unexpected { .. }
            | Self::Invalid { .. } => Fault::Caller,
        }
    }

    fn field(&self) -> Option<&str> {
        match self {
            Self::Missing { field, .. } | Self::UnknownField { field, .. } => Some(field),
            Self::Invalid { invalid, .. } => invalid.field(),
            Self::Unexpected { place, .. } if !place.path.is_empty() => Some(&place.path),
            Self::Undetected => Some("format"),
            Self::Read { .. }
            | Self::Empty
            | Self::Syntax { .. }
            | Self::TooLong { .. }
            | Self::Unexpected { .. } => None,
        }
    }
}
