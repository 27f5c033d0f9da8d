//! The extractor that asks a language model.
//!
//! One call reads a batch of turns. The prompt and the form of the answer are files with a version, which stands in
//! the provenance of what was found. What the model claims is checked here: a fact names a turn that a person wrote
//! and quotes words that are in it, a date is a date, and a value that its quote does not say counts as a conclusion.
//! A fact without support is left out; an answer that is out of form is asked for again.

mod answer;
mod prompt;
mod support;

#[cfg(test)]
mod tests;

pub(crate) use support::quoted;

use std::sync::{Arc, LazyLock};

use super::{Candidate, Heard};
use crate::ask::{Question, ask};
use crate::port::Extractor;
use crate::port::language_model::{AnswerForm, LanguageModel, ModelError};

/// The prompt, by name and version. Grows with every change of the prompt, its form or what is checked.
pub const PROMPT: &str = "extract-1";
/// What calls are counted under.
pub const PURPOSE: &str = "extract";

/// A slow language model is asked three times for four minutes at most.
const LEASE_MICROS: i64 = 15 * 60 * 1_000_000;

/// Turns that one call reads. A small model that reads more mixes them up; a large one has enough of a conversation
/// to know what "that" is.
const BATCH_TURNS: usize = 16;
/// Tokens that an answer may have for each turn that it is about, some two facts, and for what stands around them. Small
/// models now and then write on without end: what is cut off is asked for again, with what is wrong with it.
const OUTPUT_TOKENS_PER_TURN: u32 = 192;
const OUTPUT_TOKENS_AROUND: u32 = 256;

static SYSTEM: &str = include_str!("../../data/prompts/extract-1.md");

static FORM: LazyLock<AnswerForm> = LazyLock::new(|| AnswerForm {
    name: "facts",
    schema: serde_json::from_str(include_str!("../../data/prompts/extract-1.schema.json"))
        .expect("a test reads the file"),
});

/// Finds facts by asking a language model.
pub struct ModelExtractor {
    model: Arc<dyn LanguageModel>,
    /// Prompt and model, as provenance names them.
    name: String,
}

impl ModelExtractor {
    /// Over a model.
    #[must_use]
    pub fn new(model: Arc<dyn LanguageModel>) -> Self {
        let name = format!("{PROMPT} {}", model.name());
        Self { model, name }
    }
}

impl std::fmt::Debug for ModelExtractor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelExtractor")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Extractor for ModelExtractor {
    fn name(&self) -> &str {
        &self.name
    }

    fn batch_turns(&self) -> usize {
        BATCH_TURNS
    }

    fn lease_micros(&self) -> i64 {
        LEASE_MICROS
    }

    fn extract(&self, turns: &[Heard<'_>]) -> Result<Vec<Candidate>, ModelError> {
        let mut all = Vec::new();
        for (number, batch) in turns.chunks(BATCH_TURNS).enumerate() {
            if !batch.iter().any(prompt::gives_facts) {
                continue;
            }
            let question = Question {
                purpose: PURPOSE,
                system: SYSTEM,
                material: prompt::lines(batch),
                form: &FORM,
                output_tokens_max: output_tokens_max(batch.len()),
            };
            let read = |object: &_| answer::candidates(object, batch, &self.name);
            for candidate in ask(self.model.as_ref(), question, read)? {
                all.push(Candidate {
                    turn: candidate.turn + number * BATCH_TURNS,
                    ..candidate
                });
            }
        }
        Ok(all)
    }
}

fn output_tokens_max(turns: usize) -> u32 {
    let turns = u32::try_from(turns).unwrap_or(u32::MAX);
    OUTPUT_TOKENS_AROUND.saturating_add(OUTPUT_TOKENS_PER_TURN.saturating_mul(turns))
}
