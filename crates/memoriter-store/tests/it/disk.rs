//! Disks that lose what was not synced, and disks that fail to sync.
//!
//! `disk.c` stands between the process and the system's `fsync`. The C compiler that builds it is there: it
//! built SQLite.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use memoriter_core::error::Diagnose;
use memoriter_core::scope::Scope;
use memoriter_store::{SqliteStore, Store, StoreError, Write};
use memoriter_testkit::SeededEntropy;
use memoriter_testkit::sample::Samples;

use crate::support::{
    assert_sound, killed_after, lines_after, open, process, read, role, setting, try_open,
};

/// Power cuts in a run: `MEMORITER_TEST_CUTS` asks for more.
const CUTS: u64 = 40;

fn scope() -> Scope {
    Scope::user("priya")
}

/// Builds the disk into `folder`.
fn build_disk(folder: &Path) -> PathBuf {
    let disk = folder.join("disk.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/disk.c");
    let arguments = ["-shared", "-fPIC", "-O1", "-o"];
    let built = Command::new("cc")
        .args(arguments)
        .arg(&disk)
        .arg(source)
        .arg("-ldl")
        .status()
        .unwrap();
    assert!(built.success(), "the disk cannot be built");
    disk
}

fn add(store: &SqliteStore, samples: &Samples, number: u64) -> Result<String, StoreError> {
    let memory = samples.memory(
        &scope(),
        &format!("Statement {number}: {}.", samples.entropy().below(u64::MAX)),
    );
    let id = memory.id.to_string();
    store.commit(vec![Write::InsertMemory {
        memory: Box::new(memory),
        vector: Some(samples.vector("m")),
    }])?;
    Ok(id)
}

/// Run as another process: writes until it is killed.
#[test]
fn process_that_writes() {
    let Some(role) = role() else { return };
    let (store, samples) = (open(&role.store), Samples::new(role.seed));
    for number in 0.. {
        println!("committed {}", add(&store, &samples, number).unwrap());
    }
}

