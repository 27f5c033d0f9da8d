//! Words so common in English that they say little about what a text is about. They are marked, not dropped:
//! a question of nothing else ("The Who?") is still searched by them.

/// Whether a folded word is a stop word. A `match`, because every word of every text is asked about: it
/// compares with the few words of the same length.
#[rustfmt::skip]
pub(super) fn is_stop_word(word: &str) -> bool {
    matches!(
        word,
        "a" | "about" | "all" | "also" | "am" | "an" | "and" | "any" | "are" | "as" | "at" | "be"
        | "been" | "being" | "but" | "by" | "can" | "could" | "did" | "do" | "does" | "doing"
        | "don't" | "else" | "ever" | "for" | "from" | "get" | "got" | "had" | "has" | "have"
        | "having" | "he" | "her" | "here" | "him" | "his" | "how" | "i" | "i'd" | "i'll" | "i'm"
        | "i've" | "if" | "in" | "into" | "is" | "isn't" | "it" | "it's" | "its" | "just" | "let"
        | "me" | "might" | "mine" | "must" | "my" | "myself" | "name" | "named" | "no" | "not"
        | "now" | "of" | "on" | "or" | "our" | "ours" | "shall" | "she" | "should" | "so"
        | "some" | "than" | "that" | "that's" | "the" | "their" | "them" | "then" | "there"
        | "these" | "they" | "this" | "those" | "to" | "too" | "us" | "very" | "was" | "we"
        | "were" | "what" | "what's" | "when" | "where" | "which" | "who" | "who's" | "whom"
        | "whose" | "why" | "will" | "with" | "would" | "you" | "you're" | "your" | "yours"
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
