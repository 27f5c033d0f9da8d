//! What is erased is gone, from the files too, and does not come back.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use memoriter::core::id::MemoryId;
use memoriter::core::memory::Memory;
use memoriter::core::metadata::Metadata;
use memoriter::core::port::{Clock, Entropy};
use memoriter::core::provenance::{Origin, Source, SourceRef};
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::store::{IndexChange, SqliteOptions, SqliteStore, Store, Write};
use memoriter::{
    Diagnose, Fault, Memoriter, NewState, Note, Planned, ReceiptState, Scope, ScopedMemory,
    SeededEntropy, Selector, SignedReceipt, SystemClock, TurnDraft, TurnKey,
};
use memoriter_testkit::sample::Samples;
use serde_json::Value;

pub(crate) fn priya(memory: &Memoriter) -> ScopedMemory {
    memory.scope(Scope::user("priya"))
}

/// A word that nothing else says: sixteen letters.
pub(crate) fn tokens(count: usize) -> Vec<String> {
    let entropy = SeededEntropy::new(77);
    let token = |_| {
        let mut bytes = [0; 16];
        entropy.fill(&mut bytes);
        bytes
            .iter()
            .map(|byte| char::from(b'a' + byte % 26))
            .collect()
    };
    (0..count).map(token).collect()
}

pub(crate) fn turn(session: &str, number: usize, text: &str) -> TurnDraft {
    TurnDraft {
        session: SessionName::new(session).unwrap(),
        key: TurnKey::At(number as u64),
        message: Message::new(
            Role::User,
            text,
            ZonedTime::utc(Timestamp::from_micros(1_772_323_200_000_000)),
        ),
    }
}

/// Puts each token where a text can be.
pub(crate) fn plant(priya: &ScopedMemory, tokens: &[String]) {
    let session = priya.session("work");
    let notes = tokens.iter().map(|token| {
        let metadata = Metadata::from_json(&format!("{{\"note\":\"{token}\"}}")).unwrap();
        Note::new(format!("The word is {token} and nothing else."))
            .key(format!("{token}.word").parse().unwrap())
            .value(token)
            .category(token)
            .metadata(metadata)
    });
    priya.remember_all(notes).unwrap();
    let turns = tokens.iter().enumerate();
    priya
        .append(turns.map(|(number, token)| turn("work", number, &format!("I say {token} now"))))
        .unwrap();
    // Boards and files are smaller than what is said.
    for token in tokens.iter().skip(5).step_by(20) {
        let log = format!("the log says {token} at its end");
        session.attach(log.into_bytes(), None, Some(token)).unwrap();
        session
            .state()
            .set("word", Value::from(token.as_str()))
            .unwrap();
        let state = NewState::new("json", format!("{{\"at\":\"{token}\"}}")).label(token);
        session.checkpoints().save(state).unwrap();
    }
}

/// How often any form of a token stands in any file of a folder: its end, UTF-16, Base64.
pub(crate) fn hits(folder: &Path, tokens: &[String], vectors: &[Vec<u8>]) -> usize {
    let mut needles: BTreeSet<Vec<u8>> = vectors.iter().map(|codes| codes[..64].to_vec()).collect();
    for token in tokens {
        needles.insert(token.as_bytes()[8..].to_vec());
        needles.insert(token.encode_utf16().flat_map(u16::to_le_bytes).collect());
        needles.extend((0..3).map(|start| base64(&token.as_bytes()[start..])));
    }
    let entries = fs_err::read_dir(folder).unwrap();
    let files = entries.map(|entry| fs_err::read(entry.unwrap().path()).unwrap());
    // By how they begin, since each file is looked at byte by byte.
    let mut by_start: HashMap<u64, Vec<&[u8]>> = HashMap::new();
    for needle in &needles {
        by_start.entry(start(needle)).or_default().push(needle);
    }
    let mut found = 0;
    for file in files {
        let mut bits = 0;
        for (end, byte) in (1..).zip(&file) {
            bits = bits << 8 | u64::from(*byte);
            if let Some(needles) = by_start.get(&bits)
                && end >= START_BYTES
            {
                let rest = &file[end - START_BYTES..];
                found += needles
                    .iter()
                    .filter(|needle| rest.starts_with(needle))
                    .count();
            }
        }
    }
    found
}

/// Bytes of a needle that are looked up: what the shortest has.
const START_BYTES: usize = 8;

