//! What the guard does to texts of your own: `cargo run -p memoriter-core --example guard -- FILE...`
//!
//! A file is JSON or JSON Lines; every string under `prompt`, `text`, `content` or `full_text` is a text. Prints what
//! would be masked or labelled, and counts. Where a text has `spans` with `entity_value` and `entity_type`, as in the
//! sets of Presidio, recall and precision of the categories are printed too.

#![expect(clippy::print_stdout, reason = "a program that prints")]

use std::collections::BTreeMap;

use memoriter_core::guard::{Category, Guard, GuardPolicy};
use serde_json::Value;

/// Categories with their names in the sets of Presidio.
const CATEGORIES: [(Category, &str); 5] = [
    (Category::CardNumber, "CREDIT_CARD"),
    (Category::Email, "EMAIL_ADDRESS"),
    (Category::Iban, "IBAN_CODE"),
    (Category::NationalId, "US_SSN"),
    (Category::Phone, "PHONE_NUMBER"),
];

#[derive(Default)]
struct Report {
    texts: usize,
    altered: usize,
    labelled: usize,
    /// Found and right, found, expected.
    categories: BTreeMap<&'static str, (usize, usize, usize)>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut report = Report::default();
    for path in std::env::args().skip(1) {
        let file = fs_err::read_to_string(path)?;
        if let Ok(value) = serde_json::from_str::<Value>(&file) {
            report.read(&value);
        } else {
            for line in file.lines() {
                report.read(&serde_json::from_str(line)?);
            }
        }
    }
    println!(
        "{} texts, {} altered, {} labelled",
        report.texts, report.altered, report.labelled
    );
    for (name, (right, found, expected)) in report.categories {
        println!("{name}: {right} of {expected} found, {found} finds");
    }
    Ok(())
}

impl Report {
    fn read(&mut self, value: &Value) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| self.read(value)),
            Value::Object(fields) => {
                for (name, field) in fields {
                    match field {
                        Value::String(text)
                            if ["prompt", "text", "content", "full_text"]
                                .contains(&name.as_str()) =>
                        {
                            self.check(text);
                            if let Some(Value::Array(spans)) = fields.get("spans") {
                                self.compare(text, spans);
                            }
                        }
                        Value::Array(_) | Value::Object(_) => self.read(field),
                        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn check(&mut self, text: &str) {
        self.texts += 1;
        let guard = Guard::default();
        let guarded = guard.check(text);
        for masked in &guarded.masked {
            let secret = text.get(masked.span.clone()).unwrap_or_default();
            let start = text.floor_char_boundary(masked.span.start.saturating_sub(60));
            let before = text.get(start..masked.span.start).unwrap_or_default();
            println!("masked {}: {before:?} {secret:?}", masked.kind);
        }
        self.altered += usize::from(!guarded.masked.is_empty());
        if let Some(evidence) = guard.looks_like_instruction(text) {
            self.labelled += 1;
            let part = text.get(evidence.span).unwrap_or_default();
            println!("labelled {:?}: {part:?}", evidence.kind);
        }
    }

    fn compare(&mut self, text: &str, spans: &[Value]) {
        for (category, name) in CATEGORIES {
            let guard = Guard::new(GuardPolicy::default().block(category.clone()));
            let guarded = guard.check(text);
            let found = guarded.masked.iter();
            let found = found.filter(|masked| masked.kind == category.name());
            let found: Vec<&str> = found
                .filter_map(|masked| text.get(masked.span.clone()))
                .collect();
            let expected: Vec<&str> = spans
                .iter()
                .filter(|span| span.get("entity_type").and_then(Value::as_str) == Some(name))
                .filter_map(|span| span.get("entity_value")?.as_str())
                .collect();
            let right = found.iter().filter(|found| expected.contains(*found));
            for missed in expected.iter().filter(|value| !found.contains(*value)) {
                println!("missed {name}: {missed:?}");
            }
            for wrong in found.iter().filter(|value| !expected.contains(*value)) {
                println!("wrong {name}: {wrong:?}");
            }
            let counts = self.categories.entry(name).or_default();
            *counts = (
                counts.0 + right.count(),
                counts.1 + found.len(),
                counts.2 + expected.len(),
            );
        }
    }
}
