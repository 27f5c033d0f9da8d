//! From a rule that fits a clause to candidates: key, value, times, statement.

use std::ops::Range;

use regex::Captures;

use super::clause::{Clause, HeadAt};
use super::rule::{Rule, Shape, When, Who};
use super::value::Values;
use super::{attempt, country, region, topic, under};
use crate::extract::dates::{Grain, Lean, Said, Sense};
use crate::extract::{Candidate, Heard};
use crate::memory::{Confidence, FactKey, Importance, Kind, Outcome};
use crate::provenance::Status;
use crate::time::ZonedTime;

/// A sentence that tells something, as far as it does.
pub(super) struct Telling<'a> {
    pub(super) heard: &'a Heard<'a>,
    pub(super) turn: usize,
    pub(super) text: &'a str,
    /// The times in it, read as past and as to come.
    pub(super) past: &'a [Said],
    pub(super) future: &'a [Said],
    pub(super) has_capitals: bool,
}

/// What a rule found in a clause. Places are bytes of the sentence.
pub(super) struct Finding<'a> {
    pub(super) rule: &'static Rule,
    pub(super) captures: Captures<'a>,
    /// Where the captures' text begins.
    pub(super) at: usize,
    pub(super) who: Who,
    pub(super) relation: Option<&'a str>,
    pub(super) name: Option<&'a str>,
    /// The clause's own words.
    pub(super) clause: Range<usize>,
}

impl<'a> Finding<'a> {
    pub(super) fn in_clause(
        rule: &'static Rule,
        captures: Captures<'a>,
        head: &HeadAt<'a>,
        clause: &Clause<'a>,
    ) -> Self {
        Self {
            rule,
            captures,
            at: head.rest,
            who: head.who,
            relation: head.relation,
            name: head.name,
            clause: clause.start..clause.end,
        }
    }
}

struct Times {
    from: Option<ZonedTime>,
    to: Option<ZonedTime>,
    day: Option<ZonedTime>,
}

