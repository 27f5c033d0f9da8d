//! Files that are not taken, and leave the store as it was.

use std::io::Cursor;

use memoriter::{Diagnose, Note};

use super::{export, priya, signed, store};

#[track_caller]
fn check(file: &str, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path(), "memory.db", 1);
    let priya = priya(&store);
    let head = store.head().unwrap();
    let error = priya
        .import()
        .trusting()
        .read(&mut Cursor::new(file))
        .unwrap_err();
    let told = error.to_string();
    let without_column = told.split(" at column ").next().unwrap();
    assert_eq!(without_column, expected);
    assert_eq!(store.head().unwrap(), head, "nothing was written");
    assert_ne!(error.code(), "");
}

fn sample() -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path(), "memory.db", 1);
    let city = Note::new("I live in Munich")
        .key("user.city".parse().unwrap())
        .value("Munich");
    priya(&store).remember(city).unwrap();
    export(&priya(&store)).lines().map(str::to_owned).collect()
}

/// The sample with one line changed, and everything else put right.
fn with(at: usize, change: impl Fn(&str) -> String) -> String {
    let mut lines = sample();
    lines.pop();
    lines[at] = change(&lines[at]);
    signed(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn what_is_no_export_is_told_apart() {
    check("", "line 1: not an export of memoriter: the file is empty");
    check(
        "hello\n",
        "line 1: not an export of memoriter: expected value",
    );
    check(
        "{\"session\":\"s1\",\"role\":\"user\",\"content\":\"Hello\"}\n",
        "line 1: not an export of memoriter: missing field `memoriter_export`",
    );
    let newer = "{\"memoriter_export\":{\"version\":2,\"new\":1}}\n";
    check(
        newer,
        "line 1: the file has version 2, newer than the 1 that this program can read",
    );
}

#[test]
fn a_file_that_was_cut_or_changed_is_refused() {
    let lines = sample();
    let whole = lines.join("\n") + "\n";
    let cut = lines[..lines.len() - 1].join("\n") + "\n";
    check(
        &cut,
        "the file ends at line 4 without its last line: it is cut off",
    );
    let changed = whole.replace("I live in Munich", "I live in London");
    check(
        &changed,
        "line 5: the checksum does not fit: the file was changed or is damaged",
    );
    check(
        &(whole.clone() + "{}\n"),
        "line 6: nothing may follow the end",
    );
    let fewer = whole.replacen(
        "\"memories\":1,\"decisions\":1},\"damaged\"",
        "\"memories\":2,\"decisions\":1},\"damaged\"",
        1,
    );
    check(&fewer, "line 5: the file says 2 memories, and holds 1");
}

#[test]
fn a_name_with_a_secret_is_refused() {
    let session = r#"{"session":{"name":"my password is tulip42","mode":"full"}}"#;
    let file = with(2, |line| format!("{session}\n{line}"));
    check(
        &file,
        "session holds a secret (password), and names are kept as they are; nothing was written",
    );
}

#[test]
fn types_are_closed() {
    check(
        &with(2, |line| {
            line.replacen("{\"memory\":{", "{\"memory\":{\"admin\":true,", 1)
        }),
        "line 3: unknown field `admin`, expected one of `id`, `kind`, `state`, `tier`, `statement`, `key`, `value`, `attempt`, `category`, `importance`, `confidence`, `status`, `origin`, `trust`, `actor`, `sources`, `valid_from`, `valid_to`, `told_to`, `recorded_at`, `retired_at`, `expires_at`, `pinned_at`, `last_recalled_at`, `recall_count`, `last_confirmed_at`, `confirmations`, `supersedes`, `superseded_by`, `version`, `metadata`",
    );
    check(
        &with(2, |_| "{\"secret\":{}}".to_owned()),
        "line 3: unknown variant `secret`, expected one of `memoriter_export`, `scope`, `session`, `attachment`, `gap`, `turn`, `field`, `checkpoint`, `memory`, `decision`, `end`",
    );
    check(
        &with(2, |line| {
            line.replacen("\"trust\":3", "\"trust\":3,\"trust\":3", 1)
        }),
        "line 3: duplicate field `trust`",
    );
    check(
        &with(2, |line| {
            line.replacen(
                "\"version\":1",
                "\"version\":1,\"metadata\":{\"a\":1,\"a\":2}",
                1,
            )
        }),
        "line 3: field `a` stands here twice",
    );
}

#[test]
fn limits_are_those_of_the_vocabulary() {
    let set = |from: &'static str, to: String| {
        with(2, move |line| {
            assert!(line.contains(from), "{line}");
            line.replacen(from, &to, 1)
        })
    };
    check(
        &set("\"importance\":5", "\"importance\":11".into()),
        "line 3: importance must be a whole number from 1 to 10, got `11`",
    );
    check(
        &set("\"trust\":3", "\"trust\":4".into()),
        "line 3: trust must be 0, 1, 2 or 3, got `4`",
    );
    check(
        &set("\"state\":\"live\"", "\"state\":\"dormant\"".into()),
        "line 3: state must be live, pending, quarantined, superseded, retracted or expired, got `dormant`",
    );
    check(
        &set("I live in Munich", "x".repeat(8_193)),
        "line 3: statement is 8193 bytes, over the limit of 8192 bytes",
    );
    check(
        &set("I live in Munich", "a\\u0000b".into()),
        "line 3: statement holds a NUL character at byte 1",
    );
    let bomb = "[".repeat(107) + &"]".repeat(107);
    check(
        &set(
            "\"version\":1",
            format!("\"version\":1,\"metadata\":{{\"a\":{bomb}}}"),
        ),
        "line 3: over the limit of 108 levels",
    );
}

#[test]
fn lines_stand_in_order() {
    let swapped = |a: usize, b: usize| {
        let mut lines = sample();
        lines.pop();
        lines.swap(a, b);
        signed(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    };
    check(
        &swapped(1, 2),
        "line 2: a memory stands here, and its scope comes before it",
    );
    check(
        &swapped(2, 3),
        "line 4: a memory stands here, and sessions come before memories, and these before decisions",
    );
    let turn = "{\"session\":{\"name\":\"s1\",\"mode\":\"full\"}}".to_owned();
    check(
        &with(3, |_| turn.clone()),
        "line 4: a session stands here, and sessions come before memories, and these before decisions",
    );
    let other = with(1, |_| "{\"scope\":[\"user\",\"omar\"]}".to_owned());
    check(&other, "line 2: the file holds user/omar, not user/priya");
    let prefix = with(1, |_| "{\"scope\":[\"user\",\"priya2\"]}".to_owned());
    check(
        &prefix,
        "line 2: the file holds user/priya2, not user/priya",
    );
}

#[test]
fn a_line_has_a_limit() {
    let endless = "{".repeat(40 * 1024 * 1024);
    check(&endless, "line 1: over the limit of 33554432 bytes");
}
