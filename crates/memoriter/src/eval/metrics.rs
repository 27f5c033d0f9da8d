//! The figures, each a pure function of a ranked list and the evidence.

use std::collections::BTreeSet;

/// A ranked list held against the evidence for a question: which ranks hold a piece of it, and how many
/// pieces there are.
///
/// The same figures are taken of turns and of sessions. The ranking of sessions is that of the turns, each
/// session at the rank of its first turn. What is ranked twice counts once, where it first stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    gains: Vec<bool>,
    evidence: usize,
}

impl Judged {
    /// Judges a list, best first. `None` without evidence: then nothing can be said, and the question must not
    /// be averaged as 0.
    #[must_use]
    pub fn new<'a>(
        ranked: impl IntoIterator<Item = &'a str>,
        evidence: &BTreeSet<String>,
    ) -> Option<Self> {
        if evidence.is_empty() {
            return None;
        }
        let mut seen = BTreeSet::new();
        let distinct = ranked.into_iter().filter(|id| seen.insert(*id));
        Some(Self {
            gains: distinct.map(|id| evidence.contains(id)).collect(),
            evidence: evidence.len(),
        })
    }

    /// recall@k: the share of the evidence that stands in the first `k`, `0..=1`.
    #[must_use]
    pub fn recall(&self, k: usize) -> f64 {
        share(self.found(k), self.evidence)
    }

    /// `recall_any@k`: 1 when any piece of the evidence stands in the first `k`, else 0.
    #[must_use]
    pub fn recall_any(&self, k: usize) -> f64 {
        f64::from(u8::from(self.found(k) > 0))
    }

    /// `recall_all@k`: 1 when all of the evidence stands in the first `k`, else 0. More than `k` pieces cannot.
    #[must_use]
    pub fn recall_all(&self, k: usize) -> f64 {
        f64::from(u8::from(self.found(k) == self.evidence))
    }

    /// NDCG@k with a gain of 1 for evidence and 0 for the rest, `0..=1`:
    /// `sum over evidence ranks r <= k of 1 / log2(r + 1)`, ranks from 1, divided by the largest such sum, in
    /// which the first `min(k, pieces)` ranks are evidence.
    ///
    /// Järvelin and Kekäläinen, ACM TOIS 2002. 0 for `k` = 0.
    #[must_use]
    pub fn ndcg(&self, k: usize) -> f64 {
        let ideal: f64 = discounts().take(k.min(self.evidence)).sum();
        if ideal == 0.0 {
            return 0.0;
        }
        let ranked = discounts().zip(&self.gains).take(k);
        ranked
            .filter(|(_, gain)| **gain)
            .map(|(discount, _)| discount)
            .sum::<f64>()
            / ideal
    }

    fn found(&self, k: usize) -> usize {
        self.gains.iter().take(k).filter(|gain| **gain).count()
    }
}

/// `1 / log2(rank + 1)` for the ranks from 1.
fn discounts() -> impl Iterator<Item = f64> {
    (2_u32..).map(|next_rank| f64::from(next_rank).log2().recip())
}

/// The arithmetic mean; `None` of nothing.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / count(values.len()))
}

/// The smallest value that at least `percent` of the values do not exceed (the nearest-rank method), with
/// `percent` in `0..=100`. `None` of nothing.
#[must_use]
pub fn percentile(values: &[f64], percent: u8) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * usize::from(percent)).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

/// `part / whole` as a number; the whole is not 0.
pub(super) fn share(part: usize, whole: usize) -> f64 {
    count(part) / count(whole)
}

