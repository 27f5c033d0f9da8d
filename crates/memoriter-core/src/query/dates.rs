//! Dates named in a question.

use crate::time::{CalendarDay, MONTH_NAMES};

/// A date as a question names it: any part may be missing, as in "in May", "on 8 May", "in 2023".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedDate {
    /// The year, if named.
    pub year: Option<i16>,
    /// The month, `1..=12`, if named.
    pub month: Option<i8>,
    /// The day of the month, from 1, if named; then the month is named too.
    pub day: Option<i8>,
}

impl NamedDate {
    /// Whether a day has every part that is named.
    #[must_use]
    pub fn contains(self, day: CalendarDay) -> bool {
        self.year.is_none_or(|year| year == day.year)
            && self.month.is_none_or(|month| month == day.month)
            && self.day.is_none_or(|number| number == day.day)
    }

    /// Days from the named day to `day`, negative when `day` is earlier; `None` when no full day is named. A
    /// date without year means the one in `day`'s year.
    #[must_use]
    pub fn days_until(self, day: CalendarDay) -> Option<i64> {
        let named = CalendarDay {
            year: self.year.unwrap_or(day.year),
            month: self.month?,
            day: self.day?,
        };
        Some(day.number()? - named.number()?)
    }
}

/// Before "may" and "march" these tell the month from the verb.
const MONTH_PREPOSITIONS: [&str; 14] = [
    "in", "on", "of", "since", "during", "by", "early", "late", "mid", "before", "after", "until",
    "last", "this",
];

/// The dates that `text` names, in order, without repeats: `8 May 2023`, `May 8th`, `8th of May`, `in May`,
/// `2023`, `2023-05-08`, `2023年5月8日`. A bare year counts only where nothing more exact is named.
#[must_use]
pub fn named_dates(text: &str) -> Vec<NamedDate> {
    let lower = text.to_lowercase();
    let words = Words::of(&lower);
    let mut dates = Vec::new();
    let mut years = Vec::new();
    let mut at = 0;
    while at < words.0.len() {
        let (date, used) = words.date_at(at);
        match date {
            Some(date) if date.month.is_some() => dates.push(date),
            Some(date) => years.push(date),
            None => {}
        }
        at += used;
    }
    if dates.is_empty() {
        dates = years;
    }
    let mut seen = std::collections::BTreeSet::new();
    dates.retain(|date| seen.insert(*date));
    dates
}

/// Runs of letters and runs of digits, in order; other characters part them. CJK date signs are words.
struct Words<'a>(Vec<&'a str>);

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Self {
        let kind = |c: char| match c {
            '年' | '月' | '日' | '号' => 3,
            _ if c.is_ascii_digit() => 1,
            _ if c.is_alphabetic() => 2,
            _ => 0,
        };
        let mut words = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = match kind(first) {
                0 | 3 => first.len_utf8(),
                same => rest.find(|c| kind(c) != same).unwrap_or(rest.len()),
            };
            let (word, after) = rest.split_at(end);
            if kind(first) != 0 {
                words.push(word);
            }
            rest = after;
        }
        Self(words)
    }

    fn word(&self, at: usize) -> &'a str {
        self.0.get(at).copied().unwrap_or_default()
    }

    /// The date that starts at word `at`, and how many words it takes (at least 1).
    fn date_at(&self, at: usize) -> (Option<NamedDate>, usize) {
        let forms = [
            Self::numeric,
            Self::chinese,
            Self::day_month,
            Self::month_day,
            Self::month_alone,
        ];
        let found = forms.iter().find_map(|form| form(self, at));
        found
            .or_else(|| self.year(at).map(|year| (date(Some(year), None, None), 1)))
            .map_or((None, 1), |(date, used)| (Some(date), used))
    }

    /// `2023-05-08`
    fn numeric(&self, at: usize) -> Option<(NamedDate, usize)> {
        let (year, month, day) = (
            self.year(at)?,
            self.number(at + 1, 12)?,
            self.number(at + 2, 31)?,
        );
        Some((date(Some(year), Some(month), Some(day)), 3))
    }

    /// `2023年5月8日`, `5月8日`, `5月`
    fn chinese(&self, at: usize) -> Option<(NamedDate, usize)> {
        let year = self.year(at).filter(|_| self.word(at + 1) == "年");
        let start = if year.is_some() { at + 2 } else { at };
        let month = self
            .number(start, 12)
            .filter(|_| self.word(start + 1) == "月")?;
        let day = self
            .number(start + 2, 31)
            .filter(|_| matches!(self.word(start + 3), "日" | "号"));
        let used = start - at + if day.is_some() { 4 } else { 2 };
        Some((date(year, Some(month), day), used))
    }

    /// `8 May 2023`, `8th of May`
    fn day_month(&self, at: usize) -> Option<(NamedDate, usize)> {
        let day = self.number(at, 31)?;
        let mut next = at + 1;
        next += usize::from(is_ordinal(self.word(next)));
        next += usize::from(self.word(next) == "of");
        let month = month_of(self.word(next))?;
        let year = self.year(next + 1);
        Some((
            date(year, Some(month), Some(day)),
            next + 1 + usize::from(year.is_some()) - at,
        ))
    }

    /// `May 8th, 2023`, `May 8`
    fn month_day(&self, at: usize) -> Option<(NamedDate, usize)> {
        let month = month_of(self.word(at))?;
        let day = self.number(at + 1, 31)?;
        let mut next = at + 2;
        next += usize::from(is_ordinal(self.word(next)));
        let year = self.year(next);
        Some((
            date(year, Some(month), Some(day)),
            next + usize::from(year.is_some()) - at,
        ))
    }

    /// `May 2023`, `in May`, `June`
    fn month_alone(&self, at: usize) -> Option<(NamedDate, usize)> {
        let word = self.word(at);
        let month = month_of(word)?;
        let next = at + 1 + usize::from(self.word(at + 1) == "of");
        let year = self.year(next);
        let is_verb_too = matches!(word, "may" | "march" | "mar");
        let follows = at
            .checked_sub(1)
            .is_some_and(|before| MONTH_PREPOSITIONS.contains(&self.word(before)));
        if is_verb_too && year.is_none() && !follows {
            return None;
        }
        Some((
            date(year, Some(month), None),
            if year.is_some() { next + 1 - at } else { 1 },
        ))
    }

    fn year(&self, at: usize) -> Option<i16> {
        let word = self.word(at);
        (word.len() == 4)
            .then(|| word.parse().ok())
            .flatten()
            .filter(|year| (1900..2100).contains(year))
    }

    fn number(&self, at: usize, max: i8) -> Option<i8> {
        let word = self.word(at);
        (word.len() <= 2)
            .then(|| word.parse().ok())
            .flatten()
            .filter(|number| (1..=max).contains(number))
    }
}

