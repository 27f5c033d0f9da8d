//! A session of a thousand turns.

use super::sample::{Quarters, bare, plan, turn};
use crate::desk::{Desk, Form, Material, Plan, assemble};
use crate::turn::{Role, Turn};

fn session(count: u32) -> Vec<Turn> {
    (0..count)
        .map(|position| {
            let role = if position % 2 == 0 {
                Role::User
            } else {
                Role::Assistant
            };
            let length = 40 + (position * 37 % 200) as usize;
            turn(
                position,
                role,
                &format!("turn {position}: {}", "x".repeat(length)),
            )
        })
        .collect()
}

/// The desk before each thing that the user says.
fn desks(turns: &[Turn], plan: &Plan) -> Vec<Desk> {
    let asked = turns.iter().filter(|turn| turn.message.role == Role::User);
    asked
        .map(|turn| {
            let material = Material {
                system: "You are a tutor.",
                turns: &turns[..turn.position as usize],
                ..bare(&turn.message.content)
            };
            assemble(&material, plan, &Quarters).unwrap()
        })
        .collect()
}

#[test]
fn the_beginning_stays_the_same_for_nine_calls_in_ten() {
    let turns = session(1_000);
    for (form, budget) in Form::ALL
        .iter()
        .flat_map(|form| [(form, 8_000), (form, 4_000)])
    {
        let desks = desks(&turns, &plan(budget, *form));
        let mut stable = 0;
        for pair in desks.windows(2) {
            let [before, now] = pair else { unreachable!() };
            let difference = now
                .rendering
                .compare(&before.rendering, &now.boundary, &Quarters)
                .unwrap();
            // Everything before the last question stays: only what came since is new.
            let turns_before = before.report.total_tokens - difference.prefix.stable_tokens;
            stable += usize::from(turns_before < 150);
        }
        let share = stable * 100 / (desks.len() - 1);
        assert!(share >= 90, "{form}: {share} % of {} calls", desks.len());
    }
}

#[test]
fn what_is_sent_grows_with_the_turns_and_not_with_their_square() {
    let turns = session(1_000);
    let desks = desks(&turns, &plan(4_000, Form::OpenAi));
    let sent: usize = desks.iter().map(|desk| desk.report.total_tokens).sum();
    let half: usize = desks
        .iter()
        .take(desks.len() / 2)
        .map(|desk| desk.report.total_tokens)
        .sum();
    assert!(sent <= 500 * 4_000);
    assert!(sent * 10 <= half * 22, "{half} of {sent}");
}

#[test]
fn the_difference_names_the_first_thing_that_changed() {
    let turns = session(3);
    let desks = desks(&turns, &plan(4_000, Form::Text));
    let difference = desks[1]
        .rendering
        .compare(&desks[0].rendering, &desks[1].boundary, &Quarters)
        .unwrap();
    assert_eq!(difference.prefix.changed_at.unwrap().as_str(), "turns");
    assert!(difference.prefix.changed_to.unwrap().contains("turn 0"));
    let same = desks[1]
        .rendering
        .compare(&desks[1].rendering, &desks[1].boundary, &Quarters)
        .unwrap();
    assert_eq!((same.prefix.changed_at, same.changes.len()), (None, 0));
}
