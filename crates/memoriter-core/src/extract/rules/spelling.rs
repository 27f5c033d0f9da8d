//! How patterns are spelled.
//!
//! A pattern is a regular expression for what follows the head of a clause, the blank before it included: after
//! "I" in `I live in Munich` comes ` live in Munich`. Every pattern is bound to that place and blind to case.
//! Short forms: `{_}` a blank and adverbs, `{be}` and `{have}` the verbs in any form with adverbs after them,
//! `{had}` the same as `{have}` or nothing, `{dont}` and `{isnt}` negations, `{Name}` a word
//! with a capital, `{rel}` a relative or friend, `{pet}` an animal of the house. An apostrophe stands for either
//! kind. `(?<v>…)` is the value, `(?<t>…)` the thing that a key or value names.

use super::needed::{Needed, words_needed};
use super::rule::Head;
use super::{topic, words};

const PLEASE: &str = r"(?:(?:please|pls|also|and|so|now|ok|okay|can you|could you|would you|i want you to|i'd like you to|you can|you should|just|kindly),?\s+)*";
const ADVERBS: &str = "just|now|also|currently|really|still|actually|absolutely|truly|totally|recently|finally|already|honestly|only|mostly|mainly|usually|generally|officially|both|all|even|definitely|certainly|always|most definitely|actively|proudly|happily|very|so|do|did|sadly|unfortunately|quickly|suddenly|ended up and";

/// The short forms, and what they stand for.
pub(super) struct Spelling {
    short_forms: [(&'static str, String); 23],
}

impl Spelling {
    /// Everything spelled out, to be searched for.
    pub(super) fn whole() -> Self {
        Self::with(&format!(r"(?:(?:{ADVERBS})\s+)*"))
    }

    /// With `adverbs` where some may stand.
    fn with(adverbs: &str) -> Self {
        let list = |words: &[&str]| words.join("|");
        let tools = words::TOOLS.map(regex::escape);
        let nationalities = [words::NATIONALITIES, words::LANGUAGES].concat();
        let short_forms = [
            (
                "{be}",
                format!(r"(?:'(?:m|re|s)|\s*\b(?:am|are|is|m))\s+{adverbs}"),
            ),
            (
                "{had}",
                format!(r"(?:(?:'(?:ve|s)|\s*\b(?:have|has|ve))\b)?\s+{adverbs}"),
            ),
            (
                "{have}",
                format!(r"(?:'(?:ve|s)|\s*\b(?:have|has|ve))\s+{adverbs}"),
            ),
            (
                "{dont}",
                format!(r"\s+{adverbs}(?:(?:do|does)(?:n't|nt|\s+not)|never)\s+{adverbs}"),
            ),
            (
                "{isnt}",
                format!(
                    r"(?:'(?:m|re|s)\s+(?:not|no longer)|\s*\b(?:am|are|is)(?:n't|\s+(?:not|no longer)))\s+{adverbs}"
                ),
            ),
            ("{_}", format!(r"\s+{adverbs}")),
            ("{Name}", r"(?-i:\p{Lu}[\p{L}'-]+)".to_owned()),
            ("{rel}", list(words::RELATIONS)),
            ("{pet}", list(words::PETS)),
            ("{diet}", list(words::DIETS)),
            ("{trade}", list(words::TRADES)),
            ("{language}", list(words::LANGUAGES)),
            ("{nationality}", list(&nationalities)),
            ("{instrument}", list(words::INSTRUMENTS)),
            ("{sport}", list(words::SPORTS)),
            ("{tool}", list(&tools.each_ref().map(String::as_str))),
            ("{past}", list(words::PAST)),
            ("{make}", list(words::CAR_MAKES)),
            ("{noun}", list(&topic::nouns())),
            ("{please}", PLEASE.to_owned()),
            (
                "{forget}",
                r"(?:forget|delete|erase|remove|wipe|unlearn|strike|stop (?:remembering|storing|keeping)|(?:don't|do not|no longer) (?:remember|keep|store|save))".to_owned(),
            ),
            ("{order}", list(words::ORDERS)),
            (
                "{favourite}",
                r"(?:all[- ]time\s+)?(?:favou?rite|fave)".to_owned(),
            ),
        ];
        Self { short_forms }
    }

    /// The regular expression that a pattern stands for.
    pub(super) fn expand(&self, head: Head, pattern: &str) -> String {
        let mut spelled = pattern.to_owned();
        for (short, long) in &self.short_forms {
            if spelled.contains(short) {
                spelled = spelled.replace(short, long);
            }
        }
        let start = match head {
            Head::Mention => r"\b",
            Head::Subject | Head::Owner | Head::Bare => "^",
        };
        in_latin(&format!(
            "(?is){start}(?:{})",
            spelled.replace('\'', "['’]")
        ))
    }
}

/// What short forms need, each looked at once.
pub(super) struct ShortForms {
    needed: Vec<(&'static str, Needed)>,
}

impl ShortForms {
    pub(super) fn new() -> Self {
        // No adverb is needed.
        let short_forms = Spelling::with("").short_forms.into_iter();
        let needed = short_forms.map(|(short, long)| (short, words_needed(&long, &|_| None)));
        Self {
            needed: needed.collect(),
        }
    }

    /// The words of which each text has one that a pattern fits.
    pub(super) fn words_for(&self, pattern: &str) -> Needed {
        let of_short_form = |name: &str| {
            let is_named = |short: &str| short.trim_matches(['{', '}']) == name;
            let found = self.needed.iter().find(|(short, _)| is_named(short));
            found.and_then(|(_, needed)| needed.clone())
        };
        words_needed(pattern, &of_short_form)
    }
}

/// Classes of characters as far as English texts use them: the automata are small, and a search never leaves its
/// fast path.
pub(super) fn in_latin(pattern: &str) -> String {
    let classes = [
        (r"\b", r"(?-u:\b)"),
        (r"\s", r"[ \t\r\n\u{A0}]"),
        (r"\d", "[0-9]"),
        (r"\w", r"[0-9A-Za-z_\u{C0}-\u{24F}]"),
        (r"\p{L}", r"[A-Za-z\u{C0}-\u{24F}]"),
        (
            r"\p{Lu}",
            r"[A-Z\u{C0}-\u{DE}\u{10C}\u{141}\u{15A}\u{160}\u{17B}\u{17D}]",
        ),
        (r"\p{Ll}", r"[a-z\u{DF}-\u{FF}\u{101}-\u{17E}]"),
    ];
    classes
        .iter()
        .fold(pattern.to_owned(), |pattern, (class, latin)| {
            pattern.replace(class, latin)
        })
}
