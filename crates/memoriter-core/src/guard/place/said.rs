//! Places of secrets in the order in which people say them: "you'll need 4711 to open the gate", "for the portal I use
//! tulip42 as password", "the password? It's tulip42".

use super::odd::is_password_like;
use super::{Lazy, Match, Place};
use crate::guard::placeholder::{is_code, is_identifier};
use crate::guard::rules::entropy_bits;

/// What digits open.
macro_rules! door {
    () => {
        "(?:building|house|garage|gate|door|keypad|padlock|lock|lockbox|safe|vault|locker|alarm|shed|bike|atm|cash machine|phone|tablet|elevator)"
    };
}
/// What somebody unlocks.
macro_rules! device {
    () => {
        "(?:phone|iphone|laptop|notebook|tablet|ipad|computer|pc|mac|macbook|screen|device|safe|gate|door|locker|padlock|bike)"
    };
}
/// Digits that open something: in one piece, or of a dial.
macro_rules! digits {
    () => {
        r"(?P<value>\d{4,8}\b|\d{1,2}(?:-\d{1,2}){2,3}\b)"
    };
}
/// A word with a letter and a digit or sign, without the mark that ends its sentence.
macro_rules! strong {
    () => {
        r#"["'`]?(?P<value>[A-Za-z][^\s"'`,;]{0,58}?[0-9!#$%^*+~&@](?:[^\s"'`,;]{0,57}[^\s"'`,;.:?)])?|[0-9][^\s"'`,;]{0,30}?[A-Za-z](?:[^\s"'`,;]{0,29}[^\s"'`,;.:?)])?)"#
    };
}

