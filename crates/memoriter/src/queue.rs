//! Turns that wait to be read.

use memoriter_core::id::TurnId;
use memoriter_core::port::ModelError;
use memoriter_core::time::Timestamp;
use memoriter_core::write::Decision;
use memoriter_store::{
    Extraction, ExtractionQuery, ExtractionState, ExtractionUpdate, StoreError, Write, kept_error,
};

use crate::draft::sound;
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::learn::LEASE_MICROS;
use crate::open::Memoriter;

/// How often a turn is read before it is given up, where the answer about it is useless.
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
    /// Why some of them could not be read yet: they wait, or are given up. When nobody answers or a cap is reached,
    /// the round ends there.
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
        let now = self.engine.clock.now();
        let mut worked = Worked::default();
        let Some(extractor) = self.engine.extractor() else {
            return Ok(worked);
        };
        while worked.turns < limit {
            let limit = extractor.batch_turns().clamp(1, limit - worked.turns);
            let due = self
                .engine
                .store
                .snapshot()?
                .extractions(ExtractionQuery::Due { now, limit })?;
            let due = sound(due)?;
            if due.is_empty() {
                break;
            }
            for of_scope in due.chunk_by(|one, next| one.scope == next.scope) {
                self.work_on(of_scope, now, &mut worked)?;
            }
            if worked.is_stopped() {
                break;
            }
        }
        Ok(worked)
    }

    /// Takes due turns of one scope and reads them, unless somebody else was faster.
    fn work_on(
        &self,
        due: &[Extraction],
        now: Timestamp,
        worked: &mut Worked,
    ) -> Result<(), Error> {
        worked.turns += due.len();
        let Some(first) = due.first() else {
            return Ok(());
        };
        let scope = self.scope(first.scope.clone());
        if let Some(taken) = scope.take(due, now)? {
            let reading = scope.learn_from(&taken, now)?;
            worked.decisions.extend(reading.decisions);
            worked.failure = reading.failure.or(worked.failure.take());
        }
        Ok(())
    }
}

impl ScopedMemory {
    /// Turns of this scope that were given up, oldest first, at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn dead_letters(&self, limit: usize) -> Result<Vec<Extraction>, Error> {
        let query = ExtractionQuery::InState {
            scope: &self.scope,
            state: ExtractionState::Dead,
            limit,
        };
        Ok(sound(self.engine.store.snapshot()?.extractions(query)?)?)
    }

    /// Puts turns of this scope into the queue: ones that were given up, or that were never read.
    ///
    /// # Errors
    /// When the store fails.
    pub fn queue(&self, turns: &[TurnId]) -> Result<(), Error> {
        let due_at = self.engine.clock.now();
        let turns = self.own_turns(turns)?;
        let queued = Write::QueueExtraction { turns, due_at };
        self.engine.store.commit(vec![queued])?;
        Ok(())
    }

    /// Takes turns that are due, all or none; `None` when somebody else was faster.
    fn take(&self, due: &[Extraction], now: Timestamp) -> Result<Option<Vec<Extraction>>, Error> {
        let leased: Vec<Extraction> = due
            .iter()
            .map(|extraction| Extraction {
                attempts: extraction.attempts.saturating_add(1),
                due_at: now.plus_micros(LEASE_MICROS),
                ..extraction.clone()
            })
            .collect();
        let steps = due.iter().zip(&leased).map(|(was, becomes)| {
            Write::SetExtraction(ExtractionUpdate {
                turn: was.turn,
                read_attempts: was.attempts,
                state: ExtractionState::Queued,
                due_at: becomes.due_at,
                attempts: becomes.attempts,
                error: was.error.clone(),
                finished_at: None,
            })
        });
        match self.engine.store.commit(steps.collect()) {
            Ok(_) => Ok(Some(leased)),
            Err(StoreError::Taken { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Notes why turns could not be read, and when they are to be read again, if at all.
    pub(crate) fn put_off(
        &self,
        taken: &[Extraction],
        error: &ModelError,
        now: Timestamp,
    ) -> Result<(), Error> {
        let steps = taken.iter().map(|extraction| {
            let (state, due_at) = next_try(extraction, error, now);
            Write::SetExtraction(ExtractionUpdate {
                turn: extraction.turn,
                read_attempts: extraction.attempts,
                state,
                due_at,
                attempts: extraction.attempts.max(1),
                error: kept_error(&error.to_string()),
                finished_at: (state == ExtractionState::Dead).then_some(now),
            })
        });
        match self.engine.store.commit(steps.collect()) {
            Ok(_) | Err(StoreError::Taken { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether a turn is given up, and else when it is due again.
fn next_try(
    extraction: &Extraction,
    error: &ModelError,
    now: Timestamp,
) -> (ExtractionState, Timestamp) {
    if matches!(error, ModelError::Cap { .. }) {
        return (ExtractionState::Queued, now.plus_micros(CAP_MICROS));
    }
    let attempts_max = if error.meets_everything() {
        ATTEMPTS_MAX_UNANSWERED
    } else {
        ATTEMPTS_MAX
    };
    let attempts = extraction.attempts.max(1);
    if attempts >= attempts_max {
        return (ExtractionState::Dead, now);
    }
    let wait = BACK_OFF_MICROS << (attempts - 1).min(16);
    let wait = wait.min(BACK_OFF_MICROS_MAX);
    (ExtractionState::Queued, now.plus_micros(wait))
}
