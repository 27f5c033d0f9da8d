//! Attributes that cannot both hold one value: who hates jazz now does not like it any more. What was said last is so,
//! whatever arrives last.

use super::decision::{DecisionKind, Reason, Resolution};
use super::meaning::{Sameness, compare_values};
use super::reconcile::{history, is_untrusted, retired};
use super::request::one;
use crate::memory::{FactKey, Memory, State};
use crate::time::{Timestamp, ZonedTime};

/// Pairs of attributes that exclude each other, value by value.
const PAIRS: &[(&str, &str)] = &[("like", "dislike")];

/// The key under which the same value is the contrary; `None` for most keys.
#[must_use]
pub fn contrary(key: &FactKey) -> Option<FactKey> {
    let attribute = key.attribute();
    let other = PAIRS.iter().find_map(|(one, other)| match attribute {
        _ if attribute == *one => Some(*other),
        _ if attribute == *other => Some(*one),
        _ => None,
    })?;
    FactKey::new(key.entity(), other).ok()
}

/// Decides on a candidate, said at `said_at`, whose contrary was said after it: it is history from the start. `None`
/// leaves it to [`reconcile`](super::reconcile()).
///
/// `contraries` are the memories under the contrary key, each with when it was last said.
#[must_use]
pub fn recanted(
    candidate: &Memory,
    said_at: Timestamp,
    contraries: &[(Memory, Timestamp)],
    now: Timestamp,
) -> Option<Resolution> {
    let is_later = |(_, last): &&(Memory, Timestamp)| *last > said_at;
    let (by, last) = contraries
        .iter()
        .filter(|(other, _)| candidate.trust <= other.trust && is_same_value(candidate, other))
        .find(is_later)?;
    let end = ZonedTime::utc(*last)
        .max(by.valid_from)
        .max(candidate.valid_from);
    let past = Memory {
        valid_to: Some(candidate.valid_to.map_or(end, |own| own.min(end))),
        superseded_by: Some(by.id),
        ..candidate.clone()
    };
    Some(history(past, Reason::EarlierValue, now))
}

/// What `new`, which is live, makes history: the contrary that was said before it.
#[must_use]
pub fn recant(
    new: &Memory,
    said_at: Timestamp,
    contraries: &[(Memory, Timestamp)],
    now: Timestamp,
) -> Vec<Resolution> {
    if is_untrusted(new) {
        return Vec::new();
    }
    contraries
        .iter()
        .filter(|(old, last)| *last <= said_at && old.trust <= new.trust && is_same_value(new, old))
        .map(|(old, _)| {
            let past = Memory {
                state: State::Superseded,
                valid_to: Some(new.valid_from.max(old.valid_from)),
                superseded_by: Some(new.id),
                ..retired(old, now)
            };
            one(old, DecisionKind::Update, Reason::Ended, past)
        })
        .collect()
}

fn is_same_value(one: &Memory, other: &Memory) -> bool {
    let (one, other_value) = (one.value_or_statement(), other.value_or_statement());
    other.state == State::Live && compare_values("", one, other_value) == Sameness::Same
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Cardinality;
    use crate::write::reconcile::samples::{city, day};

    fn taste(id: u8, attribute: &str, value: &str, since: i64) -> Memory {
        Memory {
            key: Some((FactKey::new("user", attribute).unwrap(), Cardinality::Set)),
            state: State::Live,
            ..city(id, value, since)
        }
    }

    #[test]
    fn a_taste_has_a_contrary_and_a_city_has_none() {
        for (key, expected) in [
            ("user.like", Some("user.dislike")),
            ("sister:anna.dislike", Some("sister:anna.like")),
            ("user.city", None),
        ] {
            let found = contrary(&key.parse().unwrap()).map(|key| key.to_string());
            assert_eq!(found.as_deref(), expected);
        }
    }

    #[test]
    fn what_was_said_last_is_so() {
        let like = taste(1, "like", "jazz", 10);
        let hate = taste(2, "dislike", "Jazz", 20);
        let other = (taste(3, "like", "sushi", 10), day(10));
        let ended = recant(&hate, day(20), &[(like.clone(), day(10)), other], day(200));
        assert_eq!(ended.len(), 1);
        let past = &ended[0].updates[0];
        assert_eq!(
            (past.id, past.state, past.valid_to, past.superseded_by),
            (
                like.id,
                State::Superseded,
                Some(hate.valid_from),
                Some(hate.id)
            )
        );
        let late = recanted(&like, day(10), &[(hate.clone(), day(20))], day(200)).unwrap();
        assert_eq!(late.decision.kind, DecisionKind::Backfill);
        assert_eq!(late.insert.unwrap().valid_to, Some(hate.valid_from));
        assert!(recanted(&like, day(30), &[(hate.clone(), day(20))], day(200)).is_none());
        assert!(recant(&hate, day(5), &[(like, day(10))], day(200)).is_empty());
    }
}
