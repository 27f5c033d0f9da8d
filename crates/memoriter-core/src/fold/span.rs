//! What a run of turns came to.

use super::cover::Run;
use crate::id::TurnId;
use crate::provenance::words;

words! {
    /// What kind of thing an item of a span is.
    ItemKind, "kind", "decision, question, constraint, fact or outcome" {
        /// Something was settled.
        Decision = "decision",
        /// Something was asked and has no answer yet.
        Question = "question",
        /// Something that must or must not be.
        Constraint = "constraint",
        /// A name, number or date that may matter.
        Fact = "fact",
        /// Something was tried, and this is how it went.
        Outcome = "outcome",
    }
}

impl ItemKind {
    /// Whether such an item must stay on the desk.
    #[must_use]
    pub fn is_protected(self) -> bool {
        match self {
            Self::Question | Self::Constraint => true,
            Self::Decision | Self::Fact | Self::Outcome => false,
        }
    }
}

/// One thing that a span says, with the turns that say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanItem {
    /// What it is.
    pub kind: ItemKind,
    /// Its words, which stand in its turns.
    pub text: String,
    /// Where it stands: position in the session and id.
    pub turns: Vec<(u32, TurnId)>,
}

/// A frozen summary of a run of turns, made from the turns themselves and never from another summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The turns that it stands for.
    pub run: Run,
    /// What made it: the name of a folder, with its version.
    pub made_by: String,
    /// What the turns came to, in their order.
    pub items: Vec<SpanItem>,
}
