//! What is not used sinks, and comes back when it is used.

use std::sync::Arc;

use memoriter::core::memory::{Importance, Kind, Tier};
use memoriter::core::rank::decay::{DecayPolicy, KindDecay};
use memoriter::core::time::Timestamp;
use memoriter::{Memoriter, Note, Scope, ScopedMemory};
use memoriter_testkit::StepClock;

const DAY: i64 = 86_400_000_000;

struct World {
    _folder: tempfile::TempDir,
    clock: Arc<StepClock>,
    memory: Memoriter,
}

fn world() -> World {
    let folder = tempfile::tempdir().unwrap();
    let start = Timestamp::from_micros(1_780_000_000_000_000);
    let clock = Arc::new(StepClock::new(start, 1));
    let builder = Memoriter::builder().without_extractor();
    let builder = builder.clock(Arc::clone(&clock) as Arc<_>);
    let memory = builder.open(folder.path().join("memory.db")).unwrap();
    World {
        _folder: folder,
        clock,
        memory,
    }
}

impl World {
    fn priya(&self) -> ScopedMemory {
        self.memory.scope(Scope::user("priya"))
    }

    fn wait(&self, days: i64) {
        self.clock.leap(days * DAY);
    }

    fn tiers(&self) -> Vec<Tier> {
        let page = self.priya().list(&[], None, 100).unwrap();
        page.memories.iter().map(|memory| memory.tier).collect()
    }

    fn finds(&self, query: &str) -> Vec<String> {
        let priya = self.priya();
        let hits = priya.recall(query).without_marking().run().unwrap();
        hits.iter().map(|hit| hit.text().to_owned()).collect()
    }
}

#[test]
fn what_is_not_used_sinks_and_is_recalled_no_more_unless_asked_for() {
    let world = world();
    let note = |text: &str| Note::new(text).kind(Kind::Episodic);
    world
        .priya()
        .remember(note("Saw a heron at the lake"))
        .unwrap();
    assert_eq!(world.tiers(), [Tier::Hot]);
    world.wait(200);
    assert_eq!(world.tiers(), [Tier::Cold]);
    assert_eq!(
        world.finds("heron at the lake"),
        ["Saw a heron at the lake"]
    );
    world.wait(300);
    assert_eq!(world.tiers(), [Tier::Archive]);
    assert_eq!(world.finds("heron at the lake"), Vec::<String>::new());

    let asked = world
        .priya()
        .recall("heron at the lake")
        .archived()
        .run()
        .unwrap();
    assert_eq!(asked[0].text(), "Saw a heron at the lake");
    world.memory.flush();
    assert_eq!(world.tiers(), [Tier::Hot], "use brings it back");
    assert_eq!(
        world.finds("heron at the lake"),
        ["Saw a heron at the lake"]
    );
}

#[test]
fn facts_under_a_key_and_what_waits_do_not_sink() {
    let world = world();
    let city = Note::new("I live in Munich")
        .key("user.city".parse().unwrap())
        .value("Munich");
    world.priya().remember(city).unwrap();
    world.wait(20_000);
    assert_eq!(world.tiers(), [Tier::Hot]);
    assert_eq!(
        world.finds("Which city do I live in?"),
        ["I live in Munich"]
    );
}

#[test]
fn a_sweep_writes_the_tiers_that_readers_tell() {
    let world = world();
    for text in ["Saw a heron at the lake", "Saw an owl in the barn"] {
        let note = Note::new(text).kind(Kind::Episodic);
        world.priya().remember(note).unwrap();
    }
    assert_eq!(swept(&world), (2, 0));
    world.wait(200);
    assert_eq!(swept(&world), (2, 2));
    assert_eq!(swept(&world), (2, 0), "once");
    let rows = |world: &World| {
        let mut file = Vec::new();
        world.priya().export(&mut file, &mut |_, _| {}).unwrap();
        let file = String::from_utf8(file).unwrap();
        file.matches("\"tier\":\"cold\"").count()
    };
    assert_eq!(rows(&world), 2);
    world.priya().recall("heron at the lake").run().unwrap();
    world.memory.flush();
    assert_eq!(swept(&world), (2, 1), "use brings it back");
    assert_eq!(rows(&world), 1);
    assert_eq!(world.memory.verify().unwrap().problems, []);
}

