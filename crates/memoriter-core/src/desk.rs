//! The desk: what a model reads in one call, chosen and laid out inside a budget of tokens.
//!
//! [`assemble`] is a pure function of [`Material`] and a [`Plan`]; reading the material and storing anything is left to
//! others. What is stable comes first and what changes comes last, next to the new message, so that the caches of
//! services hit: system, procedures, profile, spans, turns, board, recalled, message.
//!
//! - The count of the whole rendering never exceeds the budget. A budget that is too small for what must be there is
//!   an error with the smallest one that works.
//! - What is protected is always there: system, procedures, protected fields of the board, constraints and open questions
//!   of spans, the message. What gives way does so in one order: recalled from the lowest score, tool results to notes,
//!   turns from the oldest, profile from the least important, spans, the board from what was written first.
//! - A tool call and its results are there together or not at all.
//! - What was stored is quoted, one entry a line ([`mod@line`]), under marks that no stored text can write
//!   ([`Boundary`]): it opens and closes no section, role or message.
//!
//! | module | holds |
//! |---|---|
//! | `section`, `material` | what can lie on a desk, and how much of it |
//! | `atom`, `call`, `note`, `window` | which turns, and in what shape |
//! | `line`, `entry`, `json`, `boundary` | quoting |
//! | `choose` | what fits |
//! | `form` | text, messages of OpenAI, blocks of Anthropic, and reading them back |
//! | `report`, `compare` | why, and what changed since the call before |

mod atom;
mod boundary;
mod call;
mod choose;
mod compare;
mod entry;
mod error;
mod form;
mod json;
pub mod line;
mod material;
mod note;
mod report;
mod section;
#[cfg(test)]
mod tests;
mod window;

pub use boundary::Boundary;
pub use call::ToolCall;
pub use choose::{Desk, assemble, full_history_tokens, unfolded_from};
pub use compare::{Difference, Prefix, Side};
pub use error::DeskError;
pub use form::{Form, Piece, Rendering};
pub use json::quoted_json;
pub use material::{BoardField, Material, Plan, RecalledRecord, TOOL_RESULT_TOKENS_MAX};
pub use report::{Dropped, Report, SectionReport, Why};
pub use section::{Section, Share, Shares};
