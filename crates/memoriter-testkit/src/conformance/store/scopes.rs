use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::{Memory, State};
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_core::session::Mode;
use memoriter_core::turn::SessionName;
use memoriter_store::{MemoryQuery, ScopeTotals, SessionSummary, Store, Write};

use super::{add, all, commit, get, insert, snapshot, sound};
use crate::sample::Samples;

fn odd_scopes() -> Vec<Scope> {
    let names = [
        "1",
        "12",
        "123",
        "a",
        "A",
        "a_b",
        "a-b",
        "aXb",
        "a%",
        "%",
        "_",
        "a/b",
        "/",
        "'",
        "''",
        "\"",
        "\\",
        "'; DROP TABLE memory; --",
        "a' OR '1'='1",
        "🦀",
        "東京",
        "東",
        "é",
        "e\u{301}",
        " x",
        "x ",
        "x",
        "[\"user\",\"x\"]",
        "null",
        "*",
        "?",
        "\u{202E}x",
    ];
    let users = names.iter().map(|name| Scope::user(name));
    let nested = names
        .iter()
        .filter_map(|name| Scope::user("1").within("agent", name).ok());
    let kinds = names
        .iter()
        .filter_map(|name| Scope::from_segments([name, "1"]).ok());
    users.chain(nested).chain(kinds).collect()
}

pub(super) fn scopes_with_odd_names_stay_apart(store: &dyn Store) {
    let (samples, scopes) = (Samples::new(1), odd_scopes());
    let memories: Vec<Memory> = scopes
        .iter()
        .map(|scope| add(store, &samples.memory(scope, "The same for all.")))
        .collect();
    for (scope, memory) in scopes.iter().zip(&memories) {
        assert_eq!(all(store, scope), std::slice::from_ref(memory), "{scope}");
        let changes = snapshot(store)
            .changes(scope, ChangeNumber(0), 10)
            .expect("changes can be read");
        assert!(
            changes
                .iter()
                .map(|change| change.number)
                .eq([memory.change]),
            "{scope}"
        );
        let mut fed = 0;
        snapshot(store)
            .index_changes(scope, &ModelName::new("m"), ChangeNumber(0), &mut |_| {
                fed += 1;
            })
            .expect("the index can be fed");
        assert_eq!(fed, 1, "{scope}");
    }
    let summaries = snapshot(store).scopes().expect("scopes can be read");
    let mut sorted = scopes;
    sorted.sort();
    assert!(
        summaries.iter().map(|summary| &summary.scope).eq(&sorted),
        "scopes come in their order"
    );
}

