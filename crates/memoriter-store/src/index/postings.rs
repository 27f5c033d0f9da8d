//! Which records hold which terms, and how often.

use std::collections::HashMap;

use memoriter_core::text::{Analyser, TermHash, TokenClass};

use super::slot::Slot;

/// A record that holds a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) slot: Slot,
    /// Occurrences, at most `u16::MAX`.
    pub(super) count: u16,
}

/// Inverted lists in memory, each in order of slots. Append-only: dead slots are passed over by whoever
/// reads, and vanish when the index is rebuilt.
#[derive(Default)]
pub(super) struct Postings {
    lists: HashMap<TermHash, Vec<Posting>>,
    /// Terms of the record being added, for counting.
    scratch: Vec<TermHash>,
}

impl Postings {
    /// Adds a record's text; returns its length in words: words and pairs count, the parts of an identifier
    /// and single characters stand in what was counted already.
    pub(super) fn add(&mut self, analyser: &Analyser, slot: Slot, text: &str) -> u32 {
        self.scratch.clear();
        let mut length = 0_u32;
        analyser.analyse(text, |token| {
            self.scratch.push(token.term);
            length += u32::from(counts_as_length(token.class));
        });
        self.scratch.sort_unstable();
        for run in self.scratch.chunk_by(|a, b| a == b) {
            let Some(term) = run.first() else { continue };
            let count = u16::try_from(run.len()).unwrap_or(u16::MAX);
            self.lists.entry(*term).or_default().push(Posting { slot, count });
        }
        length.max(1)
    }

    /// The records that hold `term`, dead ones among them.
    pub(super) fn list(&self, term: TermHash) -> &[Posting] {
        self.lists.get(&term).map_or(&[], Vec::as_slice)
    }

    /// Bytes on the heap, estimated from capacities.
    pub(super) fn bytes(&self) -> usize {
        let lists: usize = self.lists.values().map(|list| list.capacity() * size_of::<Posting>()).sum();
        lists + self.lists.capacity() * (size_of::<TermHash>() + size_of::<Vec<Posting>>() + 1)
    }

    /// Gives back spare capacity.
    pub(super) fn shrink(&mut self) {
        self.lists.values_mut().for_each(Vec::shrink_to_fit);
        self.lists.shrink_to_fit();
    }
}

fn counts_as_length(class: TokenClass) -> bool {
    match class {
        TokenClass::Word | TokenClass::Stop | TokenClass::Pair => true,
        TokenClass::Part | TokenClass::Single => false,
    }
}
