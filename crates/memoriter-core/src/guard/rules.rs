//! The rules for keys and tokens of named services: read from data, tried by keyword, compiled one by one.
//!
//! Compiling every expression takes seconds, and most texts need none. So a rule compiles when a text first
//! has one of its keywords, once for the process.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex::bytes::{Captures, Regex, RegexBuilder};

use super::placeholder::{is_documented, is_identifier, is_placeholder, is_scrambled};
use super::span::{Found, Rank};

/// Matches of one rule in one text that are looked at. A text of 64 KiB full of the shortest key has fewer.
const MATCHES_MAX: usize = 4096;
/// Bytes before a keyword that belong to the name it is part of: gitleaks looks at as many.
const LEAD_BYTES_MAX: usize = 50;
/// The gitleaks rule without a service. What it finds needs the looks of a secret more than others.
const GENERIC: &str = "generic-api-key";

/// The rules of gitleaks and ours, in this order.
static RULES: LazyLock<Rules> = LazyLock::new(|| {
    Rules::parse(&[
        include_str!("../../data/gitleaks/rules.txt"),
        include_str!("../../data/tokens.txt"),
    ])
});

/// Every rule of the data files.
pub(super) struct Rules {
    rules: Vec<Rule>,
    allowed: Vec<Allow>,
}

/// One kind of secret.
pub(super) struct Rule {
    pub(super) id: &'static str,
    pub(super) keywords: Vec<&'static str>,
    entropy_bits: f64,
    group: Option<usize>,
    pattern: Lazy,
    allowed: Vec<Allow>,
    stop_words: &'static str,
    stop: OnceLock<Option<AhoCorasick>>,
}

/// What makes a match no secret.
struct Allow {
    target: Target,
    pattern: Lazy,
}

/// What an allow-list looks at.
#[derive(Clone, Copy)]
enum Target {
    Secret,
    Match,
    Line,
}

/// An expression that compiles at first use. Bytes and ASCII classes: what the rules were written for, a tenth
/// of the size, and ends are moved to characters afterwards.
pub(super) struct Lazy {
    source: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Lazy {
    pub(super) const fn new(source: &'static str) -> Self {
        Self {
            source,
            compiled: OnceLock::new(),
        }
    }

    /// The expression; `None` if it does not compile, which a test rules out.
    pub(super) fn get(&self) -> Option<&Regex> {
        let compile = || RegexBuilder::new(self.source).unicode(false).build().ok();
        self.compiled.get_or_init(compile).as_ref()
    }
}

impl Rules {
    /// The built-in rules.
    pub(super) fn built_in() -> &'static Self {
        &RULES
    }

    pub(super) fn all(&self) -> &[Rule] {
        &self.rules
    }

