//! The budget holds, halves stay together, and what is protected is there: for any session.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use super::sample::{Quarters, Uneven, calling, fact, field, memory, plan, result, turn};
use crate::desk::{
    BoardField, Desk, DeskError, Form, Material, Piece, RecalledRecord, Section, Why, assemble,
};
use crate::fold::{ItemKind, Run, Span, SpanItem};
use crate::memory::{Kind, Memory};
use crate::port::TokenCounter;
use crate::turn::{Role, Turn};

/// One thing that happens in a session.
#[derive(Clone, Debug)]
enum Happening {
    Said(Role, String),
    /// Tools are called with so many results, of so many bytes, in reverse order or not, with a word in between.
    Tools {
        calls: u8,
        results: u8,
        bytes: usize,
        reversed: bool,
        between: bool,
    },
    /// A call inside of the time of another.
    Nested,
    Stray,
}

fn happening() -> impl Strategy<Value = Happening> {
    let role = prop_oneof![Just(Role::User), Just(Role::Assistant), Just(Role::System)];
    let bytes = prop_oneof![8 => 0..400_usize, 1 => 10_000..200_000_usize];
    prop_oneof![
        10 => (role, "[ -~\\n]{1,300}").prop_map(|(role, text)| Happening::Said(role, format!("{text}."))),
        4 => (1..6_u8, 0..7_u8, bytes, any::<bool>(), any::<bool>()).prop_map(
            |(calls, results, bytes, reversed, between)| Happening::Tools { calls, results, bytes, reversed, between }
        ),
        1 => Just(Happening::Nested),
        1 => Just(Happening::Stray),
    ]
}

fn session(happenings: &[Happening]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for (number, happening) in happenings.iter().enumerate() {
        let next = |turns: &Vec<Turn>| u32::try_from(turns.len()).unwrap();
        match happening {
            Happening::Said(role, text) => turns.push(turn(next(&turns), *role, text)),
            Happening::Tools {
                calls,
                results,
                bytes,
                reversed,
                between,
            } => {
                let ids: Vec<String> = (0..*calls)
                    .map(|call| format!("c{number}-{call}"))
                    .collect();
                let names: Vec<&str> = ids.iter().map(String::as_str).collect();
                turns.push(calling(next(&turns), &names));
                let mut answered: Vec<String> = (0..*results)
                    .map(|call| format!("c{number}-{call}"))
                    .collect();
                if *reversed {
                    answered.reverse();
                }
                for id in answered {
                    if *between {
                        turns.push(turn(next(&turns), Role::User, "still there?"));
                    }
                    let content = format!("{}.", "data ".repeat(bytes / 5));
                    turns.push(result(next(&turns), &id, &content));
                }
            }
            Happening::Nested => {
                // The id of the inner call is that of the outer one, as some local servers number them.
                for (call, is_call) in [("n", true), ("n", true), ("n", false), ("n", false)] {
                    let position = next(&turns);
                    turns.push(if is_call {
                        calling(position, &[call])
                    } else {
                        result(position, call, "inner")
                    });
                }
            }
            Happening::Stray => turns.push(result(next(&turns), "nobody", "stray")),
        }
    }
    turns
}

/// Everything that a material borrows.
#[derive(Debug)]
struct Owned {
    system: String,
    instructions: Vec<Turn>,
    procedures: Vec<Memory>,
    profile: Vec<Memory>,
    spans: Vec<Span>,
    turns: Vec<Turn>,
    board: Vec<BoardField>,
    recalled: Vec<Memory>,
    message: String,
}

