//! The use of a language model: what it may do, how much it may cost a day, and the count of what it did cost.

use std::sync::{Arc, Mutex, PoisonError};

use memoriter_core::access::Right;
use memoriter_core::port::Clock;
use memoriter_core::port::language_model::{LanguageModel, ModelAnswer, ModelError, ModelRequest};
use memoriter_core::time::{DAY_MICROS, Timestamp};
use memoriter_store::{Store, StoreError, UsageRow, Write};

use crate::error::Error;
use crate::open::Memoriter;

/// What a store allows its language model on one day, UTC. Each is for all purposes together; `None` is no cap.
///
/// Where a cap is reached, nothing more is asked: turns wait in the queue until the next day, and everything that
/// needs no model goes on. Several processes on one store may each begin one call more than the cap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelCaps {
    /// Calls, whether they succeed or not.
    pub calls_a_day: Option<u64>,
    /// Tokens, sent and received. The call that reaches the cap still ends.
    pub tokens_a_day: Option<u64>,
}

/// What a language model is used for, and within which caps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelPolicy {
    /// Whether it finds the facts in texts and turns, instead of the rules.
    pub extracts: bool,
    /// Whether it is asked what words cannot tell: if a new statement says, replaces or contradicts a known one.
    pub judges: bool,
    /// Whether it chooses what older turns of a session came to, when a session is folded.
    pub folds: bool,
    /// How much it may be asked.
    pub caps: ModelCaps,
}

impl Default for ModelPolicy {
    /// Finds facts, judges and folds nothing, has no caps.
    fn default() -> Self {
        Self {
            extracts: true,
            judges: false,
            folds: false,
            caps: ModelCaps::default(),
        }
    }
}

/// A model whose calls are counted in the store and end at the caps.
pub(crate) struct Metered {
    model: Arc<dyn LanguageModel>,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    caps: ModelCaps,
    /// Callers that count a call take turns, so that they do not pass a cap together.
    counting: Mutex<()>,
}

impl Metered {
    pub(crate) fn new(
        model: Arc<dyn LanguageModel>,
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        caps: ModelCaps,
    ) -> Self {
        Self {
            model,
            store,
            clock,
            caps,
            counting: Mutex::new(()),
        }
    }

    /// Counts a call that begins, if the caps allow one.
    fn begin(&self, purpose: &str, day: i64) -> Result<(), ModelError> {
        let _one_at_a_time = self.counting.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = self
            .store
            .snapshot()
            .and_then(|snapshot| snapshot.usage(day));
        let rows = rows.map_err(|error| uncounted(&error))?;
        let sum = |count: fn(&UsageRow) -> u64| rows.iter().map(count).fold(0, u64::saturating_add);
        let reached = |what, used, cap: Option<u64>| match cap {
            Some(limit) if used >= limit => Err(ModelError::Cap { what, limit }),
            Some(_) | None => Ok(()),
        };
        reached("calls", sum(|row| row.calls), self.caps.calls_a_day)?;
        let tokens = sum(|row| row.input_tokens.saturating_add(row.output_tokens));
        reached("tokens", tokens, self.caps.tokens_a_day)?;
        self.count(UsageRow {
            calls: 1,
            ..UsageRow::empty(day, purpose.to_owned())
        })
    }

    fn count(&self, used: UsageRow) -> Result<(), ModelError> {
        let counted = self.store.commit(vec![Write::CountUsage(used)]);
        counted.map(|_| ()).map_err(|error| uncounted(&error))
    }
}

impl LanguageModel for Metered {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn answer(&self, request: &ModelRequest<'_>) -> Result<ModelAnswer, ModelError> {
        let day = day_of(self.clock.now());
        self.begin(request.purpose, day)?;
        let answer = self.model.answer(request)?;
        self.count(UsageRow {
            input_tokens: answer.input_tokens,
            output_tokens: answer.output_tokens,
            ..UsageRow::empty(day, request.purpose.to_owned())
        })?;
        Ok(answer)
    }
}

impl Memoriter {
    /// What language models were used for on the day of `at`, UTC, by purpose.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn model_usage(&self, at: Timestamp) -> Result<Vec<UsageRow>, Error> {
        self.may(Right::Admin)?;
        Ok(self.engine.store.snapshot()?.usage(day_of(at))?)
    }
}

/// The day, UTC, in days since 1970.
fn day_of(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(DAY_MICROS)
}

/// A call that cannot be counted is not made: it would pass the caps.
fn uncounted(error: &StoreError) -> ModelError {
    ModelError::Unavailable {
        why: format!("its use cannot be counted: {error}"),
    }
}
