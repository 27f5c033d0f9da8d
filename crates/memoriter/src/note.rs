//! What a caller asks to remember.

use memoriter_core::error::InvalidInput;
use memoriter_core::extract::Candidate;
use memoriter_core::guard::Guard;
use memoriter_core::id::MemoryId;
use memoriter_core::memory::{Attempt, Confidence, FactKey, Importance, Kind, Memory, State, Tier};
use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::{Origin, Source, Status};
use memoriter_core::scope::Scope;
use memoriter_core::text::sentences;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::write::AttributeRegistry;

use crate::guarded::{holds_mask, masked, masked_attempt, masked_metadata};

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
    attempt: Option<Attempt>,
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
            attempt: None,
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

    /// What it was an attempt at, and how that went: something that happened, so its kind is episodic.
    #[must_use]
    pub fn attempt(self, attempt: Attempt) -> Self {
        Self {
            kind: Kind::Episodic,
            attempt: Some(attempt),
            ..self
        }
    }

    /// Whether there is more to it than a text: a key, a kind or supporting words mean that the caller knows
    /// what is to be remembered.
    pub(crate) fn is_explicit(&self) -> bool {
        self.key.is_some() || self.kind != Kind::Semantic || !self.sources.is_empty()
    }

    /// Whether the caller has said how much it matters.
    pub(crate) fn is_weighted(&self) -> bool {
        self.importance != Importance::DEFAULT
    }

    /// The note with the secrets in its texts masked.
    pub(crate) fn guarded(self, guard: &Guard) -> Result<Self, InvalidInput> {
        let mask = |text: String| masked(guard, &text);
        Ok(Self {
            statement: mask(self.statement),
            value: self.value.map(mask),
            attempt: self.attempt.map(|attempt| masked_attempt(guard, attempt)),
            category: self.category.map(mask),
            actor: self.actor.map(mask),
            metadata: masked_metadata(guard, &self.metadata)?,
            ..self
        })
    }

    /// The text alone, as something that happened when it was said.
    pub(crate) fn into_episode(self) -> Self {
        Self {
            kind: Kind::Episodic,
            valid_from: None,
            valid_to: None,
            ..self
        }
    }

    /// The note with those of its sentences that hold no mask; `None` where there are none.
    pub(crate) fn without_masked(&self) -> Option<Self> {
        let rest: String = sentences(&self.statement)
            .filter(|sentence| !holds_mask(sentence))
            .collect();
        let rest = rest.trim();
        (!rest.is_empty()).then(|| Self {
            statement: rest.to_owned(),
            ..self.clone()
        })
    }

    /// When it was said.
    pub(crate) fn said_at(&self, now: Timestamp) -> ZonedTime {
        self.told_at.unwrap_or(ZonedTime::utc(now))
    }

    /// Where it comes from.
    pub(crate) fn origin_of_text(&self) -> Origin {
        self.origin
    }

    /// This note with the content of a candidate. What the caller has said about the whole note holds for it
    /// too: times, expiry, metadata, and the importance where it is not the usual one.
    pub(crate) fn saying(self, candidate: Candidate) -> Self {
        let importance = match self.importance {
            Importance::DEFAULT => candidate.importance,
            said => said,
        };
        Self {
            statement: candidate.statement,
            kind: candidate.kind,
            attempt: candidate.attempt,
            value: candidate.value.filter(|_| candidate.key.is_some()),
            key: candidate.key,
            importance,
            confidence: candidate.confidence,
            status: self.status.min(candidate.status),
            valid_from: self.valid_from.or(candidate.valid_from),
            valid_to: self.valid_to.or(candidate.valid_to),
            ..self
        }
    }

    /// The memory that this note asks for.
    pub(crate) fn into_memory(
        self,
        id: MemoryId,
        scope: &Scope,
        now: Timestamp,
        attributes: &AttributeRegistry,
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
        let key = self.key.as_ref().map(|key| attributes.canonical(key));
        let kind = match &key {
            Some(key) if self.kind == Kind::Semantic => attributes.kind(key),
            Some(_) | None => self.kind,
        };
        let memory = Memory {
            id,
            scope: scope.clone(),
            kind,
            category: self.category,
            value: self
                .value
                .or_else(|| key.as_ref().map(|_| self.statement.clone())),
            key: key.map(|key| (key.clone(), attributes.cardinality(&key))),
            statement: self.statement,
            attempt: self.attempt,
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
            told_to: self.valid_to,
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
            pinned_at: None,
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
