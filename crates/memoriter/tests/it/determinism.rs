//! Same input, same clock, same seed: same ids, same ranking.

use std::sync::Arc;

use memoriter::core::time::Timestamp;
use memoriter::{Memoriter, Note, Recalled, Scope};
use memoriter_testkit::{FixedClock, SeededEntropy};

fn run(seed: u64) -> (Vec<String>, Vec<Recalled>) {
    let folder = tempfile::tempdir().unwrap();
    let builder = Memoriter::builder()
        .clock(Arc::new(FixedClock(Timestamp::from_micros(
            1_700_000_000_000_000,
        ))))
        .entropy(Arc::new(SeededEntropy::new(seed)));
    let memory = builder.open(folder.path().join("memory.db")).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    let notes =
        (0..50).map(|number| Note::new(format!("On day {number} I saw {} birds", number * 7 % 11)));
    let ids = priya
        .remember_all(notes)
        .unwrap()
        .iter()
        .map(|decision| decision.id.unwrap().to_string())
        .collect();
    (
        ids,
        priya
            .recall("how many birds did I see on day 7?")
            .top(20)
            .run()
            .unwrap(),
    )
}

#[test]
fn equal_runs_give_equal_ids_and_rankings() {
    assert_eq!(run(1), run(1));
}

#[test]
fn another_seed_gives_other_ids() {
    assert_ne!(run(1).0, run(2).0);
}
