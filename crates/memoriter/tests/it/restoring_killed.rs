//! A restore that is killed leaves the old store or the new one, whole.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use memoriter::core::port::SeededEntropy;
use memoriter::core::turn::SessionName;
use memoriter::{Memoriter, Scope, Selector};

use crate::erasing::{hits, tokens, turn};
use crate::erasing_parts::fill;

/// Kills in a run: `MEMORITER_TEST_KILLS` asks for more.
const KILLS: u64 = 6;
const TURNS: usize = 4_000;
/// Turns that the store has and the backup does not.
const LATER: usize = 10;
/// Names the folder to the process that is killed.
const FOLDER: &str = "MEMORITER_TEST_RESTORING_FOLDER";

/// Run by [`a_killed_restore_leaves_the_old_store_or_the_new_one`] as another process, which is killed.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "how one process tells another what to do"
)]
fn process_that_restores() {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    let folder = Path::new(&folder);
    let backup = folder.with_file_name("backup.db");
    Memoriter::builder()
        .restore(backup, folder.join("memory.db"), &mut |_, _| {})
        .unwrap();
}

/// Restores in another process and kills it after a while; says whether there was a process to kill.
fn restore_and_kill(folder: &Path, pause: Option<Duration>) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "restoring_killed::process_that_restores"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    if let Some(pause) = pause {
        std::thread::sleep(pause);
        // It may be done by now.
        let _ = child.kill();
    }
    child.wait().unwrap().code().is_none()
}

fn turns(memory: &Memoriter) -> usize {
    let priya = memory.scope(Scope::user("priya"));
    let name = SessionName::new("long").unwrap();
    priya.turns(&name, 0, 1_000_000).unwrap().rows.len()
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a setting of the test run, and how long a restore takes here"
)]
fn a_killed_restore_leaves_the_old_store_or_the_new_one() {
    let asked = std::env::var("MEMORITER_TEST_KILLS");
    let kills = asked.map_or(KILLS, |kills| kills.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let original = folder.path().join("original.db");
    fill(&original, TURNS);
    let memory = Memoriter::open(&original).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    // Every turn has the word; it is erased in one that the backup has, too.
    let erased = priya
        .turns(&SessionName::new("long").unwrap(), 0, 1)
        .unwrap();
    let secret = tokens(2).remove(1);
    priya.append([turn("long", TURNS, &secret)]).unwrap();
    memory
        .backup(folder.path().join("backup.db"), &mut |_, _| {})
        .unwrap();
    priya
        .erase(Selector::Turn(erased.rows[0].id))
        .run()
        .unwrap();
    priya
        .erase(Selector::Matching(secret.clone()))
        .run()
        .unwrap();
    let later = (TURNS + 1..=TURNS + LATER).map(|number| turn("long", number, "later"));
    priya.append(later).unwrap();
    drop((priya, memory));
    let (old, new) = (TURNS - 1 + LATER, TURNS - 1);

    let place = |number: &str| {
        let place = folder.path().join(number);
        fs_err::create_dir(&place).unwrap();
        fs_err::copy(&original, place.join("memory.db")).unwrap();
        place
    };
    let whole = place("whole");
    let begun = std::time::Instant::now();
    assert!(!restore_and_kill(&whole, None));
    let takes = u64::try_from(begun.elapsed().as_millis()).unwrap();
    let chance = SeededEntropy::new(kills);
    let (mut killed, mut old_ones) = (0, 0);
    for kill in 0..kills {
        let place = place(&kill.to_string());
        let pause = Duration::from_millis(takes / 4 + chance.below(takes));
        killed += u64::from(restore_and_kill(&place, Some(pause)));
        let memory = Memoriter::open(place.join("memory.db")).unwrap();
        assert_eq!(memory.verify().unwrap().problems, []);
        let left = turns(&memory);
        assert!(left == old || left == new, "{left} turns");
        old_ones += u64::from(left == old);
        drop(memory);
        assert_eq!(hits(&place, std::slice::from_ref(&secret), &[]), 0);
        // It goes through when it is run again.
        assert!(!restore_and_kill(&place, None));
        assert_eq!(
            turns(&Memoriter::open(place.join("memory.db")).unwrap()),
            new
        );
        fs_err::remove_dir_all(&place).unwrap();
    }
    println!("{kills} times, {killed} killed, {old_ones} left the old store; one takes {takes} ms");
    assert!(
        killed > 0,
        "the processes were done before they were killed"
    );
}
