//! A conversation is kept word for word, and found again by what it is about.
//!
//! Turns need no extraction to be recalled. The turn that answers shares no word with the question; it is found because
//! the turns before it do.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use memoriter::core::time::ZonedTime;
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{Memoriter, Scope, TurnDraft, TurnKey};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let memory = Memoriter::open(folder.path().join("memory.db"))?;
    let priya = memory.scope(Scope::user("priya"));

    let said = [
        (
            Role::User,
            "My piano recital is getting close and I am a bit nervous.",
        ),
        (Role::Assistant, "That is exciting! When is the recital?"),
        (Role::User, "On 14 March, in the old town hall."),
        (
            Role::User,
            "By the way, can you find me a lentil soup recipe?",
        ),
    ];
    let at = ZonedTime::parse("at", "2026-03-01T09:00:00+01:00")?;
    let session = SessionName::new("monday")?;
    let drafts = (0_u64..)
        .zip(said)
        .map(|(position, (role, content))| TurnDraft {
            session: session.clone(),
            key: TurnKey::At(position),
            message: Message::new(role, content, at),
        });
    let drafts: Vec<TurnDraft> = drafts.collect();
    let appended = priya.append(drafts.clone())?;
    println!(
        "{} turns are new",
        appended.iter().filter(|turn| turn.is_new).count()
    );
    // The same again, as after a crash: nothing is doubled.
    let again = priya.append(drafts)?;
    println!(
        "{} turns are new the second time",
        again.iter().filter(|turn| turn.is_new).count()
    );

    for question in [
        "When is my piano recital?",
        "Which recipe did I ask for?",
        "Who won the match?",
    ] {
        println!("\n{question}");
        for hit in priya.recall(question).top(3).run()? {
            let parts = hit.parts;
            println!("  {:.2}  {}", hit.score, hit.text());
            println!(
                "        words {:.2}, meaning {:.1}, context {:.1}",
                parts.lex, parts.sem, parts.context
            );
        }
    }
    Ok(())
}