impl Telling<'_> {
    /// The candidates that a finding supports; none where its value is too vague or its time does not fit.
    pub(super) fn candidates(&self, values: &Values, finding: &Finding<'_>) -> Vec<Candidate> {
        let is_timed = matches!(finding.rule.when, When::Happened | When::Planned);
        if finding.rule.kind == Kind::Episodic && is_timed && points_back(&finding.captures) {
            return Vec::new();
        }
        let Some(times) = self.times(finding) else {
            return Vec::new();
        };
        let Some(raw) = self.raw_value(finding) else {
            return Vec::new();
        };
        let found = values.read(finding.rule.shape, raw, self.has_capitals);
        let mut read = Vec::new();
        for value in found {
            if !values
                .kinds
                .are_under(finding.rule, &self.words(finding, &value))
            {
                continue;
            }
            let keys = finding.rule.key.split('|');
            read.extend(keys.filter_map(|key| self.candidate(finding, &times, (key, &value))));
        }
        read
    }

    /// The words around a value.
    fn words<'a>(&'a self, finding: &'a Finding<'_>, value: &'a str) -> under::Words<'a> {
        let part = |name| finding.captures.name(name);
        let end = part("v").map_or(finding.at, |raw| finding.at + raw.end());
        under::Words {
            thing: part("t").map_or("", |thing| thing.as_str()),
            raw: part("v").map_or("", |raw| raw.as_str()),
            value,
            matched: finding.captures.get(0).map_or("", |all| all.as_str()),
            behind: self.text.get(end..).unwrap_or_default(),
            sentence: self.text,
        }
    }

    /// The words that the value is read from: up to the end of the clause, and to a time that follows.
    fn raw_value(&self, finding: &Finding<'_>) -> Option<&str> {
        let Some(value) = finding.captures.name("v") else {
            return Some("");
        };
        let start = finding.at + value.start();
        let mut end = finding.at + value.end();
        let rule = finding.rule;
        if matches!(rule.shape, Shape::Clause | Shape::Topic) {
            return self.text.get(start..end);
        }
        if finding.clause.end > start && rule.shape != Shape::Things {
            end = end.min(finding.clause.end);
        }
        if !matches!(rule.shape, Shape::Birthday | Shape::Day | Shape::Word) {
            let time = self
                .past
                .iter()
                .find(|said| said.range.start >= start && said.range.start < end);
            end = time.map_or(end, |said| said.range.start);
        }
        self.text.get(start..end)
    }

    fn candidate(
        &self,
        finding: &Finding<'_>,
        times: &Times,
        (key, value): (&str, &str),
    ) -> Option<Candidate> {
        let rule = finding.rule;
        let (key, value) = self.key_and_value(finding, times, (key, value))?;
        let statement = self.statement(finding)?;
        let attempt = attempt::told(&finding.captures);
        let went = attempt.as_ref().map(|attempt| attempt.outcome);
        if attempt::needs_outcome(rule) && went.is_none_or(|went| went == Outcome::Unknown) {
            return None;
        }
        let has_happened = |time: &ZonedTime| {
            !attempt::needs_outcome(rule) || time.instant <= self.heard.at.instant
        };
        let importance = Importance::new(rule.importance).unwrap_or(Importance::DEFAULT);
        Some(Candidate {
            turn: self.turn,
            action: rule.action,
            key,
            value,
            statement: statement.to_owned(),
            attempt,
            quote: statement.to_owned(),
            kind: rule.kind,
            status: if rule.is_concluded {
                Status::Inferred
            } else {
                Status::Stated
            },
            confidence: confidence(rule),
            importance,
            valid_from: times
                .from
                .filter(|_| !rule.action.is_to_forget())
                .filter(has_happened),
            valid_to: times.to.filter(|_| went.is_none()),
            made_by: rule.name.to_owned(),
        })
    }

    fn key_and_value(
        &self,
        finding: &Finding<'_>,
        times: &Times,
        (key, value): (&str, &str),
    ) -> Option<(Option<FactKey>, Option<String>)> {
        let rule = finding.rule;
        if rule.shape == Shape::Topic {
            if let Some((entity, attribute)) = topic::of_relative(value) {
                return Some((FactKey::new(&entity, attribute).ok(), None));
            }
            if let Some((entity, attribute, value)) = topic::of_somebody(value) {
                return Some((FactKey::new(&entity, &attribute).ok(), value));
            }
            return match topic::to_forget(value) {
                Some((attribute, value)) => Some((self.key(finding, &attribute), value)),
                None if asks_to_forget(&finding.captures) => Some((None, topic::words(value))),
                None => None,
            };
        }
        if key == "age" && !value.parse().is_ok_and(|age: u8| (1..=120).contains(&age)) {
            return None;
        }
        let thing = finding.captures.name("t").map(|thing| thing.as_str());
        let told = if rule.shape == Shape::Day {
            times.day?.day().to_string()
        } else {
            let thing = thing.unwrap_or_default().to_lowercase();
            rule.value.replace("{v}", value).replace("{t}", &thing)
        };
        let told = Some(told).filter(|told| !told.is_empty());
        if key.is_empty() {
            return Some((None, told));
        }
        let attribute = attribute(finding, (key, thing), value);
        Some((Some(self.key(finding, &attribute)?), told))
    }

    fn key(&self, finding: &Finding<'_>, attribute: &str) -> Option<FactKey> {
        let me = self.heard.me;
        let entity = match finding.relation {
            Some(relation) if matches!(finding.who, Who::RELATIVE | Who::PET) => {
                let relative = topic::one_of(relation, finding.name);
                if me == super::USER {
                    relative
                } else {
                    format!("{me}'s {relative}")
                }
            }
            Some(_) | None if finding.who == Who::USER => super::USER.to_owned(),
            Some(_) | None => me.to_owned(),
        };
        FactKey::new(&entity, attribute).ok()
    }

    /// The times that the rule asks for; `None` where one that must be there is not.
    fn times(&self, finding: &Finding<'_>) -> Option<Times> {
        let now = self.heard.at.instant;
        let lean = match finding.rule.when {
            When::Planned => Lean::Future,
            When::Since if finding.rule.shape == Shape::Day => Lean::Future,
            When::Since | When::Happened | When::Ignored => Lean::Past,
        };
        let until = self
            .in_clause(finding, Lean::Future)
            .find(|said| said.sense == Sense::Until);
        let to = until
            .and_then(|said| said.time)
            .filter(|time| time.instant > now);
        let from = self
            .in_clause(finding, lean)
            .find(|said| said.sense == Sense::From && self.belongs(finding, said));
        let from_time = from.and_then(|said| said.time);
        let lasting = self
            .in_clause(finding, lean)
            .find(|said| said.sense == Sense::For);
        match finding.rule.when {
            When::Ignored => Some(Times {
                from: None,
                to,
                day: None,
            }),
            When::Since if finding.rule.shape == Shape::Day => {
                let day = from
                    .filter(|said| said.grain == Grain::Day)
                    .and_then(|said| said.time);
                let day = day.filter(|day| day.instant >= now || day.day() == self.heard.at.day());
                Some(Times {
                    from: None,
                    to: None,
                    day: Some(day?),
                })
            }
            When::Since => {
                let began = lasting
                    .filter(|_| goes_on_now(finding))
                    .and_then(|said| said.time);
                Some(Times {
                    from: from_time.or(began),
                    to,
                    day: None,
                })
            }
            When::Planned => {
                let planned = from_time
                    .filter(|time| time.instant >= now || time.day() == self.heard.at.day())?;
                Some(Times {
                    from: Some(planned),
                    to,
                    day: None,
                })
            }
            When::Happened => {
                let happened = from_time.filter(|time| time.instant <= now)?;
                Some(Times {
                    from: Some(happened),
                    to: None,
                    day: None,
                })
            }
        }
    }

    /// Whether a time belongs to the clause's own verb: "a film that came out last week" was not made then.
    fn belongs(&self, finding: &Finding<'_>, said: &Said) -> bool {
        const JOINTS: [&str; 15] = [
            " that ",
            " which ",
            " who ",
            " after ",
            " before ",
            " when ",
            " because ",
            " where ",
            " while ",
            " — ",
            " – ",
            " - ",
            ": ",
            "; ",
            " (",
        ];
        let between = self
            .text
            .get(finding.at.min(said.range.start)..said.range.start)
            .unwrap_or_default();
        !JOINTS.iter().any(|joint| between.contains(joint))
    }

    fn in_clause(&self, finding: &Finding<'_>, lean: Lean) -> impl Iterator<Item = &Said> {
        let said = match lean {
            Lean::Past => self.past,
            Lean::Future => self.future,
        };
        let clause = finding.clause.clone();
        said.iter()
            .filter(move |said| clause.contains(&said.range.start))
    }

    /// The clause's words without punctuation at their end.
    fn statement(&self, finding: &Finding<'_>) -> Option<&str> {
        let used = finding.at + finding.captures.name("v").map_or(0, |value| value.start());
        let is_whole = finding.rule.key.is_empty() && finding.rule.when == When::Ignored
            || attempt::needs_outcome(finding.rule);
        let matched = finding
            .captures
            .get(0)
            .filter(|_| is_whole)
            .map_or(0, |all| all.end());
        let end = finding.clause.end.max(used).max(finding.at + matched);
        let end = if finding.rule.kind == Kind::Procedural {
            self.text.len()
        } else {
            end
        };
        let words = self.text.get(finding.clause.start..end)?;
        let words = words.trim().trim_end_matches(|c: char| {
            c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':' | '!' | '-' | '–' | '—' | '(')
        });
        Some(words).filter(|words| !words.is_empty())
    }
}

