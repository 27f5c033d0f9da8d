//! Conversations that are read more than once.

use std::collections::BTreeSet;

use memoriter::TurnDraft;
use memoriter::core::memory::Memory;
use memoriter::core::provenance::SourceRef;
use memoriter::core::time::ZonedTime;
use memoriter::core::turn::Role;
use proptest::prelude::*;

use crate::learning::{World, day};
use crate::talk;

fn all(world: &World) -> Vec<Memory> {
    world.priya.list(&[], None, 1_000).unwrap().memories
}

/// What is remembered, without how often it was said and by whom.
fn said(world: &World) -> Vec<String> {
    let mut said: Vec<String> = all(world)
        .iter()
        .map(|memory| {
            let Memory {
                key,
                value,
                statement,
                state,
                valid_from,
                valid_to,
                superseded_by,
                ..
            } = memory;
            format!(
                "{key:?} {value:?} {statement} {state} {valid_from} {valid_to:?} {superseded_by:?}"
            )
        })
        .collect();
    said.sort();
    said
}

/// What is said at one instant is in the order in which it came; here no two turns are.
fn minute(on: i64, number: usize) -> ZonedTime {
    let micros = i64::try_from(number).unwrap() * 60_000_000;
    ZonedTime::utc(day(on).instant.plus_micros(micros))
}

fn turns(session: &str, told: &[(i64, usize, bool)]) -> Vec<TurnDraft> {
    let turns = told
        .iter()
        .enumerate()
        .map(|(number, (on, sentence, by_user))| {
            let role = if *by_user {
                Role::User
            } else {
                Role::Assistant
            };
            talk::turn(session, number, role, minute(*on, number), *sentence)
        });
    turns.collect()
}

/// A request that is read after what was said later takes more of the past at first than when it is read again: decision 9
/// has it among the prices; and a move "last week" that is told twice, with another city read late between the two, begins
/// with the first telling at first, and with the second when it is read again. With these, turns come in the order of their
/// days.
fn with_what_looks_back_in_order(mut told: Vec<(i64, usize, bool)>) -> Vec<(i64, usize, bool)> {
    let looks_back = |sentence: usize| {
        let sentence = talk::SENTENCES[sentence];
        sentence.contains("orget") || sentence.contains("last week")
    };
    if told.iter().any(|(_, sentence, _)| looks_back(*sentence)) {
        told.sort_by_key(|(on, ..)| *on);
    }
    told
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_conversation_that_is_read_twice_is_counted_once_for_each_turn(
        told in prop::collection::vec(
            (0..40_i64, 0..talk::SENTENCES.len(), prop::bool::weighted(0.9)),
            1..16,
        ),
        first in 0..16_usize,
    ) {
        let told = with_what_looks_back_in_order(told);
        let world = World::new();
        world.wait_for(60);
        let draft = turns("chat", &told);
        // An earlier reading was cut off somewhere.
        world.priya.learn(draft.iter().take(first).cloned()).unwrap();
        world.priya.learn(draft.clone()).unwrap();
        let before = all(&world);
        prop_assert!(world.priya.learn(draft.clone()).unwrap().decisions.is_empty());
        prop_assert_eq!(&all(&world), &before);
        for memory in &before {
            let sources: BTreeSet<SourceRef> = memory.sources.iter().map(|source| source.of).collect();
            prop_assert_eq!(
                memory.confirmations as usize + 1,
                sources.len(),
                "{}: each turn that says it counts once",
                memory.statement
            );
        }
        // The same words from another file.
        let before = said(&world);
        world.priya.learn(turns("copy", &told)).unwrap();
        prop_assert_eq!(said(&world), before);
        prop_assert!(world.memory.verify().unwrap().problems.is_empty());
    }
}
