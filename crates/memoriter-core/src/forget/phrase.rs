//! Finding words in texts, whatever their case and spacing.

use unicode_segmentation::UnicodeSegmentation;

use crate::error::{InvalidInput, check_some_text};
use crate::text::normalise;

use super::selector::MATCHING_BYTES_MAX;

/// Words that a text must hold, one after another, to be meant. Words are those of UAX #29 in normal form and lower
/// case; what stands between them does not count, and a part of a word is no match.
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
pub struct Phrase(Vec<String>);

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
        Ok(Self(words))
    }

    /// Whether the words stand in `text`.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        words(text)
            .windows(self.0.len())
            .any(|found| found == self.0)
    }

    /// Whether the words stand in bytes of which nothing is known: those that are UTF-8 are read as text.
    #[must_use]
    pub fn is_in_bytes(&self, bytes: &[u8]) -> bool {
        self.is_in(&String::from_utf8_lossy(bytes))
    }
}

fn words(text: &str) -> Vec<String> {
    normalise(text).unicode_words().map(str::to_owned).collect()
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
