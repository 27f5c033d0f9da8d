//! Folding: what older turns of a session came to, so that they need not be read again word for word.
//!
//! A [`Span`] stands for a run of turns. It is made from the turns themselves and never from another span, so that
//! nothing is ever compressed twice. Its items are words that stand in its turns: whoever folds chooses and sorts them,
//! and writes nothing of his own.
//!
//! | module | holds |
//! |---|---|
//! | `span` | the types |
//! | `cover` | which runs of turns stand for the beginning of a session |
//! | `cues`, `binding`, `extract`, `open` | the folder without a model: sentences by their form, questions without answer |
//! | `model` | the folder that asks a language model |

mod binding;
mod cover;
mod cues;
mod extract;
pub mod model;
mod open;
mod span;
#[cfg(test)]
mod tests;

pub use cover::{Run, cover};
pub use extract::Cues;
pub use span::{ItemKind, Span, SpanItem};
