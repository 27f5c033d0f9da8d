//! The arguments of a tool, as models send them.
//!
//! Lenient where the meaning is plain: `null` is as good as left out, numbers, lists and objects may come as JSON in a
//! string, one item may stand for a list of one. Strict where it is not: a name that the tool does not have, a wrong type
//! and a value out of range are errors that name the argument.

use memoriter::InvalidInput;
use memoriter::core::metadata::Metadata;
use memoriter::core::time::ZonedTime;
use serde_json::{Map, Value};

use super::failure::Failure;

/// Names by which other memory servers take whose memory it is.
const OF_THE_CONNECTION: [&str; 13] = [
    "agent",
    "agent_id",
    "app_id",
    "namespace",
    "org_id",
    "origin_trust",
    "owner",
    "scope",
    "tenant",
    "tenant_id",
    "trust",
    "user",
    "user_id",
];

/// What is left of the arguments that a tool was called with.
pub(super) struct Arguments {
    tool: &'static str,
    left: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Arguments {
    pub(super) fn new(tool: &'static str, given: Map<String, Value>) -> Self {
        Self {
            tool,
            left: given,
            known: Vec::new(),
        }
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.left.remove(name).filter(|value| !value.is_null())
    }

    /// A text.
    pub(super) fn text(&mut self, name: &'static str) -> Result<Option<String>, Failure> {
        let Some(given) = self.take(name) else {
            return Ok(None);
        };
        match given.as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(wrong(name, "a text in double quotes", &given)),
        }
    }

    /// A text that must be there.
    pub(super) fn needed_text(&mut self, name: &'static str) -> Result<String, Failure> {
        self.text(name)?.ok_or_else(|| missing(name))
    }

    /// A text that is read as something else.
    pub(super) fn word<T>(
        &mut self,
        name: &'static str,
        read: impl Fn(&str) -> Result<T, InvalidInput>,
    ) -> Result<Option<T>, Failure> {
        let text = self.text(name)?;
        Ok(text.map(|text| read(&text)).transpose()?)
    }

    /// Several texts, each read as something else; one may stand alone.
    pub(super) fn words<T>(
        &mut self,
        name: &'static str,
        read: impl Fn(&str) -> Result<T, InvalidInput>,
    ) -> Result<Vec<T>, Failure> {
        let Some(given) = self.take(name) else {
            return Ok(Vec::new());
        };
        let given = unpacked(given, Value::is_array);
        let items = given.as_array().cloned().unwrap_or_else(|| vec![given]);
        let read = |item: &Value| match item.as_str() {
            Some(text) => Ok(read(text)?),
            None => Err(wrong(name, "a text or a list of texts", item)),
        };
        items.iter().map(read).collect()
    }

    /// A whole number from `least` to `most`; `expected` says so in words.
    pub(super) fn whole(
        &mut self,
        name: &'static str,
        (least, most): (u64, u64),
        expected: &'static str,
    ) -> Result<Option<u64>, Failure> {
        let Some(given) = self.take(name) else {
            return Ok(None);
        };
        let given = unpacked(given, Value::is_number);
        let number = given.as_u64().or_else(|| whole_float(&given));
        match number.filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(wrong(name, expected, &given)),
        }
    }

    /// A number from 0 to 1.
    pub(super) fn share(&mut self, name: &'static str) -> Result<Option<f32>, Failure> {
        let Some(given) = self.take(name) else {
            return Ok(None);
        };
        let given = unpacked(given, Value::is_number);
        let share = given.as_f64().filter(|share| (0.0..=1.0).contains(share));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "shares are kept with fewer digits"
        )]
        match share {
            Some(share) => Ok(Some(share as f32)),
            None => Err(wrong(name, "a number from 0 to 1", &given)),
        }
    }

    /// A time: RFC 3339, or a day.
    pub(super) fn time(&mut self, name: &'static str) -> Result<Option<ZonedTime>, Failure> {
        self.word(name, |text| ZonedTime::parse(name, text))
    }

    /// Data of the caller's own.
    pub(super) fn metadata(&mut self, name: &'static str) -> Result<Metadata, Failure> {
        let Some(given) = self.take(name) else {
            return Ok(Metadata::default());
        };
        let given = unpacked(given, Value::is_object);
        match given.as_object() {
            Some(fields) => Ok(Metadata::new(fields.clone())?),
            None => Err(wrong(name, "an object", &given)),
        }
    }

    /// That nothing is left over. Called when every argument that the tool has was asked for.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let Some((name, _)) = self.left.into_iter().next() else {
            return Ok(());
        };
        let shown: String = name.chars().take(60).collect();
        if OF_THE_CONNECTION.contains(&name.to_lowercase().as_str()) {
            let message = format!(
                "{shown} is no argument: whose memory this is, and how far it is trusted, comes from the connection alone"
            );
            return Err(Failure::caller("not_an_argument", message)
                .field(shown)
                .hint("call again without it"));
        }
        let message = format!(
            "{} has no argument {shown}; it has {}",
            self.tool,
            self.known.join(", ")
        );
        Err(Failure::caller("unknown_argument", message).field(shown))
    }
}

