//! The engine as it comes, measured.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Instant;

use memoriter::core::id::{MemoryId, TurnId};
use memoriter::core::memory::Memory;
use memoriter::core::port::Embedder;
use memoriter::core::provenance::SourceRef;
use memoriter::core::time::Timestamp;
use memoriter::eval::{EvalConversation, EvalSubject, Question, SubjectError};
use memoriter::{
    Memoriter, Recalled, Record, Scope, ScopedMemory, SeededEntropy, TurnDraft, TurnKey,
};
use memoriter_provider::tokens::Estimate;
use tempfile::TempDir;

use crate::clock::SetClock;
use crate::failure::Failure;

use super::SEED;

/// Microseconds from the last turn to a question that names no time.
const SECOND_MICROS: i64 = 1_000_000;

/// A store that goes away when the run ends; each conversation has a scope of its own.
pub(super) struct EngineSubject {
    memory: Memoriter,
    clock: Arc<SetClock>,
    loaded: Option<Loaded>,
    conversations: usize,
    /// Whether facts are stored beside the turns.
    learns: bool,
    /// Dropped last: the folder of the store.
    _folder: TempDir,
}

struct Loaded {
    scope: ScopedMemory,
    /// What the data set calls a turn.
    names: HashMap<TurnId, String>,
    asked_at: Timestamp,
}

impl EngineSubject {
    pub(super) fn new(embedder: Arc<dyn Embedder>, learns: bool) -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(|error| Failure::file(&error))?;
        let clock = Arc::new(SetClock::new(Timestamp::from_micros(0)));
        let memory = Memoriter::builder()
            .embedder(embedder)
            .clock(Arc::clone(&clock) as Arc<_>)
            .entropy(Arc::new(SeededEntropy::new(SEED)))
            .open(folder.path().join("eval.db"))?;
        Ok(Self {
            memory,
            clock,
            loaded: None,
            conversations: 0,
            learns,
            _folder: folder,
        })
    }
}

/// A desk, judged by what the data set calls the turns on it.
pub(super) struct JudgedDesk {
    /// Turns, and the turns that memories were found in.
    pub(super) turns: BTreeSet<String>,
    pub(super) total_tokens: usize,
    pub(super) latency_ms: f64,
}

impl EngineSubject {
    /// The desk of a question in a session of its own.
    pub(super) fn desk(
        &self,
        question: &Question,
        budget_tokens: usize,
    ) -> Result<JudgedDesk, Failure> {
        let Some(loaded) = &self.loaded else {
            return Err(Failure::usage(
                "file",
                "there is no conversation for this question",
            ));
        };
        let asked_at = question
            .asked_at
            .map_or(loaded.asked_at, |time| time.instant);
        self.clock.set(asked_at);
        let session = loaded.scope.session("question");
        let started = now();
        let desk = session
            .assemble(&question.text)
            .budget_tokens(budget_tokens)
            .run()?;
        let latency_ms = started.elapsed().as_secs_f64() * 1_000.0;
        let pieces = desk
            .rendering
            .pieces(&desk.boundary, &Estimate)
            .unwrap_or_default();
        let mut turns = BTreeSet::new();
        for piece in &pieces {
            let turn = piece.get("turn").and_then(|id| id.parse().ok());
            let memory: Option<MemoryId> = piece.get("id").and_then(|id| id.parse().ok());
            let of_memory = memory.map(|id| loaded.scope.get(id)).transpose()?;
            let found = turn.or_else(|| of_memory.as_ref().and_then(turn_of_memory));
            turns.extend(found.and_then(|id| loaded.names.get(&id)).cloned());
        }
        Ok(JudgedDesk {
            turns,
            total_tokens: desk.report.total_tokens,
            latency_ms,
        })
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a measurement needs the monotonic clock itself"
)]
fn now() -> Instant {
    Instant::now()
}

impl EvalSubject for EngineSubject {
    fn load(&mut self, conversation: &EvalConversation) -> Result<(), SubjectError> {
        self.conversations += 1;
        let scope = self
            .memory
            .scope(Scope::user(&self.conversations.to_string()));
        let last = conversation
            .turns
            .iter()
            .map(|turn| turn.message.at.instant)
            .max();
        let asked_at = last
            .unwrap_or(Timestamp::from_micros(0))
            .plus_micros(SECOND_MICROS);
        self.clock.set(asked_at);
        let drafts = conversation.turns.iter().map(|turn| TurnDraft {
            session: turn.session.clone(),
            key: TurnKey::Given(turn.id.clone()),
            message: turn.message.clone(),
        });
        let appended = if self.learns {
            scope.learn(drafts)?.turns
        } else {
            scope.append(drafts)?
        };
        let names = appended
            .iter()
            .zip(&conversation.turns)
            .map(|(turn, named)| (turn.id, named.id.clone()));
        self.loaded = Some(Loaded {
            names: names.collect(),
            scope,
            asked_at,
        });
        Ok(())
    }

    fn recall(&mut self, question: &Question, depth: usize) -> Result<Vec<String>, SubjectError> {
        let Some(loaded) = &self.loaded else {
            return Ok(Vec::new());
        };
        self.clock.set(
            question
                .asked_at
                .map_or(loaded.asked_at, |time| time.instant),
        );
        let recalled = loaded
            .scope
            .recall(&question.text)
            .top(depth)
            .without_marking()
            .run()?;
        let mut names: Vec<String> = Vec::new();
        for id in recalled.iter().filter_map(supporting_turn) {
            if let Some(name) = loaded.names.get(&id).filter(|name| !names.contains(name)) {
                names.push(name.clone());
            }
        }
        Ok(names)
    }
}

/// The turn of a result: itself, or for a fact the one that it was found in.
fn supporting_turn(recalled: &Recalled) -> Option<TurnId> {
    match &recalled.record {
        Record::Turn(turn) => Some(turn.id),
        Record::Memory(memory) => turn_of_memory(memory),
    }
}

/// The turn that a memory was found in.
fn turn_of_memory(memory: &Memory) -> Option<TurnId> {
    memory.sources.iter().find_map(|source| match source.of {
        SourceRef::Turn(id) => Some(id),
        SourceRef::Memory(_) => None,
    })
}
