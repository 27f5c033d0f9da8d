//! Secrets in what is said, and in names.

use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{DecisionKind, Diagnose, Note, Reason, TurnDraft, TurnKey};

use crate::learning::{World, day, kinds};

#[test]
fn of_a_secret_nothing_lives_and_the_rest_does() {
    let world = World::new();
    let refused = (DecisionKind::Refuse, Reason::Secret);
    for text in [
        "My password is tulip42, remember it.",
        "remember that my pin is 4488",
    ] {
        let decided = world.priya.remember(text).unwrap();
        assert_eq!(kinds(&decided), [refused], "{text}");
        let live = world.priya.list(&[], None, 100).unwrap().memories;
        assert_eq!(live, [], "{text}");
    }
    let named = Note::new("tulip42").key("user.password".parse().unwrap());
    assert_eq!(kinds(&world.priya.remember(named).unwrap()), [refused]);
    assert_eq!(world.priya.list(&[], None, 100).unwrap().memories, []);
    let both = "My password is tulip42. The boiler is serviced in May.";
    let decided = world.priya.remember(both).unwrap();
    assert_eq!(
        decided.last().map(|one| (one.kind, one.reason)),
        Some(refused)
    );
    let kept = world.priya.get(decided[0].id.unwrap()).unwrap();
    assert_eq!(kept.statement, "The boiler is serviced in May.");
    let mixed = "I live in Bremen and my password is tulip42";
    let decided = world.priya.remember(mixed).unwrap();
    assert_eq!(decided.len(), 2, "{decided:?}");
    assert_eq!(world.live("user.city"), ["Bremen"]);
    let heard = world.hear(&[(Role::User, 1, "My password is tulip42.")]);
    assert_eq!(kinds(&heard), [refused]);
    let turn = world
        .priya
        .turns(&SessionName::new("chat").unwrap(), 0, 9)
        .unwrap();
    assert!(turn.rows[0].message.content.contains("[secret:password]"));
}

#[test]
fn names_that_hold_a_secret_are_refused_by_the_field() {
    const SECRET: &str = "ghp_zQ8xK2mVw4TnR7yLsD1fGhJ5kP9bC3aE6uXo";
    let world = World::new();
    let turn = |session: &str, speaker: &str| {
        let mut message = Message::new(Role::User, "Hello", day(1));
        message.speaker = Some(speaker.to_owned());
        TurnDraft {
            session: SessionName::new(session).unwrap(),
            key: TurnKey::At(0),
            message,
        }
    };
    world.wait_for(10);
    let bad_user = world.memory.scope(memoriter::Scope::user(SECRET));
    let chat = world.priya.session(SECRET);
    let board = world.priya.session("chat").state();
    let tries = [
        (
            "session",
            world.priya.append([turn(SECRET, "Anna")]).map(|_| ()),
        ),
        (
            "speaker",
            world.priya.append([turn("chat", SECRET)]).map(|_| ()),
        ),
        ("user", bad_user.remember("I live in Bremen").map(|_| ())),
        ("session", chat.set_mode(memoriter::Mode::ReadOnly)),
        ("session", chat.state().set("goal", 1.into()).map(|_| ())),
        ("field", board.set(SECRET, 1.into()).map(|_| ())),
        ("actor", board.by(SECRET).set("goal", 1.into()).map(|_| ())),
    ];
    for (field, tried) in tries {
        let error = tried.unwrap_err();
        assert_eq!((error.code(), error.field()), ("secret_name", Some(field)));
        assert!(!error.to_string().contains("ghp_"), "{error}");
    }
    assert_eq!(world.priya.sessions().unwrap(), []);
}
