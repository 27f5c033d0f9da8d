//! Identifiers.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::error::InvalidInput;
use crate::port::Entropy;
use crate::time::Timestamp;

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident, $field:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 16]);

        impl $name {
            /// An id from its sixteen bytes.
            #[must_use]
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(bytes)
            }

            /// The sixteen bytes, big-endian: their order is the order of the ids.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8; 16] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                Uuid::from_bytes(self.0).hyphenated().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{self}")
            }
        }

        impl FromStr for $name {
            type Err = InvalidInput;

            fn from_str(text: &str) -> Result<Self, InvalidInput> {
                let malformed = || InvalidInput::malformed($field, "an id such as 0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11", text);
                Uuid::try_parse(text.trim()).map(|id| Self(id.into_bytes())).map_err(|_| malformed())
            }
        }
    };
}

identifier! {
    /// Names a memory for as long as the store lives: a `UUIDv7`, so ids of one store sort by creation time
    /// to the millisecond.
    MemoryId, "id"
}

identifier! {
    /// Names a turn: a `UUIDv8` derived with the store's secret from scope, session and the turn's own key,
    /// so that appending the same turn again finds the first.
    TurnId, "id"
}

identifier! {
    /// Names a checkpoint: a `UUIDv7`, as a memory's id.
    CheckpointId, "checkpoint"
}

identifier! {
    /// Names an attachment: a `UUIDv8` derived with the store's secret from where it stands and what it holds, so that
    /// attaching the same again finds the first.
    AttachmentId, "handle"
}

impl MemoryId {
    /// A new id: RFC 9562 version 7, the clock's milliseconds and 74 random bits.
    #[must_use]
    pub fn generate(now: Timestamp, entropy: &dyn Entropy) -> Self {
        Self(version_7(now, entropy))
    }
}

impl CheckpointId {
    /// A new id, as [`MemoryId::generate`] makes one.
    #[must_use]
    pub fn generate(now: Timestamp, entropy: &dyn Entropy) -> Self {
        Self(version_7(now, entropy))
    }
}

fn version_7(now: Timestamp, entropy: &dyn Entropy) -> [u8; 16] {
    let mut random = [0; 10];
    entropy.fill(&mut random);
    let millis = u64::try_from(now.as_micros() / 1_000).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random)
        .into_uuid()
        .into_bytes()
}

impl TurnId {
    /// The id of the turn that `parts` identify in the store that holds `secret`: RFC 9562 version 8 over a
    /// keyed BLAKE3 hash. Without the secret nothing about the parts can be learned or guessed from the id.
    #[must_use]
    pub fn derive(secret: &[u8; 32], parts: &[&[u8]]) -> Self {
        Self(derived(secret, parts))
    }
}

impl AttachmentId {
    /// The id of the attachment that `parts` identify, made as [`TurnId::derive`] makes one.
    #[must_use]
    pub fn derive(secret: &[u8; 32], parts: &[&[u8]]) -> Self {
        Self(derived(secret, parts))
    }
}

fn derived(secret: &[u8; 32], parts: &[&[u8]]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new_keyed(secret);
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut bytes = [0; 16];
    hasher.finalize_xof().fill(&mut bytes);
    uuid::Builder::from_custom_bytes(bytes)
        .into_uuid()
        .into_bytes()
}

/// Orders everything that happened in one store: strictly increasing, given at commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeNumber(pub u64);

impl fmt::Display for ChangeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting;

    impl Entropy for Counting {
        fn fill(&self, buffer: &mut [u8]) {
            for (byte, value) in buffer.iter_mut().zip(1..) {
                *byte = value;
            }
        }
    }

    #[test]
    fn memory_ids_sort_by_time_and_read_back() {
        let early = MemoryId::generate(Timestamp::from_micros(1_000_000), &Counting);
        let late = MemoryId::generate(Timestamp::from_micros(2_000_000), &Counting);
        assert!(early < late);
        assert_eq!(early.to_string().parse(), Ok(early));
        assert_eq!(early.to_string().chars().nth(14), Some('7'));
    }

    #[test]
    fn turn_ids_do_not_confuse_neighbouring_parts() {
        let secret = [7; 32];
        assert_ne!(
            TurnId::derive(&secret, &[b"ab", b"c"]),
            TurnId::derive(&secret, &[b"a", b"bc"])
        );
        assert_eq!(
            TurnId::derive(&secret, &[b"ab", b"c"]),
            TurnId::derive(&secret, &[b"ab", b"c"])
        );
        assert_ne!(
            TurnId::derive(&[8; 32], &[b"ab"]),
            TurnId::derive(&secret, &[b"ab"])
        );
    }

    #[test]
    fn an_id_that_is_none_is_named() {
        assert_eq!(
            "nope".parse::<MemoryId>().unwrap_err().to_string(),
            "id must be an id such as 0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11, got `nope`"
        );
    }
}
