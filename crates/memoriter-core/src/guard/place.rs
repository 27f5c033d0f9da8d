//! Secrets by the place they stand in: assignments, addresses, headers, options of commands, markup, SQL.

use super::rules::Lazy;
use super::span::{Found, Rank};

#[rustfmt::skip] // Patterns are read line by line.
mod around;
mod check;
#[rustfmt::skip] // Lists are read as paragraphs.
mod odd;
#[rustfmt::skip] // Patterns are read line by line.
mod said;

pub(super) use odd::is_password_like;

use check::{
    is_address_value, is_header_value, is_kubernetes_value, is_option_value, is_pair_value,
    is_password_value, is_token_value,
};

/// Matches of one form in one text that are looked at.
const MATCHES_MAX: usize = 4096;

/// A form, the keywords one of which a text needs, and what its groups hold.
pub(super) struct Place {
    kind: &'static str,
    pub(super) keywords: &'static [&'static str],
    pattern: Lazy,
    check: fn(&Match<'_>) -> bool,
}

/// What a form found: the value, and what stands around it.
struct Match<'a> {
    /// The name that the value is given to; empty where the form has none.
    name: &'a str,
    value: &'a str,
    is_quoted: bool,
    /// The byte behind the value.
    next: Option<u8>,
}

impl Place {
    /// Adds what this form finds in the text.
    pub(super) fn find(&self, text: &str, found: &mut Vec<Found>) {
        let Some(pattern) = self.pattern.get() else {
            return;
        };
        let mut from = 0;
        for _ in 0..MATCHES_MAX {
            let Some(captures) = pattern.captures_at(text.as_bytes(), from) else {
                return;
            };
            let quoted = captures.name("quoted").or_else(|| captures.name("escaped"));
            let Some(value) = quoted.or_else(|| captures.name("value")) else {
                return;
            };
            let span =
                text.floor_char_boundary(value.start())..text.ceil_char_boundary(value.end());
            let name = captures.name("name").map(|name| {
                text.floor_char_boundary(name.start())..text.floor_char_boundary(name.end())
            });
            let hit = Match {
                name: name.and_then(|name| text.get(name)).unwrap_or_default(),
                value: text.get(span.clone()).unwrap_or_default(),
                is_quoted: quoted.is_some(),
                next: text.as_bytes().get(span.end).copied(),
            };
            from = if (self.check)(&hit) {
                found.push(Found::new(span.clone(), self.kind, Rank::Place));
                span.end
            } else {
                // The value may hold the next name, so the search goes on at its start.
                span.start
            };
            from = from.max(captures.get(0).map_or(0, |all| all.start()) + 1);
            if from > text.len() {
                return;
            }
        }
    }
}

/// Every form.
pub(super) fn all() -> impl Iterator<Item = &'static Place> {
    let common = PLACES.iter().chain(&odd::ODD);
    common.chain(&said::SAID).chain(&around::AROUND)
}

