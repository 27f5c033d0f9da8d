//! Learning from conversation: turns are appended, then read for what is worth remembering.

use memoriter_core::extract::{Candidate, Heard};
use memoriter_core::id::TurnId;
use memoriter_core::port::{Extractor, ModelError};
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{Role, Turn};
use memoriter_core::write::Decision;
use memoriter_store::{
    Extraction, ExtractionQuery, ExtractionState, ExtractionUpdate, Snapshot, StoreError,
};

use crate::draft::{Draft, sound};
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::proposal::Proposal;
use crate::remember::attempt_often;
use crate::session::{AppendedTurn, TurnDraft};

/// How long a turn that was taken stays with who took it, microseconds: a slow language model is asked three times
/// for four minutes at most, and who has died should not be waited for much longer.
pub(crate) const LEASE_MICROS: i64 = 15 * 60 * 1_000_000;

/// What came of turns that were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    /// The turns, in the order in which they were given.
    pub turns: Vec<AppendedTurn>,
    /// The decisions on what was found in the new ones, in order.
    pub decisions: Vec<Decision>,
    /// Why some of the new ones could not be read yet; they wait in the queue.
    pub failure: Option<ModelError>,
}

/// What came of turns that were taken from the queue.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) decisions: Vec<Decision>,
    pub(crate) failure: Option<ModelError>,
}

impl ScopedMemory {
    /// [`ScopedMemory::append`], and reads the turns that are new for facts at once: what is found is recalled by
    /// the next call.
    ///
    /// The turns are durable before they are read. When reading fails, or the process dies, they wait in the queue
    /// and are read by [`Memoriter::work`](crate::Memoriter::work).
    ///
    /// # Errors
    /// As [`ScopedMemory::append`]. An extractor that fails is no error: see [`ScopedMemory::extraction_of`].
    pub fn learn(&self, turns: impl IntoIterator<Item = TurnDraft>) -> Result<Learned, Error> {
        let now = self.engine.clock.now();
        let turns = self.append_due(turns, Some(now.plus_micros(LEASE_MICROS)))?;
        let new: Vec<TurnId> = turns
            .iter()
            .filter(|turn| turn.is_new)
            .map(|turn| turn.id)
            .collect();
        let mut learned = Learned {
            turns,
            ..Learned::default()
        };
        let batch = self.engine.extractor().map_or(1, Extractor::batch_turns);
        for ids in new.chunks(batch.max(1)) {
            let taken = self.extractions(ids)?;
            let reading = self.learn_from(&taken, now)?;
            learned.decisions.extend(reading.decisions);
            learned.failure = reading.failure.or(learned.failure);
        }
        Ok(learned)
    }

    /// [`ScopedMemory::append`], and leaves the new turns in the queue, to be read by
    /// [`Memoriter::work`](crate::Memoriter::work).
    ///
    /// # Errors
    /// As [`ScopedMemory::append`].
    pub fn append_to_learn(
        &self,
        turns: impl IntoIterator<Item = TurnDraft>,
    ) -> Result<Vec<AppendedTurn>, Error> {
        self.append_due(turns, Some(self.engine.clock.now()))
    }

