use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::Memory;
use memoriter_core::provenance::SourceRef;
use memoriter_core::time::Timestamp;
use memoriter_core::write::{Decision, DecisionKind, Reason};
use memoriter_store::{DecisionRecord, Standing, Store, Write};

use super::erasing::{erase, priya, say};
use super::{add, commit, snapshot, sound};
use crate::sample::Samples;

/// A decision that a turn led to.
fn line(
    turn: TurnId,
    id: &Memory,
    supersedes: Option<MemoryId>,
    changes: &[&Memory],
) -> DecisionRecord {
    let decision = Decision {
        kind: DecisionKind::Add,
        reason: Reason::Requested,
        id: Some(id.id),
        supersedes,
    };
    DecisionRecord {
        scope: priya(),
        at: Timestamp::from_micros(5),
        decision,
        source: Some(SourceRef::Turn(turn)),
        made_by: Some("rules-1/x".to_owned()),
        changes: changes
            .iter()
            .map(|memory| Standing::from(*memory))
            .collect(),
    }
}

fn ledger(store: &dyn Store) -> Vec<DecisionRecord> {
    let lines = snapshot(store).decisions(&priya(), None, 9);
    let lines = sound(lines.expect("the ledger can be read"));
    lines.into_iter().map(|(_, line)| line).collect()
}

pub(super) fn lines_of_the_ledger_lose_what_is_gone(store: &dyn Store) {
    let samples = Samples::new(1);
    let [turn] = say(store, "s1", ["one"]);
    let gone = add(store, &samples.memory(&priya(), "Old."));
    let kept = add(store, &samples.memory(&priya(), "New."));
    let after = Memory {
        supersedes: Some(gone.id),
        ..kept.clone()
    };
    let mut lines = [
        line(turn, &gone, None, &[&gone]),
        line(turn, &kept, Some(gone.id), &[&gone, &after]),
        line(turn, &kept, None, &[&kept]),
    ];
    let log = |line: &DecisionRecord| Write::LogDecision(Box::new(line.clone()));
    commit(store, lines.iter().map(log).collect());
    let erased = erase(store, |erasure| erasure.memories = vec![gone.id]);
    assert_eq!(erased.counts.ledger, 2);
    lines[0].decision.id = None;
    lines[0].changes = Vec::new();
    lines[1].decision.supersedes = None;
    lines[1].changes = vec![Standing::from(&kept)];
    assert_eq!(ledger(store), lines);
    let erased = erase(store, |erasure| erasure.turns = vec![turn]);
    assert_eq!(erased.counts.ledger, 3);
    for line in &mut lines {
        line.source = None;
    }
    assert_eq!(ledger(store), lines);
    let erased = erase(store, |erasure| erasure.takes_ledger = true);
    assert_eq!((erased.counts.ledger, ledger(store)), (3, Vec::new()));
}
