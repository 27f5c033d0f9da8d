//! Files as they come, good and bad. Every sentence in here was made up for it.

mod anthropic;
mod jsonl;
mod openai;
mod places;
mod published;
mod random;

use memoriter_core::time::ZonedTime;
use memoriter_core::turn::SessionName;

use super::{Defaults, Format, ImportError, ImportedTurn, LeftOut, read};
use crate::TurnKey;

fn defaults() -> Defaults {
    Defaults {
        session: SessionName::new("file").unwrap(),
        line_session: None,
        now: ZonedTime::parse("now", "2026-03-01T09:00:00+01:00").unwrap(),
    }
}

/// The turns before the first error, the error, and what was left out.
fn read_all(
    format: Format,
    file: impl AsRef<[u8]>,
) -> (Vec<ImportedTurn>, Option<ImportError>, LeftOut) {
    let mut turns = match read(format, file.as_ref(), &defaults()) {
        Ok(turns) => turns,
        Err(error) => return (Vec::new(), Some(error), LeftOut::default()),
    };
    let (mut good, mut error) = (Vec::new(), None);
    for turn in turns.by_ref() {
        match turn {
            Ok(turn) => good.push(turn),
            Err(first) => assert!(
                error.replace(first).is_none(),
                "nothing comes after an error"
            ),
        }
    }
    (good, error, turns.left_out())
}

#[track_caller]
fn read_good(format: Format, file: impl AsRef<[u8]>) -> Vec<ImportedTurn> {
    let (turns, error, _) = read_all(format, file);
    if let Some(error) = error {
        panic!("{error}");
    }
    turns
}

/// `session key role: content`, the way a test wants to see a turn.
fn brief(turn: &ImportedTurn) -> String {
    let key = match &turn.draft.key {
        TurnKey::Given(id) => id.clone(),
        TurnKey::At(position) => format!("#{position}"),
    };
    let message = &turn.draft.message;
    format!(
        "{} {key} {}: {}",
        turn.draft.session.as_str(),
        message.speaker_or_role(),
        message.content
    )
}

#[track_caller]
fn check_turns(format: Format, file: &str, expected: &[&str]) {
    let turns: Vec<String> = read_good(format, file).iter().map(brief).collect();
    assert_eq!(turns, expected);
}

#[track_caller]
fn check_error(format: Format, file: impl AsRef<[u8]>, expected: &str) {
    let (_, error, _) = read_all(format, file);
    assert_eq!(error.expect("the file is bad").to_string(), expected);
}
