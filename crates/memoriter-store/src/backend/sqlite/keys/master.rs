//! The key that the other keys are wrapped with.

use memoriter_core::error::InvalidInput;
use zeroize::Zeroizing;

use super::super::cipher::KEY_BYTES;

/// How a master key is written.
pub const KEY_TEXT_FORMS: &str = "64 hexadecimal digits, or 44 characters of Base64";

/// The key of a store: 32 bytes that the keys of its scopes are wrapped with. It is not kept by the store; what is lost
/// with it is lost. Overwritten in memory when dropped, and never shown.
#[derive(Clone)]
pub struct MasterKey(Zeroizing<[u8; KEY_BYTES]>);

impl MasterKey {
    /// The key of these bytes, which must be random.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Reads a key as it is written in files and variables: [`KEY_TEXT_FORMS`], with white space around it.
    ///
    /// # Errors
    /// When it is of another form; the text is not repeated. When all bytes are equal, which no random key is.
    pub fn parse(text: &str) -> Result<Self, InvalidInput> {
        let malformed = || InvalidInput::malformed("key", KEY_TEXT_FORMS, "something else");
        let text = text.trim().as_bytes();
        let bytes = match text.len() {
            64 => unhex(text),
            43 | 44 => unbase64(text),
            _ => None,
        };
        let bytes = bytes.ok_or_else(malformed)?;
        let [first, rest @ ..] = &*bytes;
        if rest.iter().all(|byte| byte == first) {
            let expected = "32 random bytes, not one byte repeated";
            return Err(InvalidInput::malformed("key", expected, "such a key"));
        }
        Ok(Self(bytes))
    }

    /// The key in hexadecimal digits, as [`MasterKey::parse`] reads it: a secret.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
        let digits = self
            .0
            .iter()
            .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
        Zeroizing::new(digits.collect())
    }

    pub(in super::super) fn bytes(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }
}

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey(..)")
    }
}

fn unhex(digits: &[u8]) -> Option<Zeroizing<[u8; KEY_BYTES]>> {
    let mut bytes = Zeroizing::new([0; KEY_BYTES]);
    let value = |digit: u8| char::from(digit).to_digit(16);
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let [high, low] = pair else { return None };
        *byte = u8::try_from(value(*high)? << 4 | value(*low)?).ok()?;
    }
    Some(bytes)
}

/// Base64 of exactly 32 bytes, in the usual alphabet or that for addresses, with the sign at its end or without.
fn unbase64(text: &[u8]) -> Option<Zeroizing<[u8; KEY_BYTES]>> {
    const CHARACTERS: usize = 43;
    let (text, end) = text.split_at_checked(CHARACTERS)?;
    if !matches!(end, b"" | b"=") {
        return None;
    }
    let mut bytes = Zeroizing::new([0; KEY_BYTES]);
    let (mut bits, mut held, mut at) = (0_u32, 0, 0);
    for character in text {
        bits = bits << 6 | sextet(*character)?;
        held += 6;
        if held >= 8 {
            held -= 8;
            *bytes.get_mut(at)? = u8::try_from(bits >> held & 255).ok()?;
            at += 1;
        }
    }
    // What the last character has beyond the last byte.
    (at == KEY_BYTES && bits & ((1 << held) - 1) == 0).then_some(bytes)
}

fn sextet(character: u8) -> Option<u32> {
    let value = match character {
        b'A'..=b'Z' => character - b'A',
        b'a'..=b'z' => character - b'a' + 26,
        b'0'..=b'9' => character - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_in_both_forms() {
        let bytes: [u8; 32] = std::array::from_fn(|at| u8::try_from(at * 7 + 1).unwrap_or(0));
        let hex = MasterKey::new(bytes).to_text();
        assert_eq!(
            hex.as_str(),
            "01080f161d242b323940474e555c636a71787f868d949ba2a9b0b7bec5ccd3da"
        );
        let base64 = "AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o=";
        for text in [
            hex.as_str(),
            &hex.to_uppercase(),
            &format!(" {}\n", hex.as_str()),
            base64,
            base64.trim_end_matches('='),
        ] {
            assert_eq!(MasterKey::parse(text).unwrap().bytes(), &bytes, "{text}");
        }
    }

    #[test]
    fn what_is_no_key_is_refused_and_not_repeated() {
        for odd in [
            "",
            "hunter2",
            &"0".repeat(64),
            &"g".repeat(64),
            &"A".repeat(43),
            "AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09p=",
            "AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o?",
            &"é".repeat(32),
        ] {
            let error = MasterKey::parse(odd).unwrap_err().to_string();
            assert!(odd.is_empty() || !error.contains(odd), "{error}");
        }
        assert_eq!(format!("{:?}", MasterKey::new([7; 32])), "MasterKey(..)");
    }
}
