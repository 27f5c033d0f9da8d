//! What of a text is the speaker's own: sentences, without code, block quotes, marked-up blocks and notes in
//! brackets, and where in them somebody else's words stand in quotation marks.

use std::collections::BTreeMap;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::form::Form;

/// Bytes of a sentence that is read; what is longer is data.
const SENTENCE_BYTES_MAX: usize = 1200;
/// Sentences of a turn that are read.
const SENTENCES_MAX: usize = 2000;
/// Characters of a quotation in other marks than single ones, and of a note in brackets; what is longer has a mark
/// too few. Not counted in patterns: an automaton that counts is large and slow to make.
const QUOTATION_CHARS_MAX: usize = 600;
const NOTE_CHARS_MAX: usize = 1000;
/// Characters of the name of a tag, and of what follows the name.
const TAG_NAME_CHARS_MAX: usize = 41;
const TAG_REST_CHARS_MAX: usize = 401;
/// After these a full stop ends no sentence.
const ABBREVIATIONS: &[&str] = &[
    "dr.", "mr.", "mrs.", "ms.", "st.", "prof.", "e.g.", "i.e.", "vs.", "mt.", "ft.", "approx.",
];
/// What is passed on, as a pattern.
const FOREIGN: &str = "article|e-?mail|letter|page|website|text|message|post|tweet|comment|review|transcript|passage|excerpt|paragraph|snippet|document|report|prompt|chat|conversation|log|listing|quote";
/// Elided words whose apostrophe opens no quotation.
const ELISIONS: &[&str] = &["cause", "em ", "til", "bout", "n ", "tis", "twas", "round"];

/// A sentence of the speaker's own, by its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sentence {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// The quotations in it, by their place in the sentence.
    pub(super) quoted: Vec<Range<usize>>,
}

impl Sentence {
    /// Whether the byte at this place of the sentence is in quotation marks.
    pub(super) fn quotes(&self, at: usize) -> bool {
        self.quoted.iter().any(|range| range.contains(&at))
    }
}

/// Reads texts; hold one, its patterns are costly to make.
pub(crate) struct Reader {
    tag: Form,
    bracket: Form,
    announcement: Form,
    single_quotation: Form,
}

impl Reader {
    pub(crate) fn new() -> Self {
        Self {
            tag: Form::new(r"</?([A-Za-z][\w-]*)(\s[^<>]*)?>"),
            bracket: Form::new(r"\[[^\[\]\n]*\]"),
            announcement: Form::new(&format!(
                r"(?i)\b(?:(?:found|copied|pasted|got|received|read|saw|came across|stumbled (?:up)?on|sent me)(?:\s+\w+)?\s+(?:this|these|the following)(?:\s+(?:[\w-]+\s+)?(?:{FOREIGN})s?\b|\s+(?:on|in|from|online|via|at)\b|\s*[:,.\n])|(?:found|copied|pasted|received)\s+(?:[\w'’-]+\s+){{1,3}}?(?:{FOREIGN})s?\b|(?:here|below|following)(?:['’]?s| is| are)\s+(?:[\w'’-]+\s+){{0,4}}?(?:{FOREIGN})s?\b|(?:copied|pasted)\s+(?:\w+\s+){{0,3}}?from\b|(?:this|these|the following|another|some|an?)\s+(?:[\w-]+\s+)?(?:{FOREIGN})s?\s+(?:(?:below|i (?:got|found|received|read|saw))\b|(?:says?|said|reads?)\s*:)|what do you think (?:of|about) (?:this|these|the following)\b|it (?:says|said|reads)\b)|\bexamples?\s*:"
            )),
            single_quotation: Form::new(
                r"(?:^|[\s(:,])(?:'(?:[a-zA-Z]['’][a-zA-Z]|[^'\n])+'|‘(?:[a-zA-Z]['’][a-zA-Z]|[^’\n])+’)(?:[\s.,!?;:)]|$)",
            ),
        }
    }

