//! Stores that cannot be written to, and stores that are not there.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use memoriter::{Memoriter, Scope};

use crate::support::{Home, Ran, text, texts};

/// The rights of root are those of nobody here: root may write everywhere.
const NOBODY: u32 = 65_534;

fn set_mode(path: &Path, mode: u32) {
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A home whose data folder and files have these modes until it is dropped.
struct Locked(Home);

impl Locked {
    fn new(home: Home, folder: u32, file: u32) -> Self {
        let locked = Self(home);
        for entry in locked.files() {
            hand_over(&entry);
            set_mode(&entry, file);
        }
        hand_over(&locked.data());
        set_mode(&locked.data(), folder);
        set_mode(locked.0.path(), 0o755);
        locked
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs_err::read_dir(self.data()).unwrap();
        let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    fn run(&self, args: &[&str]) -> Ran {
        let mut command = self.0.command();
        if is_root(&self.data()) {
            command = self.as_nobody(&command);
        }
        Ran::of(command.args(args).output().unwrap())
    }

    /// The command with the rights of nobody, from a folder that everybody may enter.
    fn as_nobody(&self, command: &Command) -> Command {
        let program = Path::new(command.get_program());
        let may_enter = |folder: &Path| folder.metadata().unwrap().permissions().mode() & 1 == 1;
        let mut nobody = if program.ancestors().all(may_enter) {
            Command::new(program)
        } else {
            let copy = self.0.path().join("memoriter");
            fs_err::copy(program, &copy).unwrap();
            Command::new(copy)
        };
        let variables = command.get_envs();
        let variables = variables.filter_map(|(name, value)| Some((name, value?)));
        nobody
            .env_clear()
            .envs(variables)
            .current_dir(self.0.path());
        std::os::unix::process::CommandExt::uid(&mut nobody, NOBODY);
        nobody
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        set_mode(&self.data(), 0o755);
    }
}

/// Root can give files away.
fn hand_over(path: &Path) {
    let _ = std::os::unix::fs::chown(path, Some(NOBODY), None);
}

fn is_root(data: &Path) -> bool {
    std::os::unix::fs::MetadataExt::uid(&data.metadata().unwrap()) == NOBODY
}

/// A closed store with a fact, a turn and their ids.
fn home() -> (Home, String) {
    let home = Home::new();
    let id = home.remember(&["I live in Berlin", "--key", "user.city"]);
    home.run(&["session", "append", "work", "The build is red"])
        .done();
    (home, id)
}

#[test]
fn a_store_that_cannot_be_written_to_can_be_read() {
    for (folder, file) in [(0o555, 0o444), (0o555, 0o644), (0o755, 0o444)] {
        let (home, id) = home();
        let locked = Locked::new(home, folder, file);
        let files = locked.files();
        let bytes = fs_err::read(&files[0]).unwrap();
        for args in [
            &["recall", "which city?"][..],
            &["list"],
            &["show", &id],
            &["history", "user.city"],
        ] {
            let read = locked.run(args).done();
            assert!(read.out.contains("Berlin"), "{args:?}: {}", read.out);
        }
        for args in [
            &["session", "list"][..],
            &["session", "show", "work"],
            &["stats"],
            &["verify"],
        ] {
            locked.run(args).done();
        }
        for args in [
            &["remember", "I live in Munich", "--key", "user.city"][..],
            &["update", &id, "--statement", "I live in Bonn"],
            &["forget", &id],
            &["session", "append", "work", "The build is green"],
        ] {
            let refused = locked.run(&[args, &["--json"]].concat());
            let refused = refused.failed(4, "default.db can only be read");
            assert_eq!(refused.json()["error"]["code"], "read_only");
        }
        assert_eq!(fs_err::read(&files[0]).unwrap(), bytes);
        assert_eq!(locked.files(), files, "nothing is left beside the store");
    }
}

/// A home with a copy of a store that somebody has open: its newest fact is in the log alone.
fn home_with_log(companions: &[&str]) -> Home {
    let home = Home::new();
    std::fs::create_dir(home.path().join("data")).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("default.db");
    let memory = Memoriter::open(&path).unwrap();
    memory
        .scope(Scope::user("me"))
        .remember("I live in Berlin")
        .unwrap();
    for companion in ["default.db"].iter().chain(companions) {
        fs_err::copy(
            elsewhere.path().join(companion),
            home.path().join("data").join(companion),
        )
        .unwrap();
    }
    home
}

#[test]
fn what_is_in_the_log_of_a_read_only_store_is_read_or_missed_aloud() {
    let locked = Locked::new(
        home_with_log(&["default.db-wal", "default.db-shm"]),
        0o555,
        0o444,
    );
    let listed = locked.run(&["list"]).done();
    assert!(listed.out.contains("Berlin"), "{}", listed.out);
    let locked = Locked::new(home_with_log(&["default.db-wal"]), 0o555, 0o444);
    let refused = locked
        .run(&["list", "--json"])
        .failed(1, "default.db has changes in default.db-wal");
    assert_eq!(refused.json()["error"]["code"], "unread_log");
    assert!(refused.err.contains("hint: copy"), "{}", refused.err);
}

#[test]
fn reading_makes_no_store() {
    let home = Home::new();
    let empty = [
        (&["recall", "which city?"][..], "results"),
        (&["list"], "memories"),
        (&["session", "list"], "sessions"),
    ];
    for (args, name) in empty {
        let answer = home.run(&[args, &["--json"]].concat()).done();
        assert!(answer.json()[name].as_array().unwrap().is_empty());
        assert!(
            answer.err.contains("there is no store at"),
            "{}",
            answer.err
        );
    }
    let id = "0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11";
    for args in [
        &["show", id][..],
        &["history", "user.city"],
        &["session", "show", "work"],
        &["stats"],
        &["verify"],
        &["reindex"],
        &["forget", id],
        &["update", id, "--statement", "x"],
    ] {
        let missing = home.run(&[args, &["--json"]].concat());
        let missing = missing.failed(3, "there is no store at").json();
        assert_eq!(missing["error"]["code"], "no_store", "{args:?}");
        assert!(text(&missing["error"]["hint"]).contains("memoriter remember"));
    }
    assert!(!home.path().join("data").exists());
    home.remember(&["I live in Berlin"]);
    assert_eq!(
        texts(&home.json(&["list"])["memories"], "statement"),
        ["I live in Berlin"]
    );
}
