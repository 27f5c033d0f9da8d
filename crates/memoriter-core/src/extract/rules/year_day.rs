//! Whether a day is one that years have: there is no 30 February.

/// Days of the months; February has 29 in some years.
const LENGTHS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Whether a day as people write it can be one: `May 3rd, 1990`, `2001-02-28`, `12/13/1990` in the one order or the other.
pub(super) fn is_day(said: &str) -> bool {
    let lower = said.to_lowercase();
    let numbers = lower.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<u32> = numbers.filter_map(|number| number.parse().ok()).collect();
    let mut words = lower.split(|c: char| !c.is_ascii_alphabetic());
    let named = words.find_map(|word| MONTHS.iter().position(|month| word.starts_with(month)));
    match (named, numbers.as_slice()) {
        (Some(month), [day]) => is_in_year(None, month, *day),
        (Some(month), [day, year]) => is_in_year(Some(*year), month, *day),
        (None, [year, month, day]) if *year > 31 => is_numbered(*year, *month, *day),
        (None, [one, other, year]) => {
            is_numbered(*year, *one, *other) || is_numbered(*year, *other, *one)
        }
        (_, []) | (Some(_), _) | (None, [_] | [_, _] | [_, _, _, _, ..]) => false,
    }
}

fn is_numbered(year: u32, month: u32, day: u32) -> bool {
    let month = usize::try_from(month)
        .ok()
        .and_then(|month| month.checked_sub(1));
    month.is_some_and(|month| is_in_year(Some(year), month, day))
}

/// Whether a month, counted from 0, has a day; without a year it may be any.
fn is_in_year(year: Option<u32>, month: usize, day: u32) -> bool {
    let is_leap = year.is_none_or(|year| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    let length = LENGTHS.get(month).copied().unwrap_or_default();
    let length = if month == 1 && !is_leap { 28 } else { length };
    (1..=length).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_one_that_years_have() {
        for day in [
            "3 May",
            "May 3rd, 1990",
            "the 29th of February",
            "29 Feb 2000",
            "2001-02-28",
            "12/13/1990",
            "13/12/1990",
            "31.12.1990",
            "1 sept",
        ] {
            assert!(is_day(day), "{day}");
        }
        for day in [
            "30 February",
            "31 April",
            "April 31st, 1990",
            "29 Feb 2001",
            "29 Feb 1900",
            "2001-02-29",
            "13/13/1990",
            "31.11.1990",
            "0 May",
            "2001-00-10",
            "32 May",
            "",
            "May",
            "5",
        ] {
            assert!(!is_day(day), "{day}");
        }
    }
}
