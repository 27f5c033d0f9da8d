//! What a model answers, read and checked.

use serde_json::{Map, Value};

use super::prompt::gives_facts;
use super::support::{asks_to_forget, quoted, says, tells};
use crate::extract::{Action, Candidate, Heard};
use crate::memory::{Attempt, Confidence, FactKey, Importance, Kind, Outcome};
use crate::provenance::Status;
use crate::time::ZonedTime;

/// Facts that one answer may have.
const FACTS_MAX: usize = 64;
/// How sure a model's reading is where the words say the value, and where they do not. Both are below what a person
/// states and what a rule finds; nothing is measured behind the exact numbers.
const CONFIDENCE_SAID: f32 = 0.9;
const CONFIDENCE_CONCLUDED: f32 = 0.6;

/// The candidates of an answer, in the order of their turns. Facts whose quote is not in a turn that a person wrote
/// are left out.
///
/// The error says what is out of form, in a sentence that goes back to the model.
pub(super) fn candidates(
    answer: &Value,
    turns: &[Heard<'_>],
    made_by: &str,
) -> Result<Vec<Candidate>, String> {
    let facts = answer
        .get("facts")
        .and_then(Value::as_array)
        .ok_or("there is no array \"facts\"")?;
    if facts.len() > FACTS_MAX {
        let count = facts.len();
        return Err(format!(
            "{count} facts are too many: at most {FACTS_MAX}, the ones that matter"
        ));
    }
    let mut all = Vec::new();
    for (place, fact) in facts.iter().enumerate() {
        let fact = fact
            .as_object()
            .ok_or(format!("facts[{place}] is no object"))?;
        let read = candidate(&Fact(fact), turns, made_by);
        all.extend(read.map_err(|wrong| format!("facts[{place}].{wrong}"))?);
    }
    all.sort_by_key(|candidate| candidate.turn);
    Ok(all)
}

fn candidate(
    fact: &Fact<'_>,
    turns: &[Heard<'_>],
    made_by: &str,
) -> Result<Option<Candidate>, String> {
    let turn = fact.turn(turns.len())?;
    let action = match fact.text("action")?.to_lowercase().as_str() {
        "remember" => Action::Remember,
        "end" => Action::End,
        "forget" => Action::Forget,
        other => {
            return Err(format!(
                "action is \"{other}\": it must be remember, end or forget"
            ));
        }
    };
    let kind = fact.word("kind", Kind::parse)?;
    let value = fact.optional("value")?;
    let key = fact.key(value)?;
    let statement = fact.text("statement")?;
    let importance = fact.importance()?;
    let attempt = fact.attempt(kind, statement)?;
    let quote = fact.text("quote")?;
    let Some((turn, heard, quote)) = support(turn, quote, turns) else {
        return Ok(None);
    };
    let (valid_from, valid_to) = fact.validity(heard)?;
    let says_value = value.is_none_or(|value| says(quote, value));
    let is_supported = match action {
        Action::Remember => true,
        // These take something away: they need the very words.
        Action::End => value.is_some() && says_value,
        Action::Forget | Action::ForgetAll => says_value && asks_to_forget(quote),
    };
    if !is_supported {
        return Ok(None);
    }
    let is_said = (key.is_none() || says_value) && tells(heard.text, statement);
    let (status, confidence) = if is_said {
        (Status::Stated, CONFIDENCE_SAID)
    } else {
        (Status::Inferred, CONFIDENCE_CONCLUDED)
    };
    Ok(Some(Candidate {
        turn,
        action,
        value: value.filter(|_| key.is_some()).map(str::to_owned),
        key,
        statement: statement.to_owned(),
        quote: quote.to_owned(),
        kind,
        status,
        confidence: Confidence::new(confidence).map_err(|error| error.to_string())?,
        importance,
        valid_from,
        valid_to,
        attempt,
        made_by: made_by.to_owned(),
    }))
}

/// The turn that says the quote, and its words there: the one that the model names, or the only other one, for models
/// miscount lines.
fn support<'t>(
    named: usize,
    quote: &str,
    turns: &'t [Heard<'t>],
) -> Option<(usize, &'t Heard<'t>, &'t str)> {
    let said_in = |(number, heard): (usize, &'t Heard<'t>)| {
        let said = gives_facts(heard).then(|| quoted(heard.text, quote))??;
        Some((number, heard, said))
    };
    let in_named = turns.get(named).and_then(|heard| said_in((named, heard)));
    in_named.or_else(|| {
        let mut others = turns.iter().enumerate().filter_map(said_in);
        others.next().filter(|_| others.next().is_none())
    })
}

