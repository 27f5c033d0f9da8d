//! `memoriter verify`: is everything sound.

use clap::Args;
use memoriter::{Fault, Verification};
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{layout, progress};
use memoriter_server::wire::{self, DamageWire};

/// Check that the tenant's store is sound
///
/// The file's structure, every checksum and reference, and that the index equals the records. Ends with 1
/// when something is wrong.
#[derive(Args)]
#[command(after_help = "Example: memoriter verify")]
pub(super) struct VerifyArgs {}

#[derive(Serialize)]
struct VerifyWire {
    ok: bool,
    problems: Vec<DamageWire>,
    memories: u64,
    turns: u64,
    attachments: u64,
    fields: u64,
    checkpoints: u64,
}

pub(super) fn run(context: &Context, _args: &VerifyArgs) -> Result<Answer, Failure> {
    let memory = context.open_existing()?;
    let bar = progress::spinner("checking every record");
    let verification = memory.verify()?;
    bar.finish_and_clear();
    let wire = VerifyWire {
        ok: verification.problems.is_empty(),
        problems: wire::all(&verification.problems),
        memories: verification.memories,
        turns: verification.turns,
        attachments: verification.attachments,
        fields: verification.fields,
        checkpoints: verification.checkpoints,
    };
    let answer = Answer::new(&wire, text(&verification));
    Ok(if wire.ok {
        answer
    } else {
        answer.with_fault(Fault::Environment)
    })
}

/// What a check found, for people.
pub(super) fn text(verification: &Verification) -> String {
    let memories = layout::count(verification.memories, "memory", "memories");
    let turns = layout::count(verification.turns, "turn", "turns");
    let others = [
        (verification.attachments, "attachment", "attachments"),
        (verification.fields, "field", "fields"),
        (verification.checkpoints, "checkpoint", "checkpoints"),
    ];
    let others = others.into_iter().filter(|(count, ..)| *count > 0);
    let mut checked: Vec<String> = [memories, turns]
        .into_iter()
        .chain(others.map(|(count, one, many)| layout::count(count, one, many)))
        .collect();
    let last = checked.pop().unwrap_or_default();
    let checked = format!("{} and {last} checked", checked.join(", "));
    if verification.problems.is_empty() {
        return format!("ok: {checked}");
    }
    let problems = verification.problems.iter().map(layout::problem);
    let found = layout::count(verification.problems.len() as u64, "problem", "problems");
    let lines: Vec<String> = problems.chain([format!("{found}, {checked}")]).collect();
    lines.join("\n")
}
