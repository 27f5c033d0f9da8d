//! National identifiers with check digits, or with a form that little else has.

use std::ops::Range;

use super::super::rules::Lazy;

/// Whether what has the form has the check digits too.
type Check = fn(&str) -> bool;

/// Each form with its check.
static FORMS: [(Lazy, Check); 5] = [
    // Brazil, Cadastro de Pessoas Físicas, with its points.
    (Lazy::new(r"\b\d{3}\.\d{3}\.\d{3}-\d{2}\b"), is_cpf),
    // China, GB 11643.
    (
        Lazy::new(
            r"\b[1-8]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]\b",
        ),
        is_resident,
    ),
    // Italy, codice fiscale.
    (
        Lazy::new(r"(?i)\b[a-z]{6}\d{2}[a-ehlmprst]\d{2}[a-z]\d{3}[a-z]\b"),
        is_fiscal,
    ),
    // Spain, DNI and NIE.
    (
        Lazy::new(r"(?i)\b(?:\d{8}|[xyz]\d{7})-?[a-hj-np-tv-z]\b"),
        is_dni,
    ),
    // United States, social security number: no check digit, but areas, groups and serials that are not given out.
    (Lazy::new(r"\b\d{3}-\d{2}-\d{4}\b"), is_ssn),
];

pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (form, check) in &FORMS {
        let Some(form) = form.get() else { continue };
        let hits = form.find_iter(text.as_bytes()).map(|hit| hit.range());
        found.extend(hits.filter(|span| text.get(span.clone()).is_some_and(check)));
    }
    found
}

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// Two check digits, each the weighted sum of those before, modulo 11 (Receita Federal).
fn is_cpf(text: &str) -> bool {
    let digits = digits(text);
    let check = |count: u32| {
        let weights = (2..=count + 1).rev();
        let sum: u32 = digits
            .iter()
            .zip(weights)
            .map(|(digit, weight)| digit * weight)
            .sum();
        sum * 10 % 11 % 10
    };
    let is_dull = digits.iter().all(|digit| digits.first() == Some(digit));
    !is_dull && digits.get(9) == Some(&check(9)) && digits.get(10) == Some(&check(10))
}

/// The check sign of ISO 7064, MOD 11-2.
fn is_resident(text: &str) -> bool {
    let values = text.chars().map(|c| c.to_digit(10).unwrap_or(10));
    let sum = values.fold(0, |sum, value| (sum * 2 + value) % 11);
    sum == 1
}

/// The letter is the remainder of the number by 23 (Real Decreto 1553/2005).
fn is_dni(text: &str) -> bool {
    const LETTERS: &[u8] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    let upper = text.to_ascii_uppercase();
    let number: u32 = upper
        .trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '-')
        .chars()
        .map(|c| match c {
            'X' => 0,
            'Y' => 1,
            'Z' => 2,
            _ => c.to_digit(10).unwrap_or(0),
        })
        .fold(0, |number, digit| number * 10 + digit);
    let letter = LETTERS.get(number as usize % LETTERS.len());
    letter.is_some() && letter.copied() == upper.bytes().next_back()
}

/// The last letter is a sum over the others, with values of their own at odd places (Decreto 23 December 1976).
fn is_fiscal(text: &str) -> bool {
    /// Values at odd places of 0 to 9, which A to J share, and of K to Z.
    const ODD: [u32; 26] = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24,
        23,
    ];
    let upper = text.to_ascii_uppercase();
    let value = |c: char| {
        c.to_digit(10)
            .or_else(|| c.to_digit(36).map(|value| value - 10))
    };
    let sum: u32 = upper
        .chars()
        .take(15)
        .enumerate()
        .filter_map(|(at, c)| {
            let value = value(c)?;
            if at % 2 == 1 {
                Some(value)
            } else {
                ODD.get(value as usize).copied()
            }
        })
        .sum();
    upper.chars().next_back().and_then(value) == Some(sum % 26)
}

fn is_ssn(text: &str) -> bool {
    let mut parts = text.split('-');
    let (area, group, serial) = (parts.next(), parts.next(), parts.next());
    !matches!(area, None | Some("000" | "666"))
        && !text.starts_with('9')
        && group != Some("00")
        && serial != Some("0000")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_decide() {
        for (good, bad) in [
            ("529.982.247-25", "529.982.247-26"),
            ("11010519491231002X", "110105194912310021"),
            ("12345678Z", "12345678A"),
            ("X1234567L", "X1234567T"),
            ("RSSMRA85T10A562S", "RSSMRA85T10A562T"),
            ("123-45-6789", "000-45-6789"),
        ] {
            assert_eq!(find(&format!("id {good}.")).len(), 1, "{good}");
            assert!(find(&format!("id {bad}.")).is_empty(), "{bad}");
        }
    }
}
