//! The parts of a desk and their shares.

use crate::provenance::words;

words! {
    /// A part of a desk, in the order of the desk.
    Section, "section", "system, procedures, profile, spans, turns, board, recalled or message" {
        /// Instructions of the application.
        System = "system",
        /// How to do things, as agreed.
        Procedures = "procedures",
        /// Facts under a key, by key.
        Profile = "profile",
        /// What older turns of the session came to.
        Spans = "spans",
        /// The latest turns, word for word.
        Turns = "turns",
        /// State of the session.
        Board = "board",
        /// What bears on the new message, the best last.
        Recalled = "recalled",
        /// The new message.
        Message = "message",
    }
}

/// How much of the budget a section may have, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Kept for the section, as far as it has something to show.
    pub min: u8,
    /// Not exceeded.
    pub max: u8,
}

/// The shares of the sections that give way; the others are protected and have what they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Of the profile.
    pub profile: Share,
    /// Of items of spans that may be left out.
    pub spans: Share,
    /// Of the latest turns. `max` is the mark at which older turns leave, a quarter of it the mark down to which they do.
    pub turns: Share,
    /// Of the fields of the board that are not protected.
    pub board: Share,
    /// Of what is recalled. What was read rather than told may fill a part of it: see [`Shares::external`].
    pub recalled: Share,
    /// The part of the recalled section, in percent, that texts of tools, web pages and documents may fill.
    pub external: u8,
}

impl Default for Shares {
    /// Turns may take most of a desk, and a fifth is kept for what is recalled. Nothing is kept for an empty board.
    fn default() -> Self {
        Self {
            profile: Share { min: 5, max: 20 },
            spans: Share { min: 5, max: 20 },
            turns: Share { min: 20, max: 60 },
            board: Share { min: 5, max: 20 },
            recalled: Share { min: 20, max: 100 },
            external: 20,
        }
    }
}

/// So many percent of a budget, rounded down.
pub(super) fn percent(budget_tokens: usize, percent: u8) -> usize {
    // Both factors are small enough: budgets are below the limit of `Plan`.
    budget_tokens.saturating_mul(usize::from(percent)) / 100
}
