//! When to say nothing.

/// A bar that a record must pass to be an answer at all, separate from the order of answers and absolute: a
/// score that only ranks always has a best.
///
/// A record passes when its share of the best possible word match reaches [`Gate::lex`] or its cosine lies
/// [`Gate::sem`] deviations above unrelated. The values come from the development data: see
/// `docs/decisions/0003-ranking.md`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// Share of the best possible word match, in `0..=1`.
    pub lex: f32,
    /// Deviations above unrelated.
    pub sem: f32,
}

impl Default for Gate {
    fn default() -> Self {
        Self { lex: 0.1, sem: 1.0 }
    }
}

impl Gate {
    /// Lets everything through.
    pub const OPEN: Self = Self {
        lex: f32::NEG_INFINITY,
        sem: f32::NEG_INFINITY,
    };

    /// Whether a record passes: `lex` is its share of the best possible word match, `sem` its cosine in
    /// deviations above unrelated, `None` where that is not known.
    #[must_use]
    pub fn passes(&self, lex: f32, sem: Option<f32>) -> bool {
        lex >= self.lex || sem.is_some_and(|sem| sem >= self.sem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_reason_is_enough_and_none_is_not() {
        let gate = Gate { lex: 0.3, sem: 2.0 };
        assert!(gate.passes(0.3, None) && gate.passes(0.0, Some(2.0)));
        assert!(!gate.passes(0.29, Some(1.9)) && !gate.passes(0.0, None));
        assert!(Gate::OPEN.passes(0.0, None));
    }
}
