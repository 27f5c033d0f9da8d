//! CRI: one long conversation with an assistant, and what is true of the user in the end, what changed on the way, and
//! which turns say something about him.
//!
//! [`Cri::read`] reads the two files of a persona; [`judge`] holds what was remembered against them. Which of our keys
//! stands for an attribute of the set is the table below: an attribute without a key is one that nothing here keeps
//! as a value.

mod judge;

use std::collections::BTreeMap;
use std::io::BufRead;

use memoriter_core::id::TurnId;
use memoriter_core::memory::Memory;
use memoriter_core::time::ZonedTime;
use memoriter_core::turn::{Message, NAME_BYTES_MAX, Role};
use serde_json::Value;

use super::dataset::EvalTurn;
use crate::import::ImportError;
use crate::import::node::Node;
use crate::import::source::{Items, Layout};

pub use judge::{ChangeRow, CriReport, ExampleRow, ProfileRow, Verdict, judge};

/// Attributes of the set and the attributes of `user` that stand for them.
const KEYS: &[(&str, &[&str])] = &[
    ("name", &["name"]),
    ("age", &["age"]),
    ("family_status", RELATIONSHIP),
    ("relationship_status", RELATIONSHIP),
    ("ethnicity", &["ethnicity", "nationality"]),
    ("occupation", &["job"]),
    ("occupation_history", &[]),
    ("hobbies", &["hobby"]),
    ("diet", &["diet"]),
    ("health", &["condition", "medication"]),
    ("side_projects", &["project"]),
    ("city", &["city"]),
    ("property", &[]),
    ("commute", &[]),
    ("schedule", &[]),
    ("motivations", &["goal"]),
    ("political_views", &[]),
    ("communication_style", &[]),
    ("tech_preferences", &[]),
];
const RELATIONSHIP: &[&str] = &["marital_status", "relationship", "partner"];

/// What was remembered of the conversation.
#[derive(Clone, Copy, Debug)]
pub struct Remembered<'a> {
    /// Every memory of the scope, in any state.
    pub memories: &'a [Memory],
    /// What the set calls each turn.
    pub names: &'a BTreeMap<TurnId, String>,
}

/// The set.
#[derive(Clone, Debug, PartialEq)]
pub struct Cri {
    /// What was said, in order.
    pub turns: Vec<EvalTurn>,
    /// The values in the end, by attribute.
    profile: Vec<(String, Vec<String>)>,
    changes: Vec<Change>,
    /// Texts that say nothing about the user.
    noise: Vec<String>,
    /// Texts that do.
    signal: Vec<String>,
}

/// A value that took the place of another.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    attribute: String,
    old: String,
    new: String,
    /// The turns in which it shows, from the first word of it to the last.
    turns: Vec<String>,
}

impl Cri {
    /// Reads `conversations.jsonl` and `ground_truth.json`.
    ///
    /// # Errors
    /// [`ImportError`] with the place of what is not as it should be.
    pub fn read(conversation: impl BufRead, truth: impl BufRead) -> Result<Self, ImportError> {
        let mut items = Items::new(Box::new(conversation), Layout::Values)?;
        let mut turns = Vec::new();
        while let Some(item) = items.next()? {
            turns.push(turn(&item.node())?);
        }
        let mut items = Items::new(Box::new(truth), Layout::Values)?;
        let item = items.next()?.ok_or(ImportError::Empty)?;
        let truth = item.node();
        let changes = truth.need("changes")?;
        let changes = changes
            .items()?
            .map(|node| change(&node))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            turns,
            profile: profile(&truth.need("final_profile")?)?,
            changes,
            noise: texts(&truth.need("noise_examples")?)?,
            signal: texts(&truth.need("signal_examples")?)?,
        })
    }
}

impl Cri {
    /// The set with those turns alone that the truth names: what shows a change, and the examples. For extractors
    /// that take their time.
    #[must_use]
    pub fn named(mut self) -> Self {
        let shown: Vec<&String> = self
            .changes
            .iter()
            .flat_map(|change| &change.turns)
            .collect();
        let examples: Vec<&String> = self.noise.iter().chain(&self.signal).collect();
        self.turns
            .retain(|turn| shown.contains(&&turn.id) || examples.contains(&&turn.message.content));
        self
    }
}

/// The attributes of `user` under which an attribute of the set is kept.
fn keys(attribute: &str) -> &'static [&'static str] {
    let row = KEYS.iter().find(|(name, _)| *name == attribute);
    row.map_or(&[], |(_, keys)| *keys)
}

fn turn(node: &Node<'_>) -> Result<EvalTurn, ImportError> {
    let at = node.need("timestamp")?;
    // The set names no zone.
    let time = [at.text()?, "Z"].concat();
    let at = at.valid(ZonedTime::parse("timestamp", &time))?;
    let role = node.need("role")?;
    let role = role.valid(Role::parse(role.text()?))?;
    Ok(EvalTurn {
        id: node.need("message_id")?.value().to_string(),
        session: node.need("session_id")?.session()?,
        message: node.checked(Message::new(role, node.need_text("content")?, at))?,
    })
}

fn change(node: &Node<'_>) -> Result<Change, ImportError> {
    let mut turns = vec![node.need("changed_around_msg")?.value().to_string()];
    for turn in node.need("key_messages")?.items()? {
        turns.push(turn.value().to_string());
    }
    Ok(Change {
        attribute: node.need("fact")?.name("fact", NAME_BYTES_MAX)?,
        old: node.need_text("old_value")?.to_owned(),
        new: node.need_text("new_value")?.to_owned(),
        turns,
    })
}

fn profile(node: &Node<'_>) -> Result<Vec<(String, Vec<String>)>, ImportError> {
    let mut profile = Vec::new();
    for name in node.names()? {
        let attribute = node.need(name)?;
        let value = attribute.need("value")?;
        let values = match value.value() {
            Value::Array(_) => {
                let items = value.items()?;
                items
                    .map(|item| Ok(item.text()?.to_owned()))
                    .collect::<Result<_, ImportError>>()?
            }
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_) => {
                vec![value.text()?.to_owned()]
            }
        };
        profile.push((name.to_owned(), values));
    }
    Ok(profile)
}

fn texts(node: &Node<'_>) -> Result<Vec<String>, ImportError> {
    let items = node.items()?;
    items
        .map(|item| Ok(item.need_text("text")?.to_owned()))
        .collect()
}
