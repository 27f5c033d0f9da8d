//! What says again what is forgotten: the user's own words, and an assistant's ("Got it, you live in Berlin!").
//!
//! A [`Trace`] is what a forgotten value is known by. It is looked for in sentences that speak of the user: the user's
//! with "I" or "my" in them, an assistant's with "you" or "your", and in the session of the user's own words any.

use std::collections::BTreeSet;

use super::attributes::BLOCK;
use super::correct::correct;
use super::decision::{Reason, Resolution};
use super::meaning::Content;
use crate::id::MemoryId;
use crate::memory::{FactKey, Memory};
use crate::text::{TermHash, sentences};
use crate::time::Timestamp;

/// Words of a name that are too short to be known by: "St." of "St. Georg".
const NAME_CHARS_MIN: usize = 3;
/// The longest run of telling words that is looked up as a trace; a longer value is known by its names.
const RUN_WORDS_MAX: usize = 4;
/// Words from which a statement without key is known again.
const STATEMENT_WORDS_MIN: usize = 4;

/// Who tells, and so which of his sentences speak of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Teller {
    /// The user: sentences with "I" or "my".
    User,
    /// Somebody who speaks to the user: sentences with "you" or "your".
    Other,
    /// The same in the session of the user's own words: any sentence.
    OtherNearby,
    /// An agent that notes something for itself: sentences with "user" or "you" in them.
    Agent,
}

/// Words that a forgotten value is known by: a text that has all of them says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    text: String,
    words: BTreeSet<TermHash>,
}

impl Trace {
    /// The words as they stood; `None` where none of them tells anything.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let words = Content::of(text).words;
        (!words.is_empty()).then(|| Self {
            text: text.to_owned(),
            words,
        })
    }

    /// The words, to search an index by.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a text has all of the words.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        self.words.is_subset(&Content::of(text).words)
    }

    /// What a tombstone of it must match.
    #[must_use]
    pub fn mark(&self) -> Vec<u8> {
        let mut mark = b"trace\0".to_vec();
        for word in &self.words {
            mark.extend_from_slice(&word.0.to_le_bytes());
        }
        mark
    }
}

/// What a forgotten memory is known by: its value as a whole and the names in it; without a key all words of its
/// statement, if they are enough to tell it from others.
#[must_use]
pub fn traces(memory: &Memory) -> Vec<Trace> {
    let Some(key) = memory.fact_key() else {
        let is_telling = memory.statement.split_whitespace().count() >= STATEMENT_WORDS_MIN;
        return is_telling
            .then(|| Trace::of(&memory.statement))
            .flatten()
            .into_iter()
            .collect();
    };
    traces_of_value(key, memory.value_or_statement())
}

/// What a value under a key is known by.
#[must_use]
pub fn traces_of_value(key: &FactKey, value: &str) -> Vec<Trace> {
    let names: Vec<&str> = value
        .split(|c: char| !c.is_alphanumeric())
        .filter(is_name)
        .collect();
    let first = names
        .first()
        .filter(|_| key.attribute() == "name")
        .map(|first| (*first).to_owned());
    let mut traces: Vec<Trace> = Vec::new();
    for text in [Some(value.to_owned()), Some(names.join(" ")), first] {
        let trace = text.as_deref().and_then(Trace::of);
        traces.extend(trace.filter(|trace| !traces.iter().any(|one| one.words == trace.words)));
    }
    traces
}

/// The traces that a new text may have of what is forgotten: each run of telling words in a sentence that speaks of
/// the user.
#[must_use]
pub fn possible_traces(text: &str, teller: Teller) -> Vec<Trace> {
    let mut all: Vec<Trace> = Vec::new();
    for sentence in sentences(text).filter(|sentence| speaks_of_the_user(sentence, teller)) {
        let words: Vec<Trace> = sentence
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
            .filter_map(Trace::of)
            .collect();
        for length in 1..=RUN_WORDS_MAX {
            all.extend(words.windows(length).map(|run| Trace {
                text: run.iter().map(Trace::text).collect::<Vec<_>>().join(" "),
                words: run.iter().flat_map(|word| &word.words).copied().collect(),
            }));
        }
    }
    all.sort_by(|one, other| one.words.cmp(&other.words));
    all.dedup_by(|one, other| one.words == other.words);
    all
}

