//! Questions of the published LoCoMo file.
//!
//! Categories are the file's numbers: 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial.
//! The last asks about things that were not said, or not by that person: the right answer is none, though
//! the file names the turn that the question was made from.

use crate::import::node::Node;
use crate::import::{ImportError, LeftOut, locomo};

use super::dataset::{EvalConversation, EvalTurn, Places, Question, strings};

const ADVERSARIAL: &str = "5";

pub(super) fn conversation(sample: Node<'_>) -> Result<EvalConversation, ImportError> {
    let id = locomo::sample_id(sample)?;
    let mut left_out = LeftOut::default();
    let turns: Vec<EvalTurn> = locomo::turns(sample, &mut left_out)?
        .into_iter()
        .map(EvalTurn::from)
        .collect();
    let places = Places::of(&turns);
    let mut questions = Vec::new();
    let mut dropped_evidence = 0;
    for (number, qa) in sample.need("qa")?.items()?.enumerate() {
        let (question, dropped) = question(qa, format!("{id}-{number}"), &places)?;
        questions.push(question);
        dropped_evidence += dropped;
    }
    Ok(EvalConversation {
        id,
        lang: Some("en".to_owned()),
        turns,
        questions,
        wordless_turns: left_out.wordless_messages,
        dropped_evidence,
    })
}

fn question(qa: Node<'_>, id: String, places: &Places<'_>) -> Result<(Question, u64), ImportError> {
    let category = qa.need("category")?;
    let category = match category.value().as_u64() {
        Some(number) => number.to_string(),
        None => return Err(category.unexpected("the number of a category")),
    };
    let named = strings(qa, "evidence")?;
    let evidence = places.look_up(named.iter().flat_map(|text| turn_ids(text)));
    let question = Question {
        id,
        text: qa.need_text("question")?.to_owned(),
        abstain: category == ADVERSARIAL,
        category,
        evidence: evidence.turns,
        evidence_sessions: evidence.sessions,
        asked_at: None,
    };
    Ok((question, evidence.dropped))
}

/// The turn ids in a piece of evidence, which may be several (`D8:6; D9:17`, `D9:1 D4:4`) or misspelt
/// (`D:11:26`, `D30:05`). A text without any stands for itself and will not be found.
fn turn_ids(text: &str) -> Vec<String> {
    let ids: Vec<String> = text.split('D').skip(1).filter_map(turn_id).collect();
    if ids.is_empty() {
        vec![text.to_owned()]
    } else {
        ids
    }
}

/// `11:26; ` or `:11:26` as `D11:26`.
fn turn_id(text: &str) -> Option<String> {
    let (session, rest) = text.trim_start_matches(':').split_once(':')?;
    let end = rest
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(rest.len());
    let turn: u32 = rest.get(..end)?.parse().ok()?;
    let session: u32 = session.parse().ok()?;
    Some(format!("D{session}:{turn}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_read_however_it_is_written() {
        for (text, expected) in [
            ("D8:6", &["D8:6"][..]),
            ("D8:6; D9:17", &["D8:6", "D9:17"]),
            ("D9:1 D4:4 D4:6", &["D9:1", "D4:4", "D4:6"]),
            ("D:11:26", &["D11:26"]),
            ("D30:05", &["D30:5"]),
            ("D", &["D"]),
            ("", &[""]),
        ] {
            assert_eq!(turn_ids(text), expected, "{text}");
        }
    }
}
