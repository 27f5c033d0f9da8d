use memoriter_core::forget::{ErasedCounts, turn_mark};
use memoriter_core::id::{ChangeNumber, CheckpointId, MemoryId, TurnId};
use memoriter_core::memory::{Memory, State};
use memoriter_core::port::ModelName;
use memoriter_core::provenance::{Source, SourceRef};
use memoriter_core::scope::Scope;
use memoriter_core::session::{ForkPoint, Mode};
use memoriter_core::time::Timestamp;
use memoriter_core::turn::Turn;
use memoriter_store::{
    Appended, Changed, CheckpointQuery, Erased, ErasedSession, Erasure, ExtractionQuery,
    FieldQuery, FieldVersion, IndexChange, MemoryQuery, NewFork, NewTurn, Outcome, Patience, Store,
    StoreError, TurnQuery, Write,
};

use super::boards::{board, field, fields, put, session};
use super::checkpoints::{checkpoint, save};
use super::{add, all, commit, get, refused, snapshot, sound, turns};
use crate::sample::Samples;

pub(super) fn priya() -> Scope {
    Scope::user("priya")
}

fn head(store: &dyn Store) -> ChangeNumber {
    store.head().expect("the head can be read")
}

/// What an erasure of Priya's records did.
#[track_caller]
pub(super) fn erase(store: &dyn Store, fill: impl FnOnce(&mut Erasure)) -> Erased {
    let mut erasure = Erasure::of(priya(), head(store));
    fill(&mut erasure);
    let committed = commit(store, vec![Write::Erase(Box::new(erasure))]);
    match committed.outcomes.into_iter().next() {
        Some(Outcome::Erased(erased)) => *erased,
        other => panic!("{other:?} is no erasure"),
    }
}

#[track_caller]
pub(super) fn say<const N: usize>(store: &dyn Store, name: &str, texts: [&str; N]) -> [TurnId; N] {
    let samples = Samples::new(4);
    let new: [NewTurn; N] = texts.map(|text| NewTurn {
        vector: Some(samples.vector("m")),
        extract_at: Some(Timestamp::from_micros(0)),
        ..samples.turn(store.secret(), (&priya(), name), text, text)
    });
    let writes = new
        .iter()
        .map(|turn| Write::AppendTurn(Box::new(turn.clone())));
    commit(store, writes.collect());
    new.map(|turn| turn.id)
}

#[track_caller]
fn said(store: &dyn Store, name: &str) -> Vec<Turn> {
    let query = TurnQuery::Session {
        scope: &priya(),
        session: &session(name),
        from: 0,
        limit: usize::MAX,
    };
    turns(store, query)
}

fn positions(turns: &[Turn]) -> Vec<u32> {
    turns.iter().map(|turn| turn.position).collect()
}

fn resting_on(samples: &Samples, text: &str, sources: &[SourceRef]) -> Memory {
    let quote = "some words of it".to_owned();
    let source = |of: &SourceRef| Source {
        of: *of,
        quote: quote.clone(),
    };
    Memory {
        sources: sources.iter().map(source).collect(),
        ..samples.memory(&priya(), text)
    }
}

pub(super) fn what_is_erased_is_counted_and_gone(store: &dyn Store) {
    let samples = Samples::new(1);
    let vector = Some(samples.vector("m"));
    let other = add(
        store,
        &samples.memory(&Scope::user("mei"), "I live in Berlin."),
    );
    let ids = say(store, "s1", ["one", "two"]);
    let memory = resting_on(&samples, "I live in Berlin.", &[SourceRef::Turn(ids[0])]);
    let unit = vec![Write::InsertMemory {
        memory: Box::new(memory.clone()),
        vector,
    }];
    commit(store, unit);
    let before = head(store);
    let erased = erase(store, |erasure| {
        // Named twice, not there, and of somebody else.
        erasure.memories = vec![
            memory.id,
            memory.id,
            MemoryId::from_bytes([9; 16]),
            other.id,
        ];
        erasure.turns = vec![ids[0]];
    });
    let counts = ErasedCounts {
        memories: 1,
        turns: 1,
        vectors: 2,
        sources: 1,
        queued: 1,
        ..ErasedCounts::default()
    };
    assert_eq!(erased.counts, counts);
    assert_eq!(all(store, &priya()), []);
    assert_eq!(get(store, &other.scope, other.id), Some(other));
    assert_eq!(said(store, "s1").len(), 1);
    let scopes = [priya()];
    let queue = ExtractionQuery::Turns {
        scopes: &scopes,
        ids: &ids,
    };
    let waiting = snapshot(store)
        .extractions(queue)
        .expect("the queue can be read");
    assert_eq!(waiting.rows.len(), 1);
    let changes = snapshot(store)
        .changes(&priya(), before, 9)
        .expect("changes can be read");
    assert!(
        changes
            .iter()
            .map(|change| &change.what)
            .eq([&Changed::Erased]),
        "{changes:?}"
    );
    let again = erase(store, |erasure| erasure.memories = vec![memory.id]);
    assert_eq!(
        again.counts,
        ErasedCounts::default(),
        "nothing is there to erase again"
    );
    assert!(
        store
            .scrub(&erased.needles, Patience::Wait)
            .is_ok_and(|scrubbed| scrubbed.is_done && scrubbed.found == 0)
    );
}

