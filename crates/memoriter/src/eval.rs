//! Measures retrieval: how much of the evidence for a question stands at the top of what is recalled.
//!
//! [`open`] reads a set of conversations with questions, one conversation at a time; [`run`] loads each into an
//! [`EvalSubject`], asks, and judges the ranked turns; the [`Report`] has every figure as JSON and as rows for
//! a table. What the figures mean is said at [`Judged`].
//!
//! This module knows no engine: the subject is whatever answers questions with turn ids. It judges what was
//! found, never what a model would say about it.
//!
//! [`DeskReport`] tells how much of the evidence is on the desk that a question is answered from.
//! [`cri`] measures extraction instead: what is remembered of a conversation against what is true.
//!
//! To add a set: one file beside the others that turns an object of the file into an [`EvalConversation`], a
//! variant of [`Suite`], and an arm in [`open`].

pub mod cri;
mod dataset;
mod desk;
mod error;
mod locomo;
mod longmemeval;
mod metrics;
mod normalised;
mod report;
mod run;
#[cfg(test)]
mod tests;

pub use dataset::{Conversations, EvalConversation, EvalTurn, Question, Suite, open};
pub use desk::{DeskOutcome, DeskReport, DeskRow};
pub use error::{EvalError, SubjectError};
pub use metrics::{Judged, percentile};
pub use report::{Outcome, Report, Row, Scores};
pub use run::{EvalSubject, Progress, RECALL_DEPTH, run};
