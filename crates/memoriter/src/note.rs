//! What a caller asks to remember.

use memoriter_core::error::InvalidInput;
use memoriter_core::id::MemoryId;
use memoriter_core::memory::{
    Cardinality, Confidence, FactKey, Importance, Kind, Memory, State, Tier,
};
use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::{Origin, Source, Status};
use memoriter_core::scope::Scope;
use memoriter_core::time::{Timestamp, ZonedTime};

/// A text to remember and what is known about it. Everything but the text has a default: a semantic memory
/// without key, stated by the user, valid from the moment it is told.
///
/// ```
/// use memoriter::Note;
/// let note = Note::new("I moved to Munich").key("user.city".parse()?).value("Munich");
/// # Ok::<(), memoriter::InvalidInput>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    statement: String,
    kind: Kind,
    category: Option<String>,
    key: Option<FactKey>,
    value: Option<String>,
    importance: Importance,
    confidence: Confidence,
    status: Status,
    origin: Origin,
    actor: Option<String>,
    sources: Vec<Source>,
    told_at: Option<ZonedTime>,
    valid_from: Option<ZonedTime>,
    valid_to: Option<ZonedTime>,
    expires_at: Option<Timestamp>,
    metadata: Metadata,
}

/// Declares builder methods that set one field each.
macro_rules! with {
    ($($(#[$doc:meta])* $name:ident: $type:ty => $field:ident = $value:expr;)+) => {
        $($(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $name: $type) -> Self {
            self.$field = $value;
            self
        })+
    };
}

impl Note {
    /// A text and nothing else.
    #[must_use]
    pub fn new(statement: impl Into<String>) -> Self {
        Self {
            statement: statement.into(),
            kind: Kind::Semantic,
            category: None,
            key: None,
            value: None,
            importance: Importance::DEFAULT,
            confidence: Confidence::FULL,
            status: Status::Stated,
            origin: Origin::User,
            actor: None,
            sources: Vec::new(),
            told_at: None,
            valid_from: None,
            valid_to: None,
            expires_at: None,
            metadata: Metadata::default(),
        }
    }

    /// The text.
    #[must_use]
    pub fn statement(&self) -> &str {
        &self.statement
    }

    with! {
        /// Fact, event or procedure.
        kind: Kind => kind = kind;
        /// The caller's own grouping.
        category: impl Into<String> => category = Some(category.into());
        /// What the fact is about; without a value the whole text is the value.
        key: FactKey => key = Some(key);
        /// The value under the key.
        value: impl Into<String> => value = Some(value.into());
        /// How much it matters.
        importance: Importance => importance = importance;
        /// How sure the writer is.
        confidence: Confidence => confidence = confidence;
        /// Stated, inferred or confirmed.
        status: Status => status = status;
        /// Where the text comes from; sets how far it is trusted.
        origin: Origin => origin = origin;
        /// Who writes.
        actor: impl Into<String> => actor = Some(actor.into());
        /// What supports it.
        sources: Vec<Source> => sources = sources;
        /// When it was said, if not now.
        told_at: ZonedTime => told_at = Some(told_at);
        /// Since when it is true, if not since it was said.
        valid_from: ZonedTime => valid_from = Some(valid_from);
        /// Until when it is true.
        valid_to: ZonedTime => valid_to = Some(valid_to);
        /// When it goes out of use by itself.
        expires_at: Timestamp => expires_at = Some(expires_at);
        /// The caller's own data.
        metadata: Metadata => metadata = metadata;
    }

    /// The memory that this note asks for.
    pub(crate) fn into_memory(
        self,
        id: MemoryId,
        scope: &Scope,
        now: Timestamp,
        cardinality: impl Fn(&FactKey) -> Cardinality,
    ) -> Result<Memory, InvalidInput> {
        if self.value.is_some() && self.key.is_none() {
            return Err(InvalidInput::malformed(
                "value",
                "given together with a key",
                self.value.as_deref().unwrap_or_default(),
            ));
        }
        let told_at = self.told_at.unwrap_or(ZonedTime::utc(now));
        let valid_from = self.valid_from.unwrap_or(told_at);
        if let Some(end) = self
            .valid_to
            .filter(|end| end.instant <= valid_from.instant)
        {
            return Err(InvalidInput::malformed(
                "valid_to",
                "later than valid_from",
                &end.to_string(),
            ));
        }
        let memory = Memory {
            id,
            scope: scope.clone(),
            kind: self.kind,
            category: self.category,
            value: self
                .value
                .or_else(|| self.key.as_ref().map(|_| self.statement.clone())),
            key: self.key.map(|key| (key.clone(), cardinality(&key))),
            statement: self.statement,
            state: State::Live,
            tier: Tier::Hot,
            importance: self.importance,
            confidence: self.confidence,
            status: self.status,
            origin: self.origin,
            trust: self.origin.trust(),
            actor: self.actor,
            sources: self.sources,
            valid_from,
            valid_to: self.valid_to,
            recorded_at: now,
            retired_at: None,
            expires_at: self.expires_at,
            last_recalled_at: None,
            recall_count: 0,
            last_confirmed_at: None,
            confirmations: 0,
            supersedes: None,
            superseded_by: None,
            version: 1,
            metadata: self.metadata,
            change: memoriter_core::id::ChangeNumber::default(),
        };
        memory.check()?;
        Ok(memory)
    }
}

impl From<&str> for Note {
    fn from(statement: &str) -> Self {
        Self::new(statement)
    }
}

impl From<String> for Note {
    fn from(statement: String) -> Self {
        Self::new(statement)
    }
}