pub(super) fn a_memory_that_stays_loses_the_edge(store: &dyn Store) {
    let samples = Samples::new(1);
    let ids = say(store, "s1", ["one", "two"]);
    let old = Memory {
        state: State::Superseded,
        ..samples.memory(&priya(), "Old words.")
    };
    let rests = Memory {
        supersedes: Some(old.id),
        ..resting_on(
            &samples,
            "It stays.",
            &[
                SourceRef::Turn(ids[0]),
                SourceRef::Turn(ids[1]),
                SourceRef::Memory(old.id),
            ],
        )
    };
    let (old, rests) = (add(store, &old), add(store, &rests));
    let from = |source| {
        let (scopes, sources) = ([priya()], [source]);
        let query = MemoryQuery::From {
            scopes: &scopes,
            sources: &sources,
        };
        let found = sound(
            snapshot(store)
                .memories(query)
                .expect("memories can be read"),
        );
        found.iter().map(|memory| memory.id).collect::<Vec<_>>()
    };
    assert_eq!(from(SourceRef::Turn(ids[0])), [rests.id]);
    // The memory that stays came after it was found out what goes.
    let mut late = Erasure::of(priya(), ChangeNumber(rests.change.0 - 1));
    late.turns = vec![ids[0]];
    let error = refused(store, vec![Write::Erase(Box::new(late))]);
    assert!(
        matches!(error, StoreError::Conflict { id } if id == rests.id),
        "{error}"
    );
    let erased = erase(store, |erasure| {
        erasure.turns = vec![ids[0]];
        erasure.memories = vec![old.id];
    });
    assert_eq!((erased.counts.memories, erased.counts.sources), (1, 2));
    let left = get(store, &priya(), rests.id).expect("it stays");
    let supports: Vec<SourceRef> = left.sources.iter().map(|source| source.of).collect();
    assert_eq!(
        (supports, left.supersedes),
        (vec![SourceRef::Turn(ids[1])], None)
    );
    assert!(left.change > rests.change, "it changed");
    assert_eq!(from(SourceRef::Turn(ids[0])), []);
}

pub(super) fn an_erased_turn_leaves_a_gap(store: &dyn Store) {
    let ids = say(store, "s1", ["one", "two", "three", "four"]);
    let from = ForkPoint {
        session: session("s1"),
        turns: 4,
        checkpoint: CheckpointId::from_bytes([3; 16]),
    };
    let fork = NewFork {
        scope: priya(),
        session: session("s2"),
        from,
        mode: Mode::Full,
    };
    commit(store, vec![Write::ForkSession(Box::new(fork))]);
    say(store, "s2", ["five"]);
    let erased = erase(store, |erasure| erasure.turns = vec![ids[1], ids[3]]);
    assert_eq!(erased.counts.turns, 2);
    assert_eq!(positions(&said(store, "s1")), [0, 2]);
    assert_eq!(positions(&said(store, "s2")), [0, 2, 4]);
    say(store, "s1", ["six"]);
    assert_eq!(
        positions(&said(store, "s1")),
        [0, 2, 4],
        "no position is given twice"
    );
    let row = snapshot(store).session(&priya(), &session("s1"));
    assert_eq!(
        row.expect("a session can be read").map(|row| row.turns),
        Some(5)
    );
    let everything: Vec<TurnId> = said(store, "s1").iter().map(|turn| turn.id).collect();
    erase(store, |erasure| erasure.turns = everything);
    say(store, "s1", ["seven"]);
    assert_eq!(positions(&said(store, "s1")), [5]);
    assert_eq!(positions(&said(store, "s2")), [4]);
}

