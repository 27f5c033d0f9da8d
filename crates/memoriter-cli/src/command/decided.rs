//! Decisions, told with what the memory they are about says now.

use memoriter::core::memory::{Memory, State};
use memoriter::core::time::ZonedTime;
use memoriter::{Decision, ScopedMemory};

use crate::layout;
use crate::wire::DecisionWire;

/// A decision and what a reader of it has to know.
pub(super) struct Decided {
    decision: Decision,
    /// Until when the memory answers nothing, where its time is yet to come.
    dormant_until: Option<ZonedTime>,
}

impl Decided {
    /// Looks at the memory that a decision is about. What has been decided stands, also where this fails.
    pub(super) fn of(scope: &ScopedMemory, decision: Decision) -> Self {
        let memory = decision.id.and_then(|id| scope.get(id).ok());
        Self {
            decision,
            dormant_until: memory.as_ref().and_then(dormant_until),
        }
    }

    /// For people, in two lines.
    pub(super) fn text(&self) -> String {
        let Decision {
            kind,
            reason,
            id,
            supersedes,
        } = self.decision;
        let mut text = format!("{:<8} {}", kind.as_str(), reason.sentence());
        let Some(id) = id else {
            return text;
        };
        text.push_str(&format!("\n{:9}id {id}", ""));
        if let Some(old) = supersedes {
            text.push_str(&format!(", in the place of {old}"));
        }
        if let Some(start) = self.dormant_until {
            text.push_str(&format!(", dormant until {}", layout::day(start)));
        }
        text
    }

    /// For programs.
    pub(super) fn wire(&self) -> DecisionWire {
        DecisionWire::new(self.decision, self.dormant_until)
    }
}

fn dormant_until(memory: &Memory) -> Option<ZonedTime> {
    let is_to_come = memory.valid_from.instant > memory.recorded_at;
    (memory.state == State::Dormant && is_to_come).then_some(memory.valid_from)
}