fn start(needle: &[u8]) -> u64 {
    needle[..START_BYTES]
        .iter()
        .fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

fn base64(bytes: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups = bytes.chunks_exact(3).map(|group| {
        group
            .iter()
            .fold(0, |bits, byte| bits << 8 | usize::from(*byte))
    });
    groups
        .flat_map(|bits| [18, 12, 6, 0].map(|shift| ALPHABET[bits >> shift & 63]))
        .collect()
}

pub(crate) fn open_raw(path: &Path) -> SqliteStore {
    let entropy = SeededEntropy::new(1);
    SqliteStore::open(path, &SqliteOptions::new(&entropy, SystemClock.now())).unwrap()
}

/// The vectors of a scope.
pub(crate) fn vectors(store: &dyn Store, scope: &Scope) -> Vec<Vec<u8>> {
    let model = memoriter::provider::embed::StaticTable::new();
    let model = memoriter::core::port::Embedder::model(&model).clone();
    let mut found = Vec::new();
    let mut take = |change: IndexChange<'_>| {
        if let IndexChange::Put(row) = change
            && let Some((_, codes)) = row.vector
        {
            found.push(codes.iter().map(|code| code.cast_unsigned()).collect());
        }
    };
    let view = store.snapshot().unwrap();
    view.index_changes(
        scope,
        &model,
        memoriter::core::id::ChangeNumber::default(),
        &mut take,
    )
    .unwrap();
    found
}

pub(crate) fn said(receipt: &memoriter::KeptReceipt) -> Value {
    SignedReceipt::verify(&receipt.document).unwrap().receipt
}

/// Finds turns by saying them again, and erases them one by one.
fn erase_turns(priya: &ScopedMemory, tokens: &[String], first: usize) {
    for (number, token) in (first..).zip(tokens) {
        let text = format!("I say {token} now");
        let again = priya.append([turn("work", number, &text)]).unwrap();
        priya.erase(Selector::Turn(again[0].id)).run().unwrap();
    }
}

#[test]
fn no_byte_of_what_is_erased_stays_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let tokens = tokens(1_000);
    let memory = Memoriter::open(&path).unwrap();
    let (priya, mei) = (
        memory.scope(Scope::user("priya")),
        memory.scope(Scope::user("mei")),
    );
    plant(&priya, &tokens);
    mei.remember(
        Note::new("I live in Berlin")
            .key("user.city".parse().unwrap())
            .value("Berlin"),
    )
    .unwrap();
    let before = memory.scopes().unwrap();
    let all = vectors(&open_raw(&path), priya.scope());
    assert_eq!(all.len(), 2_050);
    for token in &tokens[..5] {
        let receipt = said(
            &priya
                .erase(Selector::Matching(token.clone()))
                .run()
                .unwrap(),
        );
        assert_eq!(
            receipt["levels"],
            serde_json::json!(["V1", "V2", "V3"]),
            "{receipt}"
        );
        assert_eq!(
            (&receipt["erased"]["memories"], &receipt["erased"]["turns"]),
            (&1.into(), &1.into())
        );
    }
    assert_eq!(hits(folder.path(), &tokens[..5], &[]), 0);
    assert!(
        hits(folder.path(), &tokens[5..6], &[]) > 0,
        "the search finds what is there"
    );
    // A hundred facts, then the hundred turns.
    for token in &tokens[5..105] {
        let key = Selector::Key(format!("{token}.word").parse().unwrap());
        priya.erase(key).run().unwrap();
    }
    erase_turns(&priya, &tokens[5..105], 5);
    // Each twentieth stands on the board and in files, too.
    for token in tokens[5..105].iter().step_by(20) {
        let selector = Selector::Matching(token.clone());
        assert_eq!(
            said(&priya.erase(selector).run().unwrap())["search"]["found"],
            0
        );
    }
    assert_eq!(hits(folder.path(), &tokens[..105], &[]), 0);
    assert!(memory.verify().unwrap().problems.is_empty());
    let receipt = said(&priya.erase(Selector::Everything).run().unwrap());
    assert_eq!(receipt["erased"]["memories"], 895, "{receipt}");
    assert_eq!(receipt["search"]["found"], 0, "{receipt}");
    let verification = memory.verify().unwrap();
    assert_eq!(verification.problems, []);
    let after = memory.scopes().unwrap();
    assert_eq!(
        after,
        before
            .into_iter()
            .filter(|scope| scope.scope != *priya.scope())
            .collect::<Vec<_>>()
    );
    assert_eq!(memory.receipts().unwrap().len(), 211);
    drop((priya, mei, memory));
    assert_eq!(hits(folder.path(), &tokens, &all), 0);
}

