//! `memoriter mcp`: the memory as tools for a client of the Model Context Protocol.

use clap::Args;
use memoriter::core::provenance::Origin;
use memoriter::{Access, Fault, Right, Rights};
use memoriter_server::mcp::{Connection, ServeError, serve_stdio};
use serde_json::json;

use crate::context::Context;
use crate::failure::Failure;
use crate::log::{self, LogForm};
use crate::output::Answer;

/// Serve the memory to an AI application over standard input and output (MCP)
///
/// The application starts this command itself: docs/mcp.md has the settings for the usual ones. Whose memory it is comes
/// from --user and --agent, never from what the model says. Several may run on one store.
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter mcp
          memoriter mcp --user priya --agent tutor
          memoriter mcp --user priya --read-only

The tools: save_memory, search_memory, get_memory, update_memory, forget_memory, get_context.
What is saved counts as the agent's word; --origin user makes it the user's own, for a client that saves nothing but what
the user says.")]
pub(super) struct McpArgs {
    /// Only let it search and read
    #[arg(long)]
    read_only: bool,
    /// On whose word it saves: agent, user, operator, tool, document or web
    #[arg(long, default_value = "agent", value_parser = Origin::parse, conflicts_with = "read_only")]
    origin: Origin,
}

pub(super) fn run(context: &Context, args: &McpArgs) -> Result<Answer, Failure> {
    // Standard output is the client's.
    let _traces = log::start(LogForm::Quiet, None)?;
    let memory = if args.read_only {
        let reading = Access::new(None, Rights::of(&[Right::Read]));
        context.open_existing()?.granted(reading)
    } else {
        context.open_to_extract(None)?
    };
    let scope = context.own_scope(&memory)?;
    serve_stdio(Connection::new(scope).on_word_of(args.origin))
        .map_err(|error| not_served(&error))?;
    Ok(Answer::new(&json!({}), ""))
}

fn not_served(error: &ServeError) -> Failure {
    Failure::new(Fault::Environment, "not_served", error.to_string()).hint(
        "memoriter mcp is started by an AI application, which speaks first; docs/mcp.md says how",
    )
}
