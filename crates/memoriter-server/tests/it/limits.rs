//! How much a caller may take.

use std::num::NonZeroU32;

use serde_json::json;

use crate::client::Served;

/// A body of exactly so many bytes.
fn body(bytes: usize) -> String {
    let frame = json!({"text": ""}).to_string().len();
    json!({"text": "a".repeat(bytes - frame)}).to_string()
}

#[test]
fn a_body_may_have_a_mebibyte_and_no_byte_more() {
    let served = Served::start();
    let me = served.caller();
    let limit = 1024 * 1024;
    for (bytes, is_read) in [(limit - 1, true), (limit, true), (limit + 1, false)] {
        let answer = me.send("POST", "/v1/memories", &[], Some(&body(bytes)));
        // What is read is too long for a statement, which is another error.
        let expected = if is_read { 400 } else { 413 };
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (expected, "over_limit"),
            "{bytes}"
        );
    }
}

#[test]
fn a_body_is_nested_sixty_four_levels_at_most() {
    let served = Served::start();
    let nested = |levels: usize| {
        let value = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        format!("{{\"fields\":[{{\"name\":\"a\",\"value\":{value}}}]}}")
    };
    let patch = |levels| {
        let body = nested(levels);
        served
            .caller()
            .send("PATCH", "/v1/sessions/s/state", &[], Some(&body))
    };
    let deep = patch(62);
    assert_eq!(deep.code(), "over_limit");
    assert!(deep.text.contains("64 levels"), "{}", deep.text);
    assert!(!patch(61).text.contains("the body is nested"));
}

#[test]
fn who_sends_too_much_is_told_when_to_come_again() {
    let served = Served::start_with(|settings, _| {
        settings.limits.requests_per_second = NonZeroU32::new(5).unwrap();
    });
    let me = served.caller();
    let answers: Vec<_> = (0..20).map(|_| me.get("/v1/memories")).collect();
    let refused: Vec<_> = answers
        .iter()
        .filter(|answer| answer.status == 429)
        .collect();
    assert!(refused.len() >= 5, "{}", refused.len());
    for answer in refused {
        assert_eq!(answer.code(), "too_many_requests");
        assert!(
            answer
                .header("retry-after")
                .unwrap()
                .parse::<u64>()
                .unwrap()
                >= 1
        );
    }
    assert_eq!(served.caller().get("/healthz").status, 200);
}