/// A fact as it was answered. Each reader returns what is wrong with its field, beginning with its name.
struct Fact<'a>(&'a Map<String, Value>);

impl<'a> Fact<'a> {
    /// A text that may be missing, null or empty.
    fn optional(&self, field: &str) -> Result<Option<&'a str>, String> {
        match self.0.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
            Some(other) => Err(format!("{field} is {other}: it must be a text or null")),
        }
    }

    fn text(&self, field: &str) -> Result<&'a str, String> {
        self.optional(field)?
            .ok_or(format!("{field} is missing: it must be a text"))
    }

    fn word<T, E: std::fmt::Display>(
        &self,
        field: &'static str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, String> {
        parse(&self.text(field)?.to_lowercase()).map_err(|error| format!("{field}: {error}"))
    }

    fn number(&self, field: &str) -> Result<u64, String> {
        let number = self.0.get(field).and_then(|value| {
            let digits = value.as_str().and_then(|digits| digits.trim().parse().ok());
            value.as_u64().or(digits)
        });
        number.ok_or(format!("{field} must be a whole number"))
    }

    fn turn(&self, count: usize) -> Result<usize, String> {
        let turn = self.number("turn")?;
        usize::try_from(turn)
            .ok()
            .filter(|turn| *turn < count)
            .ok_or(format!(
                "turn is {turn}: the lines are 0 to {}",
                count.saturating_sub(1)
            ))
    }

    fn importance(&self) -> Result<Importance, String> {
        let number = self.number("importance")?;
        u8::try_from(number)
            .ok()
            .and_then(|number| Importance::new(number).ok())
            .ok_or(format!("importance is {number}: it must be from 1 to 10"))
    }

    /// What the fact is about, where it has an attribute. An attribute needs a value, unless what is asked for is
    /// an end.
    fn key(&self, value: Option<&str>) -> Result<Option<FactKey>, String> {
        let Some(attribute) = self.optional("attribute")? else {
            return Ok(None);
        };
        if value.is_none() && self.text("action")? == "remember" {
            return Err(format!("value is missing: \"{attribute}\" needs one"));
        }
        let key = FactKey::new(self.text("entity")?, attribute);
        key.map(Some).map_err(|error| error.to_string())
    }

    /// What was tried, where something was; only an event can be an attempt.
    fn attempt(&self, kind: Kind, statement: &str) -> Result<Option<Attempt>, String> {
        if self.optional("outcome")?.is_none() {
            return Ok(None);
        }
        let outcome = self.word("outcome", Outcome::parse)?;
        if kind != Kind::Episodic {
            return Err(format!(
                "outcome is \"{outcome}\": only what is episodic has one"
            ));
        }
        Ok(Some(Attempt {
            goal: self.optional("goal")?.unwrap_or(statement).to_owned(),
            outcome,
            lesson: self.optional("lesson")?.map(str::to_owned),
        }))
    }

    /// From the first minute of a day to the last of one, where the turn was said. The day of the turn is no news:
    /// what is said today holds since it was said.
    fn validity(
        &self,
        heard: &Heard<'_>,
    ) -> Result<(Option<ZonedTime>, Option<ZonedTime>), String> {
        let from = self.time("valid_from", heard, 0)?;
        let from = from.filter(|from| from.day() != heard.at.day());
        let to = self.time("valid_to", heard, 1)?;
        match to {
            Some(end) if end.instant <= from.unwrap_or(heard.at).instant => {
                Err("valid_to must not be earlier than valid_from".to_owned())
            }
            _ => Ok((from, to)),
        }
    }

    /// A whole time, or the beginning of a day moved by whole days.
    fn time(
        &self,
        field: &'static str,
        heard: &Heard<'_>,
        days: i64,
    ) -> Result<Option<ZonedTime>, String> {
        let Some(text) = self.optional(field)? else {
            return Ok(None);
        };
        let time = ZonedTime::parse(field, text).map_err(|error| error.to_string())?;
        if text.contains(':') {
            return Ok(Some(time));
        }
        let day = time.civil().checked_add(jiff::Span::new().days(days));
        Ok(day.ok().and_then(|day| heard.at.with_civil(day)))
    }
}