/// Every form.
pub(super) static SAID: [Place; 20] = [
    Place {
        kind: "pin",
        keywords: &[" open", " unlock", " disarm", " get", " is what"],
        pattern: Lazy::new(concat!(
            r"(?i)\b", digits!(),
            r"[ \t]+(?:opens?|unlocks?|disarms?|gets?[ \t]+(?:you|us|me|anyone)[ \t]+(?:past|into|through|inside)|is[ \t]+what[ \t]+(?:i|we|you)[ \t]+(?:type|enter|press|dial|punch))\b[^.!?\n]{0,30}?\b",
            door!(), r"\b",
        )),
        check: |_| true,
    },
    Place {
        kind: "pin",
        keywords: &["to get", "to open", "to enter", "to unlock", "to disarm", "punch in ", "key in ", "dial "],
        pattern: Lazy::new(concat!(
            r"(?i)\b(?:(?:need|use)[ \t]+", r"(?P<quoted>\d{4,8})", r"[ \t]+to[ \t]+(?:get|open|enter|unlock|disarm)|(?:punch[ \t]+in|key[ \t]+in|dial(?:[ \t]+to)?)[ \t]+",
            digits!(), r")[^.!?\n]{0,30}?\b", door!(), r"\b",
        )),
        check: |_| true,
    },
    Place {
        kind: "pin",
        keywords: &["punch in ", "key in ", "dial "],
        pattern: Lazy::new(concat!(
            r"(?i)\b", door!(), r"\b[^.!?\n0-9]{0,40}?\b(?:punch[ \t]+in|key[ \t]+in|dial)[ \t]+", digits!(),
        )),
        check: |_| true,
    },
    Place {
        kind: "pin",
        keywords: &["lockbox", "padlock", "keypad", "combo", "combination", "numbers for", "numbers of", "digits for", "digits of"],
        pattern: Lazy::new(concat!(
            r"(?i)\b(?:(?:lockbox|padlock|keypad)[ \t]+(?:opens?|is|takes)(?:[ \t]+(?:at|with|to|set[ \t]+to))?|(?:numbers|digits|combo)[ \t]+(?:for|of|to)[ \t][^.!?\n0-9]{0,20}?\b",
            door!(), r"[ \t]+(?:is|are)|(?:combo|combination)[^.!?\n0-9]{0,24}?)[ \t:]+(?P<value>\d{4,8}\b|\d{1,2}(?:(?:[ -]|,[ ]?)\d{1,2}){2,3}\b)",
        )),
        check: |_| true,
    },
    Place {
        kind: "password",
        keywords: &["unlock", "opens with", "open with"],
        pattern: Lazy::new(concat!(
            r"(?i)\b(?:", device!(), r"[ \t]+(?:unlocks?|opens?)|(?:unlock|open)s?[ \t]+(?:my|our|the|your|his|her)[ \t]+(?:\w{1,20}[ \t]+)?", device!(),
            r#")[ \t]+(?:with|by|using)[ \t]+["'`]?(?P<value>[^\s"'`,;]{3,59}[^\s"'`,;.:?)])"#,
        )),
        check: is_pin_or_password,
    },
    // "Our door code changed, it's 4711 now."
    Place {
        kind: "pin",
        keywords: &[" code", " pin", "combination"],
        pattern: Lazy::new(
            r"(?i)\b(?:door|gate|garage|alarm|safe|locker|lock|entry|access|building)[ \t]+(?:code|pin|combination)\b[^.!?\n0-9]{0,24}?\b(?:it(?:(?:'|’)s|[ \t]+is)|now)[ \t:]+(?P<value>\d{4,8})\b",
        ),
        check: |_| true,
    },
    Place {
        kind: "one-time-code",
        keywords: &["texted", " sent", "authenticator", "2fa", "mfa", "otp", "verification", "sms", "one-time", "factor", "backup code", "recovery code"],
        pattern: Lazy::new(concat!(
            r"(?i)\b(?:(?:texted|sent|emailed|messaged)\b[^.!?\n0-9]{0,24}?\bcode\b|authenticator\b|(?:2fa|mfa|otp|verification|sms|one-time|login|sign-in|two[ -]factor)[ \t]+(?:code|pin|password)\b)",
            r"[^.!?\n0-9]{0,32}?(?P<value>\d{6}\b|\d{3}[ -]\d{3}\b|\d{8}\b)",
        )),
        check: |_| true,
    },
    Place {
        kind: "one-time-code",
        keywords: &["to confirm", "to verify", "to log", "to sign", "to approve", "to authori", "to authenticate", "to reset"],
        pattern: Lazy::new(
            r"(?i)\b(?:texted|sent|emailed|messaged|use|enter)\b[^.!?\n0-9]{0,12}?(?P<value>\d{6}|\d{3}[ -]\d{3})[ \t]+to[ \t]+(?:confirm|verify|log|sign|approve|authori[sz]e|authenticate|reset)\b",
        ),
        check: |_| true,
    },
    Place {
        kind: "one-time-code",
        keywords: &["backup code", "recovery code", "recovery key", "bitlocker"],
        pattern: Lazy::new(
            r"(?i)\b(?:(?:backup|recovery)[ \t]+(?:codes?|keys?)|bitlocker)\b[^.!?\n]{0,80}?\b(?P<value>\d{6}(?:-\d{6}){2,7}|[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){1,5})\b",
        ),
        check: has_digit,
    },
    Place {
        kind: "pin",
        keywords: &[" pin"],
        pattern: Lazy::new(
            r"(?i)\b(?:my|the|your|our|his|her|their|bank|card|debit|sim|atm|phone|voicemail)[ \t](?:(?:[\w'-]|’){1,20}[ \t]){0,3}?(?P<name>pin(?:[ \t]?(?:code|number))?\b[^.!?\n0-9]{0,32}?)(?:\bis|\bwas|\bbe|\bto|\bcard|\bphone|[,:=])[ \t]+(?P<value>\d{4,8})\b",
        ),
        check: is_pin,
    },
    Place {
        kind: "pin",
        keywords: &["pin for "],
        pattern: Lazy::new(
            r"(?i)\bpin[ \t]+for[ \t]+(?:my|the|our|your|his|her)[ \t]+(?:\w{1,20}[ \t]+){0,2}(?:card|phone|sim|account|bank|tablet|app)(?:[ \t]+(?:is|was|has[ \t]+been))?[ \t:]+(?P<value>\d{4,8})\b",
        ),
        check: |_| true,
    },
    Place {
        kind: "password",
        keywords: &["passw", " pw", "passcode", "passphrase", "kennwort"],
        pattern: Lazy::new(concat!(
            r"(?i)\b(?:passw(?:or[dt]s?)|pws?|passcodes?|passphrases?|kennwort)\b[^.!\n]{0,60}?(?:(?:[,:?-]|–|—)[ \t]+(?:it(?:(?:'|’)s|[ \t]+is)[ \t]+)?|\b(?:is|are|be|been|to|and|became|becomes|starts?[ \t]+with|ends?[ \t]+with|reads)[ \t]+|\bit(?:'|’)s[ \t]+|\b(?:new|old|other)[ \t]+one[ \t]+is[ \t]+)",
            strong!(),
        )),
        check: is_said_password,
    },
    Place {
        kind: "password",
        keywords: &["as password", "as my pass", "as the pass", "as a pass", "as passcode", "as pin", "as my pin"],
        pattern: Lazy::new(
            r#"(?i)(?:^|[\s"'`])(?P<value>[^\s"'`,;]{3,59}[^\s"'`,;.:?)])["'`,]{0,2}[ \t]+as[ \t]+(?:(?:my|the|a|our|your)[ \t]+)?(?:\w{1,20}[ \t]+)?(?:password|passcode|pin|passphrase)\b"#,
        ),
        check: is_pin_or_password,
    },
    Place {
        kind: "password",
        keywords: &["wifi", "wi-fi", "wlan", "ssid", "hotspot", "network", "connect to", "@", "in as "],
        pattern: Lazy::new(concat!(
            r"(?i)(?:\b(?:wi-?fi|wlan|ssid|hotspot|network|connect[ \t]+to)\b[^.!?\n]{0,50}?(?:\b(?:with|key|pass|pw|code|is|uses|runs[ \t]+on)[ \t:]+|,[ \t]+)",
            r"|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}[ \t]?[,/;:|][ \t]*|\b(?:log|sign)[ \t-]?in[ \t]+as[ \t]+[\w.@+-]{2,40}[ \t]+(?:with|using)[ \t]+)",
            strong!(),
        )),
        check: is_long_password,
    },
    Place {
        kind: "pin",
        keywords: &[" pin ", "puk "],
        pattern: Lazy::new(
            r"(?i)\b(?:(?:sim|debit|credit|bank|card|atm|phone|voicemail)[ \t]+pin|puk)[ \t]+(?P<value>\d{4,8})\b",
        ),
        check: |_| true,
    },
    // "It's tulip42, that's my password."
    Place {
        kind: "password",
        keywords: &["my password", "the password", "new password", "our password", "my passcode"],
        pattern: Lazy::new(concat!(
            "(?i)(?:^|[ \t])", strong!(),
            r#"["'`,.;]{0,2}[ \t]+(?:(?:that(?:'|’)s|that[ \t]+is|it(?:'|’)s)[ \t]+|for[ \t]+)(?:the|my|our)[ \t]+(?:\w{1,20}[ \t]+){0,2}?(?:password|passcode)\b"#,
        )),
        check: is_said_password,
    },
    Place {
        kind: "password",
        keywords: &["account uses", "account with"],
        pattern: Lazy::new(concat!(
            r"(?i)\baccount[ \t]+(?:uses|with)[ \t]+", strong!(),
        )),
        check: is_on_device,
    },
    Place {
        kind: "token",
        keywords: &["api key", "api token", "secret key", "access key", "access token", "private key", "deploy key"],
        pattern: Lazy::new(
            r"(?i)\b(?:api|secret|access|private|deploy)[ \t-](?:key|token)\b[^.!?\n]{0,30}?[ \t](?P<value>[A-Za-z0-9/+_-]{20,100})",
        ),
        check: is_said_key,
    },
    Place {
        kind: "token",
        keywords: &["access key", "secret ", "licen", "serial", "activation", "product key"],
        pattern: Lazy::new(
            r"(?i)(?:\b(?:access[ \t]+key(?:[ \t]+id)?|secret(?:[ \t]+key)?)[ \t]+(?P<value>[A-Za-z0-9/+_-]{16,100})|\b(?:licen[sc]e|serial|activation|product[ \t]+key)\b[^.!?\n]{0,24}?\b(?P<quoted>[A-Z0-9]{4,5}(?:-[A-Z0-9]{4,5}){3,5})\b)",
        ),
        check: is_said_key,
    },
    Place {
        kind: "passphrase",
        keywords: &["words of", "wallet", "digits on the back"],
        pattern: Lazy::new(
            r"(?i)(?:\b(?:words[ \t]+of|wallet)\b[^.!?\n]{0,40}?(?:\b(?:are|is)|:)[ \t]+(?P<value>(?-i:(?:[a-z]{3,8}[ \t]){11,23}[a-z]{3,8}))|\bdigits[ \t]+on[ \t]+the[ \t]+back\b[^.!?\n0-9]{0,12}(?P<quoted>\d{3,4})\b)",
        ),
        check: |_| true,
    },
];

