//! What was read, counted.

use std::collections::{BTreeMap, BTreeSet};

use memoriter::core::port::ModelError;
use memoriter::core::turn::SessionName;
use memoriter::import::LeftOut;
use memoriter::{AppendedTurn, Decision, DecisionKind};
use serde::Serialize;
use serde_json::json;

use crate::failure::Failure;
use crate::layout;
use crate::output;

/// What was read.
#[derive(Default)]
pub(super) struct Tally {
    /// User and session.
    sessions: BTreeSet<(String, String)>,
    turns: u64,
    skipped_turns: u64,
    /// Of those the ones that were erased before.
    erased_turns: u64,
    /// By kind of decision.
    decisions: BTreeMap<&'static str, u64>,
    /// Why turns wait that were to be read now.
    failure: Option<String>,
    left_out: LeftOut,
}

#[derive(Serialize)]
pub(super) struct IngestWire {
    sessions: usize,
    turns: u64,
    skipped_turns: u64,
    /// Of those the ones that were erased before, and do not come back.
    #[serde(skip_serializing_if = "is_zero")]
    erased_turns: u64,
    memories: u64,
    decisions: BTreeMap<String, u64>,
    /// Why turns wait that were to be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    wordless_messages: u64,
    thinking_blocks: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Tally {
    /// Counts a session; again is once.
    pub(super) fn session(&mut self, user: &str, session: &SessionName) {
        let session = session.as_str().to_owned();
        self.sessions.insert((user.to_owned(), session));
    }

    /// Counts a turn.
    pub(super) fn turn(&mut self, turn: AppendedTurn) {
        self.erased_turns += u64::from(turn.was_erased);
        if turn.is_new {
            self.turns += 1;
        } else {
            self.skipped_turns += 1;
        }
    }

    /// Counts what was decided on.
    pub(super) fn decide(&mut self, decisions: &[Decision]) {
        for decision in decisions {
            *self.decisions.entry(decision.kind.as_str()).or_default() += 1;
        }
    }

    /// Notes why turns could not be read; they wait in the queue.
    pub(super) fn wait(&mut self, failure: &ModelError) {
        self.failure = Some(failure.to_string());
    }

    /// Memories that are new: added, in the place of others, as history or waiting for a person.
    fn memories(&self) -> u64 {
        let writing = [
            DecisionKind::Add,
            DecisionKind::Update,
            DecisionKind::Backfill,
            DecisionKind::Ask,
            DecisionKind::Quarantine,
        ];
        let counts = writing.iter().map(|kind| self.decisions.get(kind.as_str()));
        counts.flatten().sum()
    }

    /// Counts what was passed over.
    pub(super) fn leave_out(&mut self, left_out: LeftOut) {
        self.left_out.wordless_messages += left_out.wordless_messages;
        self.left_out.thinking_blocks += left_out.thinking_blocks;
    }

    /// For programs.
    pub(super) fn wire(&self) -> IngestWire {
        IngestWire {
            sessions: self.sessions.len(),
            turns: self.turns,
            skipped_turns: self.skipped_turns,
            erased_turns: self.erased_turns,
            memories: self.memories(),
            decisions: self
                .decisions
                .iter()
                .map(|(kind, count)| (kind.to_lowercase(), *count))
                .collect(),
            failure: self.failure.clone(),
            wordless_messages: self.left_out.wordless_messages,
            thinking_blocks: self.left_out.thinking_blocks,
        }
    }

    /// Tells beside a failure what was kept before it.
    pub(super) fn beside(&self, failure: Failure) -> Failure {
        let failure = failure.beside("kept", json!(self.wire()));
        if self.turns + self.skipped_turns == 0 {
            return failure;
        }
        failure.hint(format!("kept before that: {}", self.text()))
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let new = layout::count(self.turns, "new turn", "new turns");
        let sessions = layout::count(self.sessions.len() as u64, "session", "sessions");
        let known = match self.skipped_turns - self.erased_turns {
            0 => String::new(),
            known => format!(", {known} known already"),
        };
        let erased = match self.erased_turns {
            0 => String::new(),
            erased => format!(", {erased} erased before and left out"),
        };
        let told: Vec<String> = self
            .decisions
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        let found = match told.as_slice() {
            [] => String::new(),
            told => format!("\nfound in them: {}", told.join(", ")),
        };
        format!("{new} in {sessions}{known}{erased}{found}")
    }

    /// Reports what a format allows and a memory has no use for.
    pub(super) fn talk(&self) {
        let LeftOut {
            wordless_messages,
            thinking_blocks,
        } = self.left_out;
        if let Some(failure) = &self.failure {
            output::talk(&layout::escaped(&format!(
                "some turns wait to be read by memoriter work: {failure}"
            )));
        }
        if wordless_messages > 0 {
            output::talk(&format!(
                "left out: {wordless_messages} messages without words"
            ));
        }
        if thinking_blocks > 0 {
            output::talk(&format!(
                "left out: {thinking_blocks} blocks of a model's private reasoning"
            ));
        }
    }
}
