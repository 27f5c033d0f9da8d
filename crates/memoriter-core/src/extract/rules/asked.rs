//! What is asked around a clause: to remember it, or to forget it.

use super::clause::{Clause, Said as Asked};
use super::reading::Telling;
use super::{Rules, USER, is_external, topic};
use crate::extract::{Action, Candidate};
use crate::memory::{Confidence, FactKey, Importance, Kind};
use crate::provenance::Status;

impl Rules {
    /// "Remember that …" and "forget that …" around a clause.
    pub(super) fn as_asked(
        &self,
        telling: &Telling<'_>,
        clause: &Clause<'_>,
        candidates: &mut Vec<Candidate>,
    ) {
        if clause.asked == Asked::Plainly || telling.heard.me != USER {
            return;
        }
        let action = if clause.asked == Asked::ToForget {
            Action::Forget
        } else {
            Action::Remember
        };
        if candidates.is_empty() {
            candidates.extend(self.unkeyed(telling, clause, action));
        }
        for candidate in candidates
            .iter_mut()
            .filter(|candidate| candidate.action == Action::Remember)
        {
            candidate.action = action;
        }
    }

    fn unkeyed(
        &self,
        telling: &Telling<'_>,
        clause: &Clause<'_>,
        action: Action,
    ) -> Option<Candidate> {
        const MADE_BY: [&str; 2] = ["remember-that", "forget-that"];
        let statement = telling
            .text
            .get(clause.start..)?
            .trim()
            .trim_end_matches(['.', '!', ' ']);
        let first = statement.split_whitespace().next()?.to_lowercase();
        let is_pointing = matches!(
            first.as_str(),
            "to" | "it"
                | "this"
                | "that"
                | "me"
                | "us"
                | "when"
                | "how"
                | "what"
                | "who"
                | "those"
                | "these"
        );
        let own = telling.text.get(clause.start..)?;
        if is_pointing
            || statement.split_whitespace().count() < 2
            || self.filter.spoils_itself(own, own)
        {
            return None;
        }
        let [remember, forget] = MADE_BY;
        Some(Candidate {
            turn: telling.turn,
            action,
            key: None,
            // What shall go is whatever has these words.
            value: (action == Action::Forget).then(|| statement.to_owned()),
            statement: statement.to_owned(),
            attempt: None,
            quote: statement.to_owned(),
            kind: Kind::Semantic,
            status: Status::Stated,
            confidence: Confidence::FULL,
            importance: Importance::new(8).unwrap_or(Importance::DEFAULT),
            valid_from: None,
            valid_to: None,
            made_by: if action == Action::Forget {
                forget
            } else {
                remember
            }
            .to_owned(),
        })
    }

    /// A request to forget something of the speaker's that no rule makes out: it is asked back, and never kept as a
    /// statement.
    pub(super) fn unclear_request(&self, telling: &Telling<'_>) -> Option<Candidate> {
        let is_own = telling.heard.me == USER && !is_external(telling.heard);
        if !is_own || !self.filter.asks_to_forget_own(telling.text) {
            return None;
        }
        let said = telling.text.trim().trim_end_matches(['.', '!', ' ']);
        Some(Candidate {
            kind: Kind::Procedural,
            ..request(telling.turn, said, None)
        })
    }
}

impl Rules {
    /// "Rex died, please forget him": who is named before, in the sentence or in the one before it, where that is one. `before`
    /// is what the turn says before the sentence.
    pub(super) fn request_about_them(
        &self,
        telling: &Telling<'_>,
        before: &str,
    ) -> Option<Candidate> {
        if telling.heard.me != USER || is_external(telling.heard) {
            return None;
        }
        let asked = self.filter.asks_to_forget_them(telling.text)?;
        let before = if asked.trim().is_empty() {
            last_sentence(before)
        } else {
            asked
        };
        if self.filter.spoils_what_follows(before) {
            return None;
        }
        let said = telling.text.trim().trim_end_matches(['.', '!', ' ']);
        let them = topic::named_in(before)?;
        let known = topic::to_forget(them);
        let key = known
            .as_ref()
            .and_then(|(attribute, _)| FactKey::new(USER, attribute).ok());
        let value = match known {
            Some((_, value)) => value,
            None => Some(them.to_owned()),
        };
        Some(Candidate {
            key,
            made_by: "forget-topic".to_owned(),
            ..request(telling.turn, said, value)
        })
    }
}

fn last_sentence(text: &str) -> &str {
    let text = text.trim_end().trim_end_matches(['.', '!', '?', '…']);
    let start = text.rfind(['.', '!', '?', '\n']).map_or(0, |end| end + 1);
    text.get(start..).unwrap_or_default()
}

/// A request to forget whatever has the words of `value`; `None` where it is not clear what.
pub(super) fn request(turn: usize, said: &str, value: Option<String>) -> Candidate {
    Candidate {
        turn,
        action: Action::Forget,
        key: None,
        value,
        statement: said.to_owned(),
        attempt: None,
        quote: said.to_owned(),
        kind: Kind::Semantic,
        status: Status::Stated,
        confidence: Confidence::FULL,
        importance: Importance::DEFAULT,
        valid_from: None,
        valid_to: None,
        made_by: "forget-unclear".to_owned(),
    }
}