/// The shortest word that is taken for a password where only something near says so.
const SAID_CHARS_MIN: usize = 6;
/// The same where less says so: shorter ones are names of networks and machines.
const LONG_CHARS_MIN: usize = 8;

pub(super) fn is_pin_or_password(hit: &Match<'_>) -> bool {
    let value = hit.value.trim_end_matches(['.', '!', '?', ')']);
    let is_pin = (4..=8).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
    is_pin || is_said_password(hit)
}

pub(super) fn is_said_password(hit: &Match<'_>) -> bool {
    is_password_like(hit.value, SAID_CHARS_MIN)
        && !is_code(hit.value, hit.next)
        && !is_technical(hit.value)
}

/// Behind "account with" stand many things, so that a password has to show more of itself.
fn is_on_device(hit: &Match<'_>) -> bool {
    let value = hit.value.trim_end_matches(['.', ',', '?', ')']);
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let has_small = value.bytes().any(|byte| byte.is_ascii_lowercase());
    let has_sign = value.contains(['!', '#', '$', '%']);
    is_long_password(hit) && has_small && (digits >= 3 || has_sign)
}

fn is_long_password(hit: &Match<'_>) -> bool {
    is_password_like(hit.value, LONG_CHARS_MIN)
        && !is_code(hit.value, hit.next)
        && !is_technical(hit.value)
}

