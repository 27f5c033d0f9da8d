//! Which characters are words by themselves.

/// How a character takes part in terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharClass {
    /// Of a script written without spaces between words: searched by single characters and pairs.
    Gram,
    /// A pictograph: a term by its grapheme.
    Symbol,
    /// Anything else; words are found by UAX #29.
    Other,
}

/// Classifies a character by Unicode block.
pub(super) fn class_of(c: char) -> CharClass {
    match u32::from(c) {
        // Thai, Lao, Myanmar, Khmer; Hiragana to Bopomofo and Hangul compatibility; CJK Extension A and
        // unified ideographs; Hangul; compatibility ideographs; half-width Katakana; planes 2 and 3.
        0x0E00..=0x0EFF
        | 0x1000..=0x109F
        | 0x1100..=0x11FF
        | 0x1780..=0x17FF
        | 0x3005..=0x3007
        | 0x3041..=0x30FA
        | 0x30FC..=0x318F
        | 0x31A0..=0x31FF
        | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xA960..=0xA97F
        | 0xAC00..=0xD7FF
        | 0xF900..=0xFAFF
        | 0xFF66..=0xFF9F
        | 0x1B000..=0x1B16F
        | 0x20000..=0x3FFFF => CharClass::Gram,
        // Arrows, miscellaneous symbols and dingbats, pictographs.
        0x2190..=0x21FF | 0x2600..=0x27BF | 0x2B00..=0x2BFF | 0x1F000..=0x1FAFF => {
            CharClass::Symbol
        }
        _ => CharClass::Other,
    }
}

/// Whether at least half of the letters of a text are Latin; not for a text without letters.
///
/// ```
/// use memoriter_core::text::is_mostly_latin;
/// assert!(is_mostly_latin("Where is 東京?") && !is_mostly_latin("東京はどこ, OK?") && !is_mostly_latin("42"));
/// ```
#[must_use]
pub fn is_mostly_latin(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (latin, all) = letters.fold((0, 0), |(latin, all), c| {
        (latin + usize::from(u32::from(c) < 0x0250), all + 1)
    });
    all > 0 && latin * 2 >= all
}
