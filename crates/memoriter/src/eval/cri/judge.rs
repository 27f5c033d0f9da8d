//! What was remembered, held against the truth.

use std::collections::BTreeSet;

use memoriter_core::id::TurnId;
use memoriter_core::memory::{Memory, State};
use memoriter_core::provenance::SourceRef;
use memoriter_core::time::{CalendarDay, ZonedTime};
use memoriter_core::turn::Role;
use memoriter_core::write::{Sameness, compare_values, names_value};
use serde_json::{Value, json};

use super::{Change, Cri, Remembered, keys};

/// The entity whose values the set asks for.
const USER: &str = "user";

/// How a value stands against the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All of it.
    Found,
    /// A part of it, and nothing else.
    Part,
    /// Something else.
    Wrong,
    /// Nothing.
    Absent,
}

impl Verdict {
    /// The word for tables and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Part => "part",
            Self::Wrong => "wrong",
            Self::Absent => "absent",
        }
    }
}

/// An attribute of the final profile.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileRow {
    /// Its name in the set.
    pub attribute: String,
    /// Whether anything here keeps it under a key.
    pub has_key: bool,
    /// The values that are live.
    pub live: Vec<String>,
    /// How they stand.
    pub verdict: Verdict,
}

/// A change of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeRow {
    /// The attribute in the set.
    pub attribute: String,
    /// The value after it.
    pub new: String,
    /// Since when a version with the new value is true.
    pub since: Option<CalendarDay>,
    /// Until when a version with the old value was true.
    pub until: Option<CalendarDay>,
    /// Whether the new one begins within the days in which the change shows.
    pub starts_right: bool,
    /// Whether the old one ends within them.
    pub ends_right: bool,
}

/// A text that says something about the user, or does not.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleRow {
    /// The text.
    pub text: String,
    /// Whether the user says it in the conversation.
    pub is_said: bool,
    /// What is stored of it.
    pub stored: Vec<String>,
}

/// How extraction did.
#[derive(Clone, Debug, PartialEq)]
pub struct CriReport {
    /// Turns of the conversation.
    pub turns: usize,
    /// Memories, in any state.
    pub memories: usize,
    /// The final profile.
    pub profile: Vec<ProfileRow>,
    /// The changes, in the order of the set.
    pub changes: Vec<ChangeRow>,
    /// Texts of which nothing shall be stored.
    pub noise: Vec<ExampleRow>,
    /// Texts of which something shall be stored.
    pub signal: Vec<ExampleRow>,
}

/// Holds what was remembered against the truth.
#[must_use]
pub fn judge(set: &Cri, remembered: Remembered<'_>) -> CriReport {
    let judge = Judge { set, remembered };
    let example = |text: &String| judge.example(text);
    CriReport {
        turns: set.turns.len(),
        memories: remembered.memories.len(),
        profile: set
            .profile
            .iter()
            .map(|(name, truth)| judge.profile(name, truth))
            .collect(),
        changes: set
            .changes
            .iter()
            .map(|change| judge.change(change))
            .collect(),
        noise: set.noise.iter().map(example).collect(),
        signal: set.signal.iter().map(example).collect(),
    }
}

struct Judge<'a> {
    set: &'a Cri,
    remembered: Remembered<'a>,
}

impl<'a> Judge<'a> {
    fn profile(&self, attribute: &str, truth: &[String]) -> ProfileRow {
        let live = self
            .versions(attribute)
            .filter(|memory| memory.state == State::Live);
        let live: Vec<String> = live
            .map(|memory| memory.value_or_statement().to_owned())
            .collect();
        ProfileRow {
            verdict: verdict(attribute, &live, truth),
            attribute: attribute.to_owned(),
            has_key: !keys(attribute).is_empty(),
            live,
        }
    }

