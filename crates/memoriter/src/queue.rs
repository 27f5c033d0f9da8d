//! Turns that wait to be read.

use memoriter_core::access::Right;
use memoriter_core::id::TurnId;
use memoriter_core::port::ModelError;
use memoriter_core::time::Timestamp;
use memoriter_core::write::Decision;
use memoriter_store::{Extraction, ExtractionQuery, ExtractionState, StoreError, Write};

use crate::draft::sound;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::learn::Reading;
use crate::open::Memoriter;

/// How often a turn is read before it is given up, where something is wrong with it or with what is said about it.
const ATTEMPTS_MAX: u32 = 5;
/// How often where nobody answers: some eighteen hours, for what fails is the service and not the turn.
const ATTEMPTS_MAX_UNANSWERED: u32 = 24;
/// How long a turn waits after its first failure, microseconds; twice as long after each further one.
const BACK_OFF_MICROS: i64 = 30 * 1_000_000;
/// The longest wait after a failure, microseconds.
const BACK_OFF_MICROS_MAX: i64 = 3_600 * 1_000_000;
/// How long everything waits when a cap is reached, microseconds: caps are for a day, and an hour is near enough.
const CAP_MICROS: i64 = 3_600 * 1_000_000;

/// What a round of work did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worked {
    /// Turns that were taken.
    pub turns: usize,
    /// The decisions on what was found in them, in order.
    pub decisions: Vec<Decision>,
    /// Why the extractor could not read some of them: they wait, or are given up. When nobody answers or a cap is
    /// reached, the round ends there.
    pub failure: Option<ModelError>,
}

impl Worked {
    /// Whether more rounds are of no use for now: nobody answers, or a cap is reached.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.failure
            .as_ref()
            .is_some_and(ModelError::meets_everything)
    }
}

impl Memoriter {
    /// Reads turns that wait in the queue and are due, of all scopes, at most `limit`: what a worker does again and
    /// again. Nothing is left when none was taken.
    ///
    /// # Errors
    /// When the store fails. A failing extractor is noted with the turns, which wait or are given up.
    pub fn work(&self, limit: usize) -> Result<Worked, Error> {
        self.may(Right::Admin)?;
        // A reader that kept the files from being searched may have left. A failure shows with the work itself.
        self.engine.complete_waiting();
        let now = self.engine.clock.now();
        let (mut turns, mut reading) = (0, Reading::default());
        while turns < limit && !reading.is_stopped() {
            let Some(extractor) = self.engine.extractor() else {
                break;
            };
            let limit = extractor.batch_turns().clamp(1, limit - turns);
            let query = ExtractionQuery::Due { now, limit };
            // A damaged entry takes nobody's place; `verify` names it.
            let due = self.engine.store.snapshot()?.extractions(query)?.rows;
            if due.is_empty() {
                break;
            }
            for of_scope in due.chunk_by(|one, next| one.scope == next.scope) {
                let Some(first) = of_scope.first() else {
                    continue;
                };
                let scope = self.scope(first.scope.clone());
                if let Some(taken) = scope.take(of_scope, now)? {
                    turns += taken.len();
                    reading.add(scope.learn_from(&taken, now)?);
                }
            }
        }
        Ok(Worked {
            turns,
            decisions: reading.decisions,
            failure: reading.failure,
        })
    }
}

