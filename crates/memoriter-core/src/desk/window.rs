//! Where the latest turns begin.

/// The part of the room down to which turns leave, as a divisor. With half of it, one call in eight moved the
/// beginning at 4,000 tokens.
const LOW_MARK: usize = 4;

/// The first of the atoms that are shown. `costs` are their tokens, oldest first, `positions` where they begin in the
/// session, `most` what they may have together.
///
/// All are shown while they fit. Then there are two marks: what is shown has at most `most` tokens and, where the atoms
/// are small enough, at least a quarter of that; of the beginnings in between, the one whose position has the most factors
/// of two is taken. It stays the same for as long as it lies between the marks, about three eighths of `most` of new
/// turns at least, so that the desk keeps its beginning from call to call; and it depends on the session alone, so
/// that nothing has to be stored.
pub(super) fn first_shown(costs: &[usize], positions: &[u32], most: usize) -> usize {
    let earliest = suffix_within(costs, most);
    if earliest == 0 {
        return 0;
    }
    let latest = suffix_reaching(costs, most / LOW_MARK).max(earliest);
    let between = positions.iter().enumerate().take(latest + 1).skip(earliest);
    // Of equal ones the earliest: it shows most.
    let best =
        between.max_by_key(|(at, position)| (position.trailing_zeros(), std::cmp::Reverse(*at)));
    best.map_or(earliest, |(at, _)| at)
}

/// The longest run at the end that has at most so many tokens.
fn suffix_within(costs: &[usize], most: usize) -> usize {
    let mut sum = 0_usize;
    let fits = costs.iter().rev().take_while(|cost| {
        sum = sum.saturating_add(**cost);
        sum <= most
    });
    costs.len() - fits.count()
}

/// The shortest run at the end that has at least so many tokens; the last one where none has.
fn suffix_reaching(costs: &[usize], least: usize) -> usize {
    let mut sum = 0_usize;
    let reaches = costs.iter().rposition(|cost| {
        sum = sum.saturating_add(*cost);
        sum >= least
    });
    reaches.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(costs: &[usize], most: usize, expected: usize) {
        let positions: Vec<u32> = (0..).take(costs.len()).collect();
        assert_eq!(first_shown(costs, &positions, most), expected);
    }

    #[test]
    fn everything_is_shown_while_it_fits() {
        check(&[], 100, 0);
        check(&[10, 10], 20, 0);
        check(&[10, 10], 0, 2);
    }

    #[test]
    fn what_is_too_large_is_not_shown() {
        check(&[10, 10, 500], 100, 3);
        check(&[10, 500, 10], 100, 2);
    }

    #[test]
    fn the_beginning_stays_for_many_turns() {
        let most = 400;
        let mut beginnings = Vec::new();
        for count in 1..400 {
            let positions: Vec<u32> = (0..count).collect();
            let costs = vec![10; positions.len()];
            let first = first_shown(&costs, &positions, most);
            let shown = costs.len() - first;
            assert!(
                shown <= 40 && (shown >= 10 || first == 0),
                "{shown} of {count}"
            );
            beginnings.push(first);
        }
        let mut changes = beginnings;
        changes.dedup();
        assert!(changes.len() <= 400 / 16, "{} beginnings", changes.len());
    }
}
