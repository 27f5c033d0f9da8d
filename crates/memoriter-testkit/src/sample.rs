//! Records to write.

use memoriter_core::id::{ChangeNumber, MemoryId, TurnId};
use memoriter_core::memory::{
    Attempt, Cardinality, Confidence, FactKey, Importance, Kind, Memory, Outcome, State, Tier,
};
use memoriter_core::metadata::Metadata;
use memoriter_core::port::{Clock, ModelName};
use memoriter_core::provenance::{Origin, Status};
use memoriter_core::scope::Scope;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{Message, Role, SessionName};
use memoriter_core::vector::{QuantisedVector, UnitVector};
use memoriter_store::{NewTurn, StoredVector};

use crate::{SeededEntropy, StepClock};

/// Components of a sample vector: what the built-in embedder has.
pub const DIMENSIONS: u16 = 256;

/// Makes records, each with an id of its own and a little later than the one before.
#[derive(Debug)]
pub struct Samples {
    entropy: SeededEntropy,
    clock: StepClock,
}

impl Samples {
    /// The same records for the same seed, from release to release: fixtures of stores hold them.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        const FIRST_OF_MARCH_2026: i64 = 1_772_323_200_000_000;
        Self {
            entropy: SeededEntropy::new(seed),
            clock: StepClock::new(Timestamp::from_micros(FIRST_OF_MARCH_2026), 1_000),
        }
    }

    /// Where the samples get their chance from.
    #[must_use]
    pub fn entropy(&self) -> &SeededEntropy {
        &self.entropy
    }

    /// A live semantic memory without a key.
    #[must_use]
    pub fn memory(&self, scope: &Scope, statement: &str) -> Memory {
        let now = self.clock.now();
        Memory {
            id: MemoryId::generate(now, &self.entropy),
            scope: scope.clone(),
            kind: Kind::Semantic,
            category: None,
            key: None,
            value: None,
            statement: statement.to_owned(),
            attempt: None,
            state: State::Live,
            tier: Tier::Hot,
            importance: Importance::DEFAULT,
            confidence: Confidence::FULL,
            status: Status::Stated,
            origin: Origin::User,
            trust: Origin::User.trust(),
            actor: None,
            sources: Vec::new(),
            valid_from: ZonedTime::utc(now),
            valid_to: None,
            told_to: None,
            recorded_at: now,
            retired_at: None,
            expires_at: None,
            last_recalled_at: None,
            recall_count: 0,
            last_confirmed_at: None,
            confirmations: 0,
            supersedes: None,
            superseded_by: None,
            version: 1,
            metadata: Metadata::default(),
            pinned_at: None,
            change: ChangeNumber(0),
        }
    }

    /// A live memory under a key such as `user.city`.
    ///
    /// # Panics
    /// When `key` is none.
    #[must_use]
    pub fn fact(&self, scope: &Scope, key: &str, cardinality: Cardinality, value: &str) -> Memory {
        let key: FactKey = key.parse().expect("a sample's key is valid");
        Memory {
            key: Some((key, cardinality)),
            value: Some(value.to_owned()),
            ..self.memory(scope, &format!("It is {value}."))
        }
    }

    /// A live event that was an attempt at `goal`, whatever that is: its words are always the same.
    #[must_use]
    pub fn attempt(&self, scope: &Scope, goal: &str, outcome: Outcome) -> Memory {
        Memory {
            kind: Kind::Episodic,
            attempt: Some(Attempt {
                goal: goal.to_owned(),
                outcome,
                lesson: Some("Warm the cache first.".to_owned()),
            }),
            ..self.memory(scope, "We gave it a try.")
        }
    }

    /// A user's turn, its id derived from `secret`, scope, session and `key`.
    ///
    /// # Panics
    /// When `session` is no session's name.
    #[must_use]
    pub fn turn(
        &self,
        secret: &[u8; 32],
        (scope, session): (&Scope, &str),
        key: &str,
        content: &str,
    ) -> NewTurn {
        let now = self.clock.now();
        let path = scope.to_json();
        NewTurn {
            id: TurnId::derive(
                secret,
                &[path.as_bytes(), session.as_bytes(), key.as_bytes()],
            ),
            scope: scope.clone(),
            session: SessionName::new(session).expect("a sample's session is valid"),
            message: Message::new(
                Role::User,
                content,
                ZonedTime {
                    instant: now,
                    offset_seconds: 3_600,
                },
            ),
            recorded_at: now,
            vector: None,
            extract_at: None,
            attachments: Vec::new(),
        }
    }

    /// A vector of [`DIMENSIONS`] components in some direction.
    ///
    /// # Panics
    /// Never: a random direction is one.
    #[must_use]
    pub fn vector(&self, model: &str) -> StoredVector {
        let mut bytes = vec![0; usize::from(DIMENSIONS)];
        memoriter_core::port::Entropy::fill(&self.entropy, &mut bytes);
        let components = bytes
            .into_iter()
            .map(|byte| f32::from(byte) - 127.5)
            .collect();
        let unit = UnitVector::normalise(components).expect("halves are never zero");
        StoredVector {
            model: ModelName::new(model),
            vector: QuantisedVector::quantise(&unit),
        }
    }
}
