//! Which attributes hold a set of values.

use std::collections::BTreeSet;

use crate::memory::{Cardinality, FactKey};

/// Attributes that hold several values at a time unless the operator says otherwise, sorted.
const SETS: &[&str] = &[
    "alias",
    "allergy",
    "child",
    "dislike",
    "email",
    "event",
    "goal",
    "hobby",
    "instruction",
    "interest",
    "language",
    "like",
    "pet",
    "phone",
    "preference",
    "project",
    "relative",
    "skill",
    "tool",
];

/// Tells for each attribute whether it holds one value or a set. What it does not know holds one value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttributeRegistry {
    sets: BTreeSet<String>,
    singles: BTreeSet<String>,
}

impl AttributeRegistry {
    /// The defaults with more of both: attributes named here win over the defaults, `singles` over `sets`.
    #[must_use]
    pub fn with(
        sets: impl IntoIterator<Item = String>,
        singles: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            sets: sets.into_iter().collect(),
            singles: singles.into_iter().collect(),
        }
    }

    /// Whether `key` holds one value or a set. Compares the attribute without regard to case and a plural
    /// `s` (`allergies` and `allergy` are the same question, so both are sets).
    #[must_use]
    pub fn cardinality(&self, key: &FactKey) -> Cardinality {
        let attribute = key.attribute().to_lowercase();
        if self.singles.contains(&attribute) {
            return Cardinality::Single;
        }
        let singular = match attribute.strip_suffix("ies") {
            Some(stem) => format!("{stem}y"),
            None => attribute.strip_suffix('s').unwrap_or(&attribute).to_owned(),
        };
        let is_set = |name: &str| self.sets.contains(name) || SETS.binary_search(&name).is_ok();
        if is_set(&attribute) || is_set(&singular) {
            Cardinality::Set
        } else {
            Cardinality::Single
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(registry: &AttributeRegistry, key: &str, expected: Cardinality) {
        assert_eq!(
            registry.cardinality(&key.parse().unwrap()),
            expected,
            "{key}"
        );
    }

    #[test]
    fn sets_are_known_in_singular_and_plural() {
        let registry = AttributeRegistry::default();
        check(&registry, "user.city", Cardinality::Single);
        check(&registry, "user.allergy", Cardinality::Set);
        check(&registry, "user.Allergies", Cardinality::Set);
        check(&registry, "sister.pets", Cardinality::Set);
        check(&registry, "user.status", Cardinality::Single);
        assert!(SETS.is_sorted());
    }

    #[test]
    fn the_operator_has_the_last_word() {
        let registry = AttributeRegistry::with(["badge".to_owned()], ["pet".to_owned()]);
        check(&registry, "user.badge", Cardinality::Set);
        check(&registry, "user.pet", Cardinality::Single);
    }
}
