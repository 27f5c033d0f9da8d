//! The extractor without a model: what people say in plain forms, in English.
//!
//! A rule is data: what its clause begins with, what follows, and the key, value, kind and action that this
//! says (`rules/table`). A turn goes through four steps, each in a file of its own: its own words are parted from
//! code, quotes and notes and split into sentences; a filter drops the forms that support nothing (questions,
//! suppositions, reports, jokes, roles that are played); clauses and their beginnings are found; the rules read
//! what follows. Whatever is not surely one of the known forms gives nothing: a turn that is left is still
//! recalled as it was said.
//!
//! Keys and values:
//! - "I", "we" and "my" stand for [`Heard::me`]. A relative is an entity of its own: `sister` for a `user`,
//!   `anna's sister` where Anna talks among people. Of whom one may have several, those with a name are told apart by
//!   it: "my sister Lena" is `sister:lena`, "my dog Rex" is `dog:rex`; a wife or a boss is `wife` or `boss`.
//! - A pet is `dog named Rex`, or `dog` while it has no name; a relative's name is under the word for the relative:
//!   `user.sister` is `Lena`.
//! - The day of an exam or a flight is written `2027-03-14`; a birthday as it was said.
//! - The value of an [`Action::End`] or [`Action::Forget`] is in the words of the request; `names_value` tells which
//!   values it means.
//! - Requests to an assistant (to remember, to forget, to answer in a way) are read where `me` is `user` alone: in a
//!   talk among people there is no assistant to ask.
//! - From an external origin only sentences about "the user" are read: an "I" in a web page is somebody else.

mod asked;
mod attempt;
mod clause;
mod correction;
mod country;
mod filter;
mod form;
mod needed;
mod own_words;
mod patterns;
mod place;
mod plays;
mod reading;
mod region;
mod rule;
mod spelling;
mod table;
mod telling;
mod topic;
mod trim;
mod under;
mod value;
#[rustfmt::skip] // Lists are read as paragraphs.
mod words;
mod year_day;

#[cfg(test)]
mod cases;

use super::dates::{Clockwork, Lean};
use super::{Action, Candidate, Heard};
use crate::memory::Kind;
use crate::port::{Extractor, ModelError};
use crate::turn::Role;
use clause::{Clause, Clauses, HeadAt};
use correction::{Corrections, TakenBack, last_of_speaker, take_back_last};
pub(crate) use filter::asks;
use filter::{Filter, Verdict};
pub(crate) use form::Form;
pub(crate) use own_words::Reader;
use own_words::Sentence;
use patterns::Patterns;
use reading::{Finding, Telling};
use rule::{Head, Who};
use spelling::ShortForms;
use value::Values;

/// The entity of the person whose memory this is.
const USER: &str = "user";
/// Turns before new ones that "no, it's Bremen" and "forget what I said" may be about: two of the speaker and the answers
/// to them.
const CONTEXT_TURNS: usize = 4;
/// Candidates that one turn may give; a turn with more is a list of something.
const CANDIDATES_MAX: usize = 64;

/// The extractor without a model. Its patterns are made ready when texts need them: make one and keep it.
pub struct Rules {
    reader: Reader,
    filter: Filter,
    clauses: Clauses,
    clockwork: Clockwork,
    values: Values,
    subjects: Patterns,
    owners: Patterns,
    bare: Patterns,
    mentions: Patterns,
    corrections: Corrections,
}

impl Default for Rules {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rules")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

impl Extractor for Rules {
    fn name(&self) -> &'static str {
        "rules-2"
    }

    fn context_turns(&self) -> usize {
        CONTEXT_TURNS
    }

    fn extract(&self, turns: &[Heard<'_>]) -> Result<Vec<Candidate>, ModelError> {
        let mut all: Vec<Candidate> = Vec::new();
        for (turn, heard) in turns.iter().enumerate() {
            if !matches!(heard.role, Role::Assistant | Role::System) {
                self.read(turn, heard, turns, &mut all);
            }
        }
        Ok(all)
    }
}

/// What the sentences of a turn have given so far.
#[derive(Default)]
struct Given {
    candidates: Vec<Candidate>,
    /// Where those of the last sentence begin.
    last: usize,
}

impl Rules {
    /// Notes what each pattern needs; takes some milliseconds.
    #[must_use]
    pub fn new() -> Self {
        let short_forms = ShortForms::new();
        Self {
            reader: Reader::new(),
            filter: Filter::new(),
            clauses: Clauses::new(),
            clockwork: Clockwork::new(),
            values: Values::new(),
            subjects: Patterns::of(Head::Subject, &short_forms),
            owners: Patterns::of(Head::Owner, &short_forms),
            bare: Patterns::of(Head::Bare, &short_forms),
            mentions: Patterns::of(Head::Mention, &short_forms),
            corrections: Corrections::new(),
        }
    }