/// The sentences of a text that have a trace and speak of the user.
pub fn telling_sentences<'t>(
    text: &'t str,
    trace: &Trace,
    teller: Teller,
) -> impl Iterator<Item = &'t str> {
    sentences(text)
        .filter(move |sentence| speaks_of_the_user(sentence, teller) && trace.is_in(sentence))
}

/// A memory that says in its sentence, but not by its value, what is forgotten: the same in other words. `None` where
/// nothing is to be changed, or it says nothing else.
#[must_use]
pub fn reworded(
    memory: &Memory,
    traces: &[Trace],
    id: MemoryId,
    now: Timestamp,
) -> Option<Resolution> {
    let new = without_traces(memory, traces).or_else(|| without_sentences(memory, traces))?;
    let mut resolution = correct(memory, Memory { id, ..new }, &[], now);
    resolution.decision.reason = Reason::Reworded;
    Some(resolution)
}

/// A memory without the words of its sentence and of what supports it that tell what is forgotten; `None` where there
/// are none, or its own value tells it.
#[must_use]
pub fn without_traces(memory: &Memory, traces: &[Trace]) -> Option<Memory> {
    let tells = |text: &str| traces.iter().any(|trace| trace.is_in(text));
    let (key, value) = (memory.fact_key()?, memory.value.as_deref()?);
    let quotes_it = memory.sources.iter().any(|source| tells(&source.quote));
    if tells(value) || !tells(&memory.statement) && !quotes_it {
        return None;
    }
    let mut new = memory.clone();
    if tells(&memory.statement) {
        new.statement = plainly(key, value);
    }
    for source in &mut new.sources {
        if tells(&source.quote) {
            source.quote = if source.quote.contains(value) {
                value.to_owned()
            } else {
                String::new()
            };
        }
    }
    Some(new)
}

/// A block without the sentences that tell what is forgotten; `None` where it is no block, or nothing is left of it.
fn without_sentences(memory: &Memory, traces: &[Trace]) -> Option<Memory> {
    let text = memory.value.as_deref()?;
    if memory.fact_key()?.entity() != BLOCK {
        return None;
    }
    let tells = |sentence: &&str| traces.iter().any(|trace| trace.is_in(sentence));
    let left: String = sentences(text)
        .filter(|sentence| !tells(sentence))
        .collect();
    let left = left.trim();
    (!left.is_empty()).then(|| Memory {
        statement: left.to_owned(),
        value: Some(left.to_owned()),
        ..memory.clone()
    })
}

/// A fact in words that are nobody's: `pet: dog named Rex`.
fn plainly(key: &FactKey, value: &str) -> String {
    let attribute = key.attribute().replace('_', " ");
    if key.entity() == "user" {
        format!("{attribute}: {value}")
    } else {
        format!("{}, {attribute}: {value}", key.entity().replace(':', " "))
    }
}

fn is_name(word: &&str) -> bool {
    let is_marked =
        word.starts_with(char::is_uppercase) || word.contains(|c: char| c.is_ascii_digit());
    is_marked && word.chars().count() >= NAME_CHARS_MIN
}

fn speaks_of_the_user(sentence: &str, teller: Teller) -> bool {
    let mut words = sentence.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    let means_himself =
        |word: &str| OF_THE_SPEAKER.contains(&word.to_lowercase().replace('’', "'").as_str());
    match teller {
        Teller::User => words.any(means_himself),
        Teller::Other => words.any(|word| own_word(word) != word),
        Teller::OtherNearby => true,
        Teller::Agent => words.any(|word| {
            word.trim_end_matches("'s").eq_ignore_ascii_case("user") || own_word(word) != word
        }),
    }
}

/// Words by which a speaker means himself, or himself and his.
const OF_THE_SPEAKER: &[&str] = &[
    "i",
    "i'm",
    "i've",
    "i'd",
    "i'll",
    "im",
    "ive",
    "my",
    "mine",
    "me",
    "myself",
    "we",
    "we're",
    "we've",
    "we'd",
    "we'll",
    "our",
    "ours",
    "us",
    "ourselves",
];

