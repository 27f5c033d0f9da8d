//! What a rule is, and how its patterns are spelled.
//!
//! A pattern is a regular expression for what follows the head of a clause, the blank before it included: after
//! "I" in `I live in Munich` comes ` live in Munich`. Every pattern is bound to that place and blind to case.
//! Short forms: `{_}` a blank and adverbs, `{be}` and `{have}` the verbs in any form with adverbs after them,
//! `{had}` the same as `{have}` or nothing, `{dont}` and `{isnt}` negations, `{Name}` a word
//! with a capital, `{rel}` a relative or friend, `{pet}` an animal of the house. An apostrophe stands for either
//! kind. `(?<v>…)` is the value, `(?<t>…)` the thing that a key or value names.

use regex::Regex;

use super::words;
use crate::extract::Action;
use crate::memory::Kind;

/// What a clause begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// "I", "we", "my sister": a predicate follows.
    Subject,
    /// "My", "my sister's", "the user's": a noun follows.
    Owner,
    /// Nothing: the clause itself is the pattern, as in a request.
    Bare,
    /// Anywhere in a sentence that tells something: "my sister Lena".
    Mention,
}

/// Whom a clause can be about, as a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Who(pub(super) u8);

impl Who {
    pub(super) const I: Self = Self(1);
    pub(super) const WE: Self = Self(2);
    pub(super) const RELATIVE: Self = Self(4);
    /// "The user", in texts that come from elsewhere.
    pub(super) const USER: Self = Self(8);
    pub(super) const SELF: Self = Self(1 | 8);
    pub(super) const US: Self = Self(1 | 2 | 8);
    pub(super) const ONE: Self = Self(1 | 4 | 8);
    pub(super) const ALL: Self = Self(1 | 2 | 4 | 8);

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// How the words of a value are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// As the template says; nothing is read.
    Fixed,
    /// A town or region, by its capital; a country goes under `country`.
    Place,
    /// One to three words with capitals.
    Name,
    /// A company, school or other body.
    Body,
    /// A short noun phrase.
    Thing,
    /// Noun phrases, one candidate each.
    Things,
    /// Work that somebody does.
    Job,
    /// Substances: like [`Shape::Things`], in the plural where there is one.
    Substances,
    /// The whole rest of the clause.
    Clause,
    /// Digits or a word, taken as they are.
    Word,
    /// Words with capitals or names of software, one candidate each.
    Tools,
    /// What to forget: a noun phrase that may name an attribute.
    Topic,
    /// The day that the clause names, as `2027-03-14`.
    Day,
    /// A day of the year, as said.
    Birthday,
}

/// What the times in a clause mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// The start or end of what is said, where a time is said at all.
    Since,
    /// Something planned: holds only with a time to come.
    Planned,
    /// Something past: holds only with a time that is over.
    Happened,
    /// Nothing.
    Ignored,
}

/// One form in which people say something, and what it says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// Its name, which candidates carry.
    pub(super) name: &'static str,
    pub(super) head: Head,
    pub(super) who: Who,
    pub(super) patterns: &'static [&'static str],
    /// The attribute, or the whole key where there is a dot; `{t}` is replaced. Empty: no key.
    pub(super) key: &'static str,
    pub(super) shape: Shape,
    /// The value, with `{v}` and `{t}` replaced. Empty: no value.
    pub(super) value: &'static str,
    pub(super) kind: Kind,
    pub(super) action: Action,
    pub(super) importance: u8,
    pub(super) when: When,
    /// Whether later rules may read the same clause too.
    pub(super) goes_on: bool,
    /// Whether it is said to an assistant: holds only where the speaker is the user.
    pub(super) is_request: bool,
}

