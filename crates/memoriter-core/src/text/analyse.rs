//! Text to terms.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher};

use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

use super::ascii::ascii_words;
use super::fold::fold_into;
use super::script::{CharClass, class_of};
use super::stop::is_stop_word;

/// Bytes of a word that count; what is longer is data, and its first bytes stand for it.
const WORD_BYTES_MAX: usize = 128;

/// A term by its hash. Lives in memory only: nothing on disk depends on the hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermHash(pub u64);

/// What a term is, which decides how much it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenClass {
    /// A word, number or pictograph.
    Word,
    /// A word that is in nearly every text.
    Stop,
    /// A piece of an identifier that was also counted whole.
    Part,
    /// Two neighbouring characters of a script without spaces.
    Pair,
    /// One character of such a script.
    Single,
}

/// One occurrence of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The word, folded; [`Analyser::term`] is what it is counted under.
    pub word: &'a str,
    /// What it is.
    pub class: TokenClass,
}

/// Text to tokens: UAX #29 words, folded; identifiers whole and in parts; scripts without spaces as
/// overlapping pairs and single characters; pictographs by grapheme. Words to terms: stemmed by script.
///
/// Stemming is Snowball's (Porter 2001): English for Latin letters, Russian for Cyrillic, Greek, Arabic,
/// Tamil; other scripts as they are. Linear in the text's length.
pub struct Analyser {
    latin: Stemmer,
    cyrillic: Stemmer,
    greek: Stemmer,
    arabic: Stemmer,
    tamil: Stemmer,
}

impl Default for Analyser {
    fn default() -> Self {
        Self::new()
    }
}

impl Analyser {
    /// An analyser. Cheap; holds no state that a text could change.
    #[must_use]
    pub fn new() -> Self {
        Self {
            latin: Stemmer::create(Algorithm::English),
            cyrillic: Stemmer::create(Algorithm::Russian),
            greek: Stemmer::create(Algorithm::Greek),
            arabic: Stemmer::create(Algorithm::Arabic),
            tamil: Stemmer::create(Algorithm::Tamil),
        }
    }

    /// Hands every token of `text` to `sink`, in order of occurrence.
    pub fn analyse(&self, text: &str, mut sink: impl FnMut(Token<'_>)) {
        let mut buffer = String::new();
        if let Some(words) = self.plain_words(text) {
            // The same words by a shorter way: there are no pictographs and no other scripts to look for.
            for word in words {
                identifier(truncated(word), &mut buffer, &mut sink);
            }
            return;
        }
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_gram = class_of(first) == CharClass::Gram;
            let end = rest
                .find(|c| (class_of(c) == CharClass::Gram) != is_gram)
                .unwrap_or(rest.len());
            let (run, after) = rest.split_at(end);
            if is_gram {
                grams(run, &mut buffer, &mut sink);
            } else {
                words(run, &mut buffer, &mut sink);
            }
            rest = after;
        }
    }

    /// The words of a plain ASCII text: the tokens of each, as [`Analyser::analyse_word`] gives them, are those of the
    /// text. So who remembers what a word came to analyses it once. `None` for another text.
    #[must_use]
    pub fn plain_words<'t>(
        &self,
        text: &'t str,
    ) -> Option<impl Iterator<Item = &'t str> + use<'t>> {
        text.is_ascii().then(|| ascii_words(text))
    }

    /// Hands every token of one of the [`Analyser::plain_words`] to `sink`, in order.
    pub fn analyse_word(&self, word: &str, mut sink: impl FnMut(Token<'_>)) {
        identifier(truncated(word), &mut String::new(), &mut sink);
    }

    /// The term that a word of this analyser's tokens is counted under.
    #[must_use]
    pub fn term(&self, word: &str) -> TermHash {
        hash(&self.stem(word))
    }

    fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        match word.chars().find(|c| c.is_alphabetic()).map(u32::from) {
            Some(0x0000..=0x024F) => self.latin.stem(word),
            Some(0x0370..=0x03FF) => self.greek.stem(word),
            Some(0x0400..=0x052F) => self.cyrillic.stem(word),
            Some(0x0600..=0x06FF) => self.arabic.stem(word),
            Some(0x0B80..=0x0BFF) => self.tamil.stem(word),
            Some(_) | None => Cow::Borrowed(word),
        }
    }
}

