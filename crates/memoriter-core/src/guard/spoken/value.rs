//! The value that a noun leads to, and whether it looks like what the noun promises.

use std::ops::Range;

use super::noun::Class;
use crate::guard::placeholder::{
    is_code, is_documented, is_dull, is_identifier, is_placeholder, is_reference,
};
use crate::guard::rules::entropy_bits;
use crate::guard::words::{is_no_secret, is_unit};

/// What leads from a noun to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    /// A verb: `is`.
    Verb,
    /// A sign: `:`, `=`, an arrow.
    Sign,
    /// A word before the noun: `with password tulip42`.
    Joined,
    /// Nothing: `PIN 4711`.
    Nothing,
}

/// A value in a text.
pub(super) struct Value {
    pub(super) span: Range<usize>,
    class: Class,
    lead: Lead,
    is_quoted: bool,
}

/// The longest password in words or signs that is looked for.
const VALUE_BYTES_MAX: usize = 200;
/// Quotes that open and the ones that close them.
const QUOTES: &[(char, char)] = &[
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('‘', '’'),
    ('«', '»'),
    ('„', '“'),
    ('「', '」'),
];

impl Value {
    /// Reads the value that begins at `at`.
    pub(super) fn read(text: &str, at: usize, lead: Lead, class: Class) -> Option<Self> {
        let end = text.floor_char_boundary((at + VALUE_BYTES_MAX).min(text.len()));
        let rest = text.get(at..end)?;
        let stars = rest.len() - rest.trim_start_matches(['*', ' ']).len();
        let (at, rest) = (at + stars, rest.get(stars..)?);
        let first = rest.chars().next()?;
        if let Some((_, close)) = QUOTES.iter().find(|(open, _)| *open == first) {
            let inner = rest.get(first.len_utf8()..)?;
            let length = inner.find([*close, '\n']).filter(|length| *length > 0)?;
            let inside = at + first.len_utf8();
            return Some(Self {
                span: inside..inside + length,
                class,
                lead,
                is_quoted: true,
            });
        }
        let length = match class {
            Class::Phrase => phrase_bytes(rest),
            Class::Pin | Class::CardCode | Class::Code | Class::BareCode => code_bytes(rest),
            Class::Password | Class::Key => None,
        };
        let length = length.unwrap_or_else(|| word_bytes(rest));
        // In `password=tulip42&page=2` and `Password=tulip42;Encrypt=true` the value ends at the next name.
        let is_tight = lead == Lead::Sign
            && !text
                .get(..at)
                .is_some_and(|before| before.ends_with(char::is_whitespace));
        let cut = rest
            .get(..length)
            .and_then(|value| value.find(['&', ';']))
            .filter(|_| is_tight);
        let length = cut.unwrap_or(length);
        (length > 0).then(|| Self {
            span: at..at + length,
            class,
            lead,
            is_quoted: false,
        })
    }

    /// A value whose place is known, as before "is my PIN".
    pub(super) fn of(text: &str, span: Range<usize>, class: Class) -> Option<Self> {
        let length = word_bytes(text.get(span.clone())?);
        let span = span.start..span.start + length;
        (length > 0).then_some(Self {
            span,
            class,
            lead: Lead::Verb,
            is_quoted: false,
        })
    }

    /// Whether the value is a secret where a noun and its verb promise one.
    pub(super) fn fits(&self, text: &str) -> bool {
        let Some(value) = text.get(self.span.clone()) else {
            return false;
        };
        if is_known_harmless(value) || self.counts(text) {
            return false;
        }
        match self.class {
            Class::Password => self.fits_password(text, value),
            Class::Phrase => {
                self.fits_password(text, value)
                    || self.lead != Lead::Nothing
                        && value.split_whitespace().count() >= 4
                        && !describes(value)
            }
            Class::Pin => self.fits_pin(text, value),
            Class::CardCode => is_digits(value, 3..=4),
            Class::Code | Class::BareCode => {
                is_code_value(value) && (self.lead != Lead::Nothing || value.len() >= 6)
            }
            Class::Key => {
                is_key_value(value, self.is_quoted)
                    && !is_placeholder(value)
                    && (self.lead != Lead::Nothing || is_random(value))
            }
        }
    }

