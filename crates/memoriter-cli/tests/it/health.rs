//! Counting, checking and rebuilding.

use std::io::{Read, Seek, SeekFrom, Write};

use memoriter::{Memoriter, Note, Scope};
use serde_json::json;

use crate::support::{Home, fields, texts};

#[test]
fn stats_count() {
    let home = Home::new();
    home.remember(&["Berlin", "--key", "user.city"]);
    home.remember(&["Munich", "--key", "user.city"]);
    home.run(&["session", "append", "s", "Hello", "--user", "priya"])
        .done();
    let stats = home.json(&["stats"]);
    assert_eq!(
        fields(&stats),
        "attachments change checkpoints embedded embedder encrypted fields file file_bytes memories scopes sessions turns"
    );
    assert_eq!(
        (&stats["memories"]["live"], &stats["memories"]["superseded"]),
        (&json!(1), &json!(1))
    );
    assert_eq!((&stats["turns"], &stats["scopes"]), (&json!(1), &json!(2)));
    let text = home.run(&["stats"]).done().out;
    assert!(
        text.starts_with(
            "memories     1 live, 1 superseded\nturns        1 in 1 session\nattachments  0\n"
        ),
        "{text}"
    );
}

#[test]
fn a_sound_store_verifies() {
    let home = Home::new();
    home.remember(&["Berlin", "--key", "user.city"]);
    assert_eq!(
        home.json(&["verify"]),
        json!({"ok": true, "problems": [], "memories": 1, "turns": 0,
            "attachments": 0, "fields": 0, "checkpoints": 0})
    );
    insta::assert_snapshot!(home.run(&["verify"]).done().out, @"ok: 1 memory and 0 turns checked");
}

#[test]
fn damage_is_named_and_never_served() {
    let home = Home::new();
    home.remember(&["The treasure lies under the oak"]);
    home.run(&["verify"]).done();
    replace(
        &home.path().join("data/default.db"),
        b"under the oak",
        b"under the elm",
    );
    let found = home.run(&["verify", "--json"]);
    assert_eq!(found.code, 1, "{}", found.err);
    assert_eq!(found.json()["ok"], false);
    assert!(!found.json()["problems"].as_array().unwrap().is_empty());
    let recalled = home.json(&["recall", "where is the treasure?"]);
    assert_eq!(recalled["results"], json!([]));
    assert_eq!(recalled["damaged"].as_array().unwrap().len(), 1);
    for args in [&["list"][..], &["recall", "where is the treasure?"]] {
        let told = home.run(args).done().out;
        let is_damage =
            |line: &str| line == "damaged and left out: memory in row 1: the checksum does not fit";
        assert!(told.lines().any(is_damage), "{told}");
    }
}

#[test]
fn damage_of_whole_pages_is_in_every_document() {
    let home = Home::new();
    for number in 0..60 {
        let text = format!("The treasure {number} {}", "is here ".repeat(20));
        home.remember(&[
            &text,
            "--kind",
            "semantic",
            "--key",
            &format!("user.t{number}"),
        ]);
    }
    let long = home.remember(&[&"word ".repeat(1_500), "--key", "user.long"]);
    let file = home.path().join("data/default.db");
    let sound = fs_err::read(&file).unwrap();
    let mut bytes = sound.clone();
    // The last page of a long record: its end is gone, what it says about its state with it.
    for page in bytes.chunks_mut(4_096) {
        if page[..4] == [0; 4] && page.windows(10).any(|part| part == b"word word ") {
            page.fill(0);
        }
    }
    assert_ne!(bytes, sound);
    fs_err::write(&file, bytes).unwrap();
    let listed = home.json(&["list", "--limit", "1000"]);
    assert_eq!(listed["memories"].as_array().unwrap().len(), 60, "{long}");
    assert_eq!(listed["damaged"].as_array().unwrap().len(), 1);
    // Pages of the table itself.
    let mut bytes = sound;
    for page in bytes.chunks_mut(4_096) {
        if page[0] == 13 && page.windows(12).any(|part| part == b"The treasure") {
            page.fill(0);
        }
    }
    fs_err::write(&file, bytes).unwrap();
    for args in [&["list"][..], &["recall", "treasure"]] {
        let told = home.run(&[args, &["--json"]].concat());
        assert_eq!(told.code, 1, "{}{}", told.out, told.err);
        let document = told.json();
        assert_eq!(document["error"]["code"], "damaged");
        assert_eq!(document["damaged"][0]["record"], "file");
    }
}

