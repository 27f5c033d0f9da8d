//! `memoriter demo`: the whole idea on a bundled conversation, in a store that goes away.
//!
//! Clock and randomness are fixed, so that each run prints the same.

mod stage;
mod story;

use clap::Args;
use memoriter::core::provenance::Origin;
use memoriter::{Note, Recollection};
use serde::Serialize;
use serde_json::json;

use crate::failure::Failure;
use crate::output::Answer;
use memoriter_server::wire::{self, DecisionWire, MemoryWire, RecollectionWire, VersionsWire};

use super::decided;
use super::history;
use super::recall::{Detail, results_text};
use super::verify;
use memoriter_server::wire::Decided;

use stage::{Stage, Step, fact, key, midnight};

/// See the whole idea in a few seconds, in a temporary store
///
/// Conversations, facts that change, recall with its reasons, the past, forgetting. Your own store is not
/// touched.
#[derive(Args)]
#[command(after_help = "Example: memoriter demo")]
pub(super) struct DemoArgs {}

#[derive(Serialize)]
struct DemoWire {
    steps: Vec<Step>,
}

const INTRODUCTION: &str = "\
Priya talks to an assistant in three conversations, from January to March 2026. A language model forgets each of
them when it ends. This is what Memoriter keeps for it, in a store that is gone when the demo ends.";
const ENDING: &str = "\
Now yours: memoriter remember TEXT, memoriter ingest FILE, memoriter recall QUERY. See memoriter --help.";

pub(super) fn run(_args: &DemoArgs) -> Result<Answer, Failure> {
    let stage = Stage::new()?;
    let steps = vec![
        keep_conversations(&stage)?,
        remember_facts(&stage)?,
        hear_of_a_change(&stage)?,
        recall_fact(&stage)?,
        recall_episode(&stage)?,
        recall_by_time(&stage)?,
        recall_nothing(&stage)?,
        look_back(&stage)?,
        show_history(&stage)?,
        forget(&stage)?,
        verify(&stage)?,
    ];
    let told = steps
        .iter()
        .enumerate()
        .map(|(index, step)| step.text(index + 1));
    let text = [INTRODUCTION.to_owned()]
        .into_iter()
        .chain(told)
        .chain([ENDING.to_owned()]);
    let text = text.collect::<Vec<_>>().join("\n\n");
    Ok(Answer::new(&DemoWire { steps }, text))
}

fn keep_conversations(stage: &Stage) -> Result<Step, Failure> {
    let mut turns = 0;
    for session in story::SESSIONS {
        turns += stage.append(session)?;
    }
    let again = stage.append(story::FIRST)?;
    let text = format!(
        "{turns} turns in {} sessions are kept, word for word, with speaker, time and zone.\nReading the first one \
         again adds {again}.",
        story::SESSIONS.len()
    );
    let result =
        json!({ "sessions": story::SESSIONS.len(), "turns": turns, "turns_added_again": again });
    Ok(Step::new(
        "Conversations are kept",
        "memoriter ingest chat.jsonl",
        text,
        result,
    ))
}

fn remember_facts(stage: &Stage) -> Result<Step, Failure> {
    stage.go_to("2026-01-12T18:10:00Z");
    let notes = [
        fact("I live in Berlin", "user.city", "Berlin"),
        fact("I am a vegetarian", "user.diet", "vegetarian"),
    ];
    decided(
        stage,
        "Facts are written down under a key",
        "memoriter remember 'I live in Berlin' --key user.city --value Berlin",
        notes,
    )
}

fn hear_of_a_change(stage: &Stage) -> Result<Step, Failure> {
    stage.go_to("2026-03-20T20:10:00Z");
    let notes = [
        fact("I live in Munich now", "user.city", "Munich").valid_from(midnight("2026-02-28")),
        fact("My home is Munich", "user.city", "munich"),
        fact("I used to live in Hamburg", "user.city", "Hamburg")
            .valid_from(midnight("2021-05-01")),
        fact("Priya lives in Paris", "user.city", "Paris").origin(Origin::Web),
    ];
    decided(
        stage,
        "The world changes: each statement gets one decision, with its reason",
        "memoriter remember 'I live in Munich now' --key user.city --value Munich --valid-from 2026-02-28",
        notes,
    )
}

fn decided(
    stage: &Stage,
    title: &'static str,
    command: &'static str,
    notes: impl IntoIterator<Item = Note>,
) -> Result<Step, Failure> {
    let mut texts = Vec::new();
    let mut decisions: Vec<DecisionWire> = Vec::new();
    for note in notes {
        let statement = note.statement().to_owned();
        for decision in stage.priya.remember(note)? {
            let told = Decided::of(&stage.priya, decision);
            texts.push(format!(
                "\"{statement}\"\n  {}",
                decided::text(&told).replace('\n', "\n  ")
            ));
            decisions.push(told.wire());
        }
    }
    Ok(Step::new(
        title,
        command,
        texts.join("\n"),
        json!({ "decisions": decisions }),
    ))
}

