//! A question, taken apart once.

use crate::error::{InvalidInput, check_some_text};
use crate::query::dates::{NamedDate, named_dates};
use crate::text::{Analyser, TermHash, Token, TokenClass, cues};

/// Bytes a question may have.
pub const QUERY_BYTES_MAX: usize = 8 * 1024;

/// What a question asks for: words to count, words to compare by meaning, dates, and whether it asks when.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedQuery {
    /// The question.
    pub text: String,
    /// Words to count, without repeats, in order of first occurrence. Stop words are here only when there is
    /// nothing else.
    pub terms: Vec<QueryTerm>,
    /// Words that look like names (capitalised, not the first, no month), each with its terms.
    pub names: Vec<Vec<TermHash>>,
    /// Dates that it names.
    pub dates: Vec<NamedDate>,
    /// Whether it asks for a time.
    pub asks_when: bool,
    /// Whether the speaker asks about himself: "Where do I live?"
    pub asks_of_self: bool,
}

/// A word of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryTerm {
    /// The word, folded.
    pub word: String,
    /// The term it is counted under.
    pub term: TermHash,
    /// What it is.
    pub class: TokenClass,
    /// How often the question says it.
    pub count: u16,
}

impl ParsedQuery {
    /// Takes a question apart.
    ///
    /// # Errors
    /// [`InvalidInput`] when it is empty, over [`QUERY_BYTES_MAX`] or holds NUL. A question without any word
    /// (`?!`) is no error: it has no terms.
    pub fn parse(text: &str, analyser: &Analyser) -> Result<Self, InvalidInput> {
        check_some_text("query", text, QUERY_BYTES_MAX)?;
        let mut terms = Vec::new();
        let mut asks_of_self = false;
        analyser.analyse(text, |token| {
            asks_of_self |= cues::is_own_word(token.word);
            note(&mut terms, analyser, token.word, token.class);
        });
        if terms.iter().any(|term| term.class != TokenClass::Stop) {
            terms.retain(|term| term.class != TokenClass::Stop);
        }
        Ok(Self {
            text: text.to_owned(),
            terms,
            names: names(text, analyser),
            dates: named_dates(text),
            asks_when: cues::asks_when(text),
            asks_of_self,
        })
    }
}

/// Capitalised words but the first, each with its terms. A word may have several, as `UI/UX`.
fn names(text: &str, analyser: &Analyser) -> Vec<Vec<TermHash>> {
    let bare = |word: &'_ str| {
        word.trim_start_matches(|c: char| !c.is_alphanumeric())
            .to_owned()
    };
    let words = text.split_whitespace().skip(1).map(bare);
    let capitalised = words.filter(|word| word.starts_with(char::is_uppercase));
    capitalised
        .filter_map(|word| {
            let mut terms = Vec::new();
            analyser.analyse(&word, |token| {
                if !is_common(token) {
                    terms.push(analyser.term(token.word));
                }
            });
            (!terms.is_empty()).then_some(terms)
        })
        .collect()
}

fn is_common(token: Token<'_>) -> bool {
    token.class == TokenClass::Stop || cues::is_time_word(token.word) || token.word == "may"
}

fn note(terms: &mut Vec<QueryTerm>, analyser: &Analyser, word: &str, class: TokenClass) {
    let term = analyser.term(word);
    match terms.iter_mut().find(|known| known.term == term) {
        Some(known) => known.count = known.count.saturating_add(1),
        None => terms.push(QueryTerm {
            word: word.to_owned(),
            term,
            class,
            count: 1,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        ParsedQuery::parse(text, &Analyser::new())
            .unwrap()
            .terms
            .into_iter()
            .map(|term| term.word)
            .collect()
    }

    #[test]
    fn stop_words_count_only_where_there_is_nothing_else() {
        assert_eq!(words("Where is the exam?"), ["exam"]);
        assert_eq!(words("who is it?"), ["who", "is", "it"]);
        assert_eq!(words("exam exams Exam"), ["exam"]);
    }

    #[test]
    fn names_are_capitalised_and_no_months() {
        let analyser = Analyser::new();
        let query = ParsedQuery::parse(
            "Where did Priya go in May, and the \"Louvre\" too?",
            &analyser,
        )
        .unwrap();
        assert_eq!(
            query.names,
            [[analyser.term("priya")], [analyser.term("louvre")]]
        );
    }

    #[test]
    fn limits_are_named_and_signs_alone_are_no_terms() {
        let parse = |text: &str| ParsedQuery::parse(text, &Analyser::new());
        assert!(parse("").is_err() && parse(" \n").is_err() && parse("a\0").is_err());
        assert_eq!(
            parse(&"x".repeat(QUERY_BYTES_MAX + 1))
                .unwrap_err()
                .to_string(),
            "query is 8193 bytes, over the limit of 8192 bytes"
        );
        assert!(parse("?!").unwrap().terms.is_empty());
    }
}
