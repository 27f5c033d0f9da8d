//! Whether what stands in a place looks like the secret that the place is for.

use super::Match;
use crate::guard::placeholder::{
    is_code, is_documented, is_dull, is_placeholder, is_reference, is_scrambled,
};
use crate::guard::rules::entropy_bits;
use crate::guard::words::is_no_secret;

/// Endings of names that are about a secret and do not hold it: `password_hash` may, `password_length` does not.
const ABOUT: &[&str] = &[
    "name",
    "type",
    "count",
    "length",
    "len",
    "size",
    "field",
    "input",
    "policy",
    "url",
    "uri",
    "endpoint",
    "path",
    "file",
    "expiry",
    "expires",
    "expiration",
    "ttl",
    "limit",
    "usage",
    "reset",
    "manager",
    "hint",
    "label",
    "regex",
    "pattern",
    "rules",
    "rule",
    "min",
    "max",
    "index",
    "prompt",
    "error",
    "message",
    "placeholder",
    "required",
    "mode",
    "strength",
    "column",
    "header",
    "provider",
    "class",
    "format",
    "env",
    "var",
    "ref",
    "arn",
    "age",
    "attempts",
    "description",
    "title",
    "text",
    "budget",
    "tokens",
    "passed",
    "through",
    "port",
    "thru",
    "rate",
    "less",
];
/// Segments of a name that make its value an identifier.
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
    "hot",
    "shortcut",
    "object",
    "storage",
    "map",
    "dict",
    "csrf",
    "next",
    "page",
    "cursor",
    "continuation",
    "publishable",
    "fingerprint",
];

pub(super) fn is_password_value(hit: &Match<'_>) -> bool {
    let value = hit.value.trim_end_matches(['.', ',', ')', ']', '}']);
    if !is_secret_name(hit.name) || value.chars().count() < 4 || !may_be_secret(value) {
        return false;
    }
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    // `PWD` is also where a shell stands.
    let is_folder = value.starts_with('/') && hit.name.to_ascii_lowercase().ends_with("pwd");
    if is_made_up(value) || is_folder {
        return false;
    }
    if hit.is_quoted {
        let words = value.split_whitespace().count();
        return !is_label(value, words)
            && (words == 1 || has_digit || hit.name.to_ascii_lowercase().contains("phrase"));
    }
    let has_sign = value
        .bytes()
        .any(|byte| byte.is_ascii_punctuation() && !b"_-.:,/()[]{}".contains(&byte));
    let is_expression = is_code(value, hit.next) || value.contains(['(', '{', '[']) && !has_digit;
    // "The secret: salt" is no assignment, so that what is not quoted needs a digit there.
    let is_password = !hit.name.to_ascii_lowercase().contains("secret");
    (has_digit || (has_sign && is_password) || is_scrambled(value))
        && !is_expression
        && !is_number_of(value, hit.name)
}

pub(super) fn is_token_value(hit: &Match<'_>) -> bool {
    /// Of a value of eight characters with a repetition or two; random keys have more.
    const ENTROPY_BITS_MIN: f64 = 2.5;
    let value = hit.value.trim_end_matches(['.', ',', ')', ']', '}']);
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_secret_name(hit.name)
        && value.len() >= 8
        && has_digit
        && has_letter
        && value.is_ascii()
        && !value.contains("://")
        && !value.starts_with(['/', '.', '#'])
        && may_be_secret(value)
        && !is_placeholder(value)
        && !is_code(value, hit.next)
        && !value.contains(['(', '{', '['])
        && entropy_bits(value.as_bytes()) >= ENTROPY_BITS_MIN
}

pub(super) fn is_header_value(hit: &Match<'_>) -> bool {
    let value = hit.value;
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let is_long = value.len() >= 16 && value.bytes().any(|byte| byte.is_ascii_uppercase());
    (has_digit || is_long)
        && !is_placeholder(value)
        && !is_documented(value)
        && !is_code(value, hit.next)
}

pub(super) fn is_address_value(hit: &Match<'_>) -> bool {
    let value = hit.value;
    let lower = value.to_ascii_lowercase();
    let is_port = value.bytes().all(|byte| byte.is_ascii_digit()) && value.len() < 3;
    !is_port
        && may_be_secret(value)
        && !is_placeholder(value)
        && ![
            "password",
            "passwd",
            "pass",
            "pwd",
            "secret",
            "token",
            "pw",
            "password123?",
        ]
        .contains(&lower.as_str())
}

