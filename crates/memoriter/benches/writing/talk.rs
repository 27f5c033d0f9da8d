//! What a file of conversations costs: to read for facts, to look for secrets, to learn.

use std::io::BufReader;
use std::path::Path;

use memoriter::core::extract::Heard;
use memoriter::core::extract::rules::Rules;
use memoriter::core::guard::Guard;
use memoriter::core::port::Extractor;
use memoriter::eval::{self, EvalConversation, Suite};
use memoriter::{Memoriter, Scope, ScopedMemory, TurnDraft, TurnKey};

use crate::meter::{Times, cost};

/// Bytes that the guard is given at a time.
const GUARDED_BYTES: usize = 4_096;
/// Turns that are learned one by one.
const SINGLE: usize = 500;

pub(crate) fn run(path: &Path) {
    let file = fs_err::File::open(path).expect("the file of conversations is there");
    let set = eval::open(Suite::Jsonl, BufReader::new(file)).expect("it can be read");
    let conversations: Vec<EvalConversation> = set
        .collect::<Result<_, _>>()
        .expect("it is in the normalised form");
    let turns = conversations.iter().map(|one| one.turns.len()).sum();
    println!("{} conversations, {turns} turns", conversations.len());
    rules(&conversations, turns);
    guard(&conversations);
    learn(&conversations, turns);
    learn_one_by_one(&conversations);
}

fn rules(conversations: &[EvalConversation], turns: usize) {
    let rules = Rules::new();
    let read = || {
        let candidates = conversations.iter().map(|conversation| {
            let heard: Vec<Heard<'_>> = conversation.turns.iter().map(heard).collect();
            rules.extract(&heard).map_or(0, |found| found.len())
        });
        candidates.sum::<usize>()
    };
    // The patterns are compiled with the first texts.
    read();
    let (candidates, wall, cpu) = cost(read);
    println!(
        "rules:              {:.0} turns/s, {candidates} candidates, CPU {:.3} ms a turn",
        turns as f64 / wall,
        cpu * 1e3 / turns as f64
    );
}

fn heard(turn: &eval::EvalTurn) -> Heard<'_> {
    let message = &turn.message;
    Heard {
        role: message.role,
        origin: message.origin,
        me: message.speaker_or_role(),
        text: &message.content,
        at: message.at,
    }
}

fn guard(conversations: &[EvalConversation]) {
    let guard = Guard::default();
    let mut texts = vec![String::new()];
    for turn in conversations.iter().flat_map(|one| &one.turns) {
        if texts.last().is_some_and(|text| text.len() >= GUARDED_BYTES) {
            texts.push(String::new());
        }
        if let Some(text) = texts.last_mut() {
            text.push_str(&turn.message.content);
            text.push('\n');
        }
    }
    let check = |number: usize| {
        if let Some(text) = texts.get(number) {
            std::hint::black_box(guard.check(text));
        }
    };
    Times::of(texts.len(), check);
    let bytes = texts.iter().map(String::len).sum::<usize>() / texts.len();
    let times = Times::of(texts.len(), check);
    println!("guard:              {} for {bytes} bytes", times.summary());
}

fn drafts(conversation: &EvalConversation) -> impl Iterator<Item = TurnDraft> + '_ {
    conversation.turns.iter().map(|turn| TurnDraft {
        session: turn.session.clone(),
        key: TurnKey::Given(turn.id.clone()),
        message: turn.message.clone(),
    })
}

/// A conversation at a time, with and without reading it for facts.
fn learn(conversations: &[EvalConversation], turns: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for learns in [false, true] {
        let file = folder.path().join(format!("{learns}.db"));
        let memory = Memoriter::open(file).expect("a new store opens");
        let ((), wall, cpu) = cost(|| {
            for conversation in conversations {
                let scope = memory.scope(Scope::user(&conversation.id));
                if learns {
                    scope.learn(drafts(conversation)).expect("within limits");
                } else {
                    scope.append(drafts(conversation)).expect("within limits");
                }
            }
        });
        let statistics = memory.statistics().expect("the store answers");
        let memories: u64 = statistics.memories.iter().map(|(_, count)| count).sum();
        println!(
            "{}  {:.3} ms a turn, CPU {:.3} ms; {:.3} memories a turn",
            if learns {
                "learn, in bulk:   "
            } else {
                "append, in bulk:  "
            },
            wall * 1e3 / turns as f64,
            cpu * 1e3 / turns as f64,
            memories as f64 / turns as f64
        );
    }
}

/// Each turn durable, read and decided on before the next one comes.
fn learn_one_by_one(conversations: &[EvalConversation]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let memory = Memoriter::open(folder.path().join("memory.db")).expect("a new store opens");
    let of_one = |one: &EvalConversation| {
        let scope = memory.scope(Scope::user(&one.id));
        drafts(one)
            .map(|turn| (scope.clone(), turn))
            .collect::<Vec<_>>()
    };
    let all = conversations.iter().flat_map(of_one);
    let turns: Vec<(ScopedMemory, TurnDraft)> = all.take(SINGLE).collect();
    let (times, _, cpu) = cost(|| {
        Times::of(turns.len(), |number| {
            if let Some((scope, turn)) = turns.get(number) {
                scope.learn([turn.clone()]).expect("within every limit");
            }
        })
    });
    println!(
        "learn, one by one:  {}, CPU {:.3} ms a turn",
        times.summary(),
        cpu * 1e3 / turns.len() as f64
    );
}
