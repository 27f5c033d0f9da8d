use memoriter_core::memory::{Memory, State};
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;
use memoriter_store::{Store, StoreError, TurnQuery, Write};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::{add, commit, get, insert, turns};
use crate::arbitrary;
use crate::sample::Samples;

const RECORDS: usize = 200;

/// Values that are the same in every run.
fn draw<T>(strategy: &impl Strategy<Value = T>) -> Vec<T> {
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), seed);
    (0..RECORDS)
        .map(|_| {
            strategy
                .new_tree(&mut runner)
                .expect("values can be drawn")
                .current()
        })
        .collect()
}

pub(super) fn any_memory_is_read_back_whole(store: &dyn Store) {
    let scope = Scope::user("東/京");
    for memory in draw(&arbitrary::memory(scope.clone())) {
        match store.commit(vec![insert(&memory)]) {
            Ok(committed) => {
                let stored = Memory {
                    change: committed.head,
                    ..memory.clone()
                };
                assert_eq!(get(store, &scope, memory.id), Some(stored));
            }
            Err(StoreError::Conflict { .. }) if memory.state == State::Live => {}
            Err(error) => panic!("{error}"),
        }
    }
}

pub(super) fn any_message_is_read_back_whole(store: &dyn Store) {
    let (samples, scope) = (Samples::new(2), Scope::user("priya"));
    let session = SessionName::new("🦀'").expect("the session's name is valid");
    for (key, message) in draw(&arbitrary::message()).into_iter().enumerate() {
        let mut turn = samples.turn(
            store.secret(),
            (&scope, session.as_str()),
            &key.to_string(),
            "x",
        );
        turn.message = message.clone();
        commit(store, vec![Write::AppendTurn(Box::new(turn.clone()))]);
        let scopes = [scope.clone()];
        let read = turns(
            store,
            TurnQuery::Ids {
                scopes: &scopes,
                ids: &[turn.id],
            },
        );
        assert_eq!(
            read.into_iter()
                .map(|turn| turn.message)
                .collect::<Vec<_>>(),
            [message]
        );
    }
}

pub(super) fn odd_text_is_kept_byte_for_byte(store: &dyn Store) {
    let (samples, scope) = (Samples::new(3), Scope::user("priya"));
    let odd = [
        "e\u{301}",
        "é",
        "\u{FEFF}bom",
        "\u{200D}\u{200B}x",
        "\u{202E}abc\u{202C}",
        "a\r\nb\rc\n",
        "\u{E0041}\u{E007F}x",
        "x\u{FFFF}",
        "\u{10FFFF}",
        "  x  ",
        "\t",
        "\u{1}\u{7F}x",
        "\u{85}x\u{2028}",
        "'\"`;--",
        "%_\\",
        "ﬁ",
        "İ",
        "ß",
        "🏳️\u{200D}🌈",
        "नमस्ते",
        "\u{FFFD}",
        "1e400",
        "NaN",
        "NULL",
    ];
    for text in odd.iter().filter(|text| !text.trim().is_empty()) {
        let memory = Memory {
            value: Some((*text).to_owned()),
            ..samples.memory(&scope, text)
        };
        let memory = Memory {
            state: State::Pending,
            actor: Some((*text).to_owned()),
            ..memory
        };
        let stored = add(store, &memory);
        let read = get(store, &scope, memory.id).expect("the memory is there");
        assert_eq!(read.statement.as_bytes(), text.as_bytes());
        assert_eq!(read, stored);
    }
}