pub(super) fn is_option_value(hit: &Match<'_>) -> bool {
    let value = hit.value;
    let has_mark = value
        .bytes()
        .any(|byte| byte.is_ascii_digit() || byte.is_ascii_punctuation());
    let is_known = is_placeholder(value) || is_reference(value) || is_code(value, hit.next);
    (has_mark || is_scrambled(value)) && !is_known && may_be_secret(value) && !value.contains("://")
}

/// Whether a value of a Kubernetes secret is base64 and not a part of its description.
pub(super) fn is_kubernetes_value(hit: &Match<'_>) -> bool {
    let describes = ["name", "namespace", "type", "kind", "app", "apiVersion"].contains(&hit.name);
    !describes && hit.value.len().is_multiple_of(4)
}

/// Whether the second of a pair such as `admin:tulip42` looks like a password and not like a time or a port.
pub(super) fn is_pair_value(hit: &Match<'_>) -> bool {
    let has_digit = hit.value.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = hit.value.bytes().any(|byte| byte.is_ascii_alphabetic());
    has_digit && has_letter && is_option_value(hit)
}

/// Whether a name holds a secret: none of its ends and segments says that it is about one.
fn is_secret_name(name: &str) -> bool {
    let mut parts = Vec::new();
    let mut rest = name;
    // `passwordLength` has the same parts as `password_length`.
    while let Some(at) = rest.char_indices().skip(1).find_map(|(at, c)| {
        let before = rest.get(..at).and_then(|before| before.chars().next_back());
        let begins = c.is_ascii_uppercase() && before.is_some_and(|c| c.is_ascii_lowercase());
        (begins || !c.is_alphanumeric()).then_some(at)
    }) {
        let (part, tail) = rest.split_at(at);
        parts.push(part.to_ascii_lowercase());
        rest = tail.trim_start_matches(|c: char| !c.is_alphanumeric());
        if rest.is_empty() {
            break;
        }
    }
    parts.push(rest.to_ascii_lowercase());
    let last = parts.last().map_or("", String::as_str);
    let is_about = ABOUT.contains(&last) || last == "id" || last == "ids" || last == "tokens";
    let is_identifying = parts
        .iter()
        .any(|part| IDENTIFYING.contains(&part.as_str()));
    // `pass` and `secret` inside a word are other words.
    let holds_word = |part: &String| {
        [
            "bypass",
            "compass",
            "passenger",
            "passport",
            "passage",
            "passing",
            "passive",
            "secretary",
            "surpass",
            "passion",
        ]
        .iter()
        .any(|word| part.contains(word))
    };
    !is_about && !is_identifying && !parts.iter().any(holds_word)
}

/// Whether a value may be a secret at all: no documentation key, no reference, no word that says something about one.
pub(super) fn may_be_secret(value: &str) -> bool {
    !is_documented(value) && !is_reference(value) && !is_no_secret(value) && !is_hidden(value)
}

/// Whether a value is shown as dots or stars, or says that it was taken out.
fn is_hidden(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let signs = value.chars().filter(|c| c.is_alphanumeric()).count();
    let xs = lower.bytes().all(|byte| byte == b'x');
    let says = [
        "your",
        "redacted",
        "example",
        "changeme",
        "placeholder",
        "[secret:",
        "<",
    ];
    signs == 0
        || xs
        || lower.contains("xxxx")
        || lower.contains("****")
        || says.iter().any(|word| lower.contains(word))
}

/// Whether a value names itself, as in tests and examples: `testpassword`, `my_secret_key`.
fn is_made_up(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_plain = lower
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || b"_-".contains(&byte));
    let names = [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "testpass",
        "credential",
    ];
    is_plain && names.iter().any(|name| lower.contains(name))
}

/// Whether a quoted text is a label or a sentence: several words, one of which speaks about passwords.
fn is_label(value: &str, words: usize) -> bool {
    words > 6 || (words > 1 && value.split_whitespace().any(is_no_secret)) || is_dull_word(value)
}

fn is_dull_word(value: &str) -> bool {
    is_dull(value) && value.bytes().all(|byte| !byte.is_ascii_digit())
}

/// Whether digits count something: short ones, and those of names that count.
fn is_number_of(value: &str, name: &str) -> bool {
    let is_number = value
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b".,%".contains(&byte));
    let lower = name.to_ascii_lowercase();
    is_number && (value.len() < 4 || lower.ends_with("pass") || lower.ends_with("secret"))
}
