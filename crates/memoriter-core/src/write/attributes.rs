//! Which attributes hold a set of values.

use std::collections::BTreeSet;

use crate::memory::{Cardinality, FactKey, Kind};

/// Attributes that hold several values at a time unless the operator says otherwise, sorted.
const SETS: &[&str] = &[
    "alias",
    "allergy",
    "alma_mater",
    "appointment",
    "aunt",
    "avoids",
    "brother",
    "child",
    "colleague",
    "condition",
    "cousin",
    "daughter",
    "degree",
    "dislike",
    "email",
    "event",
    "friend",
    "goal",
    "grandchild",
    "hobby",
    "instruction",
    "instrument",
    "interest",
    "intolerance",
    "language",
    "learning",
    "like",
    "medication",
    "meeting",
    "neighbour",
    "nephew",
    "niece",
    "pet",
    "phone",
    "preference",
    "project",
    "relative",
    "roommate",
    "sibling",
    "sister",
    "skill",
    "son",
    "tool",
    "uncle",
];

/// The entity of blocks: named texts of the profile that are rewritten as a whole, as `block.persona`.
pub const BLOCK: &str = "block";

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

    /// Whether `key` holds one value or a set, in whatever number its attribute is spelled.
    #[must_use]
    pub fn cardinality(&self, key: &FactKey) -> Cardinality {
        match self.set_of(key) {
            Some(_) => Cardinality::Set,
            None => Cardinality::Single,
        }
    }

    /// The key as it is stored: an attribute that holds a set is spelled as the registry has it, so that
    /// `user.pets` and `user.pet` are one key.
    #[must_use]
    pub fn canonical(&self, key: &FactKey) -> FactKey {
        let spelled = self.set_of(key);
        let canonical = spelled.and_then(|set| FactKey::new(key.entity(), &set).ok());
        canonical.unwrap_or_else(|| key.clone())
    }

    /// What kind of memory a value under `key` is: an `event` happens, everything else is a fact.
    #[must_use]
    pub fn kind(&self, key: &FactKey) -> Kind {
        const EVENTS: &[&str] = &["appointment", "event", "meeting"];
        if key.entity() != BLOCK && EVENTS.contains(&singular(key.attribute()).as_str()) {
            Kind::Episodic
        } else {
            Kind::Semantic
        }
    }

    /// The set that an attribute names, in the singular where that is what the registry has. A block is one text,
    /// whatever its name.
    fn set_of(&self, key: &FactKey) -> Option<String> {
        let attribute = key.attribute();
        if key.entity() == BLOCK || self.singles.contains(attribute) {
            return None;
        }
        let is_set =
            |name: &String| self.sets.contains(name) || SETS.binary_search(&name.as_str()).is_ok();
        [attribute.to_owned(), singular(attribute)]
            .into_iter()
            .find(|name| is_set(name) && !self.singles.contains(name))
    }
}

/// Plurals that no rule makes.
const IRREGULAR: &[(&str, &str)] = &[("children", "child"), ("grandchildren", "grandchild")];

/// The singular of an English noun, as far as attributes need it.
fn singular(word: &str) -> String {
    if let Some((_, singular)) = IRREGULAR.iter().find(|(plural, _)| *plural == word) {
        return (*singular).to_owned();
    }
    match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => word.strip_suffix('s').unwrap_or(word).to_owned(),
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
        check(&registry, "user.children", Cardinality::Set);
        check(&registry, "user.status", Cardinality::Single);
        for (spelled, stored) in [
            ("user.pets", "user.pet"),
            ("user.children", "user.child"),
            ("user.status", "user.status"),
        ] {
            let key = registry.canonical(&spelled.parse().unwrap());
            assert_eq!(key.to_string(), stored);
        }
        assert!(SETS.is_sorted());
    }

    #[test]
    fn the_operator_has_the_last_word() {
        let registry = AttributeRegistry::with(["badge".to_owned()], ["pet".to_owned()]);
        check(&registry, "user.badge", Cardinality::Set);
        check(&registry, "user.pet", Cardinality::Single);
    }
}
