//! Decisions, told to people.

use memoriter_server::wire::Decided;

use crate::layout;

/// The decision in a line, and what it is about in another.
pub(super) fn text(decided: &Decided) -> String {
    let head = format!(
        "{:<8} {}",
        decided.decision.kind.as_str(),
        decided.decision.reason.sentence()
    );
    let Some(id) = decided.decision.id else {
        return head;
    };
    let place = decided
        .decision
        .supersedes
        .map(|old| format!("in the place of {old}"));
    let start = decided
        .dormant_until
        .map(|start| format!("dormant until {}", layout::day(start)));
    let fact = decided.fact.as_ref().map(|(key, value)| {
        layout::one_line(&format!("{key} = {value}"), layout::LISTED_CHARS_MAX)
    });
    let attempt = decided.attempt.as_ref().map(|attempt| {
        let told = format!("{}: {}", attempt.outcome, attempt.goal);
        layout::one_line(&told, layout::LISTED_CHARS_MAX)
    });
    let about: Vec<String> = [fact, attempt, Some(format!("id {id}")), place, start]
        .into_iter()
        .flatten()
        .collect();
    format!("{head}\n{:9}{}", "", about.join(", "))
}