/// A text of an assistant as the user would have said it: "you" is "I". What rules read in it is what it says of
/// the user.
#[must_use]
pub fn as_said_by_the_user(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || matches!(c, '\'' | '’') {
            word.push(c);
            continue;
        }
        said.push_str(own_word(&word));
        word.clear();
        said.push(c);
    }
    said.pop();
    for (yours, mine) in [("I are ", "I am "), ("I were ", "I was ")] {
        said = said.replace(yours, mine);
    }
    said
}

fn own_word(word: &str) -> &str {
    match word.to_lowercase().replace('’', "'").as_str() {
        "you" => "I",
        "your" => "my",
        "yours" => "mine",
        "yourself" => "myself",
        "you're" => "I'm",
        "you've" => "I've",
        "you'll" => "I'll",
        "you'd" => "I'd",
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Cardinality, State};
    use crate::write::reconcile::samples::{city, day};

    #[test]
    fn what_is_said_to_the_user_is_said_of_them() {
        for (said, own) in [
            ("Got it, you live in Berlin!", "Got it, I live in Berlin!"),
            ("You’re allergic to nuts", "I'm allergic to nuts"),
            (
                "You are a nurse. Your dog is Rex",
                "I am a nurse. my dog is Rex",
            ),
            ("Young yours", "Young mine"),
            ("", ""),
        ] {
            assert_eq!(as_said_by_the_user(said), own);
        }
    }

    #[track_caller]
    fn check(text: &str, trace: &str, teller: Teller, expected: bool) {
        let trace = Trace::of(trace).unwrap();
        let told = telling_sentences(text, &trace, teller).next().is_some();
        assert_eq!(told, expected, "{text}");
        let looked_up = possible_traces(text, teller);
        assert_eq!(
            looked_up.iter().any(|one| one.mark() == trace.mark()),
            expected,
            "{text}"
        );
    }

    #[test]
    fn only_a_sentence_of_the_user_tells_of_the_user() {
        check("Nice. Berlin suits you!", "Berlin", Teller::Other, true);
        check(
            "You are kind. Berlin is big.",
            "Berlin",
            Teller::Other,
            false,
        );
        check("You live in Bern.", "Berlin", Teller::Other, false);
        check(
            "Berlin has been my home for ages.",
            "Berlin",
            Teller::User,
            true,
        );
        check(
            "I am kind. The Berlin wall fell.",
            "Berlin",
            Teller::User,
            false,
        );
        check("Berlin is big.", "Berlin", Teller::OtherNearby, true);
        check(
            "In St. Georg we are all nurses.",
            "Georg",
            Teller::User,
            true,
        );
        check("I moved to New York in May", "new york", Teller::User, true);
    }

    #[test]
    fn a_value_is_known_as_a_whole_and_by_its_names() {
        for (key, value, expected) in [
            ("user.city", "Porto", &["Porto"][..]),
            ("user.pet", "dog named Rex", &["dog named Rex", "Rex"]),
            (
                "user.job",
                "nurse at St. Georg",
                &["nurse at St. Georg", "Georg"],
            ),
            ("user.name", "Anna Bauer", &["Anna Bauer", "Anna"]),
            ("user.like", "green tea", &["green tea"]),
        ] {
            let found = traces_of_value(&key.parse().unwrap(), value);
            let found: Vec<&str> = found.iter().map(Trace::text).collect();
            assert_eq!(found, expected, "{key}");
        }
    }

    #[test]
    fn what_a_sentence_says_besides_is_kept_in_other_words() {
        let sentence = "I live in Porto with my dog Rex";
        let pet = Memory {
            key: Some(("user.pet".parse().unwrap(), Cardinality::Set)),
            value: Some("dog named Rex".into()),
            statement: sentence.into(),
            state: State::Live,
            ..city(1, "", 1)
        };
        let porto = [Trace::of("Porto").unwrap()];
        let resolution = reworded(&pet, &porto, city(2, "", 1).id, day(9)).unwrap();
        let new = resolution.insert.unwrap();
        assert_eq!(new.statement, "pet: dog named Rex");
        assert_eq!((new.state, new.valid_from), (State::Live, pet.valid_from));
        assert_eq!(resolution.updates[0].state, State::Superseded);
        let rex = [Trace::of("Rex").unwrap()];
        assert_eq!(without_traces(&pet, &rex), None, "its value says it");
        let mia = [Trace::of("Mia").unwrap()];
        assert_eq!(without_traces(&pet, &mia), None, "it says nothing of it");
    }
}
