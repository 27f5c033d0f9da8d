//! What a sentence says besides a forgotten fact, and who says that fact again: none of it comes back.

use memoriter::core::memory::{FactKey, State};
use memoriter::core::port::Clock;
use memoriter::core::provenance::Origin;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{DecisionKind, Note, SystemClock, Taken, TurnDraft, TurnKey};
use serde_json::json;

use crate::forgetting::World;

fn second(number: i64) -> ZonedTime {
    ZonedTime::utc(Timestamp::from_micros(
        1_700_000_000_000_000 + number * 1_000_000,
    ))
}

impl World {
    fn say(&self, session: &str, number: i64, role: Role, text: &str) {
        let turn = TurnDraft {
            session: SessionName::new(session).unwrap(),
            key: TurnKey::Given(format!("{number} {text}")),
            message: Message::new(role, text, second(number)),
        };
        self.priya.learn([turn]).unwrap();
    }

    fn user(&self, session: &str, number: i64, text: &str) {
        self.say(session, number, Role::User, text);
    }

    fn assistant(&self, session: &str, number: i64, text: &str) {
        self.say(session, number, Role::Assistant, text);
    }

    fn values(&self, key: &str) -> Vec<String> {
        let live = self.priya.live_under(&key.parse().unwrap()).unwrap();
        live.into_iter().filter_map(|memory| memory.value).collect()
    }

    /// All that recalls and desks show of what has a word.
    fn shown(&self, word: &str) -> Vec<String> {
        let mut shown = Vec::new();
        for question in [word, "Where do I live?", "What pets do I have?"] {
            for found in self.priya.recall(question).top(50).run().unwrap() {
                shown.push(found.text().to_owned());
            }
        }
        for name in ["one", "two"] {
            let session = self.priya.session(name);
            let desk = session.assemble("Where is home?").run().unwrap();
            let desk = desk.rendering.to_json();
            shown.extend(desk.as_str().unwrap().lines().map(str::to_owned));
        }
        shown.retain(|text| text.contains(word));
        shown
    }

    #[track_caller]
    fn shows_nothing_of(&self, word: &str) {
        assert_eq!(self.shown(word), [""; 0]);
    }
}

/// The two ways to ask, of all that was said so far.
fn ways_to_forget_home() -> [fn(&World); 2] {
    [
        |world| {
            let key = "user.city".parse().unwrap();
            world.priya.forget_key(&key, second(100)).unwrap();
        },
        |world| world.user("two", 100, "Please forget where I live."),
    ]
}

#[test]
fn what_a_sentence_says_besides_stays_known_without_what_is_forgotten() {
    for forget in ways_to_forget_home() {
        let world = World::new();
        world.user("one", 0, "I live in Porto with my dog Rex and love it");
        let noted = "I live in Porto with my cat Mimi, and I'm allergic to nuts";
        let noted = Note::new(noted).told_at(second(1));
        world.priya.remember(noted).unwrap();
        forget(&world);
        world.shows_nothing_of("Porto");
        assert_eq!(world.values("user.city"), [""; 0]);
        assert_eq!(
            world.values("user.pet"),
            ["dog named Rex", "cat named Mimi"]
        );
        assert_eq!(world.values("user.allergy"), ["nuts"]);
        assert!(!world.shown("dog named Rex").is_empty(), "it is recalled");
    }
}

#[test]
fn the_users_own_words_go_though_no_rule_reads_them() {
    for forget in ways_to_forget_home() {
        let world = World::new();
        world.user("one", 0, "I live in Porto");
        world.user("two", 1, "Porto has been so good to me and my cats");
        let noted = Note::new("Nothing beats our evenings in Porto").told_at(second(2));
        world.priya.remember(noted).unwrap();
        world.user("two", 3, "My sister lives in Porto too");
        world.user("two", 4, "The Porto derby was a draw");
        forget(&world);
        let mut left = world.shown("Porto");
        left.retain(|text| !text.contains("sister") && !text.contains("derby"));
        assert_eq!(left, [""; 0]);
        assert_eq!(world.values("sister.city"), ["Porto"], "that is not asked");
        assert!(!world.shown("derby").is_empty(), "nor is this");
    }
}

