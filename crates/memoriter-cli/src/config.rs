//! Settings: from flags, the environment, a file and defaults, in this order.
//!
//! Every key of the file is also a variable of the environment: `index_bytes` is `MEMORITER_INDEX_BYTES`. An
//! empty variable counts as none.

mod decay;
mod encryption;
mod guard;
mod key;
mod layer;
mod model;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use directories::ProjectDirs;
use memoriter::core::error::check_some_text;
use memoriter::core::guard::GuardPolicy;
use memoriter::core::memory::Kind;
use memoriter::core::port::embedder::Embedder;
use memoriter::core::rank::decay::DecayPolicy;
use memoriter::core::scope::SEGMENT_BYTES_MAX;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::write::AttributeRegistry;
use memoriter::{Builder, INDEX_BYTES_DEFAULT};
use memoriter_provider::embed::EmbedderChoice;

use crate::failure::Failure;

pub(crate) use encryption::{EncryptionConfig, Making, ways};
pub(crate) use key::Key;
pub(crate) use layer::{Layer, unknown_variables};
pub(crate) use model::{ExtractBy, ModelConfig};

/// The name of the embedder that is used where none is named.
const EMBEDDER_DEFAULT: &str = "built-in";

/// How a build gets the embedder that this one is without.
const WITH_MINILM: &str =
    "build with it: cargo install --path crates/memoriter-cli --features minilm";

/// Flags that every command takes.
#[derive(Args, Clone, Debug)]
#[expect(clippy::doc_markdown, reason = "these are help texts for the terminal")]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct GlobalArgs {
    /// Folder of the stores, one file a tenant [env: MEMORITER_DATA; default: the platform's data folder]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<String>,
    /// Whose store: a name of a-z, 0-9, _ and - [env: MEMORITER_TENANT; default: default]
    #[arg(long, global = true, value_name = "NAME")]
    tenant: Option<String>,
    /// Whose memory [env: MEMORITER_USER; default: me]
    #[arg(long, global = true, value_name = "NAME")]
    user: Option<String>,
    /// The agent's own memory inside the user's; it also reads the user's [env: MEMORITER_AGENT]
    #[arg(long, global = true, value_name = "NAME")]
    agent: Option<String>,
    /// Encrypt what a new store holds; docs/encryption.md says what that covers [env: MEMORITER_ENCRYPT]
    #[arg(long, global = true)]
    encrypt: bool,
    /// The key of an encrypted store, in a file of its own [env: MEMORITER_KEY_FILE; or the key itself: MEMORITER_KEY]
    #[arg(long, global = true, value_name = "FILE")]
    key_file: Option<String>,
    /// The key of an encrypted store is in the system's keyring, in builds with the feature keyring
    /// [env: MEMORITER_KEYRING]
    #[arg(long, global = true)]
    keyring: bool,
    #[cfg_attr(
        feature = "minilm",
        doc = "What turns text into vectors: built-in or minilm:FOLDER [env: MEMORITER_EMBEDDER; default: built-in]"
    )]
    #[cfg_attr(
        not(feature = "minilm"),
        doc = "What turns text into vectors: built-in; minilm:FOLDER only in builds with the feature minilm \
               [env: MEMORITER_EMBEDDER; default: built-in]"
    )]
    #[arg(long, global = true, value_name = "NAME")]
    embedder: Option<String>,
    /// A language model, used where facts are found by one: openai:NAME, anthropic:NAME or ollama:NAME
    /// [env: MEMORITER_MODEL]
    #[arg(long, global = true, value_name = "NAME")]
    model: Option<String>,
    /// Settings in TOML [env: MEMORITER_CONFIG; default: the platform's config folder, if there is one]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print exactly one JSON document on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Flag,
    Environment,
    File(PathBuf),
    Default,
}

/// A setting as it was written, and where.
#[derive(Clone)]
pub(crate) struct Setting {
    pub(crate) key: Key,
    pub(crate) text: Option<String>,
    pub(crate) origin: Origin,
}

impl Setting {
    /// Where it was set, by the name that users know the place by.
    pub(crate) fn place(&self) -> String {
        match &self.origin {
            Origin::Flag => format!("--{}", self.key.name().replace('_', "-")),
            Origin::Environment => self.key.variable(),
            Origin::File(file) => format!("{} in {}", self.key.name(), file.display()),
            Origin::Default => "default".to_owned(),
        }
    }
}