impl ScopedMemory {
    /// Turns of this scope that were given up, oldest first, at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn dead_letters(&self, limit: usize) -> Result<Vec<Extraction>, Error> {
        self.may(Right::Read)?;
        self.in_state(ExtractionState::Dead, limit)
    }

    /// Turns of this scope that wait to be read, or are being read, oldest first, at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn waiting_turns(&self, limit: usize) -> Result<Vec<Extraction>, Error> {
        self.may(Right::Read)?;
        self.in_state(ExtractionState::Queued, limit)
    }

    fn in_state(&self, state: ExtractionState, limit: usize) -> Result<Vec<Extraction>, Error> {
        let query = ExtractionQuery::InState {
            scope: &self.scope,
            state,
            limit,
        };
        Ok(sound(self.engine.store.snapshot()?.extractions(query)?)?)
    }

    /// Puts turns of this scope into the queue: ones that were given up, or that were never read.
    ///
    /// # Errors
    /// When the store fails.
    pub fn queue(&self, turns: &[TurnId]) -> Result<(), Error> {
        self.may(Right::Write)?;
        let due_at = self.engine.clock.now();
        let turns = self.own_turns(turns)?;
        let queued = Write::QueueExtraction { turns, due_at };
        self.engine.store.commit(vec![queued])?;
        Ok(())
    }

    /// Takes turns that are due, all or none; `None` when somebody else was faster.
    fn take(&self, due: &[Extraction], now: Timestamp) -> Result<Option<Vec<Extraction>>, Error> {
        let until = now.plus_micros(self.lease_micros());
        let leased: Vec<Extraction> = due.iter().map(|was| was.taken(until)).collect();
        let is_ours = self.step(due, |was| was.taken(until))?;
        Ok(is_ours.then_some(leased))
    }

    /// Takes turns out of the queue that are not to be read.
    pub(crate) fn finish_unread(&self, taken: &[Extraction], now: Timestamp) -> Result<(), Error> {
        self.step(taken, |was| was.finished(now))?;
        Ok(())
    }

    /// Notes why turns could not be read, and when they are to be read again, if at all.
    pub(crate) fn put_off(
        &self,
        taken: &[Extraction],
        why: &Failure,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.step(taken, |was| match why.next_try(was, now) {
            Some(due_at) => was.put_off(due_at, why.words()),
            None => was.given_up(now, why.words()),
        })?;
        Ok(())
    }

    /// Takes entries a step further, all or none; whether nobody else was faster.
    fn step(
        &self,
        entries: &[Extraction],
        step: impl Fn(&Extraction) -> Extraction,
    ) -> Result<bool, Error> {
        let steps = entries.iter().map(|was| was.step_to(step(was)));
        let steps = steps.map(Write::SetExtraction).collect();
        match self.engine.store.commit(steps) {
            Ok(_) => Ok(true),
            Err(StoreError::Taken { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// Why turns could not be read.
pub(crate) enum Failure {
    /// What is said about them is of no use, or a row that a decision needs is damaged: it may go better later.
    Passing(String),
    /// Other writers were faster each time: neither the turn nor what is said about it is at fault.
    Overtaken(String),
    /// Nobody answers: the turns are as good as any.
    Unanswered(String),
    /// A cap is reached: the turn waits, however often.
    Cap(String),
    /// The turn itself is damaged.
    Lasting(String),
}

impl Failure {
    /// Why what was found in turns could not be decided on.
    pub(crate) fn of_decision(error: &Error) -> Self {
        let why = error.to_string();
        if matches!(error, Error::Store(StoreError::Conflict { .. })) {
            Self::Overtaken(why)
        } else {
            Self::Passing(why)
        }
    }

    fn words(&self) -> &str {
        match self {
            Self::Passing(why)
            | Self::Overtaken(why)
            | Self::Unanswered(why)
            | Self::Cap(why)
            | Self::Lasting(why) => why,
        }
    }

    /// When a turn is due again; `None` when it is given up.
    fn next_try(&self, extraction: &Extraction, now: Timestamp) -> Option<Timestamp> {
        let attempts_max = match self {
            Self::Cap(_) => return Some(now.plus_micros(CAP_MICROS)),
            Self::Unanswered(_) => ATTEMPTS_MAX_UNANSWERED,
            Self::Passing(_) => ATTEMPTS_MAX,
            // A race that is lost says nothing against a turn, however often.
            Self::Overtaken(_) => u32::MAX,
            Self::Lasting(_) => 0,
        };
        let attempts = extraction.attempts.max(1);
        let wait = BACK_OFF_MICROS << (attempts - 1).min(16);
        (attempts < attempts_max).then(|| now.plus_micros(wait.min(BACK_OFF_MICROS_MAX)))
    }
}

impl From<&ModelError> for Failure {
    fn from(error: &ModelError) -> Self {
        let why = error.to_string();
        if matches!(error, ModelError::Cap { .. }) {
            Self::Cap(why)
        } else if error.meets_everything() {
            Self::Unanswered(why)
        } else {
            Self::Passing(why)
        }
    }
}
