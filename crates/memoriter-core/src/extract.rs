//! What is worth writing down in a conversation: turns in, candidates out.
//!
//! An [`Extractor`](crate::port::Extractor) reads turns and proposes; what becomes of a proposal is decided by
//! [`reconcile`](crate::write::reconcile). Nothing here touches a store.

mod dates;
pub mod model;
pub mod rules;

use crate::memory::{Attempt, Confidence, FactKey, Importance, Kind};
use crate::provenance::{Origin, Status};
use crate::time::ZonedTime;
use crate::turn::Role;

/// A turn as an extractor reads it.
#[derive(Clone, Copy, Debug)]
pub struct Heard<'a> {
    /// Who speaks, as models count it.
    pub role: Role,
    /// Where the text comes from.
    pub origin: Origin,
    /// The entity that "I" and "my" stand for: `user`, or the speaker's name in a talk among people.
    pub me: &'a str,
    /// What was said.
    pub text: &'a str,
    /// When, with the zone it was said in: "last week" is counted from here.
    pub at: ZonedTime,
}

/// What a candidate asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// To be written down.
    Remember,
    /// What it says is true no longer ("I don't have a dog any more"): the value goes into history. Without a
    /// value, whatever is under the key.
    End,
    /// The speaker wants it forgotten ("please forget my nut allergy"). Without a value, whatever is under the
    /// key; without a key, what the statement is about.
    Forget,
    /// The speaker wants everything forgotten ("forget everything about me").
    ForgetAll,
}

impl Action {
    /// Whether something is to be forgotten.
    #[must_use]
    pub fn is_to_forget(self) -> bool {
        match self {
            Self::Forget | Self::ForgetAll => true,
            Self::Remember | Self::End => false,
        }
    }
}

/// A statable fact, event or rule that a turn supports.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Which of the turns, by index.
    pub turn: usize,
    /// What it asks for.
    pub action: Action,
    /// What the fact is about, where that can be said.
    pub key: Option<FactKey>,
    /// The value under the key; as said, without articles and punctuation around it.
    pub value: Option<String>,
    /// One sentence, as said where it stands for itself.
    pub statement: String,
    /// What it was an attempt at, where an event was one.
    pub attempt: Option<Attempt>,
    /// The words that support it: a part of the turn's text, byte for byte.
    pub quote: String,
    /// Fact, event or procedure.
    pub kind: Kind,
    /// Stated, or concluded from what was stated.
    pub status: Status,
    /// How sure the extractor is.
    pub confidence: Confidence,
    /// How much it matters.
    pub importance: Importance,
    /// Since when it is true, or when it happened; `None` for since it was said.
    pub valid_from: Option<ZonedTime>,
    /// Until when it is true; `None` for until further notice.
    pub valid_to: Option<ZonedTime>,
    /// What made it: the name of a rule, or of a prompt with its version.
    pub made_by: String,
}
