//! A place in the index.

/// The number of a record inside one [`super::ScopeIndex`], from 0 in order of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Slot(pub(super) u32);

impl Slot {
    /// Marks "no slot" in compact arrays.
    pub(super) const NONE: Self = Self(u32::MAX);

    /// The slot at an array index.
    pub(super) fn of(at: usize) -> Self {
        u32::try_from(at).map_or(Self::NONE, Self)
    }

    /// The slot as an array index.
    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}
