use memoriter_core::error::InvalidInput;
use memoriter_core::memory::{Attempt, Kind, Memory, Outcome, STATEMENT_BYTES_MAX};
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::TURN_BYTES_MAX;
use memoriter_core::vector::QuantisedVector;
use memoriter_store::{
    EXTRACTION_ERROR_BYTES_MAX, ExtractionState, ExtractionUpdate, NewTurn, RecordRef, Store,
    StoreError, StoredVector, UsageRow, Write,
};

use super::{add, all, commit, get, insert, refused};
use crate::sample::Samples;

pub(super) fn what_is_over_a_limit_is_refused_whole(store: &dyn Store) {
    let (samples, scope) = (Samples::new(1), Scope::user("priya"));
    let longest = add(
        store,
        &samples.memory(&scope, &"x".repeat(STATEMENT_BYTES_MAX)),
    );
    assert_eq!(get(store, &scope, longest.id), Some(longest.clone()));
    let fine = samples.memory(&scope, "Fine.");
    for broken in [
        "x".repeat(STATEMENT_BYTES_MAX + 1),
        "a\0b".into(),
        " ".into(),
    ] {
        let error = refused(
            store,
            vec![insert(&fine), insert(&samples.memory(&scope, &broken))],
        );
        assert!(matches!(error, StoreError::Invalid(_)), "{error}");
    }
    let turn = |length| samples.turn(store.secret(), (&scope, "s"), "1", &"x".repeat(length));
    let error = refused(
        store,
        vec![Write::AppendTurn(Box::new(turn(TURN_BYTES_MAX + 1)))],
    );
    assert!(
        matches!(
            error,
            StoreError::Invalid(InvalidInput::OverLimit {
                limit: TURN_BYTES_MAX,
                ..
            })
        ),
        "{error}"
    );
    commit(
        store,
        vec![Write::AppendTurn(Box::new(turn(TURN_BYTES_MAX)))],
    );
    let crowd = vec![(RecordRef::Memory(longest.id), samples.vector("m")); 20_000];
    let error = refused(store, vec![Write::PutVectors(crowd)]);
    assert!(
        matches!(
            error,
            StoreError::Invalid(InvalidInput::OverLimit { field: "unit", .. })
        ),
        "{error}"
    );
    assert_eq!(all(store, &scope), [longest]);
}

pub(super) fn attempts_are_within_limits(store: &dyn Store) {
    let (samples, scope) = (Samples::new(6), Scope::user("priya"));
    let tried = samples.attempt(&scope, &"x".repeat(STATEMENT_BYTES_MAX), Outcome::Unknown);
    let longest = add(store, &tried);
    assert_eq!(get(store, &scope, longest.id), Some(longest.clone()));
    let with = |goal: &str, lesson: &str| Memory {
        attempt: Some(Attempt {
            goal: goal.to_owned(),
            outcome: Outcome::Failure,
            lesson: Some(lesson.to_owned()),
        }),
        ..samples.attempt(&scope, "", Outcome::Failure)
    };
    let long = "x".repeat(STATEMENT_BYTES_MAX + 1);
    let mut broken: Vec<Memory> = [" ", "a\0b", &long]
        .iter()
        .flat_map(|text| [with(text, "Fine."), with("Fine.", text)])
        .collect();
    for kind in [Kind::Semantic, Kind::Procedural] {
        broken.push(Memory {
            kind,
            ..with("Fine.", "Fine.")
        });
    }
    for memory in broken {
        let error = refused(store, vec![insert(&memory)]);
        assert!(matches!(error, StoreError::Invalid(_)), "{error}");
    }
    assert_eq!(all(store, &scope), [longest]);
}

pub(super) fn vectors_without_direction_are_refused(store: &dyn Store) {
    let (samples, scope) = (Samples::new(2), Scope::user("priya"));
    let good = samples.vector("m");
    let with = |scale, codes: &[i8]| StoredVector {
        vector: QuantisedVector {
            scale,
            codes: codes.into(),
        },
        ..good.clone()
    };
    let broken = [
        with(0.1, &[]),
        with(0.1, &[0; 256]),
        with(f32::NAN, &[1; 256]),
        with(0.0, &[1; 256]),
        with(f32::INFINITY, &[1; 256]),
    ];
    for vector in broken {
        let memory = Box::new(samples.memory(&scope, "Likes tea."));
        let error = refused(
            store,
            vec![Write::InsertMemory {
                memory,
                vector: Some(vector),
            }],
        );
        assert!(matches!(error, StoreError::Invalid(_)), "{error}");
    }
}

pub(super) fn a_model_has_one_length(store: &dyn Store) {
    let (samples, scope) = (Samples::new(3), Scope::user("priya"));
    let good = samples.vector("m");
    let put = |vector: &StoredVector, statement: &str| {
        vec![Write::InsertMemory {
            memory: Box::new(samples.memory(&scope, statement)),
            vector: Some(vector.clone()),
        }]
    };
    commit(store, put(&good, "Likes tea."));
    let codes: Box<[i8]> = [1; 255].into();
    let short = StoredVector {
        vector: QuantisedVector {
            codes,
            ..good.vector.clone()
        },
        ..good.clone()
    };
    let error = refused(store, put(&short, "Likes coffee."));
    assert!(
        matches!(
            error,
            StoreError::Invalid(InvalidInput::Malformed {
                field: "vector",
                ..
            })
        ),
        "{error}"
    );
    let other_model = StoredVector {
        model: memoriter_core::port::ModelName::new("n"),
        ..short
    };
    commit(store, put(&other_model, "Likes coffee."));
}

pub(super) fn what_the_books_keep_is_bounded(store: &dyn Store) {
    let (samples, scope) = (Samples::new(4), Scope::user("priya"));
    let turn = NewTurn {
        extract_at: Some(Timestamp::MIN),
        ..samples.turn(store.secret(), (&scope, "s"), "1", "Hello.")
    };
    commit(store, vec![Write::AppendTurn(Box::new(turn.clone()))]);
    let failed = |bytes| {
        Write::SetExtraction(ExtractionUpdate {
            turn: turn.id,
            read_attempts: 0,
            state: ExtractionState::Queued,
            due_at: Timestamp::MIN,
            attempts: 0,
            error: Some("x".repeat(bytes)),
            finished_at: None,
        })
    };
    let used = |bytes| {
        Write::CountUsage(UsageRow {
            day: 0,
            purpose: "x".repeat(bytes),
            calls: 1,
            input_tokens: 0,
            output_tokens: 0,
        })
    };
    let marked = |count| Write::Forget {
        scope: scope.clone(),
        marks: vec![b"x".to_vec(); count],
        at: Timestamp::MIN,
    };
    commit(store, vec![failed(EXTRACTION_ERROR_BYTES_MAX), used(256)]);
    let queue = Write::QueueExtraction {
        turns: vec![turn.id; 20_000],
        due_at: Timestamp::MIN,
    };
    for over in [
        failed(EXTRACTION_ERROR_BYTES_MAX + 1),
        failed(0),
        used(257),
        used(0),
        marked(20_000),
        queue,
    ] {
        let error = refused(store, vec![over]);
        assert!(matches!(error, StoreError::Invalid(_)), "{error}");
    }
}
