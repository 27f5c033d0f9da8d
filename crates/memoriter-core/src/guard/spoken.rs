//! Secrets said in words: "my password is tulip42", "the PIN for my card is 4711", "123456 is your login code".
//!
//! A noun names the secret, words say what it is for, a verb or a sign leads to the value. What the value must look
//! like depends on the noun: digits for a PIN, something random for a key, almost any word for a password.

mod aside;
mod noun;
mod value;

use std::ops::Range;

use aside::behind_aside;
pub(super) use noun::NOUNS;
use noun::{Class, Noun};
use value::{Lead, Value};

use super::rules::Lazy;
use super::span::{Found, Rank};
use super::words::is_no_secret;

/// Words between a noun and its verb: "the password I use for the shared account at work is".
const QUALIFIER_WORDS_MAX: usize = 10;
/// Bytes before a noun in which a value may stand: "123456 is your Example verification code".
const BEFORE_BYTES: usize = 120;

/// Words between a value and its noun that `REVERSED` reads, from the owner on.
const REVERSED_WORDS_MAX: usize = 5;

/// Words that may begin what a secret is for.
const OPENERS: &[&str] = &[
    "for", "to", "of", "on", "at", "in", "from", "into", "i", "we", "she", "he", "they", "that",
    "which", "here", "there", "you", "für", "fürs", "zum", "zur", "von", "vom", "im", "para", "de",
    "del", "da", "do", "pour", "du", "des", "di", "per", "della", "voor", "van", "do", "для", "от",
    "(for", "(to", "by",
];
/// Words that lead to a value.
const VERBS: &[&str] = &[
    "is", "was", "are", "were", "equals", "ist", "lautet", "war", "es", "era", "est", "è", "é",
    "jest", "to", "será", "sera", "remains", "reads", "becomes", "became", "was:", "is:", "are:",
    "это",
];
/// Words that may stand between verb and value.
const FILLERS: &[&str] = &[
    "now",
    "still",
    "currently",
    "just",
    "simply",
    "always",
    "actually",
    "set",
    "changed",
    "reset",
    "updated",
    "rotated",
    "switched",
    "to",
    "as",
    "follows",
    "this",
    "called",
    "jetzt",
    "ahora",
    "maintenant",
    "probably",
    "really",
    "literally",
    "again",
    "either",
    "the",
    "code",
    "number",
    "password",
    "word",
    "string",
];
/// Words after which a sentence speaks about the noun and gives no value.
const STOPPERS: &[&str] = &[
    "must", "should", "can", "cannot", "can't", "could", "may", "might", "has", "have", "had",
    "needs", "need", "will", "would", "doesn't", "does", "did", "isn't", "wasn't", "expires",
    "expired", "contains", "and", "or", "but", "when", "if", "because",
];
/// Words before a bare "key" or "token" that make it an identifier.
const IDENTIFYING: &[&str] = &[
    "public",
    "primary",
    "foreign",
    "cache",
    "partition",
    "sort",
    "idempotency",
    "row",
    "index",
    "hash",
    "object",
    "storage",
    "map",
    "pubkey",
    "csrf",
    "page",
    "next",
    "lock",
    "group",
    "shard",
    "routing",
    "publishable",
    "site",
];
/// What a code opens.
const DOORS: &[&str] = &[
    "door",
    "gate",
    "garage",
    "safe",
    "alarm",
    "lock",
    "locker",
    "building",
    "entrance",
    "vault",
    "keypad",
    "lockbox",
    "shed",
    "suitcase",
    "briefcase",
    "bike",
    "phone",
    "elevator",
    "wifi",
    "wi-fi",
    "tür",
    "haustür",
    "tresor",
    "alarmanlage",
    "puerta",
    "alarma",
    "porte",
    "alarme",
    "allarme",
];
/// What comes before "code" where everybody may know it.
const ORDINARY_CODES: &[&str] = &[
    "zip",
    "postal",
    "post",
    "area",
    "country",
    "error",
    "status",
    "exit",
    "product",
    "promo",
    "discount",
    "coupon",
    "voucher",
    "booking",
    "reservation",
    "order",
    "tracking",
    "dress",
    "source",
    "version",
    "http",
    "bar",
    "qr",
    "dialling",
    "dialing",
    "airport",
    "currency",
    "language",
    "color",
    "colour",
    "hex",
    "swift",
    "sort",
    "branch",
    "diagnostic",
    "item",
    "game",
    "referral",
    "invite",
    "invitation",
    "return",
    "response",
    "course",
    "class",
    "flight",
    "confirmation",
];
/// Ways to say that a secret has a new value.
const CHANGED: &[&str] = &[
    "has been changed to ",
    "has been set to ",
    "has been reset to ",
    "has been updated to ",
    "had been changed to ",
    "should be set to ",
    "will be ",
    "has changed to ",
    "got changed to ",
    "is going to be ",
];
/// Verbs that give a noun its value with "to": "I changed my password to tulip42".
const SETTING: &[&str] = &[
    "set ", "change", "reset ", "update", "switch", "make ", "made ",
];
/// Words before a noun after which the value may follow at once: "log in as bob with password tulip42".
const JOINING: &[&str] = &["with", "using", "mit", "con", "avec"];

