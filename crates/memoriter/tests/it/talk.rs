//! What the people of these tests say.

use memoriter::core::time::ZonedTime;
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Note, TurnDraft, TurnKey};

pub(crate) const CITIES: [&str; 4] = ["Berlin", "Munich", "Rome", "Oslo"];

/// Statements, changes, ends, requests, repetitions, and talk that says nothing.
pub(crate) const SENTENCES: &[&str] = &[
    "I live in Berlin",
    "I live in Munich. I live in Munich!",
    "I moved to Oslo",
    "I moved to Rome last week",
    "I no longer live in Berlin",
    "Forget where I live",
    "I have a dog",
    "I have a dog named Rex",
    "I have a cat and I'm allergic to nuts",
    "I no longer have a dog",
    "I'm allergic to shellfish",
    "I'm not allergic to nuts any more",
    "Please forget my nut allergy",
    "I'm vegetarian",
    "I don't eat meat, as I said",
    "I'm vegan",
    "Actually, I'm not vegan any more",
    "My sister lives in Munich",
    "My name is Priya",
    "Remember that the violin is in the attic",
    "I went to the museum yesterday",
    "Do I live in Berlin?",
    "The weather is fine.",
];

pub(crate) fn turn(
    session: &str,
    number: usize,
    role: Role,
    at: ZonedTime,
    sentence: usize,
) -> TurnDraft {
    TurnDraft {
        session: SessionName::new(session).unwrap(),
        key: TurnKey::At(number as u64),
        message: Message::new(role, SENTENCES[sentence], at),
    }
}

pub(crate) fn city(value: usize) -> Note {
    let value = CITIES[value];
    Note::new(format!("I live in {value}"))
        .key("user.city".parse().unwrap())
        .value(value)
}
