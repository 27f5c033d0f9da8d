//! The demonstration.

use crate::support::{Home, fields, texts};

#[test]
fn demo_tells_the_whole_idea() {
    let told = Home::new().run(&["demo"]).done();
    insta::assert_snapshot!(told.out);
    assert_eq!(told.err, "");
}

#[test]
fn demo_is_the_same_each_time_and_leaves_nothing() {
    let home = Home::new();
    let first = home.run(&["demo", "--json"]).done();
    assert_eq!(first.out, home.run(&["demo", "--json"]).done().out);
    assert!(!home.path().join("data").exists());
    let steps = &first.json()["steps"];
    assert_eq!(steps.as_array().unwrap().len(), 11);
    assert_eq!(fields(&steps[0]), "command result title");
}

#[test]
fn demo_shows_each_decision() {
    let steps = Home::new().json(&["demo"]);
    let decisions = |step: usize| texts(&steps["steps"][step]["result"]["decisions"], "decision");
    assert_eq!(decisions(1), ["ADD", "ADD"]);
    assert_eq!(decisions(2), ["UPDATE", "SKIP", "BACKFILL", "ASK"]);
}

#[test]
fn the_demo_verifies_in_the_words_of_verify() {
    let told = Home::new().run(&["demo"]).done().out;
    let (_, after) = told.split_once("$ memoriter verify\n").unwrap();
    let line = after.lines().next().unwrap().trim();
    assert!(
        line.starts_with("ok: ") && line.ends_with(" turns checked"),
        "{line}"
    );
}

/// Runs what a page shows behind `$ ` in its consoles, in one store, and compares what comes out. Ids differ
/// from run to run.
#[test]
fn the_readme_shows_what_comes_out() {
    let home = Home::new();
    let examples = home.path().join("examples");
    fs_err::create_dir(&examples).unwrap();
    let chat = include_str!("../../../../examples/chat.jsonl");
    home.file("examples/chat.jsonl", chat);
    let readme = include_str!("../../../../README.md");
    let mut commands = 0;
    for console in readme.split("```console\n").skip(1) {
        let (console, _) = console.split_once("```").unwrap();
        for shown in console.split("$ memoriter ").skip(1) {
            let (command, expected) = shown.split_once('\n').unwrap();
            let ran = home.run(&words(command));
            assert_eq!(
                without_ids(&ran.done().out),
                without_ids(expected),
                "{command}"
            );
            commands += 1;
        }
    }
    assert!(commands > 6, "{commands}");
}

/// The words of a command line, as far as the README writes such.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(number, part)| {
        if number % 2 == 1 {
            vec![part.to_owned()]
        } else {
            part.split_whitespace().map(str::to_owned).collect()
        }
    });
    words.collect()
}

/// The text with every id and every boundary of a desk the same.
fn without_ids(text: &str) -> String {
    let is_uuid = |word: &str| word.len() == 36 && word.matches('-').count() == 4;
    let is_id = |word: &str| {
        let id = word.trim_start_matches("id=").trim_start_matches("turn=");
        let is_boundary = word.len() == 9 && word.starts_with('[');
        is_uuid(id) || is_boundary
    };
    let lines = text.lines().map(|line| {
        let words = line.split(' ').map(|word| {
            if is_id(word.trim_end_matches(',')) {
                "ID"
            } else {
                word
            }
        });
        words.collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}
