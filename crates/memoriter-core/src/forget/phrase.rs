//! Finding words in texts, whatever their case and spacing.

use unicode_segmentation::UnicodeSegmentation;

use crate::error::{InvalidInput, check_some_text};
use crate::text::normalise;

use super::selector::MATCHING_BYTES_MAX;

/// Words that a text must hold, one after another, to be meant. Words are those of UAX #29 in normal form (NFKC), whatever
/// their case: `ss` finds `ß`, and `σ` finds `ς`. Accents count. What stands between them does not count, and a part of a word
/// is no match.
///
/// ```
/// use memoriter_core::forget::Phrase;
///
/// let phrase = Phrase::new("nut allergy")?;
/// assert!(phrase.is_in("My NUT-allergy is back."));
/// assert!(!phrase.is_in("an allergy to nuts"));
/// assert!(!phrase.is_in("donut allergy"));
/// # Ok::<(), memoriter_core::error::InvalidInput>(())
/// ```
#[derive(Clone, Debug)]
pub struct Phrase {
    words: Vec<String>,
    /// The same where the parts of a name are words.
    parts: Vec<String>,
}

impl Phrase {
    /// The words of a text.
    ///
    /// # Errors
    /// When it is over [`MATCHING_BYTES_MAX`], holds NUL, or has no word in it.
    pub fn new(text: &str) -> Result<Self, InvalidInput> {
        check_some_text("matching", text, MATCHING_BYTES_MAX)?;
        let words = words(text);
        if words.is_empty() {
            return Err(InvalidInput::malformed(
                "matching",
                "a text with a word in it",
                text,
            ));
        }
        Ok(Self {
            words,
            parts: parts(text),
        })
    }

    /// Whether the words stand in `text`.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        is_within(&self.words, &words(text))
    }

    /// Whether the words stand in a name, such as a key: there its parts are words as well, so that `tom` and `tom.job` are in
    /// `brother:tom.job`, and `favourite colour` is in `user.favourite_colour`.
    #[must_use]
    pub fn is_in_name(&self, name: &str) -> bool {
        self.is_in(name) || is_within(&self.parts, &parts(name))
    }

    /// Whether the words stand in bytes of which nothing is known: those that are UTF-8 are read as text.
    #[must_use]
    pub fn is_in_bytes(&self, bytes: &[u8]) -> bool {
        self.is_in(&String::from_utf8_lossy(bytes))
    }
}

/// Whether words stand one after another among others.
fn is_within(words: &[String], others: &[String]) -> bool {
    !words.is_empty() && others.windows(words.len()).any(|found| found == words)
}

fn words(text: &str) -> Vec<String> {
    let folded: String = normalise(text).chars().flat_map(fold_case).collect();
    folded.unicode_words().map(str::to_owned).collect()
}

/// The words of a name, whose parts such marks keep together that do not end a word of a text.
fn parts(name: &str) -> Vec<String> {
    words(&name.replace(['.', ':', '_'], " "))
}

/// Letters that differ in case alone become the same: full case folding by way of upper case, as Unicode makes it. The dotless
/// `ı` is a letter of its own and not the lower case of `I`.
fn fold_case(letter: char) -> impl Iterator<Item = char> {
    let is_dotless = letter == 'ı';
    let kept = is_dotless.then_some(letter);
    let upper = (!is_dotless).then(|| letter.to_uppercase());
    let folded = upper.into_iter().flatten().flat_map(char::to_lowercase);
    kept.into_iter().chain(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(phrase: &str, text: &str, expected: bool) {
        assert_eq!(
            Phrase::new(phrase).unwrap().is_in(text),
            expected,
            "{phrase:?} in {text:?}"
        );
    }

    #[test]
    fn words_are_found_whatever_their_form() {
        check("Berlin", "I live in BERLIN!", true);
        check("berlin", "a berliner", false);
        check("  New   York ", "new\nyork city", true);
        check("new york", "york new", false);
        check("東京", "私は東京に住む", true);
        check("o'brien", "Ask O'Brien.", true);
        check("42", "room 42, floor 4", true);
        check("4", "room 42", false);
    }

    #[test]
    fn letters_are_found_whatever_their_case() {
        check("strasse", "Die Straße ist lang", true);
        check("STRASSE", "straße", true);
        check("Straße", "die STRASSE", true);
        check("ΟΔΟΣ", "οδός", false);
        check("ΟΔΌΣ", "η οδός", true);
        check("İzmir", "i\u{307}zmir", true);
        check("ısı", "isi", false);
        check("cafe", "Café", false);
        check("ﬁne", "FINE", true);
    }

    #[test]
    fn parts_of_a_name_are_words() {
        for (phrase, name, expected) in [
            ("tom", "brother:tom.job", true),
            ("Tom.job", "brother:tom.job", true),
            ("brother tom", "brother:tom.job", true),
            ("job", "brother:tom.job", true),
            ("favourite colour", "user.favourite_colour", true),
            ("user.city", "user.city", true),
            ("to", "brother:tom.job", false),
            ("tom city", "brother:tom.job", false),
        ] {
            let found = Phrase::new(phrase).unwrap().is_in_name(name);
            assert_eq!(found, expected, "{phrase} in {name}");
        }
        assert!(!Phrase::new("tom").unwrap().is_in("brother:tom.job"));
    }

    #[test]
    fn bytes_are_searched_where_they_are_text() {
        let phrase = Phrase::new("secret plan").unwrap();
        assert!(phrase.is_in_bytes(b"\xff\xfe{\"note\":\"the secret plan\"}\x00"));
        assert!(!phrase.is_in_bytes(b"\xff\xfe\x00"));
    }

    #[test]
    fn a_phrase_has_words() {
        assert!(Phrase::new(" ").is_err() && Phrase::new("...").is_err());
        let long = "x ".repeat(MATCHING_BYTES_MAX);
        let error = Phrase::new(&long).unwrap_err().to_string();
        assert_eq!(
            error,
            "matching is 16384 bytes, over the limit of 8192 bytes"
        );
    }
}
