//! Telephone numbers. Only some forms are sure by themselves; others need a word that says what they are.

use std::ops::Range;

use super::super::rules::Lazy;

/// Digits of an international number (ITU-T E.164 has at most fifteen) and of a local one.
const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;
/// Bytes before a number in which a word may say that it is one of a telephone.
const CONTEXT_BYTES: usize = 48;

/// Groups of digits with the signs that people put between them.
static NUMBER: Lazy = Lazy::new(
    r"(?:\+|\b00|\()?\(?\d{1,5}\)?(?:[ ./-]{0,2}\(?\d{1,5}\)?){1,6}(?:[ ]?(?:x|ext\.?)[ ]?\d{1,6})?",
);
/// Words before a number of a telephone.
const WORDS: &[&str] = &[
    "phone",
    "call",
    "tel",
    "mobile",
    "cell",
    "fax",
    "whatsapp",
    "sms",
    "text me",
    "contact",
    "reach",
    "dial",
    "ring",
    "hotline",
    "number is",
    "answering at",
    "messages to",
    "desk",
    "handy",
    "telefon",
    "móvil",
    "teléfono",
    "téléphone",
    "registered",
    "phone number",
    "landline",
    "office",
];
/// Words after a number that say what line it is.
const WORDS_AFTER: &[&str] = &["fax", "mobile", "office", "home", "cell", "work"];

pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let found = NUMBER.get().into_iter();
    let spans = found.flat_map(|regex| regex.find_iter(text.as_bytes()).map(|hit| hit.range()));
    spans.filter(|span| is_phone(text, span)).collect()
}

fn is_phone(text: &str, span: &Range<usize>) -> bool {
    let Some(number) = text.get(span.clone()) else {
        return false;
    };
    let bytes = text.as_bytes();
    let before = span.start.checked_sub(1).and_then(|at| bytes.get(at));
    let joins = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_/#$".contains(byte))
    };
    let before_that = span.start.checked_sub(2).and_then(|at| bytes.get(at));
    let goes_on = before.is_some_and(|byte| b".,:-".contains(byte))
        && before_that.is_some_and(u8::is_ascii_digit);
    let is_security_number = number.split('-').map(str::len).eq([3, 2, 4]);
    if joins(before) || joins(bytes.get(span.end)) || goes_on || is_security_number {
        return false;
    }
    let main = number.split(['x', 'e']).next().unwrap_or_default();
    let digits = main.bytes().filter(u8::is_ascii_digit).count();
    if !DIGITS.contains(&digits)
        || is_date(main)
        || number.matches('(').count() != number.matches(')').count()
    {
        return false;
    }
    if number.starts_with('+') || number.starts_with("001-") {
        return digits >= 8;
    }
    is_north_american(main) || (has_context(text, span) && !main.contains('/'))
}

/// `415-555-0123`, `(415) 555-0123`, `415.555.0123`: area and exchange begin with 2 to 9 in the North American plan, but
/// made-up numbers do not, so only the form counts.
fn is_north_american(number: &str) -> bool {
    let trimmed = number.trim_start_matches("1-").trim_start_matches("1 ");
    let groups: Vec<usize> = trimmed
        .split(|c: char| !c.is_ascii_digit())
        .map(str::len)
        .filter(|length| *length > 0)
        .collect();
    let has_sign = trimmed.contains(['-', '.', '(']);
    groups == [3, 3, 4] && has_sign
}

fn has_context(text: &str, span: &Range<usize>) -> bool {
    let start = text.floor_char_boundary(span.start.saturating_sub(CONTEXT_BYTES));
    let before = text
        .get(start..span.start)
        .unwrap_or_default()
        .to_lowercase();
    let after = text
        .get(span.end..)
        .unwrap_or_default()
        .trim_start_matches([' ', '-']);
    let after = after
        .get(..after.len().min(8))
        .unwrap_or_default()
        .to_lowercase();
    WORDS.iter().any(|word| before.contains(word))
        || WORDS_AFTER.iter().any(|word| after.starts_with(word))
}

/// `2026-01-05` and `05.01.2026`.
fn is_date(number: &str) -> bool {
    let groups: Vec<&str> = number
        .split(|c: char| !c.is_ascii_digit())
        .filter(|group| !group.is_empty())
        .collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    let has_year = groups
        .iter()
        .any(|group| group.len() == 4 && (group.starts_with("19") || group.starts_with("20")));
    has_year
        && matches!(
            lengths.as_slice(),
            [4, 1 | 2, 1 | 2, ..] | [1 | 2, 1 | 2, 4]
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = find(text).into_iter().map(|span| &text[span]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn numbers_are_sure_by_form_or_word() {
        check("+49 151 23456789", &["+49 151 23456789"]);
        check(
            "(415) 555-0123 or 415-555-0123 x12",
            &["(415) 555-0123", "415-555-0123 x12"],
        );
        check("my phone is 0151 2345678", &["0151 2345678"]);
        check("order 0151 2345678", &[]);
        check("on 2026-01-05, call", &[]);
        check("10.0.0.1 and 3.14159265", &[]);
    }
}
