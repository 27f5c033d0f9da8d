//! Loads, asks, judges.

use std::collections::HashMap;
use std::time::Instant;

use crate::import::ImportError;

use super::dataset::{EvalConversation, Question, Suite};
use super::error::{EvalError, SubjectError};
use super::metrics::Judged;
use super::report::{Outcome, Report};

/// How many turns are asked for: enough for ten different sessions to stand among them.
pub const RECALL_DEPTH: usize = 100;

/// What is measured.
///
/// - [`EvalSubject::load`] MUST forget the conversation before, and MUST take in every turn of this one.
/// - [`EvalSubject::recall`] MUST answer with ids of turns of the loaded conversation, best first, at most as
///   many as asked for, and MAY answer with none.
pub trait EvalSubject {
    /// Takes in a conversation instead of the one before.
    ///
    /// # Errors
    /// Anything; it ends the run.
    fn load(&mut self, conversation: &EvalConversation) -> Result<(), SubjectError>;

    /// The turns that a question calls up. The time of this call is the latency in the report.
    ///
    /// # Errors
    /// Anything; it ends the run.
    fn recall(&mut self, question: &Question, depth: usize) -> Result<Vec<String>, SubjectError>;
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The conversation at hand.
    pub conversation: &'a str,
    /// Conversations loaded so far, this one among them.
    pub conversations: usize,
    /// Questions answered so far.
    pub questions: usize,
}

/// Asks every question of a data set. `progress` is called after each conversation is loaded and after each
/// question.
///
/// # Errors
/// The first error of the data set or the subject ends the run.
pub fn run(
    suite: Suite,
    dataset: impl IntoIterator<Item = Result<EvalConversation, ImportError>>,
    subject: &mut dyn EvalSubject,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Report, EvalError> {
    let mut report = Report::new(suite);
    for (index, conversation) in dataset.into_iter().enumerate() {
        let conversation = conversation?;
        subject
            .load(&conversation)
            .map_err(|source| EvalError::Load {
                conversation: conversation.id.clone(),
                source,
            })?;
        report.add_conversation(&conversation);
        let mut notify = |questions| {
            progress(Progress {
                conversation: &conversation.id,
                conversations: index + 1,
                questions,
            });
        };
        notify(report.outcomes().len());
        let sessions: HashMap<&str, &str> = conversation
            .turns
            .iter()
            .map(|turn| (turn.id.as_str(), turn.session.as_str()))
            .collect();
        for question in &conversation.questions {
            report.add(ask(subject, question, &sessions)?);
            notify(report.outcomes().len());
        }
    }
    Ok(report)
}

fn ask(
    subject: &mut dyn EvalSubject,
    question: &Question,
    sessions: &HashMap<&str, &str>,
) -> Result<Outcome, EvalError> {
    let (answer, latency_ms) = timed(|| subject.recall(question, RECALL_DEPTH));
    let turns = answer.map_err(|source| EvalError::Recall {
        question: question.id.clone(),
        source,
    })?;
    let ranked_sessions = turns
        .iter()
        .map(|turn| {
            sessions
                .get(turn.as_str())
                .copied()
                .ok_or_else(|| EvalError::StrangeTurn {
                    question: question.id.clone(),
                    turn: turn.clone(),
                })
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Outcome {
        question: question.id.clone(),
        category: question.category.clone(),
        abstain: question.abstain,
        silent: turns.is_empty(),
        turns: Judged::new(turns.iter().map(String::as_str), &question.evidence),
        sessions: Judged::new(ranked_sessions, &question.evidence_sessions),
        latency_ms,
    })
}

#[expect(
    clippy::disallowed_methods,
    reason = "a measurement needs the monotonic clock itself"
)]
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64() * 1_000.0)
}
