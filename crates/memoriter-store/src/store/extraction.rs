//! The queue of turns from which memories are still to be extracted.
//!
//! A turn that is queued is taken by whoever finds it due: with a lease, which moves `due_at` into the future and
//! counts an attempt. Who dies says nothing, and the turn is due again when the lease is over. Each step names
//! the attempts that it read, so that of two who take a turn one is told [`StoreError::Taken`].
//!
//! [`StoreError::Taken`]: crate::StoreError::Taken

use memoriter_core::error::InvalidInput;
use memoriter_core::id::TurnId;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::SessionName;

/// Bytes of an error that are kept: enough to tell what is wrong, too few to keep an answer of a model.
pub const EXTRACTION_ERROR_BYTES_MAX: usize = 1_024;

/// How far the extraction of a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExtractionState {
    /// To be done when it is due.
    Queued,
    /// Done, for good.
    Done,
    /// Given up after too many attempts, until somebody asks for it again.
    Dead,
}

impl ExtractionState {
    /// Every state, in order.
    pub const ALL: &'static [Self] = &[Self::Queued, Self::Done, Self::Dead];

    /// The word that users, files and programs see.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Done => "done",
            Self::Dead => "dead",
        }
    }

    /// Reads the word.
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] that lists the words there are.
    pub fn parse(text: &str) -> Result<Self, InvalidInput> {
        Self::ALL
            .iter()
            .copied()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| {
                InvalidInput::malformed("extraction state", "queued, done or dead", text)
            })
    }
}

/// An entry of the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extraction {
    /// The turn.
    pub turn: TurnId,
    /// Who it belongs to.
    pub scope: Scope,
    /// The conversation it is part of.
    pub session: SessionName,
    /// Its place in the session.
    pub position: u32,
    /// How far it is.
    pub state: ExtractionState,
    /// From when on a queued one may be taken: the end of the lease, while somebody has it.
    pub due_at: Timestamp,
    /// How often it was taken since it was queued.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub error: Option<String>,
    /// When it was done or given up.
    pub finished_at: Option<Timestamp>,
}

impl Extraction {
    /// Leased to somebody until `until`: one attempt more.
    #[must_use]
    pub fn taken(&self, until: Timestamp) -> Self {
        Self {
            state: ExtractionState::Queued,
            due_at: until,
            attempts: self.attempts.saturating_add(1),
            finished_at: None,
            ..self.clone()
        }
    }

    /// Done, for good.
    #[must_use]
    pub fn finished(&self, now: Timestamp) -> Self {
        Self {
            state: ExtractionState::Done,
            error: None,
            finished_at: Some(now),
            ..self.clone()
        }
    }

    /// Due again at `due_at`, since it failed for the reason `why`. Who has read it without a lease counts as one
    /// attempt.
    #[must_use]
    pub fn put_off(&self, due_at: Timestamp, why: &str) -> Self {
        Self {
            state: ExtractionState::Queued,
            due_at,
            attempts: self.attempts.max(1),
            error: kept_error(why),
            finished_at: None,
            ..self.clone()
        }
    }

    /// Given up, for the reason `why`.
    #[must_use]
    pub fn given_up(&self, now: Timestamp, why: &str) -> Self {
        Self {
            state: ExtractionState::Dead,
            finished_at: Some(now),
            ..self.put_off(now, why)
        }
    }

    /// The step from this entry, as it was read, to what it `becomes`.
    #[must_use]
    pub fn step_to(&self, becomes: Self) -> ExtractionUpdate {
        ExtractionUpdate {
            turn: self.turn,
            read_attempts: self.attempts,
            state: becomes.state,
            due_at: becomes.due_at,
            attempts: becomes.attempts,
            error: becomes.error,
            finished_at: becomes.finished_at,
        }
    }
}

/// A step of an extraction: the entry as it shall be. It is taken if the entry has `read_attempts` and is not done;
/// otherwise the unit is [`StoreError::Taken`](crate::StoreError::Taken).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractionUpdate {
    /// The turn.
    pub turn: TurnId,
    /// The attempts with which the caller read it.
    pub read_attempts: u32,
    /// How far it is.
    pub state: ExtractionState,
    /// From when on it may be taken.
    pub due_at: Timestamp,
    /// How often it was taken; a lease counts one more.
    pub attempts: u32,
    /// Why it failed, at most [`EXTRACTION_ERROR_BYTES_MAX`]: see [`kept_error`].
    pub error: Option<String>,
    /// When it was done or given up.
    pub finished_at: Option<Timestamp>,
}

/// Which entries of the queue.
#[derive(Clone, Copy, Debug)]
pub enum ExtractionQuery<'a> {
    /// Queued ones of all scopes that are due: oldest due first, then session by session in the order in which
    /// the sessions were made, each in order of position.
    Due {
        /// The present.
        now: Timestamp,
        /// At most so many.
        limit: usize,
    },
    /// Those of these turns, in this order; turns without an entry or not in one of the scopes are left out.
    Turns {
        /// The scopes that the caller may read.
        scopes: &'a [Scope],
        /// The turns.
        ids: &'a [TurnId],
    },
    /// Those of a scope in a state, in the order in which the turns arrived.
    InState {
        /// The scope.
        scope: &'a Scope,
        /// The state.
        state: ExtractionState,
        /// At most so many.
        limit: usize,
    },
}

/// The part of an error's text that an entry keeps: what fits, without NUL, marked where it was cut; `None` when
/// nothing is left.
#[must_use]
pub fn kept_error(text: &str) -> Option<String> {
    const CUT: &str = "…";
    let text = text.replace('\0', " ");
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if text.len() <= EXTRACTION_ERROR_BYTES_MAX {
        return Some(text.to_owned());
    }
    let end = text.floor_char_boundary(EXTRACTION_ERROR_BYTES_MAX - CUT.len());
    Some([text.get(..end).unwrap_or_default(), CUT].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_read_back() {
        for state in ExtractionState::ALL {
            assert_eq!(ExtractionState::parse(state.as_str()), Ok(*state));
        }
        assert_eq!(
            ExtractionState::parse("lost").unwrap_err().to_string(),
            "extraction state must be queued, done or dead, got `lost`"
        );
    }

    #[test]
    fn errors_are_cut_between_characters() {
        assert_eq!(kept_error(" a\0b \n").as_deref(), Some("a b"));
        assert_eq!(kept_error("\0 "), None);
        let fits = "é".repeat(EXTRACTION_ERROR_BYTES_MAX / 2);
        assert_eq!(kept_error(&fits).as_deref(), Some(fits.as_str()));
        let cut = kept_error(&["x", &fits].concat()).unwrap();
        assert!(cut.len() <= EXTRACTION_ERROR_BYTES_MAX && cut.ends_with("é…"));
    }
}