fn swept(world: &World) -> (u64, u64) {
    let swept = world.memory.sweep().unwrap();
    (swept.memories, swept.moved)
}

#[test]
fn a_worker_sweeps_when_it_starts() {
    let world = world();
    let note = Note::new("Saw a heron at the lake").kind(Kind::Episodic);
    world.priya().remember(note).unwrap();
    world.wait(200);
    let head = world.memory.head().unwrap();
    let worker = world.memory.start_worker().unwrap();
    for _ in 0..10_000 {
        if world.memory.head().unwrap() != head {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    worker.stop();
    assert_eq!(swept(&world), (1, 0));
}

#[test]
fn what_is_pinned_does_not_sink() {
    let world = world();
    let note = Note::new("Saw a heron at the lake").kind(Kind::Episodic);
    let id = world.priya().remember(note).unwrap()[0].id.unwrap();
    world.priya().pin(id).unwrap();
    world.wait(5_000);
    assert_eq!(world.tiers(), [Tier::Hot]);
    assert_eq!(
        world.finds("heron at the lake"),
        ["Saw a heron at the lake"]
    );
    world.priya().unpin(id).unwrap();
    assert_eq!(world.tiers(), [Tier::Archive]);
    assert_eq!(world.finds("heron at the lake"), Vec::<String>::new());
}

#[test]
fn what_matters_sinks_later_and_what_is_cold_gives_way() {
    let world = world();
    let note = |text: &str, level| {
        let note = Note::new(text).kind(Kind::Episodic);
        note.importance(Importance::new(level).unwrap())
    };
    world
        .priya()
        .remember(note("Saw a heron at the lake", 5))
        .unwrap();
    world
        .priya()
        .remember(note("Saw a stork at the lake", 10))
        .unwrap();
    world.wait(150);
    assert_eq!(world.tiers(), [Tier::Cold, Tier::Hot]);
    let priya = world.priya();
    let hits = priya.recall("at the lake").without_marking().run().unwrap();
    assert_eq!(hits[0].text(), "Saw a stork at the lake");
}

#[test]
fn the_past_is_asked_of_everything() {
    let world = world();
    let note = Note::new("Saw a heron at the lake").kind(Kind::Episodic);
    world.priya().remember(note).unwrap();
    world.wait(1_000);
    let then = Timestamp::from_micros(1_780_000_000_000_000 + DAY);
    let priya = world.priya();
    let hits = priya.recall("heron at the lake").as_of(then).run().unwrap();
    assert_eq!(hits.len(), 1);
}

#[test]
fn a_policy_is_checked_and_obeyed() {
    let never = KindDecay {
        half_life_days: 1.0,
        cold_below: 0.0,
        archive_below: 0.0,
    };
    let policy = DecayPolicy {
        episodic: never,
        ..DecayPolicy::default()
    };
    assert!(Memoriter::builder().decay(policy).is_ok());
    let broken = DecayPolicy {
        procedural: KindDecay {
            half_life_days: -1.0,
            ..never
        },
        ..policy
    };
    let error = Memoriter::builder().decay(broken).err().unwrap();
    assert_eq!(
        error.to_string(),
        "half_life_days must be a number above 0, got `-1`"
    );
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(StepClock::new(Timestamp::from_micros(0), 1));
    let builder = Memoriter::builder().decay(policy).unwrap();
    let builder = builder
        .clock(Arc::clone(&clock) as Arc<_>)
        .without_extractor();
    let memory = builder.open(folder.path().join("memory.db")).unwrap();
    let priya = memory.scope(Scope::user("priya"));
    priya
        .remember(Note::new("Saw a heron at the lake").kind(Kind::Episodic))
        .unwrap();
    clock.leap(100_000 * DAY);
    assert_eq!(priya.recall("heron at the lake").run().unwrap().len(), 1);
}
