//! Memories for tests.

use super::*;
use crate::id::{ChangeNumber, MemoryId};
use crate::memory::{Confidence, FactKey, Importance, Kind, Tier};
use crate::metadata::Metadata;
use crate::provenance::Origin;
use crate::scope::Scope;
use crate::time::{DAY_MICROS, ZonedTime};

pub(crate) fn day(number: i64) -> Timestamp {
    Timestamp::from_micros(number * DAY_MICROS)
}

pub(crate) const TODAY: i64 = 200;

/// A candidate for `user.city`, stated by the user.
pub(crate) fn city(id: u8, value: &str, since: i64) -> Memory {
    Memory {
        id: MemoryId::from_bytes([id; 16]),
        scope: Scope::user("priya"),
        kind: Kind::Semantic,
        category: None,
        key: Some((FactKey::new("user", "city").unwrap(), Cardinality::Single)),
        value: Some(value.into()),
        statement: format!("I live in {value}"),
        attempt: None,
        state: State::Pending,
        tier: Tier::Hot,
        importance: Importance::DEFAULT,
        confidence: Confidence::FULL,
        status: Status::Stated,
        origin: Origin::User,
        trust: Origin::User.trust(),
        actor: None,
        sources: Vec::new(),
        valid_from: ZonedTime::utc(day(since)),
        valid_to: None,
        told_to: None,
        recorded_at: day(TODAY),
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