#[test]
fn an_assistant_says_it_in_no_session_before_or_after_the_request() {
    for forget in ways_to_forget_home() {
        let world = World::new();
        world.user("one", 0, "I live in Porto");
        world.assistant("one", 1, "Porto is a lovely place, enjoy!");
        world.assistant("one", 2, "Noted. By the way, Porto has good trains.");
        world.user("two", 3, "Any good restaurants?");
        world.assistant("two", 4, "Since you are in Porto, try the fish market.");
        world.assistant("two", 101, "As you are from Porto, here is its forecast.");
        world.assistant("two", 5, "The wine is from Porto.");
        forget(&world);
        let mut left = world.shown("Porto");
        left.retain(|text| !text.contains("wine"));
        assert_eq!(left, [""; 0]);
        world.assistant("two", 102, "In Porto, where your home is, it rains.");
        world.assistant("two", 103, "You could take the Porto tram to work.");
        let mut left = world.shown("Porto");
        left.retain(|text| !text.contains("wine"));
        assert_eq!(left, [""; 0]);
    }
}

#[test]
fn older_words_that_arrive_after_the_request_stay_away() {
    for forget in ways_to_forget_home() {
        let world = World::new();
        world.user("one", 10, "I live in Porto");
        forget(&world);
        world.user("one", 20, "I live in Porto with my dog Rex and love it");
        world.user("two", 21, "Porto has been so good to me");
        let noted = Note::new("Porto is my home with my cat Mimi").told_at(second(22));
        world.priya.remember(noted).unwrap();
        let noted = Note::new("I live in Porto, and I'm allergic to nuts").told_at(second(23));
        world.priya.remember(noted).unwrap();
        let noted = Note::new("I'm a nurse in Porto").told_at(second(24));
        world.priya.remember(noted).unwrap();
        world.shows_nothing_of("Porto");
        assert_eq!(world.values("user.city"), [""; 0]);
        assert_eq!(world.values("user.allergy"), ["nuts"]);
        assert!(world.values("user.pet").contains(&"dog named Rex".into()));
    }
}

#[test]
fn a_request_that_comes_before_older_words_keeps_what_they_say_besides() {
    let world = World::new();
    world.user("two", 100, "Please forget where I live.");
    world.user("one", 0, "I live in Porto with my dog Rex and love it");
    world.shows_nothing_of("Porto");
    assert_eq!(world.values("user.pet"), ["dog named Rex"]);
}

#[test]
fn what_is_said_anew_is_known_again() {
    for forget in ways_to_forget_home() {
        let world = World::new();
        world.user("one", 0, "I live in Porto with my dog Rex");
        forget(&world);
        world.user("two", 200, "I live in Porto");
        world.assistant("two", 201, "Nice, you are back in Porto!");
        assert_eq!(world.values("user.city"), ["Porto"]);
        let shown = world.shown("Porto");
        assert!(shown.iter().any(|text| text.contains("back")), "{shown:?}");
    }
}

#[test]
fn a_request_about_a_key_is_about_what_was_under_it_before() {
    for forget in ways_to_forget_home() {
        let world = World::new();
        world.user("one", 0, "I live in Porto");
        world.user("one", 50, "I moved to Lyon");
        forget(&world);
        world.shows_nothing_of("Porto");
        world.shows_nothing_of("Lyon");
        let then = world
            .priya
            .recall("Where do I live?")
            .as_of(second(20).instant);
        let then = then.run().unwrap();
        assert!(then.iter().all(|found| found.memory_id().is_none()));
        let history = world.priya.history_of_key(&"user.city".parse().unwrap());
        let history = history.unwrap();
        assert_eq!(history.len(), 2, "it stays as history");
        assert!(history.iter().all(|one| one.state == State::Retracted));
    }
}

#[test]
fn what_is_kept_in_other_words_is_told() {
    let world = World::new();
    world.user("one", 0, "I live in Porto with my dog Rex");
    let request = Note::new("Please forget where I live");
    let decided = world.priya.remember(request).unwrap();
    let kinds: Vec<_> = decided.iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [DecisionKind::Delete, DecisionKind::Update]);
    let pet = world.priya.get(decided[1].id.unwrap()).unwrap();
    assert_eq!(pet.statement, "pet: dog named Rex");
    assert!(pet.sources.iter().all(|source| source.quote.is_empty()));
}

