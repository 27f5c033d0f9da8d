//! Questions of the published LongMemEval files.
//!
//! Turn evidence is what the file marks with `has_answer`, session evidence is `answer_session_ids`. A
//! question whose id ends in `_abs` cannot be answered from its history.

use crate::import::node::Node;
use crate::import::{ImportError, LeftOut, longmemeval, time};

use super::dataset::{EvalConversation, EvalTurn, Places, Question, strings};

pub(super) fn conversation(entry: Node<'_>) -> Result<EvalConversation, ImportError> {
    let id = longmemeval::question_id(entry)?;
    let mut left_out = LeftOut::default();
    let mut marked = Vec::new();
    let mut turns = Vec::new();
    for turn in longmemeval::turns(entry, &mut left_out)? {
        if turn.has_answer {
            marked.push(turn.said.id.clone());
        }
        turns.push(EvalTurn::from(turn.said));
    }
    let places = Places::of(&turns);
    let mut evidence = places.look_up(marked);
    places.look_up_sessions(&mut evidence, &strings(entry, "answer_session_ids")?);
    let question = Question {
        id: id.clone(),
        text: entry.need_text("question")?.to_owned(),
        category: entry.need_text("question_type")?.to_owned(),
        evidence: evidence.turns,
        evidence_sessions: evidence.sessions,
        abstain: id.ends_with("_abs"),
        asked_at: entry.get("question_date")?.map(time::any).transpose()?,
    };
    Ok(EvalConversation {
        id,
        lang: Some("en".to_owned()),
        turns,
        questions: vec![question],
        wordless_turns: left_out.wordless_messages,
        dropped_evidence: evidence.dropped,
    })
}
