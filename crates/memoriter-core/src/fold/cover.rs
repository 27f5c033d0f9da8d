//! Which runs of turns stand for the beginning of a session.

/// A run of turns by the positions of its first and last turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Run {
    /// Of its first turn.
    pub from: u32,
    /// Of its last turn.
    pub to: u32,
}

impl Run {
    /// Turns in it.
    #[must_use]
    pub fn turns(self) -> u32 {
        self.to - self.from + 1
    }
}

/// The runs that stand for the turns before position `end`, oldest first.
///
/// Their lengths are the powers of two that `end` is the sum of, the longest first: turns 0-511, 512-767 and 768-895 for
/// an end of 896. So the oldest turns have the coarsest span; two spans of one length are replaced by one of twice
/// the length; a session of `n` turns has log2(n) spans at most; and a run is the same for everybody who needs it,
/// whatever the budget.
///
/// ```
/// use memoriter_core::fold::{Run, cover};
///
/// let runs: Vec<Run> = cover(11).collect();
/// assert_eq!(runs, [Run { from: 0, to: 7 }, Run { from: 8, to: 9 }, Run { from: 10, to: 10 }]);
/// assert_eq!(cover(0).count(), 0);
/// ```
pub fn cover(end: u32) -> impl Iterator<Item = Run> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = end - from;
        // The highest bit of what is left.
        let length = 1_u32 << rest.checked_ilog2()?;
        let run = Run {
            from,
            to: from + (length - 1),
        };
        from += length;
        Some(run)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_follow_each_other_up_to_the_end() {
        for end in (0..2_000).chain([u32::MAX - 1, u32::MAX]) {
            let mut next = 0;
            for run in cover(end) {
                assert_eq!(run.from, next);
                assert!(run.turns().is_power_of_two() && run.from % run.turns() == 0);
                next = run.to + 1;
            }
            assert_eq!(next, end);
            assert!(cover(end).count() <= 32);
        }
    }

    #[test]
    fn two_of_one_length_become_one_of_twice_the_length() {
        let lengths = |end| cover(end).map(Run::turns).collect::<Vec<_>>();
        assert_eq!(lengths(48), [32, 16]);
        assert_eq!(lengths(64), [64]);
    }
}
