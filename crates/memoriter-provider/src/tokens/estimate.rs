//! Tokens by the kinds of characters, without a table.

use memoriter_core::port::TokenCounter;

/// An estimate for tokenizers whose table is not at hand.
///
/// Texts are cut about where byte-pair tokenizers cut them, into words, digits, signs and white space, and each run
/// counts by its length. The figures lean towards too many, so that a desk that fits by the estimate fits in truth.
/// On samples of some hundred characters (`tests/it/tokens.rs`), the estimate is
///
/// | text | of o200k | of cl100k |
/// |---|---|---|
/// | English prose and talk, code, data, identifiers | 0.95 to 1.45 times | 0.95 to 1.45 times |
/// | other languages, pictographs | 0.95 to 2.6 times | 0.7 to 1.5 times |
/// | data in base64 | 0.85 to 1.1 times | 0.85 to 1.1 times |
///
/// ```
/// use memoriter_core::port::TokenCounter;
/// use memoriter_provider::tokens::Estimate;
///
/// assert_eq!(Estimate.count("My exam is on 14 March."), 8);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate;

impl TokenCounter for Estimate {
    fn name(&self) -> &'static str {
        "estimate-1"
    }

    fn count(&self, text: &str) -> usize {
        let mut run = Run::default();
        let mut tenths = 0;
        for c in text.chars() {
            tenths += run.take(c);
        }
        (tenths + run.tenths())
            .div_ceil(10)
            .max(usize::from(!text.is_empty()))
    }
}

/// What a character is to a tokenizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Class {
    /// The single space that goes with the word behind it, and the start of the text.
    #[default]
    Space,
    /// Line ends, tabs, white space of other widths.
    Blank,
    Digit,
    /// `a` to `z` in either case, also with marks.
    Latin,
    /// Letters of Greek, Cyrillic and Armenian; accents that stand by themselves count alike.
    Letter,
    /// Letters of Hebrew, Arabic and their neighbours, of which tokenizers know fewer words.
    Abjad,
    /// Of a script without spaces, or with many letters.
    Glyph,
    /// Anything else of ASCII.
    Sign,
    /// Anything else: pictographs, marks that are not seen.
    Symbol,
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            ' ' => Self::Space,
            'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => Self::Latin,
            '0'..='9' => Self::Digit,
            _ if c.is_whitespace() => Self::Blank,
            _ if c.is_ascii() => Self::Sign,
            '\u{300}'..='\u{58f}' => Self::Letter,
            '\u{590}'..='\u{8ff}' => Self::Abjad,
            '\u{900}'..='\u{1fff}' | '\u{2c00}'..='\u{2dff}' | '\u{2e80}'..='\u{d7ff}' => {
                Self::Glyph
            }
            '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' => Self::Glyph,
            _ => Self::Symbol,
        }
    }
}

/// Characters of one class in a row.
#[derive(Default)]
struct Run {
    class: Class,
    length: usize,
    /// Letters with marks, changes between capitals and small letters behind the first, between different signs.
    turns: usize,
    last: char,
}

impl Run {
    /// Goes on by a character; returns what a run that it ended counts, in tenths of a token.
    fn take(&mut self, c: char) -> usize {
        let class = Class::of(c);
        if class == self.class {
            let turns = match class {
                Class::Latin => {
                    !c.is_ascii() || self.length > 1 && c.is_uppercase() != self.last.is_uppercase()
                }
                Class::Sign => c != self.last,
                Class::Space
                | Class::Blank
                | Class::Digit
                | Class::Letter
                | Class::Abjad
                | Class::Glyph
                | Class::Symbol => false,
            };
            self.turns += usize::from(turns);
            self.length += 1;
            self.last = c;
            return 0;
        }
        // Digits do not take the space before them along.
        let lone_space = class == Class::Digit && self.class == Class::Space && self.length == 1;
        let ended = self.tenths() + 10 * usize::from(lone_space);
        *self = Self {
            class,
            length: 1,
            turns: 0,
            last: c,
        };
        ended
    }

    /// What the run counts, in tenths of a token.
    fn tenths(&self) -> usize {
        let length = self.length;
        if length == 0 {
            return 0;
        }
        match self.class {
            // One goes with the word behind it, and longer runs are single tokens.
            Class::Space => 10 * usize::from(length > 1) + length / 8,
            Class::Blank => 8 + 2 * length,
            // Groups of three.
            Class::Digit => 10 * length.div_ceil(3),
            Class::Latin => 10 + 2 * length.saturating_sub(6) + 9 * self.turns,
            Class::Letter => 10 + 4 * length.saturating_sub(2),
            Class::Abjad => 10 + 6 * length.saturating_sub(1),
            Class::Glyph => 10 * length,
            Class::Sign => 10 + 3 * self.turns + length / 8,
            Class::Symbol => 22 * length,
        }
    }
}
