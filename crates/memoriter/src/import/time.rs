//! The dates of published conversation sets: each form has its own strict parser.
//!
//! None of them names a zone, so all are taken as UTC. The day of the week has to be one, but need not be the
//! right one: it says nothing that the date does not say.

use memoriter_core::time::{CalendarDay, MONTH_NAMES, ZonedTime};

use super::error::ImportError;
use super::node::Node;

const FORMS: &str = "a time such as 2026-03-01T09:00:00+01:00, 1:56 pm on 8 May, 2023, \
                     2023/05/20 (Sat) 02:21, March-15-2024 or 2024年04月01日 周一 08:06";

/// Reads a time in any of the forms.
pub(crate) fn any(node: Node<'_>) -> Result<ZonedTime, ImportError> {
    let text = node.text()?.trim();
    twelve_hour(text)
        .or_else(|| slashed(text))
        .or_else(|| month_first(text))
        .or_else(|| chinese(text))
        .or_else(|| ZonedTime::parse("ts", text).ok())
        .ok_or_else(|| node.unexpected(FORMS))
}

/// `1:56 pm on 8 May, 2023`, as in LoCoMo.
fn twelve_hour(text: &str) -> Option<ZonedTime> {
    let (clock, date) = text.split_once(" on ")?;
    let (clock, half) = clock.split_once(' ')?;
    let (hour, minute) = clock.split_once(':')?;
    let (day, rest) = date.split_once(' ')?;
    let (month, year) = rest.split_once(", ")?;
    let hour: i8 = number(hour, 1..=2).filter(|hour| (1..=12).contains(hour))?;
    let hour = match half {
        "am" => hour % 12,
        "pm" => hour % 12 + 12,
        _ => return None,
    };
    ZonedTime::from_civil(
        date_of(year, month_named(month)?, day)?,
        hour,
        number(minute, 2..=2)?,
    )
}

/// `2023/05/20 (Sat) 02:21`, as in LongMemEval.
fn slashed(text: &str) -> Option<ZonedTime> {
    const WEEKDAYS: &[&str] = &["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let (date, rest) = text.split_once(" (")?;
    let (weekday, clock) = rest.split_once(") ")?;
    let (year, rest) = date.split_once('/')?;
    let (month, day) = rest.split_once('/')?;
    let day = date_of(year, number(month, 2..=2)?, day)?;
    at_clock(day, clock).filter(|_| WEEKDAYS.contains(&weekday))
}

/// `March-15-2024`, as in BEAM.
fn month_first(text: &str) -> Option<ZonedTime> {
    let (month, rest) = text.split_once('-')?;
    let (day, year) = rest.split_once('-')?;
    ZonedTime::from_day(date_of(year, month_named(month)?, day)?)
}

/// `2024年04月01日 周一 08:06`, as in MemDaily.
fn chinese(text: &str) -> Option<ZonedTime> {
    const WEEKDAYS: &[&str] = &["一", "二", "三", "四", "五", "六", "日", "天"];
    let (year, rest) = text.split_once('年')?;
    let (month, rest) = rest.split_once('月')?;
    let (day, rest) = rest.split_once("日 周")?;
    let (weekday, clock) = rest.split_once(' ')?;
    let day = date_of(year, number(month, 1..=2)?, day)?;
    at_clock(day, clock).filter(|_| WEEKDAYS.contains(&weekday))
}

fn at_clock(day: CalendarDay, clock: &str) -> Option<ZonedTime> {
    let (hour, minute) = clock.split_once(':')?;
    ZonedTime::from_civil(day, number(hour, 2..=2)?, number(minute, 2..=2)?)
}

fn date_of(year: &str, month: i8, day: &str) -> Option<CalendarDay> {
    Some(CalendarDay {
        year: number(year, 4..=4)?,
        month,
        day: number(day, 1..=2)?,
    })
}

fn month_named(name: &str) -> Option<i8> {
    (1..)
        .zip(MONTH_NAMES)
        .find(|(_, month)| *month == name)
        .map(|(number, _)| number)
}

/// Digits only, as many as `lengths` allows: no sign and no space.
fn number<N: std::str::FromStr>(text: &str, lengths: std::ops::RangeInclusive<usize>) -> Option<N> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    (digits && lengths.contains(&text.len())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn parse(text: &str) -> Result<String, String> {
        let value = Value::from(text);
        any(Node::root(&value, 7, None))
            .map(|time| time.to_string())
            .map_err(|error| error.to_string())
    }

    #[track_caller]
    fn check(input: &str, expected: &str) {
        assert_eq!(parse(input).as_deref(), Ok(expected));
    }

    #[test]
    fn every_published_form_is_read() {
        check("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00+00:00");
        check(
            "12:09 am on 13 September, 2023",
            "2023-09-13T00:09:00+00:00",
        );
        check("12:00 pm on 1 January, 2024", "2024-01-01T12:00:00+00:00");
        check("2023/05/20 (Sat) 02:21", "2023-05-20T02:21:00+00:00");
        check("March-15-2024", "2024-03-15T00:00:00+00:00");
        check("2024年04月01日 周一 08:06", "2024-04-01T08:06:00+00:00");
        check("2026-03-01T09:00:00+01:00", "2026-03-01T09:00:00+01:00");
        check("2026-03-01", "2026-03-01T00:00:00+00:00");
    }

    #[test]
    fn near_misses_are_named() {
        for text in [
            "",
            "13:56 pm on 8 May, 2023",
            "0:56 am on 8 May, 2023",
            "1:56 PM on 8 May, 2023",
            "1:56 pm on 31 June, 2023",
            "1:56 pm on 8 Mai, 2023",
            "2023/05/20 (Samstag) 02:21",
            "2023/5/20 (Sat) 02:21",
            "2023/05/20 (Sat) 24:21",
            "March-32-2024",
            "March-+5-2024",
            "2024年04月01日 周八 08:06",
            "tomorrow",
        ] {
            let error = parse(text).unwrap_err();
            assert!(
                error.starts_with("line 7: expected a time such as"),
                "{error}"
            );
            assert!(error.ends_with(&format!("got `{text}`")), "{error}");
        }
    }
}
