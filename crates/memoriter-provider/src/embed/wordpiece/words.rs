//! Text to words: cleaning, decomposing, lower case, and the cuts at white space, punctuation and ideographs.

use std::ops::ControlFlow;

use unicode_normalization::UnicodeNormalization as _;

use super::classes::{is_dropped, is_ideograph, is_nonspacing_mark, is_punctuation};

/// Words of more characters are not looked at: the reference tokeniser makes them unknown.
const WORD_CHARS_MAX: usize = 100;

/// A word as the vocabulary spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word<'w> {
    /// Lower case, without combining marks, 1 to [`WORD_CHARS_MAX`] characters of UTF-8.
    Spelled(&'w [u8]),
    /// Over [`WORD_CHARS_MAX`] characters.
    OverLong,
}

/// Calls `visit` with each word of the text in order, until it breaks. Takes time linear in the text.
pub(super) fn for_each_word(text: &str, visit: impl FnMut(Word<'_>) -> ControlFlow<()>) {
    let mut words = Words {
        spelling: Vec::new(),
        chars: 0,
        visit,
    };
    // The visitor has seen all it wants when it breaks, so there is nothing to tell the caller.
    let _ = words.push_text(text);
}

/// The word that is being spelled, and who wants to see it.
struct Words<V> {
    spelling: Vec<u8>,
    /// Characters of the word, also those over the limit that `spelling` leaves out.
    chars: usize,
    visit: V,
}

impl<V: FnMut(Word<'_>) -> ControlFlow<()>> Words<V> {
    /// Takes runs of plain ASCII by a short way and what lies between them by the full one. A plain character
    /// neither decomposes nor combines, so nothing reaches across the border of two runs.
    fn push_text(&mut self, text: &str) -> ControlFlow<()> {
        let mut rest = text;
        while !rest.is_empty() {
            let (plain, after_plain) = split_run(rest, is_plain);
            let (mixed, after_mixed) = split_run(after_plain, |byte| !is_plain(byte));
            self.push_plain(plain)?;
            self.push_mixed(mixed)?;
            rest = after_mixed;
        }
        self.end_word()
    }

    fn push_plain(&mut self, plain: &str) -> ControlFlow<()> {
        for byte in plain.bytes() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.end_word()?,
                _ if byte.is_ascii_punctuation() => {
                    self.end_word()?;
                    (self.visit)(Word::Spelled(&[byte]))?;
                }
                _ => self.spell(&[byte.to_ascii_lowercase()]),
            }
        }
        ControlFlow::Continue(())
    }

    fn push_mixed(&mut self, mixed: &str) -> ControlFlow<()> {
        let cleaned = mixed.chars().filter(|c| !is_dropped(*c));
        let spaced = cleaned.flat_map(|c| {
            let space = is_ideograph(c).then_some(' ');
            space.into_iter().chain([c]).chain(space)
        });
        let bare = spaced.nfd().filter(|c| !is_nonspacing_mark(*c));
        for c in bare.flat_map(char::to_lowercase) {
            let mut bytes = [0; 4];
            let spelling = c.encode_utf8(&mut bytes).as_bytes();
            if c.is_whitespace() {
                self.end_word()?;
            } else if is_punctuation(c) {
                self.end_word()?;
                (self.visit)(Word::Spelled(spelling))?;
            } else {
                self.spell(spelling);
            }
        }
        ControlFlow::Continue(())
    }

    fn spell(&mut self, character: &[u8]) {
        self.chars += 1;
        if self.chars <= WORD_CHARS_MAX {
            self.spelling.extend_from_slice(character);
        }
    }

    fn end_word(&mut self) -> ControlFlow<()> {
        let flow = match self.chars {
            0 => ControlFlow::Continue(()),
            1..=WORD_CHARS_MAX => (self.visit)(Word::Spelled(&self.spelling)),
            _ => (self.visit)(Word::OverLong),
        };
        self.spelling.clear();
        self.chars = 0;
        flow
    }
}

/// ASCII that cleaning keeps. The other control characters take the full way, where they vanish before the
/// marks on either side of them are put in order.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')
}

/// The longest beginning of `text` whose bytes all are `in_run`, and the rest. `in_run` must treat the bytes
/// of a character outside ASCII alike.
fn split_run(text: &str, in_run: impl Fn(u8) -> bool) -> (&str, &str) {
    let end = text
        .bytes()
        .position(|byte| !in_run(byte))
        .unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut words = Vec::new();
        for_each_word(text, |word| {
            words.push(match word {
                Word::Spelled(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
                Word::OverLong => "(over-long)".to_owned(),
            });
            ControlFlow::Continue(())
        });
        assert_eq!(words, expected, "{text:?}");
    }

    #[test]
    fn cuts_at_white_space_and_punctuation() {
        check(
            "Don't  go,\n\tAnna!",
            &["don", "'", "t", "go", ",", "anna", "!"],
        );
        check("a\u{3000}b\u{2028}c\u{a0}d", &["a", "b", "c", "d"]);
        check("a—b…“c”", &["a", "—", "b", "…", "“", "c", "”"]);
        check("", &[]);
        check(" \n ", &[]);
    }

    #[test]
    fn folds_case_and_drops_marks() {
        check("Café NAÏVE Ångström", &["cafe", "naive", "angstrom"]);
        check("İstanbul ΣΊΣΥΦΟΣ", &["istanbul", "σισυφοσ"]);
        check("e\u{301}\u{302}\u{303}x", &["ex"]);
        check("\u{301}\u{301}", &[]);
    }

    #[test]
    fn drops_control_characters_within_a_word() {
        check(
            "a\u{0}b\u{7f}c\u{200b}d\u{fffd}e\u{feff}f\u{b}g",
            &["abcdefg"],
        );
    }

    #[test]
    fn sets_ideographs_apart() {
        check("東京tower", &["東", "京", "tower"]);
        check("ひらがな", &["ひらかな"]);
    }

    #[test]
    fn does_not_spell_over_long_words() {
        let longest = "ü".repeat(100);
        check(&longest, &["u".repeat(100).as_str()]);
        check(&format!("{longest}x y"), &["(over-long)", "y"]);
    }

    #[test]
    fn stops_when_the_visitor_breaks() {
        let mut count = 0;
        for_each_word("a b c d", |_| {
            count += 1;
            if count == 2 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(count, 2);
    }
}
