//! What language models were used for, by day.

/// Calls and tokens of one purpose on one day. Sums end at [`UsageRow::MAX`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageRow {
    /// The day, UTC, in days since 1970.
    pub day: i64,
    /// What the calls were for, such as `extract`; at most 256 bytes.
    pub purpose: String,
    /// How many calls.
    pub calls: u64,
    /// Tokens that were sent.
    pub input_tokens: u64,
    /// Tokens that came back.
    pub output_tokens: u64,
}

impl UsageRow {
    /// The largest count: what a signed integer holds.
    pub const MAX: u64 = i64::MAX.cast_unsigned();

    /// Nothing yet for a purpose on a day.
    #[must_use]
    pub fn empty(day: i64, purpose: String) -> Self {
        Self {
            day,
            purpose,
            calls: 0,
            input_tokens: 0,
            output_tokens: 0,
        }
    }

    /// Adds the counts of another row of the day and purpose.
    pub(crate) fn add(&mut self, more: &Self) {
        let sum = |a: u64, b: u64| a.saturating_add(b).min(Self::MAX);
        self.calls = sum(self.calls, more.calls);
        self.input_tokens = sum(self.input_tokens, more.input_tokens);
        self.output_tokens = sum(self.output_tokens, more.output_tokens);
    }
}
