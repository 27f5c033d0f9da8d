//! What somebody tried, and how it went.

use super::{Kind, Memory, STATEMENT_BYTES_MAX};
use crate::error::{InvalidInput, check_some_text};
use crate::provenance::words;
use crate::text::normalise;

words! {
    /// How an attempt went.
    Outcome, "outcome", "success, failure or unknown" {
        /// It did what it was for.
        Success = "success",
        /// It did not.
        Failure = "failure",
        /// Nobody has said yet.
        Unknown = "unknown",
    }
}

/// What an event was an attempt at. Only episodic memories have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What was tried.
    pub goal: String,
    /// How it went.
    pub outcome: Outcome,
    /// What to do, or to know, next time.
    pub lesson: Option<String>,
}

/// An [`Attempt`] whose texts lie elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptRef<'a> {
    /// See [`Attempt::goal`].
    pub goal: &'a str,
    /// See [`Attempt::outcome`].
    pub outcome: Outcome,
    /// See [`Attempt::lesson`].
    pub lesson: Option<&'a str>,
}

impl AttemptRef<'_> {
    /// The same with texts of its own.
    #[must_use]
    pub fn into_owned(self) -> Attempt {
        Attempt {
            goal: self.goal.to_owned(),
            outcome: self.outcome,
            lesson: self.lesson.map(str::to_owned),
        }
    }
}

impl Attempt {
    /// The same, borrowed.
    #[must_use]
    pub fn borrowed(&self) -> AttemptRef<'_> {
        AttemptRef {
            goal: &self.goal,
            outcome: self.outcome,
            lesson: self.lesson.as_deref(),
        }
    }

    pub(super) fn check(&self, kind: Kind) -> Result<(), InvalidInput> {
        if kind != Kind::Episodic {
            let expected = "episodic where there is an outcome, goal or lesson";
            return Err(InvalidInput::malformed("kind", expected, kind.as_str()));
        }
        check_some_text("goal", &self.goal, STATEMENT_BYTES_MAX)?;
        self.lesson.as_deref().map_or(Ok(()), |lesson| {
            check_some_text("lesson", lesson, STATEMENT_BYTES_MAX)
        })
    }

    /// Whether both can be one event: the same goal, and outcomes that do not exclude each other.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        let is_open = [self.outcome, other.outcome].contains(&Outcome::Unknown);
        (is_open || self.outcome == other.outcome) && self.has_goal_of(other)
    }

    /// Whether it says something that `known` does not: how it went, a lesson, another goal.
    pub(crate) fn adds_to(&self, known: &Self) -> bool {
        let tells_outcome = self.outcome != Outcome::Unknown && self.outcome != known.outcome;
        let same_lesson = |lesson: &String| {
            let old = known.lesson.as_deref();
            old.is_some_and(|old| normalise(lesson) == normalise(old))
        };
        let tells_lesson = self
            .lesson
            .as_ref()
            .is_some_and(|lesson| !same_lesson(lesson));
        tells_outcome || tells_lesson || !self.has_goal_of(known)
    }

    /// What is known together with what is said anew, which wins.
    pub(crate) fn over(self, known: &Self) -> Self {
        Self {
            goal: self.goal,
            outcome: match self.outcome {
                Outcome::Unknown => known.outcome,
                said @ (Outcome::Success | Outcome::Failure) => said,
            },
            lesson: self.lesson.or_else(|| known.lesson.clone()),
        }
    }

    fn has_goal_of(&self, other: &Self) -> bool {
        normalise(&self.goal) == normalise(&other.goal)
    }
}

impl Memory {
    /// The forms in which the event of this memory may be kept with more or less known of how it went, itself
    /// first. None but itself where it is no attempt, or has a key, which tells by itself what is the same.
    #[must_use]
    pub fn forms_of_event(&self) -> Vec<Self> {
        let mut forms = vec![self.clone()];
        let Some(attempt) = self.attempt.as_ref().filter(|_| self.key.is_none()) else {
            return forms;
        };
        let as_far = |outcome: &Outcome| Attempt {
            outcome: *outcome,
            ..attempt.clone()
        };
        let others = Outcome::ALL.iter().map(as_far);
        let others = others.filter(|other| other != attempt && other.agrees_with(attempt));
        for attempt in others.map(Some).chain([None]) {
            forms.push(Self {
                attempt,
                ..self.clone()
            });
        }
        forms
    }

    /// What all forms of an event share: see [`Memory::forms_of_event`]. For other memories their place.
    #[must_use]
    pub fn place_of_event(&self) -> Vec<u8> {
        if self.attempt.is_none() || self.key.is_some() {
            return self.place();
        }
        Self {
            attempt: None,
            ..self.clone()
        }
        .place()
    }

    /// Whether how it went, as far as both say, is the same.
    pub(crate) fn went_as(&self, other: &Self) -> bool {
        match (&self.attempt, &other.attempt) {
            (Some(this), Some(other)) => this.agrees_with(other),
            (None, _) | (_, None) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(outcome: Outcome, lesson: Option<&str>) -> Attempt {
        Attempt {
            goal: "deploy the shop".into(),
            outcome,
            lesson: lesson.map(str::to_owned),
        }
    }

    #[test]
    fn only_events_are_attempts_and_their_texts_are_bounded() {
        let fine = attempt(Outcome::Failure, Some("Warm the cache first"));
        assert_eq!(fine.check(Kind::Episodic), Ok(()));
        for kind in [Kind::Semantic, Kind::Procedural] {
            let error = fine.check(kind).unwrap_err().to_string();
            let expected = "kind must be episodic where there is an outcome, goal or lesson, got ";
            assert_eq!(error, format!("{expected}`{kind}`"));
        }
        let long = "x".repeat(STATEMENT_BYTES_MAX + 1);
        for broken in [" ", "a\0b", &long] {
            let goal = Attempt {
                goal: broken.into(),
                ..fine.clone()
            };
            let lesson = attempt(Outcome::Failure, Some(broken));
            let field = |attempt: &Attempt| {
                let error = attempt.check(Kind::Episodic).unwrap_err();
                crate::error::Diagnose::field(&error).map(str::to_owned)
            };
            assert_eq!(field(&goal).as_deref(), Some("goal"));
            assert_eq!(field(&lesson).as_deref(), Some("lesson"));
        }
    }

    #[test]
    fn an_unknown_outcome_agrees_with_any_and_adds_nothing() {
        use Outcome::{Failure, Success, Unknown};
        let of = |outcome| attempt(outcome, None);
        assert!(of(Unknown).agrees_with(&of(Failure)) && of(Success).agrees_with(&of(Unknown)));
        assert!(!of(Success).agrees_with(&of(Failure)));
        assert!(of(Failure).adds_to(&of(Unknown)) && !of(Unknown).adds_to(&of(Failure)));
        let told = attempt(Unknown, Some("Warm the cache")).over(&of(Failure));
        assert_eq!(told, attempt(Failure, Some("Warm the cache")));
        assert!(!attempt(Failure, Some("warm the CACHE")).adds_to(&told));
        let elsewhere = Attempt {
            goal: "deploy the blog".into(),
            ..of(Failure)
        };
        assert!(!elsewhere.agrees_with(&of(Unknown)));
    }
}
