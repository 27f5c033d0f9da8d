//! Words so common in English that they say little about what a text is about. They are counted at a
//! discount, not dropped: "who", "to be or not to be" and "The Who" stay findable.

/// Sorted, folded, before stemming.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "but", "by", "can", "could", "did", "do", "does",
    "doing", "don't", "for", "from", "had", "has", "have", "having", "he", "her", "hers", "him",
    "his", "how", "i", "i'm", "i've", "if", "in", "into", "is", "it", "it's", "its", "just", "me",
    "more", "my", "no", "not", "of", "on", "or", "our", "out", "she", "should", "so", "some",
    "than", "that", "that's", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "to", "too", "up", "very", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "why", "will", "with", "would", "you", "your",
];

/// Whether a folded word is a stop word.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_for_the_search() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && is_stop_word("i'm") && !is_stop_word("exam"));
    }
}
