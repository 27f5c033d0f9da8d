//! Candidates that ask for something to go: it is true no longer, or it shall be forgotten.

use std::collections::BTreeSet;

use super::decision::{Decision, DecisionKind, Reason, Resolution};
use super::meaning::{Content, names_value};
use super::reconcile::{retired, skip_unknown};
use crate::memory::{FactKey, Memory, State};
use crate::provenance::Trust;
use crate::text::normalise;
use crate::time::Timestamp;

/// What a request is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The key, where it can be told.
    pub key: Option<FactKey>,
    /// The value in the speaker's words, or without a key what the statement is about; `None` for whatever is
    /// under the key.
    pub value: Option<String>,
    /// The request as it was said.
    pub statement: String,
    /// How far the speaker is believed: nothing of higher trust goes.
    pub trust: Trust,
    /// When it was asked for: what was said later is not meant, also where it arrived earlier.
    pub asked_at: Timestamp,
    /// Whether everything is meant.
    pub is_all: bool,
}

impl Target {
    /// Whether `memory`, one under the key, is meant. Without a key it is one whose statement or value has the words, or
    /// one about somebody of that name.
    pub(super) fn means(&self, memory: &Memory) -> bool {
        let (attribute, said) = match &self.key {
            Some(key) => (key.attribute(), memory.value_or_statement()),
            None => ("", memory.statement.as_str()),
        };
        let names_entity = |about: &str| {
            let entity = memory.fact_key().filter(|_| self.key.is_none());
            entity.is_some_and(|key| is_name_of(about, key.entity()))
        };
        let is_open = matches!(
            memory.state,
            State::Live | State::Dormant | State::Pending | State::Quarantined
        );
        let is_named = self.value.as_deref().is_none_or(|value| {
            names_value(attribute, value, said)
                || self.key.is_none() && names_value("", value, memory.value_or_statement())
                || names_entity(value)
        });
        is_open && is_named && memory.trust <= self.trust && !self.is_older_than(memory)
    }

    /// Whether `memory`, one under the key, is history of what all is meant: it was true, and is not any more.
    #[must_use]
    pub fn means_past(&self, memory: &Memory) -> bool {
        let is_past = matches!(memory.state, State::Superseded | State::Expired);
        let was_true = memory.valid_to.is_none_or(|end| memory.valid_from < end);
        self.key.is_some()
            && self.value.is_none()
            && is_past
            && was_true
            && memory.trust <= self.trust
            && !self.is_older_than(memory)
    }

    /// Whether a memory was said after the request. It came into the store later and is true from a later time; a
    /// plan that was there when the request was made is older, though its time is to come.
    fn is_older_than(&self, memory: &Memory) -> bool {
        memory.recorded_at > self.asked_at && memory.valid_from.instant > self.asked_at
    }
}

/// Memories that one request without key may take out of use; more were hardly meant.
const MEANT_MAX: usize = 20;

/// What is meant goes out of use: one decision each, or one that there is nothing. Where it is not clear what is meant,
/// nothing goes, and each that may be is named.
#[must_use]
pub fn forget(target: &Target, versions: &[Memory], now: Timestamp) -> Vec<Resolution> {
    if target.key.is_none() && target.value.is_none() && !target.is_all {
        return vec![unclear(None)];
    }
    if let Some(about) = target.value.as_deref().filter(|_| target.key.is_none()) {
        let meant = versions.iter().filter(|memory| target.means(memory));
        let meant: Vec<&Memory> = meant.collect();
        if meant.len() > MEANT_MAX || bearers(about, &meant).len() > 1 {
            return meant
                .into_iter()
                .map(|memory| unclear(Some(memory)))
                .collect();
        }
    }
    let gone = versions
        .iter()
        .filter(|memory| target.means(memory))
        .map(|memory| {
            let retired = Memory {
                state: State::Retracted,
                ..retired(memory, now)
            };
            one(memory, DecisionKind::Delete, Reason::Requested, retired)
        });
    let gone: Vec<Resolution> = gone.collect();
    if gone.is_empty() {
        return vec![skip_unknown(Reason::NothingToForget)];
    }
    gone
}

/// What is asked for under one name and may be known under another.
const ALSO_CALLED: &[(&str, &str)] = &[("job", "employer")];

/// What a request means where nothing is under the key that it names: the only sister there is by her name, the
/// employer for the job. Of two sisters neither is meant for sure, which makes the request an unclear one. `None`
/// where nothing else can be meant either.
#[must_use]
pub fn meant_instead(target: &Target, known: &[Memory]) -> Option<Target> {
    let key = target.key.as_ref()?;
    let is_one_of = |other: &&FactKey| {
        let kind = other.entity().split_once(':').map(|(kind, _)| kind);
        kind == Some(key.entity()) && other.attribute() == key.attribute()
    };
    let is_also_called = |other: &&FactKey| {
        other.entity() == key.entity()
            && ALSO_CALLED.contains(&(key.attribute(), other.attribute()))
    };
    let keys: BTreeSet<&FactKey> = known
        .iter()
        .filter(|memory| memory.state == State::Live)
        .filter_map(Memory::fact_key)
        .filter(|other| is_one_of(other) || is_also_called(other))
        .collect();
    let mut keys = keys.into_iter();
    let key = keys.next()?.clone();
    Some(match keys.next() {
        None => Target {
            key: Some(key),
            ..target.clone()
        },
        Some(_) => Target {
            key: None,
            value: None,
            ..target.clone()
        },
    })
}

