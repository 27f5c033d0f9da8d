//! Learning from conversation: turns are appended, then read for what is worth remembering.

mod finding;

use memoriter_core::access::Right;
use memoriter_core::error::InvalidInput;
use memoriter_core::id::TurnId;
use memoriter_core::port::{Extractor, ModelError};
use memoriter_core::session::Mode;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{TURN_BYTES_MAX, Turn};
use memoriter_core::write::Decision;
use memoriter_store::{Extraction, ExtractionQuery, Rows, StoreError, TurnQuery};

use self::finding::{Finding, decide_all};
use crate::draft::{Draft, sound};
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::prepared::Prepared;
use crate::queue::Failure;
use crate::remember::attempt_often;
use crate::session::{AppendedTurn, TurnDraft};

/// What came of turns that were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learned {
    /// The turns, in the order in which they were given.
    pub turns: Vec<AppendedTurn>,
    /// The decisions on what was found in the new ones, in order.
    pub decisions: Vec<Decision>,
    /// Why some of the new ones could not be read yet; they wait in the queue.
    pub failure: Option<ModelError>,
    /// How many of the new ones are kept and will not be read, since their session is not
    /// [`Mode::Full`](crate::Mode::Full).
    pub unread: usize,
}

/// What came of turns that were taken from the queue.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) decisions: Vec<Decision>,
    /// Why the extractor could not read some of them.
    pub(crate) failure: Option<ModelError>,
}

impl Reading {
    /// Adds what came of further turns.
    pub(crate) fn add(&mut self, more: Self) {
        self.decisions.extend(more.decisions);
        self.failure = more.failure.or(self.failure.take());
    }

    /// Whether reading on is of no use for now.
    pub(crate) fn is_stopped(&self) -> bool {
        self.failure
            .as_ref()
            .is_some_and(ModelError::meets_everything)
    }
}

impl ScopedMemory {
    /// [`ScopedMemory::append`], and reads the turns that are new for facts at once: what is found is recalled by
    /// the next call.
    ///
    /// The turns are durable before they are read. When reading fails, or the process dies, they wait in the queue
    /// and are read by [`Memoriter::work`](crate::Memoriter::work). Turns of a session that is read-only or without
    /// memory are kept and not read.
    ///
    /// # Errors
    /// As [`ScopedMemory::append`]. An extractor that fails is no error: see [`ScopedMemory::extraction_of`].
    pub fn learn(&self, turns: impl IntoIterator<Item = TurnDraft>) -> Result<Learned, Error> {
        self.may(Right::Write)?;
        let prepared = |turn| self.prepared(turn, TURN_BYTES_MAX);
        self.learn_prepared(turns.into_iter().map(prepared))
    }

    /// The same with turns that are masked.
    pub(crate) fn learn_prepared(
        &self,
        turns: impl IntoIterator<Item = Result<Prepared, InvalidInput>>,
    ) -> Result<Learned, Error> {
        let now = self.engine.clock.now();
        let turns = self.append_prepared(turns, Some(now.plus_micros(self.lease_micros())))?;
        let new: Vec<TurnId> = turns
            .iter()
            .filter(|turn| turn.is_new)
            .map(|turn| turn.id)
            .collect();
        let batch = self.engine.extractor().map_or(1, Extractor::batch_turns);
        let mut reading = Reading::default();
        let mut queued = 0;
        for ids in new.chunks(batch.max(1)) {
            let taken = self.extractions(ids)?;
            queued += taken.len();
            reading.add(self.learn_from(&taken, now)?);
        }
        Ok(Learned {
            turns,
            decisions: reading.decisions,
            failure: reading.failure,
            unread: new.len() - queued,
        })
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
        self.may(Right::Write)?;
        self.append_due(turns, Some(self.engine.clock.now()))
    }

