//! The rules, by what they are about. Their order is the order in which they are tried: the first that reads a
//! clause has it, unless it says that others may follow.

mod assistant;
mod events;
mod family;
mod food;
mod home;
mod identity;
mod skill;
mod taste;
mod work;

use super::rule::Rule;

/// Every rule.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    [
        assistant::RULES,
        identity::RULES,
        home::RULES,
        work::RULES,
        family::RULES,
        food::RULES,
        skill::RULES,
        taste::RULES,
        events::RULES,
    ]
    .into_iter()
    .flatten()
}
