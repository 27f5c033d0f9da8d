//! Language models behind services that speak the OpenAI protocol, Anthropic's, or Ollama's.
//!
//! [`ModelSettings`] says which one, and [`ModelSettings::build`] makes it; the client behind them all is the
//! feature `llm`. Another service takes a variant of [`Service`] and a row in its tables.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use memoriter_core::error::{InvalidInput, check_some_text};
use memoriter_core::port::language_model::{LanguageModel, MODEL_NAME_BYTES_MAX, ModelError};

#[cfg(feature = "llm")]
mod chat;

#[cfg(feature = "llm")]
pub use chat::ChatModel;

/// How long a call may take unless somebody says otherwise: a large batch with a slow model.
pub const TIMEOUT_DEFAULT: Duration = Duration::from_mins(1);
/// The longest time-out: a queued turn is somebody's for a quarter of an hour, and is asked about three times.
pub const TIMEOUT_MAX: Duration = Duration::from_mins(4);

/// The protocol of a service, and where it is unless somebody says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// The chat completions of OpenAI, which most services and local servers speak.
    OpenAi,
    /// The messages of Anthropic.
    Anthropic,
    /// Ollama, through its OpenAI-compatible side: that one enforces a schema.
    Ollama,
}

impl Service {
    /// Its name in [`ModelName`].
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Ollama => "ollama",
        }
    }

    /// Where it is, with a slash at the end.
    #[must_use]
    pub fn url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1/",
            Self::Anthropic => "https://api.anthropic.com/v1/",
            Self::Ollama => "http://localhost:11434/v1/",
        }
    }

    /// The variable that its own tools read a key from; Ollama asks for none.
    #[must_use]
    pub fn key_variable(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
            Self::Ollama => None,
        }
    }
}

/// A model and the service that has it, written `openai:gpt-4o-mini`.
///
/// ```
/// use memoriter_provider::llm::{ModelName, Service};
///
/// let model: ModelName = "ollama:qwen2.5:7b".parse()?;
/// assert_eq!((model.service(), model.model()), (Service::Ollama, "qwen2.5:7b"));
/// # Ok::<(), memoriter_core::error::InvalidInput>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelName {
    service: Service,
    model: String,
}

impl ModelName {
    /// Who has it.
    #[must_use]
    pub fn service(&self) -> Service {
        self.service
    }

    /// As the service calls it.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }
}

impl FromStr for ModelName {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<Self, InvalidInput> {
        let malformed = || {
            InvalidInput::malformed(
                "model",
                "`openai:NAME`, `anthropic:NAME` or `ollama:NAME`",
                text,
            )
        };
        let (service, model) = text.split_once(':').ok_or_else(malformed)?;
        let service = [Service::OpenAi, Service::Anthropic, Service::Ollama]
            .into_iter()
            .find(|known| known.as_str() == service)
            .filter(|_| !model.trim().is_empty())
            .ok_or_else(malformed)?;
        check_some_text("model", model, MODEL_NAME_BYTES_MAX)?;
        Ok(Self {
            service,
            model: model.to_owned(),
        })
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.service.as_str(), self.model)
    }
}

/// A secret that no debug output shows.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// From its text.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(..)")
    }
}

/// Everything that can be chosen about a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSettings {
    /// Which one.
    pub name: ModelName,
    /// Where the service is, if not at its own place: the part before `chat/completions` or `messages`.
    pub url: Option<String>,
    /// The key, where the service asks for one.
    pub key: Option<ApiKey>,
    /// How long a call may take; at most [`TIMEOUT_MAX`].
    pub timeout: Duration,
    /// From 0, the same answer to the same question, to 2; `None` leaves it to the service, for models that take none.
    pub temperature: Option<f64>,
}

impl ModelSettings {
    /// A model at its own place, without key, with the usual time-out, at temperature 0.
    #[must_use]
    pub fn new(name: ModelName) -> Self {
        Self {
            name,
            url: None,
            key: None,
            timeout: TIMEOUT_DEFAULT,
            temperature: Some(0.0),
        }
    }

    /// Makes the model. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ModelError::Refused`] when a setting is out of bounds or this build is without the feature `llm`.
    pub fn build(self) -> Result<Arc<dyn LanguageModel>, ModelError> {
        if self.timeout.is_zero() || self.timeout > TIMEOUT_MAX {
            return Err(refused(format!(
                "the time-out must be from 1 to {} seconds, got {:?}",
                TIMEOUT_MAX.as_secs(),
                self.timeout
            )));
        }
        self.build_checked()
    }

    #[cfg(feature = "llm")]
    fn build_checked(self) -> Result<Arc<dyn LanguageModel>, ModelError> {
        Ok(Arc::new(ChatModel::new(self)?))
    }

    #[cfg(not(feature = "llm"))]
    fn build_checked(self) -> Result<Arc<dyn LanguageModel>, ModelError> {
        Err(refused(format!(
            "{} needs the feature `llm`, which this build is without",
            self.name
        )))
    }
}

fn refused(why: String) -> ModelError {
    ModelError::Refused { why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_not_one_is_refused_with_the_form_expected() {
        for text in ["", "gpt-4o", "openai:", "openai: ", "other:x"] {
            let refused = text.parse::<ModelName>().unwrap_err();
            assert!(
                refused
                    .to_string()
                    .starts_with("model must be `openai:NAME`"),
                "{refused}"
            );
        }
        let long = format!("openai:{}", "x".repeat(200));
        assert!(
            long.parse::<ModelName>()
                .unwrap_err()
                .to_string()
                .contains("128")
        );
    }

    #[test]
    fn a_key_shows_in_no_debug_output() {
        let settings = ModelSettings {
            key: Some(ApiKey::new("sk-very-secret")),
            ..ModelSettings::new("openai:gpt-4o-mini".parse().unwrap())
        };
        assert!(!format!("{settings:?}").contains("secret"));
    }

    #[test]
    fn a_time_out_has_bounds() {
        for seconds in [0, 241] {
            let settings = ModelSettings {
                timeout: Duration::from_secs(seconds),
                ..ModelSettings::new("ollama:x".parse().unwrap())
            };
            let refused = settings.build().map(|_| ()).unwrap_err();
            assert!(
                refused.to_string().contains("1 to 240 seconds"),
                "{refused}"
            );
        }
    }
}