fn owned() -> impl Strategy<Value = Owned> {
    let texts = || vec("[ -~]{1,120}", 0..12);
    let sizes = (0..4_usize, 0..3_usize, 0..4_usize);
    (
        vec(happening(), 0..40),
        texts(),
        texts(),
        "[a-z ]{0,80}",
        "[a-z ?]{1,80}",
        sizes,
    )
        .prop_map(
            |(happenings, facts, recalled, system, message, (procedures, board, items))| {
                let turns = session(&happenings);
                let folded = u32::try_from(turns.len() / 3).unwrap();
                let item = |number: usize| SpanItem {
                    kind: ItemKind::ALL[number % ItemKind::ALL.len()],
                    text: format!("item {number}"),
                    turns: turns
                        .first()
                        .map(|turn| (turn.position, turn.id))
                        .into_iter()
                        .collect(),
                };
                let span = Span {
                    run: Run {
                        from: 0,
                        to: folded.saturating_sub(1),
                    },
                    made_by: "cues-1".to_owned(),
                    items: (0..items).map(item).collect(),
                };
                let procedure = |number| Memory {
                    kind: Kind::Procedural,
                    ..memory(1_000 + number, "Keep it short")
                };
                Owned {
                    system,
                    instructions: turns
                        .iter()
                        .filter(|turn| turn.message.role == Role::System)
                        .cloned()
                        .collect(),
                    procedures: (0..procedures).map(procedure).collect(),
                    profile: facts
                        .iter()
                        .enumerate()
                        .map(|(number, text)| fact(number, &format!("f{number}"), text))
                        .collect(),
                    spans: if folded > 0 { vec![span] } else { Vec::new() },
                    turns,
                    board: (0..board)
                        .map(|number| field(&format!("f{number}"), Value::from("v")))
                        .collect(),
                    recalled: recalled
                        .iter()
                        .enumerate()
                        .map(|(number, text)| memory(100 + number, text))
                        .collect(),
                    message,
                }
            },
        )
}

fn check(owned: &Owned, budget_tokens: usize, form: Form, counter: &dyn TokenCounter) {
    let recalled: Vec<RecalledRecord<'_>> =
        owned.recalled.iter().map(RecalledRecord::Memory).collect();
    let material = Material {
        system: &owned.system,
        instructions: &owned.instructions,
        procedures: &owned.procedures,
        profile: &owned.profile,
        spans: &owned.spans,
        turns: &owned.turns,
        board: &owned.board,
        recalled: &recalled,
        message: &owned.message,
    };
    let lay_out = |budget_tokens| assemble(&material, &plan(budget_tokens, form), counter);
    match lay_out(budget_tokens) {
        Ok(desk) => {
            check_desk(owned, &desk, counter);
            assert_eq!(
                Ok(&desk),
                lay_out(budget_tokens).as_ref(),
                "equal input, equal desk"
            );
        }
        Err(DeskError::BudgetTooSmall { needed_tokens, .. }) => {
            assert!(needed_tokens > budget_tokens);
            check_desk(owned, &lay_out(needed_tokens).unwrap(), counter);
            assert!(
                lay_out(needed_tokens - 1).is_err(),
                "{needed_tokens} is the smallest budget that works"
            );
        }
    }
}

fn check_desk(owned: &Owned, desk: &Desk, counter: &dyn TokenCounter) {
    let total = desk.rendering.count(counter);
    assert_eq!(total, desk.report.total_tokens);
    assert!(
        total <= desk.report.budget_tokens,
        "{total} of {}",
        desk.report.budget_tokens
    );
    let pieces = desk.rendering.pieces(&desk.boundary, counter).unwrap();
    let of = |section| pieces.iter().filter(move |piece| piece.section == section);

    assert_eq!(of(Section::Procedures).count(), owned.procedures.len());
    assert_eq!(of(Section::Board).count(), owned.board.len());
    assert_eq!(
        of(Section::Message).next_back().unwrap().get("content"),
        Some(owned.message.as_str())
    );
    let instructions = of(Section::System).filter(|piece| piece.get("date").is_some());
    assert_eq!(instructions.count(), owned.instructions.len());
    let system = of(Section::System)
        .next()
        .and_then(|piece| piece.get("content"));
    assert!(owned.system.is_empty() || system == Some(&owned.system));
    let protected = owned
        .spans
        .iter()
        .flat_map(|span| &span.items)
        .filter(|item| item.kind.is_protected());
    for item in protected {
        assert!(
            of(Section::Spans).any(|piece| piece.get("text") == Some(&item.text)),
            "{item:?}"
        );
    }
    check_pairs(of(Section::Turns));
}

