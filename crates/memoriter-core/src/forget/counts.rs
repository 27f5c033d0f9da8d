//! How much an erasure took.

/// Rows that were removed, by what they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErasedCounts {
    /// Memories, each version counted.
    pub memories: u64,
    /// Turns.
    pub turns: u64,
    /// Vectors of memories and turns.
    pub vectors: u64,
    /// Edges from memories to what supports them, those of memories that stay among them.
    pub sources: u64,
    /// Entries of the queue of turns to be read, done and given up ones among them.
    pub queued: u64,
    /// Attachments of turns.
    pub attachments: u64,
    /// What older turns came to.
    pub spans: u64,
    /// Versions of board fields.
    pub fields: u64,
    /// Checkpoints.
    pub checkpoints: u64,
    /// Sessions as a whole.
    pub sessions: u64,
    /// Lines of the ledger that name nothing any more, or are gone.
    pub ledger: u64,
}

impl ErasedCounts {
    /// Each count with the word that users and files see, in a fixed order.
    #[must_use]
    pub fn listed(&self) -> [(&'static str, u64); 11] {
        [
            ("memories", self.memories),
            ("turns", self.turns),
            ("vectors", self.vectors),
            ("sources", self.sources),
            ("queued", self.queued),
            ("attachments", self.attachments),
            ("spans", self.spans),
            ("fields", self.fields),
            ("checkpoints", self.checkpoints),
            ("sessions", self.sessions),
            ("ledger", self.ledger),
        ]
    }

    /// Adds the counts of another unit.
    pub fn add(&mut self, more: &Self) {
        self.memories += more.memories;
        self.turns += more.turns;
        self.vectors += more.vectors;
        self.sources += more.sources;
        self.queued += more.queued;
        self.attachments += more.attachments;
        self.spans += more.spans;
        self.fields += more.fields;
        self.checkpoints += more.checkpoints;
        self.sessions += more.sessions;
        self.ledger += more.ledger;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_is_added_and_listed() {
        let ones = ErasedCounts {
            memories: 1,
            turns: 2,
            vectors: 3,
            sources: 4,
            queued: 5,
            attachments: 6,
            spans: 7,
            fields: 8,
            checkpoints: 9,
            sessions: 10,
            ledger: 11,
        };
        let mut twice = ones;
        twice.add(&ones);
        let doubled = ones.listed().map(|(name, count)| (name, 2 * count));
        assert_eq!(twice.listed(), doubled);
        assert_eq!(
            ones.listed().map(|(_, count)| count),
            std::array::from_fn(|at| at as u64 + 1)
        );
    }
}
