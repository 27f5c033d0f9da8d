//! Which rows are asked for.

use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::{FactKey, Memory, State};
use memoriter_core::provenance::SourceRef;
use memoriter_core::scope::Scope;
use memoriter_core::turn::{Role, SessionName};

/// Which memories.
#[derive(Clone, Copy, Debug)]
pub enum MemoryQuery<'a> {
    /// These, in this order; ids that are not in one of the scopes are left out.
    Ids {
        /// The scopes that the caller may read.
        scopes: &'a [Scope],
        /// The ids.
        ids: &'a [MemoryId],
    },
    /// Every version under a key, in any state, in order of arrival.
    Key {
        /// The scope.
        scope: &'a Scope,
        /// The key.
        key: &'a FactKey,
    },
    /// Those of any of the scopes that name one of these records as a source, in order of arrival.
    From {
        /// The scopes that the caller may read.
        scopes: &'a [Scope],
        /// The sources.
        sources: &'a [SourceRef],
    },
    /// The live memory that holds the same place as this one would (see [`Write::InsertMemory`](crate::store::Write::InsertMemory)).
    SamePlace(&'a Memory),
    /// A page of everything in a scope.
    Scope {
        /// The scope.
        scope: &'a Scope,
        /// Which states; empty for all.
        states: &'a [State],
        /// Where to start and how many.
        page: Page,
    },
}

/// Which turns. A session that goes on from another has its turns too, up to where it does; their
/// [`Turn::session`](memoriter_core::turn::Turn::session) names the one in which they were said.
#[derive(Clone, Copy, Debug)]
pub enum TurnQuery<'a> {
    /// These, in this order; ids that are not in one of the scopes are left out.
    Ids {
        /// The scopes that the caller may read.
        scopes: &'a [Scope],
        /// The ids.
        ids: &'a [TurnId],
    },
    /// A run of a session, from a position on.
    Session {
        /// The scope.
        scope: &'a Scope,
        /// The session.
        session: &'a SessionName,
        /// The first position.
        from: u32,
        /// At most so many.
        limit: usize,
    },
    /// What was said in one role in a session, in order of position.
    InRole {
        /// The scope.
        scope: &'a Scope,
        /// The session.
        session: &'a SessionName,
        /// The role.
        role: Role,
    },
    /// The end of a session, in order of position.
    Last {
        /// The scope.
        scope: &'a Scope,
        /// The session.
        session: &'a SessionName,
        /// At most so many.
        limit: usize,
    },
}

/// A stretch of a list in order of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Only what comes after this memory in order of arrival; `None` to start.
    pub after: Option<MemoryId>,
    /// At most so many.
    pub limit: usize,
}