    /// Reads the layout of `data/gitleaks/README.md`. What does not fit it is left out; a test counts the rules.
    fn parse(files: &[&'static str]) -> Self {
        let mut parsed = Self {
            rules: Vec::new(),
            allowed: Vec::new(),
        };
        for line in files.iter().flat_map(|file| file.lines()) {
            let (name, value) = line.split_once('\t').unwrap_or((line, ""));
            parsed.take_line(name, value);
        }
        parsed
    }

    fn take_line(&mut self, name: &str, value: &'static str) {
        if name == "rule" {
            self.rules.push(Rule::new(value));
            return;
        }
        if let ("allow", Some((target, source))) = (name, value.split_once('\t')) {
            let target = match target {
                "match" => Target::Match,
                "line" => Target::Line,
                _ => Target::Secret,
            };
            let allow = Allow {
                target,
                pattern: Lazy::new(source),
            };
            match self.rules.last_mut() {
                Some(rule) => rule.allowed.push(allow),
                None => self.allowed.push(allow),
            }
            return;
        }
        let Some(rule) = self.rules.last_mut() else {
            return;
        };
        match name {
            "keyword" => rule.keywords.push(value),
            "entropy" => rule.entropy_bits = value.parse().unwrap_or(0.0),
            "group" => rule.group = value.parse().ok(),
            "regex" => rule.pattern = Lazy::new(value),
            "stop" => rule.stop_words = value,
            _ => {}
        }
    }

    /// Adds what the rule at `index` finds in the text.
    pub(super) fn find(&self, index: usize, text: &str, found: &mut Vec<Found>) {
        let Some(rule) = self.rules.get(index) else {
            return;
        };
        let Some(pattern) = rule.pattern.get() else {
            return;
        };
        let mut from = 0;
        for _ in 0..MATCHES_MAX {
            let Some(captures) = pattern.captures_at(text.as_bytes(), from) else {
                return;
            };
            let Some(hit) = Hit::of(rule, &captures) else {
                return;
            };
            // The next search begins behind the secret, not behind the match: two secrets may share what is
            // between them.
            let next = if self.accepts(rule, text, &hit) {
                let span = hit.secret.start..run_end(text, hit.secret.end);
                let next = span.end;
                found.push(Found::new(span, rule.id, rule.rank()));
                next
            } else {
                hit.secret.start
            };
            from = next.max(hit.matched.start + 1);
            if from > text.len() {
                return;
            }
        }
    }

    fn accepts(&self, rule: &Rule, text: &str, hit: &Hit) -> bool {
        let bytes = text.as_bytes();
        let Some(secret) = bytes.get(hit.secret.clone()) else {
            return false;
        };
        let shown = String::from_utf8_lossy(secret);
        if secret.is_empty() || is_documented(&shown) || is_placeholder(&shown) {
            return false;
        }
        // A word is no key: every rule without a prefix of its own would take a long word behind a comma.
        let is_word = secret.iter().all(u8::is_ascii_lowercase)
            || (secret.len() < 20
                && secret.iter().all(u8::is_ascii_alphabetic)
                && !is_scrambled(&shown));
        if is_word && rule.id != "apple-app-password" {
            return false;
        }
        if entropy_bits(secret) <= rule.entropy_bits || is_inside_base64(bytes, &hit.secret) {
            return false;
        }
        if rule.id == GENERIC && names_no_secret(bytes, hit, &shown) {
            return false;
        }
        let is_allowed = |allow: &Allow| allow.fits(bytes, hit);
        !(self.allowed.iter().any(is_allowed)
            || rule.allowed.iter().any(is_allowed)
            || rule.has_stop_word(&shown))
    }
}

impl Rule {
    fn new(id: &'static str) -> Self {
        Self {
            id,
            keywords: Vec::new(),
            entropy_bits: 0.0,
            group: None,
            pattern: Lazy::new(""),
            allowed: Vec::new(),
            stop_words: "",
            stop: OnceLock::new(),
        }
    }

    fn rank(&self) -> Rank {
        if self.id == GENERIC {
            Rank::Guess
        } else {
            Rank::Service
        }
    }

    fn has_stop_word(&self, secret: &str) -> bool {
        if self.stop_words.is_empty() {
            return false;
        }
        let build = || {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build(self.stop_words.split(' '))
                .ok()
        };
        let stop = self.stop.get_or_init(build).as_ref();
        stop.is_some_and(|stop| stop.is_match(secret))
    }
}

/// A match and the secret in it, in bytes of the text.
struct Hit {
    matched: Range<usize>,
    secret: Range<usize>,
}

impl Hit {
    /// As gitleaks does: the group that the rule names, else the first that took part and has content, else all.
    fn of(rule: &Rule, captures: &Captures) -> Option<Self> {
        let matched = captures.get(0)?.range();
        let secret = match rule.group {
            Some(group) => captures.get(group),
            None => captures
                .iter()
                .skip(1)
                .flatten()
                .find(|group| !group.is_empty()),
        };
        let secret = secret.map_or_else(|| matched.clone(), |group| group.range());
        Some(Self { matched, secret })
    }
}

impl Allow {
    fn fits(&self, text: &[u8], hit: &Hit) -> bool {
        let span = match self.target {
            Target::Secret => hit.secret.clone(),
            Target::Match => lead_start(text, hit.matched.start)..hit.matched.end,
            Target::Line => line_of(text, &hit.matched),
        };
        let part = text.get(span).unwrap_or_default();
        self.pattern.get().is_some_and(|regex| regex.is_match(part))
    }
}

/// Where the name that a keyword is part of begins.
fn lead_start(text: &[u8], at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let lead = before
        .iter()
        .rev()
        .take(LEAD_BYTES_MAX)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte));
    at - lead.count()
}

