//! Decisions, told with what the memory they are about says now.

use memoriter::core::memory::{Attempt, Memory, State};
use memoriter::core::time::ZonedTime;
use memoriter::{Decision, ScopedMemory};

use super::DecisionWire;

/// A decision with what users want to know of the memory.
#[derive(Clone, Debug)]
pub struct Decided {
    /// What was decided.
    pub decision: Decision,
    /// When the memory's time comes, where it is not there yet.
    pub dormant_until: Option<ZonedTime>,
    /// The key and value that were found in a text.
    pub fact: Option<(String, String)>,
    /// The attempt that was found in a text.
    pub attempt: Option<Attempt>,
}

impl Decided {
    /// With the fact or attempt that was found: the caller did not name it.
    #[must_use]
    pub fn of_found(scope: &ScopedMemory, decision: Decision) -> Self {
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

    /// Of a write that named what it is about.
    #[must_use]
    pub fn of(scope: &ScopedMemory, decision: Decision) -> Self {
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

    /// For programs.
    #[must_use]
    pub fn wire(&self) -> DecisionWire {
        DecisionWire::new(self.decision, self.dormant_until)
            .with_fact(self.fact.as_ref())
            .with_attempt(self.attempt.as_ref())
    }
}

fn about(scope: &ScopedMemory, decision: Decision) -> Option<Memory> {
    decision.id.and_then(|id| scope.get(id).ok())
}

fn dormant_until(memory: &Memory) -> Option<ZonedTime> {
    let is_to_come = memory.valid_from.instant > memory.recorded_at;
    (memory.state == State::Dormant && is_to_come).then_some(memory.valid_from)
}
