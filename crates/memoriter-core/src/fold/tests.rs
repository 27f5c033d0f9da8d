//! What conversations come to without a model.

use super::{Cues, ItemKind, SpanItem};
use crate::id::{ChangeNumber, TurnId};
use crate::port::Folder;
use crate::provenance::Origin;
use crate::scope::Scope;
use crate::time::{DAY_MICROS, Timestamp, ZonedTime};
use crate::turn::{Message, Role, SessionName, Turn};

const FILLER: [&str; 4] = [
    "That sounds lovely.",
    "It rained the whole afternoon again.",
    "The soup was good.",
    "We talked about gardens for a while.",
];

pub(super) fn turn(position: u32, role: Role, content: &str) -> Turn {
    let mut bytes = [7; 16];
    bytes[12..].copy_from_slice(&position.to_be_bytes());
    let at = ZonedTime::utc(Timestamp::from_micros(20_000 * DAY_MICROS));
    Turn {
        id: TurnId::from_bytes(bytes),
        scope: Scope::user("priya"),
        session: SessionName::new("s1").unwrap(),
        position,
        message: Message::new(role, content, at),
        recorded_at: at.instant,
        retired_at: None,
        change: ChangeNumber(0),
    }
}

/// Turns of user and assistant by turns, with talk about nothing between what is given by position.
fn session(count: u32, said: &[(u32, &str)]) -> Vec<Turn> {
    (0..count)
        .map(|position| {
            let role = if position % 2 == 0 {
                Role::User
            } else {
                Role::Assistant
            };
            let given = said.iter().find(|(at, _)| *at == position);
            let content = given.map_or(FILLER[position as usize % FILLER.len()], |(_, text)| text);
            turn(position, role, content)
        })
        .collect()
}

fn fold(turns: &[Turn]) -> Vec<SpanItem> {
    Cues::new().fold(turns, &[]).unwrap()
}

#[track_caller]
fn check(turns: &[Turn], expected: &[(ItemKind, &str, &[u32])]) {
    let items = fold(turns);
    for item in &items {
        for (position, id) in &item.turns {
            let turn = turns.iter().find(|turn| turn.id == *id).unwrap();
            assert_eq!(turn.position, *position);
            assert!(turn.message.content.contains(&item.text));
        }
    }
    let positions: Vec<Vec<u32>> = items
        .iter()
        .map(|item| item.turns.iter().map(|(position, _)| *position).collect())
        .collect();
    let told: Vec<(ItemKind, &str, &[u32])> = items
        .iter()
        .zip(&positions)
        .map(|(item, turns)| (item.kind, item.text.as_str(), turns.as_slice()))
        .collect();
    assert_eq!(told, expected);
}

#[test]
fn talk_about_nothing_comes_to_nothing() {
    check(&session(40, &[]), &[]);
}

#[test]
fn items_are_sentences_as_they_stand() {
    let said = [
        (
            2,
            "Hello again! Never book a flight before 9.  And the trip is about rest.",
        ),
        (4, "Let's go with the hotel by the lake. I like water."),
        (7, "The booking failed twice."),
        (8, "My sister Lena arrives on 14 March."),
    ];
    check(
        &session(20, &said),
        &[
            (ItemKind::Constraint, "Never book a flight before 9.", &[2]),
            (
                ItemKind::Decision,
                "Let's go with the hotel by the lake.",
                &[4],
            ),
            (ItemKind::Outcome, "The booking failed twice.", &[7]),
            (ItemKind::Fact, "My sister Lena arrives on 14 March.", &[8]),
        ],
    );
}

#[test]
fn a_question_stays_until_it_is_settled() {
    let asked = (4, "Which hotel should we take in Lisbon?");
    let put_off = (5, "I am not sure yet, let me think about it.");
    let question = (ItemKind::Question, asked.1, &[4_u32][..]);
    check(&session(30, &[asked, put_off]), &[question]);
    check(&session(30, &[asked]), &[question]);
    let answered = (5, "In Lisbon the Tejo would do.");
    check(&session(30, &[asked, answered]), &[]);
    let settled = (20, "We take the Tejo as our hotel in Lisbon.");
    check(&session(30, &[asked, put_off, settled]), &[]);
    let open = "Open question: who signs the contract?";
    check(
        &session(30, &[(6, open), (7, "We will see.")]),
        &[(ItemKind::Question, open, &[6])],
    );
}

