//! What is erased is gone, from the files too, and does not come back.

use std::collections::BTreeSet;
use std::path::Path;

use memoriter::core::id::MemoryId;
use memoriter::core::metadata::Metadata;
use memoriter::core::port::{Clock, Entropy};
use memoriter::core::provenance::{Origin, SourceRef};
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::store::{IndexChange, SqliteOptions, SqliteStore, Store};
use memoriter::{
    Memoriter, NewState, Note, Planned, Scope, ScopedMemory, SeededEntropy, Selector,
    SignedReceipt, SystemClock, TurnDraft, TurnKey,
};
use serde_json::Value;

/// A word that nothing else says: sixteen letters.
fn tokens(count: usize) -> Vec<String> {
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

fn turn(session: &str, number: usize, text: &str) -> TurnDraft {
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
fn plant(priya: &ScopedMemory, tokens: &[String]) {
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
    // Boards are smaller than what is said.
    for token in tokens.iter().step_by(10) {
        session
            .state()
            .set("word", Value::from(token.as_str()))
            .unwrap();
        let state = NewState::new("json", format!("{{\"at\":\"{token}\"}}")).label(token);
        session.checkpoints().save(state).unwrap();
    }
}

/// How often any form of a token stands in any file of a folder: its end, UTF-16, Base64.
fn hits(folder: &Path, tokens: &[String], vectors: &[Vec<u8>]) -> usize {
    let mut needles: BTreeSet<Vec<u8>> = vectors.iter().map(|codes| codes[..64].to_vec()).collect();
    for token in tokens {
        needles.insert(token.as_bytes()[8..].to_vec());
        needles.insert(token.encode_utf16().flat_map(u16::to_le_bytes).collect());
        needles.insert(base64(token.as_bytes()));
    }
    let entries = fs_err::read_dir(folder).unwrap();
    let files = entries.map(|entry| fs_err::read(entry.unwrap().path()).unwrap());
    files
        .map(|file| {
            let lengths: BTreeSet<usize> = needles.iter().map(Vec::len).collect();
            let found = |length: &usize| {
                file.windows(*length)
                    .filter(|part| needles.contains(*part))
                    .count()
            };
            lengths.iter().map(found).sum::<usize>()
        })
        .sum()
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

fn open_raw(path: &Path) -> SqliteStore {
    let entropy = SeededEntropy::new(1);
    SqliteStore::open(path, &SqliteOptions::new(&entropy, SystemClock.now())).unwrap()
}

/// The vectors of a scope as the file has them.
fn vectors(path: &Path, scope: &Scope) -> Vec<Vec<u8>> {
    let store = open_raw(path);
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

fn said(receipt: &memoriter::KeptReceipt) -> Value {
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
    let all = vectors(&path, priya.scope());
    assert_eq!(all.len(), 2_000);
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
    assert_eq!(memory.receipts().unwrap().len(), 206);
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
    assert!(receipt.is_pending);
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

#[test]
fn the_same_transcript_brings_nothing_back() {
    let memory = Memoriter::builder().over(std::sync::Arc::new(
        memoriter::store::MemoryStore::new([3; 32]),
    ));
    let priya = memory.scope(Scope::user("priya"));
    let transcript =
        || (0..250).map(|number| turn("s1", number, &format!("I have a cat named Rex{number}")));
    let learned = priya.learn(transcript()).unwrap();
    assert!(!learned.decisions.is_empty());
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
            "I have a cat named Rex3",
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
            Planned::Turn(_) | Planned::Field(_) | Planned::Checkpoint(_) | Planned::Session(_) => {
                None
            }
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
