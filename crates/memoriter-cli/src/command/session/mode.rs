//! `memoriter session mode`: what a conversation has to do with what is remembered.

use clap::Args;
use memoriter::Mode;
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;

/// See or set what a conversation has to do with what is remembered
#[derive(Args)]
#[command(after_help = "\
full: what is remembered is read, and added to. read-only: it is read; nothing is learned from the conversation.
none: neither; the conversation stands by itself, and no other recalls its turns.

With --json: {\"session\", \"mode\"}.

Example: memoriter session mode work read-only")]
pub(super) struct ModeArgs {
    /// The name of the conversation
    #[arg(value_name = "SESSION")]
    session: String,
    /// full, read-only or none; left out, the mode is shown
    #[arg(value_name = "MODE", value_parser = Mode::parse)]
    mode: Option<Mode>,
}

#[derive(Serialize)]
struct ModeWire {
    session: String,
    mode: &'static str,
}

pub(super) fn run(context: &Context, args: &ModeArgs) -> Result<Answer, Failure> {
    let mode = if let Some(mode) = args.mode {
        let memory = context.open()?;
        let session = context.own_scope(&memory)?.session(&args.session);
        session.set_mode(mode)?;
        mode
    } else {
        let memory = context.open_or_empty()?;
        let session = context.own_scope(&memory)?.session(&args.session);
        session.kept_mode()?
    };
    let wire = ModeWire {
        session: args.session.clone(),
        mode: mode.as_str(),
    };
    Ok(Answer::new(&wire, mode.as_str()))
}