/// `VALUE is my PIN`, `use VALUE as your code`, `VALUE: your code`.
static REVERSED: Lazy = Lazy::new(
    r"(?i)(?P<value>[^\s,;:(\x22'`]{4,64})[\x22'`]?\s(?:is|was|as|=|-|for)\s(?:my|your|the|our|his|her|their)\s(?:[\w.&'-]{1,20}\s){0,4}$",
);
/// `code 482913 to log in`, where the noun alone says too little.
static USE_CODE: Lazy = Lazy::new(
    r"(?i)^\s{1,3}(?P<value>\d{3}[ -]?\d{3,5}|\d{4,8})\s(?:to|for)\s(?:\w+\s){0,2}(?:log ?in|login|sign ?in|verify|verif\w+|confirm|authenticat\w+|access|complete|reset|activate)",
);

/// Adds the secret that a noun at `span` gives its name to, if there is one.
pub(super) fn find(text: &str, span: Range<usize>, noun: &Noun, found: &mut Vec<Found>) {
    if !noun.stands(text, &span) {
        return;
    }
    let kind = noun.class.kind();
    if let Some(value) = forward(text, &span, noun) {
        found.push(Found::new(value, kind, Rank::Place));
    } else if let Some(value) = backward(text, span.start, noun.class) {
        found.push(Found::new(value, kind, Rank::Place));
    }
}

fn forward(text: &str, noun_span: &Range<usize>, noun: &Noun) -> Option<Range<usize>> {
    let class = noun.class;
    let identifies = |word: String| {
        word.split(['-', '_'])
            .any(|part| IDENTIFYING.contains(&part))
    };
    if class == Class::Key && previous_word(text, noun_span.start).is_some_and(identifies) {
        return None;
    }
    if class == Class::BareCode {
        return by_pattern(&USE_CODE, text, noun_span.end).or_else(|| bare_code(text, noun_span));
    }
    let (at, lead) = lead(text, noun_span)?;
    let value = Value::read(text, at, lead, class)?;
    // A confirmation of letters and digits is that of a booking.
    let is_booking = noun.word == "confirmation code" && !value.is_number(text);
    (value.fits(text) && !is_booking).then_some(value.span)
}

