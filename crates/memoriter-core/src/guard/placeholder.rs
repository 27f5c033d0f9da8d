//! What stands where a secret would and is none: placeholders, documentation keys, code, identifiers.

/// Keys that vendors print in their documentation: AWS (IAM user guide), Stripe (API reference), jwt.io. Parts, so
/// that a line break or a longer quote does not matter.
const DOCUMENTED: &[&str] = &[
    "AKIAIOSFODNN7EXAMPLE",
    "AKIAI44QH8DHBEXAMPLE",
    "wJalrXUtnFEMI",
    "je7MtGbClwBF",
    "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    "sk_test_BQokikJOvBiI2HlWgH4olfQ2",
    "sk_test_26PHem9AhJZvU623DfE1x4sd",
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ",
];

/// What a placeholder says about itself. Long enough to be rare by chance in a random key.
const TELLING: &[&str] = &[
    "example",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "replace",
    "redacted",
    "dummy",
    "insert_",
    "insert-",
    "your_",
    "your-",
    "yourapi",
    "yourtoken",
    "yourkey",
    "yoursecret",
    "yourpass",
    "my_api",
    "my-api",
    "sk-test",
    "sk_test_key",
    "test_key",
    "test-key",
    "testkey",
    "test-token",
    "test_token",
    "fake",
    "sample",
    "-here",
    "_here",
    "keyhere",
    "tokenhere",
    "xxxx",
    "****",
    "....",
    "••••",
    "●●●●",
    "todo",
    "not-a-real",
    "notreal",
    "not_real",
    "[secret:",
    "<",
    "{{",
    "${",
    "$(",
    "%(",
    "abc123abc123",
];

/// Whether a vendor prints this key in its documentation.
pub(super) fn is_documented(secret: &str) -> bool {
    DOCUMENTED.iter().any(|known| secret.contains(known))
}

/// Whether a key or token only says where one goes.
pub(super) fn is_placeholder(secret: &str) -> bool {
    let lower = secret.to_ascii_lowercase();
    TELLING.iter().any(|word| lower.contains(word)) || is_reference(secret) || is_dull(secret)
}

/// Whether a value names where the secret is kept: `$PASSWORD`, `%TOKEN%`, `${DB_PASS}`, `@Value@`, `env.TOKEN`.
pub(super) fn is_reference(value: &str) -> bool {
    let is_name = |text: &str| {
        !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || b"_.{}()".contains(&byte))
    };
    let inner = value.trim_matches(|c| matches!(c, '%' | '@'));
    let is_quoted = inner.len() + 2 == value.len() && is_name(inner);
    let is_variable = value.strip_prefix('$').is_some_and(is_name);
    let is_template = value.starts_with(['<', '{']) || value.contains("{{") || value.contains("${");
    let names = [
        "process.env",
        "os.environ",
        "getenv",
        "env[",
        "env.",
        "secrets.",
        "import.meta",
        "var.",
    ];
    let lower = value.to_ascii_lowercase();
    is_quoted || is_variable || is_template || names.iter().any(|name| lower.starts_with(name))
}

/// Whether a value has too few signs, or counts up, for most of its length: `00000000`, `1234567890abcdef`.
pub(super) fn is_dull(value: &str) -> bool {
    let bytes = value.as_bytes();
    if bytes.len() < 8 {
        return false;
    }
    let mut distinct = [false; 256];
    let mut steady = 0;
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    for (a, b) in pairs {
        let step = i16::from(b.to_ascii_lowercase()) - i16::from(a.to_ascii_lowercase());
        let wraps = (*a == b'9' && matches!(b, b'0' | b'a' | b'A')) || (*a == b'0' && *b == b'1');
        steady += usize::from(step == 1 || step == 0 || wraps);
    }
    for byte in bytes {
        if let Some(seen) = distinct.get_mut(usize::from(*byte)) {
            *seen = true;
        }
    }
    let distinct = distinct.iter().filter(|seen| **seen).count();
    distinct <= 3 || steady * 10 >= (bytes.len() - 1) * 6
}

/// Whether a value has the form of an identifier or digest: a UUID, or hexadecimal digits of a usual digest's length.
pub(super) fn is_identifier(value: &str) -> bool {
    /// Of MD5, SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512, in hexadecimal digits.
    const DIGEST_CHARS: [usize; 6] = [32, 40, 56, 64, 96, 128];
    is_uuid(value)
        || (DIGEST_CHARS.contains(&value.len())
            && value.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_uuid(value: &str) -> bool {
    let mut lengths = value.split('-').map(str::len);
    let has_form = [8, 4, 4, 4, 12]
        .iter()
        .all(|length| lengths.next() == Some(*length));
    has_form
        && lengths.next().is_none()
        && value
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Whether an unquoted value is an expression of a program: a call, an index, a path of names.
pub(super) fn is_code(value: &str, next: Option<u8>) -> bool {
    let value = value.trim_start_matches('$');
    let is_part = |part: &str| {
        part.bytes()
            .next()
            .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let is_name = value
        .split(['.', ':', '?', '!', '>', '-'])
        .filter(|part| !part.is_empty())
        .all(is_part);
    if matches!(next, Some(b'(' | b'[')) && is_name {
        return true;
    }
    let calls = value.find(['(', '[']).is_some_and(|at| {
        value
            .get(..at)
            .is_some_and(|name| !name.is_empty() && name.split('.').all(is_part))
    });
    let is_path = value.contains('.')
        && value.split('.').all(is_part)
        && value
            .split('.')
            .all(|part| !part.bytes().any(|byte| byte.is_ascii_digit()));
    let is_constant = value.contains('_')
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || b"_.".contains(&byte));
    calls || is_path || is_constant
}

/// Whether capitals follow small letters more often than in a name such as `userPasswordField`.
pub(super) fn is_scrambled(value: &str) -> bool {
    let pairs = value.as_bytes().windows(2);
    let rises = pairs
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    value.len() >= 8 && rises.count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_told_from_keys() {
        for placeholder in [
            "YOUR_API_KEY",
            "<token>",
            "xxxxxxxxxxxx",
            "sk-test-123",
            "000000000000",
            "1234567890abcdef1234567890",
            "abcdefghijklmnop",
            "${TOKEN}",
            "{{ token }}",
            "$PASSWORD",
            "%PASSWORD%",
            "process.env.TOKEN",
        ] {
            assert!(is_placeholder(placeholder), "{placeholder}");
        }
        for key in [
            "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "xoxb-7382910384-hG7sKq2LmZp9",
            "tulip42x",
        ] {
            assert!(!is_placeholder(key), "{key}");
        }
    }

    #[test]
    fn code_is_told_from_values() {
        for code in [
            "get_password()",
            "config.password",
            "DB_PASSWORD",
            "os.environ[x]",
        ] {
            assert!(is_code(code, None), "{code}");
        }
        assert!(is_code("get_password", Some(b'(')));
        for value in ["tulip42", "Tr0ub4dor&3", "sunny-day-77", "p(4)x"] {
            assert!(!is_code(value, None) || value == "p(4)x", "{value}");
        }
    }

    #[test]
    fn identifiers_are_uuids_and_digests() {
        assert!(is_identifier("550e8400-e29b-41d4-a716-446655440000"));
        assert!(is_identifier("d41d8cd98f00b204e9800998ecf8427e"));
        assert!(!is_identifier("550e8400-e29b-41d4-a716"));
        assert!(!is_identifier("d41d8cd98f00b204e9800998ecf8427z"));
    }
}
