//! Secrets whose name stands around them or a line away: "from Alpha1 to Beta2", "it's popcorn55, my Netflix
//! password", a row of a table, a line of its own below "password".

use super::odd::is_password_like;
use super::said::{is_pin_or_password, is_said_password};
use super::{Lazy, Match, Place};
use crate::guard::placeholder::{is_placeholder, is_scrambled};

/// Words that name a password.
macro_rules! noun {
    () => {
        r"(?:passw(?:or[dt])|passcode|passphrase|kennwort|pwd|pw|pin)"
    };
}
/// Something that may be a password, to the end of the word.
macro_rules! word {
    () => {
        r#"["'`]?(?P<value>[^\s"'`,;|]{3,59}[^\s"'`,;|.:?)])"#
    };
}
/// A word that is passed over.
macro_rules! other {
    () => {
        r#"["'`]?[^\s"'`,;|]{4,60}["'`]?"#
    };
}

/// Every form.
pub(super) static AROUND: [Place; 18] = [
    // "I changed my password from tulip42 to daisy43": both.
    Place {
        kind: "password",
        keywords: &["word from ", "code from ", "went from ", "pin from ", "phrase from "],
        pattern: Lazy::new(concat!(r"(?i)\b", noun!(), r"[ \t]+(?:\w+[ \t]+){0,6}?from[ \t]+", word!(), r#"["'`]?[ \t]+to[ \t]"#)),
        check: is_short_password,
    },
    Place {
        kind: "password",
        keywords: &["word from ", "code from ", "went from ", "pin from ", "phrase from "],
        pattern: Lazy::new(concat!(r"(?i)\b", noun!(), r"[ \t]+(?:\w+[ \t]+){0,6}?from[ \t]+", other!(), r"[ \t]+to[ \t]+", word!())),
        check: is_short_password,
    },
    Place {
        kind: "password",
        keywords: &[", the passw", ", my passw", ", our passw"],
        pattern: Lazy::new(concat!(r"(?i)\bfrom[ \t]+", word!(), r"[ \t]+to[ \t]+", other!(), r"[ \t]*,[ \t]+(?:the|my|our)[ \t]+", noun!())),
        check: is_short_password,
    },
    Place {
        kind: "password",
        keywords: &[", the passw", ", my passw", ", our passw"],
        pattern: Lazy::new(concat!(r"(?i)\bfrom[ \t]+", other!(), r"[ \t]+to[ \t]+", word!(), r"[ \t]*,[ \t]+(?:the|my|our)[ \t]+", noun!())),
        check: is_short_password,
    },
    // "My laptop login is Moonpie!3": a sign tells it from a name.
    Place {
        kind: "password",
        keywords: &["login is ", "login: ", "log-in is "],
        pattern: Lazy::new(concat!(r"(?i)\b(?:my|our|the|his|her|their)[ \t]+(?:[\w-]+[ \t]+){0,3}?log-?in(?:[ \t]+is|:)[ \t]+", word!())),
        check: has_inner_sign,
    },
    Place {
        kind: "password",
        keywords: &["word\n", "word:\n", "word \n", "word\r\n", "word:\r\n", "wort\n", "wort:\n", "code\n", "code:\n", "pw:\n", "pwd:\n", "pin\n", "pin:\n"],
        pattern: Lazy::new(concat!(
            r"(?im)^[ \t>*_-]*(?:[\w'-]+[ \t]+){0,3}?", noun!(),
            r#"[*_ \t]*:?[*_ \t]*\r?\n[ \t]*["'`]?(?P<value>[^\s"'`|]{3,59}[^\s"'`|?:])["'`]?[ \t]*\r?$"#,
        )),
        check: is_pin_or_password,
    },
    // "My password: "my dog ate 3 shoes"".
    Place {
        kind: "password",
        keywords: &["my passw", "my passphr", "our passw", "our passphr", "my passc"],
        pattern: Lazy::new(concat!(
            r"(?i)\b(?:my|our)[ \t]+", noun!(), r#"(?:[ \t]+(?:for|to|on|at|of)[ \t][^"'\n.!?:=]{1,40}?)?[ \t]*(?:is|was|:|=)[ \t]*(?:"|“)(?P<quoted>[^"\n]{6,80}?)(?:"|”)"#,
        )),
        check: is_phrase,
    },
    Place {
        kind: "passphrase",
        keywords: &["passphrase", "pass phrase", "pass-phrase"],
        pattern: Lazy::new(r"(?i)\bpass[ -]?phrase\b[^.!?\n:=]{0,40}?[:=][ \t]*(?P<value>[^\n.:=]{10,100})"),
        check: is_phrase,
    },
    // "It's popcorn_55, my Netflix password."
    Place {
        kind: "password",
        keywords: &[" passw", " passcode"],
        pattern: Lazy::new(concat!(
            r"(?i)\b(?:it|that)(?:'|’)s[ \t]+", word!(), r#"["'`]?,[ \t]+(?:the|my|our)[ \t]+(?:[\w-]+[ \t]+){0,3}?pass(?:word|code)(?:[ \t]*(?:[.!,;)]|\r?\n|$)|[ \t]+(?:for|to|on|of|at)\b)"#,
        )),
        check: is_said_password,
    },
    Place {
        kind: "password",
        keywords: &["asks for", "ask for", "asked for", "prompted for", "prompts for", "prompts you", "wants the", "wants a", "asks you", "asking for"],
        pattern: Lazy::new(concat!(
            r"(?i)\b(?:enter|type|use|put|put[ \t]+in|type[ \t]+in|give|say)[ \t]+", word!(),
            r#"["'`]?,?[ \t]+(?:when|if|once|where|whenever|as[ \t]+soon[ \t]+as)[ \t]+[^.!?\n]{1,40}?\b(?:passw(?:or[dt])|passcode|passphrase|pin|pw)\b"#,
        )),
        check: is_pin_or_password,
    },
    Place {
        kind: "password",
        keywords: &["wifi", "wi-fi", "wlan"],
        pattern: Lazy::new(concat!(
            r"(?i)\b(?:(?:wi-?fi|wlan)[ \t]+code\b[^.!?\n:]{0,30}?|code[ \t]+(?:for|of|to)[ \t]+(?:the|our|my)[ \t]+(?:[\w-]+[ \t]+)?(?:wi-?fi|wlan)\b[^.!?\n:]{0,20}?)(?:[ \t]+is|:)[ \t]+", word!(),
        )),
        check: is_said_password,
    },
    // The key of a network is 8 to 63 signs long (IEEE 802.11), often digits.
    Place {
        kind: "password",
        keywords: &["wifi", "wi-fi", "wlan", "ssid", "hotspot", "router"],
        pattern: Lazy::new(
            r"(?i)\b(?:wi-?fi|wlan|ssid|hotspot|router)\b[^.!?\n]{0,60}?\b(?:key|code|password|pass|pw)\b[ \t]*(?:is|:|=)?[ \t]+(?P<value>[0-9]{8,63})\b",
        ),
        check: |_| true,
    },
    Place {
        kind: "pin",
        keywords: &["unlock", "to open my", "to open the", "to open our"],
        pattern: Lazy::new(
            r"(?i)\bto[ \t]+(?:unlock|open)[ \t]+(?:my|our|the|your|his|her)[ \t]+(?:[\w-]+[ \t]+)?(?:phone|iphone|laptop|tablet|ipad|computer|pc|mac|screen|device|safe|gate|door|locker|garage)[ \t]*,?[ \t]+(?:you[ \t]+)?(?:type|enter|press|use|dial|punch[ \t]+in|key[ \t]+in|tap)[ \t]+(?:in[ \t]+)?(?P<value>\d{4,8})\b",
        ),
        check: |_| true,
    },
    // A row whose first cell names the second.
    Place {
        kind: "password",
        keywords: &["word |", "word|", "word** |", "wort |", "pwd |", "pw |", "code |", "pin |", "phrase |"],
        pattern: Lazy::new(concat!(
            r"(?im)^[ \t]*\|[ \t]*[*`_]*(?:[\w-]+[ \t_-]){0,3}?", noun!(), r#"[*`_]*[ \t]*\|[ \t]*[*`"]*(?P<value>[^\s|`"]{4,60}?)[*`"]*[ \t]*(?:\||$)"#,
        )),
        check: is_pin_or_password,
    },
    // "The token is qpUWnoVPDF": letters in no order.
    Place {
        kind: "token",
        keywords: &["token is ", "token: ", "token = ", "key is "],
        pattern: Lazy::new(
            r"(?i)\b(?:my|the|our|your)[ \t]+(?:[\w-]+[ \t]+){0,2}?(?:token|key)(?:[ \t]+is|:|[ \t]+=)[ \t]+(?P<value>[A-Za-z]{9,64})\b",
        ),
        check: is_mixed,
    },
    // Short values under names that hold nothing but secrets.
    Place {
        kind: "token",
        keywords: &["\"token\"", "'token'", "_token\"", "_token'", "\"secret\"", "'secret'", "api_key\"", "api_key'", "apikey\""],
        pattern: Lazy::new(
            r#"(?i)["'](?:(?:api|access|auth|refresh|bot|client|user|private)?[_-]?(?:token|secret)|api[_-]?key)["'][ \t]{0,3}:[ \t]{0,3}["'](?P<quoted>[^"'\s]{6,64})["']"#,
        ),
        check: is_short_token,
    },
    Place {
        kind: "token",
        keywords: &["api_token", "api-token", "apitoken", "access_token", "auth_token", "client_secret", "api_key", "api-key", "apikey", "secret_key"],
        pattern: Lazy::new(
            r#"(?i)\b(?:[\w.-]{0,20}[_.-])?(?:api[_-]?token|access_token|auth_token|client_secret|api[_-]?key|secret_key)[ \t]{0,2}[=:][ \t]{0,2}["']?(?P<value>[^\s"'`,;&<>]{6,40})(?:["'\s,;&]|$)"#,
        ),
        check: is_short_token,
    },
    // The secret of a pair, beside its key.
    Place {
        kind: "token",
        keywords: &["akia", "asia"],
        pattern: Lazy::new(
            r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b[^\n]{0,60}?[^A-Za-z0-9/+](?P<value>[A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)",
        ),
        check: |hit| !is_placeholder(hit.value),
    },
];

fn is_short_password(hit: &Match<'_>) -> bool {
    let value = hit.value.trim_end_matches(['.', ',']);
    let is_pin = (4..=8).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
    is_pin || is_password_like(value, 5)
}

/// Whether a value has a sign that names of people and accounts have not.
fn has_inner_sign(hit: &Match<'_>) -> bool {
    let value = hit.value.trim_end_matches(['.', ',', '!', ')']);
    value.contains(['!', '#', '$', '%', '^', '*', '~', '&', '?']) && is_said_password(hit)
}

/// Whether several words are a phrase to log in with, and none about one: those have a number among them, or are many.
fn is_phrase(hit: &Match<'_>) -> bool {
    const ABOUT: &[&str] = &[
        "must", "should", "characters", "character", "long", "least", "digits", "letters", "words", "numbers", "generated",
        "stored", "required", "empty", "none", "see", "ask", "vault", "manager", "same", "changed", "reset", "expired",
        "unknown", "never", "please", "your", "something", "string", "secret", "forgot", "default", "prompt", "optional",
        "used", "asked", "times", "protects", "file", "sentence", "phrase", "line", "joke",
    ];
    let words: Vec<String> = hit.value.split_whitespace().map(str::to_lowercase).collect();
    let has_number = hit.value.bytes().any(|byte| byte.is_ascii_digit());
    let bare = |word: &String| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let is_about = words.iter().any(|word| ABOUT.contains(&bare(word).as_str()));
    (3..=12).contains(&words.len()) && has_number && !is_about && !hit.value.contains(['(', '{', '<', '['])
}

/// Whether letters change between large and small as no name does: `qpUWnoVPDF`, and not `TokenKind`.
fn is_mixed(hit: &Match<'_>) -> bool {
    let pairs = hit.value.as_bytes().windows(2);
    let small_to_large = pairs.clone().filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    let large_pairs = pairs.filter(|pair| matches!(pair, [a, b] if a.is_ascii_uppercase() && b.is_ascii_uppercase()));
    is_scrambled(hit.value) || small_to_large.count() >= 2 && large_pairs.count() >= 2
}

fn is_short_token(hit: &Match<'_>) -> bool {
    let value = hit.value;
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_name = value.contains(['.', '(', '/', '[', ':']);
    digits >= 2 && !is_name && is_password_like(value, 6) && !is_placeholder(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fits: fn(&Match<'_>) -> bool, value: &str, expected: bool) {
        let hit = Match {
            name: "",
            value,
            is_quoted: false,
            next: None,
        };
        assert_eq!(fits(&hit), expected, "{value}");
    }

    #[test]
    fn phrases_are_told_from_words_about_them() {
        check(is_phrase, "my dog ate 3 shoes", true);
        check(is_phrase, "two grey cats ate 3 mice", true);
        check(is_phrase, "must be 8 characters long", false);
        check(is_phrase, "a line from a song", false);
        check(is_phrase, "generated by gpg 2", false);
    }

    #[test]
    fn letters_in_no_order_are_told_from_names() {
        for value in ["qpUWnoVPDF", "xKqRtWvZbN"] {
            check(is_mixed, value, true);
        }
        for value in ["TokenKind", "JavaScript", "IDENTIFIER", "whitespace", "HttpRequest"] {
            check(is_mixed, value, false);
        }
    }

    #[test]
    fn short_tokens_are_told_from_names() {
        for value in ["tulip42", "rosebud77"] {
            check(is_short_token, value, true);
        }
        for value in ["string", "word1", "v1.2.3", "config.token2", "your_key_12"] {
            check(is_short_token, value, false);
        }
    }
}
