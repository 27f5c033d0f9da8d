//! What corrects or takes back what was said before it, in the same turn or in one right before.

use super::form::Form;
use super::reading::Telling;
use super::rule::{Rule, Shape};
use super::{Rules, table};
use crate::extract::dates::Lean;
use crate::extract::{Action, Candidate, Heard};
use crate::turn::Role;

/// The longest turn that is taken back by its words, bytes; a longer one was hardly meant as a whole.
const TAKEN_BACK_BYTES_MAX: usize = 500;

/// The forms of corrections.
pub(super) struct Corrections {
    /// "Actually, it's Munich."
    long: Form,
    /// "Scratch that, Tuesday."
    short: Form,
    /// "That's wrong, it's Munich."
    retort: Form,
}

impl Corrections {
    pub(super) fn new() -> Self {
        let long = r"(?i)^\W*(?:(?:actually|no|nope|sorry|oops|wait|correction|i mean|scratch that|hmm)[\s,.:!-]+)+(?:it['’]s|it is|that['’]s|i meant|make (?:that|it)|that should be)\s+(?:actually\s+|in\s+|an?\s+)*(?P<v>.+)";
        let short = r"(?i)^\W*(?:(?:actually|no|nope|sorry|oops|wait|hmm|well|oh)[\s,.:!…–—-]+)*(?:scratch that|strike that|correction|i meant?(?: to say)?|no,? wait|wait,? no|make (?:that|it))[\s,.:!…–—-]+(?:(?:in|on|at|an?|the)\s+)?(?P<v>[^\s,.!?][^,.!?]{0,48}?)(?:,? (?:not|and not|instead of|rather than) [^,.!?]{1,48})?[.!]*$";
        let retort = r"(?i)^\W*(?:(?:no|nope|sorry|oops|wait|actually)[\s,.:!-]+)*(?:that|it|this)(?:['’]?s| is| was)\s+(?:wrong|incorrect|not (?:right|true|correct)|a mistake)[\s,.:;!–—-]+(?:it['’]s|it is|i meant|it should be|make it)\s+(?:actually\s+|in\s+|an?\s+)*(?P<v>.+)";
        Self {
            retort: Form::new(retort),
            long: Form::new(long),
            short: Form::new(short),
        }
    }
}

impl Rules {
    /// "Actually, it's Munich": another value for what was said last.
    pub(super) fn corrected(
        &self,
        telling: &Telling<'_>,
        last: Option<&Candidate>,
    ) -> Option<Candidate> {
        let last = last.filter(|last| last.action == Action::Remember && last.key.is_some())?;
        let long = self.corrections.long.captures(telling.text);
        let short = || self.corrections.short.captures(telling.text);
        // To an assistant "that's wrong" is said of its answer.
        let is_own = last.turn + 1 >= telling.turn;
        let retort = || {
            let retort = &self.corrections.retort;
            is_own.then(|| retort.captures(telling.text)).flatten()
        };
        let captures = long.or_else(short).or_else(retort)?;
        let raw = captures.name("v")?.as_str();
        let rule = table::all().find(|rule| rule.name == last.made_by)?;
        let corrected = if rule.shape == Shape::Day {
            self.moved(telling, last, raw)
        } else {
            self.replaced(telling, last, rule, raw)
        };
        Some(Candidate {
            turn: telling.turn,
            quote: telling.text.to_owned(),
            ..corrected?
        })
    }

    /// The last candidate with another value in its sentence, if the rule still reads it.
    fn replaced(
        &self,
        telling: &Telling<'_>,
        last: &Candidate,
        rule: &Rule,
        raw: &str,
    ) -> Option<Candidate> {
        let known = last.value.as_deref().filter(|_| rule.value == "{v}")?;
        let values = self.values.read(rule.shape, raw, telling.has_capitals);
        let [value] = values.as_slice() else {
            return None;
        };
        // It stands for itself, as "it's Munich" does not.
        let statement = last.statement.replacen(known, value, 1);
        let read = self.reread(telling, last, &statement)?;
        (read.value.as_deref() == Some(value)).then(|| Candidate {
            value: Some(value.clone()),
            statement,
            ..last.clone()
        })
    }

    /// The last candidate on another day.
    fn moved(&self, telling: &Telling<'_>, last: &Candidate, raw: &str) -> Option<Candidate> {
        let at = telling.heard.at;
        let said = self.clockwork.said(&last.statement, at, Lean::Future);
        let range = said.first()?.range.clone();
        let is_day = self
            .clockwork
            .said(raw, at, Lean::Future)
            .first()
            .is_some_and(|said| said.range == (0..raw.len()));
        let mut statement = last.statement.clone();
        statement.replace_range(range, raw);
        let read = self.reread(telling, last, &statement).filter(|_| is_day)?;
        Some(Candidate { statement, ..read })
    }

    /// What the rule of the last candidate reads in another sentence.
    fn reread(
        &self,
        telling: &Telling<'_>,
        last: &Candidate,
        statement: &str,
    ) -> Option<Candidate> {
        let heard = Heard {
            text: statement,
            ..*telling.heard
        };
        let mut read = Vec::new();
        self.read(0, &heard, &[heard], &mut read);
        read.into_iter()
            .find(|read| read.key == last.key && read.made_by == last.made_by)
    }
}

/// The last candidate before this turn, where it comes from one of the two turns before and the same speaker.
pub(super) fn last_of_speaker<'a>(
    turn: usize,
    turns: &[Heard<'_>],
    all: &'a [Candidate],
) -> Option<&'a Candidate> {
    let me = turns.get(turn)?.me;
    let last = all.last()?;
    (last.turn + 2 >= turn && turns.get(last.turn)?.me == me).then_some(last)
}

/// How much of the turn before is taken back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TakenBack {
    /// Its last sentence that told something.
    Sentence,
    /// All of it.
    Turn,
}

/// "Just kidding", "don't remember that" as a turn of its own: the speaker's last turn before it told nothing, or
/// nothing in its last sentence.
pub(super) fn take_back_last(
    turn: usize,
    turns: &[Heard<'_>],
    all: &mut Vec<Candidate>,
    taken_back: TakenBack,
) {
    let me = turns.get(turn).map(|heard| heard.me);
    let before = turns.get(..turn).unwrap_or_default();
    let Some(last) = before
        .iter()
        .rposition(|heard| Some(heard.me) == me && heard.role == Role::User)
    else {
        return;
    };
    if taken_back == TakenBack::Turn {
        let is_said = |said: &Candidate| said.turn == last && said.action == Action::Remember;
        let count = all.len();
        all.retain(|candidate| !is_said(candidate));
        if all.len() == count {
            all.extend(by_its_words(turn, turns, last));
        }
        return;
    }
    let quote = all
        .last()
        .filter(|candidate| candidate.turn == last)
        .map(|candidate| candidate.quote.clone());
    if let Some(quote) = quote {
        while all
            .last()
            .is_some_and(|candidate| candidate.turn == last && candidate.quote == quote)
        {
            all.pop();
        }
    }
}

/// A request to forget a turn in which nothing was read: whatever has all of its words.
fn by_its_words(turn: usize, turns: &[Heard<'_>], last: usize) -> Option<Candidate> {
    /// Fewer words stand in many turns.
    const WORDS_MIN: usize = 4;
    let said = turns.get(last)?.text.trim();
    let request = turns.get(turn)?.text.trim();
    let is_telling =
        said.split_whitespace().count() >= WORDS_MIN && said.len() <= TAKEN_BACK_BYTES_MAX;
    is_telling.then(|| super::asked::request(turn, request, Some(said.to_owned())))
}
