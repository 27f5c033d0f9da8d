//! Input from hell: a right answer or a clear error, never a panic, never everything.

use std::ffi::OsStr;
use std::process::Stdio;

use serde_json::json;

use crate::support::{Home, text, texts};

/// Asks for a part of what was remembered, among other things.
#[track_caller]
fn check(statement: &str, queries: &[&str]) {
    let home = Home::new();
    for other in [
        "The weather was mild",
        "Tom painted the fence",
        "Trains leave at noon",
    ] {
        home.remember(&[other]);
    }
    let id = text(
        &home
            .run_with(&["remember", "-", "--json"], statement)
            .done()
            .json()["decisions"][0]["id"],
    );
    assert_eq!(
        home.json(&["show", &id])["statement"],
        statement,
        "byte-exact"
    );
    for query in queries {
        let found = home.run(&["recall", "--json", "--", query]).done().json();
        assert_eq!(
            texts(&found["results"], "statement"),
            [statement],
            "{query}"
        );
    }
}

#[test]
fn words_with_signs_are_found() {
    check(
        "I don't eat mushrooms",
        &["don't mushrooms", "mushrooms don’t", "MUSHROOMS"],
    );
    check(
        "The link runs at 40 GB/s",
        &["GB/s", "gb/s link", "how many GB/s?"],
    );
    check(
        "We run a multi-agent setup",
        &["multi-agent", "multi agent", "multiagent setup"],
    );
    check(
        "Pass \"--quoted\" to the tool zed",
        &["\"--quoted\"", "--quoted", "quoted"],
    );
}

#[test]
fn scripts_and_signs_are_found() {
    check("東京タワーの高さは333mです", &["東京", "タワー", "333m"]);
    check("我在ABC公司工作", &["公司", "ABC", "abc公司"]);
    check(
        "The cafe\u{301} is called E\u{301}toile",
        &["café", "Étoile", "étoile cafe\u{301}"],
    );
    check("Our family is 👨‍👩‍👧‍👦 with a dog 🐕", &["family dog"]);
}

#[test]
fn signs_alone_find_nothing() {
    let home = Home::new();
    // The day is found, too: on the first of a month, a 1 in a question finds what was said that day.
    home.run_at("2026-03-12T09:00:00Z", &["remember", "Berlin is nice"])
        .done();
    for query in [
        "?!",
        "👨‍👩‍👧‍👦",
        "\"",
        "*",
        "%",
        "_",
        "' OR 1=1 --",
        "()",
        "\\",
        "AND OR NOT",
        "\u{301}",
    ] {
        let found = home.run(&["recall", "--json", "--", query]).done().json();
        assert_eq!(found["results"], json!([]), "{query}");
    }
}

#[test]
fn empty_and_white_questions_are_refused() {
    let home = Home::new();
    for query in ["", " ", "\n\t", "\u{3000}"] {
        home.run(&["recall", query]).failed(2, "query is empty");
    }
}