    fn read(&self, turn: usize, heard: &Heard<'_>, turns: &[Heard<'_>], all: &mut Vec<Candidate>) {
        let mut given = Given::default();
        let has_capitals = writes_capitals(heard.text);
        for sentence in self.reader.sentences(heard.text) {
            let Some(text) = heard.text.get(sentence.range.clone()) else {
                continue;
            };
            match self.filter.judge(text) {
                Verdict::Nothing => given.last = given.candidates.len(),
                Verdict::EndsStatements => break,
                Verdict::Private => {
                    let is_request = |said: &Candidate| said.action != Action::Remember;
                    given.candidates.retain(is_request);
                    break;
                }
                Verdict::TakesBack if given.candidates.is_empty() && sentence.range.start < 3 => {
                    take_back_last(turn, turns, all, TakenBack::Sentence);
                }
                Verdict::Unsaid if given.candidates.is_empty() && sentence.range.start < 3 => {
                    take_back_last(turn, turns, all, TakenBack::Turn);
                }
                Verdict::Unsaid => {
                    let is_request = |said: &Candidate| said.action != Action::Remember;
                    given.candidates.retain(is_request);
                    given.last = given.candidates.len();
                }
                Verdict::IsWrong | Verdict::TakesBack => given.candidates.truncate(given.last),
                Verdict::Tells(length) => {
                    let text = text.get(..length).unwrap_or_default();
                    let telling = Telling {
                        heard,
                        turn,
                        text,
                        past: &[],
                        future: &[],
                        has_capitals,
                    };
                    let last = given
                        .candidates
                        .last()
                        .or_else(|| last_of_speaker(turn, turns, all));
                    if let Some(corrected) = self.corrected(&telling, last) {
                        given.candidates.pop();
                        given.candidates.push(corrected);
                        continue;
                    }
                    if learn(heard.text, &sentence, text, &mut given) {
                        continue;
                    }
                    given.last = given.candidates.len();
                    self.read_sentence(&telling, &sentence, &mut given.candidates);
                }
            }
            if given.candidates.len() >= CANDIDATES_MAX {
                given.candidates.truncate(CANDIDATES_MAX);
                break;
            }
        }
        all.append(&mut ends_first(without_repeats(given.candidates)));
    }

    fn read_sentence(
        &self,
        telling: &Telling<'_>,
        sentence: &Sentence,
        given: &mut Vec<Candidate>,
    ) {
        let (text, heard) = (telling.text, telling.heard);
        let past = self.clockwork.said(text, heard.at, Lean::Past);
        let future = if past.is_empty() {
            Vec::new()
        } else {
            self.clockwork.said(text, heard.at, Lean::Future)
        };
        let telling = Telling {
            past: &past,
            future: &future,
            ..*telling
        };
        let is_external = is_external(heard);
        let skip_time = |at| {
            past.iter()
                .find(|said| said.range.start == at)
                .map(|said| said.range.end)
        };
        let clauses = self.clauses.of(text, sentence, is_external, skip_time);
        let mut subject: Option<HeadAt<'_>> = None;
        let own = given.len();
        for clause in &clauses {
            let before = text.get(..clause.before).unwrap_or_default();
            if self.filter.spoils_what_follows(before) {
                break;
            }
            let mut found = self.read_clause(&telling, clause, subject);
            if let Some(head) = found.subject.take() {
                subject = Some(head);
            } else if !clause.continues {
                subject = None;
            }
            self.as_asked(&telling, clause, &mut found.candidates);
            given.append(&mut found.candidates);
        }
        let before = heard.text.get(..sentence.range.start).unwrap_or_default();
        given.extend(self.request_about_them(&telling, before));
        let is_forget = |candidate: &Candidate| candidate.action.is_to_forget();
        let said = given.get(own..).unwrap_or_default();
        if said.iter().any(is_forget) {
            let mut at = 0;
            given.retain(|candidate| {
                at += 1;
                at <= own || is_forget(candidate)
            });
        } else if !is_external && !self.filter.asks_to_forget(text) {
            let mentioned = given.len();
            self.read_mentions(&telling, sentence, given);
            without_ended(given, own, mentioned);
        }
        if given.len() == own {
            given.extend(self.unclear_request(&telling));
        }
    }

