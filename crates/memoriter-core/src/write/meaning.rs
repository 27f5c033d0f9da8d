//! Whether two values or two statements mean the same, without a model.
//!
//! Words decide, not vectors: two cities are near to each other in every embedder and are not the same. What
//! cannot be decided is told as such.

use std::collections::BTreeSet;

use crate::text::{Analyser, TermHash, TokenClass, normalise};

/// What can be said of a new value beside a known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sameness {
    /// It says the same, or less: "nurse" beside "nurse at the children's hospital".
    Same,
    /// Half of the words or more are the same, and nothing contradicts.
    Unsure,
    /// It says something else.
    Different,
}

/// Values that are one, by attribute; each list in normalised form.
const SYNONYMS: &[(&str, &[&[&str]])] = &[
    (
        "diet",
        &[
            &[
                "vegetarian",
                "veggie",
                "vegetarian diet",
                "vegetarian food",
                "no meat",
                "meat free",
                "meat-free",
                "meatless",
                "does not eat meat",
                "doesn't eat meat",
                "don't eat meat",
                "do not eat meat",
                "i don't eat meat",
                "i do not eat meat",
                "i'm vegetarian",
                "i am vegetarian",
                "i'm a vegetarian",
                "i am a vegetarian",
            ],
            &[
                "vegan",
                "vegan diet",
                "plant based",
                "plant-based",
                "plant based diet",
                "no animal products",
                "i'm vegan",
                "i am vegan",
                "i'm a vegan",
                "i am a vegan",
            ],
            &["pescatarian", "pescetarian", "fish but no meat"],
        ],
    ),
    (
        "city",
        &[
            &["new york", "new york city", "nyc"],
            &["los angeles", "la", "l.a."],
            &["san francisco", "sf"],
            &["munich", "münchen"],
            &["cologne", "köln"],
            &["vienna", "wien"],
        ],
    ),
    (
        "country",
        &[
            &[
                "usa",
                "us",
                "united states",
                "united states of america",
                "america",
                "the us",
                "the usa",
            ],
            &["uk", "united kingdom", "great britain", "britain", "the uk"],
        ],
    ),
];

/// Words that turn a statement round.
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot",
    "stopped", "quit", "longer",
];

/// Words after which a value is told in more detail.
const DETAIL_WORDS: &[&str] = &[
    "at", "in", "from", "with", "for", "of", "on", "named", "called", "who", "which", "that",
];

/// Compares a new value with a known one under the same attribute.
#[must_use]
pub fn compare_values(attribute: &str, new: &str, known: &str) -> Sameness {
    let (new, known) = (bare(new), bare(known));
    if new == known || are_synonyms(attribute, &new, &known) || tells_less(&new, &known) {
        return Sameness::Same;
    }
    let (new, known) = (Content::of(&new), Content::of(&known));
    if new.contradicts(&known) {
        Sameness::Different
    } else if new.sequence == known.sequence {
        Sameness::Same
    } else if new.overlap(&known) >= 0.5 {
        Sameness::Unsure
    } else {
        Sameness::Different
    }
}

/// Whether a value in somebody's words names a known one: "nut" the "nuts", "dog" the "dog named Rex".
#[must_use]
pub fn names_value(attribute: &str, named: &str, known: &str) -> bool {
    if compare_values(attribute, named, known) == Sameness::Same {
        return true;
    }
    let (named, known) = (Content::of(&bare(named)), Content::of(&bare(known)));
    !named.words.is_empty() && named.words.is_subset(&known.words)
}

/// Whether two statements without key say the same in nearly the same words: four fifths of their words,
/// and the same numbers, names and polarity.
#[must_use]
pub fn is_near_copy(one: &str, other: &str) -> bool {
    const OVERLAP_MIN: f32 = 0.8;
    let (a, b) = (Content::of(one), Content::of(other));
    names(one) == names(other) && !a.contradicts(&b) && a.overlap(&b) >= OVERLAP_MIN
}

/// Whether `known` is `new` with a detail: "dog" beside "dog named Rex".
pub(super) fn leaves_out_detail(new: &str, known: &str) -> bool {
    tells_less(&bare(new), &bare(known))
}

/// The normal form without an article at its start.
fn bare(value: &str) -> String {
    let value = normalise(value);
    let articles = ["a ", "an ", "the ", "my ", "some ", "our "];
    let rest = articles
        .iter()
        .find_map(|article| value.strip_prefix(article));
    rest.map_or_else(|| value.clone(), str::to_owned)
}

fn are_synonyms(attribute: &str, one: &str, other: &str) -> bool {
    let of_attribute = SYNONYMS.iter().filter(|(name, _)| *name == attribute);
    let mut groups = of_attribute.flat_map(|(_, groups)| *groups);
    groups.any(|group| group.contains(&one) && group.contains(&other))
}

