//! Turns that say what is forgotten, or say it again.

use std::collections::BTreeSet;

use memoriter_core::extract::{Action, Candidate, Heard};
use memoriter_core::forget::Phrase;
use memoriter_core::id::TurnId;
use memoriter_core::memory::{FactKey, Memory};
use memoriter_core::port::Extractor;
use memoriter_core::provenance::{Origin, SourceRef};
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{Role, Turn};
use memoriter_core::write::{as_said_by_the_user, names_value, tells_the_user};
use memoriter_store::index::ScopeIndex;

use crate::error::Error;
use crate::handle::ScopedMemory;

/// Turns that are looked at for one memory.
const TURNS_MAX: usize = 200;
/// Words from which a statement without key is known again in a turn that holds them all.
const WORDS_MIN: usize = 4;

/// A memory that goes on request.
pub(crate) struct Gone {
    pub(crate) memory: Memory,
    pub(crate) asked_at: Timestamp,
}

impl ScopedMemory {
    /// The turns in use that say what `gone` says, up to the request: the user's own under the same key, and an
    /// assistant's that repeat it to the user.
    pub(crate) fn echoes(&self, gone: &[Gone]) -> Result<Vec<TurnId>, Error> {
        let mut echoes = BTreeSet::new();
        for gone in gone {
            let sources = self.source_turns(&gone.memory)?;
            for turn in self.turns_with_words_of(&gone.memory)? {
                let is_before = turn.message.at.instant <= gone.asked_at;
                if is_before && self.says_again(&turn, &gone.memory, &sources) {
                    echoes.insert(turn.id);
                }
            }
        }
        Ok(echoes.into_iter().collect())
    }

    /// Whether a turn holds the words of what any of `gone` says, and says it.
    pub(crate) fn is_echo(&self, turn: &Turn, gone: &[Gone]) -> Result<bool, Error> {
        for gone in gone {
            // Where the words are none to look for, nothing says them.
            let holds = words_of(&gone.memory)
                .and_then(|words| Phrase::new(words).ok())
                .is_some_and(|phrase| phrase.is_in(&turn.message.content));
            let is_before = turn.message.at.instant <= gone.asked_at;
            if holds && is_before {
                let sources = self.source_turns(&gone.memory)?;
                if self.says_again(turn, &gone.memory, &sources) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// What a user's turn says, by rules.
    pub(crate) fn said_by_the_user(&self, turn: &Turn) -> Vec<Candidate> {
        self.read_as_user(&turn.message.content, turn, "user")
    }

    /// What an assistant's turn says of the user, by rules.
    pub(crate) fn said_of_the_user(&self, turn: &Turn) -> Vec<Candidate> {
        let text = as_said_by_the_user(&turn.message.content);
        let read = self.read_as_user(&text, turn, "user");
        read.into_iter()
            .filter(|candidate| candidate.key.is_some())
            .collect()
    }

    /// The value that a statement of the user has under a key, by rules; `None` where they read none or several.
    pub(crate) fn value_in(&self, statement: &str, key: &FactKey) -> Option<String> {
        let heard = Heard {
            role: Role::User,
            origin: Origin::User,
            me: "user",
            text: statement,
            at: ZonedTime::utc(self.engine.clock.now()),
        };
        let read = self.engine.rules().extract(&[heard]).ok()?;
        let mut values = read.into_iter().filter_map(|candidate| {
            let its_key = self.engine.attributes.canonical(candidate.key.as_ref()?);
            let is_told = candidate.action == Action::Remember && its_key == *key;
            is_told.then_some(candidate.value).flatten()
        });
        let only = values.next()?;
        values.next().is_none().then_some(only)
    }

    fn says_again(&self, turn: &Turn, memory: &Memory, sources: &[Turn]) -> bool {
        let Some(key) = memory.fact_key() else {
            // Its words were all found in the turn.
            return matches!(turn.message.role, Role::User | Role::Assistant);
        };
        let value = memory.value_or_statement();
        let says = |candidate: &Candidate| {
            let its_key = candidate.key.as_ref();
            let its_key = its_key.map(|key| self.engine.attributes.canonical(key));
            its_key.as_ref() == Some(key)
                && candidate
                    .value
                    .as_deref()
                    .is_some_and(|said| names_value(key.attribute(), said, value))
        };
        match turn.message.role {
            Role::User => {
                let me = speaker_in(key, turn);
                self.read_as_user(&turn.message.content, turn, &me)
                    .iter()
                    .any(says)
            }
            Role::Assistant => {
                let of_session = |source: &&Turn| source.session == turn.session;
                let answers = |source: &Turn| source.position.checked_add(1) == Some(turn.position);
                let mut near = sources.iter().filter(of_session);
                near.any(|source| answers(source) || tells_the_user(&turn.message.content, value))
                    || self.said_of_the_user(turn).iter().any(says)
            }
            Role::System | Role::Tool => false,
        }
    }

    fn read_as_user(&self, text: &str, turn: &Turn, me: &str) -> Vec<Candidate> {
        let heard = Heard {
            role: Role::User,
            origin: Origin::User,
            me,
            text,
            at: turn.message.at,
        };
        // Rules do not fail; what they do not read says nothing under a key.
        self.engine.rules().extract(&[heard]).unwrap_or_default()
    }

    fn source_turns(&self, memory: &Memory) -> Result<Vec<Turn>, Error> {
        let turns = memory.sources.iter().filter_map(|source| match source.of {
            SourceRef::Turn(id) => Some(id),
            SourceRef::Memory(_) => None,
        });
        Ok(self.turns_of(&turns.collect::<Vec<_>>())?.rows)
    }

    /// Turns in use that hold all words of what a memory says.
    pub(crate) fn turns_with_words_of(&self, memory: &Memory) -> Result<Vec<Turn>, Error> {
        let Some(words) = words_of(memory) else {
            return Ok(Vec::new());
        };
        let scopes = std::slice::from_ref(&self.scope);
        let ask = |indexes: &[&ScopeIndex]| {
            let own = indexes.first();
            own.map(|index| index.turns_holding(words, TURNS_MAX))
        };
        let store = self.engine.store.as_ref();
        let found = self.engine.indexes.with(store, scopes, ask)?;
        let mut turns = self.turns_of(&found.unwrap_or_default())?.rows;
        // A turn that calls a tool stands with the result.
        turns.retain(|turn| turn.retired_at.is_none() && turn.message.tool_calls.is_none());
        Ok(turns)
    }
}

/// The words that a turn has to hold to say what a memory says; `None` where they are too few to tell.
fn words_of(memory: &Memory) -> Option<&str> {
    if memory.key.is_some() {
        return Some(memory.value_or_statement());
    }
    let statement = memory.statement.as_str();
    (statement.split_whitespace().count() >= WORDS_MIN).then_some(statement)
}

/// Whom "I" stands for in a turn about a fact: the speaker where the key is about one, else the user.
fn speaker_in(key: &FactKey, turn: &Turn) -> String {
    let speaker = turn.message.speaker_or_role().to_lowercase();
    if key.entity().starts_with(&speaker) {
        speaker
    } else {
        "user".to_owned()
    }
}
