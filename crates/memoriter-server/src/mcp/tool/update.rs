//! `update_memory`: a correction.

use std::str::FromStr;

use memoriter::core::id::MemoryId;
use memoriter::core::memory::{Attempt, Memory, Outcome};
use memoriter::core::provenance::Origin;
use memoriter::{Correction, ScopedMemory};
use serde_json::Value;

use super::forget::{may_look, own};
use super::json_of;
use crate::mcp::arguments::Arguments;
use crate::mcp::failure::Failure;
use crate::wire::Decided;

pub(super) fn call(
    memory: &ScopedMemory,
    origin: Origin,
    mut arguments: Arguments,
) -> Result<Value, Failure> {
    let id = MemoryId::from_str(&arguments.needed_text("id")?)?;
    let statement = arguments.needed_text("statement")?;
    let value = arguments.text("value")?;
    let versions = (1, u64::from(u32::MAX));
    let expected = arguments.whole("expect_version", versions, "a whole number, 1 or more")?;
    let outcome = arguments.word("outcome", Outcome::parse)?;
    let lesson = arguments.text("lesson")?;
    arguments.finish()?;

    let old = if may_look(memory) {
        Some(own(memory, id)?)
    } else {
        None
    };
    let correction = Correction {
        attempt: attempt(old.as_ref(), &statement, outcome, lesson),
        statement,
        value,
        expected_version: expected.map(|version| u32::try_from(version).expect("it has 32 bits")),
        told_at: None,
    };
    let decision = memory.update_as(id, &correction, origin)?;
    Ok(json_of(&Decided::of_found(memory, decision).wire()))
}

/// How the attempt went, where the call says so; what it does not name stays.
fn attempt(
    old: Option<&Memory>,
    statement: &str,
    outcome: Option<Outcome>,
    lesson: Option<String>,
) -> Option<Attempt> {
    if outcome.is_none() && lesson.is_none() {
        return None;
    }
    let known = old.and_then(|old| old.attempt.clone());
    let has_own_goal = |known: &&Attempt| old.is_some_and(|old| known.goal != old.statement);
    let goal = known
        .as_ref()
        .filter(has_own_goal)
        .map_or_else(|| statement.to_owned(), |known| known.goal.clone());
    Some(Attempt {
        goal,
        outcome: outcome
            .or(known.as_ref().map(|known| known.outcome))
            .unwrap_or(Outcome::Unknown),
        lesson: lesson.or_else(|| known.and_then(|known| known.lesson)),
    })
}