/// Whether `known` begins with `new` and goes on with a detail.
fn tells_less(new: &str, known: &str) -> bool {
    known
        .strip_prefix(new)
        .and_then(|rest| rest.strip_prefix(' '))
        .and_then(|rest| rest.split(' ').next())
        .is_some_and(|word| DETAIL_WORDS.contains(&word))
}

/// What a text says, as far as words can tell.
pub(super) struct Content {
    /// Terms that say something.
    pub(super) words: BTreeSet<TermHash>,
    /// The same in the order in which they are said, with repeats.
    sequence: Vec<TermHash>,
    /// Words with a digit, in order.
    numbers: Vec<String>,
    /// Whether it is turned round an odd number of times.
    is_negative: bool,
}

impl Content {
    pub(super) fn of(text: &str) -> Self {
        let analyser = Analyser::new();
        let mut content = Self {
            words: BTreeSet::new(),
            sequence: Vec::new(),
            numbers: Vec::new(),
            is_negative: false,
        };
        analyser.analyse(text, |token| {
            let word = token.word;
            if NEGATIONS.contains(&word) || word.ends_with("n't") {
                content.is_negative = !content.is_negative;
            } else if word.contains(|c: char| c.is_ascii_digit()) {
                content.numbers.push(word.to_owned());
            }
            if token.class != TokenClass::Stop {
                content.words.insert(analyser.term(word));
                content.sequence.push(analyser.term(word));
            }
        });
        content
    }

    fn contradicts(&self, other: &Self) -> bool {
        self.numbers != other.numbers || self.is_negative != other.is_negative
    }

    /// Share of common words among all, in `0..=1`; 0 where there are none.
    #[expect(clippy::cast_precision_loss, reason = "words of two sentences")]
    pub(super) fn overlap(&self, other: &Self) -> f32 {
        let common = self.words.intersection(&other.words).count();
        let all = self.words.union(&other.words).count();
        if all == 0 {
            0.0
        } else {
            common as f32 / all as f32
        }
    }
}

/// Capitalised words but the first.
fn names(text: &str) -> BTreeSet<&str> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words
        .skip(1)
        .filter(|word| word.starts_with(char::is_uppercase) && *word != "I")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(attribute: &str, new: &str, known: &str, expected: Sameness) {
        assert_eq!(
            compare_values(attribute, new, known),
            expected,
            "{new} / {known}"
        );
    }

    #[test]
    fn spelling_and_synonyms_are_the_same() {
        check("city", "munich.", "Munich", Sameness::Same);
        check("city", "NYC", "New York", Sameness::Same);
        check("diet", "I don't eat meat", "vegetarian", Sameness::Same);
        check("pet", "a dog named Rex", "dog named rex", Sameness::Same);
        check("allergy", "nut", "nuts", Sameness::Same);
        check("score", "3 to 2", "2 to 3", Sameness::Different);
    }

    #[test]
    fn less_is_known_and_more_is_not() {
        check("job", "nurse", "nurse at St. Georg", Sameness::Same);
        check("pet", "dog", "dog named Rex", Sameness::Same);
        check("job", "nurse at St. Georg", "nurse", Sameness::Different);
        check("city", "York", "New York", Sameness::Unsure);
    }

    #[test]
    fn other_values_numbers_and_negations_differ() {
        check("city", "Munich", "Berlin", Sameness::Different);
        check("diet", "vegan", "vegetarian", Sameness::Different);
        check("shoe_size", "size 39", "size 40", Sameness::Different);
        check(
            "smoker",
            "does not smoke",
            "does smoke",
            Sameness::Different,
        );
        check("", "", "", Sameness::Same);
    }

    #[test]
    fn a_value_is_named_by_its_head() {
        assert!(names_value("pet", "Rex", "dog named Rex"));
        assert!(names_value("allergy", "nut", "nuts"));
        assert!(!names_value("pet", "cat", "dog named Rex"));
        assert!(!names_value("pet", "", "dog named Rex"));
        for (words, value) in [
            ("dog", "dog named Rex"),
            ("Rex", "dog named Rex"),
            ("nut", "nuts"),
            ("allergies", "allergy"),
            ("dogs", "two dogs"),
            ("a dog", "two dogs"),
        ] {
            assert!(names_value("", words, value), "{words} {value}");
        }
        for (words, value) in [
            ("cat", "dog named Rex"),
            ("dog", "cat named Rex"),
            ("", "dog"),
            ("the", "dog"),
            ("big dog", "dog"),
        ] {
            assert!(!names_value("", words, value), "{words} {value}");
        }
    }

    #[test]
    fn near_copies_share_words_numbers_names_and_polarity() {
        assert!(is_near_copy(
            "My exam in Ulm is on 14 March",
            "The exam in Ulm is on 14 March!"
        ));
        for other in [
            "My exam in Ulm is on 15 March",
            "My exam in Bonn is on 14 March",
            "My exam in Ulm is not on 14 March",
            "My concert in Ulm is on 14 March with Lena",
        ] {
            assert!(
                !is_near_copy("My exam in Ulm is on 14 March", other),
                "{other}"
            );
        }
    }
}
