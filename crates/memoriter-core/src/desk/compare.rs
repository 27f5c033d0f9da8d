//! What changed since the call before.

use super::boundary::Boundary;
use super::form::{Piece, Rendering};
use super::section::Section;
use crate::port::TokenCounter;

/// How two desks of one session differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What stayed at the beginning.
    pub prefix: Prefix,
    /// Entries that are on one desk only, those of the later one in its order, then those of the earlier one.
    pub changes: Vec<(Side, Section, String)>,
}

/// The part at the beginning that is the same: what the cache of a service can keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// Tokens of it, counted entry by entry.
    pub stable_tokens: usize,
    /// The section of the first entry that is another; `None` where nothing is.
    pub changed_at: Option<Section>,
    /// That entry as it is now; `None` where the desk ends.
    pub changed_to: Option<String>,
}

/// Which of two desks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The later one.
    Now,
    /// The earlier one.
    Before,
}

impl Rendering {
    /// Compares with the desk of the call before; `None` when either was not made with this boundary.
    #[must_use]
    pub fn compare(
        &self,
        before: &Self,
        boundary: &Boundary,
        counter: &dyn TokenCounter,
    ) -> Option<Difference> {
        let now = self.pieces(boundary, counter)?;
        let before = before.pieces(boundary, counter)?;
        let same = now
            .iter()
            .zip(&before)
            .take_while(|(now, before)| now == before)
            .count();
        let stable_tokens = now.iter().take(same).map(|piece| piece.tokens).sum();
        let (next, gone) = (now.get(same), before.get(same));
        let prefix = Prefix {
            stable_tokens,
            changed_at: next.or(gone).map(|piece| piece.section),
            changed_to: next.map(shown),
        };
        let only = |side, of: &[Piece], other: &[Piece]| -> Vec<(Side, Section, String)> {
            let new = of.iter().filter(|piece| !other.contains(piece));
            new.map(|piece| (side, piece.section, shown(piece)))
                .collect()
        };
        let mut changes = only(Side::Now, &now, &before);
        changes.extend(only(Side::Before, &before, &now));
        Some(Difference { prefix, changes })
    }
}

/// An entry in a line.
fn shown(piece: &Piece) -> String {
    let mut line = super::line::Line::default();
    for (name, value) in &piece.fields {
        line = line.text(name, value);
    }
    line.finish()
}