    /// The sentences that are the speaker's own, in order.
    pub(crate) fn sentences(&self, text: &str) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        for part in self.own_parts(text) {
            let Some(own) = text.get(part.clone()) else {
                continue;
            };
            let quoted = self.quotations(own);
            let mut ahead = quoted.as_slice();
            for range in split(own) {
                if sentences.len() == SENTENCES_MAX {
                    return sentences;
                }
                while let [first, rest @ ..] = ahead
                    && first.end <= range.start
                {
                    ahead = rest;
                }
                let inside = ahead.iter().take_while(|quote| quote.start < range.end);
                let quoted = inside
                    .map(|quote| quote.start.saturating_sub(range.start)..quote.end - range.start);
                if range.len() <= SENTENCE_BYTES_MAX {
                    sentences.push(Sentence {
                        quoted: quoted.collect(),
                        range: part.start + range.start..part.start + range.end,
                    });
                }
            }
        }
        sentences
    }

    /// The text without fenced code, block quotes, marked-up blocks and notes in brackets.
    fn own_parts(&self, text: &str) -> Vec<Range<usize>> {
        let mut foreign = foreign_lines(text);
        if text.contains('<') {
            foreign.extend(self.blocks(text));
        }
        if text.contains('[') {
            let notes = self.bracket.find_iter(text);
            let short = notes.filter(|note| chars(note.as_str()) <= NOTE_CHARS_MAX + 2);
            foreign.extend(short.map(|note| note.range()));
        }
        foreign.extend(self.announced(text));
        foreign.sort_by_key(|range| range.start);
        let mut own = Vec::new();
        let mut at = 0;
        for range in foreign {
            if range.start > at {
                own.push(at..range.start);
            }
            at = at.max(range.end);
        }
        if at < text.len() {
            own.push(at..text.len());
        }
        own
    }

    /// What follows "I found this on the web", from a colon or the next line on.
    fn announced(&self, text: &str) -> Option<Range<usize>> {
        let found = self.announcement.find(text)?;
        let start = if found.as_str().ends_with([':', '\n']) {
            found.end()
        } else {
            let rest = text.get(found.end()..)?;
            let mut marks = rest.match_indices([':', '\n']);
            let (at, _) = marks.find(|(at, mark)| {
                let next = rest.get(at + 1..).unwrap_or_default();
                *mark == "\n" || next.is_empty() || next.starts_with(char::is_whitespace)
            })?;
            found.end() + at + 1
        };
        Some(start..text.len())
    }

    /// From each opening tag to its closing one, as context that was put in is marked. An opening tag that is
    /// never closed goes by itself, unless it says that context follows.
    fn blocks(&self, text: &str) -> Vec<Range<usize>> {
        let tags: Vec<_> = self
            .tag
            .captures_iter(text)
            .filter_map(|tag| {
                let (name, rest) = (tag.get(1)?.as_str(), tag.get(2));
                let is_long = chars(name) > TAG_NAME_CHARS_MAX
                    || rest.is_some_and(|rest| chars(rest.as_str()) > TAG_REST_CHARS_MAX);
                (!is_long).then_some((tag.get(0)?, name))
            })
            .collect();
        let closes = |found: &regex::Match<'_>| found.as_str().starts_with("</");
        let last_close: BTreeMap<&str, usize> = tags
            .iter()
            .filter(|(found, _)| closes(found))
            .map(|(found, name)| (*name, found.start()))
            .collect();
        let mut blocks = Vec::new();
        let mut open: Option<(usize, &str)> = None;
        for (found, name) in &tags {
            match open {
                Some((start, opened)) if closes(found) && *name == opened => {
                    blocks.push(start..found.end());
                    open = None;
                }
                Some(_) => {}
                None if closes(found) => blocks.push(found.range()),
                None if last_close
                    .get(name)
                    .is_some_and(|close| *close > found.start()) =>
                {
                    open = Some((found.start(), name));
                }
                None if is_context(name) => {
                    blocks.push(found.start()..text.len());
                    break;
                }
                None => blocks.push(found.range()),
            }
        }
        blocks
    }

    fn quotations(&self, text: &str) -> Vec<Range<usize>> {
        if !text.contains(['"', '“', '„', '«', '`', '\'', '‘']) {
            return Vec::new();
        }
        let is_elision = |quote: &str| {
            let inner = quote
                .trim_start()
                .trim_start_matches(['(', ':', ',', ' ', '\'', '‘', '’'])
                .to_lowercase();
            let is_single = quote
                .trim_start_matches(['(', ':', ',', ' ', '\n', '\t'])
                .starts_with(['\'', '‘', '’']);
            is_single && ELISIONS.iter().any(|elision| inner.starts_with(elision))
        };
        let mut quotations = Vec::new();
        let mut at = 0;
        let mut single = self.single_quotation.find_at(text, at);
        let mut other = other_quotation(text, at);
        loop {
            let first = match (&single, &other) {
                (Some(single), Some(other)) if other.start < single.start() => other.clone(),
                (Some(single), _) => single.range(),
                (None, Some(other)) => other.clone(),
                (None, None) => return quotations,
            };
            at = first.end;
            if single.is_some_and(|single| single.start() < at) {
                single = self.single_quotation.find_at(text, at);
            }
            if other.as_ref().is_some_and(|other| other.start < at) {
                other = other_quotation(text, at);
            }
            if !text.get(first.clone()).is_some_and(is_elision) {
                quotations.push(first);
            }
        }
    }
}

