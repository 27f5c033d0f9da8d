//! The settings of a language model, and what finds facts.

use std::time::Duration;

use clap::ValueEnum;
use memoriter::{Builder, ModelCaps, ModelPolicy};
use memoriter_provider::llm::{ApiKey, ModelName, ModelSettings};

use super::{Key, layer, number};
use crate::failure::Failure;

/// How a build gets the client that this one is without.
const WITH_LLM: &str = "build with it: cargo install --path crates/memoriter-cli --features llm";

/// What finds facts in texts and turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractBy {
    /// The built-in rules
    #[default]
    Rules,
    /// The language model that the settings name
    Model,
    /// Nothing: texts are remembered as they stand
    None,
}

impl ExtractBy {
    pub(super) fn read(text: Option<String>) -> Result<Self, Failure> {
        let Some(text) = text else {
            return Ok(Self::default());
        };
        Self::from_str(&text, false).map_err(|_| {
            let message = format!("extract must be rules, model or none, got `{text}`");
            Failure::usage(Key::Extract.name(), message)
        })
    }
}

/// A language model as it is set.
#[derive(Clone, Debug)]
pub(crate) struct ModelConfig {
    /// Where one is named.
    settings: Option<ModelSettings>,
    judges: bool,
    folds: bool,
    caps: ModelCaps,
}

impl ModelConfig {
    /// Reads and checks the settings; `text` gives each as it was written.
    pub(super) fn read(text: impl Fn(Key) -> Option<String>) -> Result<Self, Failure> {
        let cap = |key: Key| text(key).map(|count| number(key, &count)).transpose();
        let caps = ModelCaps {
            calls_a_day: cap(Key::ModelCallsADay)?,
            tokens_a_day: cap(Key::ModelTokensADay)?,
        };
        let judges = is_model(Key::Judge, text(Key::Judge).as_deref())?;
        let folds = is_model(Key::Fold, text(Key::Fold).as_deref())?;
        let timeout = text(Key::ModelTimeout)
            .map(|seconds| number(Key::ModelTimeout, &seconds).map(Duration::from_secs))
            .transpose()?;
        let temperature = text(Key::ModelTemperature)
            .map(|text| temperature(&text))
            .transpose()?;
        let Some(name) = text(Key::Model) else {
            return Ok(Self {
                settings: None,
                judges,
                folds,
                caps,
            });
        };
        let usual = ModelSettings::new(name.parse::<ModelName>()?);
        let key = match text(Key::ModelSecret) {
            Some(key) => Some(key),
            None => match usual.name.service().key_variable() {
                Some(variable) => layer::variable(variable)?,
                None => None,
            },
        };
        Ok(Self {
            settings: Some(ModelSettings {
                url: text(Key::ModelUrl),
                key: key.map(ApiKey::new),
                timeout: timeout.unwrap_or(usual.timeout),
                temperature: temperature.unwrap_or(usual.temperature),
                ..usual
            }),
            judges,
            folds,
            caps,
        })
    }

    /// Checks what is set, also where it is not used.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match &self.settings {
            Some(settings) if cfg!(feature = "llm") => {
                settings.clone().build()?;
                Ok(())
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The builder with the model, where it is used for anything.
    pub(crate) fn give(&self, builder: Builder, extract: ExtractBy) -> Result<Builder, Failure> {
        let policy = ModelPolicy {
            extracts: extract == ExtractBy::Model,
            judges: self.judges,
            folds: self.folds,
            caps: self.caps,
        };
        let uses = [
            (policy.extracts, Key::Extract),
            (policy.judges, Key::Judge),
            (policy.folds, Key::Fold),
        ];
        let Some((_, first)) = uses.iter().find(|(is_used, _)| *is_used) else {
            return Ok(builder);
        };
        let Some(settings) = &self.settings else {
            let message = format!("{} is model, and no model is named", first.name());
            return Err(Failure::usage(Key::Model.name(), message)
                .hint("name one: --model openai:gpt-4o-mini, --model ollama:qwen2.5"));
        };
        match settings.clone().build() {
            Ok(model) => Ok(builder.language_model(model, policy)),
            Err(error) if cfg!(not(feature = "llm")) => Err(Failure::from(error).hint(WITH_LLM)),
            Err(error) => Err(error.into()),
        }
    }
}

/// Whether a model does what is done without one otherwise.
fn is_model(key: Key, text: Option<&str>) -> Result<bool, Failure> {
    match text {
        None | Some("none") => Ok(false),
        Some("model") => Ok(true),
        Some(other) => {
            let message = format!("{} must be model or none, got `{other}`", key.name());
            Err(Failure::usage(key.name(), message))
        }
    }
}

/// From 0 to 2, or `none` to leave it to the service.
fn temperature(text: &str) -> Result<Option<f64>, Failure> {
    if text == "none" {
        return Ok(None);
    }
    let number = text.trim().parse().ok();
    match number.filter(|number| (0.0..=2.0).contains(number)) {
        Some(number) => Ok(Some(number)),
        None => Err(Failure::usage(
            Key::ModelTemperature.name(),
            format!("model_temperature must be a number from 0 to 2 or none, got `{text}`"),
        )),
    }
}