    /// How far the reading of a turn is; `None` for one that was never to be read.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn extraction_of(&self, turn: TurnId) -> Result<Option<Extraction>, Error> {
        self.may(Right::Read)?;
        Ok(self.extractions(&[turn])?.into_iter().next())
    }

    /// How long turns that are taken now stay taken.
    pub(crate) fn lease_micros(&self) -> i64 {
        self.engine.extractor().map_or(0, Extractor::lease_micros)
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
    /// rest is put off without being tried.
    pub(crate) fn learn_from(
        &self,
        taken: &[Extraction],
        now: Timestamp,
    ) -> Result<Reading, Error> {
        let mut reading = Reading::default();
        let Some(extractor) = self.engine.extractor() else {
            return Ok(reading);
        };
        let modes = self.modes_of(taken.iter().map(|extraction| &extraction.session))?;
        for together in taken.chunk_by(are_read_together) {
            let mode = together.first().and_then(|one| modes.get(&one.session));
            if mode.is_some_and(|mode| *mode != Mode::Full) {
                // It was queued before somebody said so.
                self.finish_unread(together, now)?;
                continue;
            }
            match reading.failure.as_ref().filter(|_| reading.is_stopped()) {
                Some(failure) => self.put_off(together, &Failure::from(failure), now)?,
                None => reading.add(self.learn_from_session(extractor, together, now)?),
            }
        }
        Ok(reading)
    }

    /// Damage stops what it bears on and nothing else: a damaged turn is given up, and where a decision needs a row
    /// that is damaged, the turns are read one by one, and the one that it is about waits. So it is where other
    /// writers are always faster: one turn is decided on sooner than many.
    fn learn_from_session(
        &self,
        extractor: &dyn Extractor,
        session: &[Extraction],
        now: Timestamp,
    ) -> Result<Reading, Error> {
        let mut reading = Reading::default();
        let (taken, turns) = self.sound_turns(session, now)?;
        match self.read_and_decide(extractor, (&taken, &turns), now) {
            Err(error @ Error::Store(StoreError::Damaged { .. } | StoreError::Conflict { .. })) => {
                if let [one] = taken.as_slice() {
                    let why = Failure::of_decision(&error);
                    self.put_off(std::slice::from_ref(one), &why, now)?;
                    return Ok(reading);
                }
                for one in taken.chunks(1) {
                    reading.add(self.learn_from_session(extractor, one, now)?);
                }
                Ok(reading)
            }
            done => done,
        }
    }

    fn read_and_decide(
        &self,
        extractor: &dyn Extractor,
        (taken, turns): (&[Extraction], &[Turn]),
        now: Timestamp,
    ) -> Result<Reading, Error> {
        let mut reading = Reading::default();
        match self.extract_with_context(extractor, turns) {
            Ok(candidates) => {
                let found = self.findings(turns, candidates, now)?;
                reading.decisions = self.decide_and_finish(&found, taken, now)?;
            }
            Err(Error::Extract(error)) => {
                self.put_off(taken, &Failure::from(&error), now)?;
                reading.failure = Some(error);
            }
            Err(error) => return Err(error),
        }
        Ok(reading)
    }

    /// The turns that can be read; the others are given up.
    fn sound_turns(
        &self,
        session: &[Extraction],
        now: Timestamp,
    ) -> Result<(Vec<Extraction>, Vec<Turn>), Error> {
        let ids: Vec<TurnId> = session.iter().map(|extraction| extraction.turn).collect();
        let turns = self.turns_of(&ids)?.rows;
        let is_sound =
            |extraction: &&Extraction| turns.iter().any(|turn| turn.id == extraction.turn);
        let (taken, lost): (Vec<&Extraction>, Vec<&Extraction>) =
            session.iter().partition(is_sound);
        for extraction in lost {
            let damage = self
                .turns_of(&[extraction.turn])?
                .damaged
                .into_iter()
                .next();
            let why = damage.map_or_else(
                || "the turn is gone".to_owned(),
                |damage| format!("{} is damaged: {}", damage.record, damage.why),
            );
            let lost = std::slice::from_ref(extraction);
            self.put_off(lost, &Failure::Lasting(why), now)?;
        }
        Ok((taken.into_iter().cloned().collect(), turns))
    }

    /// Of these turns the ones of this scope.
    pub(crate) fn own_turns(&self, ids: &[TurnId]) -> Result<Vec<TurnId>, Error> {
        let own = self.turns_of(ids)?.rows;
        Ok(own.iter().map(|turn| turn.id).collect())
    }

    pub(crate) fn turns_of(&self, ids: &[TurnId]) -> Result<Rows<Turn>, Error> {
        let scopes = std::slice::from_ref(&self.scope);
        let query = TurnQuery::Ids { scopes, ids };
        Ok(self.engine.store.snapshot()?.turns(query)?)
    }

    fn decide_and_finish(
        &self,
        found: &[Finding],
        taken: &[Extraction],
        now: Timestamp,
    ) -> Result<Vec<Decision>, Error> {
        let memories = found.iter().filter_map(Finding::memory);
        let _places = self.engine.lock_places(memories);
        attempt_often(|| {
            let mut draft = Draft::new(&self.scope, now);
            let snapshot = self.engine.store.snapshot()?;
            let mut decisions = decide_all(&mut draft, snapshot.as_ref(), found)?;
            drop(snapshot);
            for extraction in taken {
                draft.finish(extraction.step_to(extraction.finished(now)));
            }
            match self.commit_decided(draft, &mut decisions) {
                // Whoever took the turns meanwhile has decided on them.
                Err(Error::Store(StoreError::Taken { .. })) => Ok(Vec::new()),
                Err(error) => Err(error),
                Ok(()) => Ok(decisions),
            }
        })
    }
}

/// Whether two turns that follow each other in the queue go into one batch: those of one session, except where a
/// batch has failed before. Then each is read alone, so that one useless turn takes no other with it.
fn are_read_together(one: &Extraction, next: &Extraction) -> bool {
    one.session == next.session && one.attempts.max(next.attempts) <= 1
}