#[test]
fn a_reader_of_an_old_snapshot_keeps_a_receipt_pending() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let tokens = tokens(20);
    let memory = Memoriter::open(&path).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    plant(&priya, &tokens);
    let other = open_raw(&path);
    let view = other.snapshot().unwrap();
    let receipt = priya.erase(Selector::Everything).run().unwrap();
    assert_eq!(receipt.state, ReceiptState::Pending);
    assert_eq!(said(&receipt)["why"], "reader");
    assert_eq!(said(&receipt)["levels"], serde_json::json!(["V1", "V2"]));
    assert_eq!(priya.list(&[], None, 9).unwrap().memories, []);
    assert_eq!(memory.complete_erasures().unwrap().pending, 1);
    drop(view);
    let done = memory.complete_erasures().unwrap();
    assert_eq!((done.receipts.len(), done.pending), (1, 0));
    assert_eq!(
        said(&done.receipts[0])["levels"],
        serde_json::json!(["V1", "V2", "V3"])
    );
    assert_eq!(memory.receipts().unwrap(), done.receipts);
    assert!(memory.has_signed(&SignedReceipt::verify(&done.receipts[0].document).unwrap()));
    drop((other, priya, memory));
    assert_eq!(hits(folder.path(), &tokens, &[]), 0);
}

/// Facts of a transcript that is erased and read again.
const FACTS: usize = 500;

#[test]
fn the_same_transcript_brings_nothing_back() {
    let memory = Memoriter::builder().over(std::sync::Arc::new(
        memoriter::store::MemoryStore::new([3; 32]),
    ));
    let priya = memory.scope(Scope::user("priya"));
    let transcript =
        || (0..FACTS).map(|number| turn("s1", number, &format!("I'm allergic to stuff{number}")));
    let learned = priya.learn(transcript()).unwrap();
    assert_eq!(
        priya.list(&[], None, FACTS + 1).unwrap().memories.len(),
        FACTS,
        "{} decisions",
        learned.decisions.len()
    );
    priya.erase(Selector::Everything).run().unwrap();
    let again = priya.learn(transcript()).unwrap();
    assert!(
        again
            .turns
            .iter()
            .all(|turn| turn.was_erased && !turn.is_new)
    );
    assert_eq!(again.decisions, []);
    assert_eq!(priya.list(&[], None, 9).unwrap().memories, []);
    // A new statement in a new turn is new consent.
    let later = TurnDraft {
        message: Message::new(
            Role::User,
            "I'm allergic to stuff3",
            ZonedTime::utc(SystemClock.now()),
        ),
        ..turn("s2", 0, "")
    };
    let told = priya.learn([later]).unwrap();
    assert!(told.turns[0].is_new && told.decisions.iter().any(|decision| decision.id.is_some()));
}

fn planned(priya: &ScopedMemory, selector: Selector) -> BTreeSet<MemoryId> {
    let plan = priya.erase(selector).dry_run().unwrap();
    let ids = plan
        .records
        .into_iter()
        .filter_map(|planned| match planned.record {
            Planned::Memory(id) => Some(id),
            Planned::Turn(_)
            | Planned::Field(_)
            | Planned::Checkpoint(_)
            | Planned::Session(_)
            | Planned::Damaged(_) => None,
        });
    ids.collect()
}