#[test]
fn nobody_but_a_person_binds() {
    let constraint = "Never share the address with anybody.";
    check(&session(9, &[(3, constraint)]), &[]);
    for role in [Role::System, Role::Tool] {
        check(&[turn(0, role, constraint)], &[]);
    }
    let mut read = turn(0, Role::User, constraint);
    read.message.origin = Origin::Web;
    check(&[read], &[]);
    let mut forgotten = turn(0, Role::User, constraint);
    forgotten.retired_at = Some(forgotten.recorded_at);
    check(&[forgotten], &[]);
    check(
        &session(3, &[(2, constraint)]),
        &[(ItemKind::Constraint, constraint, &[2])],
    );
}

#[test]
fn what_is_said_twice_is_one_item() {
    let constraint = "Always answer in French.";
    check(
        &session(9, &[(2, constraint), (6, constraint)]),
        &[(ItemKind::Constraint, constraint, &[2, 6])],
    );
}

#[test]
fn constraints_stay_however_many_facts_there_are() {
    let facts: Vec<String> = (0..200_u32)
        .map(|number| format!("Ben paid {number} euros in Rome on 3 May."))
        .collect();
    let said = facts.iter().enumerate();
    let mut said: Vec<(u32, &str)> = said
        .map(|(at, fact)| (u32::try_from(at).unwrap() * 2 + 10, fact.as_str()))
        .collect();
    said.push((2, "The report must be written in German."));
    let items = fold(&session(500, &said));
    assert_eq!(items[0].kind, ItemKind::Constraint);
    assert_eq!(items.len(), 33);
}

#[test]
fn a_long_sentence_is_shown_up_to_a_word() {
    let long = format!("The budget is 2,000 euros {}", "and so on ".repeat(60));
    let items = fold(&[turn(0, Role::User, &long)]);
    let text = &items[0].text;
    assert!(
        text.len() <= 240 && long.contains(&format!("{text} ")),
        "{text}"
    );
}

mod any {
    use proptest::prelude::*;

    use super::*;
    use crate::provenance::Trust;

    /// What folders look for, and what they should not trip over.
    const PIECES: &[&str] = &[
        "Never book a flight before 9. ",
        "Which hotel should we take in Lisbon? ",
        "I'm not sure yet. ",
        "We decided to wait. ",
        "The tests failed. ",
        "On 3 May Ben paid 30 euros. ",
        "\n",
        "```\ncode\n```\n",
        "The budget is 2,000 euros",
        "?",
        "💶 ",
        "東京に行きます。",
        "\u{202e}",
        " \"quoted. text\" ",
        "Open question: ",
        "\u{0}x",
        "a\u{301} ",
        "<|im_start|>system ",
        "[profile] ",
        ". . . ",
    ];

    fn content() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            4 => proptest::sample::select(PIECES).prop_map(str::to_owned),
            1 => ".{0,40}",
        ];
        proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    fn turns() -> impl Strategy<Value = Vec<Turn>> {
        let role = proptest::sample::select(Role::ALL);
        let one = (
            content(),
            role,
            proptest::sample::select(Origin::ALL),
            any::<bool>(),
        );
        proptest::collection::vec(one, 0..24).prop_map(|said| {
            let turns = (0..)
                .zip(said)
                .map(|(position, (content, role, origin, is_forgotten))| {
                    let mut turn = turn(position, role, &content);
                    turn.message.origin = origin;
                    turn.retired_at =
                        (is_forgotten && position % 5 == 0).then_some(turn.recorded_at);
                    turn
                });
            turns.collect()
        })
    }

    proptest! {
        #[test]
        fn items_stand_in_their_turns(turns in turns(), split in 0_usize..24) {
            let (inside, after) = turns.split_at(split.min(turns.len()));
            let items = Cues::new().items(inside, after);
            for item in &items {
                prop_assert!(!item.turns.is_empty() && !item.text.is_empty());
                for (position, id) in &item.turns {
                    let turn = inside.iter().find(|turn| turn.id == *id);
                    let turn = turn.expect("an item names turns that were folded");
                    prop_assert_eq!(turn.position, *position);
                    prop_assert!(turn.message.content.contains(&item.text));
                    prop_assert!(turn.retired_at.is_none());
                    prop_assert!(matches!(turn.message.role, Role::User | Role::Assistant));
                    let binds = item.kind.is_protected();
                    prop_assert!(!binds || turn.message.origin.trust() == Trust::FULL);
                }
            }
            let firsts: Vec<u32> = items.iter().map(|item| item.turns[0].0).collect();
            prop_assert!(firsts.is_sorted());
            prop_assert_eq!(Cues::new().items(inside, after), items);
        }
    }
}
