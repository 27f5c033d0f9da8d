//! What words come to, as they are written: folding, splitting and stemming are done once a spelling.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;

use super::Occurrence;
use super::hashers::AsItIs;

/// The occurrences that each spelling comes to, one spelling after another. Kept while many texts are read and no
/// longer: what is erased shall not live on here.
#[derive(Default)]
pub(super) struct Spellings {
    occurrences: Vec<Occurrence>,
    /// The end of the spellings so far.
    end: usize,
    by_hash: HashMap<u64, (u32, u32), BuildHasherDefault<AsItIs>>,
}

impl Spellings {
    /// Where a spelling's occurrences are.
    pub(super) fn find(&self, hash: u64) -> Option<Range<usize>> {
        let (start, end) = *self.by_hash.get(&hash)?;
        Some(start as usize..end as usize)
    }

    /// The occurrences that [`Spellings::find`] or [`Spellings::end`] told of.
    pub(super) fn get(&self, range: Range<usize>) -> &[Occurrence] {
        self.occurrences.get(range).unwrap_or_default()
    }

    /// Adds an occurrence to the spelling that comes next.
    pub(super) fn push(&mut self, occurrence: Occurrence) {
        self.occurrences.push(occurrence);
    }

    /// Ends the spelling, which has this hash.
    pub(super) fn end(&mut self, hash: u64) -> Range<usize> {
        let range = self.end..self.occurrences.len();
        self.end = range.end;
        let number = |at: usize| u32::try_from(at).ok();
        // Beyond four billion a spelling is analysed again each time.
        if let Some(ends) = number(range.start).zip(number(range.end)) {
            self.by_hash.insert(hash, ends);
        }
        range
    }
}
