//! Which records hold a term.

use super::super::slot::Slot;

/// A record that holds a term, with all that counting asks of it, so that the records themselves are not
/// looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::index) struct Posting {
    pub(in crate::index) slot: Slot,
    /// Occurrences, at most `u16::MAX`.
    pub(in crate::index) count: u16,
    /// Length of the record, [`Posting::LONG`] for that and more.
    pub(in crate::index) length: u16,
}

impl Posting {
    /// Lengths from here on are looked up.
    pub(in crate::index) const LONG: u16 = u16::MAX;
}

/// Postings that the list of a term in several records has room for at first; what is spare is given back after a load.
const ROOM: usize = 8;

/// The records that hold a term, in order of slots. Most terms are in one record only, which takes no memory
/// of its own.
pub(super) enum List {
    One(Option<Posting>),
    Many(Vec<Posting>),
}

impl Default for List {
    fn default() -> Self {
        Self::One(None)
    }
}

impl List {
    pub(super) fn as_slice(&self) -> &[Posting] {
        match self {
            Self::One(posting) => posting.as_slice(),
            Self::Many(postings) => postings,
        }
    }

    pub(super) fn push(&mut self, posting: Posting) {
        match self {
            Self::One(None) => *self = Self::One(Some(posting)),
            Self::One(Some(first)) => {
                let mut postings = Vec::with_capacity(ROOM);
                postings.extend([*first, posting]);
                *self = Self::Many(postings);
            }
            Self::Many(postings) => postings.push(posting),
        }
    }

    /// Postings that there is memory for, beyond the list itself.
    pub(super) fn capacity(&self) -> usize {
        match self {
            Self::One(_) => 0,
            Self::Many(postings) => postings.capacity(),
        }
    }

    /// Gives back spare capacity.
    pub(super) fn shrink(&mut self) {
        if let Self::Many(postings) = self {
            postings.shrink_to_fit();
        }
    }
}