    /// What the rules read in a clause. `subject` is that of the clause before, where "and" may go on with it.
    fn read_clause<'a>(
        &self,
        telling: &Telling<'a>,
        clause: &Clause<'a>,
        subject: Option<HeadAt<'a>>,
    ) -> Found<'a> {
        let mut found = Found::default();
        let goes_on =
            |head: &HeadAt<'_>| clause.continues && !is_relative(telling.text, head, clause);
        let continued = subject.filter(goes_on).map(|head| HeadAt {
            rest: clause.start.saturating_sub(1),
            ..head
        });
        for head in clause.heads.iter().copied().chain(continued) {
            let patterns = match head.head {
                Head::Subject => &self.subjects,
                Head::Owner => &self.owners,
                Head::Bare | Head::Mention => &self.bare,
            };
            let Some(rest) = telling.text.get(head.rest..) else {
                continue;
            };
            let own = telling
                .text
                .get(head.rest..clause_stop(telling.text, head.rest, clause.end))
                .unwrap_or_default();
            let mut fitting = patterns
                .fitting(rest)
                .filter(|(_, rule)| rule.who.has(head.who))
                .peekable();
            if fitting.peek().is_none() {
                continue;
            }
            for (pattern, rule) in fitting {
                let is_request_elsewhere = rule.is_request && telling.heard.me != USER;
                let is_of_others = rule.is_request && goes_on_about_others(telling.text, clause);
                let is_spoilt = if rule.kind == Kind::Procedural {
                    self.filter.is_report(rest)
                } else {
                    self.filter.spoils_itself(own, rest)
                };
                if is_request_elsewhere || is_of_others || is_spoilt {
                    continue;
                }
                let is_reason = rule.action == Action::End && gives_a_reason(telling.text, clause);
                if is_reason || rule.kind == Kind::Episodic && clause.continues {
                    continue;
                }
                let Some(captures) = pattern.captures(rest) else {
                    continue;
                };
                let finding = Finding::in_clause(rule, captures, &head, clause);
                let candidates = telling.candidates(&self.values, &finding);
                if candidates.is_empty() {
                    continue;
                }
                found.candidates.extend(candidates);
                if head.head == Head::Subject {
                    found.subject = Some(head);
                }
                if !rule.goes_on {
                    break;
                }
            }
        }
        found
    }

    /// "My sister Lena", "our dog Rex": true wherever a sentence says so.
    fn read_mentions(
        &self,
        telling: &Telling<'_>,
        sentence: &Sentence,
        given: &mut Vec<Candidate>,
    ) {
        for (pattern, rule) in self.mentions.fitting(telling.text) {
            for captures in pattern.captures_iter(telling.text) {
                let Some(all) = captures.get(0) else { continue };
                let before = telling.text.get(..all.start()).unwrap_or_default();
                if sentence.quotes(all.start()) || self.filter.spoils_what_follows(before) {
                    continue;
                }
                let finding = Finding {
                    rule,
                    captures,
                    at: 0,
                    who: Who::I,
                    relation: None,
                    name: None,
                    clause: 0..telling.text.len(),
                };
                given.extend(telling.candidates(&self.values, &finding));
            }
        }
    }
}

/// "We deployed it and it broke. Next time, warm the cache.": the lesson of the attempt in the sentence before.
fn learn(turn: &str, sentence: &Sentence, text: &str, given: &mut Given) -> bool {
    let told = given.candidates.get_mut(given.last..).unwrap_or_default();
    let Some(candidate) = told.last_mut() else {
        return false;
    };
    let Some(attempt) = candidate.attempt.as_mut() else {
        return false;
    };
    let start = turn.find(&candidate.quote);
    let both = start.and_then(|start| turn.get(start..sentence.range.start + text.len()));
    match (both, attempt::lesson_of_sentence(text)) {
        (Some(both), Some(lesson)) if attempt.lesson.is_none() => {
            attempt.lesson = Some(lesson);
            both.trim_end().clone_into(&mut candidate.quote);
            true
        }
        _ => false,
    }
}

