//! `memoriter export`: everything that is held about somebody, into a file.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use memoriter::{Exported, Fault, ScopedMemory};
use serde::Serialize;
use tempfile::NamedTempFile;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::{layout, progress};
use memoriter_server::wire::{self, CountsWire, DamageWire};

/// Bytes that are written at once.
const BUFFER_BYTES: usize = 256 * 1024;

/// Write everything that is held about the user into a file
///
/// Memories of every state, conversations, boards, checkpoints, the ledger: one JSON document a line, with a manifest and a checksum; docs/export.md describes them. What agents keep inside the
/// user is in it; --agent narrows it to one. The file is readable by its owner alone.
#[derive(Args)]
#[command(after_help = "\
Example: memoriter export --user priya priya.jsonl
         memoriter export - | gzip > me.jsonl.gz")]
pub(super) struct ExportArgs {
    /// A file that is not there yet; - is standard output
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Serialize)]
struct ExportWire {
    scope: Vec<String>,
    counts: CountsWire,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<DamageWire>,
}

pub(super) fn run(context: &Context, args: &ExportArgs) -> Result<Answer, Failure> {
    let is_piped = args.file == Path::new("-");
    if is_piped && context.is_json {
        let message =
            "with - the export itself goes to standard output, and --json has no place there";
        return Err(Failure::usage("file", message));
    }
    if !is_piped && args.file.exists() {
        let message = format!("{} is there already", args.file.display());
        return Err(Failure::new(Fault::Refused, "file_exists", message));
    }
    let memory = context.open_existing()?;
    let own = context.own_scope(&memory)?;
    let exported = if is_piped {
        write(&own, &mut io::stdout().lock())?
    } else {
        to_file(&own, &args.file)?
    };
    let wire = ExportWire {
        scope: own.scope().segments().map(str::to_owned).collect(),
        counts: CountsWire::from(&exported.counts),
        damaged: wire::all(&exported.damaged),
    };
    let told = text(&own, &exported);
    if memory.is_encrypted() {
        output::talk("the store is encrypted, and what is exported is not");
    }
    let answer = if is_piped {
        output::talk(&told);
        Answer::new(&wire, "")
    } else {
        Answer::new(&wire, told)
    };
    Ok(if exported.damaged.is_empty() {
        answer
    } else {
        answer.with_fault(Fault::Environment)
    })
}

/// The file gets its name when it is whole.
fn to_file(own: &ScopedMemory, path: &Path) -> Result<Exported, Failure> {
    let within = |error: &io::Error| Failure::file(error).within(&path.display().to_string());
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut file =
        NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(|error| within(&error))?;
    let exported = write(own, &mut file)?;
    file.as_file().sync_all().map_err(|error| within(&error))?;
    file.persist_noclobber(path)
        .map_err(|error| within(&error.error))?;
    Ok(exported)
}

fn write(own: &ScopedMemory, to: &mut dyn Write) -> Result<Exported, Failure> {
    let bar = progress::records("exporting");
    let mut to = BufWriter::with_capacity(BUFFER_BYTES, to);
    let exported = own.export(&mut to, &mut |done, of| {
        bar.set_length(of);
        bar.set_position(done);
    })?;
    bar.finish_and_clear();
    Ok(exported)
}

fn text(own: &ScopedMemory, exported: &Exported) -> String {
    let counts = counted(&exported.counts);
    let mut lines = vec![format!("exported of {}: {counts}", own.scope())];
    lines.extend(exported.damaged.iter().map(layout::damage));
    lines.join("\n")
}

/// `2 memories, 1 turn`.
pub(super) fn counted(counts: &memoriter::RecordCounts) -> String {
    let told = [
        (counts.memories, "memory", "memories"),
        (counts.sessions, "session", "sessions"),
        (counts.turns, "turn", "turns"),
        (counts.fields, "field", "fields"),
        (counts.checkpoints, "checkpoint", "checkpoints"),
        (counts.decisions, "decision", "decisions"),
    ];
    let some = told.into_iter().filter(|(count, ..)| *count > 0);
    let told: Vec<String> = some
        .map(|(count, one, many)| layout::count(count, one, many))
        .collect();
    if told.is_empty() {
        return "nothing".to_owned();
    }
    told.join(", ")
}
