//! What people ask of their memory in passing: to forget a topic, to take back what they just said, to correct it.

use memoriter::core::time::ZonedTime;
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Decision, DecisionKind, Reason, TurnDraft, TurnKey};

use crate::learning::{World, day, kinds};

/// Says texts one by one, each in a call of its own, an answer of the assistant between them; returns what was decided
/// on the last.
fn say(world: &World, texts: &[&str]) -> Vec<Decision> {
    world.wait_for(40);
    let mut decided = Vec::new();
    for (number, text) in (0_u64..).zip(texts) {
        let turn = |role, text: &str| TurnDraft {
            session: SessionName::new("chat").unwrap(),
            key: TurnKey::Given(format!("{number} {text}")),
            message: Message::new(role, text, at(number)),
        };
        let of_user = turn(Role::User, text);
        decided = world.priya.learn([of_user]).unwrap().decisions;
        let answer = turn(Role::Assistant, "I see.");
        world.priya.learn([answer]).unwrap();
    }
    decided
}

fn at(number: u64) -> ZonedTime {
    let number = i64::try_from(number).unwrap();
    ZonedTime::utc(day(20).instant.plus_micros(number * 1_000_000))
}

#[test]
fn what_is_named_goes() {
    for (request, gone) in [
        ("Forget about Rex", &["user.pet", "dog:rex.age"][..]),
        (
            "Please remove Rex from your memory.",
            &["user.pet", "dog:rex.age"],
        ),
        ("Forget what I said about sushi", &["user.like"]),
        ("Please delete what you know about sushi", &["user.like"]),
        (
            "Forget everything",
            &["user.pet", "dog:rex.age", "user.like", "user.city"],
        ),
    ] {
        let world = World::new();
        let told = [
            "I have a dog named Rex",
            "My dog Rex is 3",
            "I love sushi",
            "I live in Bremen",
        ];
        say(&world, &[&told[..], &[request]].concat());
        for key in ["user.pet", "dog:rex.age", "user.like", "user.city"] {
            let is_left = !world.live(key).is_empty();
            assert_eq!(is_left, !gone.contains(&key), "{request}: {key}");
        }
        let about = if request.contains("Rex") {
            "Rex"
        } else {
            "sushi"
        };
        let found = world.priya.recall(about).top(20).run().unwrap();
        let found: Vec<&str> = found.iter().map(memoriter::Recalled::text).collect();
        assert!(
            found.iter().all(|text| !text.contains(about)),
            "{request}: {found:?}"
        );
    }
}

#[test]
fn what_is_asked_under_another_name_goes_too() {
    for (told, request, word, gone) in [
        (
            "My sister Ana lives in Porto",
            "Please forget where my sister lives.",
            "Porto",
            true,
        ),
        (
            "My sister Ana lives in Porto",
            "Please forget that my sister lives in Porto.",
            "Porto",
            true,
        ),
        (
            "My sister Ana lives in Porto",
            "Please forget where Ana lives.",
            "Porto",
            true,
        ),
        (
            "My mum lives in Porto",
            "Forget where my mum lives",
            "Porto",
            true,
        ),
        ("I work at Siemens", "Forget my job", "Siemens", true),
        (
            "My therapist is Dr. Kranz.",
            "Please forget my therapist.",
            "Kranz",
            true,
        ),
        (
            "My salary is 62,000 euros.",
            "Forget my salary.",
            "62,000",
            true,
        ),
        (
            "The salary of a Kranz is high.",
            "Forget my salary.",
            "Kranz",
            false,
        ),
        (
            "I had an abortion last year",
            "Forget what I just said",
            "abortion",
            true,
        ),
        (
            "My neighbour Dr. Kranz is a spy, I fear.",
            "Please forget my last message.",
            "Kranz",
            true,
        ),
        (
            "I live in Porto",
            "Forget where I live and where I work.",
            "Porto",
            true,
        ),
    ] {
        let world = World::new();
        say(&world, &[told, request]);
        let found = world.priya.recall(told).top(20).run().unwrap();
        let shown = found.iter().any(|found| found.text().contains(word));
        assert_eq!(!shown, gone, "{told} {request}");
    }
}

#[test]
fn of_two_sisters_neither_is_meant_for_sure() {
    let world = World::new();
    let sisters = [
        "My sister Ana lives in Porto",
        "My sister Rita lives in Faro",
    ];
    let decided = say(
        &world,
        &[sisters[0], sisters[1], "Forget where my sister lives"],
    );
    assert_eq!(decided[0].kind, DecisionKind::Ask, "{decided:?}");
    assert_eq!(world.live("sister:ana.city").len(), 1);
}