/// A test that writes as another process, and how many of what it told are lost afterwards.
pub(crate) type Victim = (&'static str, fn(&Path, &BTreeSet<String>) -> u64);

const VICTIM: Victim = ("disk::process_that_writes", count_lost);

/// Cuts the power again and again and returns how many acknowledged memories were lost.
pub(crate) fn cut_power(
    cuts: u64,
    deaf_to: Option<&str>,
    (test, count_lost): Victim,
) -> (u64, u64) {
    let folder = tempfile::tempdir().unwrap();
    let disk = build_disk(folder.path());
    let chance = SeededEntropy::new(cuts);
    let (mut acknowledged, mut lost) = (0, 0);
    for cut in 0..cuts {
        let place = folder.path().join(cut.to_string());
        fs_err::create_dir(&place).unwrap();
        let path = place.join("store.db");
        // Two lives before the power is gone for good: the second begins with a recovery.
        let mut told = BTreeSet::new();
        for life in 0..2 {
            let mut command = process(test, &path, cut * 2 + life);
            command.env("LD_PRELOAD", &disk).env("DISK_IMAGES", "1");
            deaf_to.map(|suffix| command.env("DISK_DEAF", suffix));
            let pause = Duration::from_micros(5_000 + chance.below(80_000));
            let output = killed_after(&mut command, pause);
            told.extend(lines_after(&output, "committed").map(str::to_owned));
            keep_what_is_durable(&place);
        }
        acknowledged += told.len() as u64;
        lost += count_lost(&path, &told);
    }
    (acknowledged, lost)
}

/// What a power cut leaves: of each file the image of its last sync, and no file that was never synced.
fn keep_what_is_durable(folder: &Path) {
    let names: Vec<PathBuf> = fs_err::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    for name in names
        .iter()
        .filter(|name| name.extension().is_none_or(|suffix| suffix != "durable"))
    {
        fs_err::remove_file(name).unwrap();
    }
    for image in names
        .iter()
        .filter(|name| name.extension().is_some_and(|suffix| suffix == "durable"))
    {
        fs_err::copy(image, image.with_extension("")).unwrap();
    }
}

fn count_lost(path: &Path, told: &BTreeSet<String>) -> u64 {
    let Ok(store) = try_open(path) else {
        return told.len() as u64;
    };
    assert_sound(&store);
    let memories = read(&store, &scope()).unwrap().memories;
    let there: BTreeSet<String> = memories
        .iter()
        .map(|memory| memory.id.to_string())
        .collect();
    told.difference(&there).count() as u64
}

#[test]
fn nothing_acknowledged_is_lost_by_a_power_cut() {
    let cuts = setting("MEMORITER_TEST_CUTS").map_or(CUTS, |cuts| cuts.parse().unwrap());
    let (acknowledged, lost) = cut_power(cuts, None, VICTIM);
    println!("{cuts} cuts, {acknowledged} acknowledged, {lost} lost");
    assert!(
        acknowledged > cuts,
        "the processes were killed before they wrote"
    );
    assert_eq!(lost, 0);
}

/// The control: where the log is not synced, the same cuts do lose something. On a busy machine a cut may come before
/// there is anything to lose.
#[test]
fn a_log_that_is_not_synced_loses_writes() {
    let loses = |_| cut_power(5, Some("-wal"), VICTIM).1 > 0;
    assert!((0..10).any(loses), "no write is lost: the test is blind");
}

/// Run as another process: writes until that fails, and then some more.
#[test]
fn process_on_a_bad_disk() {
    let Some(role) = role() else { return };
    let (store, samples) = (open(&role.store), Samples::new(role.seed));
    let mut failures = 0;
    for number in 0..60 {
        match add(&store, &samples, number) {
            Ok(id) => println!("committed {id}"),
            Err(error) => {
                failures += 1;
                println!("failed {}", error.code());
            }
        }
    }
    println!("failures {failures}");
    println!("reads {}", read(&store, &scope()).unwrap().memories.len());
}

/// Runs a process on a disk with one fault, checks that it lost nothing, and returns what it said.
#[track_caller]
fn run_on_bad_disk(fault: &str, at: u64) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut command = process("disk::process_on_a_bad_disk", &path, 1);
    command
        .env("LD_PRELOAD", build_disk(folder.path()))
        .env(fault, at.to_string());
    let output = command.output().unwrap();
    assert!(output.status.success(), "the process ended badly");
    let said = String::from_utf8(output.stdout).unwrap();
    let told: BTreeSet<String> = lines_after(&said, "committed").map(str::to_owned).collect();
    assert!(!told.is_empty());
    assert_eq!(
        lines_after(&said, "reads").collect::<Vec<_>>(),
        [told.len().to_string()]
    );
    assert_eq!(count_lost(&path, &told), 0);
    said
}

#[test]
fn a_failed_sync_poisons_the_store() {
    for at in [6, 13, 30] {
        let said = run_on_bad_disk("DISK_FAILS_AT", at);
        // It would succeed if it were tried again, and prove nothing: after a failed sync the system may have
        // dropped what it did not write.
        let after = said.split_once("failed").unwrap().1;
        assert!(lines_after(&said, "failed").all(|code| code == "poisoned"));
        assert_eq!(
            lines_after(after, "committed").count(),
            0,
            "no write after a failed sync"
        );
    }
}

#[test]
fn a_commit_costs_one_sync() {
    let said = run_on_bad_disk("DISK_TELLS", 1);
    let commits = lines_after(&said, "committed").count();
    // The first commit makes the log and closing writes it back; in between a sync is a commit.
    let (_, after_first) = said.split_once("committed").unwrap();
    let (between, _) = after_first.rsplit_once("committed").unwrap();
    assert_eq!(lines_after(between, "sync").count(), commits - 1);
}

#[test]
fn a_commit_that_finds_the_disk_full_is_undone_and_the_next_goes_on() {
    // Making the store takes some 100 writes.
    for at in [130, 131, 147, 250] {
        let said = run_on_bad_disk("DISK_FULL_AT", at);
        assert!(
            lines_after(&said, "failed").all(|code| code == "disk_full"),
            "{said}"
        );
        let failures: u64 = lines_after(&said, "failures")
            .next()
            .unwrap()
            .parse()
            .unwrap();
        assert!((1..=10).contains(&failures), "{failures} failures");
    }
}