pub(super) fn positions_can_be_passed_over(store: &dyn Store) {
    let skip = |turns| Write::SkipPositions {
        scope: priya(),
        session: session("s1"),
        turns,
    };
    commit(store, vec![skip(2)]);
    say(store, "s1", ["three"]);
    commit(store, vec![skip(1)]);
    say(store, "s1", ["five"]);
    commit(store, vec![skip(3)]);
    assert_eq!(positions(&said(store, "s1")), [2, 4]);
    let row = snapshot(store).session(&priya(), &session("s1"));
    assert_eq!(
        row.expect("a session can be read").map(|row| row.turns),
        Some(8)
    );
}

pub(super) fn an_erased_turn_does_not_come_back(store: &dyn Store) {
    let ids = say(store, "s1", ["one", "two"]);
    erase(store, |erasure| erasure.turns = vec![ids[0]]);
    let marks = vec![turn_mark(ids[0])];
    let forget = |scope| Write::Forget {
        scope,
        marks: marks.clone(),
        at: Timestamp::from_micros(1),
    };
    commit(store, vec![forget(priya())]);
    let samples = Samples::new(4);
    let again = ["one", "two"].map(|text| {
        let turn = samples.turn(store.secret(), (&priya(), "s1"), text, text);
        Write::AppendTurn(Box::new(turn))
    });
    let committed = commit(store, again.to_vec());
    assert_eq!(
        committed.outcomes,
        [
            Outcome::Turn(Appended::Erased),
            Outcome::Turn(Appended::Known)
        ]
    );
    assert_eq!(said(store, "s1").len(), 1);
    // Somebody else may say it.
    commit(store, vec![forget(Scope::user("mei"))]);
}

pub(super) fn an_index_begins_anew_after_an_erasure(store: &dyn Store) {
    let samples = Samples::new(1);
    let first = add(store, &samples.memory(&priya(), "First."));
    let second = add(store, &samples.memory(&priya(), "Second."));
    let other = Scope::user("mei");
    add(store, &samples.memory(&other, "Third."));
    let seen = head(store);
    erase(store, |erasure| erasure.memories = vec![first.id]);
    let told = |scope: &Scope, after: ChangeNumber| {
        let mut told = Vec::new();
        let mut take = |change: IndexChange<'_>| {
            told.push(match change {
                IndexChange::Put(row) => format!("{:?}", row.record),
                IndexChange::Remove(record) => format!("not {record:?}"),
                IndexChange::Anew => "anew".to_owned(),
            });
        };
        let view = snapshot(store);
        view.index_changes(scope, &ModelName::new("m"), after, &mut take)
            .expect("the index can be fed");
        told
    };
    assert_eq!(told(&priya(), seen), ["anew"]);
    assert_eq!(
        told(&priya(), ChangeNumber(0)),
        [format!("Memory({})", second.id)]
    );
    assert_eq!(told(&other, seen), [""; 0]);
    let seen = head(store);
    let third = add(store, &samples.memory(&priya(), "Fourth."));
    assert_eq!(told(&priya(), seen), [format!("Memory({})", third.id)]);
}

