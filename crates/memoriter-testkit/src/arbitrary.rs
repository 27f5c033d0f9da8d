//! Any record that the vocabulary allows, for property tests.

use memoriter_core::id::{ChangeNumber, MemoryId, TurnId};
use memoriter_core::memory::{
    Cardinality, Confidence, FactKey, Importance, Kind, Memory, State, Tier,
};
use memoriter_core::metadata::Metadata;
use memoriter_core::provenance::{Origin, Source, SourceRef, Status, Trust};
use memoriter_core::scope::Scope;
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{Message, Role};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;
use serde_json::{Map, Number, Value};

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
            Some((FactKey::new(entity, attribute).ok()?, cardinality))
        })
}

/// Any memory of `scope` that passes [`Memory::check`], with change number 0.
pub fn memory(scope: Scope) -> impl Strategy<Value = Memory> {
    let says = (
        memory_id(),
        select(Kind::ALL.to_vec()),
        option::of(text(20)),
        option::of(key()),
        option::of(text(60)),
        text(200),
        vec(source(), 0..4),
        metadata(),
    );
    let stands = (
        select(State::ALL.to_vec()),
        select(Tier::ALL.to_vec()),
        (1_u8..=10, 0.0_f32..=1.0),
        select(Status::ALL.to_vec()),
        select(Origin::ALL.to_vec()),
        0_u8..=3,
        option::of(text(20)),
        (any::<u32>(), any::<u32>(), any::<u32>()),
    );
    let times = (
        zoned(),
        option::of(zoned()),
        timestamp(),
        [
            option::of(timestamp()),
            option::of(timestamp()),
            option::of(timestamp()),
            option::of(timestamp()),
        ],
        option::of(memory_id()),
        option::of(memory_id()),
    );
    (says, stands, times).prop_filter_map("within the limits", move |(says, stands, times)| {
        let (id, kind, category, key, value, statement, sources, metadata) = says;
        let (state, tier, (importance, confidence), status, origin, trust, actor, counts) = stands;
        let (valid_from, valid_to, recorded_at, optional_times, supersedes, superseded_by) = times;
        let [retired_at, expires_at, last_recalled_at, last_confirmed_at] = optional_times;
        let (recall_count, confirmations, version) = counts;
        let memory = Memory {
            id,
            scope: scope.clone(),
            kind,
            category,
            key,
            value,
            statement,
            state,
            tier,
            importance: Importance::new(importance).ok()?,
            confidence: Confidence::new(confidence).ok()?,
            status,
            origin,
            trust: Trust::new(trust).ok()?,
            actor,
            sources,
            valid_from,
            valid_to,
            recorded_at,
            retired_at,
            expires_at,
            last_recalled_at,
            recall_count,
            last_confirmed_at,
            confirmations,
            supersedes,
            superseded_by,
            version,
            metadata,
            change: ChangeNumber(0),
        };
        memory.check().ok().map(|()| memory)
    })
}

/// Any message that passes [`Message::check`].
pub fn message() -> impl Strategy<Value = Message> {
    let parts = (
        select(Role::ALL.to_vec()),
        option::of(text(20)),
        text(200),
        option::of(json()),
        option::of(text(20)),
        select(Origin::ALL.to_vec()),
        zoned(),
        metadata(),
    );
    parts.prop_filter_map(
        "within the limits",
        |(role, speaker, content, tool_calls, tool_call_id, origin, at, metadata)| {
            let message = Message {
                role,
                speaker,
                content,
                tool_calls,
                tool_call_id,
                origin,
                at,
                metadata,
            };
            message.check().ok().map(|()| message)
        },
    )
}
