//! The words in which people ask for an attribute. "Where do I live?" asks for `user.city`, and the statement
//! under it may say neither: "I moved to Hamburg".

use crate::memory::Outcome;

/// Attributes and the words in which they are asked for. English, like the built-in embedder.
const GLOSSES: &[(&[&str], &str)] = &[
    (
        &["city", "home", "residence", "location"],
        "home live where",
    ),
    (&["address"], "home live street address"),
    (
        &["country", "nationality", "citizenship"],
        "country from nationality",
    ),
    (
        &["hometown", "birthplace", "origin"],
        "born raised grew up from",
    ),
    (
        &["job", "occupation", "profession", "role", "position"],
        "work job profession for a living",
    ),
    (
        &["employer", "company", "workplace"],
        "work job company employer",
    ),
    (
        &["birthday", "birthdate", "birth"],
        "born birthday birth date old",
    ),
    (&["age"], "old age years"),
    (&["name", "nickname", "alias"], "called name"),
    (&["pet", "dog", "cat"], "pet animal called"),
    (&["child", "son", "daughter"], "kid child children called"),
    (
        &["partner", "spouse", "husband", "wife"],
        "partner spouse married called",
    ),
    (&["sister", "brother", "sibling"], "sibling family called"),
    (&["mother", "father", "parent"], "parent family called"),
    (&["relative", "family"], "relative family"),
    (&["friend"], "friend called"),
    (&["diet"], "eat food meal diet"),
    (&["allergy", "intolerance"], "allergic eat food avoid"),
    (
        &["like", "favourite", "favorite", "interest", "hobby"],
        "like enjoy hobby interest",
    ),
    (&["dislike"], "dislike hate avoid"),
    (&["preference"], "prefer like"),
    (
        &["instruction", "format", "style", "tone"],
        "answer reply write format",
    ),
    (&["language"], "language speak"),
    (&["skill"], "skill know able"),
    (&["tool", "editor", "software"], "tool use software"),
    (&["phone", "telephone", "mobile"], "phone number call reach"),
    (&["email", "mail"], "email mail address reach"),
    (&["car", "vehicle"], "car vehicle drive"),
    (&["instrument"], "instrument music play"),
    (
        &["school", "university", "degree", "education"],
        "school study university degree",
    ),
    (
        &["medication", "condition", "illness", "health"],
        "health medicine doctor ill",
    ),
    (&["doctor"], "doctor physician"),
    (&["goal", "plan"], "goal plan want"),
    (&["project"], "project working on"),
];

/// More words for an attribute than its own; empty where there are none. Of `favourite_food` the whole is looked
/// up, then its last word.
pub(super) fn gloss(attribute: &str) -> &'static str {
    let last = attribute.rsplit('_').next().unwrap_or(attribute);
    let known = |word: &str| {
        let singular = word.strip_suffix('s').unwrap_or(word);
        GLOSSES
            .iter()
            .find(|(attributes, _)| attributes.contains(&word) || attributes.contains(&singular))
    };
    known(attribute)
        .or_else(|| known(last))
        .map_or("", |(_, words)| words)
}

/// The words in which people ask how something went that went so.
pub(super) fn gloss_of_outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "success worked go went well",
        Outcome::Failure => "failure failed go went wrong",
        Outcome::Unknown => "tried",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_is_asked_for_in_other_words() {
        assert!(gloss("city").contains("live"));
        assert_eq!(gloss("home_city"), gloss("city"));
        assert_eq!(gloss("pets"), gloss("pet"));
        assert_eq!(gloss("shoe_size"), "");
    }

    #[test]
    fn each_attribute_has_one_gloss() {
        let mut all: Vec<&str> = GLOSSES
            .iter()
            .flat_map(|(names, _)| *names)
            .copied()
            .collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
