//! A home for one test, and what running a command gives.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with a store, and nothing of the machine's own settings.
pub(crate) struct Home {
    folder: TempDir,
}

/// What came of a command.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file into the home.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs_err::write(&path, content).unwrap();
        path
    }

    /// The command in this home, with no settings but its data folder.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memoriter"));
        command
            .env_clear()
            .env("HOME", self.path())
            .env("MEMORITER_DATA", self.path().join("data"))
            .current_dir(self.path());
        command
    }

    pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(&self, args: &[S]) -> Ran {
        Ran::of(self.command().args(args).output().unwrap())
    }

    /// With the clock stopped at `clock` and ids that repeat.
    pub(crate) fn run_at(&self, clock: &str, args: &[&str]) -> Ran {
        let mut command = self.command();
        command
            .env("MEMORITER_CLOCK", clock)
            .env("MEMORITER_SEED", "1");
        Ran::of(command.args(args).output().unwrap())
    }

    /// With this on standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: impl AsRef<[u8]>) -> Ran {
        let mut child = self
            .command()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that has heard enough closes its end.
        let _ = child.stdin.take().unwrap().write_all(input.as_ref());
        Ran::of(child.wait_with_output().unwrap())
    }

    /// Runs with `--json` and reads the document.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        self.run(&[args, &["--json"]].concat()).json()
    }

    /// Remembers a text and returns its id.
    pub(crate) fn remember(&self, args: &[&str]) -> String {
        let done = self.json(&[&["remember"], args].concat());
        text(&done["decisions"][0]["id"])
    }
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().expect("no signal ended the command"),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The one document on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|_| panic!("{}{}", self.out, self.err))
    }

    /// Asserts that all went well.
    #[track_caller]
    pub(crate) fn done(self) -> Self {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self
    }

    /// Asserts how it failed: the exit code, and the message for people, without a panic.
    #[track_caller]
    pub(crate) fn failed(self, code: i32, message: &str) -> Self {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        assert!(self.err.contains(message), "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The texts of an array's elements under a name.
pub(crate) fn texts(array: &Value, name: &str) -> Vec<String> {
    let items = array.as_array().expect("an array").iter();
    items.map(|item| text(&item[name])).collect()
}

/// The names of an object's fields, in order of the alphabet.
pub(crate) fn fields(object: &Value) -> String {
    let names: Vec<&str> = object
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    names.join(" ")
}