fn date(year: Option<i16>, month: Option<i8>, day: Option<i8>) -> NamedDate {
    NamedDate { year, month, day }
}

fn is_ordinal(word: &str) -> bool {
    matches!(word, "st" | "nd" | "rd" | "th")
}

/// The month of an English name or of its first three or four letters (`Sept`), in any case.
fn month_of(word: &str) -> Option<i8> {
    let matches = |month: &str| {
        let is_short = (3..=4).contains(&word.len());
        let named = if is_short {
            month.get(..word.len())
        } else {
            Some(month)
        };
        named.is_some_and(|named| named.eq_ignore_ascii_case(word))
    };
    (1_i8..)
        .zip(MONTH_NAMES)
        .find(|(_, month)| matches(month))
        .map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(Option<i16>, Option<i8>, Option<i8>)]) {
        let expected: Vec<NamedDate> = expected
            .iter()
            .map(|(year, month, day)| date(*year, *month, *day))
            .collect();
        assert_eq!(named_dates(text), expected, "{text}");
    }

    #[test]
    fn dates_are_found_as_people_write_them() {
        let full = (Some(2023), Some(5), Some(8));
        for text in [
            "on 8 May 2023?",
            "May 8th, 2023",
            "the 8th of May 2023",
            "2023-05-08",
            "2023年5月8日",
            "8 may, 2023",
        ] {
            check(text, &[full]);
        }
        check("What did I do in May?", &[(None, Some(5), None)]);
        check(
            "in June and on July 4",
            &[(None, Some(6), None), (None, Some(7), Some(4))],
        );
        check("Sept 2022", &[(Some(2022), Some(9), None)]);
        check("during 2021", &[(Some(2021), None, None)]);
        check("5月去了哪里", &[(None, Some(5), None)]);
    }

    #[test]
    fn other_words_and_numbers_are_no_dates() {
        for text in [
            "",
            "may I ask",
            "we march on",
            "I have 12 apples",
            "room 2301",
            "1234567",
            "99 May",
            "maybe decade",
            "in 0 days",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn a_year_counts_where_nothing_more_exact_is_said() {
        check(
            "in 2021 or on 3 June 2022",
            &[(Some(2022), Some(6), Some(3))],
        );
    }

    #[test]
    fn distance_is_in_days() {
        let day = CalendarDay {
            year: 2023,
            month: 5,
            day: 10,
        };
        assert_eq!(date(None, Some(5), Some(8)).days_until(day), Some(2));
        assert_eq!(
            date(Some(2024), Some(5), Some(8)).days_until(day),
            Some(-364)
        );
        assert_eq!(date(None, Some(5), None).days_until(day), None);
        assert_eq!(date(None, Some(2), Some(30)).days_until(day), None);
        assert!(
            date(None, Some(5), None).contains(day)
                && !date(Some(2024), Some(5), None).contains(day)
        );
    }
}
