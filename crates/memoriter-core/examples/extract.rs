//! What the rules find: turns as JSON lines in, candidates as JSON lines out, the speed on standard error.
//!
//! ```text
//! echo '{"text": "I moved to Munich last week"}' | cargo run --release --example extract
//! ```
//!
//! A line may also say `me`, `role`, `origin` and `at`. The turns of a file are one session.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use memoriter_core::extract::Heard;
use memoriter_core::extract::rules::Rules;
use memoriter_core::port::Extractor;
use memoriter_core::provenance::Origin;
use memoriter_core::time::ZonedTime;
use memoriter_core::turn::Role;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let lines: Vec<Value> = io::stdin()
        .lock()
        .lines()
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect::<Result<_, io::Error>>()?;
    let turns = lines.iter().map(heard).collect::<Result<Vec<_>, _>>()?;
    let rules = Rules::new();
    #[expect(clippy::disallowed_methods, reason = "this measures")]
    let start = Instant::now();
    let candidates = rules.extract(&turns)?;
    let seconds = start.elapsed().as_secs_f64();
    let mut out = io::stdout().lock();
    for candidate in &candidates {
        let line = json!({
            "turn": candidate.turn,
            "action": format!("{:?}", candidate.action),
            "key": candidate.key.as_ref().map(ToString::to_string),
            "value": candidate.value,
            "statement": candidate.statement,
            "kind": format!("{:?}", candidate.kind),
            "valid_from": candidate.valid_from.map(|time| time.to_string()),
            "valid_to": candidate.valid_to.map(|time| time.to_string()),
            "made_by": candidate.made_by,
        });
        writeln!(out, "{line}")?;
    }
    #[expect(clippy::cast_precision_loss, reason = "a rate to look at")]
    let rate = turns.len() as f64 / seconds;
    writeln!(
        io::stderr(),
        "{} turns, {} candidates, {rate:.0} turns/s",
        turns.len(),
        candidates.len()
    )?;
    Ok(())
}

fn heard(line: &Value) -> Result<Heard<'_>, Box<dyn std::error::Error>> {
    let text = |name: &str| line.get(name).and_then(Value::as_str);
    let role = Role::parse(text("role").unwrap_or("user"))?;
    Ok(Heard {
        role,
        origin: text("origin").map_or(Ok(role.origin()), Origin::parse)?,
        me: text("me").unwrap_or("user"),
        text: text("text").unwrap_or_default(),
        at: ZonedTime::parse("at", text("at").unwrap_or("2026-03-10T09:30:00+01:00"))?,
    })
}
