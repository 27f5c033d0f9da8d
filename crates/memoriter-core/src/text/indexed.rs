//! The form in which a record is searched.

use std::fmt::Write as _;

use super::gloss::{gloss, gloss_of_outcome};
use crate::memory::AttemptRef;
use crate::time::CalendarDay;

/// A record as the text index reads it: `[8 May 2023] Caroline: text`, so that dates and speakers are words
/// like others. The vector is made from the text without the day ([`IndexedText::spoken`]).
#[derive(Clone, Copy, Debug)]
pub struct IndexedText<'a> {
    /// The day it happened, where it was told.
    pub day: CalendarDay,
    /// Who said it; `None` for a memory.
    pub speaker: Option<&'a str>,
    /// Content or statement.
    pub text: &'a str,
    /// Attribute and value of a keyed memory, which its statement may not spell out.
    pub key: Option<(&'a str, &'a str)>,
    /// What it was an attempt at.
    pub attempt: Option<AttemptRef<'a>>,
}

impl<'a> IndexedText<'a> {
    /// What frames the text (day, speaker, key, attempt) and the text itself, both read by the text index.
    #[must_use]
    pub fn parts(&self) -> (String, &'a str) {
        let mut frame = String::new();
        self.push_frame(&mut frame);
        (frame, self.text)
    }

    /// Appends what frames the text.
    pub fn push_frame(&self, frame: &mut String) {
        let month = self.day.month_name();
        // Writing into a string does not fail.
        let _ = write!(frame, "[{} {month} {}]", self.day.day, self.day.year);
        if let Some(speaker) = self.speaker {
            frame.push(' ');
            frame.push_str(speaker);
        }
        self.push_key(frame);
        self.push_attempt(frame);
    }

    /// The text with its speaker, key and attempt and without the day: what is embedded.
    #[must_use]
    pub fn spoken(&self) -> String {
        let mut spoken = String::with_capacity(self.text.len() + 32);
        if let Some(speaker) = self.speaker {
            spoken.push_str(speaker);
            spoken.push_str(": ");
        }
        spoken.push_str(self.text);
        self.push_key(&mut spoken);
        self.push_attempt(&mut spoken);
        spoken
    }

    /// ` (deploy the shop: failure failed go wrong) (lesson: warm the cache)`. A goal that repeats the text is left
    /// out.
    fn push_attempt(&self, text: &mut String) {
        let Some(attempt) = self.attempt else {
            return;
        };
        text.push_str(" (");
        if attempt.goal != self.text {
            text.push_str(attempt.goal);
            text.push_str(": ");
        }
        text.push_str(gloss_of_outcome(attempt.outcome));
        text.push(')');
        if let Some(lesson) = attempt.lesson {
            for part in [" (lesson: ", lesson, ")"] {
                text.push_str(part);
            }
        }
    }

    /// ` (city home live where: Munich)`: the attribute, the words in which it is asked for, and the value.
    fn push_key(&self, text: &mut String) {
        let Some((attribute, value)) = self.key else {
            return;
        };
        let words = [attribute, gloss(attribute)].join(" ");
        for part in [" (", words.trim_end(), ": ", value, ")"] {
            text.push_str(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Outcome;

    #[test]
    fn day_and_speaker_are_words() {
        let day = CalendarDay {
            year: 2023,
            month: 5,
            day: 8,
        };
        let turn = IndexedText {
            day,
            speaker: Some("Caroline"),
            text: "Hi",
            key: None,
            attempt: None,
        };
        assert_eq!(turn.parts(), ("[8 May 2023] Caroline".into(), "Hi"));
        assert_eq!(turn.spoken(), "Caroline: Hi");
        let fact = IndexedText {
            day,
            speaker: None,
            text: "I moved",
            key: Some(("city", "Munich")),
            attempt: None,
        };
        assert_eq!(
            fact.parts(),
            (
                "[8 May 2023] (city home live where: Munich)".into(),
                "I moved"
            )
        );
        assert_eq!(fact.spoken(), "I moved (city home live where: Munich)");
        let attempt = AttemptRef {
            goal: "deploy the shop",
            outcome: Outcome::Failure,
            lesson: Some("warm the cache"),
        };
        let tried = IndexedText {
            text: "It fell over",
            attempt: Some(attempt),
            ..turn
        };
        let frame = " (deploy the shop: failure failed go went wrong) (lesson: warm the cache)";
        assert_eq!(tried.parts().0, format!("[8 May 2023] Caroline{frame}"));
        assert_eq!(tried.spoken(), format!("Caroline: It fell over{frame}"));
        let goal_is_text = AttemptRef {
            goal: "It fell over",
            lesson: None,
            ..attempt
        };
        let tried = IndexedText {
            attempt: Some(goal_is_text),
            ..tried
        };
        assert!(
            tried
                .spoken()
                .ends_with("over (failure failed go went wrong)")
        );
    }
}
