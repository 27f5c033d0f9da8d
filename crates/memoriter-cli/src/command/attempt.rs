//! Flags that say how an attempt went, and how it is shown.

use clap::Args;
use memoriter::core::memory::{Attempt, Memory, Outcome};

/// What an event was an attempt at, and how it went.
#[derive(Args)]
#[command(next_help_heading = "How an attempt went")]
pub(super) struct AttemptArgs {
    /// success, failure or unknown; makes it something that happened [default with --goal or --lesson: unknown]
    #[arg(long, value_parser = Outcome::parse)]
    outcome: Option<Outcome>,
    /// What was tried [default: the whole text]
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
    /// What to do, or to know, next time
    #[arg(long, value_name = "TEXT")]
    lesson: Option<String>,
}

impl AttemptArgs {
    /// The attempt that a text tells of, where a flag says that it does.
    pub(super) fn told(&self, text: &str) -> Option<Attempt> {
        if self.outcome.is_none() && self.goal.is_none() && self.lesson.is_none() {
            return None;
        }
        Some(Attempt {
            goal: self.goal.clone().unwrap_or_else(|| text.to_owned()),
            outcome: self.outcome.unwrap_or(Outcome::Unknown),
            lesson: self.lesson.clone(),
        })
    }

    /// The same for `text` in the place of what `old` says: what no flag names stays.
    pub(super) fn corrected(&self, text: &str, old: &Memory) -> Option<Attempt> {
        let told = self.told(text)?;
        let Some(known) = &old.attempt else {
            return Some(told);
        };
        let keeps_goal = self.goal.is_none() && known.goal != old.statement;
        Some(Attempt {
            goal: if keeps_goal {
                known.goal.clone()
            } else {
                told.goal
            },
            outcome: self.outcome.unwrap_or(known.outcome),
            lesson: told.lesson.or_else(|| known.lesson.clone()),
        })
    }
}

/// What was tried, where the statement does not say just that.
pub(super) fn goal(memory: &Memory) -> Option<&str> {
    let attempt = memory.attempt.as_ref()?;
    (attempt.goal != memory.statement).then_some(attempt.goal.as_str())
}

/// `[failure] ` in front of what went so.
pub(super) fn mark(memory: &Memory) -> String {
    let outcome = memory.attempt.as_ref().map(|attempt| attempt.outcome);
    outcome.map_or_else(String::new, |outcome| format!("[{outcome}] "))
}
