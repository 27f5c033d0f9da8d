//! All patterns for one kind of beginning, searched at once: a text is looked through for the words that patterns
//! need, and those that may fit are tried.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex::Regex;

use super::needed::folded;
use super::rule::{Head, Rule};
use super::spelling::{ShortForms, Spelling};
use super::table;

/// Spells patterns out.
static SPELLING: LazyLock<Spelling> = LazyLock::new(Spelling::whole);

/// The patterns for one kind of beginning, in the order of their rules.
pub(super) struct Patterns {
    head: Head,
    each: Vec<Pattern>,
    /// The words that patterns need.
    words: AhoCorasick,
    /// The patterns that need a word, by the word's place.
    needing: Vec<Vec<usize>>,
}

/// A pattern, made ready when a text may fit it for the first time.
struct Pattern {
    rule: &'static Rule,
    spelled: &'static str,
    ready: OnceLock<Regex>,
}

impl Patterns {
    pub(super) fn of(head: Head, short_forms: &ShortForms) -> Self {
        let rules = table::all().filter(|rule| rule.head == head);
        let all = rules.flat_map(|rule| rule.patterns.iter().map(move |spelled| (rule, *spelled)));
        let each: Vec<Pattern> = all
            .map(|(rule, spelled)| Pattern {
                rule,
                spelled,
                ready: OnceLock::new(),
            })
            .collect();
        let mut needing: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, pattern) in each.iter().enumerate() {
            let words = short_forms.words_for(pattern.spelled);
            for word in words.expect("a test sees that every pattern needs a word") {
                needing.entry(word).or_default().push(index);
            }
        }
        let words = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(needing.keys())
            .expect("the words are few");
        Self {
            head,
            each,
            words,
            needing: needing.into_values().collect(),
        }
    }

    /// The patterns that may fit, in order.
    pub(super) fn fitting(&self, text: &str) -> impl Iterator<Item = (&Regex, &'static Rule)> {
        let mut may_fit = vec![false; self.each.len()];
        let text = folded(text);
        for found in self.words.find_overlapping_iter(text.as_ref()) {
            let patterns = self.needing.get(found.pattern().as_usize());
            for pattern in patterns.into_iter().flatten() {
                if let Some(may_fit) = may_fit.get_mut(*pattern) {
                    *may_fit = true;
                }
            }
        }
        let patterns = self.each.iter().zip(may_fit);
        patterns
            .filter(|(_, may_fit)| *may_fit)
            .map(|(pattern, _)| (self.ready(pattern), pattern.rule))
    }

    fn ready<'a>(&self, pattern: &'a Pattern) -> &'a Regex {
        pattern.ready.get_or_init(|| {
            Regex::new(&SPELLING.expand(self.head, pattern.spelled))
                .expect("every pattern is a constant, and a test makes them all")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases;
    use super::*;

    const HEADS: [Head; 4] = [Head::Subject, Head::Owner, Head::Bare, Head::Mention];

    #[test]
    fn every_pattern_can_be_made_and_needs_a_word() {
        let short_forms = ShortForms::new();
        for head in HEADS {
            let patterns = Patterns::of(head, &short_forms);
            let made = patterns.each.iter().map(|pattern| patterns.ready(pattern));
            assert!(made.count() > 0);
        }
    }

    /// Tried on every sentence of the cases, from each place where something may follow a head.
    #[test]
    fn no_pattern_that_fits_is_passed_over() {
        let short_forms = ShortForms::new();
        for head in HEADS {
            let patterns = Patterns::of(head, &short_forms);
            for sentence in cases::sentences() {
                let places = sentence.match_indices([' ', '\'', '’']);
                for rest in places.map(|(at, _)| &sentence[at..]).chain([sentence]) {
                    let rest = rest.replace('k', "\u{212A}");
                    let all = patterns.each.iter().map(|pattern| patterns.ready(pattern));
                    let fitting = all.filter(|regex| regex.is_match(&rest));
                    let tried = patterns.fitting(&rest).map(|(regex, _)| regex);
                    let tried = tried.filter(|regex| regex.is_match(&rest));
                    assert!(
                        tried.map(Regex::as_str).eq(fitting.map(Regex::as_str)),
                        "{rest}"
                    );
                }
            }
        }
    }
}
