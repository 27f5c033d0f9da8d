//! The commands. To add one: a file beside the others with its arguments and `run`, a variant of [`Command`]
//! and an arm in [`run`].

mod attempt;
mod backup;
mod config;
mod context;
mod decided;
mod demo;
mod erase;
mod eval;
mod export;
mod filter;
mod forget;
mod history;
mod import;
mod ingest;
mod key;
mod list;
mod mcp;
mod recall;
mod receipt;
mod reindex;
mod remember;
mod restore;
mod review;
mod serve;
mod session;
mod show;
mod stats;
mod tools;
mod update;
mod verify;
mod work;

use clap::{Parser, Subcommand};

use crate::config::GlobalArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;

/// Memory for AI agents: keeps conversations, remembers facts, recalls what bears on a question, forgets on
/// request. One file on this machine; no key, service or download.
#[derive(Parser)]
#[command(name = "memoriter", version, arg_required_else_help = true, after_help = GUIDE)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

const GUIDE: &str = "\
Start here:
  memoriter demo                                   the whole idea in a few seconds, nothing is kept
  memoriter remember 'My exam is on 14 March'      write something down
  memoriter ingest chat.jsonl                      keep a conversation
  memoriter recall 'when is the exam?'             what bears on a question
  memoriter context 'What now?' --session work     what a model should read to answer

Exit codes: 0 done, 1 failed, 2 wrong usage or input, 3 not found, 4 refused.
Settings come from flags, MEMORITER_... variables and a file; `memoriter config check` shows them.";

#[derive(Subcommand)]
enum Command {
    Demo(demo::DemoArgs),
    Ingest(ingest::IngestArgs),
    Remember(remember::RememberArgs),
    Recall(recall::RecallArgs),
    List(list::ListArgs),
    Show(show::ShowArgs),
    History(history::HistoryArgs),
    Update(update::UpdateArgs),
    Forget(forget::ForgetArgs),
    Erase(erase::EraseArgs),
    Receipt(receipt::ReceiptArgs),
    Review(review::ReviewArgs),
    Session(session::SessionArgs),
    Context(context::ContextArgs),
    Tools(tools::ToolsArgs),
    Work(work::WorkArgs),
    Mcp(mcp::McpArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
    Backup(backup::BackupArgs),
    Restore(restore::RestoreArgs),
    Stats(stats::StatsArgs),
    Verify(verify::VerifyArgs),
    Reindex(reindex::ReindexArgs),
    Serve(serve::ServeArgs),
    Key(key::KeyArgs),
    Eval(eval::EvalArgs),
    Config(config::ConfigArgs),
}

/// Carries out what the command line asks for.
pub(crate) fn run(cli: &Cli) -> Result<Answer, Failure> {
    let context = Context::new(&cli.global)?;
    match &cli.command {
        Command::Demo(args) => demo::run(args),
        Command::Ingest(args) => ingest::run(&context, args),
        Command::Remember(args) => remember::run(&context, args),
        Command::Recall(args) => recall::run(&context, args),
        Command::List(args) => list::run(&context, args),
        Command::Show(args) => show::run(&context, args),
        Command::History(args) => history::run(&context, args),
        Command::Update(args) => update::run(&context, args),
        Command::Forget(args) => forget::run(&context, args),
        Command::Erase(args) => erase::run(&context, args),
        Command::Receipt(args) => receipt::run(&context, args),
        Command::Review(args) => review::run(&context, args),
        Command::Work(args) => work::run(&context, args),
        Command::Mcp(args) => mcp::run(&context, args),
        Command::Export(args) => export::run(&context, args),
        Command::Import(args) => import::run(&context, args),
        Command::Backup(args) => backup::run(&context, args),
        Command::Restore(args) => restore::run(&context, args),
        Command::Session(args) => session::run(&context, args),
        Command::Context(args) => context::run(&context, args),
        Command::Tools(args) => tools::run(&context, args),
        Command::Stats(args) => stats::run(&context, args),
        Command::Verify(args) => verify::run(&context, args),
        Command::Reindex(args) => reindex::run(&context, args),
        Command::Serve(args) => serve::run(context, args),
        Command::Key(args) => key::run(&context, args),
        Command::Eval(args) => eval::run(&context, args),
        Command::Config(args) => config::run(&context, args),
    }
}
