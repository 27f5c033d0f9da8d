//! When a memory answers.

use super::{Kind, Memory, State};
use crate::id::MemoryId;
use crate::time::{Timestamp, ZonedTime};

/// The dates of a memory that decide when it answers recalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    /// See [`Memory::kind`].
    pub kind: Kind,
    /// See [`Memory::valid_from`].
    pub valid_from: ZonedTime,
    /// See [`Memory::valid_to`].
    pub valid_to: Option<ZonedTime>,
    /// See [`Memory::recorded_at`].
    pub recorded_at: Timestamp,
    /// See [`Memory::expires_at`].
    pub expires_at: Option<Timestamp>,
}

impl Validity {
    /// The instant from which it answers. An event is known before it happens.
    #[must_use]
    pub fn usable_from(&self) -> Timestamp {
        match self.kind {
            Kind::Episodic => self.valid_from.instant.min(self.recorded_at),
            Kind::Semantic | Kind::Procedural => self.valid_from.instant,
        }
    }

    /// The instant from which it no longer answers. That an event is over ends nothing.
    #[must_use]
    pub fn usable_until(&self) -> Option<Timestamp> {
        let over_at = match self.kind {
            Kind::Episodic => None,
            Kind::Semantic | Kind::Procedural => self.valid_to.map(|end| end.instant),
        };
        [self.expires_at, over_at].into_iter().flatten().min()
    }

    /// Whether it answers at `at`.
    #[must_use]
    pub fn holds_at(&self, at: Timestamp) -> bool {
        self.usable_from() <= at && self.usable_until().is_none_or(|end| at < end)
    }
}

/// Which of the values of a single-valued key is the one, where several hold at an instant: the greatest. The
/// one that began last; of those that began together one that ends by itself, so that a trip prevails over
/// the home; then the younger id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Precedence {
    /// When it began to be true.
    pub began: Timestamp,
    /// Whether it ends by itself.
    pub ends: bool,
    /// Its id.
    pub id: MemoryId,
}

impl Memory {
    /// The dates that decide when it answers.
    #[must_use]
    pub fn validity(&self) -> Validity {
        Validity {
            kind: self.kind,
            valid_from: self.valid_from,
            valid_to: self.valid_to,
            recorded_at: self.recorded_at,
            expires_at: self.expires_at,
        }
    }

    /// How it ranks among the values of its key that hold at the same time.
    #[must_use]
    pub fn precedence(&self) -> Precedence {
        Precedence {
            began: self.valid_from.instant,
            ends: self.validity().usable_until().is_some(),
            id: self.id,
        }
    }

    /// Whether, by what the store held at `known_at`, this was true at `as_of`. Of several under a
    /// single-valued key the one of greatest [`Memory::precedence`] counts.
    ///
    /// A memory that was retired after `known_at` counts with the end that was told, as it stood then. Pending and
    /// quarantined memories were never believed; retracted ones are believed until their retraction.
    #[must_use]
    pub fn was_true(&self, as_of: Timestamp, known_at: Timestamp) -> bool {
        let retired_later = self
            .retired_at
            .is_some_and(|retired_at| known_at < retired_at);
        let believed = match self.state {
            State::Live | State::Dormant | State::Superseded | State::Expired => true,
            State::Retracted => retired_later,
            State::Pending | State::Quarantined => false,
        };
        let end = if retired_later {
            self.told_to
        } else {
            self.valid_to
        };
        let is_over = end.is_some_and(|end| match self.kind {
            Kind::Semantic | Kind::Procedural => end.instant <= as_of,
            Kind::Episodic => end.instant <= self.valid_from.instant,
        });
        believed
            && self.recorded_at <= known_at
            && self.validity().usable_from() <= as_of
            && !is_over
            && self.expires_at.is_none_or(|expires_at| as_of < expires_at)
    }

    /// The memory as it stood at `known_at`: what it was retired for later is taken back.
    #[must_use]
    pub fn as_known_at(self, known_at: Timestamp) -> Self {
        if self
            .retired_at
            .is_none_or(|retired_at| retired_at <= known_at)
        {
            return self;
        }
        Self {
            state: State::Live,
            valid_to: self.told_to,
            retired_at: None,
            superseded_by: None,
            ..self
        }
    }
}
