//! Bytes that stand in JSON as base64: images, sound, files.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::attachment::MediaType;

/// Standard base64 with padding (RFC 4648, section 4).
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The bytes, where encoding them gives the same text again.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let bytes = STANDARD.decode(text).ok()?;
    (!bytes.is_empty() && encode(&bytes) == text).then_some(bytes)
}

/// A `data:` address in base64 (RFC 2397) apart: everything before the data, the media type, the data.
#[must_use]
pub fn data_url(text: &str) -> Option<(&str, MediaType, &str)> {
    const BASE64: &str = ";base64,";
    let rest = text.strip_prefix("data:")?;
    let (kind, data) = rest.split_once(BASE64)?;
    let before = text.get(..text.len() - data.len())?;
    let kind = kind.split(';').next().unwrap_or_default();
    let media_type = MediaType::new(kind).unwrap_or_else(|_| MediaType::bytes());
    Some((before, media_type, data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decoded_encodes_to_the_same_text() {
        for text in ["AA==", "iVBORw0KGgo=", "////", "++++"] {
            let bytes = decode(text).unwrap();
            assert_eq!(encode(&bytes), text);
        }
        for other in ["", "AA", "AB==", "A A=", "AA==\n", "-_-_", "é"] {
            assert_eq!(decode(other), None, "{other}");
        }
    }

    #[test]
    fn data_addresses_are_taken_apart() {
        let (before, kind, data) = data_url("data:image/PNG;x=1;base64,AA==").unwrap();
        assert_eq!(
            (before, kind.as_str(), data),
            ("data:image/PNG;x=1;base64,", "image/png", "AA==")
        );
        assert_eq!(data_url("data:;base64,AA==").unwrap().1, MediaType::bytes());
        for other in ["data:image/png,AA", "https://a/b;base64,AA==", ""] {
            assert!(data_url(other).is_none(), "{other}");
        }
    }
}
