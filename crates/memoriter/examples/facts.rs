//! A fact changes: the newest value is live, the ones before it stay as history.
//!
//! A key such as `user.city` holds one value. What a new statement does to it depends on the time from which it is
//! true, not on when it arrives: a later value replaces, an earlier one goes into history.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use memoriter::core::memory::FactKey;
use memoriter::core::time::ZonedTime;
use memoriter::{Decision, Memoriter, Note, Scope, ScopedMemory};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let memory = Memoriter::open(folder.path().join("memory.db"))?;
    let priya = memory.scope(Scope::user("priya"));

    for (said, city, since) in [
        ("I live in Berlin", "Berlin", "2025-02-01T00:00:00+01:00"),
        ("I moved to Munich", "Munich", "2026-03-01T00:00:00+01:00"),
        // Told last, true earliest.
        ("I grew up in Pune", "Pune", "1998-06-01T00:00:00+05:30"),
        // Nothing new: counted as a confirmation.
        ("I live in Munich", "munich", "2026-04-01T00:00:00+02:00"),
    ] {
        let decision = remember_city(&priya, said, city, since)?;
        println!(
            "{:<9} {said}: {}",
            decision.kind,
            decision.reason.sentence()
        );
    }

    println!("\nuser.city over time:");
    for version in priya.history_of_key(&city_key()?)? {
        let end = version
            .valid_to
            .map_or("now".to_owned(), |end| end.to_string());
        println!(
            "{:<10} {} to {end}: {}",
            version.state,
            version.valid_from,
            version.value_or_statement()
        );
    }

    let then = ZonedTime::parse("as_of", "2025-08-01T00:00:00Z")?;
    let hits = priya
        .recall("Which city does she live in?")
        .as_of(then.instant)
        .run()?;
    println!(
        "\nIn August 2025: {}",
        hits.first().map_or("nothing", |hit| hit.text())
    );
    Ok(())
}

fn remember_city(
    scope: &ScopedMemory,
    said: &str,
    city: &str,
    since: &str,
) -> Result<Decision, Box<dyn std::error::Error>> {
    let note = Note::new(said)
        .key(city_key()?)
        .value(city)
        .valid_from(ZonedTime::parse("valid_from", since)?);
    let decisions = scope.remember(note)?;
    decisions
        .into_iter()
        .next()
        .ok_or_else(|| "one decision a note".into())
}

fn city_key() -> Result<FactKey, memoriter::InvalidInput> {
    "user.city".parse()
}
