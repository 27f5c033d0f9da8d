//! What a recall may find at all.

use serde_json::Value;

use crate::error::InvalidInput;
use crate::memory::{Kind, Outcome};
use crate::metadata::Metadata;
use crate::provenance::Origin;
use crate::time::Timestamp;

/// Conditions that every result meets. Empty ones hold for everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Only these kinds; empty for all.
    pub kinds: Vec<Kind>,
    /// Only these origins; empty for all.
    pub origins: Vec<Origin>,
    /// Only attempts that went like this; empty for all, and for what was no attempt.
    pub outcomes: Vec<Outcome>,
    /// Only this category.
    pub category: Option<String>,
    /// Only what happened or began to be true at this instant or later.
    pub since: Option<Timestamp>,
    /// Only what happened or began to be true before this instant.
    pub until: Option<Timestamp>,
    /// Only records whose metadata has each of these top-level fields with exactly this value.
    pub metadata: Vec<(String, Value)>,
    /// Whether turns of conversations may be found, memories, or both.
    pub records: Records,
}

/// Which records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Records {
    /// Turns and memories.
    #[default]
    All,
    /// Memories only.
    Memories,
    /// Turns only.
    Turns,
}

impl Filter {
    /// Checks that its conditions can be met together.
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] where `since` is later than `until`.
    pub fn check(&self) -> Result<(), InvalidInput> {
        match (self.since, self.until) {
            (Some(since), Some(until)) if since > until => Err(InvalidInput::malformed(
                "since",
                "no later than until",
                &since.to_string(),
            )),
            _ => Ok(()),
        }
    }

    /// Whether kind, origin and time pass.
    #[must_use]
    pub fn admits(&self, kind: Kind, origin: Origin, event_at: Timestamp) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind))
            && (self.origins.is_empty() || self.origins.contains(&origin))
            && self.since.is_none_or(|since| event_at >= since)
            && self.until.is_none_or(|until| event_at < until)
    }

    /// Whether the outcome of an attempt passes; `None` for what was none.
    #[must_use]
    pub fn admits_outcome(&self, outcome: Option<Outcome>) -> bool {
        self.outcomes.is_empty() || outcome.is_some_and(|outcome| self.outcomes.contains(&outcome))
    }

    /// Whether category and metadata pass.
    #[must_use]
    pub fn admits_labels(&self, category: Option<&str>, metadata: Option<&Metadata>) -> bool {
        let has = |(name, value): &(String, Value)| {
            metadata.is_some_and(|metadata| metadata.as_object().get(name) == Some(value))
        };
        self.category
            .as_deref()
            .is_none_or(|wanted| category == Some(wanted))
            && self.metadata.iter().all(has)
    }

    /// Whether it lets everything through.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether outcome, category or metadata are asked for at all.
    #[must_use]
    pub fn asks_for_labels(&self) -> bool {
        !self.outcomes.is_empty() || self.category.is_some() || !self.metadata.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_filter_admits_everything() {
        let filter = Filter::default();
        assert!(
            filter.admits(Kind::Semantic, Origin::Web, Timestamp::MIN)
                && filter.admits_labels(None, None)
                && filter.admits_outcome(None)
        );
    }

    #[test]
    fn a_time_span_does_not_run_backwards() {
        let filter = |since: i64, until: i64| Filter {
            since: Some(Timestamp::from_micros(since)),
            until: Some(Timestamp::from_micros(until)),
            ..Filter::default()
        };
        assert!(filter(10, 20).check().is_ok() && filter(10, 10).check().is_ok());
        assert_eq!(
            filter(20, 10).check().unwrap_err().to_string(),
            "since must be no later than until, got `1970-01-01T00:00:00.00002Z`"
        );
    }

    #[test]
    fn conditions_are_exact() {
        let at = Timestamp::from_micros;
        let filter = Filter {
            since: Some(at(10)),
            until: Some(at(20)),
            ..Filter::default()
        };
        let admits = |micros| filter.admits(Kind::Semantic, Origin::User, at(micros));
        assert!(!admits(9) && admits(10) && admits(19) && !admits(20));
        let metadata = Metadata::from_json(r#"{"team":"a","n":1}"#).unwrap();
        let wants = |name: &str, value: Value| Filter {
            metadata: vec![(name.into(), value)],
            ..Filter::default()
        };
        assert!(wants("team", "a".into()).admits_labels(None, Some(&metadata)));
        assert!(!wants("team", "A".into()).admits_labels(None, Some(&metadata)));
        assert!(
            !wants("n", "1".into()).admits_labels(None, Some(&metadata)),
            "types differ"
        );
        assert!(!wants("x", Value::Null).admits_labels(None, None));
        let failures = Filter {
            outcomes: vec![Outcome::Failure],
            ..Filter::default()
        };
        assert!(failures.asks_for_labels() && failures.admits_outcome(Some(Outcome::Failure)));
        for other in [None, Some(Outcome::Success), Some(Outcome::Unknown)] {
            assert!(!failures.admits_outcome(other));
        }
    }
}
