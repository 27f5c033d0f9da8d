//! Random scripts: after each, the index answers what a scan over the rows answers, and no scope sees
//! another's records.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use memoriter::core::memory::State;
use memoriter::core::port::{Embedder, TextRole};
use memoriter::core::query::ParsedQuery;
use memoriter::core::rank::bm25;
use memoriter::core::rank::gate::Gate;
use memoriter::core::text::{Analyser, IndexedText, TokenClass, normalise};
use memoriter::core::time::{CalendarDay, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::core::vector::QuantisedVector;
use memoriter::provider::embed::StaticTable;
use memoriter::store::RecordRef;
use memoriter::store::index::ScoreParts;
use memoriter::{
    Correction, MasterKey, Memoriter, Note, Recalled, Record, Scope, ScopedMemory, TurnDraft,
    TurnKey,
};
use memoriter_testkit::{SeededEntropy, StepClock};
use proptest::prelude::*;

/// Names that are prefixes of each other or mean something to a query language.
const NAMES: [&str; 10] = [
    "1", "12", "a", "a%", "a_b", "a/b", "it's", "\"q\"", "🦀", "東京",
];
const TEXTS: [&str; 12] = [
    "I play the piano every Sunday",
    "My exam is on 14 March",
    "The piano teacher lives in Munich",
    "We moved to Berlin last week",
    "I'm allergic to peanuts",
    "the exam went well",
    "東京タワーに行きました",
    "東京tower2024年 was great",
    "Rex the dog ate my exam",
    "What time is it?",
    "snake_case and parseHttp",
    "🦀 and 👨‍👩‍👧 like GB/s",
];
const QUESTIONS: [&str; 6] = [
    "piano exam",
    "When is the exam?",
    "東京",
    "Where do we live in 2023?",
    "dog",
    "parse the tower",
];

#[derive(Clone, Debug)]
enum Step {
    Remember {
        scope: usize,
        text: usize,
        day: i8,
    },
    Keyed {
        scope: usize,
        value: usize,
        day: i8,
    },
    Correct {
        scope: usize,
        which: usize,
        text: usize,
    },
    Retire {
        scope: usize,
        which: usize,
    },
    Append {
        scope: usize,
        session: usize,
        text: usize,
        by_assistant: bool,
    },
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let scope = || 0..NAMES.len();
    let text = || 0..TEXTS.len();
    prop_oneof![
        4 => (scope(), text(), 1..28_i8).prop_map(|(scope, text, day)| Step::Remember { scope, text, day }),
        2 => (scope(), 0..4_usize, 1..28_i8).prop_map(|(scope, value, day)| Step::Keyed { scope, value, day }),
        1 => (scope(), 0..9_usize, text()).prop_map(|(scope, which, text)| Step::Correct { scope, which, text }),
        1 => (scope(), 0..9_usize).prop_map(|(scope, which)| Step::Retire { scope, which }),
        4 => (scope(), 0..2_usize, text(), any::<bool>())
            .prop_map(|(scope, session, text, by_assistant)| Step::Append { scope, session, text, by_assistant }),
        1 => Just(Step::Reopen),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn the_index_answers_what_a_scan_answers(steps in prop::collection::vec(step(), 1..50)) {
        check_script(&World::new(None), &steps);
    }

    #[test]
    fn so_does_the_index_of_an_encrypted_store(steps in prop::collection::vec(step(), 1..50)) {
        let world = World::new(Some(MasterKey::new([3; 32])));
        check_script(&world, &steps);
        prop_assert!(world.open().is_encrypted());
    }
}

fn check_script(world: &World, steps: &[Step]) {
    let mut memory = world.open();
    for (number, step) in steps.iter().enumerate() {
        if matches!(step, Step::Reopen) {
            drop(memory);
            memory = world.open();
        } else {
            apply(&memory, number, step);
        }
        // Some recalls while the script runs, so that the index grows in small steps.
        let scope = memory.scope(Scope::user(NAMES[number % NAMES.len()]));
        let question = QUESTIONS[number % QUESTIONS.len()];
        scope.recall(question).without_marking().run().unwrap();
    }
    let built = world.open();
    for name in NAMES {
        check_scope(
            &memory.scope(Scope::user(name)),
            &built.scope(Scope::user(name)),
        );
    }
    assert_eq!(memory.verify().unwrap().problems, []);
}

/// A folder with a store, a clock that ticks and a seed.
struct World {
    folder: tempfile::TempDir,
    clock: Arc<StepClock>,
    /// Of an encrypted store.
    key: Option<MasterKey>,
}

impl World {
    fn new(key: Option<MasterKey>) -> Self {
        let start = day(2023, 6, 1).instant;
        Self {
            folder: tempfile::tempdir().unwrap(),
            clock: Arc::new(StepClock::new(start, 1_000_000)),
            key,
        }
    }

    fn open(&self) -> Memoriter {
        let builder = Memoriter::builder()
            .clock(Arc::clone(&self.clock) as _)
            .entropy(Arc::new(SeededEntropy::new(7)));
        let builder = match &self.key {
            Some(key) => builder.encrypted(key.clone()),
            None => builder,
        };
        // A small budget, so that scopes are thrown out and loaded again.
        builder
            .index_bytes(200_000)
            .open(self.folder.path().join("memory.db"))
            .unwrap()
    }
}

fn day(year: i16, month: i8, day: i8) -> ZonedTime {
    ZonedTime::from_day(CalendarDay { year, month, day }).unwrap()
}

fn apply(memory: &Memoriter, number: usize, step: &Step) {
    match step {
        Step::Remember {
            scope,
            text,
            day: on,
        } => {
            let note = Note::new(TEXTS[*text]).valid_from(day(2023, 5, *on));
            memory
                .scope(Scope::user(NAMES[*scope]))
                .remember(note)
                .unwrap();
        }
        Step::Keyed {
            scope,
            value,
            day: on,
        } => {
            let value = ["Berlin", "Munich", "東京", "Oslo"][*value];
            let note = Note::new(format!("I live in {value}"))
                .key("user.city".parse().unwrap())
                .value(value);
            memory
                .scope(Scope::user(NAMES[*scope]))
                .remember(note.valid_from(day(2023, 5, *on)))
                .unwrap();
        }
        Step::Correct { scope, which, text } => {
            let scope = memory.scope(Scope::user(NAMES[*scope]));
            if let Some(old) = nth_live(&scope, *which) {
                let correction = Correction {
                    statement: TEXTS[*text].into(),
                    ..Correction::default()
                };
                // Another memory may say so already; then nothing changes.
                let _ = scope.update(old, &correction);
            }
        }
        Step::Retire { scope, which } => {
            let scope = memory.scope(Scope::user(NAMES[*scope]));
            if let Some(old) = nth_live(&scope, *which) {
                scope.retire(&[old]).unwrap();
            }
        }
        Step::Append {
            scope,
            session,
            text,
            by_assistant,
        } => {
            let role = if *by_assistant {
                Role::Assistant
            } else {
                Role::User
            };
            let turn = TurnDraft {
                session: SessionName::new(format!("s{session}")).unwrap(),
                key: TurnKey::Given(number.to_string()),
                message: Message::new(role, TEXTS[*text], day(2023, 5, 20)),
            };
            memory
                .scope(Scope::user(NAMES[*scope]))
                .append([turn])
                .unwrap();
        }
        Step::Reopen => {}
    }
}

fn nth_live(scope: &ScopedMemory, which: usize) -> Option<memoriter::core::id::MemoryId> {
    let page = scope.list(&[State::Live], None, 100).unwrap();
    page.memories.get(which).map(|memory| memory.id)
}

/// `scope` has an index that grew with the script, `fresh` one that is built at once.
fn check_scope(scope: &ScopedMemory, fresh: &ScopedMemory) {
    let rows = Rows::of(scope);
    for question in QUESTIONS {
        let ask = |scope: &ScopedMemory| {
            scope
                .recall(question)
                .top(200)
                .gate(Gate::OPEN)
                .without_marking()
                .recollect()
                .unwrap()
        };
        let (grown, built) = (ask(scope), ask(fresh));
        let (one, other) = (timeless(&grown.results), timeless(&built.results));
        assert_eq!(
            one, other,
            "an index that grew and one built at once differ for {question}"
        );
        assert_eq!(
            grown.considered,
            rows.0.len(),
            "records of other scopes were scored"
        );
        assert_eq!(texts(&grown.results), rows.texts(), "{question}");
        for hit in &grown.results {
            let row = rows
                .0
                .iter()
                .find(|row| row.record == record_of(hit))
                .expect("a result is a row of the scope");
            let (lex, sem) = rows.scan(question, row);
            assert!(
                (hit.parts.lex - lex).abs() < 1e-5,
                "lex of {:?}: {} and {lex}",
                row.said,
                hit.parts.lex
            );
            assert!(
                (hit.parts.sem - sem).abs() < 1e-3,
                "sem of {:?}: {} and {sem}",
                row.said,
                hit.parts.sem
            );
        }
    }
}

/// Results without what the ticking clock changes.
fn timeless(results: &[Recalled]) -> Vec<(RecordRef, ScoreParts)> {
    results
        .iter()
        .map(|hit| {
            (
                record_of(hit),
                ScoreParts {
                    recency: 0.0,
                    ..hit.parts
                },
            )
        })
        .collect()
}

fn texts(results: &[Recalled]) -> BTreeSet<String> {
    results.iter().map(|hit| normalise(hit.text())).collect()
}

fn record_of(hit: &Recalled) -> RecordRef {
    match &hit.record {
        Record::Memory(memory) => RecordRef::Memory(memory.id),
        Record::Turn(turn) => RecordRef::Turn(turn.id),
    }
}

/// Everything live in a scope, read from its lists.
struct Rows(Vec<Row>);

struct Row {
    record: RecordRef,
    said: String,
    counted: Vec<memoriter::core::text::TermHash>,
    length: f32,
    vector: Option<QuantisedVector>,
}

impl Rows {
    fn of(scope: &ScopedMemory) -> Self {
        let mut rows = Vec::new();
        for memory in scope.list(&[State::Live], None, 1_000).unwrap().memories {
            let key = memory
                .fact_key()
                .map(|key| (key.attribute(), memory.value.as_deref().unwrap_or_default()));
            let text = IndexedText {
                day: memory.valid_from.day(),
                speaker: None,
                text: &memory.statement,
                key,
                attempt: memory
                    .attempt
                    .as_ref()
                    .map(memoriter::core::memory::Attempt::borrowed),
            };
            rows.push(Row::new(RecordRef::Memory(memory.id), text));
        }
        for session in scope.sessions().unwrap() {
            let turns = scope.turns(&session.name, 0, 1_000).unwrap().rows;
            // What somebody asked to forget is recalled no more, though it stays in its session.
            for turn in turns.iter().filter(|turn| turn.retired_at.is_none()) {
                let message = &turn.message;
                let (day, speaker) = (message.at.day(), Some(message.speaker_or_role()));
                let text = IndexedText {
                    day,
                    speaker,
                    text: &message.content,
                    key: None,
                    attempt: None,
                };
                rows.push(Row::new(RecordRef::Turn(turn.id), text));
            }
        }
        Self(rows)
    }

    fn texts(&self) -> BTreeSet<String> {
        self.0.iter().map(|row| normalise(&row.said)).collect()
    }

    /// Share of the best word match and deviations of the cosine, straight from the formulas.
    fn scan(&self, question: &str, row: &Row) -> (f32, f32) {
        let query = ParsedQuery::parse(question, &Analyser::new()).unwrap();
        let count = self.0.len() as u64;
        let mean = self.0.iter().map(|row| row.length).sum::<f32>() / self.0.len() as f32;
        let (mut score, mut best) = (0.0, 0.0);
        for term in &query.terms {
            let holding = self
                .0
                .iter()
                .filter(|row| row.counted.contains(&term.term))
                .count() as u64;
            let weight = bm25::question_idf(count, holding) * f32::from(term.count);
            best += weight * (bm25::K1 + 1.0);
            let occurrences = row
                .counted
                .iter()
                .filter(|counted| **counted == term.term)
                .count();
            score += weight * bm25::saturation(occurrences as f32, row.length, mean);
        }
        let table = table();
        let sem = match (vector_of(table, question), &row.vector) {
            (Some(asked), _) if !table.reads(question) => (asked, None).1,
            (Some(asked), Some(vector)) => Some(table.calibration().standardise(asked.dot(vector))),
            (_, _) => None,
        };
        (
            if best > 0.0 { score / best } else { 0.0 },
            sem.unwrap_or(0.0),
        )
    }
}

impl Row {
    fn new(record: RecordRef, text: IndexedText<'_>) -> Self {
        let analyser = Analyser::new();
        let (frame, said) = text.parts();
        let (mut counted, mut length) = (Vec::new(), 1.0);
        for part in [frame.as_str(), said] {
            analyser.analyse(part, |token| {
                counted.push(analyser.term(token.word));
                length += if token.class == TokenClass::Stop {
                    0.0
                } else {
                    1.0
                };
            });
        }
        let vector = vector_of(table(), &text.spoken());
        Self {
            record,
            said: said.to_owned(),
            counted,
            length,
            vector,
        }
    }
}

/// The built-in table, read once.
fn table() -> &'static StaticTable {
    static TABLE: OnceLock<StaticTable> = OnceLock::new();
    TABLE.get_or_init(StaticTable::new)
}

fn vector_of(table: &StaticTable, text: &str) -> Option<QuantisedVector> {
    let vectors = table.embed(&[text], TextRole::Record).unwrap();
    vectors[0].as_ref().map(QuantisedVector::quantise)
}