/// A home whose store is as a kill has left it: what was acknowledged last is in the log alone.
fn killed_home() -> Home {
    let (running, home) = (Home::new(), Home::new());
    fs_err::create_dir(running.path().join("data")).unwrap();
    fs_err::create_dir(home.path().join("data")).unwrap();
    let file = running.path().join("data/default.db");
    let memory = Memoriter::open(&file).unwrap();
    memory
        .scope(Scope::user("me"))
        .remember(Note::new("Berlin").key("user.city".parse().unwrap()))
        .unwrap();
    for name in ["default.db", "default.db-wal"] {
        let from = running.path().join("data").join(name);
        fs_err::copy(from, home.path().join("data").join(name)).unwrap();
    }
    home
}

#[test]
fn verify_brings_what_a_kill_has_left_in_the_log_into_the_file() {
    let home = killed_home();
    let data = home.path().join("data");
    assert!(data.join("default.db-wal").metadata().unwrap().len() > 0);
    home.run(&["verify"]).done();
    assert!(!data.join("default.db-wal").exists());
    let copy = Home::new();
    fs_err::create_dir(copy.path().join("data")).unwrap();
    fs_err::copy(data.join("default.db"), copy.path().join("data/default.db")).unwrap();
    assert_eq!(
        texts(&copy.json(&["list"])["memories"], "statement"),
        ["Berlin"]
    );
}

#[test]
fn verify_tells_of_a_log_that_is_not_the_stores() {
    let home = Home::new();
    home.remember(&["Berlin", "--key", "user.city"]);
    home.file(
        "data/default.db-wal",
        "a shopping list that is longer than a header",
    );
    let told = home.run(&["verify"]);
    assert_eq!(told.code, 1, "{}", told.err);
    let expected = "log default.db-wal: it is not a log of this store, and nothing in it is read\n";
    assert!(told.out.starts_with(expected), "{}", told.out);
    assert_eq!(
        texts(&home.json(&["list"])["memories"], "statement"),
        ["Berlin"]
    );
}

#[test]
fn each_problem_has_one_line() {
    let home = Home::new();
    for number in 0..20 {
        let line = format!("Note {number}");
        home.run(&["session", "append", "s", &line, "--id", &line])
            .done();
    }
    let file = home.path().join("data/default.db");
    let mut bytes = fs_err::read(&file).unwrap();
    // The count of cells in every page that is a leaf of an index.
    for page in bytes.chunks_mut(4_096).filter(|page| page[0] == 10) {
        page[3..5].copy_from_slice(&[0, 200]);
    }
    fs_err::write(&file, bytes).unwrap();
    let told = home.run(&["verify"]);
    assert_eq!(told.code, 1, "{}", told.err);
    let (problems, count) = told.out.trim_end().rsplit_once('\n').unwrap();
    let is_problem = |line: &str| line.starts_with("file: Tree ");
    assert!(problems.lines().all(is_problem), "{}", told.out);
    let expected = format!("{} problems", problems.lines().count());
    assert!(count.starts_with(&expected), "{}", told.out);
}

/// Changes bytes in a file, wherever they stand.
fn replace(file: &std::path::Path, old: &[u8], new: &[u8]) {
    let mut file = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(file)
        .unwrap();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).unwrap();
    let places = bytes
        .windows(old.len())
        .enumerate()
        .filter(|(_, window)| *window == old);
    let places: Vec<usize> = places.map(|(at, _)| at).collect();
    assert!(!places.is_empty());
    for at in places {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(new).unwrap();
    }
}

#[test]
fn a_file_that_is_no_store_is_left_alone() {
    let home = Home::new();
    std::fs::create_dir(home.path().join("data")).unwrap();
    home.file("data/default.db", "a shopping list");
    let refused = home
        .run(&["stats", "--json"])
        .failed(2, "is not a memoriter store");
    assert_eq!(refused.json()["error"]["code"], "not_a_store");
}

#[test]
fn reindex_embeds_what_has_no_vector() {
    let home = Home::new();
    home.remember(&["Berlin"]);
    assert_eq!(
        home.json(&["reindex"]),
        json!({"embedded": 0, "without_vector": 0})
    );
    insta::assert_snapshot!(home.run(&["reindex"]).done().out, @"0 records embedded");
}

#[cfg(unix)]
#[test]
fn folder_and_file_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.remember(&["Berlin"]);
    let mode = |path: &str| {
        home.path()
            .join(path)
            .metadata()
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!((mode("data"), mode("data/default.db")), (0o700, 0o600));
}
