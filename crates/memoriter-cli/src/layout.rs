//! Text for people: short lines, tables, numbers, times.

use std::fmt::Write as _;

use comfy_table::{ContentArrangement, Table, presets};
use memoriter::core::text::{hides, is_invisible, joins, reorders};
use memoriter::core::time::ZonedTime;
use memoriter::store::Damage;
use serde_json::Value;

/// Characters of a text that a listing shows of one record.
pub(crate) const LISTED_CHARS_MAX: usize = 240;

/// The text on one line, without control characters, cut to `chars_max` characters. Stored text is anyone's:
/// it must not steer the terminal.
pub(crate) fn one_line(text: &str, chars_max: usize) -> String {
    let mut line = String::new();
    let mut words = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty());
    let mut left = chars_max;
    for word in &mut words {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(left));
        left = left.saturating_sub(word.chars().count() + 1);
        if left == 0 {
            break;
        }
    }
    if left == 0 && (words.next().is_some() || line.chars().count() >= chars_max) {
        line.push('…');
    }
    line
}

/// The text with every control character escaped, line ends and tabs too, and what else could hide or turn
/// around what is shown: for names and other foreign text in the middle of a line of ours.
pub(crate) fn escaped(text: &str) -> String {
    shown(text, char::is_control)
}

/// The text as it is but for control characters other than line ends and tabs, and for what could hide or turn
/// around what is shown; these are shown escaped.
pub(crate) fn printable(text: &str) -> String {
    shown(text, |c| c.is_control() && !matches!(c, '\n' | '\t'))
}

/// The text with some characters escaped, and those that hide or reorder. Joiners stay behind what they can join:
/// a letter of another script than ours, or an emoji.
fn shown(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        let joins_nothing = joins(c) && (before.is_ascii() || is_invisible(before));
        if is_escaped(c) || reorders(c) || hides(c) || joins_nothing {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
        before = c;
    }
    shown
}

/// A value as JSON over several lines, in which what could hide or turn around what is shown is written as an escape
/// of JSON.
pub(crate) fn json(value: &Value) -> String {
    in_plain_sight(&format!("{value:#}"))
}

/// The same on one line.
pub(crate) fn json_line(value: &Value) -> String {
    in_plain_sight(&value.to_string())
}

fn in_plain_sight(text: &str) -> String {
    let mut json = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && c.is_control() || reorders(c) || hides(c) || joins(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a text cannot fail.
                let _ = write!(json, "\\u{unit:04x}");
            }
        } else {
            json.push(c);
        }
    }
    json
}

/// The day as told: `2026-03-01`.
pub(crate) fn day(time: ZonedTime) -> String {
    time.day().to_string()
}

/// The minute as told: `2026-03-01 09:00`, with the offset where it is not UTC.
pub(crate) fn minute(time: ZonedTime) -> String {
    let text = time.to_string();
    let minute = text.get(..16).unwrap_or(&text).replace('T', " ");
    match text.get(text.len().saturating_sub(6)..) {
        Some(offset) if time.offset_seconds != 0 => format!("{minute} {offset}"),
        Some(_) | None => minute,
    }
}

/// What is there and cannot be shown.
pub(crate) fn damage(damage: &Damage) -> String {
    format!("damaged and left out: {}", problem(damage))
}

/// What does not fit, on one line.
pub(crate) fn problem(damage: &Damage) -> String {
    let [record, why] = [&damage.record, &damage.why].map(|text| one_line(text, LISTED_CHARS_MAX));
    format!("{record}: {why}")
}

/// Named values, one a line, below a text.
pub(crate) struct Fields(Vec<String>);

impl Fields {
    /// Starts with a text and an empty line.
    pub(crate) fn below(text: &str) -> Self {
        Self(vec![printable(text), String::new()])
    }

    /// Adds a line.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "callers hand over what they have just made"
    )]
    pub(crate) fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.0
            .push(format!("{name:<15}{}", printable(&value.to_string())));
        self
    }

    /// Adds a line where there is a value.
    pub(crate) fn with_some(self, name: &str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// All lines.
    pub(crate) fn text(&self) -> String {
        self.0.join("\n")
    }
}

/// `1 turn`, `2 turns`.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Bytes in a unit that leaves one to three digits.
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if number < 1_000 {
        return format!("{number} B");
    }
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let mut scaled = number as f64 / 1_000.0;
    let mut unit = 0;
    while scaled >= 1_000.0 && unit + 1 < UNITS.len() {
        scaled /= 1_000.0;
        unit += 1;
    }
    format!("{scaled:.1} {}", UNITS.get(unit).unwrap_or(&"TB"))
}

/// A bar of ten for a share in `0..=1`.
pub(crate) fn bar(share: f32) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0..=10"
    )]
    let filled = (share.clamp(0.0, 1.0) * 10.0).round() as usize;
    "#".repeat(filled) + &".".repeat(10 - filled)
}

/// A table without lines, as wide as the terminal allows; nothing is wrapped where there is none.
pub(crate) fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(head);
    table
}

/// The table as text, without white space at line ends.
pub(crate) fn render(table: &Table) -> String {
    let lines: Vec<String> = table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_json_whatever_it_holds() {
        let value = Value::from("a\u{202e}b\u{85}c\u{e0041}d\u{200d}e\nf\"");
        let written = json(&value);
        assert_eq!(printable(&written), written);
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value);
    }

    #[test]
    fn one_line_cuts_and_cleans() {
        assert_eq!(one_line("a\nb \u{1b}[31m c", 80), "a b [31m c");
        assert_eq!(one_line("abcdef", 4), "abcd…");
        assert_eq!(one_line("ab cd ef", 5), "ab cd…");
        assert_eq!(one_line("ab cd", 5), "ab cd…");
        assert_eq!(one_line("", 5), "");
    }

    #[test]
    fn sizes_have_few_digits() {
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(8_192), "8.2 kB");
        assert_eq!(bytes(3_000_000_000_000_000), "3000.0 TB");
    }

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(printable("a\u{1b}[0m\n"), "a\\u{1b}[0m\n");
        assert_eq!(printable("a\tb\r\n"), "a\tb\\r\n");
        assert_eq!(escaped("é\u{1b}\\\n\u{9b}"), "é\\u{1b}\\\\n\\u{9b}");
    }

    #[test]
    fn what_hides_or_turns_around_is_shown_and_joiners_stay_where_they_join() {
        let as_it_is = [
            "👨\u{200D}👩\u{200D}👧 and ❤\u{FE0F}\u{200D}🔥",
            "می\u{200C}خواهم",
            "क्\u{200D}ष",
            "ภาษา\u{200B}ไทย",
            "שלום\u{200F}!",
        ];
        for text in as_it_is {
            assert_eq!(printable(text), text);
            assert_eq!(escaped(text), text);
        }
        assert_eq!(
            printable("pay \u{202E}100\u{2069}"),
            "pay \\u{202e}100\\u{2069}"
        );
        assert_eq!(printable("a\u{200B}b\u{200D}"), "a\\u{200b}b\\u{200d}");
        assert_eq!(printable("hi\u{E0041}\u{FEFF}"), "hi\\u{e0041}\\u{feff}");
    }
}
