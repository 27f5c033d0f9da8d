//! From a prompt to an answer.

use serde_json::Value;

use crate::error::{Diagnose, Fault};

/// Bytes the name of a model may have: it is noted with everything that the model brought.
pub const MODEL_NAME_BYTES_MAX: usize = 128;

/// Answers a prompt.
///
/// - `answer` MUST return the model's text as it came; what it says is checked by the caller.
/// - `answer` MUST end: an implementation has a time-out and keeps it.
/// - `answer` MUST fail with [`ModelError::Answer`] where the answer is empty or was cut off, and MUST NOT return a
///   part of it.
/// - `answer` MUST NOT try again by itself: the caller counts calls, and has a queue that waits.
/// - `name` MUST be stable, not empty and at most [`MODEL_NAME_BYTES_MAX`] long.
/// - An implementation MUST be callable from any thread.
pub trait LanguageModel: Send + Sync {
    /// The model by name, such as `gpt-4o-mini`.
    fn name(&self) -> &str;

    /// One call.
    ///
    /// # Errors
    /// [`ModelError`] when the service fails, refuses or answers nothing that can be used.
    fn answer(&self, request: &ModelRequest<'_>) -> Result<ModelAnswer, ModelError>;
}

/// What a model is asked.
#[derive(Clone, Debug)]
pub struct ModelRequest<'a> {
    /// What the call is for, such as `extract`: calls are counted by it.
    pub purpose: &'a str,
    /// What the model is to do. The same for every call of a purpose, so that services can keep it.
    pub system: &'a str,
    /// The material, and what was said about earlier answers. Begins and ends with the application.
    pub messages: &'a [ModelMessage],
    /// The form of the answer. A service that cannot enforce it gets it in `system` only.
    pub form: &'a AnswerForm,
    /// Tokens the answer may have.
    pub output_tokens_max: u32,
}

/// A message to or from a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelMessage {
    /// Whose.
    pub from: ModelRole,
    /// Its text.
    pub text: String,
}

/// Who speaks to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelRole {
    /// The application asks.
    Application,
    /// The model has answered.
    Model,
}

/// The form of an answer.
#[derive(Clone, Debug)]
pub struct AnswerForm {
    /// A name of letters, digits, `-` and `_`.
    pub name: &'static str,
    /// A JSON schema in which every property is required and no other is allowed: the subset that services
    /// enforce.
    pub schema: Value,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelAnswer {
    /// Its text.
    pub text: String,
    /// Tokens that were sent, as the service counts them; 0 where it does not say.
    pub input_tokens: u64,
    /// Tokens that came back.
    pub output_tokens: u64,
}

/// Why there is no answer that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The service cannot be reached, is busy or failed; later it may work.
    #[error("the language model could not be asked: {why}")]
    Unavailable {
        /// What happened.
        why: String,
    },
    /// The service refuses: a wrong key, an unknown model, a request that it does not take.
    #[error("the language model's service refuses: {why}")]
    Refused {
        /// What it says.
        why: String,
    },
    /// The model answered something that cannot be used, also when asked again.
    #[error("the language model's answer cannot be used: {why}")]
    Answer {
        /// What is wrong with it.
        why: String,
    },
    /// A cap on calls or tokens is reached.
    #[error("the cap on {what} of language models is reached: {limit} a day")]
    Cap {
        /// Calls or tokens.
        what: &'static str,
        /// How many are allowed.
        limit: u64,
    },
}

impl ModelError {
    /// Whether any other question would meet it too: nobody answers, or nothing more may be asked. Else the next one
    /// may go well.
    #[must_use]
    pub fn meets_everything(&self) -> bool {
        match self {
            Self::Unavailable { .. } | Self::Refused { .. } | Self::Cap { .. } => true,
            Self::Answer { .. } => false,
        }
    }
}

impl Diagnose for ModelError {
    fn code(&self) -> &'static str {
        match self {
            Self::Unavailable { .. } => "model_unavailable",
            Self::Refused { .. } => "model_refused",
            Self::Answer { .. } => "model_answer",
            Self::Cap { .. } => "model_cap",
        }
    }

    fn fault(&self) -> Fault {
        Fault::Environment
    }
}