fn has_digit(hit: &Match<'_>) -> bool {
    hit.value.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a pin is one that opens something, and not one of metal.
fn is_pin(hit: &Match<'_>) -> bool {
    const OF_METAL: &[&str] = &[
        "board", "map", "badge", "brooch", "connector", "wheel", "point", "stripe", "chip", "header", "arduino",
        "socket", "needle", "lapel", "bowling", "message", "tweet", "post",
    ];
    let between = hit.name.to_lowercase();
    !OF_METAL.iter().any(|word| between.contains(word))
}

/// Names of algorithms, versions and measures: `SHA-256`, `WPA2-PSK`, `24h`.
fn is_technical(value: &str) -> bool {
    let value = value.trim_end_matches(['.', ',', '!', '?', ')']);
    let is_shouted = value
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"-_./".contains(&byte));
    let is_marked = value.contains("**") || value.contains("##");
    let letters = value.trim_start_matches(|c: char| c.is_ascii_digit() || ".:-".contains(c));
    let is_measure = letters.len() <= 3 && letters.len() < value.len();
    let is_version = value
        .strip_prefix(['v', 'V'])
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    is_shouted && value.len() < 12 || is_measure || is_version || is_marked
}

fn is_said_key(hit: &Match<'_>) -> bool {
    /// Random text of 16 signs has more; words and a number have less.
    const ENTROPY_BITS_MIN: f64 = 3.0;
    has_digit(hit)
        && hit.value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && (hit.is_quoted || entropy_bits(hit.value.as_bytes()) >= ENTROPY_BITS_MIN)
        && !is_identifier(hit.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_versions_and_measures_are_no_passwords() {
        for value in ["SHA-256", "WPA2-PSK", "24hrs", "v2.1beta", "12:30pm"] {
            assert!(is_technical(value), "{value}");
        }
        for value in ["tulip42", "Tulip-42", "p4ssw0rd", "QX7KP2M9ZT4W"] {
            assert!(!is_technical(value), "{value}");
        }
    }
}
