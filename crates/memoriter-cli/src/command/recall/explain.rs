//! Why a result is where it is.

use memoriter::store::index::ScoreParts;
use memoriter::{Recalled, Record};

use crate::layout;

/// Deviations above unrelated from which on a meaning is called near.
const NEAR: f32 = 1.6;
/// Share of the best word match from which on words are called matching.
const MATCHING: f32 = 0.06;

/// The score parts with bars, and a sentence.
pub(super) fn lines(recalled: &Recalled) -> Vec<String> {
    let ScoreParts {
        lex,
        sem,
        words,
        context,
        traits,
        relevance,
        recency,
        importance,
    } = recalled.parts;
    let part = |name: &str, value: f32, note: &str| format!("  {name:<11}{value:>6.2}  {note}");
    vec![
        part("relevance", relevance, &layout::bar(relevance)),
        part("  words", lex, "share of the best possible word match"),
        part("  meaning", sem, "deviations nearer than unrelated texts"),
        part("  by word", words, "nearness of single words, -1 to 1"),
        part(
            "  context",
            context,
            "from the turns around it and its session",
        ),
        part(
            "  traits",
            traits,
            "from speaker, role, dates, form and length",
        ),
        part("recency", recency, &layout::bar(recency)),
        part("importance", importance, &layout::bar(importance)),
        format!("  {}", sentence(recalled)),
    ]
}

/// The main reasons in words.
fn sentence(recalled: &Recalled) -> String {
    let parts = recalled.parts;
    let mut reasons = Vec::new();
    if parts.lex >= MATCHING {
        reasons.push("it shares words with the question");
    }
    if parts.sem >= NEAR {
        reasons.push("it means something near to it");
    }
    if matches!(recalled.record, Record::Turn(_)) && parts.context > 0.0 {
        reasons.push("what was said around it fits");
    }
    if parts.traits > 0.0 {
        reasons.push("speaker or date fit");
    }
    match reasons.split_last() {
        None => "Here because a turn beside it bears on the question.".to_owned(),
        Some((only, [])) => format!("Here because {only}."),
        Some((last, others)) => format!("Here because {} and {last}.", others.join(", ")),
    }
}
