//! The names of the settings.

/// A setting. To add one: a variant, a line in each table here, and its field in `Settings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Data,
    Tenant,
    User,
    Agent,
    Encrypt,
    SecretFile,
    Secret,
    Keyring,
    Embedder,
    Extract,
    Judge,
    Fold,
    Model,
    ModelUrl,
    ModelSecret,
    ModelTimeout,
    ModelTemperature,
    ModelCallsADay,
    ModelTokensADay,
    Blocked,
    BlockedPatterns,
    MaskedPatterns,
    IndexBytes,
    SetAttributes,
    SingleAttributes,
    DecaySemantic,
    DecayEpisodic,
    DecayProcedural,
    Clock,
    Seed,
}

/// The type of a setting in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    Number,
    /// A number with or without a fraction, or a word in its place.
    Decimal,
    List,
    /// A list whose items may hold commas.
    Lines,
    Time,
    Switch,
}

impl Form {
    /// In words, for messages.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Number => "a whole number",
            Self::Decimal => "a number",
            Self::List | Self::Lines => "a list of texts",
            Self::Time => "a time",
            Self::Switch => "true or false",
        }
    }
}

impl Key {
    /// Every setting, in the order they are shown.
    pub(crate) const ALL: &'static [Self] = &[
        Self::Data,
        Self::Tenant,
        Self::User,
        Self::Agent,
        Self::Encrypt,
        Self::SecretFile,
        Self::Secret,
        Self::Keyring,
        Self::Embedder,
        Self::Extract,
        Self::Judge,
        Self::Fold,
        Self::Model,
        Self::ModelUrl,
        Self::ModelSecret,
        Self::ModelTimeout,
        Self::ModelTemperature,
        Self::ModelCallsADay,
        Self::ModelTokensADay,
        Self::Blocked,
        Self::BlockedPatterns,
        Self::MaskedPatterns,
        Self::IndexBytes,
        Self::SetAttributes,
        Self::SingleAttributes,
        Self::DecaySemantic,
        Self::DecayEpisodic,
        Self::DecayProcedural,
        Self::Clock,
        Self::Seed,
    ];

    /// The name in the file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Tenant => "tenant",
            Self::User => "user",
            Self::Agent => "agent",
            Self::Encrypt => "encrypt",
            Self::SecretFile => "key_file",
            Self::Secret => "key",
            Self::Keyring => "keyring",
            Self::Embedder => "embedder",
            Self::Extract => "extract",
            Self::Judge => "judge",
            Self::Fold => "fold",
            Self::Model => "model",
            Self::ModelUrl => "model_url",
            Self::ModelSecret => "model_key",
            Self::ModelTimeout => "model_timeout",
            Self::ModelTemperature => "model_temperature",
            Self::ModelCallsADay => "model_calls_a_day",
            Self::ModelTokensADay => "model_tokens_a_day",
            Self::Blocked => "blocked",
            Self::BlockedPatterns => "blocked_patterns",
            Self::MaskedPatterns => "masked_patterns",
            Self::IndexBytes => "index_bytes",
            Self::SetAttributes => "set_attributes",
            Self::SingleAttributes => "single_attributes",
            Self::DecaySemantic => "decay_semantic",
            Self::DecayEpisodic => "decay_episodic",
            Self::DecayProcedural => "decay_procedural",
            Self::Clock => "clock",
            Self::Seed => "seed",
        }
    }

    /// The name in the environment.
    pub(crate) fn variable(self) -> String {
        format!("MEMORITER_{}", self.name().to_uppercase())
    }

    /// What stands behind the name in the file.
    pub(crate) fn form(self) -> Form {
        match self {
            Self::Data
            | Self::Tenant
            | Self::User
            | Self::Agent
            | Self::SecretFile
            | Self::Secret
            | Self::Embedder
            | Self::Extract
            | Self::Judge
            | Self::Fold
            | Self::Model
            | Self::ModelUrl
            | Self::ModelSecret
            | Self::DecaySemantic
            | Self::DecayEpisodic
            | Self::DecayProcedural => Form::Text,
            Self::ModelTimeout
            | Self::ModelCallsADay
            | Self::ModelTokensADay
            | Self::IndexBytes
            | Self::Seed => Form::Number,
            Self::ModelTemperature => Form::Decimal,
            Self::Blocked | Self::SetAttributes | Self::SingleAttributes => Form::List,
            Self::BlockedPatterns | Self::MaskedPatterns => Form::Lines,
            Self::Clock => Form::Time,
            Self::Encrypt | Self::Keyring => Form::Switch,
        }
    }

    /// Whether it is not to be shown.
    pub(crate) fn is_secret(self) -> bool {
        matches!(self, Self::ModelSecret | Self::Secret)
    }

    /// The key of a name in the file.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|key| key.name() == name)
    }

    /// All names, for messages.
    pub(crate) fn names() -> String {
        Self::ALL
            .iter()
            .map(|key| key.name())
            .collect::<Vec<_>>()
            .join(", ")
    }
}
