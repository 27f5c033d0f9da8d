//! Conversations with questions about them, and where to look for the answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::BufRead;

use memoriter_core::error::InvalidInput;
use memoriter_core::time::ZonedTime;
use memoriter_core::turn::{Message, SessionName};

use crate::import::ImportError;
use crate::import::node::Node;
use crate::import::published::Said;
use crate::import::source::{Items, Layout};

use super::{locomo, longmemeval, normalised};

/// A form of evaluation data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// LoCoMo as published.
    Locomo,
    /// LongMemEval as published.
    LongMemEval,
    /// One conversation a line, in the normalised form that any set can be brought into.
    Jsonl,
}

impl Suite {
    /// Every suite.
    pub const ALL: &'static [Self] = &[Self::Locomo, Self::LongMemEval, Self::Jsonl];

    /// The name that users type.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Locomo => "locomo",
            Self::LongMemEval => "longmemeval",
            Self::Jsonl => "jsonl",
        }
    }

    /// Reads the name.
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] that lists the names there are.
    pub fn parse(text: &str) -> Result<Self, InvalidInput> {
        let known = Self::ALL.iter().find(|suite| suite.as_str() == text);
        known
            .copied()
            .ok_or_else(|| InvalidInput::malformed("suite", "locomo, longmemeval or jsonl", text))
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A history and the questions that are asked about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvalConversation {
    /// Its name in the set.
    pub id: String,
    /// The language, as the set names it.
    pub lang: Option<String>,
    /// What was said, in order; ids do not repeat.
    pub turns: Vec<EvalTurn>,
    /// What is asked.
    pub questions: Vec<Question>,
    /// Turns without words, which are not among [`EvalConversation::turns`].
    pub wordless_turns: u64,
    /// Pieces of evidence that name no turn or session of this conversation, which the questions lack.
    pub dropped_evidence: u64,
}

/// A turn of a history.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalTurn {
    /// Its id, unique in the conversation: what a subject answers with.
    pub id: String,
    /// The session it belongs to.
    pub session: SessionName,
    /// What was said, within every limit.
    pub message: Message,
}

impl From<Said> for EvalTurn {
    fn from(said: Said) -> Self {
        Self {
            id: said.id,
            session: said.session,
            message: said.message,
        }
    }
}

/// A question and where its answer stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its id, unique in the set.
    pub id: String,
    /// What is asked.
    pub text: String,
    /// The set's own classification.
    pub category: String,
    /// Ids of the turns that hold the answer; each is in the conversation. May be empty.
    pub evidence: BTreeSet<String>,
    /// Names of the sessions that hold the answer; each is in the conversation. May be empty.
    pub evidence_sessions: BTreeSet<String>,
    /// Whether the right answer is that there is none.
    pub abstain: bool,
    /// When it is asked.
    pub asked_at: Option<ZonedTime>,
}

/// The conversations of a file, in order, one in memory at a time. After an error there are no more.
pub struct Conversations<'a> {
    items: Items<'a>,
    read: fn(Node<'_>) -> Result<EvalConversation, ImportError>,
    ended: bool,
}

/// Opens evaluation data.
///
/// # Errors
/// [`ImportError::Read`] when the input fails. Everything else shows while reading.
pub fn open<'a>(suite: Suite, input: impl BufRead + 'a) -> Result<Conversations<'a>, ImportError> {
    let read = match suite {
        Suite::Locomo => locomo::conversation,
        Suite::LongMemEval => longmemeval::conversation,
        Suite::Jsonl => normalised::conversation,
    };
    Ok(Conversations {
        items: Items::new(Box::new(input), Layout::Values)?,
        read,
        ended: false,
    })
}

impl Iterator for Conversations<'_> {
    type Item = Result<EvalConversation, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let item = self.items.next();
        let read = item.and_then(|item| item.map(|item| (self.read)(item.node())).transpose());
        self.ended = !matches!(read, Ok(Some(_)));
        read.transpose()
    }
}

/// What evidence may name: the turns of a conversation and their sessions.
pub(super) struct Places<'a>(BTreeMap<&'a str, &'a str>);

/// Evidence that was looked up.
#[derive(Default)]
pub(super) struct Evidence {
    pub(super) turns: BTreeSet<String>,
    pub(super) sessions: BTreeSet<String>,
    pub(super) dropped: u64,
}

impl<'a> Places<'a> {
    pub(super) fn of(turns: &'a [EvalTurn]) -> Self {
        Self(
            turns
                .iter()
                .map(|turn| (turn.id.as_str(), turn.session.as_str()))
                .collect(),
        )
    }

    /// The turns that are there and the sessions they belong to. The others are counted.
    pub(super) fn look_up(&self, named: impl IntoIterator<Item = String>) -> Evidence {
        let mut evidence = Evidence::default();
        for id in named {
            if let Some(session) = self.0.get(id.as_str()) {
                evidence.sessions.insert((*session).to_owned());
                evidence.turns.insert(id);
            } else {
                evidence.dropped += 1;
            }
        }
        evidence
    }

    /// Takes these sessions for evidence instead of those of the turns, as far as they are there.
    pub(super) fn look_up_sessions(&self, evidence: &mut Evidence, named: &[String]) {
        let known: BTreeSet<&str> = self.0.values().copied().collect();
        evidence.sessions.clear();
        for name in named {
            if known.contains(name.as_str()) {
                evidence.sessions.insert(name.clone());
            } else {
                evidence.dropped += 1;
            }
        }
    }
}

/// The strings of an array; none when the field is not there.
pub(super) fn strings(object: Node<'_>, field: &str) -> Result<Vec<String>, ImportError> {
    let Some(array) = object.get(field)? else {
        return Ok(Vec::new());
    };
    array
        .items()?
        .map(|item| item.text().map(str::to_owned))
        .collect()
}
