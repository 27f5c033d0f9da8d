//! Whether a record holds the words that are to be erased.

use memoriter_core::board::Field;
use memoriter_core::checkpoint::Checkpoint;
use memoriter_core::forget::Phrase;
use memoriter_core::memory::Memory;
use memoriter_core::turn::Turn;

pub(super) fn memory_says(memory: &Memory, phrase: &Phrase) -> bool {
    let key = memory.fact_key().map(ToString::to_string);
    let attempt = memory.attempt.as_ref();
    let texts = [
        Some(memory.statement.as_str()),
        memory.value.as_deref(),
        memory.category.as_deref(),
        memory.actor.as_deref(),
        attempt.map(|attempt| attempt.goal.as_str()),
        attempt.and_then(|attempt| attempt.lesson.as_deref()),
    ];
    let quotes = memory.sources.iter().map(|source| source.quote.as_str());
    texts
        .into_iter()
        .flatten()
        .chain(quotes)
        .any(|text| phrase.is_in(text))
        || key.is_some_and(|key| phrase.is_in_name(&key))
        || phrase.is_in(&memory.metadata.to_json())
}

pub(super) fn turn_says(turn: &Turn, phrase: &Phrase) -> bool {
    let message = &turn.message;
    let calls = message.tool_calls.as_ref().map(ToString::to_string);
    let texts = [
        Some(message.content.as_str()),
        message.speaker.as_deref(),
        calls.as_deref(),
    ];
    texts.into_iter().flatten().any(|text| phrase.is_in(text))
        || phrase.is_in(&message.metadata.to_json())
}

pub(super) fn field_says(field: &Field, phrase: &Phrase) -> bool {
    let value = field.to_json();
    let texts = [value.as_deref(), field.actor.as_deref()];
    phrase.is_in_name(&field.name) || texts.into_iter().flatten().any(|text| phrase.is_in(text))
}

pub(super) fn checkpoint_says(checkpoint: &Checkpoint, phrase: &Phrase) -> bool {
    let approval = checkpoint.approval.as_ref();
    let asked_for = approval
        .and_then(|asks| asks.asked_for.as_ref())
        .map(ToString::to_string);
    let texts = [
        checkpoint.label.as_deref(),
        approval.map(|asks| asks.question.as_str()),
        asked_for.as_deref(),
    ];
    texts.into_iter().flatten().any(|text| phrase.is_in(text))
}
