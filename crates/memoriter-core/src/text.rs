//! Text, the same for query and record: [`Analyser`] gives the terms that the index counts, [`normalise`] the
//! form in which two texts are equal.
//!
//! User text is never a query language: every character is content.

mod analyse;
mod ascii;
pub mod cues;
mod fold;
mod gloss;
mod indexed;
mod invisible;
mod script;
mod sentence;
mod stop;

pub(crate) use analyse::content_terms;
pub use analyse::{Analyser, TermHash, Token, TokenClass};
pub use fold::normalise;
pub use indexed::IndexedText;
pub use invisible::{hides, is_invisible, joins, reorders};
pub use script::is_mostly_latin;
pub use sentence::sentences;
