//! What a note or an extracted candidate asks the engine to decide.

use memoriter_core::extract::{Action, Candidate};
use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::Memory;
use memoriter_core::provenance::{Source, SourceRef};
use memoriter_core::time::Timestamp;
use memoriter_core::turn::Turn;
use memoriter_core::write::judge::Verdict;
use memoriter_core::write::{Screening, Target};

use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::note::Note;

/// A memory that may come to be, and what is asked for it.
#[derive(Clone)]
pub(crate) struct Proposal {
    pub(crate) action: Action,
    /// As it would be stored; its state is not decided yet.
    pub(crate) memory: Memory,
    pub(crate) screening: Screening,
    /// The value as the speaker names it, or what a request without key is about.
    pub(crate) about: Option<String>,
    /// Live memories that may say the same, or that a request may be about.
    pub(crate) near: Vec<Memory>,
    /// What a judge says of it beside known memories.
    pub(crate) verdicts: Vec<(MemoryId, Verdict)>,
    /// When it was said.
    pub(crate) said_at: Timestamp,
    /// The turn or memory that it comes from.
    pub(crate) source: Option<SourceRef>,
    /// The rule or prompt that found it.
    pub(crate) made_by: Option<String>,
    /// Whether how much it matters is what the caller says, and no guess of an extractor.
    pub(crate) is_weighted: bool,
}

impl Proposal {
    /// What a request to end or forget something is about.
    pub(crate) fn target(&self) -> Target {
        let memory = &self.memory;
        Target {
            key: memory.fact_key().cloned(),
            value: self.about.clone(),
            statement: memory.statement.clone(),
            trust: memory.trust,
            asked_at: self.said_at,
            is_all: self.action == Action::ForgetAll,
        }
    }

    /// The proposal with another episode as its source.
    pub(crate) fn supported_by(&self, episode: MemoryId) -> Self {
        let mut proposal = self.clone();
        let source = SourceRef::Memory(episode);
        if proposal.source.is_some() {
            proposal.source = Some(source);
        }
        for support in &mut proposal.memory.sources {
            support.of = source;
        }
        proposal
    }

    /// The proposal where the episode that it comes from is not kept.
    pub(crate) fn unsupported(&self) -> Self {
        let mut proposal = self.clone();
        proposal.source = None;
        proposal.memory.sources.clear();
        proposal
    }

    /// The turn that it comes from.
    pub(crate) fn turn(&self) -> Option<TurnId> {
        match self.source? {
            SourceRef::Turn(id) => Some(id),
            SourceRef::Memory(_) => None,
        }
    }
}

impl ScopedMemory {
    /// The proposal of a note as it stands.
    pub(crate) fn proposal_of_note(&self, note: Note, now: Timestamp) -> Result<Proposal, Error> {
        let said_at = note.said_at(now);
        let id = MemoryId::generate(now, self.engine.entropy.as_ref());
        let memory = note.into_memory(id, &self.scope, now, &self.engine.attributes)?;
        Ok(Proposal {
            action: Action::Remember,
            screening: self.engine.screening(&memory),
            memory,
            about: None,
            near: Vec::new(),
            verdicts: Vec::new(),
            said_at: said_at.instant,
            source: None,
            made_by: None,
            is_weighted: true,
        })
    }

    /// The proposal of a candidate that was found in a turn.
    pub(crate) fn proposal_of_turn(
        &self,
        turn: &Turn,
        candidate: Candidate,
        now: Timestamp,
    ) -> Result<Proposal, Error> {
        let message = &turn.message;
        let note = Note::new(String::new())
            .origin(message.origin)
            .told_at(message.at);
        self.proposal_of_candidate(note, Some(SourceRef::Turn(turn.id)), candidate, now)
    }

    /// The proposal of a candidate: what it says, with everything else as `note` has it.
    pub(crate) fn proposal_of_candidate(
        &self,
        note: Note,
        source: Option<SourceRef>,
        candidate: Candidate,
        now: Timestamp,
    ) -> Result<Proposal, Error> {
        let Candidate {
            action,
            quote,
            made_by,
            ..
        } = &candidate;
        let (action, made_by) = (*action, made_by.clone());
        let about = candidate.value.clone();
        let is_weighted = note.is_weighted();
        let support = |of| Source {
            of,
            quote: quote.clone(),
        };
        let sources = source.map(support).into_iter().collect();
        let note = note.saying(candidate).sources(sources);
        // What was heard is masked already: a secret here was put together by whoever read it.
        let guarded = note.clone().guarded(&self.engine.guard)?;
        let holds_secret = guarded != note;
        let proposal = self.proposal_of_note(guarded, now)?;
        let screening = Screening {
            needs_secret: holds_secret || proposal.screening.needs_secret,
            ..proposal.screening
        };
        Ok(Proposal {
            action,
            about,
            source,
            made_by: Some(made_by),
            is_weighted,
            screening,
            ..proposal
        })
    }
}
