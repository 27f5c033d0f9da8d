//! Whatever the bytes, reading ends, without panic, in turns or in an error with a place.

use proptest::prelude::*;

use super::*;

const SEEDS: &[&str] = &[
    "{\"session\":\"s\",\"role\":\"user\",\"content\":\"Héllo \\ud83e\\udd80\",\"ts\":\"2026-03-01\"}\n\
     {\"session\":\"s\",\"role\":\"assistant\",\"content\":\"Hi\",\"tool_calls\":[{\"id\":1}]}\n",
    r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url"}],"created":1.5}]}"#,
    r#"[{"role":"assistant","content":[{"type":"tool_use","id":"1"},{"type":"tool_result","tool_use_id":"1"}]}]"#,
    published::LOCOMO,
    published::LONGMEMEVAL,
];

/// One place of a file, changed.
#[derive(Clone, Debug)]
enum Change {
    Set(u8),
    Delete(usize),
    Insert(&'static str),
    Truncate,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        any::<u8>().prop_map(Change::Set),
        (1..40_usize).prop_map(Change::Delete),
        prop::sample::select(vec![
            "{", "}", "[", "]", "\"", "\\", ",", ":", "null", "\n", "\0", "\\ud800", "1e999", "-"
        ])
        .prop_map(Change::Insert),
        Just(Change::Truncate),
    ]
}

fn apply(bytes: &mut Vec<u8>, at: usize, change: &Change) {
    let at = at % (bytes.len() + 1);
    match change {
        Change::Set(byte) => bytes
            .iter_mut()
            .skip(at)
            .take(1)
            .for_each(|place| *place = *byte),
        Change::Delete(count) => drop(bytes.drain(at..(at + count).min(bytes.len()))),
        Change::Insert(text) => drop(bytes.splice(at..at, text.bytes())),
        Change::Truncate => bytes.truncate(at),
    }
}

fn survives(bytes: &[u8]) {
    for format in Format::ALL {
        let (turns, error, _) = read_all(*format, bytes);
        for turn in turns {
            assert_eq!(turn.draft.message.check(), Ok(()));
            assert!(turn.place.line > 0);
        }
        if let Some(error) = error.as_ref().map(ToString::to_string) {
            assert!(
                error.starts_with("line ") || error == "the file holds no messages",
                "{error}"
            );
        }
    }
}

proptest! {
    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survives(&bytes);
    }

    #[test]
    fn random_json_like_text(text in r#"[\[\]{}",:\\a-c0-9 \n-]{0,120}"#) {
        survives(text.as_bytes());
    }

    #[test]
    fn good_files_gone_bad(
        seed in prop::sample::select(SEEDS),
        changes in prop::collection::vec((any::<prop::sample::Index>(), change()), 1..5),
    ) {
        let mut bytes = seed.as_bytes().to_vec();
        for (at, change) in &changes {
            let place = at.index(bytes.len() + 1);
            apply(&mut bytes, place, change);
        }
        survives(&bytes);
    }
}
