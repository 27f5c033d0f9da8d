//! What a question asks for: its words, the dates it names, whether it asks when, and what it may find.

mod dates;
mod filter;
mod parsed;

pub use dates::{NamedDate, named_dates};
pub use filter::{Filter, Records};
pub use parsed::{ParsedQuery, QUERY_BYTES_MAX, QueryTerm};
