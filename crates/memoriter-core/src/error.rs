//! What can be wrong with a value, and whose fault it is.
//!
//! Every error of the project answers two questions: [`Diagnose::code`], a stable `snake_case` name that
//! programs compare, and [`Diagnose::fault`], which exit codes and status codes are derived from.

/// Whose move it is after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request cannot be served as it is: change the request.
    Caller,
    /// The named thing is not there.
    NotFound,
    /// The request is understood and refused: a conflict, a guard, a missing right.
    Refused,
    /// The world failed: disk, network, another process.
    Environment,
    /// This program failed.
    Bug,
}

/// What every error of the project can say about itself.
pub trait Diagnose: std::error::Error {
    /// A stable `snake_case` name; once released it does not change.
    fn code(&self) -> &'static str;
    /// Whose move it is.
    fn fault(&self) -> Fault;
    /// The field at fault, by the name that users know it by; `None` when no single one is.
    fn field(&self) -> Option<&str> {
        None
    }
}

/// A value that breaks a rule of the vocabulary. Names the field and the limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidInput {
    /// The field has no content besides white space.
    #[error("{field} is empty")]
    Empty {
        /// The field's name as users know it.
        field: &'static str,
    },
    /// The field is over its limit.
    #[error("{field} is {got} {unit}, over the limit of {limit} {unit}")]
    OverLimit {
        /// The field's name as users know it.
        field: &'static str,
        /// The measured size.
        got: usize,
        /// The largest allowed size.
        limit: usize,
        /// What is counted: `bytes`, `levels`, `segments`.
        unit: &'static str,
    },
    /// The text holds U+0000, which not every back end can keep.
    #[error("{field} holds a NUL character at byte {at}")]
    Nul {
        /// The field's name as users know it.
        field: &'static str,
        /// Offset in bytes.
        at: usize,
    },
    /// The value does not have the expected form.
    #[error("{field} must be {expected}, got `{got}`")]
    Malformed {
        /// The field's name as users know it.
        field: &'static str,
        /// The expected form, in words.
        expected: &'static str,
        /// The start of what was given.
        got: String,
    },
}

impl InvalidInput {
    /// A [`InvalidInput::Malformed`] that quotes at most the first 60 characters of `got`.
    #[must_use]
    pub fn malformed(field: &'static str, expected: &'static str, got: &str) -> Self {
        const QUOTED_CHARS_MAX: usize = 60;
        let mut quoted: String = got.chars().take(QUOTED_CHARS_MAX).collect();
        if got.chars().nth(QUOTED_CHARS_MAX).is_some() {
            quoted.push('…');
        }
        Self::Malformed {
            field,
            expected,
            got: quoted,
        }
    }
}

impl Diagnose for InvalidInput {
    fn code(&self) -> &'static str {
        match self {
            Self::Empty { .. } => "empty",
            Self::OverLimit { .. } => "over_limit",
            Self::Nul { .. } => "nul_character",
            Self::Malformed { .. } => "malformed",
        }
    }

    fn fault(&self) -> Fault {
        Fault::Caller
    }

    fn field(&self) -> Option<&str> {
        match self {
            Self::Empty { field }
            | Self::OverLimit { field, .. }
            | Self::Nul { field, .. }
            | Self::Malformed { field, .. } => Some(field),
        }
    }
}

/// Checks that `text` fits `limit` bytes and holds no NUL. Empty text passes.
///
/// # Errors
/// [`InvalidInput::OverLimit`] or [`InvalidInput::Nul`], naming `field`.
pub fn check_text(field: &'static str, text: &str, limit: usize) -> Result<(), InvalidInput> {
    if text.len() > limit {
        return Err(InvalidInput::OverLimit {
            field,
            got: text.len(),
            limit,
            unit: "bytes",
        });
    }
    match text.find('\0') {
        Some(at) => Err(InvalidInput::Nul { field, at }),
        None => Ok(()),
    }
}

/// [`check_text`], and the text must hold something besides white space.
///
/// # Errors
/// As [`check_text`], or [`InvalidInput::Empty`].
pub fn check_some_text(field: &'static str, text: &str, limit: usize) -> Result<(), InvalidInput> {
    check_text(field, text, limit)?;
    if text.trim().is_empty() {
        return Err(InvalidInput::Empty { field });
    }
    Ok(())
}
