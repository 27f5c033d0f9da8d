//! The forms of instructions: what a program would write first, then sentences.

mod machine;
mod order;

use super::EvidenceKind;
use crate::guard::rules::Lazy;

/// A form: an expression, and keywords one of which its texts have.
pub(super) struct Form {
    pub(super) kind: EvidenceKind,
    pub(super) keywords: &'static [&'static str],
    pub(super) pattern: Lazy,
}

const fn form(
    kind: EvidenceKind,
    keywords: &'static [&'static str],
    pattern: &'static str,
) -> Form {
    Form {
        kind,
        keywords,
        pattern: Lazy::new(pattern),
    }
}

/// Every form, most telling first.
pub(super) fn all() -> impl Iterator<Item = &'static Form> {
    machine::MACHINE.iter().chain(&order::ORDERS)
}
