//! Decisions, told with what the memory they are about says now.

use memoriter::core::memory::{Attempt, Memory, State};
use memoriter::core::time::ZonedTime;
use memoriter::{Decision, ScopedMemory};

use crate::layout;
use memoriter_server::wire::DecisionWire;

/// A decision and what a reader of it has to know.
pub(super) struct Decided {
    decision: Decision,
    /// Until when the memory answers nothing, where its time is yet to come.
    dormant_until: Option<ZonedTime>,
    /// Key and value, where the caller did not name them.
    fact: Option<(String, String)>,
    /// What was tried and how it went, where the caller did not say so.
    attempt: Option<Attempt>,
}

impl Decided {
    /// [`Decided::of`] what was found in a text: it says what was found.
    pub(super) fn of_found(scope: &ScopedMemory, decision: Decision) -> Self {
        let memory = about(scope, decision);
        let fact = memory.as_ref().and_then(|memory| {
            let key = memory.fact_key()?.to_string();
            Some((key, memory.value.clone()?))
        });
        Self {
            fact,
            attempt: memory.as_ref().and_then(|memory| memory.attempt.clone()),
            ..Self::with_memory(decision, memory.as_ref())
        }
    }

    /// Looks at the memory that a decision is about. What has been decided stands, also where this fails.
    pub(super) fn of(scope: &ScopedMemory, decision: Decision) -> Self {
        Self::with_memory(decision, about(scope, decision).as_ref())
    }

    fn with_memory(decision: Decision, memory: Option<&Memory>) -> Self {
        Self {
            decision,
            dormant_until: memory.and_then(dormant_until),
            fact: None,
            attempt: None,
        }
    }

    /// For people, in two lines.
    pub(super) fn text(&self) -> String {
        let head = format!(
            "{:<8} {}",
            self.decision.kind.as_str(),
            self.decision.reason.sentence()
        );
        let Some(id) = self.decision.id else {
            return head;
        };
        let place = self
            .decision
            .supersedes
            .map(|old| format!("in the place of {old}"));
        let start = self
            .dormant_until
            .map(|start| format!("dormant until {}", layout::day(start)));
        let fact = self.fact.as_ref().map(|(key, value)| {
            layout::one_line(&format!("{key} = {value}"), layout::LISTED_CHARS_MAX)
        });
        let attempt = self.attempt.as_ref().map(|attempt| {
            let told = format!("{}: {}", attempt.outcome, attempt.goal);
            layout::one_line(&told, layout::LISTED_CHARS_MAX)
        });
        let about: Vec<String> = [fact, attempt, Some(format!("id {id}")), place, start]
            .into_iter()
            .flatten()
            .collect();
        format!("{head}\n{:9}{}", "", about.join(", "))
    }

    /// For programs.
    pub(super) fn wire(&self) -> DecisionWire {
        DecisionWire::new(self.decision, self.dormant_until)
            .with_fact(self.fact.as_ref())
            .with_attempt(self.attempt.as_ref())
    }
}

/// The memory that a decision is about, where it can be read.
fn about(scope: &ScopedMemory, decision: Decision) -> Option<Memory> {
    decision.id.and_then(|id| scope.get(id).ok())
}

fn dormant_until(memory: &Memory) -> Option<ZonedTime> {
    let is_to_come = memory.valid_from.instant > memory.recorded_at;
    (memory.state == State::Dormant && is_to_come).then_some(memory.valid_from)
}
