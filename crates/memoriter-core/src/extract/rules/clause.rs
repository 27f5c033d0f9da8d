//! Where clauses begin, and with what: "I", "my sister Lena", "my", a request.

use super::form::Form;
use super::own_words::Sentence;
use super::rule::{Head, Who};
use super::words;

/// What a clause is said for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Nothing but itself.
    Plainly,
    /// "Remember that …".
    ToRemember,
    /// "Forget that …".
    ToForget,
}

/// A clause of a sentence. Places are bytes of the sentence.
#[derive(Clone, Debug)]
pub(super) struct Clause<'a> {
    /// Where the text before it ends.
    pub(super) before: usize,
    /// Where its own words begin, a time in front of it included.
    pub(super) start: usize,
    /// Where the next clause with a subject begins.
    pub(super) end: usize,
    /// Whether "remember that" or "forget that" stands in front.
    pub(super) asked: Said,
    /// Whether "and" leads to it and nothing names its subject.
    pub(super) continues: bool,
    /// The ways to read its beginning.
    pub(super) heads: Vec<HeadAt<'a>>,
}

/// The word for whom a clause is about, and the name behind it.
type About<'a> = (Option<regex::Match<'a>>, Option<regex::Match<'a>>);

/// A way to read the beginning of a clause.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadAt<'a> {
    pub(super) head: Head,
    pub(super) who: Who,
    /// The relative or animal that it is about, in the speaker's word.
    pub(super) relation: Option<&'a str>,
    /// The name that stands behind that word.
    pub(super) name: Option<&'a str>,
    /// Where the rest begins.
    pub(super) rest: usize,
}

/// Finds clauses; hold one, its patterns are costly to make.
pub(super) struct Clauses {
    boundary: Form,
    filler: Form,
    to_remember: Form,
    addressed: Form,
    to_forget: Form,
    and_that: Form,
    introduction: Form,
    subject: Form,
    elided: Form,
    owner: Form,
    the_user: Form,
    new_subject: Form,
}