/// Everything that can be set, checked.
#[derive(Clone)]
pub(crate) struct Settings {
    /// Where the stores lie; not set where nothing is said and the platform has no usual place.
    data: Option<PathBuf>,
    pub(crate) tenant: String,
    pub(crate) user: String,
    pub(crate) agent: Option<String>,
    pub(crate) encryption: EncryptionConfig,
    pub(crate) embedder: EmbedderChoice,
    pub(crate) extract: ExtractBy,
    pub(crate) model: ModelConfig,
    pub(crate) guard: GuardPolicy,
    pub(crate) index_bytes: Option<usize>,
    pub(crate) attributes: AttributeRegistry,
    pub(crate) decay: DecayPolicy,
    pub(crate) clock: Option<Timestamp>,
    pub(crate) seed: Option<u64>,
    /// One a key, as they were written.
    pub(crate) written: Vec<Setting>,
}

impl GlobalArgs {
    fn layer(&self) -> Layer {
        let on = |is_on: bool| is_on.then(|| "true".to_owned());
        let (encrypt, keyring) = (on(self.encrypt), on(self.keyring));
        let flags = [
            (Key::Encrypt, &encrypt),
            (Key::SecretFile, &self.key_file),
            (Key::Keyring, &keyring),
            (Key::Data, &self.data),
            (Key::Tenant, &self.tenant),
            (Key::User, &self.user),
            (Key::Agent, &self.agent),
            (Key::Embedder, &self.embedder),
            (Key::Model, &self.model),
        ];
        let given = flags
            .into_iter()
            .filter_map(|(key, value)| Some((key, value.clone()?)));
        Layer::new(Origin::Flag, given)
    }

    fn file(&self) -> Result<Option<PathBuf>, Failure> {
        if let Some(file) = &self.config {
            return Ok(Some(file.clone()));
        }
        if let Some(file) = layer::variable("MEMORITER_CONFIG")? {
            return Ok(Some(file.into()));
        }
        let usual = project_dirs().map(|dirs| dirs.config_dir().join("config.toml"));
        Ok(usual.filter(|file| file.exists()))
    }
}

impl Settings {
    /// Reads all layers and checks every value.
    pub(crate) fn read(global: &GlobalArgs) -> Result<Self, Failure> {
        let mut layers = vec![global.layer(), Layer::of_environment()?];
        if let Some(file) = global.file()? {
            layers.push(Layer::of_file(&file)?);
        }
        let written: Vec<Setting> = Key::ALL
            .iter()
            .map(|key| layer::find(&layers, *key))
            .collect();
        Self::of(written)
    }

    fn of(written: Vec<Setting>) -> Result<Self, Failure> {
        let text = |key| {
            written
                .iter()
                .find(|setting| setting.key == key)
                .and_then(|setting| setting.text.clone())
        };
        let name_or =
            |key, default: &str| checked_name(key, text(key).unwrap_or_else(|| default.to_owned()));
        let agent = text(Key::Agent)
            .map(|agent| checked_name(Key::Agent, agent))
            .transpose()?;
        let clock = text(Key::Clock)
            .map(|time| ZonedTime::parse(Key::Clock.name(), &time))
            .transpose()?;
        Ok(Self {
            data: text(Key::Data)
                .map(PathBuf::from)
                .or_else(usual_data_folder),
            tenant: checked_tenant(text(Key::Tenant).unwrap_or_else(|| "default".to_owned()))?,
            user: name_or(Key::User, "me")?,
            agent,
            encryption: EncryptionConfig::read(&written)?,
            embedder: text(Key::Embedder)
                .as_deref()
                .unwrap_or(EMBEDDER_DEFAULT)
                .parse()?,
            extract: ExtractBy::read(text(Key::Extract))?,
            model: ModelConfig::read(text)?,
            guard: guard::read(text)?,
            index_bytes: text(Key::IndexBytes)
                .map(|bytes| number(Key::IndexBytes, &bytes))
                .transpose()?,
            attributes: AttributeRegistry::with(
                list(text(Key::SetAttributes)),
                list(text(Key::SingleAttributes)),
            ),
            decay: decay::read(text)?,
            clock: clock.map(|clock| clock.instant),
            seed: text(Key::Seed)
                .map(|seed| number(Key::Seed, &seed))
                .transpose()?,
            written,
        })
    }

    /// The embedder, with its files read.
    pub(crate) fn build_embedder(&self) -> Result<Arc<dyn Embedder>, Failure> {
        let built = self.embedder.build();
        built.map_err(|error| match self.embedder {
            EmbedderChoice::MiniLm { .. } if cfg!(not(feature = "minilm")) => {
                Failure::from(error).hint(WITH_MINILM)
            }
            EmbedderChoice::MiniLm { .. } | EmbedderChoice::BuiltIn => error.into(),
        })
    }