#[test]
fn a_text_without_key_goes_by_its_words() {
    let world = World::new();
    let told = "Remember that the violin is in the attic";
    say(&world, &[told]);
    let decided = say(&world, &[told, "Forget that the violin is in the attic"]);
    assert_eq!(decided[0].kind, DecisionKind::Delete, "{decided:?}");
    let found = world
        .priya
        .recall("Where is the violin?")
        .top(20)
        .run()
        .unwrap();
    assert!(
        found.iter().all(|one| !one.text().contains("violin")),
        "{found:?}"
    );
}

#[test]
fn a_figure_of_speech_forgets_nothing() {
    for said in [
        "I'll never forget Rex",
        "Don't forget to call Rex",
        "Forget it, never mind",
        "Forget about it",
        "Forget Rome, let's stay here",
        "I always forget where I live",
        "Never mind",
    ] {
        let world = World::new();
        let told = ["I have a dog named Rex", "I live in Rome"];
        let decided = say(&world, &[&told[..], &[said]].concat());
        let deleted = kinds(&decided);
        assert!(
            deleted
                .iter()
                .all(|(kind, _)| *kind != DecisionKind::Delete),
            "{said}: {deleted:?}"
        );
        assert_eq!(world.live("user.pet"), ["dog named Rex"], "{said}");
        assert_eq!(world.live("user.city"), ["Rome"], "{said}");
    }
}

#[test]
fn what_is_not_clear_is_asked_and_nothing_goes() {
    let unclear = (DecisionKind::Ask, Reason::UnclearRequest);
    let world = World::new();
    let told = ["I have a dog named Rex", "My friend Rex lives in Rome"];
    let decided = say(&world, &[&told[..], &["Forget about Rex"]].concat());
    assert!(decided.len() > 1, "{decided:?}");
    assert!(
        kinds(&decided).iter().all(|one| *one == unclear),
        "{decided:?}"
    );
    assert_eq!(world.live("user.pet"), ["dog named Rex"]);
    for request in ["Forget everything I said", "Forget about the cake"] {
        let world = World::new();
        let decided = say(&world, &["I love cake", request]);
        assert_eq!(kinds(&decided), [unclear], "{request}");
        assert_eq!(world.live("user.like"), ["cake"], "{request}");
    }
}

#[test]
fn what_was_just_said_is_taken_back() {
    for said in [
        "Don't remember that.",
        "Please don't save that",
        "Forget what I just said",
        "Just kidding!",
    ] {
        let world = World::new();
        let told = ["I have a cat", "I love sushi"];
        let decided = say(&world, &[&told[..], &[said]].concat());
        assert_eq!(
            kinds(&decided),
            [(DecisionKind::Delete, Reason::Requested)],
            "{said}"
        );
        assert_eq!(world.live("user.like"), [""; 0], "{said}");
        assert_eq!(world.live("user.pet"), ["cat"], "{said}");
        let found = world.priya.recall("sushi").top(20).run().unwrap();
        assert!(
            found.iter().all(|one| !one.text().contains("sushi")),
            "{said}"
        );
    }
}

#[test]
fn a_correction_is_of_what_was_said_right_before() {
    for (told, said, key, value) in [
        (
            "I live in Berlin",
            "No wait, it's Bremen",
            "user.city",
            "Bremen",
        ),
        (
            "I live in Berlin",
            "Sorry, I meant Bremen",
            "user.city",
            "Bremen",
        ),
        (
            "I live in Berlin",
            "Scratch that, Bremen.",
            "user.city",
            "Bremen",
        ),
        (
            "I work at Siemens",
            "I mean Bosch",
            "user.employer",
            "Bosch",
        ),
        (
            "My exam is on Monday",
            "Scratch that, Tuesday",
            "user.exam_date",
            "2026-01-27",
        ),
    ] {
        let world = World::new();
        say(&world, &[told, said]);
        assert_eq!(world.live(key), [value], "{told} {said}");
    }
}

#[test]
fn what_corrects_nothing_is_no_fact() {
    for (told, said) in [
        ("I live in Berlin", "I mean, it's lovely here"),
        ("I live in Berlin", "No wait, let me think"),
        ("I live in Berlin", "Scratch that, never mind"),
        ("I live in Berlin", "Sorry, I meant to ask about trains"),
        ("I love the rain", "I mean it"),
    ] {
        let world = World::new();
        say(&world, &[told]);
        let city = world.live("user.city");
        say(&world, &[told, said]);
        assert_eq!(world.live("user.city"), city, "{said}");
    }
    let world = World::new();
    say(
        &world,
        &[
            "I live in Berlin",
            "Is it cold?",
            "Yes.",
            "No wait, it's Bremen",
        ],
    );
    assert_eq!(world.live("user.city"), ["Berlin"], "that was too long ago");
}

