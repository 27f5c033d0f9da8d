//! Laying out the next call of a long session.

use std::sync::Arc;

use memoriter::core::port::TokenCounter;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role};
use memoriter::provider::tokens::TokenizerChoice;
use memoriter::{Mode, Note, Scope, ScopedMemory, Session, TurnKey};

use crate::Bench;
use crate::corpus::{question, sentence};
use crate::meter::{Times, cost};

const MEMORIES: usize = 10_000;
/// How many of the memories are facts under a key.
const FACTS: usize = 200;
const TURNS: usize = 1_000;
const BUDGET_TOKENS: usize = 8_000;
const DESKS: usize = 200;

pub(crate) fn run(bench: &Bench) {
    let memory = bench.filled("desk.db", MEMORIES - FACTS);
    let scope = memory.scope(Scope::user("priya"));
    keep_facts(&scope);
    let session = scope.session("s1").mode(Mode::ReadOnly);
    talk(&session);
    for choice in TokenizerChoice::ALL {
        // Builds without the feature have the estimate alone.
        if let Ok(counter) = choice.build() {
            measure(&session, &counter);
        }
    }
}

fn keep_facts(scope: &ScopedMemory) {
    let facts = (0..FACTS).map(|number| {
        let key = format!("user.fact{number}")
            .parse()
            .expect("the key is valid");
        Note::new(sentence(number))
            .key(key)
            .value(number.to_string())
    });
    scope
        .remember_all(facts)
        .expect("the facts are within every limit");
}

fn talk(session: &Session) {
    let at = ZonedTime::utc(Timestamp::from_micros(0));
    let turns = (0..TURNS).map(|number| {
        let role = if number % 2 == 0 {
            Role::User
        } else {
            Role::Assistant
        };
        let text = format!("{} {}", sentence(number), sentence(number + TURNS));
        (TurnKey::At(number as u64), Message::new(role, text, at))
    });
    session
        .append(turns)
        .expect("the turns are within every limit");
}

fn measure(session: &Session, counter: &Arc<dyn TokenCounter>) {
    let lay_out = |number: usize| {
        let message = question(number);
        let assembly = session.assemble(&message).budget_tokens(BUDGET_TOKENS);
        let desk = assembly.token_counter(Arc::clone(counter)).run();
        desk.expect("the budget is large enough")
            .report
            .total_tokens
    };
    let tokens = lay_out(0);
    let measured = || {
        Times::of(DESKS, |number| {
            lay_out(number);
        })
    };
    let (times, _, cpu_seconds) = cost(measured);
    println!(
        "desk of {BUDGET_TOKENS} tokens ({tokens} used) by {}, {TURNS} turns, {MEMORIES} memories: {}  CPU {:.2} ms",
        counter.name(),
        times.summary(),
        cpu_seconds * 1e3 / DESKS as f64
    );
}
