//! Which speakers a question names.

use std::collections::HashSet;

use memoriter_core::query::ParsedQuery;
use memoriter_core::text::{Analyser, TermHash};

use super::super::ScopeIndex;
use super::super::entry::Names;

/// Letters that a short form must have (`Mel` for `Melanie`).
const SHORT_FORM_CHARS_MIN: usize = 3;
/// Letters that a short form may lack.
const SHORT_FORM_CHARS_MISSING_MAX: usize = 4;

/// The speakers of the searched scopes that a question names.
pub(super) struct NamedSpeakers {
    /// By index: the number of the speaker, where the question names exactly one.
    only: Vec<u32>,
    /// Terms of the question that name a speaker: they say who, not what.
    terms: HashSet<TermHash>,
}

impl NamedSpeakers {
    pub(super) fn of(indexes: &[&ScopeIndex], query: &ParsedQuery) -> Self {
        let mut places: Vec<(usize, u32)> = Vec::new();
        let mut names: HashSet<String> = HashSet::new();
        let mut terms = HashSet::new();
        let analyser = Analyser::new();
        for (scope, index) in indexes.iter().enumerate() {
            for (number, name) in index.speakers.iter() {
                let mut is_meant = false;
                analyser.analyse(name, |part| {
                    for term in query
                        .terms
                        .iter()
                        .filter(|term| is_form_of(&term.word, part.word))
                    {
                        is_meant = true;
                        terms.insert(term.term);
                    }
                });
                if is_meant {
                    places.push((scope, number));
                    names.insert(name.to_lowercase());
                }
            }
        }
        let mut only = vec![Names::NONE; indexes.len()];
        if names.len() == 1 {
            for (scope, number) in places {
                if let Some(place) = only.get_mut(scope) {
                    *place = number;
                }
            }
        }
        Self { only, terms }
    }

    /// The one speaker whom the question names, as the index `scope` numbers him; [`Names::NONE`] for none.
    pub(super) fn only(&self, scope: usize) -> u32 {
        self.only.get(scope).copied().unwrap_or(Names::NONE)
    }

    /// Whether a term of the question is a name.
    pub(super) fn is_name(&self, term: TermHash) -> bool {
        self.terms.contains(&term)
    }
}

/// Whether `word` is the name `name` or a short form of it.
fn is_form_of(word: &str, name: &str) -> bool {
    let (given, full) = (word.chars().count(), name.chars().count());
    word == name
        || given >= SHORT_FORM_CHARS_MIN
            && given < full
            && full - given <= SHORT_FORM_CHARS_MISSING_MAX
            && name.starts_with(word)
}