#[test]
fn a_taste_that_turned_is_the_one_that_was_said_last() {
    let world = World::new();
    say(&world, &["I like jazz", "I hate jazz now"]);
    assert_eq!(world.live("user.like"), [""; 0]);
    assert_eq!(world.live("user.dislike"), ["jazz"]);
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let world = World::new();
        world.wait_for(60);
        let told = [
            (1, "I like jazz"),
            (10, "I hate jazz"),
            (20, "I like jazz again"),
        ];
        for index in order {
            let (number, text) = told[index];
            world.hear(&[(Role::User, number, text)]);
        }
        assert_eq!(world.live("user.dislike"), [""; 0], "{order:?}");
        assert_eq!(world.live("user.like"), ["jazz"], "{order:?}");
    }
}

#[test]
fn what_is_known_of_somebody_goes_with_him_or_by_its_name() {
    for (told, request, left) in [
        (
            &[
                "My brother Tom works as a baker",
                "My brother Tom lives in Faro",
                "I love sushi",
            ][..],
            "Forget everything about my brother",
            &["user.like"][..],
        ),
        (
            &["My brother Tom works as a baker", "I love sushi"],
            "Please forget my brother Tom",
            &["user.like"],
        ),
        (
            &[
                "My sister Emma is allergic to nuts",
                "My sister Emma lives in Porto",
            ],
            "Forget Emma's allergy",
            &["sister:emma.city", "user.sister"],
        ),
        (
            &["I have diabetes", "I am allergic to nuts"],
            "Forget my diabetes diagnosis",
            &["user.allergy"],
        ),
        (
            &[
                "I have a dog named Rex",
                "My dog Rex is 3",
                "I live in Rome",
            ],
            "Rex died, please forget him",
            &["user.city"],
        ),
    ] {
        let world = World::new();
        let decided = say(&world, &[told, &[request]].concat());
        // What says it besides something else is kept in other words.
        let is_done =
            |one: &Decision| one.kind == DecisionKind::Delete || one.reason == Reason::Reworded;
        assert!(decided.iter().all(is_done), "{request}: {decided:?}");
        let page = world
            .priya
            .list(&[memoriter::core::memory::State::Live], None, 50)
            .unwrap();
        let keys: std::collections::BTreeSet<String> = page
            .memories
            .iter()
            .filter_map(|memory| Some(memory.fact_key()?.to_string()))
            .collect();
        assert_eq!(keys.iter().collect::<Vec<_>>(), left, "{request}");
    }
}

#[test]
fn of_two_who_bear_the_name_or_are_of_the_kind_none_is_meant_for_sure() {
    for (told, request) in [
        (
            [
                "My sister Emma is allergic to nuts",
                "My friend Emma is allergic to milk",
            ],
            "Forget Emma's allergy",
        ),
        (
            [
                "My sister Ana is allergic to nuts",
                "My sister Rita is allergic to milk",
            ],
            "Forget my sister's allergy",
        ),
    ] {
        let world = World::new();
        let decided = say(&world, &[&told[..], &[request]].concat());
        assert_eq!(decided[0].kind, DecisionKind::Ask, "{request}: {decided:?}");
    }
}

#[test]
fn a_request_that_takes_turns_away_says_so() {
    let deleted = [(DecisionKind::Delete, Reason::Requested)];
    let nothing = [(DecisionKind::Skip, Reason::NothingToForget)];
    for (told, request, expected) in [
        (
            "The trip to Faro was long.",
            "Forget what I said about Faro",
            deleted,
        ),
        (
            "My therapist is Dr. Kranz.",
            "Please forget my therapist.",
            deleted,
        ),
        (
            "The weather is nice.",
            "Forget what I said about Faro",
            nothing,
        ),
    ] {
        let world = World::new();
        let decided = say(&world, &[told, request]);
        assert_eq!(kinds(&decided), expected, "{told} {request}");
        let ledger = world.priya.ledger(None, 100).unwrap();
        let said =
            |(_, line): &(u64, memoriter::store::DecisionRecord)| line.decision == decided[0];
        assert!(ledger.iter().any(said), "{told} {request}: {ledger:?}");
    }
}
