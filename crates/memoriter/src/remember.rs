//! Explicit writes.

use memoriter_core::access::Right;
use memoriter_core::extract::{Candidate, Heard};
use memoriter_core::id::MemoryId;
use memoriter_core::provenance::SourceRef;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::Role;
use memoriter_core::write::Decision;
use memoriter_store::StoreError;

use crate::draft::Draft;
use crate::error::Error;
use crate::guarded::{holds_mask, lead_to_mask};
use crate::handle::ScopedMemory;
use crate::note::Note;
use crate::proposal::Proposal;

/// Notes that are decided on and committed together.
const BATCH_NOTES: usize = 1_000;
/// How often a unit is decided on again after another process was faster. Callers of this process take
/// turns, so more than one or two means heavy traffic on one key from elsewhere.
const ATTEMPTS_MAX: usize = 16;

impl ScopedMemory {
    /// Remembers one note: decides what becomes of it, and makes that durable before it returns.
    ///
    /// A text without key is read for facts (see [`Builder::extractor`](crate::Builder::extractor)): each one
    /// that is found gets a decision, and the text itself is kept as an episode that supports them. A text in
    /// which nothing is found is remembered as it stands, unless a memory says nearly the same.
    ///
    /// # Errors
    /// When the note breaks a limit, the extractor, the embedder or the store fails. Nothing is written then.
    pub fn remember(&self, note: impl Into<Note>) -> Result<Vec<Decision>, Error> {
        self.may(Right::Write)?;
        let now = self.engine.clock.now();
        let note = note.into().guarded(&self.engine.guard)?;
        if !note.is_explicit() && holds_mask(note.statement()) {
            return self.remember_rest(&note, now);
        }
        let candidates = if note.is_explicit() {
            Vec::new()
        } else {
            self.read(&note, now)?
        };
        if candidates.is_empty() {
            return self.remember_whole(note, now);
        }
        let (proposals, episode) = self.with_episode(&note, candidates, now)?;
        self.decide_and_commit(&proposals, episode.as_ref(), now)
    }

    /// Remembers a note as it stands. Of one that needs a secret nothing is kept.
    fn remember_whole(&self, note: Note, now: Timestamp) -> Result<Vec<Decision>, Error> {
        let proposal = self.with_near(self.proposal_of_note(note, now)?)?;
        self.decide_and_commit(&[proposal], None, now)
    }

    /// Of a text in which a secret was masked, that is refused. What is found in the text and needs no secret is
    /// remembered, and so are the sentences without it.
    fn remember_rest(&self, note: &Note, now: Timestamp) -> Result<Vec<Decision>, Error> {
        let refused = self.proposal_of_note(note.clone(), now)?;
        let mut found = self.read(note, now)?;
        found.retain(|candidate| {
            let said = candidate.value.as_deref().unwrap_or(&candidate.statement);
            !holds_mask(said) && !lead_to_mask(note.statement(), &candidate.quote)
        });
        let (rest, episode) = match note.without_masked() {
            Some(rest) if found.is_empty() => {
                let rest = self.with_near(self.proposal_of_note(rest, now)?)?;
                (vec![rest], None)
            }
            Some(rest) => self.with_episode(&rest, found, now)?,
            None => {
                let found = found.into_iter().map(|candidate| {
                    let proposal =
                        self.proposal_of_candidate(note.clone(), None, candidate, now)?;
                    self.with_near(proposal)
                });
                (found.collect::<Result<_, Error>>()?, None)
            }
        };
        let mut proposals = rest;
        proposals.retain(|proposal| !proposal.screening.needs_secret);
        proposals.push(refused);
        self.decide_and_commit(&proposals, episode.as_ref(), now)
    }

    /// Remembers notes as they stand, in order, one decision each: nothing is taken out of them, and only what
    /// is the same word for word counts as known. Every thousand notes are one unit: committed together or not
    /// at all.
    ///
    /// # Errors
    /// As [`ScopedMemory::remember`]; units before the failing one stay.
    pub fn remember_all(
        &self,
        notes: impl IntoIterator<Item = Note>,
    ) -> Result<Vec<Decision>, Error> {
        self.may(Right::Write)?;
        let now = self.engine.clock.now();
        let mut decisions = Vec::new();
        let mut notes = notes.into_iter().peekable();
        while notes.peek().is_some() {
            let batch = notes.by_ref().take(BATCH_NOTES).map(|note| {
                let note = note.guarded(&self.engine.guard)?;
                self.proposal_of_note(note, now)
            });
            let proposals: Vec<Proposal> = batch.collect::<Result<_, Error>>()?;
            decisions.extend(self.decide_and_commit(&proposals, None, now)?);
        }
        Ok(decisions)
    }

    /// What the text of a note says and asks for.
    fn read(&self, note: &Note, now: Timestamp) -> Result<Vec<Candidate>, Error> {
        let Some(extractor) = self.engine.extractor() else {
            return Ok(Vec::new());
        };
        let heard = Heard {
            role: Role::User,
            origin: note.origin_of_text(),
            me: "user",
            text: note.statement(),
            at: note.said_at(now),
        };
        Ok(extractor.extract(&[heard])?)
    }

