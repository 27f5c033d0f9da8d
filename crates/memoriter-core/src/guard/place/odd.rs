//! Places of secrets in phrases that are less common: two words that somebody logs in with, what opens a door, names
//! spelled with digits, tokens that white space has split, headers of basic authorization.

use super::check::may_be_secret;
use super::{Lazy, Match, Place};
use crate::guard::placeholder::{is_code, is_identifier};
use crate::guard::rules::entropy_bits;

/// Every form.
pub(super) static ODD: [Place; 10] = [
    Place {
        kind: "password",
        keywords: &[
            "log in", "login", "log-in", "log on", "logon", "sign in", "sign on", "get in", "access", "enter",
            "credential", "creds", "zugangsdaten", "anmelde", "anmeldung", "identifiant", "usuario", "benutzer",
        ],
        pattern: Lazy::new(concat!(
            r#"(?i)\b(?:log[ -]?(?:in|on)|sign[ -]?(?:in|on)|get in(?:to)?|access|enter|credentials?|creds|zugangsdaten|"#,
            r#"anmelde(?:n|daten)|anmeldung|identifiants?|usuario|benutzer)\b[^\n.!?]{0,40}?"#,
            r#"(?:\b(?:with|as|is|are|use|using|user|username|name|mit|als|con|avec)[ \t]+|[:=][ \t]*)(?:the[ \t]+)?(?:user(?:name)?[ \t]+|name[ \t]+)?"#,
            r#"["'`]?[\w.@+-]{2,40}["'`]?(?:,?[ \t]+(?:and[ \t]+then|and|then|plus|und|y|et|e|pw|pass|mit)[ \t]+|[ \t]?[/,;:|][ \t]?)["'`]?(?P<value>[^\s"'`,;]{6,60})"#,
        )),
        check: is_login,
    },
    Place {
        kind: "password",
        keywords: &["credentials:", "creds:", "zugangsdaten:", "logins:"],
        pattern: Lazy::new(
            r#"(?i)\b(?:credentials|creds|zugangsdaten|logins)[ \t]*:[ \t]*["'`]?[\w.@+-]{2,40}["'`]?[ \t]+["'`]?(?P<value>[^\s"'`,;]{6,60})"#,
        ),
        check: is_login,
    },
    Place {
        kind: "password",
        keywords: &["use "],
        pattern: Lazy::new(
            r#"(?i)\buse[ \t]+["'`]?[\w.@+-]{2,40}["'`]?[ \t]+(?:and|with|plus)[ \t]+["'`]?(?P<value>[^\s"'`,;]{6,60})["'`]?[ \t]+(?:to|for)[ \t]+(?:get in|log|sign|enter|access|the login|unlock)"#,
        ),
        check: is_login,
    },
    Place {
        kind: "password",
        keywords: &[
            "pa55", "p@ss", "passw0", "pass word", "p4ss", "_pw", "-pw", "pw_", ".pw", "mdp", "wlan_key", "wifi_key",
            "wlan-key", "_word", "secretword", "passkey",
        ],
        pattern: Lazy::new(concat!(
            r#"(?i)(?P<name>\b[\w.-]{0,30}(?:p[a4@][s5$]{2}[ _-]?w[o0]rd|p4ss|pa55|p@ss|[_.-]pw|\bpw[_-]\w{1,20}|mdp|(?:wlan|wifi)[_-]key|(?:unlock|secret|magic)[_-]?word))"#,
            r#"[\\"'`]{0,2}[ \t]{0,4}(?:=>|[:=]{1,2})[ \t]{0,4}[\\]?["'`]?(?P<value>[^\s"'`,;&<>\\}]{4,100})"#,
        )),
        check: is_password,
    },
    Place {
        kind: "pin",
        keywords: &["pin\"", "pin_code", "pincode", "pin'", "_pin", "pin_number"],
        pattern: Lazy::new(
            r#"(?i)(?:^|["'_.\s])(?:pin|pin_?code|pin_?number)\\?["']?[ \t]{0,2}[:=][ \t]{0,2}\\?["']?(?P<value>\d{4,8})\b"#,
        ),
        check: |_| true,
    },
    Place {
        kind: "authorization",
        keywords: &["basic "],
        pattern: Lazy::new(r"(?i)\bbasic[ \t]+(?P<value>[A-Za-z0-9+/]{8,400}={0,2})"),
        check: is_basic,
    },
    Place {
        kind: "pin",
        keywords: &[
            "alarm", "safe", "gate", "garage", "lock", "keypad", "vault", "door", "tresor", "puerta", "porte",
        ],
        pattern: Lazy::new(concat!(
            r"(?i)\b(?:alarm|alarmanlage|safe|gate|garage|lockbox|lock|padlock|locker|keypad|vault|door|tresor|alarma|puerta|alarme|porte)\b",
            r"(?:[^\n.!?:0-9]{0,40}?(?:\bopens?[ \t]+(?:with|by)|\bunlocks?[ \t]+with|\btakes|\btype|\benter|\bpress|\bdisarmed[ \t]+(?:with|by))[ \t]+(?:the[ \t]+code[ \t]+)?(?P<value>\d{4,8}\b|\d{1,2}(?:-\d{1,2}){2,3}\b)",
            r"|[^\n.!?:0-9]{0,24}?(?:[:?][ \t]+(?P<quoted>\d{4,8}\b|\d{1,2}(?:-\d{1,2}){2,3}\b)|\bopens?[ \t]+at[ \t]+(?P<escaped>\d{1,2}(?:-\d{1,2}){2,3}\b)))",
        )),
        check: |_| true,
    },
    Place {
        kind: "pin",
        keywords: &["type ", "enter ", "punch in ", "key in ", "press "],
        pattern: Lazy::new(
            r"(?i)\b(?:type|enter|punch in|key in|press)[ \t]+(?P<value>\d{4,8})\b[^\n.!?]{0,30}?\b(?:gate|door|keypad|alarm|garage|lock|safe|disarm|unlock)\b",
        ),
        check: |_| true,
    },
    Place {
        kind: "password",
        keywords: &["passw", "kennwort", "passcode", "contrase", "mot de passe", " pin "],
        pattern: Lazy::new(
            r"(?i)(?:passw(?:or[dt])?|kennwort|passcode|contrase\S{1,3}a|mot de passe|\bpin)\b[^\n.0-9]{0,40}?[ :](?P<value>(?:[A-Za-z0-9] ){3,30}[A-Za-z0-9])(?:[^A-Za-z0-9]|$)",
        ),
        check: is_spelled,
    },
    // Tokens that white space has split behind their beginning, or in the middle.
    Place {
        kind: "token",
        keywords: &[
            "ghp_", "gho_", "ghu_", "ghs_", "github_pat_", "sk_live_", "sk_test_", "rk_live_", "glpat-", "xoxb-",
            "xoxp-", "npm_", "hf_", "sk-", "akia", "asia", "aiza",
        ],
        pattern: Lazy::new(concat!(
            r"\b(?P<value>(?:gh[pous]_|github_pat_|sk_(?:live|test)_|rk_live_|glpat-|xox[bp]-|npm_|hf_|sk-(?:proj-|ant-)?|AKIA|ASIA|AIza)",
            r"[A-Za-z0-9_-]{0,40}(?:[ \t]?\r?\n[ \t]{0,4}|[ \t]{1,2})[A-Za-z0-9_-]{8,100}(?:[ \t\n][A-Za-z0-9_-]{8,100})?)",
        )),
        check: is_split_token,
    },
];