/// Each result follows its call, and each call has its result.
fn check_pairs<'p>(turns: impl Iterator<Item = &'p Piece>) {
    let mut open: Vec<String> = Vec::new();
    for piece in turns {
        if let Some(answered) = piece.get("answers") {
            let at = open.iter().position(|id| id == answered);
            open.remove(at.unwrap_or_else(|| panic!("{answered} answers nothing")));
            continue;
        }
        let calls: Value = piece
            .get("calls")
            .map(|calls| serde_json::from_str(calls).unwrap())
            .unwrap_or_default();
        // The calls of a message of Anthropic are blocks of their own.
        if calls.is_null() {
            assert!(open.is_empty(), "{open:?} have no result");
        }
        let calls = calls.as_array().into_iter().flatten();
        open.extend(calls.map(|call| call["id"].as_str().unwrap().to_owned()));
    }
    assert!(open.is_empty(), "{open:?} have no result");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_session_fits_any_budget_or_is_told_which(
        owned in owned(),
        budget_tokens in prop_oneof![0..300_usize, 300..6_000_usize],
        form in prop::sample::select(Form::ALL),
        is_uneven in any::<bool>(),
    ) {
        let counter: &dyn TokenCounter = if is_uneven { &Uneven } else { &Quarters };
        check(&owned, budget_tokens, form, counter);
    }
}

#[test]
fn thousands_of_turns_fit() {
    let happenings: Vec<Happening> = (0..2_000)
        .map(|number| match number % 7 {
            3 => Happening::Tools {
                calls: 3,
                results: 3,
                bytes: number * 40,
                reversed: number % 2 == 0,
                between: number % 3 == 0,
            },
            _ => Happening::Said(Role::User, format!("turn {number}")),
        })
        .collect();
    let owned = Owned {
        system: "Help.".to_owned(),
        instructions: Vec::new(),
        procedures: Vec::new(),
        profile: Vec::new(),
        spans: Vec::new(),
        turns: session(&happenings),
        board: Vec::new(),
        recalled: Vec::new(),
        message: "And now?".to_owned(),
    };
    assert!(owned.turns.len() > 2_500);
    for form in Form::ALL {
        for budget_tokens in [40, 200, 1_000, 20_000] {
            check(&owned, budget_tokens, *form, &Quarters);
        }
    }
}

#[test]
fn what_is_pinned_goes_last_and_is_told() {
    let long = "so much to say about it ".repeat(4);
    let pinned = |number: usize| Memory {
        pinned_at: Some(crate::time::Timestamp::from_micros(7)),
        ..super::sample::memory(number, &format!("Pinned {number}, {long}"))
    };
    let mut profile: Vec<Memory> = (0..30)
        .map(|number| Memory {
            importance: crate::memory::Importance::new(10).unwrap(),
            ..super::sample::fact(
                number,
                &format!("a{number}"),
                &format!("Fact {number}, {long}"),
            )
        })
        .collect();
    profile.extend((100..103).map(pinned));
    let material = Material {
        profile: &profile,
        ..super::sample::bare("What now?")
    };
    let shown = |budget_tokens: usize| {
        let desk = assemble(&material, &plan(budget_tokens, Form::Text), &Quarters).unwrap();
        let text = desk.rendering.to_json().to_string();
        let left_out = desk.report.dropped.iter();
        let left_out = left_out
            .filter(|dropped| dropped.why == Why::PinnedNoRoom)
            .count();
        assert_eq!(text.matches("pinned=true").count(), desk.report.pinned);
        (
            desk.report.pinned,
            text.matches("statement=\\\"Fact").count(),
            left_out,
        )
    };
    // Before facts that matter more, as far as the share goes; then what has no room is told.
    let (all, facts, _) = shown(4_000);
    assert!(all == 3 && facts > 0, "{all} {facts}");
    let small = (200..700).step_by(10).map(shown);
    let (some, facts, left_out) = small
        .into_iter()
        .find(|(some, ..)| (1..3).contains(some))
        .expect("some budget has room for one or two");
    assert!(facts == 0 && left_out == 3 - some, "{some} {facts}");
}

#[test]
fn too_small_a_budget_names_the_smallest_that_works() {
    let error = assemble(
        &super::sample::bare("What now?"),
        &plan(3, Form::Text),
        &Quarters,
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "a budget of 3 tokens is too small: what must be on the desk needs 19"
    );
}