fn words(run: &str, buffer: &mut String, sink: &mut impl FnMut(Token<'_>)) {
    for word in run.split_word_bounds() {
        if word.chars().any(char::is_alphanumeric) {
            identifier(truncated(word), buffer, sink);
        } else if word.chars().any(|c| class_of(c) == CharClass::Symbol) {
            sink(Token {
                word: truncated(word),
                class: TokenClass::Word,
            });
        }
    }
}

fn identifier(word: &str, buffer: &mut String, sink: &mut impl FnMut(Token<'_>)) {
    emit(word, TokenClass::Word, buffer, sink);
    if has_parts(word) {
        for part in Parts(word) {
            emit(part, TokenClass::Part, buffer, sink);
        }
    }
}

fn emit(word: &str, class: TokenClass, buffer: &mut String, sink: &mut impl FnMut(Token<'_>)) {
    buffer.clear();
    fold_into(word, buffer);
    let class = if is_stop_word(buffer) {
        TokenClass::Stop
    } else {
        class
    };
    sink(Token {
        word: without_possessive(buffer),
        class,
    });
}

/// `Caroline's` is a form of `Caroline`, and a name must be told by it.
fn without_possessive(word: &str) -> &str {
    word.strip_suffix("'s")
        .filter(|stem| !stem.is_empty())
        .unwrap_or(word)
}

fn grams(run: &str, buffer: &mut String, sink: &mut impl FnMut(Token<'_>)) {
    buffer.clear();
    fold_into(run, buffer);
    let mut previous = None;
    for (start, c) in buffer.char_indices() {
        let end = start + c.len_utf8();
        let single = buffer
            .get(start..end)
            .expect("char_indices gives character boundaries");
        sink(Token {
            word: single,
            class: TokenClass::Single,
        });
        if let Some(previous) = previous {
            let pair = buffer
                .get(previous..end)
                .expect("char_indices gives character boundaries");
            sink(Token {
                word: pair,
                class: TokenClass::Pair,
            });
        }
        previous = Some(start);
    }
}

/// The longest start of `word` within [`WORD_BYTES_MAX`] that ends at a character.
fn truncated(word: &str) -> &str {
    let end = word.floor_char_boundary(WORD_BYTES_MAX);
    word.get(..end).unwrap_or(word)
}

fn hash(term: &str) -> TermHash {
    let mut hasher = DefaultHasher::new();
    hasher.write(term.as_bytes());
    TermHash(hasher.finish())
}

/// Whether a word has a boundary inside it at which [`Parts`] splits.
fn has_parts(word: &str) -> bool {
    let (first, rest) = word.as_bytes().split_first().unwrap_or((&0, &[]));
    let is_plain_word = first.is_ascii_alphabetic() && rest.iter().all(u8::is_ascii_lowercase);
    if is_plain_word || word.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    Parts(word)
        .next()
        .is_some_and(|first| first.len() < word.len())
}

/// The pieces of an identifier: split at characters that are no letter or digit (but the apostrophe stays),
/// between letter and digit, and before a capital that follows a small letter.
struct Parts<'a>(&'a str);

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let start = self.0.find(char::is_alphanumeric)?;
        let word = self.0.get(start..)?;
        let mut previous: Option<char> = None;
        let end = word
            .char_indices()
            .find(|(_, c)| {
                let splits = previous.is_some_and(|before| splits_between(before, *c));
                previous = Some(*c);
                splits
            })
            .map_or(word.len(), |(at, _)| at);
        let (part, rest) = word.split_at(end);
        self.0 = rest;
        Some(part)
    }
}

fn splits_between(before: char, c: char) -> bool {
    let joins = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '\'' | '\u{2019}')
            || unicode_normalization::char::is_combining_mark(c)
    };
    !joins(c)
        || before.is_numeric() != c.is_numeric() && joins(before)
        || before.is_lowercase() && c.is_uppercase()
}

