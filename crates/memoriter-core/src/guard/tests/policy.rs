//! What an operator sets.

use crate::error::{Diagnose, Fault};
use crate::guard::{Category, Guard, GuardPolicy};

#[test]
fn a_blocked_category_is_named_and_masked() {
    let guard = Guard::new(GuardPolicy::default().block(Category::Email));
    let text = "Write to anna@example.org or call +49 151 23456789.";
    assert_eq!(guard.blocked(text), Some(Category::Email));
    let guarded = guard.check(text);
    assert_eq!(
        guarded.text,
        "Write to [secret:email] or call +49 151 23456789."
    );
    assert_eq!(guard.blocked(&guarded.text), None);
    assert_eq!(Guard::default().blocked(text), None);
    assert_eq!(Guard::default().check(text).text, text);
}

#[test]
fn categories_are_told_apart() {
    for (category, text) in [
        (Category::CardNumber, "card 4111 1111 1111 1111"),
        (Category::Iban, "IBAN DE89 3704 0044 0532 0130 00"),
        (Category::Email, "anna@example.org"),
        (Category::Phone, "+1 415 555 0123"),
        (Category::NationalId, "SSN 123-45-6789"),
    ] {
        for blocked in [
            Category::CardNumber,
            Category::Iban,
            Category::Email,
            Category::Phone,
            Category::NationalId,
        ] {
            let guard = Guard::new(GuardPolicy::default().block(blocked.clone()));
            let expected = (blocked == category).then_some(category.clone());
            assert_eq!(guard.blocked(text), expected, "{blocked:?} in {text}");
        }
    }
}

#[test]
fn patterns_of_the_operator_mask_or_block() {
    let policy = GuardPolicy::default()
        .mask_pattern("badge", r"badge (?P<secret>B-\d{4})")
        .unwrap()
        .block_pattern("diagnosis", r"(?i)\bdiagnos\w+")
        .unwrap();
    let guard = Guard::new(policy);
    let text = "My badge B-1234 opens the lab.";
    assert_eq!(
        guard.check(text).text,
        "My badge [secret:badge] opens the lab."
    );
    assert_eq!(guard.blocked(text), None);
    assert_eq!(
        guard.blocked("The diagnosis came."),
        Some(Category::Named("diagnosis".to_owned()))
    );
}

#[test]
fn a_policy_that_cannot_be_followed_says_so() {
    let named = |name: &str| GuardPolicy::default().mask_pattern(name, "x").unwrap_err();
    assert_eq!(named("Badge").code(), "malformed_pattern_name");
    assert_eq!(named("").fault(), Fault::Caller);
    assert_eq!(named("a]b").code(), "malformed_pattern_name");
    let broken = GuardPolicy::default().block_pattern("badge", "(");
    assert_eq!(broken.unwrap_err().code(), "malformed_pattern");
    let large = GuardPolicy::default().block_pattern("badge", r"(\w{100}){100}");
    assert_eq!(large.unwrap_err().code(), "malformed_pattern");
    let many = (0..64).fold(GuardPolicy::default(), |policy, at| {
        policy.block_pattern(&format!("p{at}"), "x").unwrap()
    });
    assert_eq!(
        many.block_pattern("p64", "x").unwrap_err().code(),
        "too_many_patterns"
    );
}

#[test]
fn a_mask_of_an_unknown_kind_is_text() {
    let guard = Guard::default();
    let text = "The password is [secret:tulip42]";
    assert!(!guard.check(text).text.contains("tulip42"));
}
