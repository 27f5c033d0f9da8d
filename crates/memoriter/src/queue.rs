//! Turns that wait to be read.

use memoriter_core::id::TurnId;
use memoriter_core::port::ExtractError;
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

/// Turns that are read together.
pub(crate) const BATCH_TURNS: usize = 256;
/// How often a turn is read before it is given up.
const ATTEMPTS_MAX: u32 = 5;
/// How long a turn waits after its first failure, microseconds; twice as long after each further one.
const BACK_OFF_MICROS: i64 = 30 * 1_000_000;
/// How long everything waits when a cap is reached, microseconds: caps are for a day, and an hour is near enough.
const CAP_MICROS: i64 = 3_600 * 1_000_000;

/// What a round of work did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worked {
    /// Turns that were taken.
    pub turns: usize,
    /// The decisions on what was found in them, in order.
    pub decisions: Vec<Decision>,
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
        while worked.turns < limit {
            let limit = BATCH_TURNS.min(limit - worked.turns);
            let due = self
                .engine
                .store
                .snapshot()?
                .extractions(ExtractionQuery::Due { now, limit })?;
            let due = sound(due)?;
            if due.is_empty() || self.engine.extractor().is_none() {
                break;
            }
            for of_scope in due.chunk_by(|one, next| one.scope == next.scope) {
                worked.turns += of_scope.len();
                let Some(first) = of_scope.first() else {
                    continue;
                };
                let scope = self.scope(first.scope.clone());
                if let Some(taken) = scope.take(of_scope, now)? {
                    worked.decisions.extend(scope.learn_from(&taken, now)?);
                }
            }
        }
        Ok(worked)
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
        error: &ExtractError,
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
    error: &ExtractError,
    now: Timestamp,
) -> (ExtractionState, Timestamp) {
    if matches!(error, ExtractError::Cap { .. }) {
        return (ExtractionState::Queued, now.plus_micros(CAP_MICROS));
    }
    let attempts = extraction.attempts.max(1);
    if attempts >= ATTEMPTS_MAX {
        return (ExtractionState::Dead, now);
    }
    let wait = BACK_OFF_MICROS << (attempts - 1).min(16);
    (ExtractionState::Queued, now.plus_micros(wait))
}
