//! Which columns are content, in the order in which they are read and encrypted.

use memoriter_core::board::Field;
use memoriter_core::checkpoint::Checkpoint;
use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::{Attempt, AttemptRef, Memory, Outcome};
use memoriter_core::metadata::Metadata;
use memoriter_core::turn::{Message, SessionName, Turn};

use super::cipher::Binding;
use super::decode::{Columns, Undecodable};
use super::keys::{Cover, Covered};

/// The columns of [`MemoryContent`], the ciphertext first.
macro_rules! memory_content {
    () => {
        "memory.cipher, category, entity, attribute, value, statement, goal, lesson, actor, metadata "
    };
}
/// The columns of [`TurnContent`], the ciphertext first.
macro_rules! turn_content {
    () => {
        "turn.cipher, speaker, content, tool_calls, tool_call_id, metadata, written "
    };
}
pub(super) use {memory_content, turn_content};

/// What a memory says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MemoryContent<'t> {
    pub(super) category: Option<&'t str>,
    pub(super) key: Option<(&'t str, &'t str)>,
    pub(super) value: Option<&'t str>,
    pub(super) statement: &'t str,
    pub(super) goal: Option<&'t str>,
    pub(super) lesson: Option<&'t str>,
    pub(super) actor: Option<&'t str>,
    pub(super) metadata: &'t str,
}

impl<'t> MemoryContent<'t> {
    /// Of a memory, whose metadata are given as text.
    pub(super) fn of(memory: &'t Memory, metadata: &'t str) -> Self {
        let attempt = memory.attempt.as_ref().map(Attempt::borrowed);
        Self {
            category: memory.category.as_deref(),
            key: memory.fact_key().map(|key| (key.entity(), key.attribute())),
            value: memory.value.as_deref(),
            statement: &memory.statement,
            goal: attempt.map(|attempt| attempt.goal),
            lesson: attempt.and_then(|attempt| attempt.lesson),
            actor: memory.actor.as_deref(),
            metadata,
        }
    }

    /// Reads the columns that [`memory_content`] names, and what a column before the others has encrypted of them.
    pub(super) fn read(next: &mut Columns<'t>) -> Result<Self, Undecodable> {
        Ok(Self {
            category: next.content()?,
            key: match (next.content()?, next.content()?) {
                (Some(entity), Some(attribute)) => Some((entity, attribute)),
                (None, None) => None,
                (Some(_), None) | (None, Some(_)) => {
                    return Err(Undecodable("the key is not whole".into()));
                }
            },
            value: next.content()?,
            statement: next.some_content()?,
            goal: next.content()?,
            lesson: next.content()?,
            actor: next.content()?,
            metadata: next.some_content()?,
        })
    }

    /// What stands in the columns, and the ciphertext, which holds the quotes of sources as well.
    pub(super) fn cover(&self, cover: &Cover, id: &[u8; 16], quotes: &[&str]) -> Covered<'t, 9> {
        let columns = [
            self.category,
            self.key.map(|(entity, _)| entity),
            self.key.map(|(_, attribute)| attribute),
            self.value,
            Some(self.statement),
            self.goal,
            self.lesson,
            self.actor,
            Some(self.metadata),
        ];
        cover.cover(&memory_binding(id), columns, quotes)
    }

    /// How it was an attempt, with how that went.
    pub(super) fn attempt(
        &self,
        outcome: Option<&str>,
    ) -> Result<Option<AttemptRef<'t>>, Undecodable> {
        match (outcome, self.goal, self.lesson) {
            (Some(outcome), Some(goal), lesson) => Ok(Some(AttemptRef {
                goal,
                outcome: Outcome::parse(outcome)?,
                lesson,
            })),
            (None, None, None) => Ok(None),
            _ => Err(Undecodable("the attempt is not whole".into())),
        }
    }
}

/// What a turn says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnContent<'t> {
    pub(super) speaker: Option<&'t str>,
    pub(super) content: &'t str,
    pub(super) tool_calls: Option<&'t str>,
    pub(super) tool_call_id: Option<&'t str>,
    pub(super) metadata: &'t str,
    pub(super) written: Option<&'t str>,
}