/// Whose name a word is among memories: `dog` and `friend` where there are a dog and a friend of that name.
fn bearers<'m>(name: &str, memories: &[&'m Memory]) -> BTreeSet<&'m str> {
    let bearer = |memory: &&'m Memory| {
        let key = memory.fact_key()?;
        if let Some((kind, _)) = key.entity().split_once(':') {
            return is_name_of(name, key.entity()).then_some(kind);
        }
        let value = memory.value.as_deref()?;
        let (kind, of_pet) = value
            .split_once(" named ")
            .unwrap_or((key.attribute(), value));
        (normalise(of_pet) == normalise(name)).then_some(kind)
    };
    memories.iter().filter_map(bearer).collect()
}

/// Whether a word is the name of an entity: `Rex` of `dog:rex`.
fn is_name_of(name: &str, entity: &str) -> bool {
    let own = entity.split_once(':').map_or(entity, |(_, name)| name);
    own != "user" && own == name.to_lowercase()
}

fn unclear(memory: Option<&Memory>) -> Resolution {
    Resolution {
        decision: Decision {
            kind: DecisionKind::Ask,
            reason: Reason::UnclearRequest,
            id: memory.map(|memory| memory.id),
            supersedes: None,
        },
        insert: None,
        updates: Vec::new(),
    }
}

/// What a tombstone of this request must match: what is said by the memories that went, and where the user or
/// operator asks, the key, or key and value. Anybody else can only undo what he could have written.
#[must_use]
pub fn marks_of_request(target: &Target, gone: &[Memory]) -> Vec<Vec<u8>> {
    let mut marks = Vec::new();
    if target.trust == Trust::FULL {
        marks.push(match (&target.key, &target.value) {
            (Some(key), None) => key_mark(key),
            (Some(key), Some(value)) => value_mark(key, value),
            (None, _) => text_mark(&target.statement),
        });
    }
    marks.extend(gone.iter().flat_map(marks_of_memory));
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// What a tombstone of a memory that went must match: what it says, and not all that is under its key.
#[must_use]
pub fn marks_of_memory(gone: &Memory) -> Vec<Vec<u8>> {
    let of_value = gone
        .fact_key()
        .map(|key| value_mark(key, gone.value_or_statement()));
    of_value
        .into_iter()
        .chain([text_mark(&gone.statement)])
        .collect()
}

/// What of a candidate a tombstone may match: everything, its key, its key and value, its statement.
#[must_use]
pub fn marks(candidate: &Memory) -> Vec<Vec<u8>> {
    let mut marks = vec![mark_of_everything(), text_mark(&candidate.statement)];
    if let Some(key) = candidate.fact_key() {
        marks.push(key_mark(key));
        marks.push(value_mark(key, candidate.value_or_statement()));
    }
    marks
}

/// What a tombstone of a memory that a person rejected must match: what it says. It bears on what is read or concluded
/// alone, so it is not the mark of a request to forget.
#[must_use]
pub fn marks_of_rejected(rejected: &Memory) -> Vec<Vec<u8>> {
    let marks = marks_of_memory(rejected).into_iter();
    marks
        .map(|mark| [b"rejected\0".as_slice(), &mark].concat())
        .collect()
}

/// What a tombstone of "forget everything about me" must match: every candidate has it.
#[must_use]
pub fn mark_of_everything() -> Vec<u8> {
    b"everything".to_vec()
}

fn key_mark(key: &FactKey) -> Vec<u8> {
    ["key", key.entity(), key.attribute()]
        .join("\0")
        .into_bytes()
}

fn value_mark(key: &FactKey, value: &str) -> Vec<u8> {
    let mut mark = ["value", key.entity(), key.attribute()]
        .join("\0")
        .into_bytes();
    for word in Content::of(value).words {
        mark.extend_from_slice(&word.0.to_le_bytes());
    }
    mark
}

fn text_mark(text: &str) -> Vec<u8> {
    ["text", &normalise(text)].join("\0").into_bytes()
}

pub(super) fn one(
    memory: &Memory,
    kind: DecisionKind,
    reason: Reason,
    becomes: Memory,
) -> Resolution {
    let decision = Decision {
        kind,
        reason,
        id: Some(memory.id),
        supersedes: None,
    };
    Resolution {
        decision,
        insert: None,
        updates: vec![becomes],
    }
}

#[cfg(test)]
mod tests;