#[test]
fn what_rests_on_nothing_else_goes_too() {
    let memory = Memoriter::builder().over(std::sync::Arc::new(
        memoriter::store::MemoryStore::new([3; 32]),
    ));
    let priya = memory.scope(Scope::user("priya"));
    let learned = priya
        .learn([turn("s1", 0, "I live in Berlin and I'm allergic to nuts")])
        .unwrap();
    let facts = priya.list(&[], None, 9).unwrap().memories;
    assert_eq!(facts.len(), 2, "{facts:?}");
    assert!(
        facts
            .iter()
            .all(|fact| fact.sources[0].of == SourceRef::Turn(learned.turns[0].id))
    );
    let all: BTreeSet<MemoryId> = facts.iter().map(|fact| fact.id).collect();
    assert_eq!(planned(&priya, Selector::Turn(learned.turns[0].id)), all);
    assert_eq!(
        planned(&priya, Selector::Session(SessionName::new("s1").unwrap())),
        all
    );
    let since = Timestamp::MIN;
    assert_eq!(
        planned(
            &priya,
            Selector::Learned {
                origin: Origin::User,
                since
            }
        ),
        all
    );
    assert_eq!(
        planned(
            &priya,
            Selector::Learned {
                origin: Origin::Web,
                since
            }
        )
        .len(),
        0
    );
    // The turn says something else as well: it stays for that.
    priya
        .erase(Selector::Key("user.city".parse().unwrap()))
        .run()
        .unwrap();
    assert_eq!(priya.list(&[], None, 9).unwrap().memories.len(), 1);
    assert!(priya.turn(learned.turns[0].id).unwrap().is_some());
    let receipt = priya
        .erase(Selector::Memory(
            priya.list(&[], None, 1).unwrap().memories[0].id,
        ))
        .run()
        .unwrap();
    assert_eq!(said(&receipt)["erased"]["turns"], 1);
    assert_eq!(priya.turn(learned.turns[0].id).unwrap(), None);
    let missing = priya
        .erase(Selector::Key("user.city".parse().unwrap()))
        .run()
        .unwrap_err();
    assert_eq!(
        missing.to_string(),
        "there is no memory under user.city to erase"
    );
}

/// A chain of memories, each made from the one before; the first from a turn.
fn chain(path: &Path, from: SourceRef, length: usize) -> Vec<MemoryId> {
    let store = open_raw(path);
    let samples = Samples::new(length as u64);
    let mut before = from;
    let made = (0..length).map(|number| {
        let memory = Memory {
            sources: vec![Source {
                of: before,
                quote: format!("step {number}"),
            }],
            ..samples.memory(&Scope::user("priya"), &format!("Step {number} of {length}"))
        };
        before = SourceRef::Memory(memory.id);
        store
            .commit(vec![Write::InsertMemory {
                memory: Box::new(memory.clone()),
                vector: None,
            }])
            .unwrap();
        memory.id
    });
    made.collect()
}

#[test]
fn what_came_from_a_source_goes_with_everything_made_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = Memoriter::open(&path).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    let web = |number: usize, text: &str| {
        let mut draft = turn("s1", number, text);
        draft.message.role = Role::Tool;
        draft.message.origin = Origin::Web;
        draft
    };
    let early = priya.append([web(0, "An older page")]).unwrap()[0].id;
    let old = chain(&path, SourceRef::Turn(early), 1);
    let since = SystemClock.now();
    let read = priya.append([web(1, "All banks close")]).unwrap()[0].id;
    let made = chain(&path, SourceRef::Turn(read), 40);
    let kept = priya.remember(Note::new("I like tea")).unwrap()[0]
        .id
        .unwrap();
    let selector = || Selector::Learned {
        origin: Origin::Web,
        since,
    };
    assert_eq!(planned(&priya, selector()), made.into_iter().collect());
    let receipt = priya.erase(selector()).run().unwrap();
    let erased = said(&receipt)["erased"].clone();
    assert_eq!(
        (&erased["turns"], &erased["memories"]),
        (&1.into(), &40.into())
    );
    let left: BTreeSet<MemoryId> = priya
        .list(&[], None, 99)
        .unwrap()
        .memories
        .iter()
        .map(|memory| memory.id)
        .collect();
    assert_eq!(left, BTreeSet::from([old[0], kept]));
    assert_eq!(memory.verify().unwrap().problems, []);
}

#[test]
fn what_says_it_again_goes_and_what_only_holds_the_words_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memoriter::open(folder.path().join("memory.db")).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    let answer = |session: &str, number: usize, text: &str| {
        let mut draft = turn(session, number, text);
        draft.message.role = Role::Assistant;
        draft
    };
    priya.learn([turn("s1", 0, "I live in Berlin")]).unwrap();
    priya
        .append([
            answer("s1", 1, "Noted, you live in Berlin."),
            answer("s2", 0, "Since you live in Berlin, take the train."),
        ])
        .unwrap();
    let other = priya
        .append([answer(
            "s3",
            0,
            "The film begins in Berlin and ends in Rome.",
        )])
        .unwrap()[0]
        .id;
    let key = || Selector::Key("user.city".parse().unwrap());
    let plan = priya.erase(key()).dry_run().unwrap();
    let turns = |plan: &memoriter::ErasePlan| plan.counts().turns;
    assert_eq!(
        (turns(&plan), plan.still_say.clone()),
        (3, vec![SourceRef::Turn(other)])
    );
    // Forgotten before, its sentences are out of use and go just the same.
    priya.remember("Please forget where I live").unwrap();
    let plan = priya.erase(key()).dry_run().unwrap();
    assert!(turns(&plan) >= 3, "{plan:?}");
    priya.erase(key()).run().unwrap();
    drop((priya, memory));
    let words = ["in Berlin, take", "I live in Berlin", "you live in Berlin."];
    let bytes = fs_err::read(folder.path().join("memory.db")).unwrap();
    for word in words {
        let is_in = bytes
            .windows(word.len())
            .any(|part| part == word.as_bytes());
        assert!(!is_in, "{word}");
    }
}

