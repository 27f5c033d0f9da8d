//! Results for people.

use memoriter::core::memory::Memory;
use memoriter::core::time::ZonedTime;
use memoriter::core::turn::Turn;
use memoriter::{Recalled, Recollection, Record, ScopedMemory};

use crate::layout;

use super::super::attempt::goal;
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
        let key = layout::one_line(&key.to_string(), NEIGHBOUR_CHARS_MAX);
        facts.push(format!("{key} = {value}"));
    }
    let attempt = memory.attempt.as_ref();
    facts.extend(attempt.map(|attempt| attempt.outcome.to_string()));
    facts.push(match memory.valid_to {
        Some(end) => format!(
            "true {} to {}",
            layout::day(memory.valid_from),
            layout::day(end)
        ),
        None => format!("true since {}", layout::day(memory.valid_from)),
    });
    facts.push(format!("{} by {}", memory.status, memory.origin));
    let mut lines = vec![facts.join(" · ")];
    let lesson = attempt.and_then(|attempt| attempt.lesson.as_deref());
    for (name, text) in [("goal", goal(memory)), ("lesson", lesson)] {
        lines.extend(text.map(|text| {
            let text = layout::one_line(text, layout::LISTED_CHARS_MAX);
            format!("{name}: {text}")
        }));
    }
    lines.push(format!("id {}", memory.id));
    lines
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

/// Who speaks, as shown, and where the words come from when they are not the speaker's own.
pub(in crate::command) fn speaker(turn: &Turn) -> String {
    let message = &turn.message;
    let name = layout::one_line(message.speaker_or_role(), NEIGHBOUR_CHARS_MAX);
    if message.origin == message.role.origin() {
        name
    } else {
        format!("{name} (from {})", message.origin)
    }
}

const NOTHING_BEARS: &str = "Nothing that is remembered bears on this question.";

/// Records were looked at, and none is an answer.
pub(super) fn nothing_bears(considered: usize) -> String {
    let looked_at = layout::count(considered as u64, "record was", "records were");
    format!(
        "{NOTHING_BEARS}\n{looked_at} looked at. Ask with words that were used, or see all: memoriter list"
    )
}

/// The filters leave nothing to look at.
pub(super) fn nothing_passes() -> String {
    format!("{NOTHING_BEARS}\nNo record passes the filters. Leave some of them out.")
}

/// There are records, and none as of the time that is asked about.
pub(super) fn nothing_then(as_of: Option<ZonedTime>, known_at: Option<ZonedTime>) -> String {
    match (as_of.map(layout::minute), known_at.map(layout::minute)) {
        (as_of, Some(known_at)) => {
            let was_true = as_of.map_or_else(String::new, |as_of| {
                format!(" that was true or said by {as_of}")
            });
            format!(
                "Nothing{was_true} had been written down by {known_at}.\n\
                 Leave --known-at out to ask by what is known now."
            )
        }
        (as_of, None) => format!(
            "Nothing that is remembered was true or said by {}.\nLeave --as-of out to ask about now.",
            as_of.unwrap_or_default()
        ),
    }
}

/// There are memories, and none of them answers now.
pub(super) fn nothing_is_live(memories: u64) -> String {
    let are_here = layout::count(memories, "memory is", "memories are");
    let verb = if memories == 1 {
        "it is not"
    } else {
        "none of them is"
    };
    format!("{NOTHING_BEARS}\n{are_here} here, {verb} live: memoriter list --all")
}

/// There is nothing at all.
pub(super) fn nothing_is_remembered(memory: &ScopedMemory) -> String {
    format!(
        "Nothing is remembered for {}.\nStart with: memoriter remember TEXT, or: memoriter ingest FILE",
        layout::one_line(&memory.scope().to_string(), NEIGHBOUR_CHARS_MAX)
    )
}
