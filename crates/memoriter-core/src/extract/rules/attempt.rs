//! What the words of an attempt say of how it went, and what was learnt.
//!
//! Whatever is not plainly a success or a failure is unknown: "it worked at first", "it made it faster".

use regex::Captures;

use super::rule::Rule;
use crate::memory::{Attempt, Outcome};

/// Bytes that a lesson may have; longer words are a story.
const LESSON_BYTES_MAX: usize = 400;

/// The attempt that a rule has found: `g` is what was tried, `o` how it went, `how` what made it go well.
pub(super) fn told(captures: &Captures<'_>) -> Option<Attempt> {
    let goal = trimmed(captures.name("g")?.as_str());
    let goal = goal.strip_prefix("to ").unwrap_or(goal);
    if points_elsewhere(goal) {
        return None;
    }
    let (outcome, lesson) = match (captures.name("o"), captures.name("how")) {
        (Some(went), _) => {
            let (went, lesson) = parted(went.as_str());
            (outcome(went), lesson)
        }
        (None, Some(how)) => {
            let how = trimmed(how.as_str());
            if is_doubtful(how) {
                (Outcome::Unknown, None)
            } else {
                (Outcome::Success, Some(how))
            }
        }
        (None, None) => return None,
    };
    Some(Attempt {
        goal: goal.to_owned(),
        outcome,
        lesson: lesson.and_then(kept),
    })
}

/// Whether a rule is about attempts alone: it holds only where it is told how they went.
pub(super) fn needs_outcome(rule: &Rule) -> bool {
    matches!(rule.name, "attempt-went" | "fix-went")
}

/// The lesson in a sentence of its own: "Next time, warm the cache."
pub(super) fn lesson_of_sentence(sentence: &str) -> Option<String> {
    let start = trimmed(sentence);
    let start = ["So ", "so ", "And ", "and "]
        .iter()
        .find_map(|word| start.strip_prefix(word))
        .unwrap_or(start);
    let (at, lesson) = marked_lesson(start)?;
    (at == 0).then(|| kept(lesson)).flatten()
}

/// How it went, and the lesson that follows, if any.
fn parted(went: &str) -> (&str, Option<&str>) {
    if let Some((at, lesson)) = marked_lesson(went) {
        let before = went.get(..at).unwrap_or_default();
        return (parted_at_cause(before).0, Some(lesson));
    }
    parted_at_cause(went)
}

fn parted_at_cause(went: &str) -> (&str, Option<&str>) {
    const BECAUSE: &str = " because ";
    let Some(at) = went.to_ascii_lowercase().find(BECAUSE) else {
        return (went, None);
    };
    let cause = trimmed(went.get(at + BECAUSE.len()..).unwrap_or_default());
    let stands_alone = cause.contains(' ') && !points_elsewhere(cause) && !is_doubtful(cause);
    (
        went.get(..at).unwrap_or_default(),
        Some(cause).filter(|_| stands_alone),
    )
}

/// Where "next time" or "lesson learned" stands, and what follows it.
fn marked_lesson(text: &str) -> Option<(usize, &str)> {
    let lower = text.to_ascii_lowercase();
    let marks = ["next time", "lesson learned:", "lesson learnt:", "lesson:"];
    let (at, mark) = marks
        .iter()
        .filter_map(|mark| Some((lower.find(mark)?, mark)))
        .min()?;
    let lesson = trimmed(text.get(at + mark.len()..)?);
    lesson.contains(' ').then_some((at, lesson))
}

/// A lesson of its own, where it is short and certain.
fn kept(lesson: &str) -> Option<String> {
    let is_whole = !lesson.is_empty() && lesson.len() <= LESSON_BYTES_MAX && !is_unsure(lesson);
    is_whole.then(|| lesson.to_owned())
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ",.;:!-–—".contains(c))
}

/// "It", "that": what is meant stands elsewhere.
fn points_elsewhere(text: &str) -> bool {
    let first = words(text).next().unwrap_or_default();
    matches!(
        first.as_str(),
        "" | "it"
            | "that"
            | "this"
            | "they"
            | "them"
            | "he"
            | "she"
            | "of"
            | "everything"
            | "again"
    )
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-'));
    words
        .filter(|word| !word.is_empty())
        .map(|word| word.replace('’', "'").to_lowercase())
}

/// Whether a text wavers: maybe it did, or it did and then did not.
fn is_doubtful(text: &str) -> bool {
    const WAVER: &[&str] = &[
        "but",
        "until",
        "till",
        "though",
        "although",
        "however",
        "except",
        "first",
        "while",
        "partly",
        "partially",
        "somewhat",
        "sort",
        "kind",
        "only",
        "longer",
        "almost",
        "nearly",
        "never",
        "not",
        "nothing",
        "nobody",
        "none",
        "little",
        "barely",
        "hardly",
        "badly",
        "poorly",
        "yet",
        "unless",
    ];
    is_unsure(text) || words(text).any(|word| WAVER.contains(&word.as_str()))
}