#[test]
fn a_receipt_that_somebody_keeps_knows_the_log_of_then() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let copy = folder.path().join("earlier.db");
    let memory = Memoriter::open(&path).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    let erase = |text: &str| {
        let id = priya.remember(Note::new(text)).unwrap()[0].id.unwrap();
        let receipt = priya.erase(Selector::Memory(id)).run().unwrap();
        SignedReceipt::verify(&receipt.document).unwrap()
    };
    let first = erase("I like tea");
    for suffix in ["", "-wal"] {
        let beside = |path: &Path| format!("{}{suffix}", path.display());
        fs_err::copy(beside(&path), beside(&copy)).unwrap();
    }
    let second = erase("I like rye bread");
    let third = erase("I like old films");
    for receipt in [&first, &second, &third] {
        assert!(memory.has_logged(receipt).unwrap());
    }
    // A store that was put back to an earlier state has lost lines. It has the one that the second names, and not the second.
    let earlier = Memoriter::open(&copy).unwrap();
    assert!(earlier.has_signed(&second));
    let there = [&first, &second, &third].map(|receipt| earlier.has_logged(receipt).unwrap());
    assert_eq!(there, [true, false, false]);
    drop((priya, memory));
    // A change of the first line shows, wherever the line is that a receipt names.
    let mut bytes = fs_err::read(&path).unwrap();
    let line = br#""kind":"erase""#;
    let at = bytes.windows(line.len()).rposition(|part| part == line);
    bytes[at.unwrap() + 9] = b'E';
    fs_err::write(&path, bytes).unwrap();
    let memory = Memoriter::open(&path).unwrap();
    for receipt in [&first, &second, &third] {
        assert!(memory.has_signed(receipt) && !memory.has_logged(receipt).unwrap());
    }
    let problems = memory.verify().unwrap().problems;
    assert_eq!(problems[0].record, "audit in row 1");
}

#[test]
fn a_user_that_nobody_has_heard_of_is_not_erased_and_one_that_is_gone_may_be_again() {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memoriter::open(folder.path().join("memory.db")).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    let error = priya.erase(Selector::Everything).run().unwrap_err();
    assert_eq!(
        (error.code(), error.fault()),
        ("nothing_to_erase", Fault::NotFound)
    );
    assert_eq!(error.to_string(), "there is no scope user/priya to erase");
    assert!(priya.erase(Selector::Everything).dry_run().is_err());
    assert!(memory.receipts().unwrap().is_empty());
    priya.remember("I like tea").unwrap();
    for expected in [1, 0] {
        let receipt = said(&priya.erase(Selector::Everything).run().unwrap());
        assert_eq!(receipt["erased"]["memories"], expected);
    }
    // What only an agent of hers has is hers.
    let noor = memory.scope(Scope::user("noor"));
    let tutor = Scope::user("noor").within("agent", "tutor").unwrap();
    memory.scope(tutor).remember("Noor likes tea").unwrap();
    assert!(noor.erase(Selector::Everything).run().is_ok());
}

#[test]
fn words_are_found_in_parts_of_keys_and_whatever_their_case() {
    for words in [
        "tom",
        "brother tom",
        "favourite street",
        "HAUPTSTRASSE",
        "hauptstraße",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let memory = Memoriter::open(folder.path().join("memory.db")).unwrap();
        let priya = memory.scope(Scope::user("priya"));
        let note = Note::new("It is the Hauptstraße").value("Hauptstraße");
        priya
            .remember(note.key("brother:tom.favourite_street".parse().unwrap()))
            .unwrap();
        let selector = Selector::Matching(words.to_owned());
        let plan = priya.erase(selector).dry_run().unwrap();
        assert_eq!(plan.records.len(), 1, "{words}");
    }
}
