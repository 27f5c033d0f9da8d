//! Words so common in English that they say little about what a text is about. They are counted at a
//! discount, not dropped: "who", "to be or not to be" and "The Who" stay findable.

/// Sorted, folded, before stemming.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "did", "do", "does", "for", "from",
    "had", "has", "have", "he", "her", "his", "how", "i", "i'm", "i've", "if", "in", "into", "is",
    "it", "it's", "its", "me", "my", "no", "not", "of", "on", "or", "our", "she", "so", "that",
    "that's", "the", "their", "them", "they", "this", "to", "was", "we", "were", "what", "when",
    "where", "which", "who", "will", "with", "would", "you", "your",
];

/// Bytes of the longest of them: most words are told apart by their length.
const STOP_WORD_BYTES_MAX: usize = 6;

/// Whether a folded word is a stop word.
pub(super) fn is_stop_word(word: &str) -> bool {
    word.len() <= STOP_WORD_BYTES_MAX && STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_for_the_search() {
        assert!(STOP_WORDS.is_sorted());
        assert_eq!(
            STOP_WORDS.iter().map(|word| word.len()).max(),
            Some(STOP_WORD_BYTES_MAX)
        );
        assert!(is_stop_word("the") && is_stop_word("i'm") && !is_stop_word("exam"));
    }
}
