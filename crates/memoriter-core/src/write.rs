//! What becomes of a candidate: exactly one decision, with its reason, from rows and times alone.
//!
//! [`reconcile`] sees the candidate and the versions that bear on it and returns a [`Resolution`]: the
//! decision and the rows to write. Reading the versions, committing the rows and deciding again when
//! another writer was faster is the engine's part.

mod attributes;
mod contrary;
mod correct;
mod decision;
mod echo;
mod ending;
pub mod judge;
mod meaning;
mod overtaken;
mod reconcile;
mod request;
mod restate;
mod review;
mod screen;
mod single;
mod timeline;

pub use attributes::{AttributeRegistry, BLOCK};
pub use contrary::{contrary, recant, recanted};
pub use correct::{correct, retire};
pub use decision::{Decision, DecisionKind, Reason, Resolution};
pub use echo::{
    Teller, Trace, as_said_by_the_user, possible_traces, reworded, telling_sentences, traces,
    traces_of_value, without_traces,
};
pub use ending::{ask_to_end, end, ended};
pub use meaning::{Sameness, compare_values, is_near_copy, names_value};
pub use overtaken::overtaken;
pub use reconcile::{reconcile, reconcile_found, refuse};
pub use request::{
    Target, forget, is_about, mark_of_everything, marks, marks_of_memory, marks_of_rejected,
    marks_of_request, meant_instead, of_bearers,
};
pub use review::{approve, reject};
pub use screen::{Screening, is_for_review, screen};
pub use timeline::{state_at, value_until};