fn line_of(text: &[u8], span: &Range<usize>) -> Range<usize> {
    let before = text.get(..span.start).unwrap_or_default();
    let after = text.get(span.end..).unwrap_or_default();
    let start = before.iter().rposition(|byte| *byte == b'\n');
    let end = after.iter().position(|byte| *byte == b'\n');
    start.map_or(0, |at| at + 1)..end.map_or(text.len(), |at| span.end + at)
}

/// The end of the run of letters, digits, `_` and `-` at `at`: some expressions take a fixed number of
/// characters, and no part of a longer key may stay.
fn run_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let is_run = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    if !at
        .checked_sub(1)
        .and_then(|last| bytes.get(last))
        .is_some_and(is_run)
    {
        return at;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is_run(byte)).count()
}

/// Whether the span is a small part of a long run of base64, such as an image: chance, not a key.
fn is_inside_base64(text: &[u8], span: &Range<usize>) -> bool {
    /// A run that is this much longer than the find is something else.
    const TIMES: usize = 4;
    let is_base64 = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
    let before = text.get(..span.start).unwrap_or_default();
    let after = text.get(span.end..).unwrap_or_default();
    let outside = before.iter().rev().take_while(is_base64).count()
        + after.iter().take_while(is_base64).count();
    outside > TIMES * span.len() && outside > 128
}

/// Whether a find of the generic rule is an identifier under a name that promises no secret: `cache key: 9f86d0...`.
fn names_no_secret(text: &[u8], hit: &Hit, secret: &str) -> bool {
    if !is_identifier(secret) {
        return false;
    }
    let name = text
        .get(lead_start(text, hit.matched.start)..hit.secret.start)
        .unwrap_or_default()
        .to_ascii_lowercase();
    let name = String::from_utf8_lossy(&name);
    let says_secret = ["token", "secret", "passw", "api", "access", "credential"];
    !says_secret.iter().any(|word| name.contains(word))
}

/// Shannon entropy in bits a byte.
pub(super) fn entropy_bits(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total = f64::from(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
    let shares = counts.iter().filter(|count| **count > 0);
    -shares
        .map(|count| f64::from(*count) / total)
        .map(|share| share * share.log2())
        .sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expression_compiles() {
        let rules = Rules::built_in();
        let count = 217
            + include_str!("../../data/tokens.txt")
                .matches("\nrule\t")
                .count();
        assert_eq!(rules.rules.len(), count);
        for rule in &rules.rules {
            assert!(rule.pattern.get().is_some(), "{}", rule.id);
            assert!(!rule.keywords.is_empty(), "{}", rule.id);
            for allow in &rule.allowed {
                assert!(
                    allow.pattern.get().is_some(),
                    "{} {}",
                    rule.id,
                    allow.pattern.source
                );
            }
        }
        for allow in &rules.allowed {
            assert!(allow.pattern.get().is_some(), "{}", allow.pattern.source);
        }
    }

    #[test]
    fn entropy_counts_bits_a_byte() {
        assert!((entropy_bits(b"aabb") - 1.0).abs() < 1e-9);
        assert!((entropy_bits(b"abcdefgh") - 3.0).abs() < 1e-9);
        assert!(entropy_bits(b"").abs() < 1e-9);
    }
}