/// The shortest word beside a name that is taken for its password; shorter ones are often versions and models.
const LOGIN_CHARS_MIN: usize = 7;

fn is_login(hit: &Match<'_>) -> bool {
    is_password_like(hit.value, LOGIN_CHARS_MIN) && !is_code(hit.value, hit.next)
}

fn is_password(hit: &Match<'_>) -> bool {
    is_password_like(hit.value, 4) && !is_code(hit.value, hit.next)
}

/// Whether a word looks like a password where nothing but its place says so: letters with a digit or a sign among
/// them, and no address, date, digest or reference.
pub(in crate::guard) fn is_password_like(value: &str, chars_min: usize) -> bool {
    let value = value.trim_end_matches(['.', ',', ':', ';', ')', '?']);
    let has_letter = value.chars().any(char::is_alphabetic);
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_sign = value.trim_end_matches('!').contains(['!', '#', '$', '%', '^', '*', '+', '~', '&', '@']);
    let is_elsewhere = value.contains("://")
        || value.starts_with(['/', '.', '#', '<', '@', '(', '$', '{'])
        || value.contains(['(', '[', '{', '='])
        || value.contains('@') && value.contains('.');
    value.chars().count() >= chars_min
        && has_letter
        && (has_digit || has_sign)
        && !is_elsewhere
        && !is_identifier(value)
        && may_be_secret(value)
}

/// Whether the value is "user:password" in base64, as the scheme Basic has it (RFC 7617).
fn is_basic(hit: &Match<'_>) -> bool {
    let Some(bytes) = from_base64(hit.value) else {
        return false;
    };
    let is_text = bytes.iter().all(|byte| byte.is_ascii_graphic() || *byte >= 0x80 || *byte == b' ');
    is_text && bytes.iter().skip(1).any(|byte| *byte == b':')
}

/// The bytes that a text in base64 stands for (RFC 4648, section 4); padding may be left out.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in text.trim_end_matches('=').bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from((bits >> held) & 0xff).ok()?);
        }
    }
    Some(bytes)
}

/// Signs one by one: "t u l i p 4 2".
fn is_spelled(hit: &Match<'_>) -> bool {
    hit.value.split(' ').count() >= 4
}

/// Whether what follows a token's beginning behind white space is random, and not a word of the sentence.
fn is_split_token(hit: &Match<'_>) -> bool {
    /// Of eight random letters and digits with a repetition or two.
    const ENTROPY_BITS_MIN: f64 = 2.5;
    /// With so many signs a token is whole, and what follows is another word.
    const WHOLE_BYTES: usize = 36;
    let mut parts = hit.value.split_whitespace();
    let first = parts.next().unwrap_or_default();
    let is_random = |part: &str| {
        let has_digit = part.bytes().any(|byte| byte.is_ascii_digit());
        let has_letter = part.bytes().any(|byte| byte.is_ascii_alphabetic());
        has_digit && has_letter && entropy_bits(part.as_bytes()) >= ENTROPY_BITS_MIN
    };
    first.len() < WHOLE_BYTES && parts.next().is_some_and(is_random) && may_be_secret(hit.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_as_it_is_defined() {
        for (text, expected) in [("Zm9vYmFy", "foobar"), ("Zm9vYg==", "foob"), ("Zm9vYmE", "fooba")] {
            assert_eq!(from_base64(text).unwrap(), expected.as_bytes());
        }
        assert_eq!(from_base64("a-b"), None);
    }

    #[test]
    fn a_password_is_told_from_other_words() {
        for value in ["hunter22", "blue.Kite7", "mo0nstone", "s3lf!"] {
            assert!(is_password_like(value, 4), "{value}");
        }
        for value in ["Berlin", "https://x.org/2", "bob@example.org", "<name2>", "42", "wow!", "f(x2)"] {
            assert!(!is_password_like(value, 4), "{value}");
        }
    }
}