#[test]
fn what_is_forgotten_in_the_unit_in_which_it_was_said_leaves_no_words() {
    for (said, request, word, key, left) in [
        (
            "I like heavy metal and gardening.",
            "Forget that I like heavy metal.",
            "metal",
            "user.like",
            "gardening",
        ),
        (
            "I'm allergic to nuts and shellfish.",
            "Please forget my nut allergy.",
            "nut",
            "user.allergy",
            "shellfish",
        ),
    ] {
        let world = World::new();
        let turn = |number: i64, text: &str| TurnDraft {
            session: SessionName::new("one").unwrap(),
            key: TurnKey::Given(number.to_string()),
            message: Message::new(Role::User, text, second(number)),
        };
        world
            .priya
            .learn([turn(0, said), turn(1, request)])
            .unwrap();
        world.shows_nothing_of(word);
        assert_eq!(world.values(key), [left]);
        let again = format!("{said} Really.");
        world.priya.learn([turn(2, &again)]).unwrap();
        assert!(!world.shown(word).is_empty(), "said anew");
    }
}

#[test]
fn what_is_said_again_behind_a_request_in_one_unit_stays() {
    let world = World::new();
    let texts = [
        "I like heavy metal and gardening.",
        "Forget that I like heavy metal.",
        "I like heavy metal and cooking.",
    ];
    let turns = texts.iter().zip(0..).map(|(text, number)| TurnDraft {
        session: SessionName::new("one").unwrap(),
        key: TurnKey::At(number),
        message: Message::new(Role::User, *text, second(0)),
    });
    world.priya.learn(turns).unwrap();
    assert_eq!(
        world.values("user.like"),
        ["gardening", "heavy metal", "cooking"]
    );
}

#[test]
fn copies_in_fields_go_with_what_they_were_taken_from() {
    let world = World::new();
    world.user("one", 0, "I live in Porto");
    let key: FactKey = "user.city".parse().unwrap();
    let boards = [
        world.priya.session("one").state(),
        world.tutor.session("plan").state(),
    ];
    for board in &boards {
        board.take("city", &Taken::Key(key.clone())).unwrap();
        board.set("steps", json!(["one"])).unwrap();
    }
    world.user("two", 100, "Please forget where I live.");
    for board in &boards {
        assert_eq!(board.get("city").unwrap(), None);
        assert_eq!(
            board.get("steps").unwrap().unwrap().value,
            Some(json!(["one"]))
        );
        assert_eq!(board.set("city", json!("Rome")).unwrap().revision, 3);
    }
    world.shows_nothing_of("Porto");
}

#[test]
fn what_an_agent_noted_for_itself_goes_too() {
    // Blocks are written now, so now is when it is asked.
    let ways: [fn(&World); 2] = [
        |world| {
            let key = "user.city".parse().unwrap();
            let now = ZonedTime::utc(SystemClock.now());
            world.priya.forget_key(&key, now).unwrap();
        },
        |world| {
            let request = "Please forget where I live.";
            world.priya.remember(request).unwrap();
        },
    ];
    for forget in ways {
        let world = World::new();
        world.user("one", 0, "I live in Porto");
        let noted = |text: &str| {
            let note = Note::new(text).origin(Origin::Agent).told_at(second(1));
            world.priya.remember(note).unwrap();
        };
        noted("The user lives in Porto");
        noted("The user's flat is in Porto, near the river");
        noted("The Porto derby was a draw");
        let blocks = [
            (
                "human",
                "Lives in Porto. Likes tea.\n- born in Porto\n- has a dog",
            ),
            ("home", "The user lives in Porto and is nice"),
        ];
        for (name, text) in blocks {
            world
                .priya
                .edit_block(name, text, 0, Origin::Agent)
                .unwrap();
        }
        forget(&world);
        let mut left = world.shown("Porto");
        left.retain(|text| !text.contains("derby"));
        assert_eq!(left, [""; 0]);
        let human = world.priya.block("human").unwrap().unwrap();
        assert_eq!(human.value.as_deref(), Some("Likes tea.\n- has a dog"));
        assert_eq!(world.priya.block("home").unwrap(), None);
        assert!(!world.shown("derby").is_empty());
    }
}