    fn change(&self, change: &Change) -> ChangeRow {
        let Change {
            attribute,
            old,
            new,
            turns,
        } = change;
        let days: Vec<CalendarDay> = self
            .set
            .turns
            .iter()
            .filter(|turn| turns.contains(&turn.id))
            .map(|turn| turn.message.at.day())
            .collect();
        let shows = |day: Option<CalendarDay>| {
            day.is_some_and(|day| {
                days.iter().min() <= Some(&day) && days.iter().max() >= Some(&day)
            })
        };
        let of = |truth: &str| -> Vec<&Memory> {
            self.versions(attribute)
                .filter(|memory| is_part(attribute, memory.value_or_statement(), truth))
                .collect()
        };
        let starts: Vec<CalendarDay> = of(new)
            .iter()
            .map(|memory| memory.valid_from.day())
            .collect();
        let ends: Vec<CalendarDay> = of(old)
            .iter()
            .filter_map(|memory| memory.valid_to.map(ZonedTime::day))
            .collect();
        let best = |days: &[CalendarDay]| {
            let right = days.iter().find(|day| shows(Some(**day)));
            right.or(days.first()).copied()
        };
        let (since, until) = (best(&starts), best(&ends));
        ChangeRow {
            attribute: attribute.clone(),
            new: new.clone(),
            since,
            until,
            starts_right: shows(since),
            ends_right: shows(until),
        }
    }

    /// Versions that were true for a while, under the keys that stand for an attribute.
    fn versions(&self, attribute: &str) -> impl Iterator<Item = &'a Memory> + use<'a> {
        let keys = keys(attribute);
        self.remembered.memories.iter().filter(move |memory| {
            let is_true = memory.valid_to.is_none_or(|end| memory.valid_from < end);
            let is_believed = !matches!(memory.state, State::Pending | State::Quarantined);
            let is_under = memory
                .fact_key()
                .is_some_and(|key| key.entity() == USER && keys.contains(&key.attribute()));
            is_true && is_believed && is_under
        })
    }

    fn example(&self, text: &str) -> ExampleRow {
        let said = text.to_lowercase();
        let turns: BTreeSet<&str> = self
            .set
            .turns
            .iter()
            .filter(|turn| turn.message.role == Role::User)
            .filter(|turn| turn.message.content.to_lowercase().contains(&said))
            .map(|turn| turn.id.as_str())
            .collect();
        let is_there = |id: TurnId| {
            self.remembered
                .names
                .get(&id)
                .is_some_and(|name| turns.contains(name.as_str()))
        };
        let of_it = self.remembered.memories.iter().filter(|memory| {
            memory.sources.iter().any(|source| match source.of {
                SourceRef::Turn(id) => is_there(id),
                SourceRef::Memory(_) => false,
            })
        });
        ExampleRow {
            text: text.to_owned(),
            is_said: !turns.is_empty(),
            stored: of_it.map(|memory| memory.statement.clone()).collect(),
        }
    }
}

fn verdict(attribute: &str, live: &[String], truth: &[String]) -> Verdict {
    if live.is_empty() {
        return Verdict::Absent;
    }
    let fits = |value: &String| truth.iter().any(|truth| is_part(attribute, value, truth));
    if !live.iter().all(fits) {
        return Verdict::Wrong;
    }
    let is_found = |truth: &String| live.iter().any(|value| is_all(attribute, value, truth));
    if truth.iter().all(is_found) {
        Verdict::Found
    } else {
        Verdict::Part
    }
}

fn is_all(attribute: &str, value: &str, truth: &str) -> bool {
    compare_values(attribute, truth, value) == Sameness::Same
}

/// Whether a value says the truth or a part of it: every word of it is there.
fn is_part(attribute: &str, value: &str, truth: &str) -> bool {
    names_value(attribute, value, truth)
}

impl CriReport {
    /// The attributes of the final profile with a verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.profile
            .iter()
            .filter(|row| row.verdict == verdict)
            .count()
    }

    /// The report as one JSON document.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let day = |day: Option<CalendarDay>| day.map(|day| day.to_string());
        let profile = self.profile.iter().map(|row| {
            json!({
                "attribute": row.attribute,
                "has_key": row.has_key,
                "live": row.live,
                "verdict": row.verdict.as_str(),
            })
        });
        let changes = self.changes.iter().map(|row| {
            json!({
                "attribute": row.attribute,
                "new": row.new,
                "since": day(row.since),
                "until": day(row.until),
                "starts_right": row.starts_right,
                "ends_right": row.ends_right,
            })
        });
        json!({
            "suite": "cri",
            "turns": self.turns,
            "memories": self.memories,
            "profile": profile.collect::<Vec<_>>(),
            "changes": changes.collect::<Vec<_>>(),
            "noise": examples(&self.noise),
            "signal": examples(&self.signal),
        })
    }
}

fn examples(rows: &[ExampleRow]) -> Vec<Value> {
    let row = |row: &ExampleRow| json!({ "text": row.text, "is_said": row.is_said, "stored": row.stored });
    rows.iter().map(row).collect()
}
