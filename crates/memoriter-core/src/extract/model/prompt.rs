//! A conversation as a model reads it.

use serde_json::json;

use crate::extract::Heard;
use crate::turn::Role;

/// Whether facts may rest on a turn. What an assistant or the application says is no word of the user's.
pub(super) fn gives_facts(heard: &Heard<'_>) -> bool {
    !matches!(heard.role, Role::Assistant | Role::System)
}

/// One JSON object a turn and line: no text can pass for another turn or end the material.
pub(super) fn lines(turns: &[Heard<'_>]) -> String {
    let line = |(number, heard): (usize, &Heard<'_>)| {
        let civil = heard.at.civil();
        // Whom "I" is, where facts may rest on the line.
        let me = gives_facts(heard).then_some(heard.me);
        let line = json!({
            "turn": number,
            "role": heard.role.as_str(),
            "i_means": me,
            "day": format!("{} {}", civil.strftime("%A"), heard.at.day()),
            "time": civil.strftime("%H:%M").to_string(),
            "text": heard.text,
        });
        format!("{line}\n")
    };
    turns.iter().enumerate().map(line).collect()
}
