//! Secrets in tables: a column whose head names a password, in Markdown, or with tabs, semicolons or commas between.

use std::ops::Range;

use super::place::is_password_like;
use super::span::{Found, Rank};

/// Heads of columns that hold passwords.
const PASSWORDS: &[&str] = &[
    "password", "passwort", "kennwort", "pass", "passwd", "pwd", "pw", "contraseña", "clave", "mot de passe", "mdp",
    "senha", "secret", "passphrase",
];
/// Heads of columns that hold numbers to prove who somebody is.
const PINS: &[&str] = &["pin", "pin code", "passcode", "code pin"];
/// The longest head of a column, bytes.
const HEAD_BYTES_MAX: usize = 24;
/// Rows that are read below a head.
const ROWS_MAX: usize = 1_000;

/// What a column holds.
#[derive(Clone, Copy)]
enum Column {
    Password,
    Pin,
}

/// The separators of cells.
const SEPARATORS: [char; 4] = ['|', '\t', ';', ','];

/// The heads of columns that hold secrets, as far as letters beyond ASCII go in both cases.
pub(super) fn heads_of_secrets() -> impl Iterator<Item = &'static str> {
    PASSWORDS.iter().chain(PINS).chain(&["contraseÑa"]).copied()
}

/// Whether a place in a text is all that a cell holds.
pub(super) fn is_cell(text: &str, place: Range<usize>) -> bool {
    let is_filling = |c: char| is_around(c) && c != '\n' && c != '\t';
    let is_edge = |c: char| c == '\n' || SEPARATORS.contains(&c);
    let before = text.get(..place.start).unwrap_or_default();
    let behind = text.get(place.end..).unwrap_or_default();
    let before = before.trim_end_matches(is_filling).chars().next_back();
    let behind = behind.trim_start_matches(is_filling).chars().next();
    before.is_none_or(is_edge) && behind.is_none_or(is_edge)
}

/// White space, quotes and marks of emphasis that stand around what a cell holds.
fn is_around(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*')
}

/// Adds the secrets in the columns of tables.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    for separator in SEPARATORS {
        let mut columns: Vec<(usize, Column)> = Vec::new();
        let (mut width, mut rows) = (0, 0);
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let cells = cells(line, start, separator);
            if cells.len() < 2 {
                columns.clear();
                continue;
            }
            let heads = heads(text, &cells);
            if !heads.is_empty() {
                (columns, width, rows) = (heads, cells.len(), 0);
                continue;
            }
            rows += 1;
            if cells.len() != width || rows > ROWS_MAX {
                columns.clear();
            }
            for (column, holds) in &columns {
                let Some(cell) = cells.get(*column) else { continue };
                let value = text.get(cell.clone()).unwrap_or_default();
                let (is_secret, kind) = match holds {
                    Column::Password => (is_password_like(value, 4), "password"),
                    Column::Pin => (is_pin(value), "pin"),
                };
                if is_secret {
                    found.push(Found::new(cell.clone(), kind, Rank::Place));
                }
            }
        }
    }
}

/// The cells of a line, without the space and quotes around them. Markdown begins and ends a line with a separator.
fn cells(line: &str, start: usize, separator: char) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let mut at = start;
    for cell in line.split(separator) {
        let lead = cell.len() - cell.trim_start_matches(is_around).len();
        let inner = cell.trim_matches(is_around);
        cells.push(at + lead..at + lead + inner.len());
        at += cell.len() + separator.len_utf8();
    }
    if separator == '|' {
        cells.retain(|cell| !cell.is_empty());
    }
    cells
}

/// The columns that hold secrets, where the line is the head of a table.
fn heads(text: &str, cells: &[Range<usize>]) -> Vec<(usize, Column)> {
    let words = cells.iter().map(|cell| text.get(cell.clone()).unwrap_or_default());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let is_head = |word: &String| {
        word.len() <= HEAD_BYTES_MAX && !word.is_empty() && !word.bytes().any(|byte| byte.is_ascii_digit())
    };
    if !words.iter().all(is_head) {
        return Vec::new();
    }
    let column = |word: &String| match word.as_str() {
        word if PASSWORDS.contains(&word) => Some(Column::Password),
        word if PINS.contains(&word) => Some(Column::Pin),
        _ => None,
    };
    let columns = words.iter().enumerate();
    columns
        .filter_map(|(at, word)| Some((at, column(word)?)))
        .collect()
}

fn is_pin(value: &str) -> bool {
    (4..=8).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_told_from_a_word_of_a_sentence() {
        let is_head = |text: &str| {
            let at = text.find("password").unwrap();
            is_cell(text, at..at + "password".len())
        };
        for text in ["password", "user | password |", "| **password** |\n", "user;\"password\"\r\n", "user\tpassword\tsite"] {
            assert!(is_head(text), "{text}");
        }
        for text in ["my password, please", "the password", "password: x", "user, my password\n"] {
            assert!(!is_head(text), "{text}");
        }
    }
}