/// "The code for the front door is 2580", "your Example code is 4821": a code is a secret if it opens something or is
/// somebody's own.
fn bare_code(text: &str, noun_span: &Range<usize>) -> Option<Range<usize>> {
    let (at, lead) = lead(text, noun_span)?;
    let before =
        text.get(text.floor_char_boundary(noun_span.start.saturating_sub(48))..noun_span.start)?;
    let sentence = before.rsplit(['.', '!', '?', '\n']).next()?.to_lowercase();
    let between = text.get(noun_span.end..at)?.to_lowercase();
    let words = |part: &str| -> Vec<String> {
        let parts = part.split(|c: char| !c.is_alphanumeric() && c != '-');
        parts
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let said_before = words(&sentence);
    let is_ordinary = said_before
        .last()
        .is_some_and(|word| ORDINARY_CODES.contains(&word.as_str()));
    let opens = |word: &String| DOORS.contains(&word.as_str());
    let is_own = said_before
        .iter()
        .rev()
        .nth(1)
        .is_some_and(|word| word == "your");
    // "The building code 2021" names a rule, "with the code 2021" a number.
    let is_said = lead != Lead::Nothing
        || said_before
            .last()
            .is_some_and(|word| ["the", "with", "this", "enter", "using"].contains(&word.as_str()));
    let is_secret = is_said
        && !is_ordinary
        && (said_before.iter().any(opens) || words(&between).iter().any(opens) || is_own);
    let value = is_secret.then(|| Value::read(text, at, lead, Class::Pin))??;
    value.fits(text).then_some(value.span)
}

fn by_pattern(pattern: &Lazy, text: &str, from: usize) -> Option<Range<usize>> {
    let end = text.floor_char_boundary((from + BEFORE_BYTES).min(text.len()));
    let captures = pattern.get()?.captures(text.get(from..end)?.as_bytes())?;
    let value = captures.name("value")?;
    Some(from + value.start()..from + value.end())
}

/// Where the value behind a noun begins and what leads to it.
fn lead(text: &str, noun: &Range<usize>) -> Option<(usize, Lead)> {
    let mut at = skip_closing(text, noun.end);
    if let Some(behind) = behind_aside(text, at) {
        return Some((skip_fillers(text, behind), Lead::Verb));
    }
    let mut is_after_comma = false;
    for index in 0..QUALIFIER_WORDS_MAX {
        if let Some(behind) = sign(text, at) {
            let value = skip_fillers(text, behind);
            // `authenticate(user, password):` and a line below it.
            let is_block = text
                .get(noun.end..value)
                .is_some_and(|gap| gap.contains(')') && gap.contains('\n'));
            return (!is_block).then_some((value, Lead::Sign));
        }
        let (start, word) = next_word(text, at)?;
        let lower = word.to_lowercase();
        if index == 0 && matches!(lower.as_str(), "to" | "as") && is_set_before(text, noun.start) {
            return Some((skip_fillers(text, start + word.len()), Lead::Verb));
        }
        if VERBS.contains(&lower.as_str()) && (lower != "to" || index == 0 && !is_ascii(text, noun))
        {
            return Some((skip_fillers(text, start + word.len()), Lead::Verb));
        }
        let tail = text.get(start..).unwrap_or_default();
        if let Some(changed) = CHANGED.iter().find(|changed| tail.starts_with(**changed)) {
            return Some((skip_fillers(text, start + changed.len()), Lead::Verb));
        }
        if index == 0 && !OPENERS.contains(&lower.as_str()) {
            let joins = previous_word(text, noun.start)
                .is_some_and(|word| JOINING.contains(&word.as_str()));
            let lead = if joins { Lead::Joined } else { Lead::Nothing };
            // `name="password" id="x"` and `password@host` go on with something else.
            let is_apart = at == noun.end && start > at && !word.contains(['=', '<', '>', '(']);
            return is_apart.then_some((start, lead));
        }
        if let Some(name) = lower.strip_suffix([':', '=', '：']) {
            let is_name = !name.is_empty() && !STOPPERS.contains(&name);
            return is_name.then(|| (skip_fillers(text, start + word.len()), Lead::Sign));
        }
        if STOPPERS.contains(&lower.as_str()) || lower.ends_with(['.', '!', '?', ';']) {
            return None;
        }
        if lower.ends_with(',') && std::mem::replace(&mut is_after_comma, true) && index > 6 {
            return None;
        }
        at = start + word.len();
    }
    None
}

/// Behind quotes, stars and a bracket that close right after a noun.
fn skip_closing(text: &str, mut at: usize) -> usize {
    for _ in 0..3 {
        match text.get(at..).and_then(|rest| rest.chars().next()) {
            Some('\'' | '’') if is_genitive(text, at) => break,
            Some(c) if "\"'`*_)”’」".contains(c) => at += c.len_utf8(),
            Some(_) | None => break,
        }
    }
    at
}

/// "My password's tulip42": a verb, and no quote that closes.
fn is_genitive(text: &str, at: usize) -> bool {
    text.get(at..)
        .is_some_and(|rest| rest.starts_with("'s ") || rest.starts_with("’s "))
}

/// Behind a sign that leads to a value, such as `:` or an arrow; in Chinese, Japanese and Korean also behind a particle.
fn sign(text: &str, at: usize) -> Option<usize> {
    const SIGNS: &[&str] = &[
        "->",
        "=>",
        ":=",
        "==",
        ":",
        "=",
        "：",
        "＝",
        "→",
        "⇒",
        "–",
        "—",
        "- ",
        "是",
        "为",
        "為",
        "は",
        "는",
        "은",
        "'s ",
        "’s ",
        ", it's ",
        ", it’s ",
        ", it is ",
        ", which is ",
    ];
    let rest = text.get(at..)?;
    let trimmed = rest.trim_start_matches([' ', '\t', '\u{a0}']);
    let skipped = rest.len() - trimmed.len();
    let found = SIGNS.iter().find(|sign| trimmed.starts_with(**sign))?;
    let mut behind = at + skipped + found.len();
    // `**Password:** tulip42`
    behind = if trimmed.get(found.len()..)?.starts_with("**") {
        behind + 2
    } else {
        behind
    };
    Some(behind)
}

fn next_word(text: &str, at: usize) -> Option<(usize, &str)> {
    let rest = text.get(at..)?;
    let trimmed = rest.trim_start_matches([' ', '\t', '\u{a0}']);
    let start = at + rest.len() - trimmed.len();
    let word = trimmed.split(char::is_whitespace).next()?;
    (!word.is_empty()).then_some((start, word))
}

fn previous_word(text: &str, at: usize) -> Option<String> {
    let before = text.get(..at)?;
    let near = text.get(text.floor_char_boundary(before.len().saturating_sub(BEFORE_BYTES))..at)?;
    near.split_whitespace().next_back().map(str::to_lowercase)
}

/// Whether a noun has only plain letters: after one that has others, "to" is the verb of Polish.
fn is_ascii(text: &str, noun: &Range<usize>) -> bool {
    text.get(noun.clone()).is_some_and(str::is_ascii)
}

fn is_set_before(text: &str, at: usize) -> bool {
    let start = text.floor_char_boundary(at.saturating_sub(40));
    let near = text.get(start..at).unwrap_or_default().to_lowercase();
    SETTING.iter().any(|verb| near.contains(verb))
}

/// Behind white space and words such as "now" or "set to". One line break is allowed behind a sign.
fn skip_fillers(text: &str, mut at: usize) -> usize {
    for _ in 0..4 {
        let rest = text.get(at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        let word = trimmed
            .split(char::is_whitespace)
            .next()
            .unwrap_or_default();
        let bare = word.trim_end_matches([':', '=']).to_lowercase();
        // A filler that ends the sentence is the value: "the password is password."
        let goes_on = trimmed
            .get(word.len()..)
            .is_some_and(|rest| !rest.trim_start_matches(' ').is_empty());
        if !FILLERS.contains(&bare.as_str()) || !goes_on {
            break;
        }
        at += word.len();
    }
    at
}

/// The value before a noun: "4711 is my PIN".
fn backward(text: &str, at: usize, class: Class) -> Option<Range<usize>> {
    let start = text.floor_char_boundary(at.saturating_sub(BEFORE_BYTES));
    let owners = ["my", "your", "the", "our", "his", "her", "their"];
    let mut words = text
        .get(start..at)?
        .split_whitespace()
        .rev()
        .take(REVERSED_WORDS_MAX);
    if !words.any(|word| owners.iter().any(|owner| word.eq_ignore_ascii_case(owner))) {
        return None;
    }
    let captures = REVERSED.get()?.captures(text.get(start..at)?.as_bytes())?;
    let value = captures.name("value")?;
    let span = text.floor_char_boundary(start + value.start())
        ..text.ceil_char_boundary(start + value.end());
    let word = text.get(span.clone())?;
    if is_no_secret(word) {
        return None;
    }
    let value = Value::of(text, span, class)?;
    value.is_sure(text).then_some(value.span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expression_compiles() {
        assert!(REVERSED.get().is_some());
        assert!(USE_CODE.get().is_some());
    }
}
