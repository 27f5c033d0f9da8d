//! `memoriter eval cri`: what is remembered of a long conversation against what is true.

use std::collections::BTreeMap;
use std::sync::Arc;

use memoriter::core::memory::Memory;
use memoriter::core::time::Timestamp;
use memoriter::eval::cri::{self, Cri, CriReport, ExampleRow, Remembered, Verdict};
use memoriter::{Memoriter, PAGE_MAX, Scope, ScopedMemory, SeededEntropy, TurnDraft, TurnKey};

use crate::clock::SetClock;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::{input, layout, progress};

use super::{EvalArgs, SEED};

/// Reads the conversation in the order of its days and tells what came of it. The folder has the two files of a
/// persona.
pub(super) fn run(context: &Context, args: &EvalArgs) -> Result<Answer, Failure> {
    let folder = &args.file;
    let within = |error: Failure| error.within(&folder.display().to_string());
    let set = Cri::read(
        input::open(&folder.join("conversations.jsonl"))?,
        input::open(&folder.join("ground_truth.json"))?,
    );
    let mut set = set.map_err(|error| within(Failure::from(error)))?;
    if args.named {
        set = set.named();
    }
    let kept = tempfile::tempdir().map_err(|error| Failure::file(&error))?;
    let start = set.turns.first().map(|turn| turn.message.at.instant);
    let clock = Arc::new(SetClock::new(start.unwrap_or(Timestamp::from_micros(0))));
    let builder = Memoriter::builder()
        .embedder(context.settings.build_embedder()?)
        .clock(Arc::clone(&clock) as Arc<_>)
        .entropy(Arc::new(SeededEntropy::new(SEED)));
    let memory = context
        .settings
        .extracting(builder, args.extract)?
        .open(kept.path().join("eval.db"))?;
    let scope = memory.scope(Scope::user("1"));
    let names = learn(&scope, &clock, &set)?;
    let memories = all(&scope)?;
    let remembered = Remembered {
        memories: &memories,
        names: &names,
    };
    let report = cri::judge(&set, remembered);
    Ok(Answer::new(&report.to_json(), text(&report)))
}

/// Each turn at its time: what is "now" in it is now.
fn learn(
    scope: &ScopedMemory,
    clock: &SetClock,
    set: &Cri,
) -> Result<BTreeMap<memoriter::core::id::TurnId, String>, Failure> {
    let mut names = BTreeMap::new();
    let bar = progress::records("reading");
    bar.set_length(set.turns.len() as u64);
    for session in set.turns.chunk_by(|one, next| one.session == next.session) {
        if let Some(last) = session.last() {
            clock.set(last.message.at.instant);
        }
        let drafts = session.iter().map(|turn| TurnDraft {
            session: turn.session.clone(),
            key: TurnKey::Given(turn.id.clone()),
            message: turn.message.clone(),
        });
        let learned = scope.learn(drafts)?;
        match learned.failure {
            Some(failure) if failure.meets_everything() => return Err(failure.into()),
            Some(failure) => output::talk(&layout::escaped(&format!(
                "session {} is left unread: {failure}",
                session.first().map_or("", |turn| turn.session.as_str())
            ))),
            None => {}
        }
        bar.inc(session.len() as u64);
        let ids = learned.turns.iter().map(|turn| turn.id);
        names.extend(ids.zip(session.iter().map(|turn| turn.id.clone())));
    }
    Ok(names)
}

fn all(scope: &ScopedMemory) -> Result<Vec<Memory>, Failure> {
    let mut memories = Vec::new();
    let mut after = None;
    loop {
        let page = scope.list(&[], after, PAGE_MAX)?;
        memories.extend(page.memories);
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(memories),
        }
    }
}

fn text(report: &CriReport) -> String {
    let count = |verdict| report.count(verdict);
    let kept = report.profile.iter().filter(|row| row.has_key).count();
    let summary = format!(
        "{} turns, {} memories\nprofile: {} attributes, {kept} with a key; {} found, {} in part, {} wrong, {} absent",
        report.turns,
        report.memories,
        report.profile.len(),
        count(Verdict::Found),
        count(Verdict::Part),
        count(Verdict::Wrong),
        count(Verdict::Absent),
    );
    [
        summary,
        profile(report),
        changes(report),
        examples("noise", &report.noise),
        examples("signal", &report.signal),
    ]
    .join("\n\n")
}

fn profile(report: &CriReport) -> String {
    let mut table = layout::table(&["attribute", "live", "verdict"]);
    for row in &report.profile {
        let live = if row.has_key {
            layout::one_line(&row.live.join(", "), layout::LISTED_CHARS_MAX)
        } else {
            "no key".to_owned()
        };
        table.add_row([row.attribute.clone(), live, row.verdict.as_str().to_owned()]);
    }
    layout::render(&table)
}

fn changes(report: &CriReport) -> String {
    let mut table = layout::table(&["change", "new since", "old until"]);
    for row in &report.changes {
        let told = |day: Option<memoriter::core::time::CalendarDay>, is_right: bool| match day {
            Some(day) if is_right => format!("{day}"),
            Some(day) => format!("{day} (not in its days)"),
            None => "-".to_owned(),
        };
        let change = layout::one_line(&format!("{}: {}", row.attribute, row.new), 40);
        let (since, until) = (
            told(row.since, row.starts_right),
            told(row.until, row.ends_right),
        );
        table.add_row([change, since, until]);
    }
    layout::render(&table)
}

fn examples(what: &str, rows: &[ExampleRow]) -> String {
    let said: Vec<&ExampleRow> = rows.iter().filter(|row| row.is_said).collect();
    let stored: Vec<&&ExampleRow> = said.iter().filter(|row| !row.stored.is_empty()).collect();
    let mut lines = vec![format!(
        "{what}: {} texts, {} said, of {} something is stored",
        rows.len(),
        said.len(),
        stored.len()
    )];
    for row in stored {
        let said = layout::one_line(&row.text, 40);
        let of = layout::one_line(&row.stored.join(" / "), 60);
        lines.push(format!("  {said}: {of}"));
    }
    lines.join("\n")
}
