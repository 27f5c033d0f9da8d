//! A form that texts can have: a pattern, made ready when a text may have it for the first time.
//!
//! Making one ready takes up to a millisecond, and most texts have few of them.

use std::sync::OnceLock;

use regex::{Captures, Match, Regex};

use super::needed::{Needed, folded, words_needed};
use super::spelling::in_latin;

/// A pattern that is searched for.
pub(crate) struct Form {
    spelled: String,
    needed: OnceLock<Needed>,
    ready: OnceLock<Regex>,
}

impl Form {
    pub(crate) fn new(spelled: &str) -> Self {
        Self {
            spelled: in_latin(spelled),
            needed: OnceLock::new(),
            ready: OnceLock::new(),
        }
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex_for(text)
            .is_some_and(|regex| regex.is_match(text))
    }

    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.regex_for(text)?.find(text)
    }

    /// The first match that begins at `at` or after it.
    pub(super) fn find_at<'t>(&self, text: &'t str, at: usize) -> Option<Match<'t>> {
        self.regex_for(text)?.find_at(text, at)
    }

    pub(super) fn find_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Match<'t>> {
        let regex = self.regex_for(text);
        regex
            .into_iter()
            .flat_map(move |regex| regex.find_iter(text))
    }

    pub(super) fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.regex_for(text)?.captures(text)
    }

    pub(in crate::extract) fn captures_iter<'t>(
        &self,
        text: &'t str,
    ) -> impl Iterator<Item = Captures<'t>> {
        let regex = self.regex_for(text);
        regex
            .into_iter()
            .flat_map(move |regex| regex.captures_iter(text))
    }

    /// The pattern made ready, whatever it is wanted for.
    pub(super) fn regex(&self) -> &Regex {
        self.ready.get_or_init(|| {
            Regex::new(&self.spelled)
                .expect("every pattern is a constant, and a test makes them all")
        })
    }

    /// The pattern made ready, where the text may have it.
    fn regex_for(&self, text: &str) -> Option<&Regex> {
        let is_ready = self.ready.get().is_some();
        (is_ready || self.may_be_in(text)).then(|| self.regex())
    }

    fn may_be_in(&self, text: &str) -> bool {
        let needed = self
            .needed
            .get_or_init(|| words_needed(&self.spelled, &|_| None));
        needed.as_ref().is_none_or(|words| {
            let text = folded(text).to_ascii_lowercase();
            words.iter().any(|word| text.contains(word))
        })
    }
}
