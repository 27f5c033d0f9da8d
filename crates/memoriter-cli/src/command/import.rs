//! `memoriter import`: everything that was held about somebody, from a file.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use memoriter::{Diagnose, Error, Fault, Imported};

use super::export::counted;
use crate::config::{Key, Origin};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{layout, progress};
use memoriter_server::wire::ImportedWire;

/// Take in what `memoriter export` wrote
///
/// The whole file is checked before anything is written. What is there already stays as it is, and importing a file
/// again adds nothing. What was forgotten here stays forgotten. A file that this store did not write is only read:
/// its memories wait in `memoriter review`, unless --trust vouches for it. Ends with 4 where records are in conflict
/// with what is here; the others are taken in.
#[derive(Args)]
#[command(after_help = "\
Example: memoriter import me.jsonl
         memoriter --user priya import --trust from-the-old-machine.jsonl")]
pub(super) struct ImportArgs {
    /// A file of `memoriter export`; - is standard input. With --user it may be about somebody else
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Believe what the file says of origin, trust and state
    #[arg(long)]
    trust: bool,
}

pub(super) fn run(context: &Context, args: &ImportArgs) -> Result<Answer, Failure> {
    let is_piped = args.file == Path::new("-");
    // Looked for first: a name that is wrong should make no store.
    let file = if is_piped {
        None
    } else {
        Some(fs_err::File::open(&args.file).map_err(|error| Failure::file(&error))?)
    };
    let memory = context.open()?;
    let own = context.own_scope(&memory)?;
    let bar = progress::records("importing");
    let mut told = |done, of| {
        bar.set_length(of);
        bar.set_position(done);
    };
    let mut import = own.import().progress(&mut told);
    if args.trust {
        import = import.trusting();
    }
    if is_user_given(context) {
        import = import.mapped();
    }
    let imported = match file {
        Some(mut file) => import.read(&mut file),
        None => import.read(&mut spooled(context.settings.folder()?)?),
    };
    bar.finish_and_clear();
    let imported = imported.map_err(|error| not_imported(error, args))?;
    let answer = Answer::new(&ImportedWire::from(&imported), text(&imported, args.trust));
    Ok(if imported.conflicts == 0 {
        answer
    } else {
        answer.with_fault(Fault::Refused)
    })
}

/// What standard input brings, which has to be read twice: in a file without a name, readable by its owner alone, in the
/// folder of the stores. What is on this disk already comes nowhere else.
fn spooled(folder: &Path) -> Result<File, Failure> {
    let within = |error: &io::Error| Failure::file(error).within("keeping standard input");
    let mut file = tempfile::tempfile_in(folder).map_err(|error| within(&error))?;
    io::copy(&mut io::stdin().lock(), &mut file).map_err(|error| within(&error))?;
    Ok(file)
}

/// Whether the command line itself says whose memory it is: then a file about another is meant to become theirs.
fn is_user_given(context: &Context) -> bool {
    let mut written = context.settings.written.iter();
    written.any(|setting| setting.key == Key::User && setting.origin == Origin::Flag)
}

fn not_imported(error: Error, args: &ImportArgs) -> Failure {
    let hint = match error.code() {
        "other_scope" => "--user NAME takes the file in as the memory of NAME",
        "not_an_export" => "memoriter ingest reads files of conversations",
        _ => return Failure::from(error).within(&args.file.display().to_string()),
    };
    Failure::from(error)
        .within(&args.file.display().to_string())
        .hint(hint)
}

fn text(imported: &Imported, is_trusted: bool) -> String {
    let mut lines = vec![format!("added {}", counted(&imported.added))];
    let mut known = imported.known;
    known.scopes = 0;
    if known.total() > 0 {
        lines.push(format!("here already: {}", counted(&known)));
    }
    let forgotten = imported.forgotten;
    for (count, what) in [
        (forgotten, "forgotten on request, and so it stays"),
        (
            imported.refused,
            "would be nothing without a secret, which is not kept",
        ),
        (
            imported.left_out,
            "of the ledger of another store, left out",
        ),
        (
            imported.conflicts,
            "in conflict with what is here, which stays:",
        ),
    ] {
        if count > 0 {
            lines.push(format!(
                "{} {what}",
                layout::count(count, "record", "records")
            ));
        }
    }
    for clash in &imported.clashes {
        let (record, why) = (layout::escaped(&clash.record), layout::escaped(&clash.why));
        lines.push(format!("  line {}: {record}: {why}", clash.line));
    }
    if !imported.is_own && !is_trusted && imported.added.memories > 0 {
        lines.push(
            "this store did not write the file: memoriter review list shows what waits".to_owned(),
        );
    }
    lines.join("\n")
}