/// That a tool cannot do without an argument.
pub(super) fn missing(name: &'static str) -> Failure {
    Failure::caller("missing_argument", format!("{name} is missing")).field(name)
}

/// A value that some clients send as JSON in a string, where it reads as what is wanted.
fn unpacked(given: Value, is_wanted: impl Fn(&Value) -> bool) -> Value {
    let Value::String(text) = &given else {
        return given;
    };
    match serde_json::from_str(text.trim()) {
        Ok(value) if is_wanted(&value) => value,
        Ok(_) | Err(_) => given,
    }
}

/// `5.0`, as languages write that have no whole numbers.
fn whole_float(value: &Value) -> Option<u64> {
    let number = value.as_f64()?;
    let is_exact = number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number in the range that floats hold exactly"
    )]
    is_exact.then_some(number as u64)
}

fn wrong(name: &'static str, expected: &'static str, got: &Value) -> Failure {
    let got = match got {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            got.to_string()
        }
    };
    InvalidInput::malformed(name, expected, &got).into()
}

#[cfg(test)]
mod tests {
    use memoriter::core::memory::Kind;
    use serde_json::json;

    use super::*;

    fn arguments(given: Value) -> Arguments {
        let Value::Object(given) = given else {
            panic!("arguments are an object");
        };
        Arguments::new("search_memory", given)
    }

    #[test]
    fn what_clients_send_as_json_in_a_string_is_read() {
        let mut sent = arguments(json!({
            "k": "5", "n": 5.0, "share": "0.25", "kind": "[\"semantic\", \"episodic\"]", "one": "semantic",
            "metadata": "{\"team\": \"blue\"}", "none": null,
        }));
        let bounds = (1, 50);
        assert_eq!(sent.whole("k", bounds, "").unwrap(), Some(5));
        assert_eq!(sent.whole("n", bounds, "").unwrap(), Some(5));
        assert_eq!(sent.share("share").unwrap(), Some(0.25));
        let kinds = sent.words("kind", Kind::parse).unwrap();
        assert_eq!(kinds, [Kind::Semantic, Kind::Episodic]);
        assert_eq!(sent.words("one", Kind::parse).unwrap(), [Kind::Semantic]);
        let metadata = sent.metadata("metadata").unwrap();
        assert_eq!(metadata.as_object()["team"], "blue");
        assert_eq!(sent.text("none").unwrap(), None);
        sent.finish().unwrap();
    }

    #[track_caller]
    fn check(given: Value, read: impl Fn(&mut Arguments) -> Result<(), Failure>, says: &str) {
        let mut sent = arguments(given);
        let failure = read(&mut sent).and_then(|()| sent.finish()).unwrap_err();
        let document = failure.document().to_string();
        assert!(document.contains(says), "{document}");
    }

    #[test]
    fn what_is_wrong_names_the_argument_and_the_limit() {
        let k = |sent: &mut Arguments| {
            sent.whole("k", (1, 50), "a whole number from 1 to 50")
                .map(|_| ())
        };
        for wrong in [
            json!("five"),
            json!(0),
            json!(51),
            json!(1.5),
            json!([5]),
            json!(true),
        ] {
            let says = "k must be a whole number from 1 to 50, got";
            check(json!({ "k": wrong }), k, says);
        }
        let text = |sent: &mut Arguments| sent.needed_text("query").map(|_| ());
        check(json!({ "query": 7 }), text, "query must be a text");
        check(json!({}), text, "query is missing");
        check(json!({ "query": null }), text, "query is missing");
        let other = json!({ "query": "a", "qurey": "b" });
        check(
            other,
            text,
            "search_memory has no argument qurey; it has query",
        );
        for name in ["user_id", "tenant", "Scope"] {
            let foreign = json!({ "query": "a", name: "emma" });
            check(foreign, text, "comes from the connection alone");
        }
    }
}
