//! What ranking asks of every record: small, so that a pass over a large scope stays in the caches.

use memoriter_core::text::cues;
use memoriter_core::turn::Role;

use super::slot::Slot;
use crate::store::IndexRow;

/// The column that each search walks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    /// The turn before and after in the session, [`Slot::NONE`] for none. They may be dead.
    pub(super) before: Slot,
    pub(super) after: Slot,
    /// Number of the session, [`Traits::NO_SESSION`] for a memory.
    pub(super) session: u32,
    /// Number of the speaker's name, [`super::entry::Names::NONE`] for none.
    pub(super) speaker: u32,
    /// Terms of the text that say something, for BM25; at least 1.
    pub(super) length: u32,
    /// The same as words: a character of a script without spaces counts half.
    pub(super) words: u32,
    pub(super) flags: Flags,
}

impl Traits {
    pub(super) const NO_SESSION: u32 = u32::MAX;
}

/// The entity of a fact that is not about the user.
pub(super) fn other_entity<'r>(row: &IndexRow<'r>) -> Option<&'r str> {
    const USER: &str = "user";
    row.key
        .map(|(entity, _)| entity)
        .filter(|entity| *entity != USER)
}

/// Yes-or-no traits in one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags(u8);

impl Flags {
    /// It can be found.
    pub(super) const ALIVE: Self = Self(1);
    /// The model said it.
    pub(super) const BY_ASSISTANT: Self = Self(1 << 1);
    /// It says when.
    pub(super) const TELLS_TIME: Self = Self(1 << 2);
    /// It asks more than it tells.
    pub(super) const ASKS: Self = Self(1 << 3);

    /// It is a fact under a key.
    pub(super) const KEYED: Self = Self(1 << 4);

    /// It is a fact about somebody else than the user.
    pub(super) const OF_OTHER: Self = Self(1 << 7);

    /// The traits of a row whose text tells time or not.
    pub(super) fn of(row: &IndexRow<'_>, tells_time: bool) -> Self {
        let mut flags = Self::ALIVE;
        for (flag, holds) in [
            (Self::BY_ASSISTANT, row.role == Some(Role::Assistant)),
            (Self::TELLS_TIME, tells_time),
            (Self::KEYED, row.key.is_some()),
            (Self::OF_OTHER, other_entity(row).is_some()),
            (
                Self::ASKS,
                row.role.is_some() && cues::is_question(row.text),
            ),
        ] {
            if holds {
                flags.0 |= flag.0;
            }
        }
        flags
    }

    /// These and another.
    pub(super) fn with(self, flag: Self) -> Self {
        Self(self.0 | flag.0)
    }

    pub(super) fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }

    pub(super) fn without(self, flag: Self) -> Self {
        Self(self.0 & !flag.0)
    }
}
