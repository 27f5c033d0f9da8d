use memoriter_core::id::TurnId;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_store::{
    Extraction, ExtractionQuery, ExtractionState, ExtractionUpdate, NewTurn, Outcome, Store,
    StoreError, Write,
};

use super::{all, commit, insert, refused, snapshot, sound};
use crate::sample::Samples;

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}

fn append(turn: &NewTurn) -> Write {
    Write::AppendTurn(Box::new(turn.clone()))
}

#[track_caller]
fn read(store: &dyn Store, query: ExtractionQuery<'_>) -> Vec<Extraction> {
    sound(
        snapshot(store)
            .extractions(query)
            .expect("the queue can be read"),
    )
}

#[track_caller]
fn due(store: &dyn Store, now: i64) -> Vec<Extraction> {
    read(
        store,
        ExtractionQuery::Due {
            now: at(now),
            limit: usize::MAX,
        },
    )
}

#[track_caller]
fn of_turn(store: &dyn Store, scope: &Scope, turn: TurnId) -> Option<Extraction> {
    let query = ExtractionQuery::Turns {
        scopes: std::slice::from_ref(scope),
        ids: &[turn],
    };
    read(store, query).pop()
}

/// The step that leaves the entry as it is.
fn step(entry: &Extraction) -> ExtractionUpdate {
    ExtractionUpdate {
        turn: entry.turn,
        read_attempts: entry.attempts,
        state: entry.state,
        due_at: entry.due_at,
        attempts: entry.attempts,
        error: entry.error.clone(),
        finished_at: entry.finished_at,
    }
}

fn lease(entry: &Extraction, until: i64) -> Write {
    Write::SetExtraction(ExtractionUpdate {
        due_at: at(until),
        attempts: entry.attempts + 1,
        ..step(entry)
    })
}

fn done(entry: &Extraction, now: i64) -> Write {
    Write::SetExtraction(ExtractionUpdate {
        state: ExtractionState::Done,
        finished_at: Some(at(now)),
        ..step(entry)
    })
}

fn dead(entry: &Extraction, now: i64) -> Write {
    Write::SetExtraction(ExtractionUpdate {
        state: ExtractionState::Dead,
        error: Some("the model is gone".into()),
        finished_at: Some(at(now)),
        ..step(entry)
    })
}

/// A turn of session "monday" that is queued for time 10, and its entry.
#[track_caller]
fn queued(store: &dyn Store, scope: &Scope) -> Extraction {
    let samples = Samples::new(9);
    let turn = NewTurn {
        extract_at: Some(at(10)),
        ..samples.turn(store.secret(), (scope, "monday"), "1", "I moved to Oslo.")
    };
    commit(store, vec![append(&turn)]);
    of_turn(store, scope, turn.id).expect("the turn is queued")
}

#[track_caller]
fn assert_taken(error: &StoreError, entry: &Extraction) {
    assert!(
        matches!(error, StoreError::Taken { turn } if *turn == entry.turn),
        "{error}"
    );
}

pub(super) fn a_new_turn_is_queued_with_it(store: &dyn Store) {
    let (samples, scope) = (Samples::new(1), Scope::user("priya"));
    let turns = [None, Some(10), Some(10)].map(|due_at| NewTurn {
        extract_at: due_at.map(at),
        ..samples.turn(
            store.secret(),
            (&scope, "monday"),
            if due_at.is_some() { "a" } else { "b" },
            "I moved.",
        )
    });
    let [unqueued, queued, again] = &turns;
    commit(store, vec![append(unqueued), append(queued)]);
    let expected = Extraction {
        turn: queued.id,
        scope: scope.clone(),
        session: queued.session.clone(),
        position: 1,
        state: ExtractionState::Queued,
        due_at: at(10),
        attempts: 0,
        error: None,
        finished_at: None,
    };
    assert_eq!(due(store, 10), std::slice::from_ref(&expected));
    assert_eq!(due(store, 9), []);
    // A turn that is known queues nothing, whether it was queued or not.
    let later = NewTurn {
        extract_at: Some(at(5)),
        ..unqueued.clone()
    };
    commit(store, vec![append(again), append(&later)]);
    assert_eq!(due(store, i64::MAX), [expected]);
    // Nor does a turn whose unit is refused.
    let refused_turn = NewTurn {
        extract_at: Some(at(1)),
        ..samples.turn(store.secret(), (&scope, "monday"), "c", "Well?")
    };
    let twice = insert(&samples.memory(&scope, "Likes tea."));
    refused(store, vec![append(&refused_turn), twice.clone(), twice]);
    assert_eq!(due(store, i64::MAX).len(), 1);
}