pub(super) fn versions_of_fields_and_checkpoints_are_erased(store: &dyn Store) {
    let first = put(store, &field("city", "Berlin".into()), None);
    let kept = put(store, &field("goal", "tidy".into()), None);
    save(store, &checkpoint(1, b"same bytes"));
    save(store, &checkpoint(2, b"same bytes"));
    let second = put(store, &field("city", "Munich".into()), Some(first.change));
    save(store, &checkpoint(3, b"other bytes"));
    let third = put(store, &field("city", "Rome".into()), Some(second.change));
    let version = |field: &memoriter_core::board::Field| FieldVersion {
        session: field.session.clone(),
        name: field.name.clone(),
        change: field.change,
    };
    let versions = || {
        let query = FieldQuery::Versions {
            scope: &priya(),
            session: &session("s1"),
        };
        let found = fields(store, query);
        found
            .iter()
            .filter_map(|field| Some(field.value.as_ref()?.as_str()?.to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(versions(), ["Berlin", "Munich", "Rome", "tidy"]);
    let erased = erase(store, |erasure| erasure.fields = vec![version(&first)]);
    assert_eq!(erased.counts.fields, 1);
    assert_eq!(versions(), ["Munich", "Rome", "tidy"]);
    let id = |number| CheckpointId::from_bytes([number; 16]);
    let erased = erase(store, |erasure| erasure.checkpoints = vec![id(1), id(3)]);
    assert_eq!(
        (erased.counts.checkpoints, erased.counts.fields),
        (2, 1),
        "only the third needed Munich"
    );
    assert_eq!(versions(), ["Rome", "tidy"]);
    let data = |number| {
        sound(
            snapshot(store)
                .checkpoint_data(&priya(), id(number))
                .expect("bytes can be read"),
        )
    };
    assert_eq!((data(1), data(2)), (vec![], vec![b"same bytes".to_vec()]));
    save(store, &checkpoint(4, b"x"));
    put(store, &field("city", "Paris".into()), Some(third.change));
    let present = board(store, &priya(), "s1");
    let erased = erase(store, |erasure| {
        erasure.fields = vec![version(present.first().expect("a field is there"))];
    });
    assert_eq!(
        erased.counts.fields, 2,
        "with the present version goes the past"
    );
    assert_eq!(versions(), ["tidy"]);
    assert_eq!(board(store, &priya(), "s1"), [kept]);
    let again = put(store, &field("city", "Oslo".into()), None);
    assert_eq!(versions(), ["Oslo", "tidy"]);
    assert!(again.change > third.change);
}

fn whole(name: &str, renamed: &str) -> Vec<ErasedSession> {
    let (name, renamed) = (session(name), session(renamed));
    vec![ErasedSession { name, renamed }]
}

fn names(store: &dyn Store) -> Vec<String> {
    let found = snapshot(store).sessions(&priya());
    let found = found.expect("sessions can be read");
    found
        .iter()
        .map(|session| session.name.as_str().to_owned())
        .collect()
}

pub(super) fn a_session_goes_as_a_whole(store: &dyn Store) {
    say(store, "s1", ["one", "two"]);
    put(store, &field("city", "Berlin".into()), None);
    save(store, &checkpoint(1, b"bytes"));
    let set = Write::SetMode {
        scope: priya(),
        session: session("s1"),
        mode: Mode::ReadOnly,
    };
    commit(store, vec![set]);
    say(store, "s3", ["one", "two"]);
    let erased = erase(store, |erasure| erasure.sessions = whole("s1", "erased-1"));
    let counts = ErasedCounts {
        turns: 2,
        vectors: 2,
        queued: 2,
        fields: 1,
        checkpoints: 1,
        sessions: 1,
        ..ErasedCounts::default()
    };
    assert_eq!(erased.counts, counts);
    assert_eq!(names(store), ["s3"]);
    say(store, "s1", ["one", "two"]);
    assert_eq!(positions(&said(store, "s1")), [0, 1], "it begins again");
    let query = CheckpointQuery::Newest {
        scope: &priya(),
        session: &session("s1"),
        limit: 9,
    };
    let left = snapshot(store)
        .checkpoints(query)
        .expect("checkpoints can be read");
    assert_eq!(sound(left), []);
}

pub(super) fn a_session_that_another_goes_on_from_loses_its_name(store: &dyn Store) {
    say(store, "s3", ["one", "two"]);
    let from = ForkPoint {
        session: session("s3"),
        turns: 2,
        checkpoint: CheckpointId::from_bytes([1; 16]),
    };
    let fork = NewFork {
        scope: priya(),
        session: session("s4"),
        from,
        mode: Mode::Full,
    };
    commit(store, vec![Write::ForkSession(Box::new(fork))]);
    say(store, "s4", ["five"]);
    erase(store, |erasure| erasure.sessions = whole("s3", "erased-2"));
    assert_eq!(names(store), ["erased-2", "s4"]);
    assert_eq!(positions(&said(store, "s4")), [2]);
    let row = snapshot(store).session(&priya(), &session("s4"));
    let row = row.expect("a session can be read");
    let from = row.and_then(|row| row.forked_from).map(|from| from.session);
    assert_eq!(from, Some(session("erased-2")));
}
