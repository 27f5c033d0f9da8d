//! The temporary store that the demonstration plays on, and how a step is told.

use std::sync::Arc;

use memoriter::core::memory::FactKey;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Memoriter, Note, Scope, ScopedMemory, SeededEntropy, TurnDraft, TurnKey};
use serde::Serialize;
use serde_json::Value;
use tempfile::TempDir;

use super::story::Session;
use crate::clock::SetClock;
use crate::failure::Failure;

/// Makes the ids the same each time.
const SEED: u64 = 1;
/// Microseconds between the turns of the story.
const MINUTE_MICROS: i64 = 60_000_000;

/// A store, a clock and Priya.
pub(super) struct Stage {
    pub(super) priya: ScopedMemory,
    pub(super) memory: Memoriter,
    clock: Arc<SetClock>,
    /// Dropped last: the folder of the store.
    _folder: TempDir,
}

/// One step of the demonstration.
#[derive(Serialize)]
pub(super) struct Step {
    title: &'static str,
    /// What a user would type.
    command: &'static str,
    #[serde(skip)]
    text: String,
    result: Value,
}

impl Stage {
    pub(super) fn new() -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(|error| Failure::file(&error))?;
        let clock = Arc::new(SetClock::new(Timestamp::from_micros(0)));
        let memory = Memoriter::builder()
            .clock(Arc::clone(&clock) as Arc<_>)
            .entropy(Arc::new(SeededEntropy::new(SEED)))
            .open(folder.path().join("demo.db"))?;
        Ok(Self {
            priya: memory.scope(Scope::user("priya")),
            memory,
            clock,
            _folder: folder,
        })
    }

    /// Lets time pass.
    pub(super) fn go_to(&self, time: &str) {
        self.clock.set(told(time).instant);
    }

    /// Appends a session, a turn a minute, and returns how many turns were new.
    pub(super) fn append(&self, session: &Session) -> Result<usize, Failure> {
        let name = SessionName::new(session.name)?;
        let start = told(session.starts_at);
        let draft = |(index, (role, words)): (i64, &(Role, &str))| {
            let at = ZonedTime {
                instant: start.instant.plus_micros(index * MINUTE_MICROS),
                ..start
            };
            let mut message = Message::new(*role, *words, at);
            message.speaker = (*role == Role::User).then(|| "Priya".to_owned());
            TurnDraft {
                session: name.clone(),
                key: TurnKey::At(index.unsigned_abs()),
                message,
            }
        };
        let drafts = (0..).zip(session.turns).map(draft);
        let drafts: Vec<TurnDraft> = drafts.collect();
        if let Some(last) = drafts.last() {
            self.clock.set(last.message.at.instant);
        }
        let appended = self.priya.append(drafts)?;
        Ok(appended.iter().filter(|turn| turn.is_new).count())
    }
}

impl Step {
    pub(super) fn new(
        title: &'static str,
        command: &'static str,
        text: impl Into<String>,
        result: Value,
    ) -> Self {
        Self {
            title,
            command,
            text: text.into(),
            result,
        }
    }

    /// The step for people.
    pub(super) fn text(&self, number: usize) -> String {
        let body = self.text.replace('\n', "\n   ");
        format!("{number}. {}\n   $ {}\n   {body}", self.title, self.command)
    }
}

/// A statement under a key.
pub(super) fn fact(statement: &str, under: &str, value: &str) -> Note {
    Note::new(statement).key(key(under)).value(value)
}

/// A key of the story.
pub(super) fn key(text: &str) -> FactKey {
    text.parse()
        .expect("the keys of the story are entity.attribute")
}

/// The start of a day of the story.
pub(super) fn midnight(day: &str) -> ZonedTime {
    told(day)
}

fn told(time: &str) -> ZonedTime {
    ZonedTime::parse("time", time).expect("the times of the story are RFC 3339")
}