fn is_unsure(text: &str) -> bool {
    const UNSURE: &[&str] = &[
        "maybe",
        "perhaps",
        "probably",
        "possibly",
        "hopefully",
        "apparently",
        "supposedly",
        "guess",
        "think",
        "hope",
        "suppose",
        "seems",
        "seemed",
        "if",
        "might",
    ];
    words(text).any(|word| UNSURE.contains(&word.as_str()))
}

/// How it went, by the verb with which the words begin.
fn outcome(went: &str) -> Outcome {
    let words: Vec<String> = words(went).collect();
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    let denies = match words.as_slice() {
        ["did" | "does" | "was", "not", ..] => {
            words.remove(1);
            true
        }
        ["didn't" | "doesn't" | "wasn't", ..] => true,
        _ => false,
    };
    let rest = words
        .get(if denies { 2.. } else { 1.. })
        .unwrap_or_default();
    if is_doubtful(&rest.join(" ")) && words.first() != Some(&"had") {
        return Outcome::Unknown;
    }
    match words.as_slice() {
        [_, verb, ..] if denies => denied(verb),
        ["broke", next, ..] if !BREAKS.contains(next) => Outcome::Unknown,
        ["broke" | "failed" | "crashed", ..]
        | ["fell", "over", ..]
        | ["timed", "out", ..]
        | ["blew", "up", ..]
        | ["went", "wrong" | "badly" | "down", ..]
        | ["had", "no", "effect" | "success" | "impact", ..]
        | ["was", "useless", ..]
        | ["was", "a", "failure" | "disaster", ..] => Outcome::Failure,
        [verb, ..] if WORKS.contains(verb) => Outcome::Success,
        [
            "went",
            "well" | "fine" | "smoothly" | "great" | "perfectly",
            ..,
        ]
        | ["was", "useful" | "helpful" | "worth", ..]
        | ["was", "a", "success", ..] => Outcome::Success,
        _ => Outcome::Unknown,
    }
}

/// Verbs of success.
const WORKS: &[&str] = &[
    "work",
    "works",
    "worked",
    "help",
    "helps",
    "helped",
    "fixed",
    "solved",
    "resolved",
    "succeeded",
];
/// What may follow "it broke"; it may also break a record.
const BREAKS: &[&str] = &[
    "on",
    "in",
    "after",
    "when",
    "right",
    "immediately",
    "down",
    "again",
    "everything",
];

/// "It didn't work"; that it did not break is another matter.
fn denied(verb: &str) -> Outcome {
    match verb {
        "work" | "help" | "fix" | "solve" | "resolve" | "succeed" | "useful" | "helpful"
        | "worth" => Outcome::Failure,
        _ => Outcome::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(went: &str, expected: Outcome, lesson: Option<&str>) {
        let (verb, found) = parted(went);
        assert_eq!((outcome(verb), found), (expected, lesson), "{went}");
    }

    #[test]
    fn only_plain_words_say_how_it_went() {
        use Outcome::{Failure, Success, Unknown};
        for went in [
            "worked",
            "works now",
            "fixed the crash",
            "went fine",
            "was a success",
            "helped a lot",
        ] {
            check(went, Success, None);
        }
        for went in [
            "failed",
            "didn't help",
            "did not work",
            "doesn’t work",
            "broke",
            "broke right away",
            "crashed twice",
            "had no effect",
            "was useless",
            "wasn't worth it",
            "went wrong",
        ] {
            check(went, Failure, None);
        }
        for went in [
            "worked at first",
            "worked, but I lost my notes",
            "helped only a little",
            "made it faster",
            "broke all records",
            "didn't break",
            "failed until I restarted",
            "worked, I guess",
            "fixed nothing",
            "was not",
            "worked out badly",
            "did",
            "",
        ] {
            check(went, Unknown, None);
        }
    }

    #[test]
    fn causes_and_next_times_are_lessons() {
        use Outcome::Failure;
        check(
            "failed because the disk was full.",
            Failure,
            Some("the disk was full"),
        );
        check("failed because it was late", Failure, None);
        check("failed because of rain", Failure, None);
        check(
            "broke, next time we warm the cache first",
            Failure,
            Some("we warm the cache first"),
        );
        check(
            "failed because the key was old; lesson learned: check the key",
            Failure,
            Some("check the key"),
        );
        let of = |text: &str| lesson_of_sentence(text);
        assert_eq!(
            of("Next time, warm the cache."),
            Some("warm the cache".into())
        );
        assert_eq!(
            of("So next time I test first!"),
            Some("I test first".into())
        );
        for none in [
            "Next time.",
            "See you next time we meet",
            "Next time maybe we wait",
            "Warm the cache",
        ] {
            assert_eq!(of(none), None, "{none}");
        }
    }
}
