//! `memoriter stats`: how much is there.

use std::collections::BTreeMap;

use clap::Args;
use memoriter::core::memory::State;
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::layout;
use crate::output::Answer;

/// See how much the tenant's store holds, all users together
#[derive(Args)]
#[command(after_help = "Example: memoriter stats")]
pub(super) struct StatsArgs {}

#[derive(Serialize)]
struct StatsWire {
    file: String,
    file_bytes: u64,
    encrypted: bool,
    memories: BTreeMap<&'static str, u64>,
    turns: u64,
    attachments: u64,
    sessions: u64,
    fields: u64,
    checkpoints: u64,
    scopes: u64,
    embedded: u64,
    embedder: String,
    change: u64,
}

pub(super) fn run(context: &Context, _args: &StatsArgs) -> Result<Answer, Failure> {
    let file = context.settings.store_file()?;
    let statistics = context.open_existing()?.statistics()?;
    let file_bytes = fs_err::metadata(&file)
        .map_err(|error| Failure::file(&error))?
        .len();
    let wire = StatsWire {
        file: file.display().to_string(),
        file_bytes,
        encrypted: statistics.is_encrypted,
        memories: statistics
            .memories
            .iter()
            .map(|(state, count)| (state.as_str(), *count))
            .collect(),
        turns: statistics.turns,
        attachments: statistics.attachments,
        sessions: statistics.sessions,
        fields: statistics.fields,
        checkpoints: statistics.checkpoints,
        scopes: statistics.scopes,
        embedded: statistics.embedded,
        embedder: statistics.model.as_str().to_owned(),
        change: statistics.head.0,
    };
    let text = text(&wire);
    Ok(Answer::new(&wire, text))
}

fn text(wire: &StatsWire) -> String {
    let states = State::ALL
        .iter()
        .map(|state| (state.as_str(), wire.memories.get(state.as_str()).copied()));
    let held = states
        .filter_map(|(state, count)| Some((state, count?)))
        .filter(|(_, count)| *count > 0);
    let memories: Vec<String> = held
        .map(|(state, count)| format!("{count} {state}"))
        .collect();
    let line = |name: &str, value: String| format!("{name:<13}{value}");
    [
        line(
            "memories",
            if memories.is_empty() {
                "none".to_owned()
            } else {
                memories.join(", ")
            },
        ),
        line(
            "turns",
            format!(
                "{} in {}",
                wire.turns,
                layout::count(wire.sessions, "session", "sessions")
            ),
        ),
        line("attachments", wire.attachments.to_string()),
        line(
            "state",
            format!(
                "{}, {}",
                layout::count(wire.fields, "field", "fields"),
                layout::count(wire.checkpoints, "checkpoint", "checkpoints")
            ),
        ),
        line("scopes", wire.scopes.to_string()),
        line(
            "embedded",
            format!("{} with {}", wire.embedded, wire.embedder),
        ),
        line(
            "file",
            format!(
                "{}, {}{}",
                wire.file,
                layout::bytes(wire.file_bytes),
                if wire.encrypted { ", encrypted" } else { "" }
            ),
        ),
        line("change", wire.change.to_string()),
    ]
    .join("\n")
}