impl Clauses {
    pub(super) fn new() -> Self {
        let relations = words::RELATIONS.join("|");
        let pets = words::PETS.join("|");
        let kind_of = "(?:(?:older|younger|little|big|eldest|oldest|youngest|elder|twin|baby|dear|lovely|beloved|wonderful|own|current|new|good|close|old|best)\\s+)*";
        let fillers = [
            "and|but|so|well|oh+|ah+|ok(?:ay)?|yes|yeah|yep|yup|yea|no+|nope|hi|hey|hello|actually|also|plus|then|btw|by the way|fyi|honestly|anyways?|because|['’]?cause|cuz|since|though|although|even though|while|now that|wow|whoa|woah|haha+|lol|thanks?(?: you)?(?: so much)?|sure|right|true|indeed|absolutely|definitely|totally|exactly|of course|currently|recently|lately|luckily|fortunately|unfortunately|sadly|personally|in fact|to be honest|tbh|for context|for reference|for the record|for your information|just so you know|you know|you see|sorry|great|cool|nice|hmm+|um+|uh+|more importantly|as you know|same here|me too|to clarify|in short|nowadays|these days|at the moment|right now|now|or rather|i mean|one more thing|another thing|unlike you|like you|ps|p\\.s\\.",
            "as i(?:['’]ve)? (?:already )?(?:said|mentioned|told you)|like i said|i(?:['’]ve| have)?(?: already)? (?:told you|mentioned|said)(?: before)?(?: that)?|i (?:should|must|have to|gotta) (?:say|mention|admit|add)(?: that)?|the (?:thing|truth|fact) is(?: that)?|it['’]s true that|(?:it )?turn(?:s|ed) out(?: that)?",
        ]
        .join("|");
        let name = r"(?-i:\p{Lu}[\p{L}'’-]+)";
        Self {
            boundary: Form::new(
                r"(?i)^|[,;:(–—.!…]+\s*|\s-+\s+|\b(?:and|but|so|because|['’]?cause|cuz|since|although|though|while|plus|yet|then)\s",
            ),
            filler: Form::new(&format!(
                r"(?i)^[\s,*_~-]*(?:(?:{fillers})\b(?:\s+{name}[,!])?|please remember)[\s,.:!…–—-]*"
            )),
            to_remember: Form::new(
                r"(?i)^[\s,]*(?:please\s+|also\s+|can you\s+|pls\s+)*(?:(?:remember|note|keep in mind|bear in mind|don['’]?t forget|do not forget|make a note|take note|be aware|mind you|memorize|for (?:future|later) reference|note to self|you should know|please know|just to let you know|i want you to (?:know|remember)|i['’]d like you to (?:know|remember))(?:\s+(?:this|down))?(?:\s+that\b|\s*[:,]|\s+(?:i|my|we|our)\b))",
            ),
            to_forget: Form::new(
                r"(?i)^[\s,]*(?:(?:please|pls|and|also|can you|could you|would you|i want you to|i['’]d like you to|you can|you should|just|kindly|now)\s+)*(?:forget|ignore|disregard|erase|delete|unlearn|(?:i (?:don['’]?t|do not) want you to|don['’]?t|do not) (?:remember|keep|store|save))(?:(?:\s+(?:the fact|what i said|me saying))?,?\s+that\b|\s+(?:i|we)\b)",
            ),
            and_that: Form::new(r"(?i)^[\s,]*(?:and\s+)?that\s"),
            addressed: Form::new(r"^[\s*_~]*\p{Lu}[\p{L}'’-]+[,!]\s"),
            introduction: Form::new(
                r"(?i)(?:^|[.!?]\s)\W*(?:please\s+)?(?:note|fyi|p\.?s\.?|update|correction|reminder|about me|info|context|background|btw|also|news|remember|one (?:more |last |quick )?thing(?: before i forget)?|before i forget|me|facts?|quick update|well|so|honestly|intro)\s*:\s*$",
            ),
            subject: Form::new(&format!(
                r"(?i)^(?:(?P<i>I)\b|(?P<we>we)\b|(?P<pair>(?:(?:my|our)\s+{kind_of}(?:{relations})(?:\s+{name})?|{name})\s+and\s+I\b)|(?:my|our)\s+{kind_of}(?P<relation>{relations})\b(?:,?\s+(?P<named>{name})\b,?)?(?:,?\s+who\b)?|(?:my|our)\s+{kind_of}(?P<pet>{pets})\b(?:,?\s+(?P<pet_named>{name})\b,?)?)"
            )),
            elided: Form::new(&format!(
                r"(?i)^(?P<adverb>just|recently|finally)\s+(?:{})\b",
                words::PAST.join("|")
            )),
            owner: Form::new(&format!(
                r"(?i)^(?:(?:my|our)\s+{kind_of}(?P<relation>{relations})(?:\s+(?P<named>{name}))?['’]s?\b|(?P<my>my|our)\b)"
            )),
            the_user: Form::new(r"(?i)^(?:the|this|our|your)\s+user(?P<own>['’]s)?\b"),
            new_subject: Form::new(
                r"(?i)^(?:i|we|my|our|it|he|she|they|you|that|this|there|the|his|her|their|which|who|these|those|what|let|please|its|always|never)\b|^(?:it|he|she|that|there|they|you)['’]",
            ),
        }
    }

