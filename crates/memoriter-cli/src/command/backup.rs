//! `memoriter backup`: a copy of the tenant's store.

use std::path::PathBuf;

use clap::Args;
use memoriter::{BACKUP_LEAVES_OUT, Backup, Fault};
use serde::Serialize;

use super::verify;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{layout, progress};
use memoriter_server::wire::{self, DamageWire};

/// Copy the tenant's store into a new file, while others use it
///
/// The copy is of one moment, is checked from end to end and readable by its owner alone; docs/backup.md tells what it holds
/// and what it does not. `memoriter restore` puts it back. Ends with 1 when something in it is damaged.
#[derive(Args)]
#[command(after_help = "Example: memoriter backup monday.db")]
pub(super) struct BackupArgs {
    /// A file that is not there yet
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Serialize)]
struct BackupWire {
    file: String,
    bytes: u64,
    change: u64,
    memories: u64,
    turns: u64,
    attachments: u64,
    fields: u64,
    checkpoints: u64,
    left_out: [&'static str; 3],
    problems: Vec<DamageWire>,
}

pub(super) fn run(context: &Context, args: &BackupArgs) -> Result<Answer, Failure> {
    let memory = context.open_existing()?;
    let bar = progress::records("copying");
    let made = memory.backup(&args.file, &mut |done, of| {
        bar.set_length(of);
        bar.set_position(done);
    })?;
    bar.finish_and_clear();
    let checked = &made.verification;
    let wire = BackupWire {
        file: args.file.display().to_string(),
        bytes: made.bytes,
        change: made.change.0,
        memories: checked.memories,
        turns: checked.turns,
        attachments: checked.attachments,
        fields: checked.fields,
        checkpoints: checked.checkpoints,
        left_out: BACKUP_LEAVES_OUT,
        problems: wire::all(&checked.problems),
    };
    let answer = Answer::new(&wire, text(args, &made));
    Ok(if checked.problems.is_empty() {
        answer
    } else {
        answer.with_fault(Fault::Environment)
    })
}

fn text(args: &BackupArgs, made: &Backup) -> String {
    let file = layout::escaped(&args.file.display().to_string());
    let bytes = layout::bytes(made.bytes);
    let mut lines = vec![format!(
        "{file}: {bytes}; {}",
        verify::text(&made.verification)
    )];
    if !made.verification.problems.is_empty() {
        lines.push(
            "what is damaged in the store is so in the copy, which cannot be restored".into(),
        );
    }
    let left_out = BACKUP_LEAVES_OUT.iter();
    lines.extend(left_out.map(|what| format!("left out: {what}")));
    lines.join("\n")
}
