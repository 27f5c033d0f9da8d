//! Categories that an operator may block: what has check digits or a strict form.

use std::ops::Range;

use super::card;
use super::policy::Category;
use super::rules::Lazy;

mod national;
mod phone;

/// Addresses as they are written: RFC 5321 without quoted names and comments, with a top-level domain of letters.
static EMAIL: Lazy = Lazy::new(
    r"(?i)\b[a-z0-9][a-z0-9._%+'-]{0,63}@(?:[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?\.){1,8}(?:[a-z]{2,24}|xn--[a-z0-9-]{2,59})\b",
);
/// Country, check digits, and up to thirty signs in one piece or in groups of four (ISO 13616).
static IBAN: Lazy = Lazy::new(r"(?i)\b[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){2,7}(?: ?[a-z0-9]{1,3})?\b");

/// Lengths of the IBANs of each country, from the registry of ISO 13616 that SWIFT keeps.
const IBAN_CHARS: &[(&str, usize)] = &[
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BI", 27),
    ("BR", 29),
    ("BY", 28),
    ("CH", 21),
    ("CR", 22),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DJ", 27),
    ("DK", 18),
    ("DO", 28),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FK", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("GT", 28),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IQ", 23),
    ("IS", 26),
    ("IT", 27),
    ("JO", 30),
    ("KW", 30),
    ("KZ", 20),
    ("LB", 28),
    ("LC", 32),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("LY", 25),
    ("MC", 27),
    ("MD", 24),
    ("ME", 22),
    ("MK", 19),
    ("MN", 20),
    ("MR", 27),
    ("MT", 31),
    ("MU", 30),
    ("NI", 28),
    ("NL", 18),
    ("NO", 15),
    ("OM", 23),
    ("PK", 24),
    ("PL", 28),
    ("PS", 29),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("RU", 33),
    ("SA", 24),
    ("SC", 31),
    ("SD", 18),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("SO", 23),
    ("ST", 25),
    ("SV", 28),
    ("TL", 23),
    ("TN", 24),
    ("TR", 26),
    ("UA", 29),
    ("VA", 22),
    ("VG", 24),
    ("XK", 20),
    ("YE", 30),
];

/// What a text has of a built-in category, in bytes. Nothing for a named one: its pattern finds that.
pub(super) fn find(category: &Category, text: &str) -> Vec<Range<usize>> {
    match category {
        Category::CardNumber => card::find(text),
        Category::Iban => ibans(text),
        Category::Email if text.contains('@') => matches(&EMAIL, text).collect(),
        Category::Phone => phone::find(text),
        Category::NationalId => national::find(text),
        Category::Email | Category::Named(_) => Vec::new(),
    }
}

fn matches<'a>(pattern: &'static Lazy, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    let found = pattern.get().into_iter();
    found.flat_map(|regex| regex.find_iter(text.as_bytes()).map(|hit| hit.range()))
}

fn ibans(text: &str) -> Vec<Range<usize>> {
    let cut = |span: Range<usize>| {
        // The expression may have taken the next word too: the country says how long it is.
        let found = text.get(span.clone())?;
        let country = found.get(..2)?.to_ascii_uppercase();
        let (_, length) = IBAN_CHARS.iter().find(|(code, _)| *code == country)?;
        let (last, _) = found
            .char_indices()
            .filter(|(_, c)| *c != ' ')
            .nth(length - 1)?;
        let iban = found.get(..=last)?;
        is_iban(iban).then(|| span.start..span.start + iban.len())
    };
    matches(&IBAN, text).filter_map(cut).collect()
}

/// The check of ISO 7064, MOD 97-10: with the first four signs at the end and letters as two digits, the remainder is 1.
fn is_iban(iban: &str) -> bool {
    let signs: Vec<char> = iban.chars().filter(|c| *c != ' ').collect();
    let turned = signs.iter().cycle().skip(4).take(signs.len());
    let remainder = turned
        .filter_map(|c| c.to_digit(36))
        .fold(0_u32, |remainder, digit| {
            let shift = if digit < 10 { 10 } else { 100 };
            (remainder * shift + digit) % 97
        });
    remainder == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(category: &Category, text: &str, expected: &[&str]) {
        let found: Vec<&str> = find(category, text)
            .into_iter()
            .map(|span| &text[span])
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn ibans_have_check_digits() {
        check(
            &Category::Iban,
            "pay to DE89 3704 0044 0532 0130 00 please",
            &["DE89 3704 0044 0532 0130 00"],
        );
        check(
            &Category::Iban,
            "GB82WEST12345698765432.",
            &["GB82WEST12345698765432"],
        );
        check(&Category::Iban, "DE88 3704 0044 0532 0130 00", &[]);
        check(&Category::Iban, "XX89370400440532013000", &[]);
    }

    #[test]
    fn addresses_have_a_domain() {
        check(
            &Category::Email,
            "Write to bob.o'neil+x@mail.example.org, soon.",
            &["bob.o'neil+x@mail.example.org"],
        );
        check(&Category::Email, "see @bob and a@b or git@host:x", &[]);
    }
}
