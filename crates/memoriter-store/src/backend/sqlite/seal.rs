//! Fingerprints of whole rows, and of places.
//!
//! [`Checksum`] covers what a record says. The file's checksum covers that and every other column that only
//! changes together with it, so that no flipped bit goes unseen. Left out are the change number, which
//! `verify` compares with the feed, and the marks that a recall leaves.

use memoriter_core::checksum::Checksum;
use memoriter_core::memory::Memory;
use memoriter_core::provenance::SourceRef;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::Turn;

/// The fingerprint of a memory's row and its sources. The end that was told is covered where there is one, so that
/// the rows of format 1, which do not say, keep theirs.
pub(super) fn of_memory(memory: &Memory) -> [u8; 16] {
    let mut fields = Fields::over(Checksum::of_memory(memory));
    fields.text(memory.tier.as_str());
    fields.text(memory.key.as_ref().map_or("", |(_, cardinality)| {
        super::decode::cardinality_word(*cardinality)
    }));
    fields.number(i64::from(memory.confidence.get().to_bits()));
    fields.text(memory.actor.as_deref().unwrap_or(""));
    fields.number(i64::from(memory.valid_from.offset_seconds));
    fields.number(
        memory
            .valid_to
            .map_or(i64::MIN, |end| i64::from(end.offset_seconds)),
    );
    fields.number(memory.recorded_at.as_micros());
    fields.time(memory.retired_at);
    fields.time(memory.last_confirmed_at);
    fields.number(i64::from(memory.confirmations));
    for other in [memory.supersedes, memory.superseded_by] {
        fields.bytes(other.as_ref().map_or(&[], |id| id.as_bytes().as_slice()));
    }
    for source in &memory.sources {
        match &source.of {
            SourceRef::Turn(id) => fields.bytes(&[b"t", id.as_bytes().as_slice()].concat()),
            SourceRef::Memory(id) => fields.bytes(&[b"m", id.as_bytes().as_slice()].concat()),
        }
        fields.text(&source.quote);
    }
    if let Some(end) = memory.told_to {
        fields.number(end.instant.as_micros());
        fields.number(i64::from(end.offset_seconds));
    }
    fields.finish()
}

/// The fingerprint of a turn's row. When it was retired is covered where it was, so that the rows of format 1,
/// which do not say, keep theirs.
pub(super) fn of_turn(turn: &Turn) -> [u8; 16] {
    let mut fields = Fields::over(Checksum::of_turn(turn));
    let ZonedTime { offset_seconds, .. } = turn.message.at;
    fields.number(i64::from(offset_seconds));
    fields.number(turn.recorded_at.as_micros());
    if let Some(at) = turn.retired_at {
        fields.number(at.as_micros());
    }
    fields.finish()
}

/// The fingerprint of a vector: shorter than a record's, because a damaged vector misleads a search and never
/// a reader.
pub(super) fn of_vector(scale: f32, codes: &[u8]) -> [u8; 8] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&scale.to_le_bytes());
    hasher.update(codes);
    let mut seal = [0; 8];
    hasher.finalize_xof().fill(&mut seal);
    seal
}

/// What stands for a tombstone's mark in the file, as [`of_place`] does for a place.
pub(super) fn of_mark(secret: &[u8; 32], mark: &[u8]) -> [u8; 16] {
    first_half(&blake3::keyed_hash(secret, mark))
}

/// What stands for a memory's place in the file: its words cannot be read or guessed from it without the
/// store's secret.
pub(super) fn of_place(secret: &[u8; 32], memory: &Memory) -> [u8; 16] {
    first_half(&blake3::keyed_hash(secret, &memory.place()))
}

/// Fields one after another, hashed at once.
struct Fields(Vec<u8>);

impl Fields {
    fn over(checksum: Checksum) -> Self {
        /// What most rows take.
        const BYTES: usize = 512;
        let mut fields = Vec::with_capacity(BYTES);
        fields.extend(checksum.as_bytes());
        Self(fields)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend((bytes.len() as u64).to_le_bytes());
        self.0.extend(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn number(&mut self, number: i64) {
        self.0.extend(number.to_le_bytes());
    }

    fn time(&mut self, time: Option<Timestamp>) {
        self.number(time.map_or(i64::MIN, Timestamp::as_micros));
    }

    fn finish(self) -> [u8; 16] {
        first_half(&blake3::hash(&self.0))
    }
}

fn first_half(hash: &blake3::Hash) -> [u8; 16] {
    let (half, _) = hash
        .as_bytes()
        .split_first_chunk()
        .expect("a BLAKE3 hash has 32 bytes");
    *half
}
