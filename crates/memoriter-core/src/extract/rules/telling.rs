//! Whether a phrase tells something by itself.

use super::words::{self, POINTING, VAGUE};

/// Words that a value may have.
const WORDS_MAX: usize = 8;
/// Bytes that a value may have.
const VALUE_BYTES_MAX: usize = 80;

/// "Cities where one can walk" are not all cities.
pub(super) fn is_narrowed(raw: &str, cut: &str) -> bool {
    let rest = raw.trim().get(cut.len()..).unwrap_or_default();
    rest.trim_start()
        .split(' ')
        .next()
        .is_some_and(|word| matches!(word, "who" | "whom" | "whose" | "where" | "which"))
}

/// Whether a phrase points at one thing that the talk is about: "the way it turned out", "this city". What there
/// is one of, as "the sea" or "the Beatles", is meant as such.
pub(super) fn points_out(phrase: &str) -> bool {
    const ONLY_ONE: &[&str] = &[
        "beach",
        "ocean",
        "sea",
        "outdoors",
        "mountains",
        "countryside",
        "rain",
        "snow",
        "sun",
        "theatre",
        "theater",
        "cinema",
        "gym",
        "woods",
        "forest",
        "water",
        "cold",
        "heat",
        "arts",
        "piano",
        "guitar",
        "opera",
        "summer",
        "winter",
        "internet",
    ];
    let mut words = phrase.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    let first = if first == "all" {
        words.next().unwrap_or_default().to_lowercase()
    } else {
        first
    };
    let second = words
        .next()
        .unwrap_or_default()
        .trim_end_matches(|c: char| !c.is_alphanumeric());
    first == "the" && !second.starts_with(char::is_uppercase) && !ONLY_ONE.contains(&second)
}

/// Whether a value says something by itself.
pub(super) fn is_telling(value: &str) -> bool {
    let is_acronym = |word: &&str| word.len() > 1 && word.chars().all(char::is_uppercase);
    let words: Vec<String> = value
        .split_whitespace()
        .map(|word| {
            if is_acronym(&word) {
                word.to_owned()
            } else {
                word.to_lowercase()
            }
        })
        .collect();
    let is_word = |word: &String, list: &[&str]| {
        list.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()))
    };
    let [first, ..] = words.as_slice() else {
        return false;
    };
    words.len() <= WORDS_MAX
        && !is_of_the_talk(&words)
        && value.len() <= VALUE_BYTES_MAX
        && !words
            .iter()
            .all(|word| is_word(word, VAGUE) || word == "of" || word == "a")
        && !words.iter().any(|word| is_word(word, POINTING))
        && words.last().is_none_or(|last| last != "less")
        && !matches!(
            first.as_str(),
            "my" | "our"
                | "not"
                | "of"
                | "to"
                | "being"
                | "seeing"
                | "having"
                | "knowing"
                | "hearing"
                | "lot"
                | "for"
                | "in"
                | "at"
                | "on"
                | "with"
                | "about"
                | "more"
                | "as"
                | "after"
                | "before"
                | "until"
        )
}

/// "The second option", "a shorter version": one of the things that the talk is about.
fn is_of_the_talk(words: &[String]) -> bool {
    const WHICH: &[&str] = &[
        "first", "second", "third", "last", "latest", "other", "shorter", "longer", "simpler",
        "previous", "original", "old", "new", "former", "latter",
    ];
    const WHAT: &[&str] = &[
        "option",
        "version",
        "one",
        "approach",
        "answer",
        "solution",
        "variant",
        "draft",
        "wording",
        "paragraph",
        "sentence",
        "idea",
        "suggestion",
        "method",
        "way",
        "former",
        "latter",
        "layout",
        "design",
        "logo",
    ];
    let is_one_of = |word: &String, list: &[&str]| list.contains(&word.as_str());
    words.first().is_some_and(|first| is_one_of(first, WHICH))
        && words.iter().any(|word| is_one_of(word, WHAT))
}

pub(super) fn is_a_name(name: &str) -> bool {
    let first = name.split(['\'', '’', ' ']).next().unwrap_or_default();
    first.chars().count() >= 2
        && !words::holds(words::NO_NAMES, first)
        && !words::holds(words::LANGUAGES, name)
        && !words::holds(words::NATIONALITIES, name)
}

/// "My allergies are killing me", "are so bad" name none; "hard work" and "bureaucracy" are said in jest, and a name
/// is no substance.
pub(super) fn is_substance(item: &str) -> bool {
    let lower = item.to_lowercase();
    let first = lower.split(' ').next().unwrap_or_default();
    let last = lower.rsplit(' ').next().unwrap_or_default();
    let is_capital_inside =
        item.chars().skip(1).any(char::is_uppercase) && item.chars().any(char::is_lowercase);
    !first.ends_with("ing")
        && !words::JEST_FIRST.contains(&first)
        && !words::JEST_LAST.contains(&last)
        && !words::JEST_LAST.contains(&lower.as_str())
        && !is_capital_inside
        && !words::TOOLS.contains(&lower.as_str())
}

/// The plural of something that is counted: `nut` is `nuts`. What may not be counted stays as it is said.
pub(super) fn plural(noun: &str) -> String {
    let last = noun.rsplit(' ').next().unwrap_or(noun);
    if !words::holds(words::COUNTED, last) {
        return noun.to_owned();
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if ["s", "x", "ch", "sh", "tomato", "potato", "mango"]
            .iter()
            .any(|end| noun.ends_with(end)) =>
        {
            format!("{noun}es")
        }
        _ => format!("{noun}s"),
    }
}
