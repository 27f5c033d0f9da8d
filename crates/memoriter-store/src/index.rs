//! Search over records in memory: words and vectors of each scope, derived from the change feed.
//!
//! [`IndexCache`] holds the [`ScopeIndex`] of each scope in use and brings it up to date before it answers;
//! [`search`] ranks what is in the indexes that a caller may read, and nothing else. Everything is exact up
//! to [`EXACT_UP_TO`] records; beyond, vectors are pre-filtered by their signs. An index holds no text.

mod cache;
mod entry;
mod kernel;
mod known_words;
mod lexicon;
mod listing;
mod load;
mod overlap;
mod scope_index;
mod search;
mod slot;
mod traits;
mod vectors;

pub use cache::IndexCache;
pub use listing::{Listed, Listing};
pub use scope_index::ScopeIndex;
pub use search::{EXACT_UP_TO, Found, Hit, ScoreParts, SearchRequest, search};
