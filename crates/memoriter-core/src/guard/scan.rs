//! One pass over a text: keywords first, then the rules that have one.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::placeholder::is_documented;
use super::policy::{Category, GuardPolicy};
use super::rules::Rules;
use super::span::{self, Found, Rank};
use super::spoken::NOUNS;
use super::{card, personal, place, spoken, table};

/// Kinds that no data file names.
const KINDS: &[&str] = &[
    "password",
    "passphrase",
    "pin",
    "card-code",
    "one-time-code",
    "token",
    "url-password",
    "authorization",
    "session-cookie",
    "card-number",
    "kubernetes-secret",
    "iban",
    "email",
    "phone",
    "national-id",
];

static INDEX: LazyLock<Index> = LazyLock::new(Index::build);

/// Which rule a keyword belongs to.
#[derive(Clone, Copy)]
enum Trigger {
    /// Of `Rules`, by its place; whether the keyword is the start of a token.
    Rule(usize, bool),
    /// Of `PLACES`.
    Place(usize),
    /// Of `NOUNS`.
    Noun(usize),
    /// The head of a column.
    Head,
}

/// All keywords in one automaton.
struct Index {
    keywords: Option<AhoCorasick>,
    /// The triggers of each keyword.
    triggers: Vec<Vec<Trigger>>,
}

impl Index {
    fn build() -> Self {
        let mut words: Vec<Cow<'static, str>> = Vec::new();
        let mut triggers: Vec<Vec<Trigger>> = Vec::new();
        let mut add = |word: &'static str, trigger: Trigger| {
            let known = words.iter().position(|known| known.as_ref() == word);
            let at = known.unwrap_or_else(|| {
                words.push(Cow::Borrowed(word));
                triggers.push(Vec::new());
                triggers.len() - 1
            });
            if let Some(of_word) = triggers.get_mut(at) {
                of_word.push(trigger);
            }
        };
        for (at, rule) in Rules::built_in().all().iter().enumerate() {
            for keyword in &rule.keywords {
                let begins_token = keyword.ends_with(|c: char| !c.is_ascii_alphanumeric());
                add(keyword, Trigger::Rule(at, begins_token));
            }
        }
        for (at, place) in place::all().enumerate() {
            for keyword in place.keywords {
                add(keyword, Trigger::Place(at));
            }
        }
        for (at, noun) in NOUNS.iter().enumerate() {
            add(noun.word, Trigger::Noun(at));
        }
        for head in table::heads_of_secrets() {
            add(head, Trigger::Head);
        }
        let keywords = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            // Every text passes through it: the faster kind is worth its megabyte.
            .kind(Some(AhoCorasickKind::DFA))
            .build(words.iter().map(|word| word.as_bytes()));
        Self {
            keywords: keywords.ok(),
            triggers,
        }
    }

    /// The rules and forms that a text has a keyword of, and the nouns with their places.
    fn triggered(&self, text: &str) -> Triggered {
        let mut triggered = Triggered::default();
        let Some(keywords) = &self.keywords else {
            return triggered;
        };
        for hit in keywords.find_overlapping_iter(text) {
            let of_word = self.triggers.get(hit.pattern().as_usize());
            for trigger in of_word.into_iter().flatten() {
                match *trigger {
                    Trigger::Rule(at, begins_token) => {
                        // "s." ends many sentences; a token goes on.
                        let next = text.as_bytes().get(hit.end());
                        if !begins_token || next.is_some_and(|next| !next.is_ascii_whitespace()) {
                            triggered.rules.push(at);
                        }
                    }
                    Trigger::Place(at) => triggered.places.push(at),
                    Trigger::Noun(at) => triggered.nouns.push((at, hit.range())),
                    Trigger::Head => triggered.has_table |= table::is_cell(text, hit.range()),
                }
            }
        }
        triggered.rules.sort_unstable();
        triggered.rules.dedup();
        triggered.places.sort_unstable();
        triggered.places.dedup();
        triggered
    }
}

#[derive(Default)]
struct Triggered {
    rules: Vec<usize>,
    places: Vec<usize>,
    nouns: Vec<(usize, Range<usize>)>,
    has_table: bool,
}

/// What a text has that shall be masked, in order and apart.
pub(super) fn scan(text: &str, policy: &GuardPolicy) -> Vec<Found> {
    let masks = span::masks(text, |kind| is_kind(kind, policy));
    let text = &*span::blank(text, &masks);
    let triggered = INDEX.triggered(text);
    let mut found = Vec::new();
    for at in triggered.rules {
        Rules::built_in().find(at, text, &mut found);
    }
    for at in triggered.places {
        if let Some(place) = place::all().nth(at) {
            place.find(text, &mut found);
        }
    }
    if triggered.has_table {
        table::find(text, &mut found);
    }
    for (at, span) in longest(triggered.nouns) {
        if let Some(noun) = NOUNS.get(at) {
            spoken::find(text, span, noun, &mut found);
        }
    }
    let cards = card::find(text).into_iter();
    found.extend(
        cards.map(|card| Found::new(card, Category::CardNumber.name().to_owned(), Rank::Service)),
    );
    add_policy(text, policy, &mut found);
    found.retain(|find| {
        text.get(find.span.clone())
            .is_none_or(|secret| !is_documented(secret))
    });
    span::settle(text, found, &masks)
}

/// The nouns that are no part of a longer one: "one-time password" is one noun and no password.
fn longest(mut nouns: Vec<(usize, Range<usize>)>) -> Vec<(usize, Range<usize>)> {
    nouns.sort_by_key(|(_, span)| (span.start, Reverse(span.end)));
    let mut reached = 0;
    nouns.retain(|(_, span)| {
        let is_part = span.end <= reached;
        reached = reached.max(span.end);
        !is_part
    });
    nouns
}

fn add_policy(text: &str, policy: &GuardPolicy, found: &mut Vec<Found>) {
    for category in &policy.blocked {
        let spans = personal::find(category, text).into_iter();
        found.extend(spans.map(|span| Found::new(span, category.name().to_owned(), Rank::Service)));
    }
    for pattern in &policy.patterns {
        for captures in pattern.regex.captures_iter(text) {
            let secret = captures.name("secret").or_else(|| captures.get(0));
            if let Some(secret) = secret.filter(|secret| !secret.is_empty()) {
                found.push(Found::new(
                    secret.range(),
                    pattern.name.clone(),
                    Rank::Service,
                ));
            }
        }
    }
}

/// Whether a mask may have this kind.
fn is_kind(kind: &str, policy: &GuardPolicy) -> bool {
    KINDS.contains(&kind)
        || Rules::built_in().all().iter().any(|rule| rule.id == kind)
        || policy.patterns.iter().any(|pattern| pattern.name == kind)
}