fn recalled(
    title: &'static str,
    command: &'static str,
    recollection: &Recollection,
    detail: Detail,
) -> Step {
    let text = if recollection.results.is_empty() {
        format!(
            "Nothing. {} records were looked at, and none bears on the question.",
            recollection.considered
        )
    } else {
        results_text(recollection, detail)
    };
    Step::new(
        title,
        command,
        text,
        json!(RecollectionWire::from(recollection)),
    )
}

fn recall_fact(stage: &Stage) -> Result<Step, Failure> {
    stage.go_to("2026-03-21T09:00:00Z");
    let found = stage
        .priya
        .recall("Which city do I live in?")
        .top(1)
        .recollect()?;
    let title = "A question finds the fact, and says why";
    Ok(recalled(
        title,
        "memoriter recall 'Which city do I live in?' -k 1 --explain",
        &found,
        Detail::Explained,
    ))
}

fn recall_episode(stage: &Stage) -> Result<Step, Failure> {
    let found = stage
        .priya
        .recall("What happened to my bookshelf?")
        .top(1)
        .neighbours(2)
        .recollect()?;
    let title =
        "What was never written down as a fact is found in what was said, with the turns around it";
    let command = "memoriter recall 'What happened to my bookshelf?' -k 1 --neighbours 2";
    Ok(recalled(title, command, &found, Detail::Plain))
}

fn recall_by_time(stage: &Stage) -> Result<Step, Failure> {
    let found = stage
        .priya
        .recall("What was my big news in February?")
        .top(1)
        .neighbours(1)
        .recollect()?;
    let title = "Questions about a time look at the time";
    Ok(recalled(
        title,
        "memoriter recall 'What was my big news in February?' -k 1",
        &found,
        Detail::Plain,
    ))
}

fn recall_nothing(stage: &Stage) -> Result<Step, Failure> {
    let found = stage
        .priya
        .recall("How do I patent a windmill in Japan?")
        .recollect()?;
    let title = "When nothing bears on a question, nothing comes back";
    Ok(recalled(
        title,
        "memoriter recall 'How do I patent a windmill in Japan?'",
        &found,
        Detail::Plain,
    ))
}

fn look_back(stage: &Stage) -> Result<Step, Failure> {
    let then = midnight("2026-02-01").instant;
    let found = stage
        .priya
        .recall("Which city do I live in?")
        .top(1)
        .as_of(then)
        .recollect()?;
    let title = "The past can be asked";
    let command = "memoriter recall 'Which city do I live in?' -k 1 --as-of 2026-02-01";
    Ok(recalled(title, command, &found, Detail::Plain))
}

fn show_history(stage: &Stage) -> Result<Step, Failure> {
    let versions = stage.priya.history_of_key(&key("user.city"))?;
    let text = history::table(&versions, stage.priya.scope());
    let result = json!(VersionsWire {
        versions: wire::all(&versions)
    });
    Ok(Step::new(
        "Nothing true is overwritten",
        "memoriter history user.city",
        text,
        result,
    ))
}

fn forget(stage: &Stage) -> Result<Step, Failure> {
    let live = stage.priya.live_under(&key("user.diet"))?;
    let ids: Vec<_> = live.iter().map(|memory| memory.id).collect();
    stage.priya.retire(&ids)?;
    let found = stage.priya.recall("Am I a vegetarian?").recollect()?;
    let lines = live
        .iter()
        .map(|memory| format!("retired  {}", memory.statement));
    let text = lines.chain([format!(
        "\"Am I a vegetarian?\" now finds {} results.",
        found.results.len()
    )]);
    let text = text.collect::<Vec<_>>().join("\n");
    let result = json!({
        "retired": wire::all::<_, MemoryWire>(&live),
        "recall": RecollectionWire::from(&found),
    });
    Ok(Step::new(
        "What the user wants forgotten is not recalled again",
        "memoriter forget --key user.diet",
        text,
        result,
    ))
}

fn verify(stage: &Stage) -> Result<Step, Failure> {
    let verification = stage.memory.verify()?;
    let result = json!({
        "ok": verification.problems.is_empty(),
        "memories": verification.memories,
        "turns": verification.turns,
    });
    Ok(Step::new(
        "Everything can be checked",
        "memoriter verify",
        verify::text(&verification),
        result,
    ))
}
