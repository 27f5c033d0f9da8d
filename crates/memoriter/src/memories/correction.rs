//! What a person says is right instead.

use memoriter_core::error::InvalidInput;
use memoriter_core::guard::Guard;
use memoriter_core::memory::{Attempt, FactKey, Memory};
use memoriter_core::time::ZonedTime;
use memoriter_core::write::names_value;

use crate::error::Error;
use crate::guarded::{masked, masked_attempt};

/// What a correction changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Correction {
    /// The new statement.
    pub statement: String,
    /// The new value. `None`: the new statement where the old one was the value, else what the rules read in it under
    /// the key, else the old value where the new statement holds its words.
    pub value: Option<String>,
    /// What it was an attempt at and how that went; `None` keeps what is known, with the new statement for a goal
    /// that was the old one.
    pub attempt: Option<Attempt>,
    /// The version that the caller has seen; another one is an error.
    pub expected_version: Option<u32>,
    /// When the correction was said, if not now: the new version counts as last confirmed then.
    pub told_at: Option<ZonedTime>,
}

impl Correction {
    /// Whether the caller has seen the version that is there.
    ///
    /// # Errors
    /// [`Error::VersionConflict`].
    pub(crate) fn check_version(&self, old: &Memory) -> Result<(), Error> {
        match self.expected_version {
            Some(expected) if expected != old.version => Err(Error::VersionConflict {
                id: old.id,
                expected,
                found: old.version,
            }),
            Some(_) | None => Ok(()),
        }
    }

    pub(crate) fn guarded(&self, guard: &Guard) -> Self {
        Self {
            statement: masked(guard, &self.statement),
            value: self.value.as_deref().map(|value| masked(guard, value)),
            attempt: self
                .attempt
                .clone()
                .map(|attempt| masked_attempt(guard, attempt)),
            ..self.clone()
        }
    }

    /// A memory that says what the correction says, where `read` finds the value that a statement has under a key.
    ///
    /// # Errors
    /// When the value is not given, cannot be read, and is not in the new statement.
    pub(crate) fn applied_to(
        &self,
        old: &Memory,
        read: impl Fn(&str, &FactKey) -> Option<String>,
    ) -> Result<Memory, InvalidInput> {
        let told_at = self.told_at.map(|told_at| told_at.instant);
        Ok(Memory {
            statement: self.statement.clone(),
            value: self.value_for(old, read)?,
            attempt: self.attempt.clone().or_else(|| self.kept_attempt(old)),
            last_confirmed_at: told_at.or(old.last_confirmed_at),
            ..old.clone()
        })
    }

    /// The value of the new version: as it is given, else as the new statement says it, else the old one where the
    /// new statement says that.
    fn value_for(
        &self,
        old: &Memory,
        read: impl Fn(&str, &FactKey) -> Option<String>,
    ) -> Result<Option<String>, InvalidInput> {
        let (Some(key), Some(known)) = (old.fact_key(), &old.value) else {
            return Ok(self.value.clone());
        };
        if self.value.is_some() {
            return Ok(self.value.clone());
        }
        if *known == old.statement {
            return Ok(Some(self.statement.clone()));
        }
        if let Some(value) = read(&self.statement, key) {
            return Ok(Some(value));
        }
        let is_said = self.statement == old.statement || names_value("", known, &self.statement);
        if is_said {
            return Ok(Some(known.clone()));
        }
        let expected =
            "given (--value), for the new statement does not tell the value under its key";
        Err(InvalidInput::malformed("value", expected, &self.statement))
    }

    fn kept_attempt(&self, old: &Memory) -> Option<Attempt> {
        let known = old.attempt.clone()?;
        let goal = if known.goal == old.statement {
            self.statement.clone()
        } else {
            known.goal
        };
        Some(Attempt { goal, ..known })
    }
}