    /// Whether the value is digits and nothing else.
    pub(super) fn is_number(&self, text: &str) -> bool {
        text.get(self.span.clone())
            .is_some_and(|value| is_digits(value, 4..=10))
    }

    /// Whether the value is one without the help of what leads to it.
    pub(super) fn is_sure(&self, text: &str) -> bool {
        let Some(value) = text.get(self.span.clone()) else {
            return false;
        };
        let has_form = match self.class {
            Class::Password | Class::Phrase => is_strong(value),
            Class::Pin | Class::BareCode => is_digits(value, 4..=8),
            Class::CardCode => is_digits(value, 3..=4),
            Class::Code => is_code_value(value),
            Class::Key => is_key_value(value, false) && !is_placeholder(value),
        };
        has_form && !is_known_harmless(value)
    }

    fn fits_password(&self, text: &str, value: &str) -> bool {
        if self.is_quoted {
            let words = value.split_whitespace().count();
            let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
            let speaks = value.split_whitespace().any(is_no_secret);
            let is_made_up =
                names_itself(value) && value.chars().all(|c| c.is_alphabetic() || "_-".contains(c));
            return value.chars().count() >= 3
                && !speaks
                && !is_made_up
                && (words == 1 || has_digit || self.class == Class::Phrase);
        }
        let next = text.as_bytes().get(self.span.end).copied();
        if matches!(self.lead, Lead::Sign | Lead::Nothing) && is_code(value, next) {
            return false;
        }
        if names_itself(value) && value.chars().all(|c| c.is_alphabetic() || c == '_') {
            return false;
        }
        if is_strong(value) {
            return self.lead != Lead::Nothing || value.chars().count() >= 6;
        }
        // A plain word is a password only where the sentence ends with it.
        let is_word = value.chars().count() >= 4
            && value
                .chars()
                .all(|c| c.is_alphabetic() || "-_'".contains(c));
        let is_number = is_digits(value, 4..=20);
        self.lead != Lead::Nothing
            && (is_number || (is_word && self.ends_clause(text) && !is_no_secret(value)))
    }

    fn fits_pin(&self, text: &str, value: &str) -> bool {
        let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
        let is_short = value.chars().count() <= 14;
        let is_mixed = has_digit
            && is_short
            && value.chars().count() >= 4
            && value
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "#*-. ".contains(c));
        match self.lead {
            Lead::Verb | Lead::Sign => is_digits(value, 4..=12) || (is_mixed && is_strong(value)),
            Lead::Joined | Lead::Nothing => {
                let before = text.get(..self.span.start).unwrap_or_default();
                let says_pin = before
                    .trim_end()
                    .ends_with(|c: char| c.is_ascii_uppercase())
                    || before.trim_end().to_lowercase().ends_with("code")
                    || self.lead == Lead::Joined;
                is_digits(value, 4..=8) && says_pin
            }
        }
    }

    /// Whether a number counts something: "12 characters".
    fn counts(&self, text: &str) -> bool {
        let rest = text.get(self.span.end..).unwrap_or_default();
        let next = rest.split_whitespace().next().unwrap_or_default();
        let value = text.get(self.span.clone()).unwrap_or_default();
        !self.is_quoted && value.len() < 8 && rest.starts_with(' ') && is_unit(next)
    }

    /// Whether a sentence, line or part of one ends behind the value.
    fn ends_clause(&self, text: &str) -> bool {
        let rest = text.get(self.span.end..).unwrap_or_default();
        let trimmed = rest.trim_start_matches([' ', '\t']);
        let next = trimmed.chars().next();
        let is_end = next.is_none_or(|c| {
            c.is_ascii_punctuation() || c == '\n' || c == '\r' || !c.is_alphanumeric()
        });
        let joins = [
            "and ",
            "but ",
            "so ",
            "for ",
            "please ",
            "remember ",
            "in case ",
            "with ",
        ];
        is_end || joins.iter().any(|word| trimmed.starts_with(word))
    }
}

