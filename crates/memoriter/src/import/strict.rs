//! JSON without a second meaning: an object that names a field twice is an error.
//!
//! `serde_json` refuses lone surrogates, control characters in strings, numbers out of range and nesting
//! beyond 128 levels by itself; repeated names it lets pass, the last one winning.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads one JSON value and nothing after it. An object that names a field twice is an error, unlike with
/// `serde_json` itself.
///
/// # Errors
/// When the text is no JSON, and of the category [`Data`](serde_json::error::Category::Data) when it is JSON with
/// two meanings.
pub fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Strict.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// [`parse`] where every number is kept as it is written. One that would lose digits is an error, of the category
/// [`Data`](serde_json::error::Category::Data), for whoever reads it back would get another.
///
/// # Errors
/// As [`parse`], or when a number has more digits than can be kept.
pub fn parse_exact(text: &str) -> Result<Value, serde_json::Error> {
    let value = parse(text)?;
    match numbers(text).find(|number| !is_exact(number)) {
        Some(number) => Err(serde_json::Error::custom(format!(
            "number {number} cannot be kept exactly: whole numbers go from {} to {}, others have up to 17 digits; \
             in double quotes it is kept as it stands",
            i64::MIN,
            u64::MAX
        ))),
        None => Ok(value),
    }
}

/// The levels of nesting of a JSON text, also of one that is none: told before anything is read into memory.
#[must_use]
pub fn depth(text: &[u8]) -> usize {
    let (mut level, mut deepest) = (0_usize, 0);
    let (mut in_string, mut is_escaped) = (false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                level += 1;
                deepest = deepest.max(level);
            }
            b'}' | b']' if !in_string => level = level.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The numbers of a JSON text, as they are written.
fn numbers(json: &str) -> impl Iterator<Item = &str> {
    let mut is_text = false;
    let mut is_escaped = false;
    json.split(move |c: char| {
        let was_text = is_text;
        match c {
            '"' if !is_escaped => is_text = !is_text,
            _ => {}
        }
        is_escaped = was_text && c == '\\' && !is_escaped;
        was_text || is_text || !(c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.'))
    })
    .filter(|token| token.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
}

/// Whether a number stands for the same after it was read.
fn is_exact(number: &str) -> bool {
    let read = serde_json::from_str::<serde_json::Number>(number);
    read.is_ok_and(|read| decimal(&read.to_string()) == decimal(number))
}

/// A number as its digits, without zeros at either end, and the power of ten of the last of them.
fn decimal(number: &str) -> (String, i64) {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent: i64 = exponent.parse().unwrap_or_default();
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole.trim_start_matches('-'), part].concat();
    let kept = digits.trim_start_matches('0').trim_end_matches('0');
    if kept.is_empty() {
        return (String::new(), 0);
    }
    let zeros = digits.len() - digits.trim_end_matches('0').len();
    let places = |count| i64::try_from(count).unwrap_or(i64::MAX);
    let last = exponent
        .saturating_add(places(zeros))
        .saturating_sub(places(part.len()));
    let sign = if whole.starts_with('-') { "-" } else { "" };
    ([sign, kept].concat(), last)
}

/// A JSON value in which no object names a field twice.
pub(crate) struct Unambiguous(pub(crate) Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Strict.deserialize(deserializer).map(Self)
    }
}

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(Self)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = access.next_key::<String>()? {
            if fields.contains_key(&name) {
                return Err(A::Error::custom(format!(
                    "field `{name}` stands here twice"
                )));
            }
            let value = access.next_value_seed(Self)?;
            fields.insert(name, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_told_without_parsing() {
        for (text, expected) in [
            ("1", 0),
            ("[[1],{}]", 2),
            (r#"{"a[[[\"[[":[]}"#, 2),
            ("]]]][", 1),
            (r#""\\"[["#, 2),
        ] {
            assert_eq!(depth(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn reads_what_serde_json_reads() {
        let text = r#"{"a":[1,-2,2.5,18446744073709551615,"\ud83e\udd80",null,true],"b":{"c":{}}}"#;
        assert_eq!(
            parse(text).unwrap(),
            serde_json::from_str::<Value>(text).unwrap()
        );
    }

    #[test]
    fn numbers_that_would_lose_digits_are_refused() {
        for text in [
            "[1, -2, 2.50, 1e3, 0.1, 0.30000000000000004, -0, 0.0]",
            "{\"a\": 18446744073709551615, \"b\": -9223372036854775808}",
            "\"123456789012345678901234567890\"",
            r#"{"say \"1234567890123456789012\"": "\\", "n": 12}"#,
            "1e300",
            "1234567890123456800000",
        ] {
            assert_eq!(parse_exact(text).unwrap(), parse(text).unwrap(), "{text}");
        }
        for (text, number) in [
            ("18446744073709551616", "18446744073709551616"),
            ("{\"a\": [-9223372036854775809]}", "-9223372036854775809"),
            ("0.1234567890123456789", "0.1234567890123456789"),
            (
                r#"{"say \"": 12345678901234567890123}"#,
                "12345678901234567890123",
            ),
        ] {
            let error = parse_exact(text).unwrap_err();
            assert!(error.is_data(), "{text}");
            let told = error.to_string();
            assert!(
                told.contains(number) && told.contains("18446744073709551615"),
                "{told}"
            );
        }
    }

    #[test]
    fn refuses_what_has_two_meanings_or_none() {
        for (text, why) in [
            (r#"{"a":1,"a":2}"#, "field `a` stands here twice"),
            (r#"[{"b":{"a":1,"a":1}}]"#, "field `a` stands here twice"),
            (r#""\ud800""#, "end of hex escape"),
            (r#""\udc00\ud800""#, "lone leading surrogate"),
            ("\"a\0b\"", "control character"),
            ("1e999", "number out of range"),
            ("{} {}", "trailing characters"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        let bomb = "[".repeat(100_000);
        assert!(
            parse(&bomb)
                .unwrap_err()
                .to_string()
                .contains("recursion limit")
        );
    }
}
