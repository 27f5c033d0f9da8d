//! Fingerprints of whole rows, and of places.
//!
//! [`Checksum`] covers what a record says. The file's checksum covers that and every other column that only
//! changes together with it, so that no flipped bit goes unseen. Left out are the change number, which
//! `verify` compares with the feed, and the marks that a recall leaves.

use memoriter_core::attachment::{Attachment, AttachmentId};
use memoriter_core::board::Field;
use memoriter_core::checkpoint::Checkpoint;
use memoriter_core::checksum::Checksum;
use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::Memory;
use memoriter_core::provenance::SourceRef;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::Turn;

/// The fingerprint of a memory's row and its sources. The end that was told and since when it is pinned are covered
/// where there are such, so that the rows of formats that do not say keep theirs.
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
        fields.source(&source.of);
        fields.text(&source.quote);
    }
    if let Some(end) = memory.told_to {
        fields.number(end.instant.as_micros());
        fields.number(i64::from(end.offset_seconds));
    }
    if let Some(at) = memory.pinned_at {
        fields.text("pinned");
        fields.number(at.as_micros());
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

/// The fingerprint of a field's row, or of what it was until a change. Unlike a record's it covers the change number,
/// which tells to which board a field belongs.
pub(super) fn of_field(field: &Field, until: Option<ChangeNumber>) -> [u8; 16] {
    let mut fields = Fields::new(b"field");
    fields.text(&field.scope.to_json());
    fields.text(field.session.as_str());
    fields.text(&field.name);
    fields.count(field.change.0);
    fields.count(until.map_or(u64::MAX, |until| until.0));
    fields.count(field.revision);
    fields.text(field.terms.kind.as_str());
    fields.text(field.terms.rule.as_str());
    fields.optional_text(field.terms.owner.as_deref());
    fields.count(u64::from(field.terms.is_protected));
    fields.optional_source(field.source.as_ref());
    fields.optional_text(field.actor.as_deref());
    fields.number(field.at.as_micros());
    fields.optional_text(field.to_json().as_deref());
    fields.finish()
}

/// The fingerprint of a checkpoint's row and, by their hash, of its bytes.
pub(super) fn of_checkpoint(checkpoint: &Checkpoint, hash: &[u8; 16]) -> [u8; 16] {
    let mut fields = Fields::new(b"checkpoint");
    fields.bytes(checkpoint.id.as_bytes());
    fields.text(&checkpoint.scope.to_json());
    fields.text(checkpoint.session.as_str());
    fields.count(checkpoint.as_of.0);
    fields.count(checkpoint.turns.into());
    fields.text(&checkpoint.kind);
    fields.bytes(hash);
    let parent = checkpoint.parent.as_ref();
    fields.bytes(parent.map_or(&[], |id| id.as_bytes().as_slice()));
    fields.optional_text(checkpoint.label.as_deref());
    fields.number(checkpoint.at.as_micros());
    if let Some(approval) = &checkpoint.approval {
        fields.text(&approval.question);
        let asked_for = approval.asked_for.as_ref().map(ToString::to_string);
        fields.optional_text(asked_for.as_deref());
        if let Some(answered) = &approval.answered {
            fields.text(answered.answer.as_str());
            fields.optional_text(answered.by.as_deref());
            fields.number(answered.at.as_micros());
        }
    }
    fields.finish()
}

/// What stands for bytes in the file: nothing can be guessed from it without the store's secret.
pub(super) fn of_data(secret: &[u8; 32], bytes: &[u8]) -> [u8; 16] {
    first_half(&blake3::keyed_hash(secret, bytes))
}

/// The fingerprint of an attachment's row; its bytes have theirs, part by part.
pub(super) fn of_attachment(attachment: &Attachment) -> [u8; 16] {
    let mut fields = Fields(Vec::new());
    fields.text("attachment");
    fields.bytes(attachment.id.as_bytes());
    fields.text(&attachment.scope.to_json());
    fields.text(attachment.session.as_str());
    fields.bytes(attachment.turn.as_bytes());
    fields.text(attachment.media_type.as_str());
    // A name is never empty.
    fields.text(attachment.name.as_deref().unwrap_or(""));
    fields.bytes(&(attachment.bytes as u64).to_le_bytes());
    fields.number(attachment.recorded_at.as_micros());
    fields.finish()
}

/// The fingerprint of a part of an attachment, in its place.
pub(super) fn of_part(id: AttachmentId, ordinal: u64, bytes: &[u8]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(id.as_bytes());
    hasher.update(&ordinal.to_le_bytes());
    hasher.update(bytes);
    first_half(&hasher.finalize())
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

    fn new(kind: &[u8]) -> Self {
        let mut fields = Self(Vec::new());
        fields.bytes(kind);
        fields
    }

    fn source(&mut self, of: &SourceRef) {
        match of {
            SourceRef::Turn(id) => self.bytes(&[b"t", id.as_bytes().as_slice()].concat()),
            SourceRef::Memory(id) => self.bytes(&[b"m", id.as_bytes().as_slice()].concat()),
        }
    }

    fn optional_source(&mut self, of: Option<&SourceRef>) {
        match of {
            Some(of) => self.source(of),
            None => self.count(u64::MAX),
        }
    }

    fn optional_text(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.count(u64::MAX),
        }
    }

    fn count(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
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
