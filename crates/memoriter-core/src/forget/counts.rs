//! How much an erasure took.

use serde_json::Value;

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

    /// The counts under their words.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let listed = self.listed().into_iter();
        listed
            .map(|(name, count)| (name.to_owned(), count.into()))
            .collect::<serde_json::Map<String, Value>>()
            .into()
    }

    /// Reads what [`ErasedCounts::to_json`] wrote; `None` where a count is missing or none.
    #[must_use]
    pub fn from_json(json: &Value) -> Option<Self> {
        let count = |name| json.get(name)?.as_u64();
        Some(Self {
            memories: count("memories")?,
            turns: count("turns")?,
            vectors: count("vectors")?,
            sources: count("sources")?,
            queued: count("queued")?,
            attachments: count("attachments")?,
            spans: count("spans")?,
            fields: count("fields")?,
            checkpoints: count("checkpoints")?,
            sessions: count("sessions")?,
            ledger: count("ledger")?,
        })
    }

    /// Records that went: what stands beside one is not counted.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.memories + self.turns + self.fields + self.checkpoints + self.sessions
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
        assert_eq!(ErasedCounts::from_json(&ones.to_json()), Some(ones));
        assert_eq!(
            ErasedCounts::from_json(&serde_json::json!({"memories": 1})),
            None
        );
    }
}
