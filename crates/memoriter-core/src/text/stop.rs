//! Words so common in English that they say little about what a text is about. They are marked, not dropped:
//! a question of nothing else ("The Who?") is still searched by them.

/// Whether a folded word is a stop word. A `match`, because every word of every text is asked about: it
/// compares with the few words of the same length.
#[rustfmt::skip]
pub(super) fn is_stop_word(word: &str) -> bool {
    matches!(
        word,
        "a" | "an" | "and" | "are" | "as" | "at" | "be" | "but" | "by" | "did" | "do" | "does"
        | "for" | "from" | "had" | "has" | "have" | "he" | "her" | "his" | "how" | "i" | "i'm"
        | "i've" | "if" | "in" | "into" | "is" | "it" | "it's" | "its" | "me" | "my" | "no"
        | "not" | "of" | "on" | "or" | "our" | "she" | "so" | "that" | "that's" | "the" | "their"
        | "them" | "they" | "this" | "to" | "was" | "we" | "were" | "what" | "when" | "where"
        | "which" | "who" | "will" | "with" | "would" | "you" | "your"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_words_are_told_from_others() {
        assert!(is_stop_word("the") && is_stop_word("i'm") && is_stop_word("a"));
        assert!(!is_stop_word("exam") && !is_stop_word("") && !is_stop_word("The"));
    }
}
