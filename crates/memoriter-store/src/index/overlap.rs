//! Finding memories and turns that hold most of the words of a text.

use std::collections::BTreeSet;

use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::text::{Analyser, TermHash, TokenClass};

use super::ScopeIndex;
use super::slot::Slot;
use crate::store::RecordRef;

/// Records that are looked at for one text; a text of common words has more, and the rest is left out.
const CANDIDATES_MAX: usize = 4_096;

impl ScopeIndex {
    /// The living memories that hold at least `share` (in `0..=1`) of the distinct telling words of `text`, those
    /// with most of them first, at most `limit`. Equal ones in order of arrival. None for a text without such
    /// words.
    #[must_use]
    pub fn holding_words(&self, text: &str, share: f32, limit: usize) -> Vec<MemoryId> {
        self.records_holding(text, share, limit, |record| match record {
            RecordRef::Memory(id) => Some(id),
            RecordRef::Turn(_) => None,
        })
    }

    /// As [`ScopeIndex::holding_words`], the turns that hold all of the distinct telling words of `text`.
    #[must_use]
    pub fn turns_holding(&self, text: &str, limit: usize) -> Vec<TurnId> {
        self.records_holding(text, 1.0, limit, |record| match record {
            RecordRef::Turn(id) => Some(id),
            RecordRef::Memory(_) => None,
        })
    }

    fn records_holding<Id>(
        &self,
        text: &str,
        share: f32,
        limit: usize,
        wanted: impl Fn(RecordRef) -> Option<Id>,
    ) -> Vec<Id> {
        let mut terms = telling_terms(text);
        terms.sort_by_key(|term| (self.lexicon.list(*term).len(), *term));
        let needed = needed_of(terms.len(), share);
        if needed == 0 {
            return Vec::new();
        }
        // Who holds that many holds one of the rarest that are not more than may be missing.
        let rarest = terms.len() - needed + 1;
        let mut candidates = BTreeSet::new();
        for term in terms.iter().take(rarest) {
            let holders = self.lexicon.list(*term).iter().map(|posting| posting.slot);
            candidates.extend(holders.take(CANDIDATES_MAX));
        }
        let mut found: Vec<(usize, Slot, Id)> = candidates
            .into_iter()
            .filter(|slot| self.is_alive(*slot))
            .filter_map(|slot| {
                let held = terms.iter().filter(|term| self.holds(slot, **term)).count();
                let id = wanted(self.entries.get(slot.at())?.record)?;
                (held >= needed).then_some((held, slot, id))
            })
            .collect();
        found.sort_by_key(|(held, slot, _)| (usize::MAX - held, *slot));
        found.into_iter().take(limit).map(|(_, _, id)| id).collect()
    }

    fn holds(&self, slot: Slot, term: TermHash) -> bool {
        let list = self.lexicon.list(term);
        list.binary_search_by_key(&slot, |posting| posting.slot)
            .is_ok()
    }
}

fn telling_terms(text: &str) -> Vec<TermHash> {
    let analyser = Analyser::new();
    let mut terms = BTreeSet::new();
    analyser.analyse(text, |token| {
        if token.class != TokenClass::Stop {
            terms.insert(analyser.term(token.word));
        }
    });
    terms.into_iter().collect()
}

/// How many of `count` words are at least this share of them.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of the words of a text"
)]
fn needed_of(count: usize, share: f32) -> usize {
    ((count as f32 * share).ceil() as usize).max(1).min(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_up() {
        assert_eq!(
            [
                needed_of(0, 0.8),
                needed_of(1, 0.8),
                needed_of(5, 0.8),
                needed_of(6, 0.8)
            ],
            [0, 1, 4, 5]
        );
        assert_eq!([needed_of(3, 0.0), needed_of(3, 1.0)], [1, 3]);
    }

    #[test]
    fn stop_words_tell_nothing() {
        assert_eq!(telling_terms("I am the one who is here").len(), 1);
        assert!(telling_terms("?!").is_empty());
    }
}
