//! Any record that the vocabulary allows, for property tests.

use std::sync::LazyLock;

use memoriter_core::attachment::AttachmentId;
use memoriter_core::guard::Guard;
use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::{
    Attempt, Cardinality, Confidence, FactKey, Importance, Kind, Memory, Outcome, State, Tier,
};
use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::{Origin, Source, SourceRef, Status, Trust};
use memoriter_core::scope::Scope;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{Attached, Encoding, Message, Role, Shape, Written};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;
use serde_json::{Map, Number, Value};

use crate::sample::Samples;

/// Text without NUL that is more than white space, at most `chars` long; often odd.
pub fn text(chars: usize) -> impl Strategy<Value = String> + Clone {
    let character = prop_oneof![
        4 => proptest::char::range(' ', '~'),
        2 => any::<char>(),
        1 => select(vec!['\u{301}', '\u{200D}', '\u{FEFF}', '\u{E0041}', '\u{202E}', '\n', '"', '\'', '\\', '%', '_', '/', '🦀', '東']),
    ];
    vec(character, 1..=chars)
        .prop_map(|chars| chars.into_iter().filter(|c| *c != '\0').collect::<String>())
        .prop_filter("more than white space", |text| !text.trim().is_empty())
}

/// Text that the built-in guard leaves as it is: what is a name may not hold a secret, and random text does now and then.
pub fn name(chars: usize) -> impl Strategy<Value = String> + Clone {
    static GUARD: LazyLock<Guard> = LazyLock::new(Guard::default);
    text(chars).prop_filter("no secret", |text| GUARD.check(text).masked.is_empty())
}

/// Any instant there is.
pub fn timestamp() -> impl Strategy<Value = Timestamp> + Clone {
    prop_oneof![
        (Timestamp::MIN.as_micros()..=Timestamp::MAX.as_micros()).prop_map(Timestamp::from_micros),
        (1_700_000_000_000_000_i64..1_900_000_000_000_000).prop_map(Timestamp::from_micros),
        Just(Timestamp::MIN),
        Just(Timestamp::MAX),
    ]
}

/// Any instant at any offset.
pub fn zoned() -> impl Strategy<Value = ZonedTime> + Clone {
    (timestamp(), -86_399..=86_399_i32).prop_map(|(instant, offset_seconds)| ZonedTime {
        instant,
        offset_seconds,
    })
}

/// Any JSON of a few levels.
pub fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter_map("finite", |number| Number::from_f64(number)
            .map(Value::Number)),
        text(20).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((text(8), inner), 0..4).prop_map(|fields| Value::Object(Map::from_iter(fields))),
        ]
    })
}

/// Any metadata within the limits.
pub fn metadata() -> impl Strategy<Value = Metadata> {
    vec((text(8), json()), 0..4).prop_filter_map("within the limits", |fields| {
        Metadata::new(Map::from_iter(fields)).ok()
    })
}

fn memory_id() -> impl Strategy<Value = MemoryId> + Clone {
    any::<[u8; 16]>().prop_map(MemoryId::from_bytes)
}

fn attempt() -> impl Strategy<Value = Attempt> {
    let parts = (
        text(60),
        select(Outcome::ALL.to_vec()),
        option::of(text(60)),
    );
    parts.prop_map(|(goal, outcome, lesson)| Attempt {
        goal,
        outcome,
        lesson,
    })
}

fn source() -> impl Strategy<Value = Source> {
    let of = prop_oneof![
        memory_id().prop_map(SourceRef::Memory),
        any::<[u8; 16]>().prop_map(|bytes| SourceRef::Turn(TurnId::from_bytes(bytes))),
    ];
    (of, prop_oneof![Just(String::new()), text(40)]).prop_map(|(of, quote)| Source { of, quote })
}

fn key() -> impl Strategy<Value = (FactKey, Cardinality)> {
    (
        text(20),
        text(20),
        select(vec![Cardinality::Single, Cardinality::Set]),
    )
        .prop_filter_map("within the limits", |(entity, attribute, cardinality)| {
            Some((FactKey::new(&entity, &attribute).ok()?, cardinality))
        })
}

/// Any memory of `scope` that passes [`Memory::check`], with change number 0.
pub fn memory(scope: Scope) -> impl Strategy<Value = Memory> {
    statement_of(scope)
        .prop_flat_map(standing)
        .prop_flat_map(times)
        .prop_filter("within the limits", |memory| memory.check().is_ok())
}