/// The terms of a text without the words that are in nearly every one.
pub(crate) fn content_terms(text: &str) -> BTreeSet<TermHash> {
    let analyser = Analyser::new();
    let mut terms = BTreeSet::new();
    analyser.analyse(text, |token| {
        if token.class != TokenClass::Stop {
            terms.insert(analyser.term(token.word));
        }
    });
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<TermHash> {
        let mut terms = Vec::new();
        let analyser = Analyser::new();
        analyser.analyse(text, |token| terms.push(analyser.term(token.word)));
        terms
    }

    #[track_caller]
    fn check_finds(query: &str, record: &str) {
        let record_terms = terms(record);
        let query_terms = terms(query);
        assert!(!query_terms.is_empty(), "no term in {query}");
        assert!(
            query_terms.iter().all(|term| record_terms.contains(term)),
            "{query} does not find {record}"
        );
    }

    #[test]
    fn each_part_finds_glued_text() {
        for part in ["東京", "tower", "2024", "京", "tower2024", "Tower"] {
            check_finds(part, "I saw 東京tower2024年 there");
        }
        check_finds("서울", "서울tower에서");
        check_finds("tower", "서울tower에서");
    }

    #[test]
    fn identifiers_are_found_whole_and_in_parts() {
        for part in ["snake_case_name", "snake", "name"] {
            check_finds(part, "rename snake_case_name now");
        }
        for part in ["parseHttpRequest", "parse", "request", "http"] {
            check_finds(part, "call parseHttpRequest()");
        }
        check_finds("gpt", "we use GPT4");
        check_finds("GB/s", "it reads 3 GB/s");
        check_finds("multi-agent", "a multi-agent system");
        check_finds("\"--quoted\"", "pass --quoted twice");
    }

    #[test]
    fn inflections_and_spellings_meet() {
        check_finds("exams", "my exam is near");
        check_finds("don't", "I don’t know");
        check_finds("Caroline", "Caroline’s race");
        check_finds("cafe", "the Café");
        check_finds("книги", "книга лежит");
        check_finds("👨‍👩‍👧", "us: 👨‍👩‍👧!");
        check_finds("🦀", "rust 🦀");
    }

    #[test]
    fn words_do_not_depend_on_what_stands_around_them() {
        for text in [
            "don't stop 3.14 e.g. snake_case a'b v1.2 1,000 'quoted' x_ _y parseHttp",
            "I'm o'clock",
        ] {
            let with_other_script = format!("{text} é");
            let mut expected = terms(text);
            expected.extend(terms("é"));
            assert_eq!(terms(&with_other_script), expected, "{text}");
        }
    }

    #[test]
    fn the_words_of_a_plain_text_have_its_tokens() {
        let analyser = Analyser::new();
        let long = format!("{}.tail a", "x".repeat(WORD_BYTES_MAX - 1));
        for text in ["Anna's parseHttp_2 e.g. 3.14 __ the", &long, ""] {
            let (mut whole, mut by_word) = (Vec::new(), Vec::new());
            analyser.analyse(text, |token| {
                whole.push((token.word.to_owned(), token.class));
            });
            for word in analyser.plain_words(text).unwrap() {
                analyser.analyse_word(word, |token| {
                    by_word.push((token.word.to_owned(), token.class));
                });
            }
            assert_eq!(by_word, whole, "{text}");
        }
        assert!(analyser.plain_words("café").is_none());
    }

    #[test]
    fn punctuation_alone_is_no_term() {
        assert!(terms("").is_empty());
        assert!(terms(" \t\n").is_empty());
        assert!(terms("?! -- \"\" %_").is_empty());
    }

    #[test]
    fn hostile_text_takes_linear_time() {
        let storms = ["a", "_", "a_", "aB", "\u{301}", "東", "'", "1a", "👨‍", "ß"];
        for storm in storms {
            terms(&storm.repeat(300_000 / storm.len()));
        }
    }

    #[test]
    fn stop_words_are_marked() {
        let mut classes = Vec::new();
        Analyser::new().analyse("the exam", |token| classes.push(token.class));
        assert_eq!(classes, [TokenClass::Stop, TokenClass::Word]);
    }
}
