//! Characters that are not seen: counted, never changed.

use std::ops::Range;

/// Characters of a text that hide or reorder others, without those that writing needs: joiners in emoji and in
/// scripts that join, tags in flags, one selector behind a sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marks {
    /// Marks that change the direction of what follows: U+202A to U+202E, U+2066 to U+2069.
    pub bidi_controls: usize,
    /// Tag characters, U+E0000 to U+E007F, outside flags. They can spell text that nobody sees.
    pub tags: usize,
    /// Characters without width: U+200B, U+2060 to U+2064, U+00AD, U+180E, U+FEFF inside a text, and joiners with nothing
    /// to join.
    pub zero_width: usize,
    /// Variation selectors that follow another, or from U+E0100 on behind no ideograph. They can carry bytes.
    pub variation_selectors: usize,
}

impl Marks {
    /// Counts the characters of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut marks = Self::default();
        // None of them is a single byte, and most texts have only such.
        if text.is_ascii() {
            return marks;
        }
        let flags = flags(text);
        let mut previous = None;
        let mut characters = text.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            match c {
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => marks.bidi_controls += 1,
                '\u{e0000}'..='\u{e007f}' if !flags.iter().any(|flag| flag.contains(&at)) => {
                    marks.tags += 1;
                }
                '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{ad}' | '\u{180e}' => {
                    marks.zero_width += 1;
                }
                '\u{feff}' if at > 0 => marks.zero_width += 1,
                '\u{200c}' | '\u{200d}' if !joins(previous, next) => marks.zero_width += 1,
                '\u{fe00}'..='\u{fe0f}' if previous.is_none_or(is_selector) => {
                    marks.variation_selectors += 1;
                }
                '\u{e0100}'..='\u{e01ef}' if !previous.is_some_and(is_ideograph) => {
                    marks.variation_selectors += 1;
                }
                _ => {}
            }
            previous = Some(c);
        }
        marks
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What tag characters outside flags spell, with where they are. Empty if there are none.
pub(super) fn hidden(text: &str) -> (String, Range<usize>) {
    let flags = flags(text);
    let mut spelled = String::new();
    let mut span = 0..0;
    for (at, c) in text.char_indices() {
        let is_tag = ('\u{e0020}'..='\u{e007e}').contains(&c)
            && !flags.iter().any(|flag| flag.contains(&at));
        if let Some(plain) = is_tag
            .then(|| char::from_u32(u32::from(c) - 0xe0000))
            .flatten()
        {
            if spelled.is_empty() {
                span.start = at;
            }
            span.end = at + c.len_utf8();
            spelled.push(plain);
        }
    }
    (spelled, span)
}

/// Flags of parts of a country: a black flag, tags, and the tag that ends them (Unicode Technical Standard 51).
fn flags(text: &str) -> Vec<Range<usize>> {
    /// `gb` and a subdivision of three signs are five; ISO 3166-2 has at most six.
    const TAGS_MAX: usize = 6;
    let mut found = Vec::new();
    for (start, flag) in text.match_indices('\u{1f3f4}') {
        let tail = text.get(start + flag.len()..).unwrap_or_default();
        let end = tail
            .char_indices()
            .take(TAGS_MAX + 1)
            .find(|(_, c)| !('\u{e0030}'..='\u{e007a}').contains(c));
        if let Some((length, '\u{e007f}')) = end {
            found.push(start..start + flag.len() + length + '\u{e007f}'.len_utf8());
        }
    }
    found
}

/// Whether a joiner has something to join on both sides, or begins the form of a letter as Persian and Indian
/// scripts use it.
fn joins(previous: Option<char>, next: Option<char>) -> bool {
    let is_joining = |c: char| {
        matches!(c,
            // Arabic, Syriac, N'Ko, Mongolian.
            '\u{600}'..='\u{7ff}' | '\u{8a0}'..='\u{8ff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
            | '\u{1800}'..='\u{18af}'
            // Indian scripts, Sinhala, Khmer.
            | '\u{900}'..='\u{dff}' | '\u{1780}'..='\u{17ff}')
    };
    let is_emoji = |c: char| matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{200d}' | '\u{e007f}');
    match (previous, next) {
        (Some(a), Some(b)) => {
            (is_joining(a) && (is_joining(b) || !b.is_alphanumeric()))
                || (is_emoji(a) && is_emoji(b))
        }
        (Some(a), None) => is_joining(a),
        (None, _) => false,
    }
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_counted() {
        let tags: String = "do"
            .chars()
            .filter_map(|c| char::from_u32(0xe0000 + u32::from(c)))
            .collect();
        let text = format!("a\u{202e}b\u{200b}c{tags}d\u{fe0f}\u{fe0f}");
        let marks = Marks::of(&text);
        assert_eq!(
            (
                marks.bidi_controls,
                marks.zero_width,
                marks.tags,
                marks.variation_selectors
            ),
            (1, 1, 2, 1)
        );
        assert_eq!(hidden(&text).0, "do");
    }

    #[test]
    fn what_writing_needs_is_not() {
        for text in [
            "plain",
            "\u{feff}bom",
            "👩\u{200d}💻",
            "👨\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}\u{200d}🔥",
            "می\u{200c}خواهم",
            "ක්\u{200d}ය",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "☎\u{fe0f}",
            "葛\u{e0100}",
            "🏳\u{fe0f}\u{200d}🌈",
        ] {
            assert!(Marks::of(text).is_empty(), "{text:?} {:?}", Marks::of(text));
        }
    }
}
