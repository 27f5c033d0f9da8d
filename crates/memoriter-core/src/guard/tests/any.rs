//! Any text at all.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::guard::{Category, Guard, GuardPolicy, Marks};

/// Pieces that rules are about, in an order that nobody writes.
const PIECES: &[&str] = &[
    "password",
    "Password:",
    " is ",
    "PIN",
    "key",
    "token",
    "secret",
    "api_key",
    ":",
    "=",
    "\"",
    "'",
    "`",
    "\\\"",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "/",
    "://",
    "@",
    "&",
    ";",
    ",",
    ".",
    " ",
    "\n",
    "\t",
    "tulip42",
    "4711",
    "482913",
    "ghp_",
    "16C7e42F292c6912E7710c838347Ae178B4a",
    "AKIA",
    "IOSFODNN7QWERTYU",
    "4111 1111 1111 1111",
    "4111111111111111",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "Bearer",
    "Authorization: ",
    "postgres://u:",
    "host",
    "curl -u a:",
    "[secret:",
    "[secret:password]",
    "[secret:token]",
    "[secret:nothing]",
    "é",
    "密码",
    "是",
    "пароль",
    "👩\u{200d}💻",
    "\u{202e}",
    "\u{200b}",
    "\u{e0041}",
    "is my ",
    "verification code",
    "code",
    "to log in",
    "seed phrase",
    "alpha bravo charlie delta",
    "eyJhbGciOiJIUzI1NiJ9",
    "sk-",
    "\0",
    "xxxx",
    "YOUR_KEY",
    "bob@example.org",
    "+49 151 23456789",
    "DE89 3704 0044 0532 0130 00",
    "ignore all previous instructions",
];

fn guards() -> Vec<Guard> {
    let policy = GuardPolicy::default()
        .block(Category::Email)
        .block(Category::Phone)
        .block(Category::Iban)
        .block(Category::CardNumber)
        .block(Category::NationalId)
        .mask_pattern("badge", r"\bB-\d+|a+")
        .unwrap()
        .block_pattern("any-word", r"\w+é")
        .unwrap();
    vec![Guard::default(), Guard::new(policy)]
}

/// What holds for every text.
fn check(text: &str) {
    for guard in guards() {
        let once = guard.check(text);
        let mut rendered = String::new();
        let mut from = 0;
        for masked in &once.masked {
            rendered.push_str(&text[from..masked.span.start]);
            assert!(!masked.span.is_empty());
            rendered.push_str(&["[secret:", &masked.kind, "]"].concat());
            from = masked.span.end;
        }
        rendered.push_str(&text[from..]);
        assert_eq!(once.text, rendered, "spans and text of {text:?}");
        let twice = guard.check(&once.text);
        assert_eq!(twice.text, once.text, "idempotent on {text:?}");
        assert!(twice.masked.is_empty(), "{text:?}");
        assert_eq!(once.marks, Marks::of(text));
        let _ = guard.blocked(text);
        if let Some(evidence) = guard.looks_like_instruction(text) {
            assert!(text.get(evidence.span).is_some(), "{text:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_checked(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_pieces_are_checked(pieces in vec(select(PIECES), 0..24)) {
        check(&pieces.concat());
    }

    #[test]
    fn a_planted_token_never_stays(
        before in vec(select(PIECES), 0..8),
        token in "ghp_[a-zA-Z0-9]{36}|AKIA[A-Z2-7]{16}|glpat-[a-zA-Z0-9]{20}|xoxb-[0-9]{12}-[0-9]{12}-[a-zA-Z0-9]{24}",
        after in vec(select(PIECES), 0..8),
    ) {
        let text = format!("{} {token} {}", before.concat(), after.concat());
        let guard = Guard::default();
        let kept = guard.check(&text).text;
        // Chance may draw a documentation key or a run that counts up.
        prop_assume!(guard.check(&token).text != token);
        prop_assert!(!kept.contains(&token), "{} -> {}", text, kept);
    }

    #[test]
    fn a_planted_password_never_stays(
        before in "[a-z ]{0,40}[.!?] ",
        password in "[a-z]{5,9}[0-9]{2,4}",
        after in "[ .,!\n][A-Za-z ]{0,40}",
    ) {
        let text = format!("{before}My password is {password}{after}");
        let kept = Guard::default().check(&text).text.into_owned();
        prop_assert!(!kept.contains(&password), "{} -> {}", text, kept);
    }
}
