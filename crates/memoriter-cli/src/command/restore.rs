//! `memoriter restore`: a backup in the place of the tenant's store.

use std::path::PathBuf;

use clap::Args;
use memoriter::store::InPlace;
use memoriter::{Fault, Restored};
use serde::Serialize;
use serde_json::{Map, Value};

use super::verify;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{layout, progress};

/// Put a backup of this store back into its place
///
/// The store may be gone or damaged; no other program may have it open. What was erased, forgotten or rejected since the
/// backup was made stays so; everything else is as the backup has it. The backup is checked from end to end first, and a
/// restore that is stopped leaves the store as it was. Ends with 1 where something needs a look; docs/backup.md tells more.
#[derive(Args)]
#[command(after_help = "Example: memoriter restore monday.db")]
pub(super) struct RestoreArgs {
    /// What `memoriter backup` wrote; the file stays as it is
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Serialize)]
struct RestoreWire {
    file: String,
    memories: u64,
    turns: u64,
    attachments: u64,
    fields: u64,
    checkpoints: u64,
    /// Whether what was erased since the backup is known, and so is away.
    erased_known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_because: Option<String>,
    /// What the backup had of it.
    erased: Map<String, Value>,
    retired: RetiredWire,
    kept: KeptWire,
    residue: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    put_aside: Option<String>,
}

#[derive(Serialize)]
struct RetiredWire {
    memories: u64,
    turns: u64,
}

#[derive(Serialize)]
struct KeptWire {
    tombstones: u64,
    receipts: u64,
    audit_lines: u64,
    receipts_left_out: u64,
}

pub(super) fn run(context: &Context, args: &RestoreArgs) -> Result<Answer, Failure> {
    let bar = progress::records("copying");
    let restored = context.restore(&args.file, &mut |done, of| {
        bar.set_length(of);
        bar.set_position(done);
    })?;
    bar.finish_and_clear();
    let needs_a_look = restored.residue > 0 || restored.put_aside.is_some();
    let answer = Answer::new(&wire(args, &restored), text(args, &restored));
    Ok(if needs_a_look {
        answer.with_fault(Fault::Environment)
    } else {
        answer
    })
}

fn wire(args: &RestoreArgs, restored: &Restored) -> RestoreWire {
    let checked = &restored.verification;
    let erased = restored.erased.listed().into_iter();
    let erased = erased.filter(|(_, count)| *count > 0);
    RestoreWire {
        file: args.file.display().to_string(),
        memories: checked.memories,
        turns: checked.turns,
        attachments: checked.attachments,
        fields: checked.fields,
        checkpoints: checked.checkpoints,
        erased_known: restored.knows_what_was_erased(),
        unknown_because: unknown_because(restored),
        erased: erased
            .map(|(name, count)| (name.to_owned(), count.into()))
            .collect(),
        retired: RetiredWire {
            memories: restored.retired_memories,
            turns: restored.retired_turns,
        },
        kept: KeptWire {
            tombstones: restored.carried.tombstones,
            receipts: restored.carried.receipts,
            audit_lines: restored.carried.audit_lines,
            receipts_left_out: restored.carried.left_out,
        },
        residue: restored.residue,
        put_aside: restored
            .put_aside
            .as_ref()
            .map(|path| path.display().to_string()),
    }
}

/// Why it is not known what was erased since.
fn unknown_because(restored: &Restored) -> Option<String> {
    match &restored.in_place {
        InPlace::Nothing => Some("there was no store in the place".to_owned()),
        InPlace::Damaged(why) => Some(format!("the store in the place was damaged: {why}")),
        InPlace::Store if restored.unread.is_empty() => None,
        InPlace::Store => Some(format!(
            "of the store in the place this could not be read: {}",
            restored.unread.join(", ")
        )),
    }
}

fn text(args: &RestoreArgs, restored: &Restored) -> String {
    let file = layout::escaped(&args.file.display().to_string());
    let mut lines = vec![format!(
        "restored from {file}; {}",
        verify::text(&restored.verification)
    )];
    match unknown_because(restored) {
        Some(why) => lines.push(format!(
            "what was erased after the backup was made is not known, and may be back: {}",
            layout::escaped(&why)
        )),
        None => lines.push(format!(
            "erased since, and away: {}; forgotten since: {}",
            layout::count(restored.erased.records(), "record", "records"),
            layout::count(
                restored.retired_memories + restored.retired_turns,
                "record",
                "records"
            ),
        )),
    }
    if restored.carried.left_out > 0 {
        lines.push(format!(
            "{} of the backup left out: the audit log of this store does not have their lines",
            layout::count(restored.carried.left_out, "receipt", "receipts")
        ));
    }
    if restored.residue > 0 {
        lines.push(
            "pieces of what was erased are in the restored file where no record has them"
                .to_owned(),
        );
    }
    if let Some(aside) = &restored.put_aside {
        let aside = layout::escaped(&aside.display().to_string());
        lines.push(format!(
            "the damaged store is now {aside}: nothing that is erased goes from it; delete it when you need it no longer"
        ));
    }
    lines.join("\n")
}
