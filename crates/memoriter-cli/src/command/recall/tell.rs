//! Results for people.

use memoriter::core::memory::Memory;
use memoriter::core::turn::Turn;
use memoriter::{Recalled, Recollection, Record, ScopedMemory};

use crate::layout;

use super::explain;

/// How much is told about each result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::command) enum Detail {
    /// What it says and where it comes from.
    Plain,
    /// And how its score came about.
    Explained,
}

/// Characters of a neighbouring turn that are shown.
const NEIGHBOUR_CHARS_MAX: usize = 100;
/// Indents what belongs to a result.
const INDENT: &str = "          ";

/// The results, numbered, and what could not be served.
pub(in crate::command) fn results_text(recollection: &Recollection, detail: Detail) -> String {
    let mut lines = Vec::new();
    for (index, recalled) in recollection.results.iter().enumerate() {
        let text = layout::one_line(recalled.text(), layout::LISTED_CHARS_MAX);
        lines.push(format!(
            "{:>2}  {:.2}  {}",
            index + 1,
            recalled.score,
            headline(recalled, &text)
        ));
        lines.extend(
            about(recalled)
                .into_iter()
                .map(|line| format!("{INDENT}{line}")),
        );
        if detail == Detail::Explained {
            lines.extend(
                explain::lines(recalled)
                    .into_iter()
                    .map(|line| format!("{INDENT}{line}")),
            );
        }
    }
    lines.extend(recollection.damaged.iter().map(layout::damage));
    if detail == Detail::Explained {
        lines.push(considered(recollection));
    }
    lines.join("\n")
}

fn considered(recollection: &Recollection) -> String {
    let looked_at = layout::count(recollection.considered as u64, "record was", "records were");
    format!(
        "{looked_at} looked at. Left out: what has too little to do with the question,\nsays the same as a result \
         above, or ranks lower than asked for."
    )
}

fn headline(recalled: &Recalled, text: &str) -> String {
    match &recalled.record {
        Record::Memory(_) => text.to_owned(),
        Record::Turn(turn) => format!("{}: {text}", speaker(turn)),
    }
}

fn about(recalled: &Recalled) -> Vec<String> {
    match &recalled.record {
        Record::Memory(memory) => about_memory(memory),
        Record::Turn(turn) => about_turn(turn, &recalled.neighbours),
    }
}

fn about_memory(memory: &Memory) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(key) = memory.fact_key() {
        let value = layout::one_line(memory.value_or_statement(), NEIGHBOUR_CHARS_MAX);
        facts.push(format!("{key} = {value}"));
    }
    facts.push(match memory.valid_to {
        Some(end) => format!(
            "true {} to {}",
            layout::day(memory.valid_from),
            layout::day(end)
        ),
        None => format!("true since {}", layout::day(memory.valid_from)),
    });
    facts.push(format!("{} by {}", memory.status, memory.origin));
    vec![facts.join(" · "), format!("id {}", memory.id)]
}

fn about_turn(turn: &Turn, neighbours: &[Turn]) -> Vec<String> {
    let mut lines = vec![format!(
        "session {} · turn {} · {}",
        layout::one_line(turn.session.as_str(), NEIGHBOUR_CHARS_MAX),
        turn.position,
        layout::minute(turn.message.at)
    )];
    for other in neighbours {
        let side = if other.position < turn.position {
            "before"
        } else {
            "after "
        };
        let text = layout::one_line(&other.message.content, NEIGHBOUR_CHARS_MAX);
        lines.push(format!("{side} {}: {text}", speaker(other)));
    }
    lines.push(format!("id {}", turn.id));
    lines
}

/// Who speaks, as shown.
pub(in crate::command) fn speaker(turn: &Turn) -> String {
    layout::one_line(turn.message.speaker_or_role(), NEIGHBOUR_CHARS_MAX)
}

/// Says why nothing came back and what to do.
pub(super) fn hint_for_nothing(
    memory: &ScopedMemory,
    recollection: &Recollection,
    filter_is_empty: bool,
) -> String {
    let nothing = "Nothing that is remembered bears on this question.\n";
    if recollection.considered > 0 {
        let looked_at = layout::count(recollection.considered as u64, "record was", "records were");
        return format!(
            "{nothing}{looked_at} looked at. Ask with words that were used, or see all: memoriter list"
        );
    }
    if !filter_is_empty {
        return format!("{nothing}No record passes the filters. Leave some of them out.");
    }
    format!(
        "Nothing is remembered for {}.\nStart with: memoriter remember TEXT, or: memoriter ingest FILE",
        layout::one_line(&memory.scope().to_string(), NEIGHBOUR_CHARS_MAX)
    )
}
