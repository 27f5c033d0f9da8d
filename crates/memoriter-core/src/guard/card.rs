//! Numbers of payment cards: issuer, length and check digit.

use std::ops::Range;

/// Digits of a card number, ISO/IEC 7812-1; numbers of 12 need a word for cards.
const DIGITS: std::ops::RangeInclusive<usize> = 12..=19;
/// Bytes before and after a number in which a word may say what it is.
const CONTEXT_BYTES: usize = 48;

/// Words that make a number with a card's form a card of a rare length.
const CARD_WORDS: &[&str] = &[
    "card",
    "visa",
    "mastercard",
    "maestro",
    "amex",
    "american express",
    "discover",
    "diners",
    "jcb",
    "unionpay",
    "credit",
    "debit",
    "cvv",
    "cvc",
    "expir",
    "exp ",
    "karte",
    "tarjeta",
    "carte",
    "carta",
    "payment",
    "pan",
];
/// Words that say that the number right behind them is something else.
const OTHER_WORDS: &[&str] = &[
    "order",
    "invoice",
    "tracking",
    "imei",
    "serial",
    "isbn",
    "ticket",
    "snowflake",
    "timestamp",
    "shipment",
    "parcel",
    "user id",
    "user_id",
    "userid",
    "message id",
    "channel id",
    "commit",
    "barcode",
    "ean",
    "sku",
    "part number",
    "build",
    "meter",
    "\"id\"",
    "id:",
    "id=",
    "id ",
    "reference",
];

/// The card numbers in a text, separators included.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = next_digit(bytes, at) {
        let run = Run::read(bytes, start);
        at = run.end;
        if let Some(end) = run.card(text, start) {
            found.push(start..end);
            at = end;
        }
    }
    found
}

fn next_digit(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.iter().position(u8::is_ascii_digit).map(|at| from + at)
}

/// Groups of digits with one space or hyphen between them.
struct Run {
    digits: Vec<u8>,
    /// Digits up to the end of each group, and where that is in the text.
    groups: Vec<(usize, usize)>,
    end: usize,
}

impl Run {
    /// A run is cut behind the digits of the longest number and one more group, so that reading stays linear.
    fn read(bytes: &[u8], start: usize) -> Self {
        let mut run = Self {
            digits: Vec::new(),
            groups: Vec::new(),
            end: start,
        };
        let mut at = start;
        loop {
            let group = bytes.get(at..).unwrap_or_default();
            let length = group
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            if length == 0 {
                break;
            }
            run.digits
                .extend(group.iter().take(length).map(|byte| byte - b'0'));
            at += length;
            run.groups.push((run.digits.len(), at));
            run.end = at;
            let is_joined = matches!(bytes.get(at), Some(b' ' | b'-'))
                && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
            if !is_joined || run.digits.len() > *DIGITS.end() {
                break;
            }
            at += 1;
        }
        run
    }

    /// The end of the card number that begins the run. Groups behind it, such as an expiry date, may follow.
    fn card(&self, text: &str, start: usize) -> Option<usize> {
        self.groups
            .iter()
            .enumerate()
            .rev()
            .find_map(|(index, (count, end))| {
                let digits = self.digits.get(..*count)?;
                let sizes = self.sizes(index);
                let is_card = DIGITS.contains(count)
                    && (is_issued(digits) || is_named_card(text, start))
                    && luhn(digits)
                    && is_grouped(&sizes)
                    && is_free(text.as_bytes(), start, *end)
                    && fits_context(text, start..*end, sizes.len() > 1);
                is_card.then_some(*end)
            })
    }

    fn sizes(&self, last: usize) -> Vec<usize> {
        let mut before = 0;
        let ends = self.groups.iter().take(last + 1);
        ends.map(|(count, _)| {
            let size = count - before;
            before = *count;
            size
        })
        .collect()
    }
}

/// Whether digits are grouped as cards print them: not at all, by four, or 4-6-5 and 4-6-4.
fn is_grouped(sizes: &[usize]) -> bool {
    match sizes {
        [_] | [4, 6, 4 | 5] => true,
        [full @ .., last] => full.iter().all(|size| *size == 4) && *last <= 4,
        [] => false,
    }
}

/// Whether nothing at the ends makes it a part of something longer: a word, a decimal, a phone number, a group.
fn is_free(bytes: &[u8], start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).and_then(|at| bytes.get(at));
    let joins_before =
        before.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_+.-/".contains(byte));
    let joins_after = bytes.get(end).is_some_and(|byte| {
        let next_is_digit = bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
        byte.is_ascii_alphanumeric() || *byte == b'_' || (b".-".contains(byte) && next_is_digit)
    });
    !joins_before && !joins_after
}