/// What a memory says; the rest is as plain as can be.
fn statement_of(scope: Scope) -> impl Strategy<Value = Memory> {
    let parts = (
        memory_id(),
        select(Kind::ALL.to_vec()),
        option::of(text(20)),
        option::of(key()),
        option::of(text(60)),
        text(200),
        option::of(attempt()),
        vec(source(), 0..4),
        metadata(),
    );
    let samples = Samples::new(0);
    parts.prop_map(
        move |(id, kind, category, key, value, statement, attempt, sources, metadata)| Memory {
            id,
            attempt: attempt.filter(|_| kind == Kind::Episodic),
            kind,
            category,
            key,
            value,
            sources,
            metadata,
            ..samples.memory(&scope, &statement)
        },
    )
}

/// The same with any state, and believed and mattering to any degree.
fn standing(memory: Memory) -> impl Strategy<Value = Memory> {
    let parts = (
        (
            select(State::STORED.to_vec()),
            select(Tier::ALL.to_vec()),
            select(Status::ALL.to_vec()),
        ),
        (1_u8..=10, 0.0_f32..=1.0, 0_u8..=3),
        (select(Origin::ALL.to_vec()), option::of(text(20))),
        (any::<u32>(), any::<u32>(), any::<u32>()),
    );
    parts.prop_map(
        move |((state, tier, status), measures, (origin, actor), counts)| {
            let (importance, confidence, trust) = measures;
            let (recall_count, confirmations, version) = counts;
            Memory {
                state,
                tier,
                status,
                importance: Importance::new(importance).expect("1 to 10"),
                confidence: Confidence::new(confidence).expect("0 to 1"),
                trust: Trust::new(trust).expect("0 to 3"),
                origin,
                actor,
                recall_count,
                confirmations,
                version,
                ..memory.clone()
            }
        },
    )
}

/// The same at any time, before and after anything.
fn times(memory: Memory) -> impl Strategy<Value = Memory> {
    let parts = (
        (zoned(), option::of(zoned()), timestamp()),
        [
            option::of(timestamp()),
            option::of(timestamp()),
            option::of(timestamp()),
            option::of(timestamp()),
            option::of(timestamp()),
        ],
        (option::of(memory_id()), option::of(memory_id())),
    );
    parts.prop_map(
        move |((valid_from, valid_to, recorded_at), optional, versions)| {
            let [
                retired_at,
                expires_at,
                last_recalled_at,
                last_confirmed_at,
                pinned_at,
            ] = optional;
            let (supersedes, superseded_by) = versions;
            Memory {
                valid_from,
                valid_to,
                told_to: valid_to,
                recorded_at,
                retired_at,
                expires_at,
                last_recalled_at,
                last_confirmed_at,
                pinned_at,
                supersedes,
                superseded_by,
                ..memory.clone()
            }
        },
    )
}

/// What a turn keeps of any message of a provider.
fn written() -> impl Strategy<Value = Written> {
    let encoding = prop_oneof![
        Just(Encoding::Text),
        text(20).prop_map(|before| Encoding::Base64 { before }),
    ];
    let attached = (text(20), any::<[u8; 16]>(), any::<u32>(), encoding).prop_map(
        |(at, id, bytes, encoding)| Attached {
            at,
            id: AttachmentId::from_bytes(id),
            bytes: usize::try_from(bytes).unwrap_or_default(),
            encoding,
        },
    );
    let parts = (
        select(Shape::ALL.to_vec()),
        option::of(json()),
        any::<bool>(),
        vec(attached, 0..3),
    );
    parts.prop_map(|(shape, message, continues, attached)| Written {
        shape,
        message,
        continues,
        attached,
    })
}

/// Any message that passes [`Message::check`].
pub fn message() -> impl Strategy<Value = Message> {
    let parts = (
        select(Role::ALL.to_vec()),
        option::of(name(20)),
        text(200),
        option::of(json()),
        option::of(name(20)),
        select(Origin::ALL.to_vec()),
        zoned(),
        (metadata(), option::of(written())),
    );
    parts.prop_filter_map(
        "within the limits",
        |(role, speaker, content, tool_calls, tool_call_id, origin, at, (metadata, written))| {
            let message = Message {
                role,
                speaker,
                content,
                tool_calls,
                tool_call_id,
                origin,
                at,
                metadata,
                written,
            };
            message.check().ok().map(|()| message)
        },
    )
}
