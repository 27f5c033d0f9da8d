//! Which questions have no answer yet.

use std::collections::BTreeSet;

use crate::extract::rules::Form;
use crate::port::folder::TURNS_AFTER;
use crate::text::{TermHash, content_terms};
use crate::turn::{Role, Turn};

/// Words with meaning that a question has at least: "And you?" asks for nothing that could stay open.
const TERMS_MIN: usize = 2;
/// The same for a question that nobody has put off: what is said in passing is seldom taken up.
const TERMS_UNANSWERED_MIN: usize = 3;
/// Bytes of a reply from which on it is an answer, whatever its words.
const REPLY_BYTES_MAX: usize = 240;

/// Tells whether a question stays open; hold one.
pub(super) struct Openness {
    deferral: Form,
    talk: Form,
    short_answer: Form,
}

impl Openness {
    pub(super) fn new() -> Self {
        Self {
            deferral: Form::new(
                r"(?i)\b(?:(?:i|we)(?:['’]ll| will| need to| have to| should| can| must|['’]ve got to)? (?:check|ask|find out|look into|get back|let you know|see|think about|come back to|verify|confirm)\b|(?:not|n['’]t) (?:sure|certain|know|decided|clear)(?: yet)?\b|no idea|(?:decide|discuss|settle|come back to|return to|talk about|answer|tell you) (?:\w+ ){0,3}?(?:later|another time|next time|tomorrow|soon|then)\b|to be (?:decided|confirmed|determined)|\btb[dc]\b|later\W*$|still (?:open|waiting|pending|unclear)|waiting (?:for|on)|remind me|(?:don['’]t|do not) (?:answer|decide) (?:\w+ )?yet|keep (?:this|that|it) (?:open|in mind))",
            ),
            talk: Form::new(
                r"(?i)\b(?:how (?:are|have|is|['’]s) (?:you|it|things|everything|life|your)|what['’]?s (?:up|new|going on)|how about you|what about you|you know what|guess what|who knows|why not|isn['’]t it|right|really|can you believe|ready|any (?:plans|tips|advice|ideas?)|anything (?:fun|new|else|interesting)|(?:can|could|would|will) you (?:please |also )?(?:help|give|provide|explain|tell|show|recommend|suggest|write|share|check|review|make|create|fill|elaborate))\b\W*",
            ),
            short_answer: Form::new(
                r"(?i)^\W*(?:yes|yeah|yep|yup|no|nope|nah|sure|of course|definitely|absolutely|not (?:really|at all)|totally|exactly|okay|ok|certainly|indeed|thanks|thank you|done|here (?:is|are|['’]s)|\d)",
            ),
        }
    }

    /// Whether the question of a person in `turn` has no answer in `next`, the turns behind it. `rest` is what the turn
    /// says after the question.
    pub(super) fn is_open(&self, question: &str, rest: &str, turn: &Turn, next: &[&Turn]) -> bool {
        let asked = content_terms(question);
        if asked.len() < TERMS_MIN || self.talk.is_match(question) {
            return false;
        }
        if self.deferral.is_match(rest) {
            return true;
        }
        let is_reply = |reply: &&&Turn| {
            reply.message.role != Role::Tool && reply.message.role != turn.message.role
        };
        let mut replies = next
            .iter()
            .filter(is_reply)
            .map(|reply| reply.message.content.as_str());
        let Some(reply) = replies.next() else {
            // Nobody has replied, though the talk went on.
            return next.len() >= TURNS_AFTER as usize;
        };
        if self.deferral.is_match(reply) {
            return reply.len() <= REPLY_BYTES_MAX;
        }
        // Whoever answers says yes or no, writes at length, or speaks of what was asked, if not at once.
        let is_answer = |reply: &str| {
            reply.len() > REPLY_BYTES_MAX
                || self.short_answer.is_match(reply)
                || !content_terms(reply).is_disjoint(&asked)
        };
        asked.len() >= TERMS_UNANSWERED_MIN && !is_answer(reply) && !replies.any(is_answer)
    }
}

/// What a question asks for.
pub(super) struct Asked(BTreeSet<TermHash>);

impl Asked {
    pub(super) fn of(question: &str) -> Self {
        Self(content_terms(question))
    }

    /// Whether a later sentence, by its terms, settles it: it speaks of most of what was asked, and brings something
    /// that was not in the question.
    pub(super) fn is_settled_by(&self, said: &BTreeSet<TermHash>) -> bool {
        let common = self.0.intersection(said).count();
        common >= TERMS_MIN && common * 2 >= self.0.len() && said.len() > common
    }
}
