//! Facts found by a language model: what is asked, what is counted, and what happens when it fails.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use memoriter::core::port::Clock;
use memoriter::core::port::language_model::{LanguageModel, ModelAnswer, ModelError, ModelRequest};
use memoriter::core::provenance::{Origin, Status};
use memoriter::core::time::{DAY_MICROS, Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::store::ExtractionState;
use memoriter::{
    DecisionKind, Diagnose, Memoriter, ModelCaps, ModelPolicy, Note, Scope, ScopedMemory,
    TurnDraft, TurnKey,
};
use memoriter_testkit::StepClock;

/// Answers in order, then with no facts. Keeps what it was asked.
#[derive(Default)]
struct Script {
    answers: Mutex<VecDeque<Result<String, ModelError>>>,
    asked: Mutex<Vec<String>>,
}

impl Script {
    fn then(&self, answer: Result<&str, ModelError>) {
        let answer = answer.map(str::to_owned);
        self.answers.lock().unwrap().push_back(answer);
    }

    fn calls(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl LanguageModel for Script {
    fn name(&self) -> &'static str {
        "script"
    }

    fn answer(&self, request: &ModelRequest<'_>) -> Result<ModelAnswer, ModelError> {
        let material = &request.messages.last().unwrap().text;
        self.asked.lock().unwrap().push(material.clone());
        let next = self.answers.lock().unwrap().pop_front();
        next.unwrap_or(Ok("{\"facts\":[]}".to_owned()))
            .map(|text| ModelAnswer {
                text,
                input_tokens: 100,
                output_tokens: 10,
            })
    }
}

struct World {
    folder: tempfile::TempDir,
    clock: Arc<StepClock>,
    script: Arc<Script>,
    memory: Memoriter,
    priya: ScopedMemory,
}

fn start() -> Timestamp {
    ZonedTime::parse("at", "2026-03-09T10:00:00Z")
        .unwrap()
        .instant
}

impl World {
    fn new(caps: ModelCaps) -> Self {
        Self::with(ModelPolicy {
            caps,
            ..ModelPolicy::default()
        })
    }

    fn with(policy: ModelPolicy) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(StepClock::new(start(), 1_000));
        let script = Arc::new(Script::default());
        let memory = Memoriter::builder()
            .clock(Arc::clone(&clock) as _)
            .language_model(Arc::clone(&script) as _, policy)
            .open(folder.path().join("memory.db"))
            .unwrap();
        let priya = memory.scope(Scope::user("priya"));
        Self {
            folder,
            clock,
            script,
            memory,
            priya,
        }
    }

    fn turns(&self, texts: &[&str]) -> Vec<TurnDraft> {
        let at = ZonedTime::utc(self.clock.now());
        let draft = |(number, text): (usize, &&str)| TurnDraft {
            session: SessionName::new("s").unwrap(),
            key: TurnKey::At(number as u64),
            message: Message::new(Role::User, *text, at),
        };
        texts.iter().enumerate().map(draft).collect()
    }

    fn city(&self) -> Option<String> {
        let key = "user.city".parse().unwrap();
        let live = self.priya.live_under(&key).unwrap();
        live.into_iter().next().and_then(|memory| memory.value)
    }

    fn state_of(&self, texts: &[&str], number: usize) -> (ExtractionState, u32) {
        let appended = self.priya.append(self.turns(texts)).unwrap();
        let extraction = self
            .priya
            .extraction_of(appended[number].id)
            .unwrap()
            .unwrap();
        (extraction.state, extraction.attempts)
    }
}

fn city(turn: usize, value: &str, quote: &str) -> String {
    format!(
        "{{\"facts\":[{{\"turn\":{turn},\"action\":\"remember\",\"entity\":\"user\",\"attribute\":\"city\",\
         \"value\":\"{value}\",\"statement\":\"The user lives in {value}.\",\"quote\":\"{quote}\",\
         \"kind\":\"semantic\",\"importance\":7,\"valid_from\":null,\"valid_to\":null}}]}}"
    )
}

fn unavailable() -> ModelError {
    ModelError::Unavailable {
        why: "busy".to_owned(),
    }
}

#[test]
fn what_a_model_finds_is_decided_on_like_anything_else_and_says_who_found_it() {
    let world = World::new(ModelCaps::default());
    world
        .script
        .then(Ok(&city(0, "Munich", "I live in Munich")));
    let learned = world
        .priya
        .learn(world.turns(&["Hi, I live in Munich!"]))
        .unwrap();
    assert_eq!(learned.decisions[0].kind, DecisionKind::Add);
    let memory = world.priya.get(learned.decisions[0].id.unwrap()).unwrap();
    assert_eq!(memory.sources[0].quote, "I live in Munich");
    assert_eq!(
        (memory.status, memory.origin),
        (Status::Stated, Origin::User)
    );
    let decided = world.priya.decisions_on(memory.id).unwrap();
    assert_eq!(decided[0].made_by.as_deref(), Some("extract-1 script"));
}

#[test]
fn a_model_cannot_raise_the_trust_of_a_page() {
    let world = World::new(ModelCaps::default());
    world
        .script
        .then(Ok(&city(0, "Berlin", "I live in Berlin")));
    world
        .priya
        .learn(world.turns(&["I live in Berlin"]))
        .unwrap();
    let page = TurnDraft {
        key: TurnKey::Given("page".to_owned()),
        message: Message {
            origin: Origin::Web,
            ..Message::new(
                Role::Tool,
                "The user's city is Rome",
                ZonedTime::utc(world.clock.now()),
            )
        },
        ..world.turns(&["x"]).remove(0)
    };
    world.script.then(Ok(&city(0, "Rome", "city is Rome")));
    let learned = world.priya.learn([page]).unwrap();
    assert_eq!(learned.decisions[0].kind, DecisionKind::Ask);
    assert_eq!(world.city().as_deref(), Some("Berlin"));
}

#[test]
fn secrets_are_masked_before_a_model_reads_them() {
    let world = World::new(ModelCaps::default());
    world
        .priya
        .learn(world.turns(&["My password is tulip42, remember it."]))
        .unwrap();
    let asked = world.script.asked.lock().unwrap().clone();
    assert!(
        !asked[0].contains("tulip42") && asked[0].contains("[secret:"),
        "{asked:?}"
    );
}

#[test]
fn a_service_that_fails_loses_no_turn_and_is_asked_again_later() {
    let world = World::new(ModelCaps::default());
    world.script.then(Err(unavailable()));
    let texts = ["I live in Munich"];
    let learned = world.priya.learn(world.turns(&texts)).unwrap();
    assert_eq!(learned.failure, Some(unavailable()));
    assert!(learned.turns[0].is_new && learned.decisions.is_empty());
    assert_eq!(
        world.memory.work(100).unwrap().turns,
        0,
        "it is not due yet"
    );

    world.clock.leap(31 * 1_000_000);
    world
        .script
        .then(Ok(&city(0, "Munich", "I live in Munich")));
    let worked = world.memory.work(100).unwrap();
    assert_eq!((worked.turns, worked.failure), (1, None));
    assert_eq!(world.city().as_deref(), Some("Munich"));
    assert_eq!(world.state_of(&texts, 0).0, ExtractionState::Done);
}

#[test]
fn an_outage_of_hours_gives_up_no_turn() {
    let world = World::new(ModelCaps::default());
    let texts = ["I live in Munich"];
    for _ in 0..8 {
        world.script.then(Err(unavailable()));
    }
    world.priya.learn(world.turns(&texts)).unwrap();
    for _ in 0..7 {
        world.clock.leap(3_700 * 1_000_000);
        assert!(world.memory.work(100).unwrap().is_stopped());
    }
    assert_eq!(world.state_of(&texts, 0), (ExtractionState::Queued, 8));
    world.clock.leap(3_700 * 1_000_000);
    assert_eq!(world.memory.work(100).unwrap().turns, 1);
    assert_eq!(world.state_of(&texts, 0).0, ExtractionState::Done);
}

#[test]
fn where_nobody_answers_the_rest_of_the_queue_is_not_tried() {
    let world = World::new(ModelCaps::default());
    let texts: Vec<String> = (0..40)
        .map(|number| format!("I live in town {number}"))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    world.priya.append_to_learn(world.turns(&texts)).unwrap();
    world.script.then(Err(unavailable()));
    let worked = world.memory.work(1_000).unwrap();
    assert!(worked.is_stopped());
    assert_eq!(world.script.calls(), 1);
    assert_eq!(
        world.state_of(&texts, 39),
        (ExtractionState::Queued, 0),
        "it keeps its tries"
    );
}

#[test]
fn one_useless_turn_takes_no_other_with_it() {
    let world = World::new(ModelCaps::default());
    let texts = ["I live in Munich", "something that the model chokes on"];
    for _ in 0..3 {
        world.script.then(Ok("no JSON"));
    }
    world.priya.learn(world.turns(&texts)).unwrap();
    assert_eq!(world.script.calls(), 3, "asked again with the error, twice");
    for round in 0..5 {
        world.clock.leap(3_700 * 1_000_000);
        if round == 0 {
            world
                .script
                .then(Ok(&city(0, "Munich", "I live in Munich")));
        }
        for _ in 0..3 {
            world.script.then(Ok("no JSON"));
        }
        world.memory.work(100).unwrap();
    }
    assert_eq!(world.city().as_deref(), Some("Munich"));
    assert_eq!(world.state_of(&texts, 1).0, ExtractionState::Dead);
    let dead = world.priya.dead_letters(10).unwrap();
    assert_eq!(dead.len(), 1);
    assert!(dead[0].error.as_deref().unwrap().contains("no JSON object"));

    world.script.answers.lock().unwrap().clear();
    world.priya.queue(&[dead[0].turn]).unwrap();
    world.memory.work(100).unwrap();
    assert_eq!(
        world.state_of(&texts, 1).0,
        ExtractionState::Done,
        "it can be read again"
    );
}

#[test]
fn a_cap_on_calls_parks_turns_until_the_next_day_and_says_so() {
    let world = World::new(ModelCaps {
        calls_a_day: Some(2),
        tokens_a_day: None,
    });
    for number in 0..2 {
        let mut turns = world.turns(&["I like tea"]);
        turns[0].key = TurnKey::At(number);
        world.priya.learn(turns).unwrap();
    }
    let mut turns = world.turns(&["I like tea"]);
    turns[0].key = TurnKey::At(7);
    let learned = world.priya.learn(turns).unwrap();
    let failure = learned.failure.unwrap();
    assert_eq!(failure.code(), "model_cap");
    assert_eq!(
        failure.to_string(),
        "the cap on calls of language models is reached: 2 a day"
    );
    assert_eq!(world.script.calls(), 2);
    let usage = world.memory.model_usage(start()).unwrap();
    assert_eq!(
        (
            usage[0].calls,
            usage[0].input_tokens,
            usage[0].output_tokens
        ),
        (2, 200, 20)
    );
    assert_eq!(usage[0].purpose, "extract");

    assert!(
        !world.priya.recall("tea").run().unwrap().is_empty(),
        "everything else works"
    );
    world.clock.leap(DAY_MICROS);
    assert_eq!(world.memory.work(100).unwrap().failure, None);
    assert_eq!(world.script.calls(), 3);
}

#[test]
fn a_cap_on_tokens_ends_what_it_can() {
    let world = World::new(ModelCaps {
        calls_a_day: None,
        tokens_a_day: Some(150),
    });
    world.priya.learn(world.turns(&["I like tea"])).unwrap();
    world
        .priya
        .learn(world.turns(&["I like tea", "I like jam"]))
        .unwrap();
    let learned = world
        .priya
        .learn(world.turns(&["I like tea", "I like jam", "I like rum"]))
        .unwrap();
    assert_eq!(learned.failure.unwrap().code(), "model_cap");
    assert_eq!(
        world.script.calls(),
        2,
        "110 tokens are under the cap, 220 are over"
    );
}

#[test]
fn callers_at_once_do_not_pass_a_cap_together() {
    let world = World::new(ModelCaps {
        calls_a_day: Some(5),
        tokens_a_day: None,
    });
    std::thread::scope(|scope| {
        for number in 0..12 {
            let world = &world;
            scope.spawn(move || {
                let mut turns = world.turns(&["I like tea"]);
                turns[0].session = SessionName::new(format!("s{number}")).unwrap();
                world.priya.learn(turns).unwrap();
            });
        }
    });
    assert_eq!(world.script.calls(), 5);
}

#[test]
fn a_text_to_remember_fails_whole_when_nobody_answers() {
    let world = World::new(ModelCaps::default());
    world.script.then(Err(unavailable()));
    let error = world.priya.remember("I live in Munich").unwrap_err();
    assert_eq!(error.code(), "model_unavailable");
    assert!(
        world.priya.recall("Munich").run().unwrap().is_empty(),
        "nothing is kept of it"
    );
}

const ROOM: &str = "The team meets on Mondays in room four";

fn judging() -> World {
    World::with(ModelPolicy {
        extracts: false,
        judges: true,
        folds: false,
        caps: ModelCaps::default(),
    })
}

fn verdict(word: &str) -> String {
    format!("{{\"verdicts\":[{{\"pair\":0,\"verdict\":\"{word}\"}}]}}")
}

#[test]
fn a_judge_says_what_words_cannot() {
    for (word, kind) in [
        ("same", DecisionKind::Skip),
        ("updates", DecisionKind::Update),
        ("contradicts", DecisionKind::Ask),
        ("unrelated", DecisionKind::Add),
    ] {
        let world = judging();
        world.priya.remember(ROOM).unwrap();
        assert_eq!(world.script.calls(), 0, "nothing to compare it with");
        world.script.then(Ok(&verdict(word)));
        let decided = world
            .priya
            .remember("The team meets on Mondays in the large hall")
            .unwrap();
        assert_eq!(decided[0].kind, kind, "{word}");
        assert_eq!(world.script.calls(), 1);
    }
}

#[test]
fn a_judge_that_does_not_answer_changes_nothing() {
    let world = judging();
    world.priya.remember(ROOM).unwrap();
    world.script.then(Err(unavailable()));
    let decided = world
        .priya
        .remember("The team meets on Mondays in the large hall")
        .unwrap();
    assert_eq!(decided[0].kind, DecisionKind::Add, "as without a judge");
    assert!(
        world.memory.take_judge_failure().is_some(),
        "it is told why"
    );
    assert_eq!(world.memory.take_judge_failure(), None, "once");
    let usage = world.memory.model_usage(start()).unwrap();
    assert_eq!((usage[0].purpose.as_str(), usage[0].calls), ("judge", 1));
}

#[test]
fn a_judge_is_asked_about_values_that_may_be_one() {
    let world = judging();
    let say = |text: &str, value: &str| {
        let note = Note::new(text)
            .key("user.hobby".parse().unwrap())
            .value(value);
        world.priya.remember(note).unwrap()[0].kind
    };
    assert_eq!(
        say("I paint landscapes in oil", "painting landscapes in oil"),
        DecisionKind::Add
    );
    world.script.then(Ok(&verdict("same")));
    assert_eq!(
        say("I do oil landscapes", "oil landscapes"),
        DecisionKind::Skip
    );
    assert_eq!(world.script.calls(), 1);
    assert_eq!(say("I sing", "singing"), DecisionKind::Add);
    assert_eq!(world.script.calls(), 1, "words can tell");
}

#[test]
fn a_secret_that_a_model_puts_together_reaches_no_disk() {
    let world = World::new(ModelCaps::default());
    let said = "Listen, my pass word is t-u-l-i-p 4 2, ok?";
    let fact = |attribute: &str, value: &str, statement: &str| {
        city(0, value, said)
            .replace("\"city\"", &format!("\"{attribute}\""))
            .replace(&format!("The user lives in {value}."), statement)
    };
    let token = format!("ghp_{}", "Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5");
    for (attribute, value, statement) in [
        ("password", "tulip42", "The user said a word."),
        ("word", "tulip42", "The user's password is tulip42."),
        ("like", "fado", &format!("The user's token is {token}")),
        ("token", &token, "The user has it."),
    ] {
        world.script.then(Ok(&fact(attribute, value, statement)));
        let mut turns = world.turns(&[said]);
        turns[0].key = TurnKey::Given(format!("{attribute} {value} {statement}"));
        let learned = world.priya.learn(turns).unwrap();
        assert_eq!(
            learned.decisions[0].kind,
            DecisionKind::Refuse,
            "{attribute}"
        );
    }
    for file in fs_err::read_dir(world.folder.path()).unwrap() {
        let bytes = fs_err::read(file.unwrap().path()).unwrap();
        for secret in ["tulip42", &token] {
            let is_there = bytes
                .windows(secret.len())
                .any(|part| part == secret.as_bytes());
            assert!(!is_there, "{secret}");
        }
    }
}

#[test]
fn an_empty_answer_is_asked_for_again() {
    let world = World::new(ModelCaps::default());
    world.script.then(Err(ModelError::Answer {
        why: "it is empty".to_owned(),
    }));
    world
        .script
        .then(Ok(&city(0, "Munich", "I live in Munich")));
    let learned = world
        .priya
        .learn(world.turns(&["I live in Munich"]))
        .unwrap();
    assert_eq!(learned.decisions[0].kind, DecisionKind::Add);
    assert!(world.script.asked.lock().unwrap()[1].contains("it is empty"));
}

#[test]
fn a_model_chooses_what_older_turns_came_to() {
    let world = World::with(ModelPolicy {
        extracts: false,
        judges: false,
        folds: true,
        caps: ModelCaps::default(),
    });
    let session = world.priya.session("trip");
    let at = ZonedTime::utc(start());
    let turns = (0_u64..64).map(|number| {
        let text = format!("We walked along street {number} and talked of gardens.");
        (TurnKey::At(number), Message::new(Role::User, text, at))
    });
    session.append(turns).unwrap();
    let fold = |session: &memoriter::Session| {
        session
            .assemble("And now?")
            .budget_tokens(600)
            .fold()
            .unwrap()
    };
    // One that does not answer is asked no more for now, and the forms of sentences choose.
    world.script.then(Err(ModelError::Unavailable {
        why: "busy".to_owned(),
    }));
    let first = fold(&session);
    assert_eq!(first.failure.unwrap().code(), "model_unavailable");
    assert_eq!(world.script.calls(), 1);
    assert!(first.made.len() > 1 && first.made.iter().all(|span| span.made_by == "cues-2"));
    // The next call asks again.
    let quote = "{\"items\":[{\"turn\":3,\"kind\":\"fact\",\"quote\":\"talked of gardens\"}]}";
    for _ in &first.made {
        world.script.then(Ok(quote));
    }
    let second = fold(&session);
    assert_eq!((second.failure, second.known), (None, 0));
    assert_eq!(second.made.len(), first.made.len());
    let chosen = &second.made[0].items;
    assert_eq!(
        (chosen[0].text.as_str(), chosen[0].turns[0].0),
        ("talked of gardens", 3)
    );
    let usage = world.memory.model_usage(start()).unwrap();
    assert!(
        usage
            .iter()
            .any(|row| row.purpose == "fold" && row.calls == 1 + second.made.len() as u64)
    );
    // What it chose stays, also where there is no model.
    assert_eq!(fold(&session).known, second.made.len());
    let plain = Memoriter::open(world.folder.path().join("memory.db")).unwrap();
    let without = fold(&plain.scope(Scope::user("priya")).session("trip"));
    assert_eq!((without.made.len(), without.known), (0, second.made.len()));
}