/// A count as a number. Exact up to four billion, more than there are questions anywhere.
fn count(n: usize) -> f64 {
    u32::try_from(n).unwrap_or(u32::MAX).into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn judged(ranked: &[&str], evidence: &[&str]) -> Judged {
        let evidence = evidence.iter().map(|id| (*id).to_owned()).collect();
        Judged::new(ranked.iter().copied(), &evidence).unwrap()
    }

    #[track_caller]
    fn check(figure: f64, expected: f64) {
        assert!(
            (figure - expected).abs() < 1e-6,
            "{figure} is not {expected}"
        );
    }

    #[test]
    fn figures_agree_with_pen_and_paper() {
        let judged = judged(&["x", "a", "y", "b", "z"], &["a", "b", "c"]);
        check(judged.recall(1), 0.0);
        check(judged.recall(2), 1.0 / 3.0);
        check(judged.recall(5), 2.0 / 3.0);
        check(judged.recall_any(1), 0.0);
        check(judged.recall_any(2), 1.0);
        check(judged.recall_all(5), 0.0);
        // 1/log2(3) + 1/log2(5) = 0.630930 + 0.430677, over 1 + 0.630930 + 0.5 = 2.130930
        check(judged.ndcg(5), 0.498_190);
        // 0.630930 over 1 + 0.630930
        check(judged.ndcg(2), 0.386_853);
        check(judged.ndcg(0), 0.0);
    }

    #[test]
    fn the_ideal_is_no_longer_than_the_list() {
        let judged = judged(&["a", "b"], &["a", "b", "c"]);
        check(judged.ndcg(2), 1.0);
        check(judged.recall(2), 2.0 / 3.0);
        check(judged.recall_all(2), 0.0);
    }

    #[test]
    fn what_stands_twice_counts_once() {
        assert_eq!(
            judged(&["a", "a", "b"], &["a", "b"]),
            judged(&["a", "b"], &["a", "b"])
        );
    }

    #[test]
    fn without_evidence_nothing_is_said() {
        assert_eq!(Judged::new(["a"], &BTreeSet::new()), None);
        assert_eq!(mean(&[]), None);
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(percentile(&values, 50), Some(50.0));
        assert_eq!(percentile(&values, 99), Some(99.0));
        assert_eq!(percentile(&values, 100), Some(100.0));
        assert_eq!(percentile(&[3.0, 1.0], 50), Some(1.0));
        assert_eq!(percentile(&[3.0, 1.0], 0), Some(1.0));
        assert_eq!(percentile(&[], 50), None);
    }

    proptest! {
        #[test]
        fn figures_are_shares_and_grow_with_k(
            ranked in prop::collection::vec(0..30_u8, 0..40),
            evidence in prop::collection::btree_set(0..30_u8, 1..6),
        ) {
            let ranked: Vec<String> = ranked.iter().map(u8::to_string).collect();
            let evidence: BTreeSet<String> = evidence.iter().map(u8::to_string).collect();
            let judged = Judged::new(ranked.iter().map(String::as_str), &evidence).unwrap();
            for k in 0..40 {
                for figure in [Judged::recall, Judged::recall_any, Judged::recall_all, Judged::ndcg] {
                    prop_assert!((0.0..=1.0 + 1e-12).contains(&figure(&judged, k)));
                }
                for figure in [Judged::recall, Judged::recall_any, Judged::recall_all] {
                    prop_assert!(figure(&judged, k) <= figure(&judged, k + 1));
                }
                prop_assert!(judged.recall_all(k) <= judged.recall(k));
                prop_assert!(judged.recall(k) <= judged.recall_any(k));
            }
        }

        #[test]
        fn evidence_first_is_perfect(evidence in prop::collection::btree_set("[a-z]{1,4}", 1..8)) {
            let ranked = evidence.iter().map(String::as_str).chain(["something else, last"]);
            let judged = Judged::new(ranked, &evidence).unwrap();
            for k in evidence.len()..20 {
                prop_assert!((judged.recall(k) - 1.0).abs() < 1e-12);
                prop_assert!((judged.recall_all(k) - 1.0).abs() < 1e-12);
            }
            for k in 1..20 {
                prop_assert!((judged.ndcg(k) - 1.0).abs() < 1e-12);
            }
        }
    }
}
