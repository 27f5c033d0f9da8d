//! A model behind a service, through the client `genai`.
//!
//! Callers block; the client runs on a runtime of its own with one thread. A call is over when its time-out is, whatever
//! the service does meanwhile.

use std::sync::mpsc;
use std::time::Duration;

use genai::adapter::AdapterKind;
use genai::chat::{ChatMessage, ChatOptions, ChatRequest, ChatResponse, JsonSpec, StopReason};
use genai::resolver::{AuthData, Endpoint, ProviderConfig};
use genai::{Client, webc};
use memoriter_core::port::language_model::{
    LanguageModel, ModelAnswer, ModelError, ModelRequest, ModelRole,
};
use tokio::runtime::Runtime;

use super::{ApiKey, ModelSettings, Service, refused};

/// Time to reach a service.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Characters of a service's own words in an error.
const WORDS_MAX: usize = 300;

/// One model of one service.
pub struct ChatModel {
    name: String,
    model: String,
    client: Client,
    /// Dropped in the background: a runtime must not be waited for where another one runs.
    runtime: Option<Runtime>,
    timeout: Duration,
    temperature: Option<f64>,
    key: Option<ApiKey>,
}

impl ChatModel {
    /// Makes the client; nothing is sent yet.
    ///
    /// # Errors
    /// [`ModelError::Refused`] when the address is none or the machine gives no threads or certificates.
    pub fn new(settings: ModelSettings) -> Result<Self, ModelError> {
        let service = settings.name.service();
        let url = address(settings.url.as_deref().unwrap_or(service.url()))?;
        let key = settings.key.as_ref().map_or("none", |key| key.0.as_str());
        let kind = match service {
            Service::OpenAi | Service::Ollama => AdapterKind::OpenAI,
            Service::Anthropic => AdapterKind::Anthropic,
        };
        let provider = ProviderConfig::from_endpoint(Endpoint::from_owned(url))
            .with_auth(AuthData::from_single(key));
        let client = Client::builder()
            .with_reqwest(http_client(settings.timeout)?)
            .with_adapter_kind(kind)
            .append_provider_config(kind, provider)
            .build()
            .map_err(|error| refused(error.to_string()))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("memoriter-llm")
            .enable_all()
            .build()
            .map_err(|error| refused(format!("no thread for the client: {error}")))?;
        Ok(Self {
            name: settings.name.to_string(),
            model: settings.name.model().to_owned(),
            client,
            runtime: Some(runtime),
            timeout: settings.timeout,
            temperature: settings.temperature,
            key: settings.key,
        })
    }

    fn options(&self, request: &ModelRequest<'_>) -> ChatOptions {
        let form = JsonSpec::new(request.form.name, request.form.schema.clone());
        let options = ChatOptions::default()
            .with_max_tokens(request.output_tokens_max)
            .with_response_format(form);
        match self.temperature {
            Some(temperature) => options.with_temperature(temperature),
            None => options,
        }
    }

    /// What a service says, short and without the key.
    fn words(&self, text: &str) -> String {
        let text = match &self.key {
            Some(key) if !key.0.is_empty() => text.replace(&key.0, "[key]"),
            _ => text.to_owned(),
        };
        let short: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match short.char_indices().nth(WORDS_MAX) {
            Some((end, _)) => format!("{}...", short.get(..end).unwrap_or_default()),
            None => short,
        }
    }

    fn failure(&self, error: &genai::Error) -> ModelError {
        if let Some(status) = error.status() {
            let words = self.words(body_of(error));
            let why = format!("{status}: {words}");
            let is_passing = status.is_server_error() || matches!(status.as_u16(), 408 | 409 | 429);
            return if is_passing {
                ModelError::Unavailable { why }
            } else {
                refused(why)
            };
        }
        if let genai::Error::WebModelCall { webc_error, .. }
        | genai::Error::WebAdapterCall { webc_error, .. } = error
        {
            let why = self.words(&web_failure(webc_error));
            return ModelError::Unavailable { why };
        }
        ModelError::Answer {
            why: self.words(&format!("the service's answer has another form: {error}")),
        }
    }
}

