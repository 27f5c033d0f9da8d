//! Secrets in odd phrases: tables, two words to log in with, other languages, split tokens, names spelled with digits.
//!
//! `«` and `»` mark a secret, `\n` and `\t` stand for a line break and a tab. Half of the texts were there while the
//! rules were made, and the other half was measured once at the end: before, 41 of 77 and 36 of 76 secrets stood in
//! what was kept, and 4 of 102 other texts were altered; after, 1, 4 and none. What leaks in the second half stays
//! here, within the bound.

use super::made::Made;
use crate::guard::Guard;

const DEVELOPED: &str = include_str!("odd/developed.txt");
const HELD: &str = include_str!("odd/held.txt");
const HARMLESS: &str = include_str!("odd/harmless.txt");
const AROUND: &str = include_str!("odd/around.txt");
const AROUND_HARMLESS: &str = include_str!("odd/around_harmless.txt");
const SAID: &str = include_str!("odd/said.txt");
const SAID_HARMLESS: &str = include_str!("odd/said_harmless.txt");

fn read(line: &str) -> String {
    line.replace("\\n", "\n").replace("\\t", "\t")
}

/// The secrets of a text that can be read in what is kept of it, in whole or in part.
fn leaked(guard: &Guard, line: &str) -> Vec<String> {
    let marked = read(line);
    let plain = marked.replace(['«', '»'], "");
    let kept = guard.check(&plain).text.into_owned();
    let secrets = marked.split('«').skip(1);
    let secrets = secrets.map(|rest| rest.split('»').next().unwrap());
    let is_kept = |secret: &&str| {
        let parts: Vec<&str> = secret
            .split_whitespace()
            .filter(|part| part.len() > 1)
            .collect();
        kept.contains(*secret) || parts.iter().any(|part| kept.contains(part))
    };
    secrets.filter(is_kept).map(str::to_owned).collect()
}

#[track_caller]
fn check(texts: &str, leaks_max: usize) {
    let guard = Guard::default();
    let leaks: Vec<String> = texts
        .lines()
        .flat_map(|line| leaked(&guard, line))
        .collect();
    assert!(
        leaks.len() <= leaks_max,
        "{} leaked: {leaks:#?}",
        leaks.len()
    );
}

/// Names that stand around a secret or a line away: 36 of the first 40 were kept before there were forms for
/// them, and of the next 26, written afterwards, 2 at the first try. Of the other texts the first 77 were there while the
/// forms were made; 3 of the next 54 were altered at first.
#[test]
fn secrets_with_their_name_around_them_are_masked() {
    check(AROUND, 0);
    let guard = Guard::default();
    let texts = AROUND_HARMLESS.lines().map(read);
    let altered: Vec<String> = texts
        .filter(|text| guard.check(text).text != *text)
        .collect();
    assert!(altered.is_empty(), "{altered:#?}");
}

#[test]
fn secrets_in_odd_phrases_are_masked() {
    assert!(DEVELOPED.lines().count() + HELD.lines().count() >= 150);
    check(DEVELOPED, 1);
    check(HELD, 4);
}

/// Words that people take for passwords.
const WORDS: &[&str] = &[
    "tulip", "hunter", "sunshine", "kestrel", "walnut", "marble", "dragon", "papaya", "violet",
    "copper", "zebra", "lantern",
];

/// Forms of what people say in their own order, filled with values from a seed. Half of them were masked before there
/// were rules for them.
#[test]
fn secrets_in_spoken_order_are_masked() {
    let guard = Guard::default();
    let mut made = Made::new(7);
    let (mut all, mut leaks) = (0, Vec::new());
    for _ in 0..3 {
        for form in SAID.lines() {
            let mut form = form.to_owned();
            while form.contains("{word}") {
                form = form.replacen("{word}", made.one(WORDS), 1);
            }
            let said = made.fill(&form);
            all += said.matches('«').count();
            leaks.extend(leaked(&guard, &said));
        }
    }
    let count = leaks.len();
    assert!(SAID.lines().count() >= 100);
    assert!(count * 20 <= all, "{count} of {all}: {leaks:#?}");
}

#[test]
fn a_mask_leaves_the_end_of_the_sentence() {
    let guard = Guard::default();
    for (said, kept) in [
        (
            "The password? It's tulip42. Thanks.",
            "The password? It's [secret:password]. Thanks.",
        ),
        (
            "My phone unlocks with 4711. Nice.",
            "My phone unlocks with [secret:password]. Nice.",
        ),
        (
            "My password is tulip42. I moved.",
            "My password is [secret:password]. I moved.",
        ),
    ] {
        assert_eq!(guard.check(said).text, kept);
    }
}

#[test]
fn what_looks_like_one_stays() {
    check_harmless(HARMLESS);
    check_harmless(SAID_HARMLESS);
}

#[track_caller]
fn check_harmless(texts: &str) {
    let guard = Guard::default();
    let altered: Vec<String> = texts
        .lines()
        .map(read)
        .filter(|text| guard.check(text).text != text.as_str())
        .collect();
    let (count, all) = (altered.len(), texts.lines().count());
    assert!(
        all >= 100 && count * 50 <= all,
        "{count} of {all}: {altered:#?}"
    );
}
