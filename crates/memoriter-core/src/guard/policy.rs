//! What an operator sets: categories that are refused, and patterns of their own.

use std::borrow::Cow;

use regex::{Regex, RegexBuilder};

use super::span::KIND_BYTES_MAX;
use crate::error::{Diagnose, Fault};

/// Patterns of an operator; each is tried on every text.
const PATTERNS_MAX: usize = 64;
/// The size of a compiled pattern; the default of the `regex` crate is ten times as much.
const PATTERN_BYTES_MAX: usize = 1 << 20;

/// A kind of content that an operator may block.
///
/// The built-in ones have check digits or a strict form, so that a hit means what it says. What has neither, such as
/// health or faith, is left to patterns of the operator.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Category {
    /// The number of a payment card: issuer, length, Luhn.
    CardNumber,
    /// An international bank account number: country, length, check digits by ISO 13616.
    Iban,
    /// An address of electronic mail.
    Email,
    /// A telephone number: international, in the form of North America, or named as one.
    Phone,
    /// A national identifier with check digits or a strict form: Brazil, China, Italy, Spain, United States.
    NationalId,
    /// A pattern of the operator, by its name.
    Named(String),
}

impl Category {
    /// The name, as in a mask.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::CardNumber => "card-number",
            Self::Iban => "iban",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::NationalId => "national-id",
            Self::Named(name) => name,
        }
    }
}

/// What a guard looks for besides the built-in rules for secrets. The default is nothing.
#[derive(Clone, Debug, Default)]
pub struct GuardPolicy {
    pub(super) blocked: Vec<Category>,
    pub(super) patterns: Vec<Pattern>,
}

/// A pattern of the operator.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) name: Cow<'static, str>,
    pub(super) regex: Regex,
    pub(super) is_blocked: bool,
}

impl GuardPolicy {
    /// Blocks a built-in category: [`Guard::blocked`](super::Guard::blocked) names it and
    /// [`Guard::check`](super::Guard::check) masks it. [`Category::Named`] has no effect here: its pattern does that.
    #[must_use]
    pub fn block(mut self, category: Category) -> Self {
        if !self.blocked.contains(&category) {
            self.blocked.push(category);
        }
        self
    }

    /// Blocks what a pattern matches, as [`Category::Named`]. A group named `secret` narrows what is masked.
    ///
    /// # Errors
    /// As [`GuardPolicy::mask_pattern`].
    pub fn block_pattern(self, name: &str, pattern: &str) -> Result<Self, PolicyError> {
        self.with_pattern(name, pattern, true)
    }

    /// Masks what a pattern matches as `[secret:NAME]`. A group named `secret` narrows what is masked. The syntax is
    /// that of the `regex` crate, whose time grows with the text and nothing else.
    ///
    /// # Errors
    /// The name is not made of lower-case letters, digits and hyphens or is too long, the pattern is no expression or
    /// too large, or there are too many.
    pub fn mask_pattern(self, name: &str, pattern: &str) -> Result<Self, PolicyError> {
        self.with_pattern(name, pattern, false)
    }

    fn with_pattern(
        mut self,
        name: &str,
        pattern: &str,
        is_blocked: bool,
    ) -> Result<Self, PolicyError> {
        let is_sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if name.is_empty() || name.len() > KIND_BYTES_MAX || !name.bytes().all(is_sign) {
            return Err(PolicyError::Name {
                name: name.chars().take(KIND_BYTES_MAX).collect(),
            });
        }
        if self.patterns.len() >= PATTERNS_MAX {
            return Err(PolicyError::TooMany {
                limit: PATTERNS_MAX,
            });
        }
        let compiled = RegexBuilder::new(pattern)
            .size_limit(PATTERN_BYTES_MAX)
            .build();
        let regex = compiled.map_err(|source| PolicyError::Pattern {
            name: name.to_owned(),
            source: Box::new(source),
        })?;
        self.patterns.push(Pattern {
            name: Cow::Owned(name.to_owned()),
            regex,
            is_blocked,
        });
        Ok(self)
    }
}

/// A policy that cannot be followed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The name cannot stand in a mask.
    #[error(
        "pattern name must be lower-case letters, digits and hyphens, at most 64, got `{name}`"
    )]
    Name {
        /// The start of what was given.
        name: String,
    },
    /// The expression is not one, or too large.
    #[error("pattern `{name}` does not compile")]
    Pattern {
        /// The name of the pattern.
        name: String,
        /// What is wrong with it.
        #[source]
        source: Box<regex::Error>,
    },
    /// There are too many patterns.
    #[error("more than {limit} patterns")]
    TooMany {
        /// The largest allowed count.
        limit: usize,
    },
}

impl Diagnose for PolicyError {
    fn code(&self) -> &'static str {
        match self {
            Self::Name { .. } => "malformed_pattern_name",
            Self::Pattern { .. } => "malformed_pattern",
            Self::TooMany { .. } => "too_many_patterns",
        }
    }

    fn fault(&self) -> Fault {
        Fault::Caller
    }
}