#[test]
fn ten_megabytes_are_over_the_limit() {
    let home = Home::new();
    let long = "a ".repeat(5_000_000);
    home.run_with(&["remember", "-"], &long)
        .failed(2, "over the limit of 8192 bytes");
    home.run_with(&["recall", "-"], &long)
        .failed(2, "over the limit of 8192 bytes");
    home.run_with(&["session", "append", "s", "-"], &long)
        .failed(2, "over the limit of 1048576 bytes");
    home.run_with(&["ingest", "-"], &long).failed(2, "line 1");
    let line = format!(r#"{{"session":"s","role":"user","content":"{long}"}}"#);
    home.run_with(&["ingest", "-", "--format", "jsonl"], line)
        .failed(2, "over the limit of 1048576 bytes");
    home.run_with(&["remember", "-"], "x".repeat(8_192)).done();
}

#[test]
fn nul_and_broken_unicode_are_named() {
    let home = Home::new();
    home.run_with(&["remember", "-"], "a\0b")
        .failed(2, "holds a NUL character at byte 1");
    home.run_with(&["recall", "-"], "a\0b").failed(2, "NUL");
    home.run_with(&["remember", "-"], b"caf\xe9")
        .failed(2, "byte 4 is not UTF-8");
    let line = |content: &str| {
        format!("{{\"session\":\"s\",\"role\":\"user\",\"content\":\"{content}\"}}")
    };
    home.run_with(&["ingest", "-"], line("a\\u0000b"))
        .failed(2, "NUL");
    home.run_with(&["ingest", "-"], line("\\ud800"))
        .failed(2, "line 1");
    home.run_with(&["ingest", "-"], line("x\\udc00y"))
        .failed(2, "line 1");
    home.run_with(
        &["ingest", "-"],
        b"{\"session\":\"s\",\"role\":\"user\",\"content\":\"\xff\"}",
    )
    .failed(2, "line 1");
    home.run_with(&["ingest", "-"], "a\0b").failed(2, "line 1");
    home.run_with(&["eval", "jsonl", "-"], "\0")
        .failed(2, "line 1");
    home.file("m.toml", "user = \"a\0b\"");
    home.run(&["list", "--config", "m.toml"])
        .failed(2, "m.toml");
    assert_eq!(home.json(&["stats"])["turns"], 0);
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_unicode_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let home = Home::new();
    let broken = OsStr::from_bytes(b"caf\xe9");
    home.run(&[OsStr::new("recall"), broken]).failed(2, "UTF-8");
    home.run(&[
        OsStr::new("recall"),
        OsStr::new("x"),
        OsStr::new("--user"),
        broken,
    ])
    .failed(2, "UTF-8");
}

#[test]
fn stored_text_cannot_steer_the_terminal() {
    let home = Home::new();
    let id = text(
        &home
            .run_with(&["remember", "-", "--json"], "red \u{1b}[31malert\u{7}")
            .done()
            .json()["decisions"][0]["id"],
    );
    for args in [&["recall", "red"][..], &["list"], &["show", &id]] {
        let shown = home.run(args).done().out;
        assert!(
            shown.contains("alert") && !shown.contains('\u{1b}') && !shown.contains('\u{7}'),
            "{shown:?}"
        );
    }
}

#[test]
fn names_of_users_and_sessions_may_be_anything() {
    let home = Home::new();
    for user in ["a", "a%", "a_", "a/b", "'", "\"", "東京", "👨‍👩‍👧‍👦", " x"] {
        home.run(&["remember", "The safe is blue", "--user", user])
            .done();
        home.run(&["session", "append", user, "Hello", "--user", user])
            .done();
        assert_eq!(
            home.json(&["recall", "safe", "--user", user])["considered"],
            2,
            "{user}"
        );
        assert_eq!(
            home.json(&["session", "show", user, "--user", user])["turns"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
    }
}

#[test]
fn usage_errors_are_documents_too() {
    let home = Home::new();
    let wrong = home.run(&["recall", "--json"]).failed(2, "<QUERY>");
    assert_eq!(wrong.json()["error"]["code"], "usage");
    let wrong = home
        .run(&["show", "nope", "--json"])
        .failed(2, "must be an id");
    assert_eq!(wrong.json()["error"]["field"], "id");
    home.run(&["recall", "--quoted"])
        .failed(2, "use '-- --quoted'");
    let guide = home.run::<&str>(&[]).failed(2, "Start here:");
    assert_eq!(guide.out, "");
}

#[test]
fn help_has_an_example_for_each_command() {
    let home = Home::new();
    let help = home.run(&["--help"]).done().out;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(names.len(), 29, "{names:?}");
    for name in names.iter().filter(|name| **name != "help") {
        let help = home.run(&[*name, "--help"]).done().out;
        assert!(help.contains("Example"), "{name}");
    }
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let home = Home::new();
    for number in 0..200 {
        home.run(&[
            "session",
            "append",
            "s",
            &format!("{number} {}", "x".repeat(2_000)),
        ])
        .done();
    }
    let mut child = home
        .command()
        .args(["session", "show", "s", "--limit", "1000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn numbers_out_of_range_name_the_option_and_the_limit() {
    let home = Home::new();
    let id = home.remember(&["Berlin"]);
    let show = ["session", "show", "s"];
    for (args, option, limit) in [
        (&["recall", "x"][..], "-k", "a whole number from 1 to 200"),
        (&["recall", "x"], "--top", "a whole number from 1 to 200"),
        (
            &["recall", "x"],
            "--neighbours",
            "a whole number, 0 or more",
        ),
        (&["recall", "x"], "--min-relevance", "a number from 0 to 1"),
        (&["list"], "--limit", "a whole number from 1 to 1000"),
        (&show, "--limit", "a whole number from 1 to 1000"),
        (&show, "--from", "a whole number, 0 or more"),
        (
            &["remember", "x"],
            "--importance",
            "a whole number from 1 to 10",
        ),
        (&["remember", "x"], "--confidence", "a number from 0 to 1"),
        (
            &["update", &id, "--statement", "x"],
            "--expect-version",
            "a whole number, 1 or more",
        ),
    ] {
        for value in ["-1", "many", "1e3", "99999999999999999999999"] {
            if value == "1e3" && limit.starts_with("a number") {
                continue;
            }
            let refused = home
                .run(&[args, &[option, value]].concat())
                .failed(2, limit);
            let name = if option == "-k" { "--top" } else { option };
            assert!(refused.err.contains(name), "{}", refused.err);
            assert!(refused.err.contains(value), "{}", refused.err);
        }
    }
    home.remember(&["It is cold", "--key", "user.degrees", "--value", "-5"]);
    let seed = home
        .command()
        .env("MEMORITER_SEED", "-1")
        .arg("list")
        .output()
        .unwrap();
    let said = String::from_utf8(seed.stderr).unwrap();
    assert!(
        said.contains("seed must be a whole number, 0 or more, got `-1`"),
        "{said}"
    );
}

/// What a terminal takes for a command, and what begins a line that could be taken for ours.
const STEERING: &str = "a\u{1b}[31mb\u{7}\u{9b}c\nerror: d";

/// Nothing steers the terminal or begins a line of its own, and the text is told escaped.
#[track_caller]
fn check_escaped(said: &str) {
    let steers = |c: char| c.is_control() && c != '\n';
    assert!(!said.contains(steers), "{said:?}");
    assert!(!said.contains("\nerror: d"), "{said:?}");
    assert!(said.contains("a\\u{1b}[31mb"), "{said:?}");
}

#[test]
fn foreign_text_in_errors_is_escaped() {
    let home = Home::new();
    home.remember(&["Berlin"]);
    let quoted = serde_json::to_string(STEERING).unwrap();
    let turn = format!(r#"{{"session":"s","role":"user","content":"x","id":{quoted}}}"#);
    let other = turn.replace("\"x\"", "\"y\"");
    home.file(STEERING, format!("{turn}\n{other}"));
    home.file("name.toml", format!("{quoted} = 1"));
    for lines in [
        format!(r#"{{"session":"s","role":"user","content":"x",{quoted}:1}}"#),
        format!(r#"{{"session":"s","role":{quoted},"content":"x"}}"#),
        format!(r#"{{"session":"s","role":"user","content":"x","ts":{quoted}}}"#),
        format!(r#"{{"session":"s","role":"user","content":"x",{quoted}:1,{quoted}:2}}"#),
        format!(r#"{{"messages":[{{"role":{quoted},"content":"x"}}]}}"#),
        format!("{turn}\n{other}"),
    ] {
        let refused = home.run_with(&["ingest", "-"], lines);
        assert_ne!(refused.code, 0);
        check_escaped(&refused.err);
    }
    for args in [
        &["ingest", STEERING][..],
        &["ingest", &format!("{STEERING}.none")],
        &["session", "show", STEERING],
        &["show", STEERING],
        &["history", STEERING],
        &["history", &format!("x.{STEERING}")],
        &["recall", "x", "--kind", STEERING],
        &["recall", "x", &format!("--{STEERING}")],
        &["recall", "x", "--since", STEERING],
        &["list", "--config", STEERING],
        &["list", "--config", "name.toml"],
        &["list", "--tenant", STEERING],
        &["stats", "--data", STEERING],
        &["remember", "x", "--key", STEERING],
        &["remember", "x", "--meta", STEERING],
        &[STEERING],
    ] {
        let refused = home.run(args);
        assert_ne!(refused.code, 0, "{args:?}");
        if args[0] != "history" || args[1] != STEERING {
            check_escaped(&refused.err);
        }
    }
    let document = home.run(&["session", "show", STEERING, "--json"]).json();
    let told = text(&document["error"]["message"]);
    assert_eq!(told, format!("there is no session {STEERING}"));
}

#[test]
fn data_that_cannot_be_kept_as_given_is_refused() {
    let home = Home::new();
    let huge = format!("a={}", "x".repeat(20_000));
    for (fields, message) in [
        (&["a=1", "a=2"][..], "meta names `a` twice"),
        (&["a=1", "b=2", "a=1"], "meta names `a` twice"),
        (&["a={\"b\":1,\"b\":2}"], "field `b` stands here twice"),
        (&["a=NaN"], "a number that JSON can hold"),
        (&["a=Infinity"], "a number that JSON can hold"),
        (&["a=-Infinity"], "a number that JSON can hold"),
        (&["a=1e999"], "a number that JSON can hold"),
        (&["a=-1e999"], "a number that JSON can hold"),
        (&["a=123456789012345678901"], "cannot be kept exactly"),
        (&[&huge], "over the limit of 16384 bytes"),
        (&["a"], "name=value"),
        (&["=a"], "name=value"),
    ] {
        let options: Vec<&str> = fields.iter().flat_map(|field| ["--meta", field]).collect();
        for command in [
            &["remember", "x"][..],
            &["session", "append", "s", "x"],
            &["recall", "x"],
            &["list"],
        ] {
            home.run(&[command, &options].concat()).failed(2, message);
        }
    }
    let id = home.remember(&[
        "x",
        "--meta",
        "a=\"NaN\"",
        "--meta",
        "b=18446744073709551615",
        "--meta",
        "c=1e30",
        "--meta",
        "d=nan",
        "--meta",
        "e={draft}",
        "--meta",
        "f=-0.5",
    ]);
    assert_eq!(
        home.json(&["show", &id])["metadata"],
        json!({"a": "NaN", "b": 18_446_744_073_709_551_615_u64, "c": 1e30, "d": "nan",
               "e": "{draft}", "f": -0.5})
    );
}

#[test]
fn what_is_not_seen_is_shown_and_is_no_part_of_a_key() {
    let home = Home::new();
    home.remember(&["Pay \u{202E}001\u{202C} to Tom\u{E0041} 👨\u{200D}👩\u{200D}👧"]);
    for args in [&["list"][..], &["recall", "pay Tom"]] {
        let told = home.run(args).done().out;
        let expected = "Pay \\u{202e}001\\u{202c} to Tom\\u{e0041} 👨\u{200D}👩\u{200D}👧";
        assert!(told.contains(expected), "{told}");
    }
    for (key, said) in [
        ("us\u{200B}er.city", "us\\u{200b}er`"),
        ("user.\u{202E}ytic", "`\\u{202e}ytic`"),
        (
            "user..city",
            "key must be entity.attribute such as user.city, got `user..city`",
        ),
    ] {
        let args = ["remember", "Berlin", "--key", key, "--json"];
        let refused = home.run(&args).failed(2, said);
        assert_eq!(refused.json()["error"]["field"], "key");
        home.run(&["forget", "--key", key]).failed(2, said);
    }
}