#[derive(Default)]
struct Found<'a> {
    candidates: Vec<Candidate>,
    subject: Option<HeadAt<'a>>,
}

/// Whether the text is not the user's own, whoever passes it on.
fn is_external(heard: &Heard<'_>) -> bool {
    heard.origin.is_external() || heard.role == Role::Tool
}

/// Whether the writer uses capitals; who writes "i live in munich" has to be read without.
fn writes_capitals(text: &str) -> bool {
    text.contains(char::is_uppercase)
}

/// "… since I lost my job" tells of an end that is no news, and may be long past.
fn gives_a_reason(text: &str, clause: &Clause<'_>) -> bool {
    let lead = text
        .get(clause.before..clause.start)
        .unwrap_or_default()
        .to_lowercase();
    let mut words = lead.split(|c: char| !c.is_alphabetic());
    words.any(|word| {
        matches!(
            word,
            "since" | "because" | "cause" | "cuz" | "although" | "though" | "while"
        )
    })
}

/// "I have a brother who lives in Rome and works at Fiat": the "and" goes on with the brother.
fn is_relative(text: &str, head: &HeadAt<'_>, clause: &Clause<'_>) -> bool {
    let between = text.get(head.rest..clause.before).unwrap_or_default();
    let mut words = between.split(|c: char| !c.is_alphabetic());
    words.any(|word| matches!(word, "who" | "whom" | "whose" | "that" | "which" | "where"))
}

/// "They brighten up our day and always make us smile": the "always" asks nobody for anything.
fn goes_on_about_others(text: &str, clause: &Clause<'_>) -> bool {
    const SUBJECTS: &[&str] = &[
        "i", "we", "they", "he", "she", "it", "you", "my", "our", "the", "this", "that", "these",
        "those", "his", "her", "their",
    ];
    let before = text.get(..clause.before).unwrap_or_default();
    let mut words = before.split(|c: char| !c.is_alphabetic() && !matches!(c, '\'' | '’'));
    let first = words.find(|word| !word.is_empty()).unwrap_or_default();
    let first = first.split(['\'', '’']).next().unwrap_or_default();
    let lead = text.get(clause.before..clause.start).unwrap_or_default();
    lead.trim().eq_ignore_ascii_case("and") && SUBJECTS.contains(&first.to_lowercase().as_str())
}

/// Where the doubt of a clause ends: at its first comma, or with it.
fn clause_stop(text: &str, start: usize, end: usize) -> usize {
    let rest = text.get(start..end.max(start)).unwrap_or_default();
    rest.find([',', ';'])
        .map_or(end.max(start), |comma| start + comma)
}

/// "My dog Max died" tells of no dog: what is mentioned under a key goes where the sentence ends something under it.
/// The sentence's own candidates begin at `own`, those that are mentioned at `mentioned`.
fn without_ended(given: &mut Vec<Candidate>, own: usize, mentioned: usize) {
    let said = given.get(own..mentioned).unwrap_or_default();
    let ends = said.iter().filter(|said| said.action == Action::End);
    let ended: Vec<_> = ends.map(|said| said.key.clone()).collect();
    let mut at = 0;
    given.retain(|candidate| {
        at += 1;
        at <= mentioned || !ended.contains(&candidate.key)
    });
}

/// "I work at Meta now, I quit my old job": what ends all under a key comes before what the same turn says under it.
fn ends_first(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    let ends_all =
        |said: &Candidate| said.action == Action::End && said.value.is_none() && said.key.is_some();
    candidates.sort_by_key(|said| !ends_all(said));
    candidates
}

/// Whether a candidate's own words have a value, or most of it.
fn is_within(value: Option<&str>, whole: &Candidate) -> bool {
    let known = whole.value.as_deref().unwrap_or_default();
    value.is_some_and(|value| value != known && whole.quote.contains(value))
}

fn without_repeats(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let is_same = |other: &Candidate| {
            other.action == candidate.action
                && other.key == candidate.key
                && other.value == candidate.value
                && (candidate.key.is_some() || other.statement == candidate.statement)
                // "From now on, always write tests" is one instruction, though both its clauses are.
                || candidate.kind == Kind::Procedural
                    && other.made_by == candidate.made_by
                    && other.key == candidate.key
                    && is_within(candidate.value.as_deref(), other)
        };
        if !kept.iter().any(is_same) {
            kept.push(candidate);
        }
    }
    kept
}
