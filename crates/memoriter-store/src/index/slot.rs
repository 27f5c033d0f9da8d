//! A place in the index.

/// The number of a record inside one [`super::ScopeIndex`], from 0 in order of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Slot(pub(super) u32);

impl Slot {
    /// Marks "no slot" in compact arrays.
    pub(super) const NONE: Self = Self(u32::MAX);

    /// The slot as an array index.
    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}
