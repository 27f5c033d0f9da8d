//! What goes with what it rests on.

use std::collections::BTreeSet;

use crate::memory::Memory;
use crate::provenance::SourceRef;

/// How far an erasure reaches along provenance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cascade {
    /// A record goes with the last thing that supports it. With others left, it loses the edge and stays.
    LastSupport,
    /// A record goes with anything that supports it: what was learned from a bad source is not made good by a second
    /// source that may only have repeated it.
    AnySupport,
}

/// Whether a memory falls when the records in `gone` do. One that names no source rests on nothing and never falls.
#[must_use]
pub fn falls(memory: &Memory, gone: &BTreeSet<SourceRef>, cascade: Cascade) -> bool {
    let mut is_gone = memory
        .sources
        .iter()
        .map(|source| gone.contains(&source.of));
    match cascade {
        Cascade::LastSupport => !memory.sources.is_empty() && is_gone.all(|gone| gone),
        Cascade::AnySupport => is_gone.any(|gone| gone),
    }
}
