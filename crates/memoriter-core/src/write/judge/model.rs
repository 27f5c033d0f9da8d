//! A language model as judge.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use super::{Pair, Verdict};
use crate::ask::{Question, ask};
use crate::memory::Memory;
use crate::port::language_model::{AnswerForm, LanguageModel, ModelError};

/// The prompt, by name and version. Grows with every change of the prompt or its form.
pub const PROMPT: &str = "judge-1";
/// What calls are counted under.
pub const PURPOSE: &str = "judge";

/// Tokens that an answer may have: a line for each pair.
const OUTPUT_TOKENS_MAX: u32 = 512;

static SYSTEM: &str = include_str!("../../../data/prompts/judge-1.md");

static FORM: LazyLock<AnswerForm> = LazyLock::new(|| AnswerForm {
    name: "verdicts",
    schema: serde_json::from_str(include_str!("../../../data/prompts/judge-1.schema.json"))
        .expect("a test reads the file"),
});

/// Asks a language model whether statements mean the same.
pub struct ModelJudge {
    model: Arc<dyn LanguageModel>,
}

impl std::fmt::Debug for ModelJudge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelJudge")
            .field("model", &self.model.name())
            .finish_non_exhaustive()
    }
}

impl ModelJudge {
    /// Over a model.
    #[must_use]
    pub fn new(model: Arc<dyn LanguageModel>) -> Self {
        Self { model }
    }

    /// A verdict on each pair, in order, by one call.
    ///
    /// # Errors
    /// [`ModelError`] when the model or its service fails, or answers out of form three times.
    pub fn judge(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>, ModelError> {
        let question = Question {
            purpose: PURPOSE,
            system: SYSTEM,
            material: pairs.iter().enumerate().map(line).collect(),
            form: &FORM,
            output_tokens_max: OUTPUT_TOKENS_MAX,
        };
        ask(self.model.as_ref(), question, |answer| {
            verdicts(answer, pairs.len())
        })
    }
}

/// One JSON object a pair and line: no text can pass for another pair.
fn line((number, pair): (usize, &Pair<'_>)) -> String {
    let said = |memory: &Memory| match &memory.value {
        Some(value) => format!("{value} ({})", memory.statement),
        None => memory.statement.clone(),
    };
    let line = json!({
        "pair": number,
        "attribute": pair.attribute(),
        "new": said(pair.new),
        "new_day": pair.new.valid_from.day().to_string(),
        "known": said(pair.known),
        "known_day": pair.known.valid_from.day().to_string(),
    });
    format!("{line}\n")
}

fn verdicts(answer: &Value, count: usize) -> Result<Vec<Verdict>, String> {
    let given = answer
        .get("verdicts")
        .and_then(Value::as_array)
        .ok_or("there is no array \"verdicts\"")?;
    let verdict_on = |pair: usize| {
        let is_on = |entry: &&Value| entry.get("pair").and_then(Value::as_u64) == Some(pair as u64);
        let entry = given.iter().find(is_on);
        let entry = entry.ok_or(format!("pair {pair} has no verdict"))?;
        let word = entry
            .get("verdict")
            .and_then(Value::as_str)
            .unwrap_or_default();
        Verdict::parse(word).map_err(|error| format!("pair {pair}: {error}"))
    };
    (0..count).map(verdict_on).collect()
}