    /// The proposals of candidates, and the text that they come from as an episode. A text that one candidate
    /// repeats word for word, but for a mark at its end, is kept by that one; a text that only asks to forget is not kept, for it would say
    /// again what shall go.
    fn with_episode(
        &self,
        note: &Note,
        candidates: Vec<Candidate>,
        now: Timestamp,
    ) -> Result<(Vec<Proposal>, Option<Proposal>), Error> {
        let keeps_text = match candidates.as_slice() {
            [only] => {
                !only.action.is_to_forget() && bare(&only.statement) != bare(note.statement())
            }
            several => several
                .iter()
                .any(|candidate| !candidate.action.is_to_forget()),
        };
        let episode = keeps_text
            .then(|| self.proposal_of_note(note.clone().into_episode(), now))
            .transpose()?;
        let source = episode.as_ref().map(|episode| episode.memory.id);
        let proposals = candidates.into_iter().map(|candidate| {
            let source = source.map(SourceRef::Memory);
            let proposal = self.proposal_of_candidate(note.clone(), source, candidate, now)?;
            self.with_near(proposal)
        });
        let proposals = proposals.collect::<Result<_, Error>>()?;
        Ok((proposals, episode))
    }

    /// Decides on proposals and on the episode that they come from, whose decision is not told; all of it
    /// becomes durable together.
    pub(crate) fn decide_and_commit(
        &self,
        proposals: &[Proposal],
        episode: Option<&Proposal>,
        now: Timestamp,
    ) -> Result<Vec<Decision>, Error> {
        let all = proposals.iter().chain(episode);
        let _places = self
            .engine
            .lock_places(all.map(|proposal| &proposal.memory));
        attempt_often(|| self.attempt(proposals, episode, now))
    }

    fn attempt(
        &self,
        proposals: &[Proposal],
        episode: Option<&Proposal>,
        now: Timestamp,
    ) -> Result<Vec<Decision>, Error> {
        let mut draft = Draft::new(&self.scope, now);
        let snapshot = self.engine.store.snapshot()?;
        // The same may have been said before: then that episode supports what is found.
        let mut kept = None;
        if let Some(episode) = episode {
            let decided = draft.decide(snapshot.as_ref(), episode)?;
            kept = decided.first().and_then(|decision| decision.id);
        }
        let mut decisions = Vec::new();
        for proposal in proposals {
            let decided = match (kept, episode) {
                (Some(id), _) => draft.decide(snapshot.as_ref(), &proposal.supported_by(id))?,
                (None, Some(_)) => draft.decide(snapshot.as_ref(), &proposal.unsupported())?,
                (None, None) => draft.decide(snapshot.as_ref(), proposal)?,
            };
            decisions.extend(decided);
        }
        drop(snapshot);
        self.commit_decided(draft, &mut decisions)?;
        Ok(decisions)
    }

    /// Commits a draft; `decisions` are those on it so far, and what goes besides is added to them.
    pub(crate) fn commit_decided(
        &self,
        draft: Draft,
        decisions: &mut Vec<Decision>,
    ) -> Result<(), Error> {
        let more = self.commit_answering(draft, decisions)?;
        decisions.extend(more);
        Ok(())
    }

    /// Embeds what is new in a draft and makes the whole of it durable.
    /// The turns that say what is forgotten go out of use with it.
    /// The decisions on what says it besides something else are returned.
    pub(crate) fn commit(&self, draft: Draft) -> Result<Vec<Decision>, Error> {
        self.commit_answering(draft, &mut [])
    }

    fn commit_answering(
        &self,
        mut draft: Draft,
        decided: &mut [Decision],
    ) -> Result<Vec<Decision>, Error> {
        if draft.is_empty() {
            return Ok(Vec::new());
        }
        let echoes = self.echoes(draft.gone())?;
        let new_echoes = self.new_echoes(draft.inserts(), draft.gone());
        let entropy = self.engine.entropy.as_ref();
        let now = draft.now();
        let decisions = draft.hide_echoes(echoes, || MemoryId::generate(now, entropy));
        draft.as_answered(decided);
        draft.hide_new_echoes(&new_echoes);
        draft.reword_withheld();
        let emptied = self.fields_without(&draft.gone_records(), now)?;
        let vectors = self.engine.embed_memories(draft.inserts())?;
        let secret = self.engine.store.secret();
        let mut writes = draft.into_writes(vectors, secret);
        writes.extend(emptied);
        self.engine.commit(writes)?;
        self.engine.complete_in_passing();
        Ok(decisions)
    }
}

/// Tries again while another process is faster.
pub(crate) fn attempt_often<T>(attempt: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
    let mut conflict = None;
    for _ in 0..ATTEMPTS_MAX {
        match attempt() {
            Err(Error::Store(
                error @ (StoreError::Conflict { .. } | StoreError::FieldConflict { .. }),
            )) => conflict = Some(error),
            done => return done,
        }
    }
    let error = conflict.expect("the loop ran at least once and every other outcome returned");
    Err(error.into())
}

/// A text without white space around it and the mark that ends it.
fn bare(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '!', '…']).trim_end()
}