impl<'t> TurnContent<'t> {
    /// Reads the columns that [`turn_content`] names, and what a column before the others has encrypted of them.
    pub(super) fn read(next: &mut Columns<'t>) -> Result<Self, Undecodable> {
        Ok(Self {
            speaker: next.content()?,
            content: next.some_content()?,
            tool_calls: next.content()?,
            tool_call_id: next.content()?,
            metadata: next.some_content()?,
            written: next.content()?,
        })
    }
}

/// Texts that a turn is kept in and does not hold itself.
pub(super) struct TurnTexts {
    tool_calls: Option<String>,
    metadata: String,
    written: Option<String>,
}

impl TurnTexts {
    pub(super) fn of(message: &Message) -> Self {
        let written = message.written.as_ref();
        Self {
            tool_calls: message.tool_calls.as_ref().map(ToString::to_string),
            metadata: metadata_text(&message.metadata),
            written: written.map(|written| written.to_json().to_string()),
        }
    }

    /// What stands in the columns, and the ciphertext.
    pub(super) fn cover<'t>(&'t self, cover: &Cover, turn: &'t Turn) -> Covered<'t, 6> {
        let columns = [
            turn.message.speaker.as_deref(),
            Some(turn.message.content.as_str()),
            self.tool_calls.as_deref(),
            turn.message.tool_call_id.as_deref(),
            Some(self.metadata.as_str()),
            self.written.as_deref(),
        ];
        cover.cover(&turn_binding(turn.id.as_bytes()), columns, &[])
    }
}

/// What the content of a field is bound to: the version of it that a change wrote.
pub(super) fn field_id(session: &SessionName, name: &str, change: ChangeNumber) -> Vec<u8> {
    // No name has a zero.
    let names = [session.as_str().as_bytes(), b"\0", name.as_bytes(), b"\0"].concat();
    [names.as_slice(), &change.0.to_le_bytes()].concat()
}

/// What stands in the columns of a field's owner, actor and value, and the ciphertext.
pub(super) fn cover_field<'t>(
    cover: &Cover,
    field: &'t Field,
    value: Option<&'t str>,
) -> Covered<'t, 3> {
    let id = field_id(&field.session, &field.name, field.change);
    let columns = [field.terms.owner.as_deref(), field.actor.as_deref(), value];
    cover.cover(&Binding::to("field", &id), columns, &[])
}

/// What stands in the columns of a checkpoint's kind, label, question, what it is asked for, and who answered, and the
/// ciphertext.
pub(super) fn cover_checkpoint<'t>(
    cover: &Cover,
    checkpoint: &'t Checkpoint,
    asked_for: Option<&'t str>,
) -> Covered<'t, 5> {
    let approval = checkpoint.approval.as_ref();
    let answered = approval.and_then(|asks| asks.answered.as_ref());
    let columns = [
        Some(checkpoint.kind.as_str()),
        checkpoint.label.as_deref(),
        approval.map(|asks| asks.question.as_str()),
        asked_for,
        answered.and_then(|answered| answered.by.as_deref()),
    ];
    let binding = Binding::to("checkpoint", checkpoint.id.as_bytes());
    cover.cover(&binding, columns, &[])
}

/// What the bytes of checkpoints are bound to.
pub(super) fn data_binding(hash: &[u8; 16]) -> Binding<'_> {
    Binding::to("checkpoint_data", hash)
}

/// Canonical JSON, and nothing for nothing.
pub(super) fn metadata_text(metadata: &Metadata) -> String {
    if metadata.is_empty() {
        String::new()
    } else {
        metadata.to_json()
    }
}

/// What the content of a memory is bound to.
pub(super) fn memory_binding(id: &[u8; 16]) -> Binding<'_> {
    Binding::to("memory", id)
}

/// What the content of a turn is bound to.
pub(super) fn turn_binding(id: &[u8; 16]) -> Binding<'_> {
    Binding::to("turn", id)
}

/// What the vector of a record is bound to.
pub(super) fn vector_binding(kind: i64, id: &[u8; 16]) -> Binding<'_> {
    Binding {
        part: kind.cast_unsigned(),
        ..Binding::to("embedding", id)
    }
}
