//! The bundled conversation.

use memoriter::core::turn::Role;

/// A conversation with an assistant.
pub(super) struct Session {
    pub(super) name: &'static str,
    pub(super) starts_at: &'static str,
    pub(super) turns: &'static [(Role, &'static str)],
}

/// The first of them, which is read twice.
pub(super) const FIRST: &Session = &Session {
    name: "piano",
    starts_at: "2026-01-12T19:00:00+01:00",
    turns: &[
        (
            Role::User,
            "I signed up for piano lessons with Mrs. Okafor, every Tuesday evening.",
        ),
        (Role::Assistant, "How lovely! Do you have a piano at home?"),
        (
            Role::User,
            "Not yet, I practise on my neighbour's old upright. My cat Biscuit sleeps on its lid.",
        ),
        (
            Role::Assistant,
            "Then Biscuit has found her concert hall. Is there a piece you dream of?",
        ),
        (
            Role::User,
            "Clair de Lune. I would love to play it at the summer recital.",
        ),
    ],
};

/// All of them, in order.
pub(super) const SESSIONS: &[&Session] = &[
    FIRST,
    &Session {
        name: "new-job",
        starts_at: "2026-02-03T20:30:00+01:00",
        turns: &[
            (
                Role::User,
                "Big news: I got the job at the aquarium, so I am leaving Berlin for Munich!",
            ),
            (Role::Assistant, "Congratulations! When do you start?"),
            (
                Role::User,
                "On the second of March. I will look after the jellyfish tanks.",
            ),
            (Role::Assistant, "And what becomes of the piano?"),
            (
                Role::User,
                "Mrs. Okafor knows a teacher in Munich, so I can keep going.",
            ),
        ],
    },
    &Session {
        name: "settling-in",
        starts_at: "2026-03-20T21:00:00+01:00",
        turns: &[
            (
                Role::User,
                "The movers dropped my bookshelf on the stairs yesterday. One side is split.",
            ),
            (Role::Assistant, "Oh no! Was anything else damaged?"),
            (Role::User, "Only my blue mug. They will pay for both."),
            (Role::Assistant, "At least that. How are the jellyfish?"),
            (
                Role::User,
                "Hungry! I feed them three times a day, and I have named the biggest one Umbrella.",
            ),
        ],
    },
];
