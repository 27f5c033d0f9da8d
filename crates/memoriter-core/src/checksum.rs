//! Integrity of a record: a fingerprint that is stored with it and checked whenever it is read.
//!
//! Detects damage, not malice: whoever can write the file can write a matching checksum.

use crate::memory::Memory;
use crate::metadata::sorted;
use crate::turn::Turn;

/// The first 16 bytes of BLAKE3 over the record's content, each field with its length before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum([u8; 16]);

impl Checksum {
    /// A checksum from its bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Of a memory: what it says, about what, for whom, in which state and since when. What it was an attempt at is
    /// covered where it was one, so that the rows of format 1, which do not say, keep theirs.
    #[must_use]
    pub fn of_memory(memory: &Memory) -> Self {
        let mut fields = Fields::new(b"memory");
        fields.add(memory.id.as_bytes());
        fields.add(memory.scope.to_json().as_bytes());
        fields.add(&memory.version.to_le_bytes());
        fields.add(memory.statement.as_bytes());
        fields.add_optional(memory.value.as_deref());
        fields.add_optional(memory.fact_key().map(super::memory::FactKey::entity));
        fields.add_optional(memory.fact_key().map(super::memory::FactKey::attribute));
        fields.add_optional(memory.category.as_deref());
        for word in [
            memory.kind.as_str(),
            memory.state.as_str(),
            memory.status.as_str(),
            memory.origin.as_str(),
        ] {
            fields.add(word.as_bytes());
        }
        fields.add(&[memory.trust.level(), memory.importance.get()]);
        fields.add(&memory.valid_from.instant.as_micros().to_le_bytes());
        fields.add(
            &memory
                .valid_to
                .map_or(i64::MAX, |end| end.instant.as_micros())
                .to_le_bytes(),
        );
        fields.add(
            &memory
                .expires_at
                .map_or(i64::MAX, crate::time::Timestamp::as_micros)
                .to_le_bytes(),
        );
        fields.add(memory.metadata.to_json().as_bytes());
        if let Some(attempt) = &memory.attempt {
            fields.add(attempt.outcome.as_str().as_bytes());
            fields.add(attempt.goal.as_bytes());
            fields.add_optional(attempt.lesson.as_deref());
        }
        fields.finish()
    }

    /// Of a turn: who said what, where and when. How a provider wrote it is covered where that is kept, so that the
    /// rows of formats 1 and 2, which do not say, keep theirs.
    #[must_use]
    pub fn of_turn(turn: &Turn) -> Self {
        let message = &turn.message;
        let mut fields = Fields::new(b"turn");
        fields.add(turn.id.as_bytes());
        fields.add(turn.scope.to_json().as_bytes());
        fields.add(turn.session.as_str().as_bytes());
        fields.add(&turn.position.to_le_bytes());
        fields.add(message.role.as_str().as_bytes());
        fields.add(message.origin.as_str().as_bytes());
        fields.add_optional(message.speaker.as_deref());
        fields.add(message.content.as_bytes());
        let calls = message.tool_calls.as_ref();
        let calls = calls.map(|calls| sorted(calls.clone()).to_string());
        fields.add_optional(calls.as_deref());
        fields.add_optional(message.tool_call_id.as_deref());
        fields.add(&message.at.instant.as_micros().to_le_bytes());
        fields.add(message.metadata.to_json().as_bytes());
        if let Some(written) = &message.written {
            fields.add(sorted(written.to_json()).to_string().as_bytes());
        }
        fields.finish()
    }
}

/// Fields one after another, hashed at once: many small pieces cost more than the hash itself.
struct Fields(Vec<u8>);

impl Fields {
    fn new(record: &[u8]) -> Self {
        /// What most records take.
        const BYTES: usize = 1_024;
        let mut fields = Self(Vec::with_capacity(BYTES));
        fields.add(record);
        fields
    }

    fn add(&mut self, bytes: &[u8]) {
        self.0.extend((bytes.len() as u64).to_le_bytes());
        self.0.extend(bytes);
    }

    fn add_optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.add(text.as_bytes()),
            None => self.0.extend(u64::MAX.to_le_bytes()),
        }
    }

    fn finish(self) -> Checksum {
        let mut bytes = [0; 16];
        blake3::Hasher::new()
            .update(&self.0)
            .finalize_xof()
            .fill(&mut bytes);
        Checksum(bytes)
    }
}
