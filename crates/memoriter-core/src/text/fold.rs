//! Forms in which different spellings are the same.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Folds a word for counting: compatibility forms unified (NFKC), lower case, Latin letters without their
/// marks (`Café` is `cafe`), typographic apostrophes as `'`. Appends to `out`.
///
/// Marks of other scripts stay: there they are letters.
pub(super) fn fold_into(text: &str, out: &mut String) {
    if text.is_ascii() {
        let start = out.len();
        out.push_str(text);
        if let Some(added) = out.get_mut(start..) {
            added.make_ascii_lowercase();
        }
        return;
    }
    let mut after_latin = false;
    let decomposed = text.nfkd().filter(|c| {
        if is_combining_mark(*c) {
            return !after_latin;
        }
        after_latin = c.is_ascii_alphabetic();
        true
    });
    out.extend(
        decomposed
            .nfc()
            .flat_map(char::to_lowercase)
            .map(|c| match c {
                '\u{2018}' | '\u{2019}' | '\u{02BC}' | '\u{FF07}' => '\'',
                other => other,
            }),
    );
}

/// The form in which two texts are equal: NFKC, lower case, runs of white space as one space, without
/// sentence punctuation and spaces at the ends.
///
/// ```
/// use memoriter_core::text::normalise;
/// assert_eq!(normalise("  I live in\tMunich. "), normalise("i live in munich"));
/// assert_ne!(normalise("I live in Munich"), normalise("I lived in Munich"));
/// ```
#[must_use]
pub fn normalise(text: &str) -> String {
    let mut out = if text.is_ascii() {
        ascii_with_single_spaces(text)
    } else {
        with_single_spaces(text.nfkc().flat_map(char::to_lowercase), text.len())
    };
    let trimmed = out
        .trim_end_matches(['.', '!', ';', ',', '。', '！', ' '])
        .len();
    if trimmed > 0 {
        out.truncate(trimmed);
    }
    out
}

/// The same as [`with_single_spaces`] in lower case, word by word instead of letter by letter.
fn ascii_with_single_spaces(text: &str) -> String {
    if has_only_single_spaces(text.as_bytes()) {
        return text.trim_matches(' ').to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    let is_space = |byte: &u8| char::from(*byte).is_whitespace();
    for word in text
        .as_bytes()
        .split(is_space)
        .filter(|word| !word.is_empty())
    {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(str::from_utf8(word).unwrap_or_default());
    }
    out.make_ascii_lowercase();
    out
}

/// Whether the white space of a plain text is single spaces, as it mostly is; without a branch a byte.
fn has_only_single_spaces(text: &[u8]) -> bool {
    const CONTROLS: u8 = 5;
    let mut others = false;
    for byte in text {
        // From tab to carriage return.
        others |= byte.wrapping_sub(b'\t') < CONTROLS;
    }
    for (byte, next) in text.iter().zip(text.get(1..).unwrap_or_default()) {
        others |= ((byte ^ b' ') | (next ^ b' ')) == 0;
    }
    !others
}

/// The words of a text with one space between them; it has about so many bytes.
fn with_single_spaces(text: impl Iterator<Item = char>, bytes: usize) -> String {
    let mut out = String::with_capacity(bytes);
    let mut space_before = false;
    for c in text {
        if c.is_whitespace() {
            space_before = !out.is_empty();
            continue;
        }
        if space_before {
            out.push(' ');
            space_before = false;
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        let mut folded = String::new();
        fold_into(input, &mut folded);
        assert_eq!(folded, expected);
    }

    #[test]
    fn latin_letters_lose_their_marks_and_others_keep_them() {
        check("Café", "cafe");
        check("CAFE\u{301}", "cafe");
        check("Ｆｕｌｌ", "full");
        check("Йод", "йод");
        check("हिन्दी", "हिन्दी");
        check("don’t", "don't");
        check("ﬁn", "fin");
    }

    #[test]
    fn ascii_has_the_form_that_it_has_beside_other_letters() {
        for text in [
            " I  live\tIN\r\nMunich\u{b}now\u{c} \u{1c}x. ",
            "",
            "  ",
            "A",
        ] {
            let among_others = normalise(&format!("é {text}"));
            let alone = normalise(text);
            assert_eq!(format!("é {alone}").trim_end(), among_others, "{text:?}");
        }
    }

    #[test]
    fn normal_forms_differ_where_meaning_may() {
        assert_eq!(normalise("..."), "...");
        assert_eq!(normalise("Yes!"), "yes");
        assert_ne!(normalise("yes?"), normalise("yes"));
        assert_ne!(normalise("1.5"), normalise("15"));
    }
}
