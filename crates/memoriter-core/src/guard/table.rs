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

/// Adds the secrets in the columns of tables.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    for separator in ['|', '\t', ';', ','] {
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
    let is_around = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*');
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