impl Drop for ChatModel {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl std::fmt::Debug for ChatModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChatModel")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl LanguageModel for ChatModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&self, request: &ModelRequest<'_>) -> Result<ModelAnswer, ModelError> {
        let messages = request.messages.iter().map(|message| match message.from {
            ModelRole::Application => ChatMessage::user(message.text.as_str()),
            ModelRole::Model => ChatMessage::assistant(message.text.as_str()),
        });
        let chat = ChatRequest::new(messages.collect()).with_system(request.system);
        let (client, model) = (self.client.clone(), self.model.clone());
        let (options, timeout) = (self.options(request), self.timeout);
        let (tell, told) = mpsc::sync_channel(1);
        let runtime = self
            .runtime
            .as_ref()
            .expect("it is taken when the model is dropped");
        // Not `block_on`: that would panic in a thread of somebody else's runtime.
        runtime.spawn(async move {
            let call = client.exec_chat(model, chat, Some(&options));
            let _ = tell.send(tokio::time::timeout(timeout, call).await);
        });
        match told.recv() {
            Ok(Ok(Ok(response))) => read(response),
            Ok(Ok(Err(error))) => Err(self.failure(&error)),
            Ok(Err(_)) => Err(ModelError::Unavailable {
                why: format!("no answer within {} s", timeout.as_secs_f32()),
            }),
            Err(_) => Err(ModelError::Unavailable {
                why: "the client failed".to_owned(),
            }),
        }
    }
}

/// The address with a slash at its end, to which the client adds a path.
fn address(url: &str) -> Result<String, ModelError> {
    let parsed = reqwest::Url::parse(url)
        .map_err(|error| refused(format!("\"{url}\" is no address: {error}")))?;
    if !matches!(parsed.scheme(), "http" | "https") || parsed.query().is_some() {
        return Err(refused(format!(
            "\"{url}\" must begin with http:// or https:// and have no query"
        )));
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(refused(
            "an address must hold no name or password: a key has a setting of its own".to_owned(),
        ));
    }
    Ok(format!("{}/", url.trim_end_matches('/')))
}

fn http_client(timeout: Duration) -> Result<reqwest::Client, ModelError> {
    // Another library of this process may have chosen one; then that one serves.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT.min(timeout))
        // An answer comes from where the question went, or not at all: a key is not carried elsewhere.
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| refused(format!("the client cannot be made: {error}")))
}

/// The text of an answer that is whole.
fn read(response: ChatResponse) -> Result<ModelAnswer, ModelError> {
    let unusable = |why: &str| {
        Err(ModelError::Answer {
            why: why.to_owned(),
        })
    };
    match &response.stop_reason {
        Some(StopReason::MaxTokens(_)) => return unusable("it was cut off: it is too long"),
        Some(StopReason::ContentFilter(_)) => return unusable("the service filtered it"),
        Some(
            StopReason::Completed(_)
            | StopReason::ToolCall(_)
            | StopReason::StopSequence(_)
            | StopReason::Other(_),
        )
        | None => {}
    }
    let count = |tokens: Option<i32>| {
        tokens
            .and_then(|tokens| tokens.try_into().ok())
            .unwrap_or(0)
    };
    let (input_tokens, output_tokens) = (
        count(response.usage.prompt_tokens),
        count(response.usage.completion_tokens),
    );
    let text = response.into_texts().concat();
    if text.trim().is_empty() {
        return unusable("it is empty");
    }
    Ok(ModelAnswer {
        text,
        input_tokens,
        output_tokens,
    })
}

/// What the service says with a status of failure.
fn body_of(error: &genai::Error) -> &str {
    if let genai::Error::HttpError { body, .. }
    | genai::Error::WebModelCall {
        webc_error: webc::Error::ResponseFailedStatus { body, .. },
        ..
    } = error
    {
        body
    } else {
        ""
    }
}

/// A failed call with what is behind it: the client's own words end at "error sending request".
fn web_failure(error: &webc::Error) -> String {
    let webc::Error::Reqwest(error) = error else {
        return error.to_string();
    };
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        words = format!("{words}: {deeper}");
        cause = deeper.source();
    }
    words
}