    /// How far the reading of a turn is; `None` for one that was never to be read.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn extraction_of(&self, turn: TurnId) -> Result<Option<Extraction>, Error> {
        Ok(self.extractions(&[turn])?.into_iter().next())
    }

    fn extractions(&self, ids: &[TurnId]) -> Result<Vec<Extraction>, Error> {
        let scopes = std::slice::from_ref(&self.scope);
        let snapshot = self.engine.store.snapshot()?;
        Ok(sound(
            snapshot.extractions(ExtractionQuery::Turns { scopes, ids })?,
        )?)
    }

    /// Reads turns of this scope that the caller has taken, and decides on what is found. Decisions and the end of
    /// the extraction are one unit, so that a crash neither loses nor doubles anything. Where nobody answers, the
    /// rest is not tried.
    pub(crate) fn learn_from(
        &self,
        taken: &[Extraction],
        now: Timestamp,
    ) -> Result<Reading, Error> {
        let mut reading = Reading::default();
        let Some(extractor) = self.engine.extractor() else {
            return Ok(reading);
        };
        let mut rest = taken;
        for together in taken.chunk_by(are_read_together) {
            let ids: Vec<TurnId> = together.iter().map(|extraction| extraction.turn).collect();
            let turns = self.turns_of(&ids)?;
            match extract(extractor, &turns) {
                Ok(candidates) => {
                    let proposals = self.proposals(&turns, candidates, now)?;
                    let decisions = self.decide_and_finish(&proposals, together, now)?;
                    reading.decisions.extend(decisions);
                }
                Err(error) => {
                    let ends = error.meets_everything();
                    let failed = if ends { rest } else { together };
                    self.put_off(failed, &error, now)?;
                    reading.failure = Some(error);
                    if ends {
                        break;
                    }
                }
            }
            rest = rest.get(together.len()..).unwrap_or_default();
        }
        Ok(reading)
    }

    /// Of these turns the ones of this scope.
    pub(crate) fn own_turns(&self, ids: &[TurnId]) -> Result<Vec<TurnId>, Error> {
        Ok(self.turns_of(ids)?.iter().map(|turn| turn.id).collect())
    }

    fn turns_of(&self, ids: &[TurnId]) -> Result<Vec<Turn>, Error> {
        let scopes = std::slice::from_ref(&self.scope);
        let query = memoriter_store::TurnQuery::Ids { scopes, ids };
        Ok(sound(self.engine.store.snapshot()?.turns(query)?)?)
    }

    fn proposals(
        &self,
        turns: &[Turn],
        candidates: Vec<Candidate>,
        now: Timestamp,
    ) -> Result<Vec<Proposal>, Error> {
        let mut proposals = Vec::new();
        for candidate in candidates {
            let Some(turn) = turns.get(candidate.turn) else {
                continue;
            };
            // A value beyond a limit is no fact; the turn itself is kept and recalled.
            let Ok(proposal) = self.proposal_of_turn(turn, candidate, now) else {
                continue;
            };
            proposals.push(self.with_near(proposal)?);
        }
        Ok(proposals)
    }

    fn decide_and_finish(
        &self,
        proposals: &[Proposal],
        taken: &[Extraction],
        now: Timestamp,
    ) -> Result<Vec<Decision>, Error> {
        let memories = proposals.iter().map(|proposal| &proposal.memory);
        let _places = self.engine.lock_places(memories);
        attempt_often(|| {
            let mut draft = Draft::new(&self.scope, now);
            let snapshot = self.engine.store.snapshot()?;
            let decisions = decide_all(&mut draft, snapshot.as_ref(), proposals)?;
            drop(snapshot);
            for extraction in taken {
                draft.finish(done(extraction, now));
            }
            match self.commit(draft) {
                // Whoever took the turns meanwhile has decided on them.
                Err(Error::Store(StoreError::Taken { .. })) => Ok(Vec::new()),
                Err(error) => Err(error),
                Ok(()) => Ok(decisions),
            }
        })
    }
}

fn decide_all(
    draft: &mut Draft,
    snapshot: &dyn Snapshot,
    proposals: &[Proposal],
) -> Result<Vec<Decision>, Error> {
    let mut decisions = Vec::new();
    for proposal in proposals {
        decisions.extend(draft.decide(snapshot, proposal)?);
    }
    Ok(decisions)
}

/// Whether two turns that follow each other in the queue go into one batch: those of one session, except where a
/// batch has failed before. Then each is read alone, so that one useless turn takes no other with it.
fn are_read_together(one: &Extraction, next: &Extraction) -> bool {
    one.session == next.session && one.attempts.max(next.attempts) <= 1
}

/// The end of an extraction that was taken.
fn done(extraction: &Extraction, now: Timestamp) -> ExtractionUpdate {
    ExtractionUpdate {
        turn: extraction.turn,
        read_attempts: extraction.attempts,
        state: ExtractionState::Done,
        due_at: extraction.due_at,
        attempts: extraction.attempts,
        error: None,
        finished_at: Some(now),
    }
}

fn extract(extractor: &dyn Extractor, turns: &[Turn]) -> Result<Vec<Candidate>, ModelError> {
    let names: Vec<String> = turns.iter().map(|turn| me(turns, turn)).collect();
    let heard: Vec<Heard<'_>> = turns
        .iter()
        .zip(&names)
        .map(|(turn, me)| Heard {
            role: turn.message.role,
            origin: turn.message.origin,
            me,
            text: &turn.message.content,
            at: turn.message.at,
        })
        .collect();
    extractor.extract(&heard)
}

/// Whom "I" stands for: the user, unless several people talk here; then each by name.
fn me(turns: &[Turn], turn: &Turn) -> String {
    let is_person = |turn: &&Turn| turn.message.role == Role::User;
    let mut speakers = turns
        .iter()
        .filter(is_person)
        .map(|turn| turn.message.speaker_or_role());
    let first = speakers.next();
    let are_several = speakers.any(|speaker| Some(speaker) != first);
    if are_several {
        turn.message.speaker_or_role().to_lowercase()
    } else {
        "user".to_owned()
    }
}
