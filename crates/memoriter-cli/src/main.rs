//! The `memoriter` command: takes words from the command line to the engine and what comes back to people
//! and programs.
//!
//! | module | holds |
//! |---|---|
//! | [`command`] | one file a command: its arguments, what it asks of the engine, how it tells the answer |
//! | [`config`] | flags, environment, file, defaults: the only place of the project that reads them |
//! | [`context`] | the open store, scope, clock and embedder that a command works with |
//! | [`output`], [`failure`], [`log`] | what is printed where, and the exit code |
//!
//! Rules of memory live in the engine; this crate has none. Nothing but [`output`] writes to standard
//! output.

mod clock;
mod command;
mod config;
mod context;
mod failure;
mod input;
mod layout;
mod log;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser;

use command::Cli;
use output::Form;

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => output::print(Form::of(&cli.global), command::run(&cli)),
        Err(error) => output::print_usage(&told_escaped().unwrap_or(error)),
    }
}

/// What is wrong with the command line, told of arguments without control characters: messages quote them.
fn told_escaped() -> Option<clap::Error> {
    let arguments = std::env::args_os().map(|argument| match argument.into_string() {
        Ok(text) => layout::escaped(&text).into(),
        Err(other) => other,
    });
    Cli::try_parse_from(arguments).err()
}