    /// The builder with what finds facts, as the call or else the settings say.
    pub(crate) fn extracting(
        &self,
        builder: Builder,
        by: Option<ExtractBy>,
    ) -> Result<Builder, Failure> {
        let by = by.unwrap_or(self.extract);
        let builder = self.model.give(builder, by)?;
        Ok(match by {
            ExtractBy::None => builder.without_extractor(),
            ExtractBy::Rules | ExtractBy::Model => builder,
        })
    }

    /// The folder of the stores.
    pub(crate) fn folder(&self) -> Result<&Path, Failure> {
        self.data.as_deref().ok_or_else(|| {
            Failure::usage("data", "this account has no home folder to keep data in")
                .hint("name a folder with --data DIR")
        })
    }

    /// The setting that says whose memory is written to: the user, or the agent inside the user. With neither,
    /// what is read may say so itself.
    pub(crate) fn chosen_scope(&self) -> Option<&Setting> {
        self.written.iter().find(|setting| {
            matches!(setting.key, Key::User | Key::Agent) && setting.origin != Origin::Default
        })
    }

    /// The value that is in use for a key, as it was written or by default; `None` where there is none.
    pub(crate) fn effective(&self, setting: &Setting) -> Option<String> {
        if setting.key.is_secret() {
            return setting.text.as_ref().map(|_| "(set)".to_owned());
        }
        setting.text.clone().or_else(|| match setting.key {
            Key::Data => self.data.as_ref().map(|data| data.display().to_string()),
            Key::Tenant => Some(self.tenant.clone()),
            Key::User => Some(self.user.clone()),
            Key::Embedder => Some(EMBEDDER_DEFAULT.to_owned()),
            Key::IndexBytes => Some(INDEX_BYTES_DEFAULT.to_string()),
            Key::Extract => Some("rules".to_owned()),
            Key::DecaySemantic => Some(decay::usual(Kind::Semantic)),
            Key::DecayEpisodic => Some(decay::usual(Kind::Episodic)),
            Key::DecayProcedural => Some(decay::usual(Kind::Procedural)),
            Key::Judge | Key::Fold => Some("none".to_owned()),
            Key::Encrypt | Key::Keyring => Some("false".to_owned()),
            Key::Agent
            | Key::SecretFile
            | Key::Secret
            | Key::Model
            | Key::ModelUrl
            | Key::ModelSecret
            | Key::ModelTimeout
            | Key::ModelTemperature
            | Key::ModelCallsADay
            | Key::ModelTokensADay
            | Key::Blocked
            | Key::BlockedPatterns
            | Key::MaskedPatterns
            | Key::SetAttributes
            | Key::SingleAttributes
            | Key::Clock
            | Key::Seed => None,
        })
    }

    /// The same settings for another tenant.
    pub(crate) fn of_tenant(&self, tenant: &str) -> Result<Self, Failure> {
        Ok(Self {
            tenant: checked_tenant(tenant.to_owned())?,
            ..self.clone()
        })
    }

    /// The file of the tenant's store.
    pub(crate) fn store_file(&self) -> Result<PathBuf, Failure> {
        Ok(self.folder()?.join(format!("{}.db", self.tenant)))
    }
}

fn project_dirs() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", "memoriter")
}

fn usual_data_folder() -> Option<PathBuf> {
    project_dirs().map(|dirs| dirs.data_dir().to_owned())
}

fn checked_tenant(name: String) -> Result<String, Failure> {
    const TENANT_CHARS_MAX: usize = 64;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
    if name.is_empty() || name.len() > TENANT_CHARS_MAX || !name.chars().all(is_plain) {
        let message = format!(
            "tenant must be 1 to 64 of a-z, 0-9, `_` and `-`, got `{}`",
            name.escape_debug()
        );
        return Err(Failure::usage("tenant", message));
    }
    Ok(name)
}

fn checked_name(key: Key, name: String) -> Result<String, Failure> {
    check_some_text(key.name(), &name, SEGMENT_BYTES_MAX)?;
    Ok(name)
}

fn number<T: std::str::FromStr>(key: Key, text: &str) -> Result<T, Failure> {
    let wrong = |_| {
        Failure::usage(
            key.name(),
            format!(
                "{} must be a whole number, 0 or more, got `{text}`",
                key.name()
            ),
        )
    };
    text.trim().parse().map_err(wrong)
}

fn list(text: Option<String>) -> Vec<String> {
    let text = text.unwrap_or_default();
    let names = text.split(',').map(|name| name.trim().to_lowercase());
    names.filter(|name| !name.is_empty()).collect()
}