/// The common ones.
static PLACES: [Place; 13] = [
    Place {
        kind: "password",
        keywords: &[
            "passw",
            "passphrase",
            "pwd",
            "pass",
            "passcode",
            "secret",
            "credential",
        ],
        pattern: Lazy::new(concat!(
            r#"(?i)(?P<name>[\w.-]{0,40}(?:passw(?:or)?d|passphrase|passcode|pwd|pass|secret|credentials?)[\w-]{0,20})[\\"'`\]]{0,3}"#,
            r#"(?:[ \t]{0,3}:[ \t]{0,2}&?'?\w{1,20}(?:<[^>\n]{1,20}>|\[[^\]\n]{1,20}\])?[ \t]{0,3}=|[ \t]{0,8}(?::=|=>|==|=|:))[ \t]{0,8}"#,
            r#"(?:r?b?["'`](?P<quoted>[^"'`\n\\]{1,200})["'`\\]|\\"(?P<escaped>[^"\\\n]{1,200})\\"|(?P<value>[^\s"'`&;<>\\]{1,200}))"#,
        )),
        check: is_password_value,
    },
    Place {
        kind: "token",
        keywords: &["token", "key", "signature", "sig="],
        pattern: Lazy::new(concat!(
            r#"(?i)(?P<name>(?:[\w.-]{0,40}(?:token|(?:api|access|auth|private|secret|account|signing|encryption|master|client|shared|service|license|app)[_.-]?key|hmac[_-]?key|[_-]key)|[?&](?:key|sig|signature|auth|code))[\w-]{0,12})[\\"'`\]]{0,3}"#,
            r#"(?:[ \t]{0,3}:[ \t]{0,2}&?'?\w{1,20}(?:<[^>\n]{1,20}>|\[[^\]\n]{1,20}\])?[ \t]{0,3}=|[ \t]{0,8}(?::=|=>|==|=|:))[ \t]{0,8}"#,
            r#"(?:r?b?["'`](?P<quoted>[^"'`\s\\]{8,500})["'`\\]|\\"(?P<escaped>[^"\\\s]{8,500})\\"|(?P<value>[^\s"'`&,;<>\\]{8,500}))"#,
        )),
        check: is_token_value,
    },
    Place {
        kind: "url-password",
        keywords: &["://"],
        pattern: Lazy::new(
            r#"(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@"'<>]*:(?P<value>[^\s/"'<>]+)@[\w\[.%$\{-]"#,
        ),
        check: is_address_value,
    },
    Place {
        kind: "password",
        keywords: &["auth"],
        pattern: Lazy::new(
            r#"(?i)\b\w{0,20}auth[ \t]{0,2}=?[ \t]{0,2}\([ \t]{0,2}["'][^"'\n]{1,64}["'],[ \t]{0,2}["'](?P<quoted>[^"'\n]{4,128})["']"#,
        ),
        check: is_option_value,
    },
    Place {
        kind: "authorization",
        keywords: &["bearer", "authorization"],
        pattern: Lazy::new(concat!(
            r#"(?i)(?:authorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:bearer|basic|token|digest|apikey|key|negotiate)?|\bbearer)"#,
            r#"[ \t]{1,3}(?:token[ \t]{0,2}[:=]?[ \t]{0,2})?["']?(?P<value>[A-Za-z0-9._~+/=|-]{8,4000})"#,
        )),
        check: is_header_value,
    },
    Place {
        kind: "session-cookie",
        keywords: &["cookie", "session", "sessid"],
        pattern: Lazy::new(
            r#"(?i)(?P<name>\b(?:[\w-]{0,20}session[\w-]{0,10}|[\w-]{0,10}sess_?id|sid|connect\.sid|auth|remember_\w{1,20}))["']?=["']?(?P<value>[\w%.+/-]{12,1000}=?)"#,
        ),
        check: is_token_value,
    },
    Place {
        kind: "password",
        keywords: &[
            "sshpass",
            "mysql",
            "redis-cli",
            "docker login",
            "psql",
            "mongo",
            "ldap",
            "htpasswd",
        ],
        pattern: Lazy::new(
            r#"(?i)\b(?:sshpass|redis-cli|mysql\w{0,6}|docker login|psql|mongo\w{0,7}|ldap\w{1,10})\b[^\n|]{0,120}?[ \t]-(?:p|w|a)[ \t]?["']?(?P<value>[^\s"'-][^\s"']{3,100})"#,
        ),
        check: is_option_value,
    },
    Place {
        kind: "password",
        keywords: &["--pass", "--token", "--secret", "--api", "--auth", "/p:"],
        pattern: Lazy::new(
            r#"(?i)(?:--[a-z-]{0,20}(?:password|passphrase|pass|token|secret|api-?key|auth)|/p:)[ =]["']?(?P<value>[^\s"'-][^\s"']{3,200})"#,
        ),
        check: is_option_value,
    },
    Place {
        kind: "password",
        keywords: &["identified by", "password '", "password n'"],
        pattern: Lazy::new(
            r"(?i)\b(?:identified (?:by|with \w{1,30} by)|password)[ \t]+N?'(?P<quoted>[^'\n]{3,128})'",
        ),
        check: is_password_value,
    },
    Place {
        kind: "password",
        keywords: &[
            "password>",
            "secret>",
            "token>",
            "apikey>",
            "passwd>",
            "pwd>",
            "cleartextpassword",
        ],
        pattern: Lazy::new(
            r#"(?i)(?:<[\w:]{0,30}(?:password|passwd|pwd|secret|token|apikey)>|"(?:cleartext)?password"[ \t]+value=")(?P<quoted>[^<>"\n]{4,400})[<"]"#,
        ),
        check: is_password_value,
    },
    Place {
        kind: "password",
        keywords: &["login", "log in", "credential", "creds"],
        pattern: Lazy::new(concat!(
            r#"(?i)\b(?:log-?in|log in with|credentials?|creds)\b(?:[ \t]+(?:details|info|data))?(?:[ \t]+(?:for|to|on|at)(?:[ \t]+[\w.-]{1,20}){1,3}?)?"#,
            r#"[ \t]*(?:is|are|:|=|-)?[ \t]*["'`]?[\w.@+-]{2,60}["'`]?[ \t]?[/:|][ \t]?["'`]?(?P<value>[^\s"'`/,;]{4,60})"#,
        )),
        check: is_pair_value,
    },
    Place {
        kind: "kubernetes-secret",
        keywords: &["kind: secret"],
        pattern: Lazy::new(
            r#"(?m)^[ \t]+(?P<name>[\w.-]{1,80}):[ \t]*["']?(?P<value>[A-Za-z0-9+/]{4,4000}={0,3})["']?[ \t]*$"#,
        ),
        check: is_kubernetes_value,
    },
    Place {
        kind: "password",
        keywords: &["machine", "login"],
        pattern: Lazy::new(r"(?i)\blogin[ \t]+\S{1,80}\s+password[ \t]+(?P<value>\S{3,128})"),
        check: is_option_value,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_compiles_and_has_a_value() {
        for place in all() {
            let names: Vec<_> = place
                .pattern
                .get()
                .unwrap()
                .capture_names()
                .flatten()
                .collect();
            let has_value = names.contains(&"value") || names.contains(&"quoted");
            assert!(has_value, "{} {:?}", place.kind, place.keywords);
        }
    }
}
