//! `memoriter tools`: what a model may call to page its own context.

use clap::{Args, Subcommand};
use memoriter::core::turn::Shape;
use memoriter::tools;
use serde_json::{Value, json};

use crate::context::Context;
use crate::failure::Failure;
use crate::input;
use crate::output::Answer;

/// See or call the tools by which a model searches, fetches, pins and edits blocks
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter tools list --format openai
          memoriter tools call search '{\"query\": \"when is the exam?\"}'")]
pub(super) struct ToolsArgs {
    #[command(subcommand)]
    command: ToolsCommand,
}

#[derive(Subcommand)]
enum ToolsCommand {
    List(ListArgs),
    Call(CallArgs),
}

/// See the names, descriptions and JSON schemas
#[derive(Args)]
#[command(after_help = "Example: memoriter tools list --format anthropic")]
struct ListArgs {
    /// As a provider's API takes them: openai or anthropic [default: with `read_only`]
    #[arg(long, value_name = "FORMAT", value_parser = Shape::parse)]
    format: Option<Shape>,
}

/// Call a tool as a model would; the answer is JSON
#[derive(Args)]
#[command(after_help = "\
Example: memoriter tools call edit_block '{\"name\": \"persona\", \"text\": \"A patient tutor\", \"expected_version\": 0}'

What is written has origin agent, and stays in the scope that --user and --agent name.")]
struct CallArgs {
    /// The name of the tool
    #[arg(value_name = "NAME")]
    name: String,
    /// Its arguments as JSON; - reads standard input
    #[arg(value_name = "JSON")]
    arguments: String,
}

pub(super) fn run(context: &Context, args: &ToolsArgs) -> Result<Answer, Failure> {
    match &args.command {
        ToolsCommand::List(args) => {
            let tools = args
                .format
                .map_or_else(tools::definitions, tools::definitions_for);
            Ok(Answer::new(&json!({ "tools": tools }), pretty(&tools)))
        }
        ToolsCommand::Call(args) => {
            let arguments = input::json("arguments", &args.arguments)?;
            // What writes needs a store that is there: a pin or an edit is about what is known.
            let scope = context.own_scope(&context.open_existing()?)?;
            let answer = scope.tools().call(&args.name, &arguments)?;
            Ok(Answer::new(&answer, pretty(&answer)))
        }
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}