impl Rule {
    /// A lasting fact.
    pub(super) const fn fact(
        name: &'static str,
        key: &'static str,
        shape: Shape,
        patterns: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            head: Head::Subject,
            who: Who::ONE,
            patterns,
            key,
            shape,
            value: "{v}",
            kind: Kind::Semantic,
            action: Action::Remember,
            importance: 6,
            when: When::Since,
            goes_on: false,
            is_request: false,
        }
    }

    /// Something that is true no longer.
    pub(super) const fn end(
        name: &'static str,
        key: &'static str,
        shape: Shape,
        patterns: &'static [&'static str],
    ) -> Self {
        Self {
            action: Action::End,
            ..Self::fact(name, key, shape, patterns)
        }
    }

    /// Something that happened, without key.
    pub(super) const fn event(name: &'static str, patterns: &'static [&'static str]) -> Self {
        Self {
            kind: Kind::Episodic,
            who: Who::ALL,
            value: "",
            importance: 5,
            when: When::Happened,
            ..Self::fact(name, "", Shape::Fixed, patterns)
        }
    }

    /// Whether its key names a thing that is owned rather than a relative.
    pub(super) fn is_of_owner(&self) -> bool {
        self.head == Head::Owner && matches!(self.shape, Shape::Clause | Shape::Tools)
    }

    /// Something asked of an assistant.
    pub(super) const fn request(
        name: &'static str,
        key: &'static str,
        shape: Shape,
        patterns: &'static [&'static str],
    ) -> Self {
        Self {
            kind: Kind::Procedural,
            head: Head::Bare,
            importance: 8,
            when: When::Ignored,
            is_request: true,
            ..Self::fact(name, key, shape, patterns)
        }
    }
}

const PLEASE: &str = r"(?:(?:please|pls|also|and|so|now|ok|okay|can you|could you|would you|i want you to|i'd like you to|you can|just|kindly),?\s+)*";
const ADVERBS: &str = "just|now|also|currently|really|still|actually|absolutely|truly|totally|recently|finally|already|honestly|only|mostly|mainly|usually|generally|officially|both|all|even|definitely|certainly|always|most definitely|kind of|pretty much|basically|actively|proudly|happily|very|so|do|did|sadly|unfortunately|quickly|suddenly|ended up and";

/// How much of a pattern is spelled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// All of it.
    Whole,
    /// Long lists of words as "some word": fits at least where the whole does, and is small. For the search of
    /// patterns that may fit.
    Loose,
}

/// The regular expression that a pattern stands for.
pub(super) fn expand(head: Head, pattern: &str, spelling: Spelling) -> String {
    let adverbs = format!(r"(?:(?:{ADVERBS})\s+)*");
    let list = |words: &[&str]| match spelling {
        Spelling::Whole => words.join("|"),
        Spelling::Loose => "[a-z].*".to_owned(),
    };
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
        ("{diet}", words::DIETS.join("|")),
        ("{trade}", list(words::TRADES)),
        ("{language}", list(words::LANGUAGES)),
        ("{nationality}", list(&nationalities)),
        ("{instrument}", list(words::INSTRUMENTS)),
        ("{sport}", list(words::SPORTS)),
        ("{tool}", list(&tools.each_ref().map(String::as_str))),
        ("{past}", words::PAST.join("|")),
        ("{please}", PLEASE.to_owned()),
        (
            "{forget}",
            "(?:forget|delete|erase|remove|stop remembering)".to_owned(),
        ),
        ("{order}", list(words::ORDERS)),
        (
            "{favourite}",
            "(?:all[- ]time\\s+)?(?:favou?rite|fave)".to_owned(),
        ),
    ];
    let spelled = short_forms
        .iter()
        .fold(pattern.to_owned(), |pattern, (short, long)| {
            pattern.replace(short, long)
        });
    let start = match head {
        Head::Mention => r"\b",
        Head::Subject | Head::Owner | Head::Bare => "^",
    };
    in_latin(&format!(
        "(?is){start}(?:{})",
        spelled.replace('\'', "['’]")
    ))
}

/// Classes of characters as far as English texts use them: the automata are small, and a search never leaves its
/// fast path.
pub(in crate::extract) fn in_latin(pattern: &str) -> String {
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

/// A pattern made ready.
pub(super) fn compile(spelled: &str) -> Regex {
    Regex::new(&in_latin(spelled)).expect("every pattern is a constant, and a test makes them all")
}
