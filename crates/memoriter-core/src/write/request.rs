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

/// What a request means where nothing is under the key that it names: the only sister there is by her name, whoever bears the
/// name that it names, the employer for the job, and what the user has by that value under another key. Of two sisters neither is
/// meant for sure, which makes the request an unclear one. `None` where nothing else can be meant either.
#[must_use]
pub fn meant_instead(target: &Target, known: &[Memory]) -> Option<Target> {
    let key = target.key.as_ref()?;
    let is_one_of = |other: &&FactKey| {
        let is_named = other
            .entity()
            .split_once(':')
            .is_some_and(|(kind, name)| kind == key.entity() || name == key.entity());
        is_named && other.attribute() == key.attribute()
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
    let keys = if keys.is_empty() {
        keys_of_value(target, known)
    } else {
        keys
    };
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

/// The keys of the same entity under which the value of a request is live.
fn keys_of_value<'m>(target: &Target, known: &'m [Memory]) -> BTreeSet<&'m FactKey> {
    let (Some(key), Some(value)) = (&target.key, &target.value) else {
        return BTreeSet::new();
    };
    let has_value = |memory: &&Memory| {
        let other = memory
            .fact_key()
            .filter(|other| other.entity() == key.entity());
        let held = memory.value.as_deref();
        other
            .zip(held)
            .is_some_and(|(other, held)| names_value(other.attribute(), value, held))
    };
    let live = known.iter().filter(|memory| memory.state == State::Live);
    live.filter(has_value)
        .filter_map(Memory::fact_key)
        .collect()
}

/// Of `known` what is known of those who go: with the brother Tom what is under `brother:tom`, with the dog what is under
/// `dog`. Where the request names nobody and nobody goes, it is whoever is the only one of that kind; of several nobody.
#[must_use]
pub fn of_bearers<'m>(target: &Target, gone: &[Memory], known: &'m [Memory]) -> Vec<&'m Memory> {
    let Some(key) = target.key.as_ref().filter(|key| key.entity() == "user") else {
        return Vec::new();
    };
    let mut bearers: BTreeSet<String> = gone.iter().filter_map(bearer_of).collect();
    if target.value.is_none() {
        let kind = key.attribute();
        let entities = known
            .iter()
            .filter_map(|memory| Some(memory.fact_key()?.entity()));
        let of_kind =
            entities.filter(|entity| entity.split_once(':').is_some_and(|(one, _)| one == kind));
        let of_kind: BTreeSet<&str> = of_kind.collect();
        if let (true, [only]) = (
            gone.is_empty(),
            &of_kind.into_iter().collect::<Vec<_>>()[..],
        ) {
            bearers.insert((*only).to_owned());
        }
        bearers.insert(kind.to_owned());
    }
    let is_of_them = |memory: &&Memory| {
        let entity = memory.fact_key().map(FactKey::entity);
        entity.is_some_and(|entity| bearers.contains(entity))
    };
    let everything = Target {
        key: None,
        value: None,
        is_all: true,
        ..target.clone()
    };
    known
        .iter()
        .filter(is_of_them)
        .filter(|memory| everything.means(memory))
        .collect()
}

/// Whom a memory of the user is about: `brother:tom` for the brother Tom, `dog:rex` for the pet "dog named Rex".
fn bearer_of(memory: &Memory) -> Option<String> {
    let key = memory.fact_key().filter(|key| key.entity() == "user")?;
    let value = memory.value.as_deref()?;
    let (kind, name) = value
        .split_once(" named ")
        .unwrap_or((key.attribute(), value));
    Some(format!("{}:{}", kind.to_lowercase(), name.to_lowercase()))
}

/// Whether words of a person, such as "my brother Tom", name whom a key is about, by kind, by name or by both.
///
/// ```
/// use memoriter_core::write::is_about;
///
/// let key = "brother:tom.job".parse()?;
/// assert!(is_about(&key, "my brother") && is_about(&key, "Tom") && is_about(&key, "brother Tom"));
/// assert!(!is_about(&key, "Tom's job") && !is_about(&key, "sister"));
/// # Ok::<(), memoriter_core::error::InvalidInput>(())
/// ```
#[must_use]
pub fn is_about(key: &FactKey, words: &str) -> bool {
    let words = normalise(words);
    let words = words.strip_prefix("my ").unwrap_or(&words);
    let entity = key.entity();
    let (kind, name) = entity.split_once(':').unwrap_or((entity, entity));
    let both = format!("{kind} {name}");
    entity != "user" && [kind, name, &both].contains(&words)
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
