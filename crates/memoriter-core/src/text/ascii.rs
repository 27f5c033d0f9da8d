//! The words of plain ASCII text.

/// The words of `text` as UAX #29 cuts them, without those that hold no letter or digit. `text` is ASCII.
///
/// A word is a run of letters, digits and underscores (rules 5, 8 to 10 and 13a), with single marks
/// between two letters (`e.g.`, rules 6 and 7) or between two digits (`3.14`, rules 11 and 12).
pub(super) fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let runs = std::iter::from_fn(move || {
        let start = rest.bytes().position(is_core)?;
        let (_, run) = rest.split_at_checked(start)?;
        let (word, after) = run.split_at_checked(run_length(run.as_bytes()))?;
        rest = after;
        Some(word)
    });
    runs.filter(|word| word.bytes().any(|byte| byte.is_ascii_alphanumeric()))
}

/// The length of the run that `bytes` begin with.
fn run_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    loop {
        let rest = bytes.get(length..).unwrap_or_default();
        length += rest.iter().take_while(|byte| is_core(**byte)).count();
        let around = length
            .checked_sub(1)
            .and_then(|before| bytes.get(before..length + 2));
        match around {
            Some([before, mark, after]) if joins(*before, *mark, *after) => length += 1,
            Some(_) | None => return length,
        }
    }
}

fn is_core(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a mark holds together what is before and after it.
fn joins(before: u8, mark: u8, after: u8) -> bool {
    match mark {
        b'.' | b'\'' => {
            before.is_ascii_digit() && after.is_ascii_digit()
                || before.is_ascii_alphabetic() && after.is_ascii_alphabetic()
        }
        b',' | b';' => before.is_ascii_digit() && after.is_ascii_digit(),
        b':' => before.is_ascii_alphabetic() && after.is_ascii_alphabetic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    /// Every text of six characters of each class that the rules tell apart.
    #[test]
    fn words_are_those_of_the_standard() {
        const CLASSES: &[u8] = b"a1_.,:' -";
        let count = CLASSES.len().pow(6);
        for number in 0..count {
            let digits = (0..6).scan(number, |rest, _| {
                let class = CLASSES[*rest % CLASSES.len()];
                *rest /= CLASSES.len();
                Some(char::from(class))
            });
            let text: String = digits.collect();
            assert!(ascii_words(&text).eq(text.unicode_words()), "{text:?}");
        }
    }
}