pub(super) fn due_extractions_come_in_order(store: &dyn Store) {
    let samples = Samples::new(2);
    let (priya, other) = (Scope::user("priya"), Scope::user("other"));
    // By time of arrival: session and position are the key.
    let arrived = [
        (&priya, "z", "0", 20),
        (&priya, "a", "0", 20),
        (&priya, "z", "1", 20),
        (&other, "z", "0", 30),
        (&priya, "a", "1", 20),
        (&priya, "a", "2", 10),
        (&other, "z", "1", 40),
    ];
    for (scope, session, key, due_at) in arrived {
        let turn = NewTurn {
            extract_at: Some(at(due_at)),
            ..samples.turn(store.secret(), (scope, session), key, key)
        };
        commit(store, vec![append(&turn)]);
    }
    let expected = [
        (&priya, "a", 2),
        (&priya, "z", 0),
        (&priya, "z", 1),
        (&priya, "a", 0),
        (&priya, "a", 1),
        (&other, "z", 0),
    ];
    for limit in 0..=6 {
        let now = at(30);
        let found = read(store, ExtractionQuery::Due { now, limit });
        let places: Vec<_> = found
            .iter()
            .map(|entry| (&entry.scope, entry.session.as_str(), entry.position))
            .collect();
        assert_eq!(Some(places.as_slice()), expected.get(..limit));
    }
    assert_eq!(due(store, 30).len(), 6, "what is due later is left out");
    let in_state = |limit| {
        let query = ExtractionQuery::InState {
            scope: &priya,
            state: ExtractionState::Queued,
            limit,
        };
        let found = read(store, query);
        let places = found
            .iter()
            .map(|entry| (entry.session.as_str().to_owned(), entry.position));
        places.collect::<Vec<_>>()
    };
    let arrival = [("z", 0), ("a", 0), ("z", 1), ("a", 1), ("a", 2)]
        .map(|(session, position)| (session.to_owned(), position));
    assert_eq!(in_state(usize::MAX), arrival, "in order of arrival");
    assert_eq!(Some(in_state(2).as_slice()), arrival.get(..2));
}

pub(super) fn a_lease_is_exclusive(store: &dyn Store) {
    const WORKERS: usize = 8;
    let scope = Scope::user("priya");
    let entry = queued(store, &scope);
    let won: usize = std::thread::scope(|threads| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|_| threads.spawn(|| store.commit(vec![lease(&entry, 100)])))
            .collect();
        workers
            .into_iter()
            .map(|worker| match worker.join().expect("no worker panics") {
                Ok(committed) => {
                    assert_eq!(committed.outcomes, [Outcome::Noted]);
                    1
                }
                Err(error) => {
                    assert_taken(&error, &entry);
                    0
                }
            })
            .sum()
    });
    assert_eq!(won, 1);
    let leased = Extraction {
        due_at: at(100),
        attempts: 1,
        ..entry.clone()
    };
    assert_eq!(of_turn(store, &scope, entry.turn), Some(leased));
    assert_eq!(due(store, 99), [], "while the lease lasts, nobody sees it");
}

pub(super) fn a_lost_lease_comes_back(store: &dyn Store) {
    let scope = Scope::user("priya");
    let entry = queued(store, &scope);
    commit(store, vec![lease(&entry, 100)]);
    let [first] = due(store, 100)
        .try_into()
        .expect("the lease is over at its end");
    assert_eq!((first.attempts, first.state), (1, ExtractionState::Queued));
    commit(store, vec![lease(&first, 200)]);
    // Whoever had the first lease comes too late, with whatever.
    for late in [done(&first, 101), dead(&first, 101), lease(&first, 300)] {
        assert_taken(&refused(store, vec![late]), &entry);
    }
    let [second] = due(store, 200).try_into().expect("it is due again");
    assert_eq!(second.attempts, 2);
    commit(store, vec![done(&second, 201)]);
    assert_eq!(due(store, i64::MAX), []);
}

pub(super) fn what_is_done_never_comes_back(store: &dyn Store) {
    let scope = Scope::user("priya");
    let entry = queued(store, &scope);
    commit(store, vec![done(&entry, 20)]);
    let finished = Extraction {
        state: ExtractionState::Done,
        finished_at: Some(at(20)),
        ..entry.clone()
    };
    let turns = vec![entry.turn];
    commit(
        store,
        vec![Write::QueueExtraction {
            turns,
            due_at: at(0),
        }],
    );
    for again in [
        lease(&finished, 100),
        done(&finished, 30),
        lease(&entry, 100),
    ] {
        assert_taken(&refused(store, vec![again]), &entry);
    }
    assert_eq!(due(store, i64::MAX), []);
    assert_eq!(of_turn(store, &scope, entry.turn), Some(finished));
}

