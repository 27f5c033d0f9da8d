//! The normalised form: one conversation a line,
//! `{set, conv, lang, docs: [{id, session, speaker, ts, text}], questions: [{id, q, cat, evidence, abstain}]}`.
//!
//! A speaker named after a role (`user`, `assistant`, `system`, `tool`) has that role; any other name is a
//! person's. Documents without session are one session, named like the conversation; one without time is of
//! the time of the one before it. Fields that are not named here are for other uses and passed over.

use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{Message, NAME_BYTES_MAX, Role, SessionName};

use crate::import::node::Node;
use crate::import::{ImportError, time};

use super::dataset::{EvalConversation, EvalTurn, Places, Question, strings};

pub(super) fn conversation(line: Node<'_>) -> Result<EvalConversation, ImportError> {
    let id = line.need("conv")?.name("conv", NAME_BYTES_MAX)?;
    let mut turns = Vec::new();
    let mut wordless_turns = 0;
    let mut at = ZonedTime::utc(Timestamp::from_micros(0));
    for doc in line.need("docs")?.items()? {
        if let Some(ts) = doc.get("ts")?.filter(|ts| ts.value() != "") {
            at = time::any(ts)?;
        }
        match turn(doc, &id, at)? {
            Some(turn) => turns.push(turn),
            None => wordless_turns += 1,
        }
    }
    let places = Places::of(&turns);
    let mut questions = Vec::new();
    let mut dropped_evidence = 0;
    for asked in line.need("questions")?.items()? {
        let (question, dropped) = question(asked, &places)?;
        questions.push(question);
        dropped_evidence += dropped;
    }
    Ok(EvalConversation {
        id,
        lang: line.get_text("lang")?.map(str::to_owned),
        turns,
        questions,
        wordless_turns,
        dropped_evidence,
    })
}

fn turn(doc: Node<'_>, conversation: &str, at: ZonedTime) -> Result<Option<EvalTurn>, ImportError> {
    let text = doc.need_text("text")?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let session = match doc.get_text("session")? {
        Some("") | None => conversation,
        Some(session) => session,
    };
    let speaker = doc.need("speaker")?.name("speaker", NAME_BYTES_MAX)?;
    let message = match Role::parse(&speaker) {
        Ok(role) => Message::new(role, text, at),
        Err(_) => Message {
            speaker: Some(speaker),
            ..Message::new(Role::User, text, at)
        },
    };
    Ok(Some(EvalTurn {
        id: doc.need("id")?.name("id", NAME_BYTES_MAX)?,
        session: doc.valid(SessionName::new(session))?,
        message: doc.checked(message)?,
    }))
}

fn question(asked: Node<'_>, places: &Places<'_>) -> Result<(Question, u64), ImportError> {
    let mut evidence = places.look_up(strings(asked, "evidence")?);
    if asked.get("evidence_sessions")?.is_some() {
        places.look_up_sessions(&mut evidence, &strings(asked, "evidence_sessions")?);
    }
    let question = Question {
        id: asked.need("id")?.name("id", NAME_BYTES_MAX)?,
        text: asked.need_text("q")?.to_owned(),
        category: asked.need_text("cat")?.to_owned(),
        evidence: evidence.turns,
        evidence_sessions: evidence.sessions,
        abstain: asked
            .get("abstain")?
            .map(|flag| flag.flag())
            .transpose()?
            .unwrap_or(false),
        asked_at: asked.get("asked_at")?.map(time::any).transpose()?,
    };
    Ok((question, evidence.dropped))
}
