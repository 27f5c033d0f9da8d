//! Why a desk is as it is.

use super::form::Form;
use super::section::Section;
use crate::provenance::words;

/// What a desk holds and what was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Who counted.
    pub counter: String,
    /// What it was written for.
    pub form: Form,
    /// What was given.
    pub budget_tokens: usize,
    /// What the whole rendering has.
    pub total_tokens: usize,
    /// What each section has, in the order of the desk; those that are not there are left out. Counted entry by
    /// entry: marks and what services spend on messages are the rest of the total.
    pub sections: Vec<SectionReport>,
    /// Entries of the profile that are pinned. Those that are not there are among the dropped, as
    /// [`Why::PinnedNoRoom`].
    pub pinned: usize,
    /// What could be on the desk and is not, or not in full.
    pub dropped: Vec<Dropped>,
}

/// A section in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionReport {
    /// Which one.
    pub section: Section,
    /// Lines, turns or texts.
    pub entries: usize,
    /// Tokens of the entries.
    pub tokens: usize,
}

/// Something that is not on the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Where it would be.
    pub section: Section,
    /// What it is: `memory ID`, `turn ID`, `turns 0-811`, the text of an item.
    pub what: String,
    /// Why it is not there.
    pub why: Why,
}

words! {
    /// Why something is not on the desk.
    Why, "why", "no_room, pinned_no_room, external_share, shown_already, older, in_a_span, unpaired, forgotten, untrusted, note or damaged" {
        /// Others come first, and the budget or the section's share is used up.
        NoRoom = "no_room",
        /// It is pinned, and what else is pinned uses up the profile's share, or what must be there the budget.
        PinnedNoRoom = "pinned_no_room",
        /// Texts that were read rather than told have their part of the section.
        ExternalShare = "external_share",
        /// Another section shows it.
        ShownAlready = "shown_already",
        /// Before the latest turns.
        Older = "older",
        /// A span stands for it.
        InASpan = "in_a_span",
        /// A call without its result, or a result without its call.
        Unpaired = "unpaired",
        /// Somebody asked to forget it.
        Forgotten = "forgotten",
        /// It would be an instruction, and nobody who may give one gave it.
        Untrusted = "untrusted",
        /// A note stands for a long tool result.
        Note = "note",
        /// It is there and cannot be read.
        Damaged = "damaged",
    }
}
