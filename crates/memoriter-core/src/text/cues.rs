//! What the form of a text says: words of time, questions.

/// Folded words that say when something was: a "when" is often answered by a text that holds one.
const TIME_WORDS: &[&str] = &[
    "ago",
    "april",
    "august",
    "december",
    "earlier",
    "february",
    "friday",
    "january",
    "july",
    "june",
    "last",
    "lately",
    "march",
    "monday",
    "month",
    "months",
    "november",
    "october",
    "recently",
    "saturday",
    "september",
    "since",
    "spring",
    "summer",
    "sunday",
    "thursday",
    "today",
    "tomorrow",
    "tonight",
    "tuesday",
    "wednesday",
    "week",
    "weekend",
    "weeks",
    "winter",
    "year",
    "years",
    "yesterday",
];

/// Whether a folded word says when: a time word or a year of this or the last century.
#[must_use]
pub fn is_time_word(word: &str) -> bool {
    TIME_WORDS.binary_search(&word).is_ok()
        || word.len() == 4
            && word
                .parse::<u16>()
                .is_ok_and(|year| (1900..2100).contains(&year))
}

/// Folded words with which a speaker means himself.
const OWN_WORDS: &[&str] = &[
    "i", "i'd", "i'll", "i'm", "i've", "me", "mine", "my", "myself", "our", "ours", "us", "we",
];

/// Whether a folded word means the speaker.
#[must_use]
pub fn is_own_word(word: &str) -> bool {
    OWN_WORDS.contains(&word)
}

/// Whether a text asks more than it tells: it is short and ends with a question mark.
#[must_use]
pub fn is_question(text: &str) -> bool {
    const SHORT_BYTES: usize = 200;
    let text = text.trim_end();
    text.len() < SHORT_BYTES && text.ends_with(['?', '？', '؟'])
}

/// Whether a question asks for a time.
#[must_use]
pub fn asks_when(question: &str) -> bool {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let asks_what = |pair: &[&str]| {
        matches!(
            pair,
            ["what" | "which", "date" | "day" | "month" | "year" | "time"]
                | ["how", "long" | "recently"]
        )
    };
    words.contains(&"when") || words.windows(2).any(asks_what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_for_the_search() {
        assert!(TIME_WORDS.is_sorted());
        assert!(
            is_time_word("yesterday")
                && is_time_word("2023")
                && !is_time_word("piano")
                && !is_time_word("9999")
        );
    }

    #[test]
    fn questions_are_told_by_their_mark() {
        assert!(
            is_question("How are you? ") && is_question("去哪里？") && !is_question("I went home")
        );
        let long = format!("{}Right?", "It went well. ".repeat(20));
        assert!(!is_question(&long) && !is_question("Really? Tell me"));
    }

    #[test]
    fn a_question_for_a_time_is_seen() {
        assert!(
            asks_when("When did I move?")
                && asks_when("On what date is it")
                && asks_when("which year was it")
        );
        assert!(!asks_when("Where did I go?") && !asks_when("whenever"));
    }
}
