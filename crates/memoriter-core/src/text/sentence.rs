//! Where sentences end, as far as signs tell.

/// The sentences of a text, with the white space behind them: each goes up to a mark that ends one and white space
/// behind it, or up to the end of a line.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n').flat_map(|line| {
        let mut has_ended = false;
        line.split_inclusive(move |c: char| {
            let ends = has_ended && c.is_whitespace();
            has_ended = matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？');
            ends
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_marks_and_lines() {
        for (text, expected) in [
            ("One. Two!  Three", &["One. ", "Two! ", " Three"][..]),
            ("v1.2 is out\nNext", &["v1.2 is out\n", "Next"]),
            ("", &[]),
        ] {
            let found: Vec<&str> = sentences(text).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
