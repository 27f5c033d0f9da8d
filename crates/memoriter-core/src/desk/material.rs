//! What a desk is made of.

use serde_json::Value;

use super::boundary::Boundary;
use super::form::Form;
use super::section::Shares;
use crate::fold::Span;
use crate::memory::Memory;
use crate::time::Timestamp;
use crate::turn::Turn;

/// Tokens that a tool result may have on the desk unless somebody says otherwise; a longer one becomes a note.
pub const TOOL_RESULT_TOKENS_MAX: usize = 500;

/// Everything that may lie on the desk of one call.
#[derive(Clone, Copy, Debug)]
pub struct Material<'m> {
    /// Instructions of the application, trusted and not quoted. May be empty.
    pub system: &'m str,
    /// Turns of the session that are instructions, in order; what is not fully trusted gives none and is left out.
    pub instructions: &'m [Turn],
    /// Procedures in use; what is not fully trusted gives no instructions and is left out.
    pub procedures: &'m [Memory],
    /// Live facts under a key, in any order.
    pub profile: &'m [Memory],
    /// Spans of the session, oldest first.
    pub spans: &'m [Span],
    /// Turns of the session in order and without gaps, up to the last one; where those before the first given are on no
    /// span, enough of them that they overflow their share. Instructions among them are passed over.
    pub turns: &'m [Turn],
    /// State of the session, by name.
    pub board: &'m [BoardField],
    /// What bears on the message, best first.
    pub recalled: &'m [RecalledRecord<'m>],
    /// What the user says now; it is not in `turns`.
    pub message: &'m str,
}

/// A memory or turn that was recalled.
#[derive(Clone, Copy, Debug)]
pub enum RecalledRecord<'m> {
    /// A memory.
    Memory(&'m Memory),
    /// A turn, also of this session.
    Turn(&'m Turn),
}

/// A named field of a session's state.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardField {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub value: Value,
    /// How often it was written, from 1.
    pub revision: u64,
    /// Whether it is always there, such as a goal or a constraint.
    pub is_protected: bool,
    /// When it was written: of the others the latest are kept first.
    pub at: Timestamp,
}

/// How a desk is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Tokens that the whole rendering may have.
    pub budget_tokens: usize,
    /// What it is rendered for.
    pub form: Form,
    /// What marks the sections.
    pub boundary: Boundary,
    /// Who may have how much.
    pub shares: Shares,
    /// Tokens that a tool result may have before it becomes a note.
    pub tool_result_tokens_max: usize,
}

impl Plan {
    /// A plain text with the usual shares.
    #[must_use]
    pub fn new(budget_tokens: usize, boundary: Boundary) -> Self {
        Self {
            budget_tokens,
            form: Form::Text,
            boundary,
            shares: Shares::default(),
            tool_result_tokens_max: TOOL_RESULT_TOKENS_MAX,
        }
    }
}