/// Bytes of a word up to white space, a quote or markup, without the punctuation of the sentence behind it.
fn word_bytes(rest: &str) -> usize {
    let is_end = |c: char| {
        c.is_whitespace()
            || "\"`<>，。、；！？）」".contains(c)
            || ('\u{3040}'..='\u{9fff}').contains(&c)
    };
    let end = rest.find(is_end).unwrap_or(rest.len());
    let word = rest.get(..end).unwrap_or_default();
    let trimmed = word.trim_end_matches(|c| ".,;:?)]}'’*".contains(c));
    // "tulip42, remember it" and JSON: a comma with a quote or a name behind it ends the value.
    let trimmed = trimmed.split("\\n").next().unwrap_or_default();
    let trimmed = trimmed
        .split_once(',')
        .filter(|(before, _)| before.len() >= 8)
        .map_or(trimmed, |(before, _)| before);
    let bare = trimmed.trim_end_matches('!');
    if bare.bytes().any(|byte| byte.is_ascii_digit()) {
        trimmed.len()
    } else {
        bare.len()
    }
}

/// Bytes of a phrase: words of lower-case letters up to the end of the sentence, at least four.
fn phrase_bytes(rest: &str) -> Option<usize> {
    const WORDS: std::ops::RangeInclusive<usize> = 4..=24;
    let end = rest
        .find(['.', ',', ';', '\n', '!', '?', '"', '(', ':'])
        .unwrap_or(rest.len());
    let phrase = rest.get(..end)?.trim_end();
    let is_word = |word: &str| word.chars().all(|c| c.is_lowercase() || c == '-');
    let words: Vec<&str> = phrase.split(' ').collect();
    (WORDS.contains(&words.len()) && words.iter().all(|word| is_word(word))).then_some(phrase.len())
}

/// "A good joke about horses": what a phrase is like, and not the phrase.
fn describes(phrase: &str) -> bool {
    const KINDS: &[&str] = &[
        "joke",
        "sentence",
        "line",
        "story",
        "song",
        "string",
        "words",
        "word",
        "phrase",
        "quote",
        "quotation",
        "poem",
        "saying",
        "lyric",
        "lyrics",
        "title",
        "combination",
        "list",
        "way",
        "idea",
        "thing",
        "secret",
        "random",
    ];
    let mut words = phrase.split_whitespace();
    // "Asked for at boot".
    if words
        .clone()
        .next()
        .is_some_and(|first| first.ends_with("ed"))
    {
        return true;
    }
    let has_article = words.next().is_some_and(|first| {
        ["a", "an", "the", "some", "any", "just", "one", "something"].contains(&first)
    });
    has_article && words.any(|word| KINDS.contains(&word))
}

/// Bytes of digits in one piece or in groups: `4711`, `12-34-56`, `123 456`, `G-482913`.
fn code_bytes(rest: &str) -> Option<usize> {
    let mut end = 0;
    let mut digits = 0;
    for (at, c) in rest.char_indices() {
        let follows = rest
            .get(at + c.len_utf8()..)
            .and_then(|rest| rest.chars().next());
        let is_separator =
            (c == ' ' || c == '-') && digits > 0 && follows.is_some_and(|c| c.is_ascii_digit());
        match c {
            '0'..='9' => digits += 1,
            _ if is_separator => {}
            _ => break,
        }
        end = at + c.len_utf8();
    }
    let next = rest.get(end..).and_then(|rest| rest.chars().next());
    (digits > 0 && digits <= 12 && !next.is_some_and(|c| c.is_alphanumeric() || c == '#'))
        .then_some(end)
}

