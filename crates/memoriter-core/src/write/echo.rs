//! What somebody else says again of what the user said: "Got it, you live in Berlin!"

use super::meaning::names_value;

/// A text of an assistant as the user would have said it: "you" is "I". What rules read in it is what it says of
/// the user.
#[must_use]
pub fn as_said_by_the_user(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || matches!(c, '\'' | '’') {
            word.push(c);
            continue;
        }
        said.push_str(own_word(&word));
        word.clear();
        said.push(c);
    }
    said.pop();
    for (yours, mine) in [("I are ", "I am "), ("I were ", "I was ")] {
        said = said.replace(yours, mine);
    }
    said
}

/// Whether a sentence of `text` speaks to the user and holds all words of `value`.
#[must_use]
pub fn tells_the_user(text: &str, value: &str) -> bool {
    let sentences = text.split(['.', '!', '?', '\n']);
    sentences
        .filter(|sentence| {
            let mut words =
                sentence.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
            words.any(|word| own_word(word) != word)
        })
        .any(|sentence| names_value("", value, sentence))
}

fn own_word(word: &str) -> &str {
    match word.to_lowercase().replace('’', "'").as_str() {
        "you" => "I",
        "your" => "my",
        "yours" => "mine",
        "yourself" => "myself",
        "you're" => "I'm",
        "you've" => "I've",
        "you'll" => "I'll",
        "you'd" => "I'd",
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_the_user_is_said_of_them() {
        for (said, own) in [
            ("Got it, you live in Berlin!", "Got it, I live in Berlin!"),
            ("You’re allergic to nuts", "I'm allergic to nuts"),
            (
                "You are a nurse. Your dog is Rex",
                "I am a nurse. my dog is Rex",
            ),
            ("Young yours", "Young mine"),
            ("", ""),
        ] {
            assert_eq!(as_said_by_the_user(said), own);
        }
    }

    #[test]
    fn only_a_sentence_to_the_user_tells_the_user() {
        assert!(tells_the_user("Nice. Berlin suits you!", "Berlin"));
        assert!(!tells_the_user("You are kind. Berlin is big.", "Berlin"));
        assert!(!tells_the_user("You live in Bern.", "Berlin"));
    }
}
