//! Words of which a text has one when a pattern matches it: looking for them is much cheaper than making the
//! pattern ready.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

/// Words of which a text has one: in lower case. `None` where nothing is needed, or nothing is known.
pub(super) type Needed = Option<Vec<String>>;

/// What is needed for a match of `pattern` in a [`folded`] text, where case does not count. `named` gives what is
/// needed for a short form.
///
/// Reads the part of the syntax that patterns use; of a class of characters nothing is known but for `\d`.
pub(super) fn words_needed(pattern: &str, named: &dyn Fn(&str) -> Needed) -> Needed {
    let mut reader = Reader {
        ahead: pattern.chars().peekable(),
        named,
    };
    reader.alternatives()
}

/// The text with the two characters as letters that match "s" and "k" where case does not count, and are no ASCII.
pub(super) fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(['\u{17F}', '\u{212A}']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('\u{17F}', "s").replace('\u{212A}', "k"))
}

struct Reader<'a> {
    ahead: Peekable<Chars<'a>>,
    named: &'a dyn Fn(&str) -> Needed,
}

/// A piece of a sequence.
enum Piece {
    Letter(char),
    Other(Needed),
}

/// How often a piece stands there.
enum Count {
    Once,
    Often,
    /// Or never.
    Perhaps,
}

impl Reader<'_> {
    fn alternatives(&mut self) -> Needed {
        let mut all = self.sequence();
        while self.ahead.next_if_eq(&'|').is_some() {
            let other = self.sequence();
            all = all.zip(other).map(|(mut all, other)| {
                all.extend(other);
                all
            });
        }
        all
    }

    /// Of what the pieces need, that which tells most.
    fn sequence(&mut self) -> Needed {
        let mut best = None;
        let mut run = String::new();
        while let Some(first) = self.ahead.next_if(|next| !matches!(next, '|' | ')')) {
            let piece = self.piece(first);
            let count = self.count();
            let (letter, other) = match (piece, count) {
                (Piece::Letter(letter), Count::Once) => {
                    run.push(letter);
                    continue;
                }
                (Piece::Letter(letter), Count::Often) => (Some(letter), None),
                (Piece::Other(other), Count::Once | Count::Often) => (None, other),
                (_, Count::Perhaps) => (None, None),
            };
            run.extend(letter);
            best = more_telling(best, ended(&mut run));
            best = more_telling(best, other);
        }
        more_telling(best, ended(&mut run))
    }

    fn piece(&mut self, first: char) -> Piece {
        match first {
            '(' => Piece::Other(self.group()),
            '[' => Piece::Other(self.class()),
            '\\' => self.escaped(),
            '{' => {
                let name = self.until('}');
                Piece::Other((self.named)(&name))
            }
            // An apostrophe stands for either kind.
            '.' | '^' | '$' | '\'' => Piece::Other(None),
            // What is not ASCII is not folded.
            _ if !first.is_ascii() && first.is_alphabetic() => Piece::Other(None),
            _ => Piece::Letter(first.to_ascii_lowercase()),
        }
    }

    fn group(&mut self) -> Needed {
        if self.ahead.next_if_eq(&'?').is_some() {
            // A name, flags for what is inside, or flags alone.
            let end = |c: &char| matches!(c, '>' | ':' | ')');
            while self.ahead.next_if(|c| !end(c)).is_some() {}
            if self.ahead.next() == Some(')') {
                return None;
            }
        }
        let inside = self.alternatives();
        self.ahead.next();
        inside
    }

    fn class(&mut self) -> Needed {
        let mut depth = 1;
        while depth > 0 {
            match self.ahead.next()? {
                '[' => depth += 1,
                ']' => depth -= 1,
                '\\' => drop(self.escaped()),
                _ => {}
            }
        }
        None
    }

    fn escaped(&mut self) -> Piece {
        match self.ahead.next() {
            Some('d') => Piece::Other(Some(('0'..='9').map(String::from).collect())),
            Some('p' | 'u') => {
                self.until('}');
                Piece::Other(None)
            }
            Some(mark) if mark.is_ascii_punctuation() => Piece::Letter(mark),
            _ => Piece::Other(None),
        }
    }

    fn count(&mut self) -> Count {
        let is_count = |c: &char| matches!(c, '?' | '*' | '+' | '{');
        // `{` after a piece may begin a short form, which no digit does.
        let mut after = self.ahead.clone();
        let is_form = after.next() == Some('{') && !after.next().is_some_and(char::is_numeric);
        let count = match self.ahead.next_if(|next| is_count(next) && !is_form) {
            None => return Count::Once,
            Some('+') => Count::Often,
            Some('{') if !self.until('}').starts_with('0') => Count::Often,
            Some(_) => Count::Perhaps,
        };
        self.ahead.next_if_eq(&'?');
        count
    }

    /// What comes before `end`; goes on after it.
    fn until(&mut self, end: char) -> String {
        self.ahead.by_ref().take_while(|c| *c != end).collect()
    }
}

/// The letters that stand together, as a word.
fn ended(run: &mut String) -> Needed {
    (!run.is_empty()).then(|| vec![std::mem::take(run)])
}

fn more_telling(one: Needed, other: Needed) -> Needed {
    // That a text has one of the words tells no more than that it has the shortest.
    let telling = |words: &Needed| words.iter().flatten().map(String::len).min();
    if telling(&other) >= telling(&one) {
        other
    } else {
        one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, expected: &[&str]) {
        let named = |name: &str| (name == "pet").then(|| vec!["dog".to_owned(), "cat".to_owned()]);
        assert_eq!(
            words_needed(pattern, &named).unwrap_or_default(),
            expected,
            "{pattern}"
        );
    }

    #[test]
    fn the_longest_words_that_no_match_lacks_are_needed() {
        check(r"(?i)^\s+lives?\s+in\s", &["live"]);
        check(r"(?:♪|no) *", &["♪", "no"]);
        check(r"\b(?:am|is) [xy]|1\s", &["am", "is", "1"]);
        check(r"(?i)(?:in|at) (?:Rome|Oslo)s*", &["rome", "oslo"]);
        check(r"(?is)(?:very )*(?<v>big|small)\b.*", &["big", "small"]);
        check(r"(?P<y>good|\.\.|o{2,3}?h){1,2}?", &["good", "..", "h"]);
        check(r"go{0,9}ld", &["ld"]);
        check(r"(?:a\s)?{pet}+\b(?-i:\p{Lu}[\w-]+) a", &["dog", "cat"]);
        check(r"(?:{pet})?{_}x{3}", &["x"]);
        check(r"can't|don't", &["can", "don"]);
        check(r"[^\]a-z[0-9]]+x", &["x"]);
        check(r"fianc[eé]e|née", &["fianc", "e"]);
        check(r"a?\w(?-i:\p{Lu})\u{C0}", &[]);
        check(r"big|.*", &[]);
        check(r"big|", &[]);
    }

    #[test]
    fn a_digit_is_one_of_ten() {
        assert_eq!(words_needed(r"\d{1,3}", &|_| None).unwrap().len(), 10);
    }

    #[test]
    fn characters_that_match_letters_are_letters() {
        assert_eq!(folded("ſister of \u{212A}im, Łódź"), "sister of kim, Łódź");
    }
}