fn is_digits(value: &str, count: std::ops::RangeInclusive<usize>) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    count.contains(&digits)
        && value
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b" -".contains(&byte))
}

/// Whether a word has the signs of a password: a digit beside a letter, a sign inside, capitals inside.
fn is_strong(value: &str) -> bool {
    let count = value.chars().count();
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = value.chars().any(char::is_alphabetic);
    let has_sign = value
        .chars()
        .any(|c| c.is_ascii_punctuation() && !"-'.,:/_&".contains(c));
    let inner = value.char_indices().skip(1);
    let has_capital =
        inner.clone().any(|(_, c)| c.is_uppercase()) && value.chars().any(char::is_lowercase);
    let is_measure = value
        .trim_end_matches(char::is_alphabetic)
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
        && value
            .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
            .len()
            <= 2;
    (4..=128).contains(&count)
        && ((has_digit && has_letter && !is_measure)
            || has_sign
            || has_capital
            || (has_digit && count >= 6))
}

/// Whether a value is a key although nothing leads to it: long, of mixed signs, and no digest.
fn is_random(value: &str) -> bool {
    /// Of 24 random letters and digits; two words and a number have less.
    const ENTROPY_BITS_MIN: f64 = 3.7;
    let has_capital = value.bytes().any(|byte| byte.is_ascii_uppercase());
    let has_small = value.bytes().any(|byte| byte.is_ascii_lowercase());
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    value.len() >= 20
        && has_capital
        && has_small
        && has_digit
        && !value.contains(['/', ':', '='])
        && !is_identifier(value)
        && entropy_bits(value.as_bytes()) >= ENTROPY_BITS_MIN
}

/// Whether a value is made of the noun, as in examples: `my_password`.
fn names_itself(value: &str) -> bool {
    let lower = value.to_lowercase();
    let nouns = ["password", "passwort", "secret", "testpass"];
    nouns.iter().any(|noun| lower.contains(noun))
}

fn is_code_value(value: &str) -> bool {
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let is_short = (5..=24).contains(&value.len());
    let is_plain = value
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
    let is_lower = value
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    is_digits(value, 3..=10) || (has_digit && is_short && (is_plain || is_lower))
}

fn is_key_value(value: &str, is_quoted: bool) -> bool {
    /// Random text of eight signs has about three bits a sign, a word and its number less.
    const ENTROPY_BITS_MIN: f64 = 2.6;
    let count = value.len();
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_mixed = value.bytes().any(|byte| byte.is_ascii_uppercase())
        && value.bytes().any(|byte| byte.is_ascii_lowercase());
    let signs = value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~+/=:$!@#%^&*".contains(&byte));
    let is_date = value.starts_with("20") && value.contains('-') && value.len() <= 20;
    signs
        && !is_date
        && (8..=VALUE_BYTES_MAX).contains(&count)
        && ((has_digit && has_letter)
            || (count >= 20 && is_mixed)
            || (is_quoted && has_digit && count >= 12))
        && !value.contains("://")
        && (count >= 12 || has_digit && has_letter)
        && entropy_bits(value.as_bytes()) >= ENTROPY_BITS_MIN
        && (is_identifier(value) || !is_dull(value))
}

/// What is no secret whatever leads to it.
fn is_known_harmless(value: &str) -> bool {
    let lower = value.to_lowercase();
    let hidden = value.chars().all(|c| !c.is_alphanumeric()) || lower.chars().all(|c| c == 'x');
    let says = [
        "your_", "your-", "yourpass", "example", "redacted", "xxxx", "****", "[secret:", "changeme",
    ];
    let is_path = value.starts_with('/') && value.matches('/').count() > 1;
    let is_link =
        is_path || lower.starts_with("http") || lower.starts_with("www.") || lower.contains("://");
    hidden
        || is_link
        || is_reference(value)
        || is_documented(value)
        || is_no_secret(value)
        || says.iter().any(|word| lower.contains(word))
}
