//! What a person decides about a memory that waits.

use super::correct::retire;
use super::decision::{DecisionKind, Reason, Resolution};
use super::ending::{approve_end, waits_to_end};
use super::reconcile::reconcile;
use crate::memory::{Memory, State};
use crate::provenance::{Status, Trust};
use crate::time::Timestamp;

/// A person approved `waiting`, which is pending or quarantined: it is confirmed, believed like the user's own
/// word, and reconciled with `versions`, the other memories under its key (or near to its statement).
///
/// Only review raises trust.
#[must_use]
pub fn approve(waiting: &Memory, versions: &[Memory], now: Timestamp) -> Resolution {
    if waits_to_end(waiting) {
        return approve_end(waiting, versions, now);
    }
    let confirmed = Memory {
        status: Status::Confirmed,
        trust: Trust::FULL,
        last_confirmed_at: Some(now),
        ..waiting.clone()
    };
    let others: Vec<Memory> = versions
        .iter()
        .filter(|other| other.id != waiting.id)
        .cloned()
        .collect();
    let mut resolution = reconcile(confirmed, &others, now);
    // The row is there: it changes, and none is added.
    let becomes = match resolution.insert.take() {
        Some(accepted) => accepted,
        None => Memory {
            state: State::Superseded,
            valid_to: Some(waiting.valid_from),
            retired_at: Some(now),
            superseded_by: resolution.decision.id,
            ..waiting.clone()
        },
    };
    resolution.updates.push(becomes);
    resolution
}

/// A person rejected `waiting`: it is out of use and stays as history.
#[must_use]
pub fn reject(waiting: &Memory, now: Timestamp) -> Resolution {
    let mut resolution = retire(waiting, &[], now);
    resolution.decision.kind = DecisionKind::Delete;
    resolution.decision.reason = Reason::Rejected;
    resolution
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provenance::Origin;
    use crate::write::reconcile::samples::{city, day};

    fn from_the_web(id: u8, value: &str) -> Memory {
        Memory {
            state: State::Pending,
            origin: Origin::Web,
            trust: Origin::Web.trust(),
            ..city(id, value, 50)
        }
    }

    #[test]
    fn what_is_approved_takes_the_place_of_what_was_stated() {
        let berlin = Memory {
            state: State::Live,
            ..city(1, "Berlin", 1)
        };
        let waiting = from_the_web(2, "Rome");
        let approved = approve(&waiting, &[berlin.clone(), waiting.clone()], day(200));
        assert_eq!(
            (approved.decision.kind, approved.decision.supersedes),
            (DecisionKind::Update, Some(berlin.id))
        );
        assert!(approved.insert.is_none());
        let rome = approved.updates.last().unwrap();
        assert_eq!(
            (rome.id, rome.state, rome.status, rome.trust),
            (
                waiting.id,
                State::Live,
                Status::Confirmed,
                Origin::User.trust()
            )
        );
        assert_eq!(approved.updates[0].state, State::Superseded);
    }

    #[test]
    fn what_is_known_by_now_confirms_it() {
        let berlin = Memory {
            state: State::Live,
            ..city(1, "Berlin", 1)
        };
        let approved = approve(
            &from_the_web(2, "Berlin"),
            std::slice::from_ref(&berlin),
            day(200),
        );
        assert_eq!(approved.decision.kind, DecisionKind::Skip);
        let (known, waiting) = (&approved.updates[0], &approved.updates[1]);
        assert_eq!((known.status, known.confirmations), (Status::Confirmed, 1));
        assert_eq!(
            (waiting.state, waiting.superseded_by),
            (State::Superseded, Some(berlin.id))
        );
    }

    #[test]
    fn what_is_rejected_is_history() {
        let rejected = reject(&from_the_web(2, "Rome"), day(200));
        assert_eq!(rejected.decision.reason, Reason::Rejected);
        assert_eq!(rejected.updates[0].state, State::Retracted);
    }
}
