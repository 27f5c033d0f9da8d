//! `export` and `import`.

use std::os::unix::fs::PermissionsExt;

use crate::support::Home;

const TRAVEL: [&str; 6] = [
    "remember",
    "I live in Munich",
    "--key",
    "user.city",
    "--value",
    "Munich",
];

#[test]
fn what_was_exported_comes_back_into_an_empty_home() {
    let (home, other) = (Home::new(), Home::new());
    assert_eq!(home.run(&TRAVEL).code, 0);
    assert_eq!(
        home.run(&["session", "append", "s1", "--role", "user", "Hello"])
            .code,
        0
    );
    let exported = home.json(&["export", "me.jsonl"]);
    assert_eq!(exported["counts"]["memories"], 1);
    assert_eq!(exported["counts"]["turns"], 1);
    let path = home.path().join("me.jsonl");
    let mode = fs_err::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let again = home.run(&["export", "me.jsonl"]);
    assert_eq!(
        (again.code, again.err.as_str()),
        (4, "error: me.jsonl is there already\n")
    );

    let file = fs_err::read(&path).unwrap();
    let piped = other.run_with(&["import", "-", "--trust"], &file);
    assert_eq!(
        (piped.code, piped.out.as_str()),
        (0, "added 1 memory, 1 session, 1 turn, 1 decision\n")
    );
    let recalled = other.json(&["recall", "where do I live"]);
    assert_eq!(recalled["results"][0]["statement"], "I live in Munich");
    let known = other.run_with(&["import", "-", "--trust"], &file);
    assert_eq!(
        known.out,
        "added nothing\nhere already: 1 memory, 1 session, 1 turn, 1 decision\n"
    );
    let names: Vec<_> = fs_err::read_dir(other.path().join("data"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        names.iter().all(|name| name.starts_with("default.")),
        "{names:?}"
    );
}

#[test]
fn a_foreign_file_waits_for_review() {
    let (home, other) = (Home::new(), Home::new());
    assert_eq!(home.run(&TRAVEL).code, 0);
    let piped = home.run(&["export", "-"]);
    assert_eq!(piped.err, "exported of user/me: 1 memory, 1 decision\n");
    let file = other.file("me.jsonl", &piped.out);
    let imported = other.json(&["import", file.to_str().unwrap()]);
    assert_eq!(
        (&imported["own"], &imported["left_out"]),
        (&false.into(), &1.into())
    );
    let waiting = other.json(&["review", "list"]);
    assert_eq!(waiting["pending"][0]["origin"], "import");
    assert_eq!(waiting["pending"][0]["trust"], 0);
}

#[test]
fn a_file_about_somebody_else_needs_a_name() {
    let (home, other) = (Home::new(), Home::new());
    assert_eq!(
        home.run(&[&TRAVEL[..], &["--user", "priya"]].concat()).code,
        0
    );
    let file = home.run(&["export", "-", "--user", "priya"]).out;
    let refused = other.run_with(&["import", "-"], &file);
    assert_eq!(refused.code, 4);
    assert_eq!(
        refused.err,
        "error: -: line 1: the file holds user/priya, not user/me\nhint: --user NAME takes the file in as the memory of NAME\n"
    );
    assert_eq!(
        other
            .run_with(&["import", "-", "--user", "omar"], &file)
            .code,
        0
    );
    let not_ours = other.run_with(&["import", "-"], "hello\n");
    assert_eq!(not_ours.code, 2);
    let piped_json = home.run(&["export", "-", "--json"]);
    assert_eq!(piped_json.code, 2);
}

#[test]
fn a_conflict_ends_with_four_and_names_the_line() {
    let (home, other) = (Home::new(), Home::new());
    assert_eq!(home.run(&TRAVEL).code, 0);
    let file = home.run(&["export", "-"]).out;
    assert_eq!(
        other
            .run(&[
                "remember",
                "I live in Berlin",
                "--key",
                "user.city",
                "--value",
                "Berlin"
            ])
            .code,
        0
    );
    let clashing = other.run_with(&["import", "-", "--trust", "--json"], &file);
    assert_eq!(clashing.code, 4);
    let answer: serde_json::Value = serde_json::from_str(&clashing.out).unwrap();
    assert_eq!(
        (&answer["conflicts"], &answer["clashes"][0]["line"]),
        (&1.into(), &3.into())
    );
    let recalled = other.json(&["recall", "where do I live"]);
    assert_eq!(recalled["results"][0]["statement"], "I live in Berlin");
}
