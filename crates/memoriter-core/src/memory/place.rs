//! What at most one live memory may hold.

use super::{Cardinality, Kind, Memory};
use crate::text::normalise;

impl Memory {
    /// What at most one live memory of a scope may hold. Equal bytes mean the same place.
    ///
    /// A single-valued key is one place for all values that are true since before they were recorded and until
    /// further notice. One that is true for a bounded time, or from a later day on, stands beside them: its
    /// place is the key and its start. Where the key holds a set, the normalised value belongs to the place.
    /// Without a key it is kind and normalised statement, and for an event its day; for an attempt its goal and
    /// outcome too, for what succeeds at noon may have failed in the morning.
    #[must_use]
    pub fn place(&self) -> Vec<u8> {
        let said = || normalise(self.value_or_statement());
        let is_open = self.valid_to.is_none() && self.valid_from.instant <= self.recorded_at;
        let (mut parts, last) = match (&self.key, self.kind) {
            (Some((key, Cardinality::Single)), _) => {
                let start = self.valid_from.instant.as_micros().to_string();
                let parts = vec!["single", key.entity(), key.attribute()];
                (parts, Some(start).filter(|_| !is_open))
            }
            (Some((key, Cardinality::Set)), _) => {
                (vec!["set", key.entity(), key.attribute()], Some(said()))
            }
            (None, Kind::Episodic) => {
                let day = self.valid_from.day();
                let tried = self.attempt.as_ref().map_or_else(String::new, |attempt| {
                    format!("\0{}\0{}", attempt.outcome, normalise(&attempt.goal))
                });
                (vec!["event"], Some(format!("{day}\0{}{tried}", said())))
            }
            (None, kind @ (Kind::Semantic | Kind::Procedural)) => {
                (vec!["text", kind.as_str()], Some(said()))
            }
        };
        parts.extend(last.as_deref());
        parts.join("\0").into_bytes()
    }
}