/// The first quotation at `at` or after it in other marks than single ones.
fn other_quotation(text: &str, at: usize) -> Option<Range<usize>> {
    let marks = text.get(at..)?.match_indices(['"', '“', '„', '«', '`']);
    marks.into_iter().find_map(|(start, opening)| {
        let closing: &[char] = match opening {
            "\"" => &['"'],
            "“" => &['”'],
            "„" => &['“', '”'],
            "«" => &['»'],
            _ => &['`'],
        };
        let inner = at + start + opening.len();
        let mut ahead = text
            .get(inner..)?
            .char_indices()
            .take(QUOTATION_CHARS_MAX + 1);
        let (length, end) = ahead.find(|(_, c)| *c == '\n' || closing.contains(c))?;
        let is_one = length > 0 && end != '\n';
        is_one.then(|| at + start..inner + length + end.len_utf8())
    })
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn is_context(tag: &str) -> bool {
    let tag = tag.to_lowercase();
    [
        "memor", "context", "system", "retriev", "document", "recall",
    ]
    .iter()
    .any(|word| tag.contains(word))
}

/// Lines of fenced code and of block quotes.
fn foreign_lines(text: &str) -> Vec<Range<usize>> {
    let mut foreign = Vec::new();
    let mut fence = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let start = line.trim_start();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| start.starts_with(mark));
        let is_inside = fence.is_some();
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if is_inside || mark.is_some() || start.starts_with('>') {
            foreign.push(range);
        }
    }
    foreign
}

/// UAX #29 sentences, put together again after abbreviations, without white space around them.
fn split(text: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut joins = false;
    for (start, sentence) in text.split_sentence_bound_indices() {
        let end = start + sentence.trim_end().len();
        let begin = start + (sentence.len() - sentence.trim_start().len());
        if begin >= end {
            continue;
        }
        match ranges.last_mut() {
            Some(last) if joins => last.end = end,
            _ => ranges.push(begin..end),
        }
        joins = !sentence.ends_with('\n') && ends_in_abbreviation(sentence);
    }
    ranges
}

fn ends_in_abbreviation(sentence: &str) -> bool {
    let last = sentence
        .trim_end()
        .rsplit(|c: char| c.is_whitespace() || c == '(')
        .next()
        .unwrap_or_default();
    last.len() <= 8 && ABBREVIATIONS.contains(&last.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let sentences = Reader::new().sentences(text);
        let texts: Vec<&str> = sentences
            .iter()
            .map(|sentence| &text[sentence.range.clone()])
            .collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn sentences_end_where_people_end_them() {
        check(
            "I live here. Do you? Yes!",
            &["I live here.", "Do you?", "Yes!"],
        );
        check(
            "I saw Dr. Smith today. Fine",
            &["I saw Dr. Smith today.", "Fine"],
        );
        check("one line\nanother", &["one line", "another"]);
        check(" \n ", &[]);
    }

    #[test]
    fn what_is_not_the_speakers_own_is_left_out() {
        check(
            "Look:\n```\nI live in Rome\n```\nThanks",
            &["Look:", "Thanks"],
        );
        check("> I live in Rome\nNo.", &["No."]);
        check("<memory>I live in Rome</memory> Hi", &["Hi"]);
        check("Hi <context>I live in Rome", &["Hi"]);
        check("a <b>c</b> d [shares photo: e] f", &["a", "d", "f"]);
    }

    #[test]
    fn what_is_passed_on_is_not_the_speakers_own() {
        for (text, own) in [
            (
                "I found this on the web, what do you think?\n\nI live in Rome.",
                "I found this on the web, what do you think?",
            ),
            (
                "Here is an email: I live in Rome. I do.",
                "Here is an email:",
            ),
            (
                "Here's the letter she wrote\nI live in Rome.",
                "Here's the letter she wrote",
            ),
            ("Example: I live in Rome.", "Example:"),
        ] {
            check(text, &[own]);
        }
        check(
            "I found a job.\nI live in Rome.",
            &["I found a job.", "I live in Rome."],
        );
    }

    #[test]
    fn quotations_are_marked() {
        for text in [
            "She said \"I live in Rome\" there",
            "He said 'I don't live in Rome'.",
            "so “I live in Rome”",
        ] {
            let sentences = Reader::new().sentences(text);
            assert!(sentences[0].quotes(text.find("live").unwrap()), "{text}");
        }
        for text in [
            "the kids' dog isn't ours, it's theirs",
            "'cause I live here and don't 'mind",
        ] {
            let sentences = Reader::new().sentences(text);
            assert!(sentences[0].quoted.is_empty(), "{text}");
        }
    }
}