pub(super) fn ids_are_read_only_in_allowed_scopes(store: &dyn Store) {
    let samples = Samples::new(2);
    let (mine, theirs) = (Scope::user("1"), Scope::user("12"));
    let inner = mine.within("agent", "tutor").expect("the scope is valid");
    let memories =
        [&mine, &theirs, &inner].map(|scope| add(store, &samples.memory(scope, "A secret.")));
    let ids = memories.each_ref().map(|memory| memory.id);
    let read = |scopes: &[Scope]| {
        let query = MemoryQuery::Ids { scopes, ids: &ids };
        let rows = sound(
            snapshot(store)
                .memories(query)
                .expect("memories can be read"),
        );
        rows.iter()
            .map(|memory| memory.scope.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        read(std::slice::from_ref(&mine)),
        std::slice::from_ref(&mine)
    );
    assert_eq!(read(&[inner.clone(), mine.clone()]), [mine, inner]);
    assert_eq!(read(&[]), []);
    let [first, ..] = memories;
    assert_eq!(get(store, &theirs, first.id), None);
}

pub(super) fn scopes_are_counted(store: &dyn Store) {
    let (samples, scope) = (Samples::new(3), Scope::user("priya"));
    for (state, count) in [(State::Live, 3), (State::Retracted, 2)] {
        for round in 0..count {
            let memory = Memory {
                state,
                ..samples.memory(&scope, &format!("{state} {round}"))
            };
            let vector = (round == 0).then(|| samples.vector("m"));
            commit(
                store,
                vec![Write::InsertMemory {
                    memory: Box::new(memory),
                    vector,
                }],
            );
        }
    }
    let mut turn = samples.turn(store.secret(), (&scope, "monday"), "1", "Hello.");
    turn.vector = Some(samples.vector("n"));
    commit(
        store,
        vec![
            Write::AppendTurn(Box::new(turn)),
            insert(&samples.memory(&Scope::user("a"), "x")),
        ],
    );
    let summaries = snapshot(store).scopes().expect("scopes can be read");
    let summary = summaries.last().expect("there are scopes");
    assert_eq!((summaries.len(), &summary.scope), (2, &scope));
    let states: Vec<State> = summary.memories.iter().map(|(state, _)| *state).collect();
    assert_eq!(states, State::STORED, "every state is listed");
    let count_in = |wanted| {
        summary
            .memories
            .iter()
            .find(|(state, _)| *state == wanted)
            .map(|(_, count)| *count)
    };
    assert_eq!(
        [
            count_in(State::Live),
            count_in(State::Retracted),
            count_in(State::Pending)
        ],
        [Some(3), Some(2), Some(0)]
    );
    assert_eq!((summary.turns, summary.sessions), (1, 1));
    assert_eq!(
        summary.vectors,
        [(ModelName::new("m"), 2), (ModelName::new("n"), 1)]
    );
}

pub(super) fn sessions_are_counted(store: &dyn Store) {
    let (samples, scope) = (Samples::new(4), Scope::user("priya"));
    let mut told: Vec<SessionSummary> = Vec::new();
    for (name, count) in [("z", 3), ("a", 1), ("'%", 2)] {
        let turns: Vec<_> = (0..count)
            .map(|key| samples.turn(store.secret(), (&scope, name), &key.to_string(), "Hello."))
            .collect();
        let (Some(first), Some(last)) = (turns.first(), turns.last()) else {
            continue;
        };
        told.push(SessionSummary {
            name: first.session.clone(),
            turns: count,
            first_at: Some(first.message.at),
            last_at: Some(last.message.at),
            mode: Mode::Full,
            fields: 0,
            checkpoints: 0,
        });
        commit(
            store,
            turns
                .into_iter()
                .map(|turn| Write::AppendTurn(Box::new(turn)))
                .collect(),
        );
    }
    let other = samples.turn(store.secret(), (&Scope::user("other"), "z"), "1", "Hello.");
    commit(store, vec![Write::AppendTurn(Box::new(other))]);
    assert_eq!(
        snapshot(store)
            .sessions(&scope)
            .expect("sessions can be read"),
        told,
        "oldest first"
    );
    assert_eq!(
        snapshot(store)
            .sessions(&Scope::user("nobody"))
            .expect("sessions can be read"),
        []
    );
}

pub(super) fn scopes_inside_are_found_and_counted(store: &dyn Store) {
    let samples = Samples::new(1);
    let priya = Scope::user("priya");
    let tutor = priya.within("agent", "tutor").expect("a valid scope");
    let coach = priya.within("agent", "coach").expect("a valid scope");
    let others = [Scope::user("priya2"), Scope::user("omar")];
    let within = |outer: &Scope| {
        let scopes = snapshot(store).scopes_within(outer);
        scopes.expect("scopes can be read")
    };
    assert_eq!(within(&priya), []);
    for scope in others.iter().chain([&tutor]) {
        for statement in ["one", "two"] {
            let mut memory = samples.memory(scope, statement);
            if statement == "two" {
                memory.state = State::Retracted;
            }
            commit(store, vec![insert(&memory)]);
        }
    }
    let name = SessionName::new("s1").expect("a valid name");
    let mode = Write::SetMode {
        scope: coach.clone(),
        session: name,
        mode: Mode::ReadOnly,
    };
    commit(store, vec![mode]);
    assert_eq!(
        within(&priya),
        [coach.clone(), tutor.clone()],
        "also where there is but a session"
    );
    assert_eq!(within(&tutor), std::slice::from_ref(&tutor));
    let totals = |scope: &Scope| {
        let totals = snapshot(store).totals(scope);
        let ScopeTotals {
            memories,
            decisions,
        } = totals.expect("a scope can be counted");
        (memories, decisions)
    };
    assert_eq!(
        [&tutor, &coach, &priya].map(totals),
        [(2, 0), (0, 0), (0, 0)]
    );
}