    /// The clauses that begin in `text`, the part of a sentence that tells something. `skip_time` gives the end of
    /// a time that begins at a place.
    pub(super) fn of<'a>(
        &self,
        text: &'a str,
        sentence: &Sentence,
        is_from_elsewhere: bool,
        skip_time: impl Fn(usize) -> Option<usize>,
    ) -> Vec<Clause<'a>> {
        let mut clauses: Vec<Clause<'a>> = Vec::new();
        for boundary in self.boundary.find_iter(text) {
            let is_unannounced = boundary.as_str().starts_with(':')
                && !text
                    .get(..boundary.end())
                    .is_some_and(|before| self.introduction.is_match(before));
            if sentence.quotes(boundary.end()) || is_unannounced {
                continue;
            }
            // "Forget that I like jazz, and that I live in Berlin."
            let is_asked_on = clauses
                .last()
                .is_some_and(|last| last.asked == Said::ToForget);
            let whose = (is_from_elsewhere, is_asked_on);
            let Some(clause) = self.beginning_at(text, boundary.range(), whose, &skip_time) else {
                continue;
            };
            let covers = |last: &Clause<'_>| {
                let begun = last.heads.iter().map(|head| head.rest).max();
                last.start >= clause.start || begun.is_some_and(|begun| clause.before < begun)
            };
            if clauses.last().is_some_and(covers) {
                continue;
            }
            if clause.end == clause.before
                && let Some(last) = clauses.last_mut()
                && last.end > clause.before
            {
                last.end = clause.before;
            }
            clauses.push(Clause {
                end: text.len(),
                ..clause
            });
        }
        clauses
    }

    /// The clause after a boundary; its `end` is `before` where it has a subject of its own, else the text's.
    fn beginning_at<'a>(
        &self,
        text: &'a str,
        boundary: std::ops::Range<usize>,
        (is_from_elsewhere, is_asked_on): (bool, bool),
        skip_time: &impl Fn(usize) -> Option<usize>,
    ) -> Option<Clause<'a>> {
        let mut at = boundary.end;
        let mut asked = Said::Plainly;
        let mut start = None;
        for _ in 0..8 {
            let rest = text.get(at..)?;
            let blank = rest.len() - rest.trim_start().len();
            if let Some(end) = skip_time(at + blank) {
                start = start.or(Some(at + blank));
                at = end + text.get(end..)?.len()
                    - text.get(end..)?.trim_start_matches([' ', ',', ':']).len();
            } else if let Some(found) = self.to_remember.find(rest) {
                asked = Said::ToRemember;
                start = None;
                at += self.without_subject(found.as_str());
            } else if let Some(found) = self.to_forget.find(rest) {
                asked = Said::ToForget;
                start = None;
                at += self.without_subject(found.as_str());
            } else if let Some(found) = self.and_that.find(rest).filter(|_| is_asked_on) {
                asked = Said::ToForget;
                start = None;
                at += found.end();
            } else if let Some(found) = self.filler.find(rest).filter(|found| !found.is_empty()) {
                start = None;
                at += found.end();
            } else if let Some(found) = self.addressed.find(rest).filter(|_| at == 0) {
                at += found.end();
            } else {
                break;
            }
        }
        let rest = text.get(at..)?;
        let begin = at + (rest.len() - rest.trim_start().len());
        let rest = text.get(begin..)?;
        if rest.is_empty() {
            return None;
        }
        let heads = self.heads(rest, begin, is_from_elsewhere);
        let has_subject =
            heads.iter().any(|head| head.head != Head::Bare) || self.new_subject.is_match(rest);
        let is_and = text
            .get(boundary.clone())?
            .trim()
            .eq_ignore_ascii_case("and");
        Some(Clause {
            before: boundary.start,
            start: start.unwrap_or(begin),
            end: if has_subject {
                boundary.start
            } else {
                text.len()
            },
            asked,
            continues: is_and && !has_subject,
            heads,
        })
    }

    /// How much of "remember that" or "remember I" is not the clause's own.
    fn without_subject(&self, found: &str) -> usize {
        let last = found.rsplit(char::is_whitespace).next().unwrap_or_default();
        if self.new_subject.is_match(last) && !last.eq_ignore_ascii_case("that") {
            found.len() - last.len()
        } else {
            found.len()
        }
    }

    fn heads<'a>(&self, rest: &'a str, at: usize, is_from_elsewhere: bool) -> Vec<HeadAt<'a>> {
        let mut heads = Vec::new();
        let mut add = |head, who, about: About<'a>, length: usize| {
            heads.push(HeadAt {
                head,
                who,
                relation: about.0.map(|found| found.as_str()),
                name: about.1.map(|found| found.as_str()),
                rest: at + length,
            });
        };
        if is_from_elsewhere {
            if let Some(found) = self.the_user.captures(rest) {
                let head = if found.name("own").is_some() {
                    Head::Owner
                } else {
                    Head::Subject
                };
                add(
                    head,
                    Who::USER,
                    (None, None),
                    found.get(0).map_or(0, |all| all.end()),
                );
            }
            return heads;
        }
        add(Head::Bare, Who::I, (None, None), 0);
        if let Some(found) = self.subject.captures(rest) {
            let who = match () {
                () if found.name("i").is_some() => Who::I,
                () if found.name("relation").is_some() => Who::RELATIVE,
                () if found.name("pet").is_some() => Who::PET,
                () if found.name("pair").is_some() => Who::PAIR,
                () => Who::WE,
            };
            let relation = found.name("relation").or(found.name("pet"));
            let name = found.name("named").or(found.name("pet_named"));
            let length = found.get(0).map_or(0, |all| all.end());
            add(Head::Subject, who, (relation, name), length);
        }
        // "Just moved to Munich": the "I" in front is left out.
        if let Some(adverb) = self
            .elided
            .captures(rest)
            .and_then(|found| found.name("adverb"))
        {
            add(Head::Subject, Who::I, (None, None), adverb.end());
        }
        if let Some(found) = self.owner.captures(rest) {
            let who = if found.name("relation").is_some() {
                Who::RELATIVE
            } else {
                Who::I
            };
            let about = (found.name("relation"), found.name("named"));
            let length = found.get(0).map_or(0, |all| all.end());
            add(Head::Owner, who, about, length);
            if who == Who::RELATIVE
                && let Some(my) = rest.find(char::is_whitespace)
            {
                add(Head::Owner, Who::I, (None, None), my);
            }
        }
        heads
    }
}
