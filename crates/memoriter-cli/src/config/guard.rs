//! The settings of the guard: what an operator blocks or masks beside what always is.

use memoriter::core::guard::{Category, GuardPolicy};

use super::{Key, list};
use crate::failure::Failure;

/// The categories that can be blocked by name.
const CATEGORIES: [Category; 5] = [
    Category::CardNumber,
    Category::Iban,
    Category::Email,
    Category::Phone,
    Category::NationalId,
];

/// Reads and checks the settings; `text` gives each as it was written.
pub(super) fn read(text: impl Fn(Key) -> Option<String>) -> Result<GuardPolicy, Failure> {
    let mut policy = GuardPolicy::default();
    for name in list(text(Key::Blocked)) {
        policy = policy.block(category(&name)?);
    }
    for (name, pattern) in patterns(Key::BlockedPatterns, text(Key::BlockedPatterns))? {
        policy = policy.block_pattern(&name, &pattern)?;
    }
    for (name, pattern) in patterns(Key::MaskedPatterns, text(Key::MaskedPatterns))? {
        policy = policy.mask_pattern(&name, &pattern)?;
    }
    Ok(policy)
}

fn category(name: &str) -> Result<Category, Failure> {
    let known = CATEGORIES.iter().find(|category| category.name() == name);
    known.cloned().ok_or_else(|| {
        let names = CATEGORIES.each_ref().map(Category::name).join(", ");
        let message = format!("blocked must be of {names}, got `{name}`");
        Failure::usage(Key::Blocked.name(), message)
            .hint("for anything else: blocked_patterns = [\"NAME=EXPRESSION\"]")
    })
}

/// Names and expressions, one a line.
fn patterns(key: Key, text: Option<String>) -> Result<Vec<(String, String)>, Failure> {
    let text = text.unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let pattern = |line: &str| {
        let (name, pattern) = line.split_once('=').ok_or_else(|| {
            let message = format!("{} must be NAME=EXPRESSION, got `{line}`", key.name());
            Failure::usage(key.name(), message)
        })?;
        Ok((name.trim().to_owned(), pattern.trim().to_owned()))
    };
    lines.map(pattern).collect()
}