/// Whether the words around allow a card. A number of 15 or 16 digits in one piece, or of any length in groups, is one
/// unless the words right before it say otherwise; other lengths need a word for cards, since identifiers are as long.
fn fits_context(text: &str, span: Range<usize>, has_groups: bool) -> bool {
    let before_start = text.floor_char_boundary(span.start.saturating_sub(CONTEXT_BYTES));
    let after_end = text.ceil_char_boundary((span.end + CONTEXT_BYTES).min(text.len()));
    let before = text.get(before_start..span.start).unwrap_or_default();
    let before = before.to_ascii_lowercase();
    let after = text.get(span.end..after_end).unwrap_or_default();
    let after = after.to_ascii_lowercase();
    let says_card = |word: &str| before.contains(word) || after.contains(word);
    if CARD_WORDS.iter().any(|word| says_card(word)) {
        return true;
    }
    let near_start = before.floor_char_boundary(before.len().saturating_sub(24));
    let near = before.get(near_start..).unwrap_or_default();
    if !has_groups && OTHER_WORDS.iter().any(|word| near.contains(word)) {
        return false;
    }
    let digits = span.end - span.start;
    has_groups || matches!(digits, 15 | 16)
}

/// Whether the words right before a number call it a card: then it need not be of a range that is known here.
fn is_named_card(text: &str, start: usize) -> bool {
    let from = text.floor_char_boundary(start.saturating_sub(CONTEXT_BYTES / 2));
    let before = text
        .get(from..start)
        .unwrap_or_default()
        .to_ascii_lowercase();
    ["card", "visa", "maestro", "amex", "cc "]
        .iter()
        .any(|word| before.contains(word))
}

/// Whether issuer and length belong together: the ranges of ISO/IEC 7812 as the networks publish them.
fn is_issued(digits: &[u8]) -> bool {
    let prefix = |count: usize| {
        let leading = digits.iter().take(count);
        leading.fold(0_u32, |number, digit| number * 10 + u32::from(*digit))
    };
    let count = digits.len();
    match (prefix(1), prefix(2), prefix(3), prefix(4)) {
        // Visa.
        (4, ..) => matches!(count, 13 | 16 | 19),
        // Mastercard.
        (_, 51..=55, ..) | (_, _, _, 2221..=2720) => count == 16,
        // American Express.
        (_, 34 | 37, ..) => count == 15,
        // Discover, and UnionPay, which it carries.
        (_, 62 | 65, ..) | (_, _, 644..=649, _) | (_, _, _, 6011) => matches!(count, 16..=19),
        // Diners Club.
        (_, 36 | 38 | 39, ..) | (_, _, 300..=305, _) => matches!(count, 14..=19),
        // JCB, of fifteen digits until 1988's ranges.
        (_, _, _, 3528..=3589) => matches!(count, 16..=19),
        (_, _, _, 2131 | 1800) => count == 15,
        // Maestro.
        (_, _, _, 5018 | 5020 | 5038 | 5893 | 6304 | 6759 | 6761..=6763) => {
            matches!(count, 13..=19)
        }
        _ => false,
    }
}

/// The check digit of ISO/IEC 7812-1, annex B.
pub(super) fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| match (at % 2, u32::from(*digit)) {
            (0, digit) => digit,
            (_, digit) => digit * 2 / 10 + digit * 2 % 10,
        })
        .sum();
    sum.is_multiple_of(10)
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
    fn cards_are_found_as_people_write_them() {
        check(
            "my card is 4111 1111 1111 1111, exp 12/29",
            &["4111 1111 1111 1111"],
        );
        check("5555-5555-5555-4444", &["5555-5555-5555-4444"]);
        check("amex 3782 822463 10005.", &["3782 822463 10005"]);
        check("{\"n\":\"4012888888881881\"}", &["4012888888881881"]);
        check(
            "pay with 4111 1111 1111 1111 12/29 123",
            &["4111 1111 1111 1111"],
        );
        check("visa 4222222222222", &["4222222222222"]);
    }

    #[test]
    fn numbers_that_are_no_cards_stay() {
        for text in [
            "4111 1111 1111 1112",
            "order 4111111111111111",
            "ISBN 978-3-16-148410-0",
            "+49 4111 1111 1111 1111",
            "x4111111111111111",
            "0.4111111111111111",
            "4222222222222",
            "1700000000000",
            "550e8400-e29b-41d4-a716-446655440000",
        ] {
            check(text, &[]);
        }
    }
}
