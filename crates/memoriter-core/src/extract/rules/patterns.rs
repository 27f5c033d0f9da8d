//! All patterns for one kind of beginning, searched at once.

use std::sync::OnceLock;

use regex::{Regex, RegexSet, RegexSetBuilder};

use super::rule::{self, Head, Rule, Spelling};
use super::table;

/// Bytes that the automaton of a set may have; with less it is given up and the search is ten times slower.
const SET_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The patterns for one kind of beginning, in the order of their rules.
pub(super) struct Patterns {
    head: Head,
    set: RegexSet,
    each: Vec<Pattern>,
}

/// A pattern, made ready when a text may fit it for the first time.
struct Pattern {
    rule: &'static Rule,
    spelled: &'static str,
    ready: OnceLock<Regex>,
}

impl Patterns {
    pub(super) fn of(head: Head) -> Self {
        let rules = table::all().filter(|rule| rule.head == head);
        let all = rules.flat_map(|rule| rule.patterns.iter().map(move |spelled| (rule, *spelled)));
        let each: Vec<Pattern> = all
            .map(|(rule, spelled)| Pattern {
                rule,
                spelled,
                ready: OnceLock::new(),
            })
            .collect();
        let loose = each
            .iter()
            .map(|pattern| rule::expand(head, pattern.spelled, Spelling::Loose));
        let set = RegexSetBuilder::new(loose)
            .size_limit(SET_BYTES_MAX)
            .dfa_size_limit(SET_BYTES_MAX)
            .build()
            .expect("the patterns are constants, and a test makes them");
        Self { head, set, each }
    }

    /// The patterns that fit, in order.
    pub(super) fn fitting(&self, text: &str) -> impl Iterator<Item = (&Regex, &'static Rule)> {
        let fitting = self.set.matches(text);
        let patterns = fitting.into_iter().filter_map(|index| self.each.get(index));
        patterns.map(|pattern| (self.ready(pattern), pattern.rule))
    }

    fn ready<'a>(&self, pattern: &'a Pattern) -> &'a Regex {
        let make = || rule::compile(&rule::expand(self.head, pattern.spelled, Spelling::Whole));
        pattern.ready.get_or_init(make)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_can_be_made() {
        for head in [Head::Subject, Head::Owner, Head::Bare, Head::Mention] {
            let patterns = Patterns::of(head);
            let made = patterns.each.iter().map(|pattern| patterns.ready(pattern));
            assert!(made.count() > 0);
        }
    }
}
