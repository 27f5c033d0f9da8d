//! Which slots a search ranks.

use super::super::slot::Slot;

/// The slots of an index worth ranking, numbered from 0 so that scores lie in compact arrays.
pub(super) enum Shortlist {
    /// All of so many.
    All(usize),
    /// These, in order, without repeats.
    Some(Vec<Slot>),
}

impl Shortlist {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Some(slots) => slots.len(),
        }
    }

    /// The number of a slot in the list.
    pub(super) fn number(&self, slot: Slot) -> Option<usize> {
        match self {
            Self::All(count) => Some(slot.at()).filter(|at| at < count),
            Self::Some(slots) => slots.binary_search(&slot).ok(),
        }
    }

    /// Every slot with its number, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Slot)> + '_ {
        (0..self.len()).map(|number| (number, self.slot(number)))
    }

    /// The slot of a number; [`Slot::NONE`] for one that is not in the list.
    pub(super) fn slot(&self, number: usize) -> Slot {
        match self {
            Self::All(_) => Slot(u32::try_from(number).unwrap_or(u32::MAX)),
            Self::Some(slots) => slots.get(number).copied().unwrap_or(Slot::NONE),
        }
    }
}
