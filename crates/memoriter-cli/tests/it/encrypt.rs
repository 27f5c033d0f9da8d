//! Encrypted stores by the command.

use serde_json::json;

use crate::support::{Home, Ran, text};

const KEY: &str = "8f1e0c5d2b3a49687786a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";

fn with(home: &Home, variables: &[(&str, &str)], args: &[&str]) -> Ran {
    let mut command = home.command();
    Ran::of(
        command
            .envs(variables.iter().copied())
            .args(args)
            .output()
            .unwrap(),
    )
}

fn has(home: &Home, word: &str) -> bool {
    let files = fs_err::read_dir(home.path().join("data")).unwrap();
    files
        .map(|file| fs_err::read(file.unwrap().path()).unwrap())
        .any(|bytes| {
            bytes
                .windows(word.len())
                .any(|part| part == word.as_bytes())
        })
}

#[test]
fn a_key_file_is_made_with_the_store_and_needed_from_then_on() {
    let home = Home::new();
    let made = home
        .run(&[
            "remember",
            "I play the piano",
            "--encrypt",
            "--key-file",
            "key",
        ])
        .done();
    assert!(
        made.err.contains("made a new key in key: keep a copy"),
        "{}",
        made.err
    );
    assert!(!has(&home, "piano"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let rights = fs_err::metadata(home.path().join("key"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(rights & 0o777, 0o600);
    }
    let asked = ["recall", "What do I play?", "--key-file", "key"];
    let found = home.run(&asked).done();
    assert!(
        found.out.contains("piano") && !found.err.contains("made"),
        "{}",
        found.err
    );
    let stats = home.json(&["stats", "--key-file", "key"]);
    assert_eq!(stats["encrypted"], json!(true));

    let refused = home
        .run(&["recall", "What do I play?"])
        .failed(2, "is encrypted: it needs its key");
    for way in ["--key-file", "MEMORITER_KEY", "--keyring"] {
        assert!(refused.err.contains(way), "{}", refused.err);
    }
    with(&home, &[("MEMORITER_KEY", KEY)], &["list"]).failed(2, "the key is not that of");
    let missing = home.run(&["list", "--key-file", "elsewhere"]);
    let missing = missing.failed(
        2,
        "the key file elsewhere cannot be used: there is no such file",
    );
    assert!(
        missing
            .err
            .contains("hint: name the file that holds the key of this store")
    );
    // Who has lost the key does not get a new one.
    fs_err::remove_file(home.path().join("key")).unwrap();
    home.run(&[
        "remember",
        "I play the flute",
        "--encrypt",
        "--key-file",
        "key",
    ])
    .failed(2, "the key file key cannot be used");
    assert!(!home.path().join("key").exists());
}

#[test]
fn a_key_from_the_environment_and_settings_from_a_file() {
    let home = Home::new();
    home.file("m.toml", "encrypt = true\n");
    let key = [("MEMORITER_KEY", KEY)];
    let run = |args: &[&str]| with(&home, &key, &[args, &["--config", "m.toml"]].concat());
    run(&["remember", "I play the piano"]).done();
    assert!(
        run(&["recall", "What do I play?"])
            .done()
            .out
            .contains("piano")
    );
    run(&["verify"]).done();
    let exported = run(&["export", "me.jsonl"]).done();
    assert!(
        exported.err.contains("what is exported is not"),
        "{}",
        exported.err
    );
    let erased = run(&["erase", "--all-of-user"]).done();
    assert!(
        erased.out.contains("V1 V2 V3 V4") && erased.out.contains("1 key destroyed: in copies"),
        "{}",
        erased.out
    );
    let checked = run(&["config", "check"]).done();
    assert!(
        checked.out.contains("(set)") && !checked.out.contains(KEY),
        "{}",
        checked.out
    );

    home.file("keys.toml", format!("key = \"{KEY}\"\n"));
    home.run(&["config", "check", "--config", "keys.toml"])
        .failed(2, "a key does not go among the settings");
}

#[test]
fn settings_of_keys_are_checked() {
    let home = Home::new();
    let check = |variables: &[(&str, &str)], args: &[&str], told: &str| {
        let ran = with(&home, variables, &[&["config", "check"], args].concat());
        let ran = ran.failed(2, told);
        assert!(
            !ran.err.contains(KEY) && !ran.err.contains("hunter2"),
            "{}",
            ran.err
        );
    };
    let key = ("MEMORITER_KEY", KEY);
    check(
        &[],
        &["--encrypt"],
        "encrypt needs a key, and none is named",
    );
    check(
        &[key],
        &["--key-file", "key"],
        "two keys are named, --key-file and MEMORITER_KEY",
    );
    check(
        &[("MEMORITER_KEY", "hunter2")],
        &[],
        "64 hexadecimal digits",
    );
    check(
        &[("MEMORITER_ENCRYPT", "yes"), key],
        &[],
        "encrypt must be true or false, got `yes`",
    );
    check(
        &[],
        &["--key-file", "none"],
        "the key file none cannot be used",
    );
    home.file("odd.toml", "encrypt = \"yes\"\n");
    check(
        &[],
        &["--config", "odd.toml"],
        "encrypt must be true or false, got a text",
    );
    if cfg!(not(feature = "keyring")) {
        check(&[], &["--keyring"], "no access to the system's keyring");
    }
    let checked = home
        .run(&["config", "check", "--encrypt", "--key-file", "key"])
        .done();
    assert!(!home.path().join("key").exists(), "{}", checked.out);
}

#[test]
fn a_plain_store_is_not_encrypted_in_its_place() {
    let home = Home::new();
    home.run(&["remember", "I play the piano"]).done();
    let key = [("MEMORITER_KEY", KEY)];
    let refused = with(&home, &key, &["remember", "I play the flute", "--encrypt"]).failed(
        2,
        "is not encrypted; export what it holds and import that into a new store",
    );
    assert!(
        refused.err.contains("memoriter export FILE"),
        "{}",
        refused.err
    );
    // As the hint says.
    home.run(&["export", "me.jsonl"]).done();
    let into = ["--encrypt", "--tenant", "closed"];
    with(
        &home,
        &key,
        &[&["import", "me.jsonl", "--trust"], &into[..]].concat(),
    )
    .done();
    let found = with(&home, &key, &[&["list", "--json"], &into[..]].concat()).json();
    assert_eq!(text(&found["memories"][0]["statement"]), "I play the piano");
    // A key that is set for other stores does no harm to this one.
    with(&home, &key, &["list"]).done();
}
