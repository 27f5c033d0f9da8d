//! `memoriter reindex`: vectors for what has none.

use clap::Args;
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{layout, progress};

/// Give every record a vector of the embedder in use, after choosing another one
#[derive(Args)]
#[command(after_help = "Example: memoriter reindex --embedder minilm:models/all-MiniLM-L6-v2")]
pub(super) struct ReindexArgs {}

#[derive(Serialize)]
struct ReindexWire {
    embedded: u64,
    without_vector: u64,
}

pub(super) fn run(context: &Context, _args: &ReindexArgs) -> Result<Answer, Failure> {
    let memory = context.open_existing()?;
    let bar = progress::records("embedding");
    let rebuilt = memory.reindex(&mut |done, of| {
        bar.set_length(of);
        bar.set_position(done);
    })?;
    bar.finish_and_clear();
    let wire = ReindexWire {
        embedded: rebuilt.embedded,
        without_vector: rebuilt.without_vector,
    };
    let embedded = layout::count(wire.embedded, "record", "records");
    let text = match wire.without_vector {
        0 => format!("{embedded} embedded"),
        others => format!(
            "{embedded} embedded; {others} are found by words alone, the embedder cannot read them"
        ),
    };
    Ok(Answer::new(&wire, text))
}