pub(super) fn what_is_dead_can_be_queued_again(store: &dyn Store) {
    let scope = Scope::user("priya");
    let entry = queued(store, &scope);
    commit(store, vec![lease(&entry, 100)]);
    let leased = of_turn(store, &scope, entry.turn).expect("the turn is queued");
    commit(store, vec![dead(&leased, 90)]);
    assert_eq!(due(store, i64::MAX), []);
    let in_state = |state| {
        let query = ExtractionQuery::InState {
            scope: &scope,
            state,
            limit: 10,
        };
        read(store, query)
    };
    let [parked] = in_state(ExtractionState::Dead)
        .try_into()
        .expect("one is dead");
    assert_eq!(parked.error.as_deref(), Some("the model is gone"));
    assert_eq!((parked.attempts, parked.finished_at), (1, Some(at(90))));
    commit(
        store,
        vec![Write::QueueExtraction {
            turns: vec![entry.turn],
            due_at: at(10),
        }],
    );
    assert_eq!(due(store, 10), [entry], "as if nothing had been tried");
    assert_eq!(in_state(ExtractionState::Dead), []);
    // Or by a step of its own.
    let [again] = in_state(ExtractionState::Queued)
        .try_into()
        .expect("one is queued");
    commit(store, vec![dead(&again, 95)]);
    let [parked] = in_state(ExtractionState::Dead)
        .try_into()
        .expect("one is dead");
    let replay = ExtractionUpdate {
        state: ExtractionState::Queued,
        finished_at: None,
        ..step(&parked)
    };
    commit(store, vec![Write::SetExtraction(replay)]);
    assert_eq!(due(store, 10).len(), 1);
}

pub(super) fn a_lost_step_undoes_its_unit(store: &dyn Store) {
    let (samples, scope) = (Samples::new(3), Scope::user("priya"));
    let entry = queued(store, &scope);
    commit(store, vec![lease(&entry, 100)]);
    let memory = samples.memory(&scope, "Lives in Oslo.");
    let error = refused(store, vec![insert(&memory), done(&entry, 20)]);
    assert_taken(&error, &entry);
    assert_eq!(all(store, &scope), []);
    let ghost = Extraction {
        turn: TurnId::from_bytes([9; 16]),
        ..entry
    };
    assert_taken(&refused(store, vec![done(&ghost, 20)]), &ghost);
}

pub(super) fn old_turns_can_be_queued(store: &dyn Store) {
    let (samples, scope) = (Samples::new(4), Scope::user("priya"));
    let turns: Vec<NewTurn> = (0..3)
        .map(|key| samples.turn(store.secret(), (&scope, "monday"), &key.to_string(), "I"))
        .collect();
    let head = commit(store, turns.iter().map(append).collect()).head;
    let mut ids: Vec<TurnId> = turns.iter().map(|turn| turn.id).collect();
    ids.push(TurnId::from_bytes([9; 16]));
    let queue = |due_at| Write::QueueExtraction {
        turns: ids.clone(),
        due_at: at(due_at),
    };
    let committed = commit(store, vec![queue(10)]);
    assert_eq!(
        (committed.outcomes.as_slice(), committed.head),
        ([Outcome::Noted].as_slice(), head)
    );
    // Those that wait go on waiting.
    commit(store, vec![queue(5)]);
    let waiting = due(store, 10);
    assert!(waiting.iter().map(|entry| entry.position).eq(0..3));
    assert!(waiting.iter().all(|entry| entry.due_at == at(10)));
}

pub(super) fn the_queue_keeps_scopes_apart(store: &dyn Store) {
    let samples = Samples::new(5);
    let (mine, theirs) = (Scope::user("1"), Scope::user("12"));
    let turns = [&mine, &theirs].map(|scope| NewTurn {
        extract_at: Some(at(10)),
        ..samples.turn(store.secret(), (scope, "monday"), "1", "I moved.")
    });
    commit(store, turns.iter().map(append).collect());
    let ids = turns.each_ref().map(|turn| turn.id);
    let scopes_of = |query| {
        let found = read(store, query);
        found
            .into_iter()
            .map(|entry| entry.scope)
            .collect::<Vec<_>>()
    };
    let both = [theirs, mine.clone()];
    assert_eq!(
        scopes_of(ExtractionQuery::Turns {
            scopes: &both,
            ids: &ids
        }),
        [mine, Scope::user("12")],
        "in the order asked for"
    );
    assert_eq!(
        scopes_of(ExtractionQuery::Turns {
            scopes: &[],
            ids: &ids
        }),
        []
    );
    for scope in &both {
        let scopes = std::slice::from_ref(scope);
        assert_eq!(
            scopes_of(ExtractionQuery::Turns { scopes, ids: &ids }),
            scopes
        );
        let query = ExtractionQuery::InState {
            scope,
            state: ExtractionState::Queued,
            limit: 10,
        };
        assert_eq!(scopes_of(query), scopes);
    }
}