/// "Delete my last paragraph" is no request to a memory.
fn asks_to_forget(captures: &Captures<'_>) -> bool {
    let words = captures
        .get(0)
        .map_or("", |all| all.as_str())
        .to_lowercase();
    [
        "forget",
        "unlearn",
        "the record",
        "everything about my",
        "memor",
        "remember",
        "you know",
        "you have",
        "you saved",
        "you stored",
        "i told",
        "i said",
        "i mentioned",
        "i shared",
        "i wrote",
    ]
    .iter()
    .any(|word| words.contains(word))
}

/// Whether the clause speaks of what still is: "I've worked here for two years".
fn goes_on_now(finding: &Finding<'_>) -> bool {
    let words = finding
        .captures
        .get(0)
        .map_or("", |all| all.as_str())
        .trim_start();
    ["'ve", "’ve", "'s been", "’s been", "have ", "has "]
        .iter()
        .any(|start| words.starts_with(start))
}

/// Whether an event is told of "it": what that is, stands elsewhere.
fn points_back(captures: &Captures<'_>) -> bool {
    let words = captures
        .get(0)
        .map_or("", |all| all.as_str())
        .split_whitespace();
    let mut first = words
        .take(7)
        .map(|word| word.trim_matches(|c: char| !c.is_alphabetic()));
    first.any(|word| {
        matches!(
            word,
            "it" | "them" | "there" | "something" | "things" | "stuff"
        )
    })
}

/// The attribute of the key: as the rule says, in one word for one thing.
fn attribute(finding: &Finding<'_>, (key, thing): (&str, Option<&str>), value: &str) -> String {
    let named = thing.unwrap_or_default();
    let is_of_home = matches!(finding.rule.name, "lives" | "lives-no-more" | "home-is");
    match key {
        "city" if country::is_country(value) => "country".to_owned(),
        // Who moves to Texas has left the city before; who lives there has not said in which.
        "city" if is_of_home && region::is_region(value) => "region".to_owned(),
        "hometown" if country::is_country(value) => "origin".to_owned(),
        "{t}" if thing.is_none() => "partner".to_owned(),
        "{t}"
            if topic::attribute(named).is_some()
                || finding.who == Who::USER
                || finding.rule.is_of_owner() =>
        {
            topic::attribute_or_words(named)
        }
        "{t}" => topic::relative(named),
        key => key.replace("{t}", &topic::attribute_or_words(named)),
    }
}

/// A form is seldom wrong about a key; whether an event is worth its place is less sure.
fn confidence(rule: &Rule) -> Confidence {
    let sure = if rule.kind == Kind::Episodic {
        0.8
    } else {
        0.9
    };
    Confidence::new(sure).unwrap_or(Confidence::FULL)
}
