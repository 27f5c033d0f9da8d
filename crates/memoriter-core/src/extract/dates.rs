//! Times as people say them, counted from when they are said: "last week", "since March", "in three days".
//!
//! What is counted in days, weeks, months or years keeps the wall-clock time and the offset of the moment it is
//! counted from; a day named by weekday or date begins at midnight there. "Next Friday" is the first Friday after
//! today, "last Friday" the last one before it. What can be read in two ways (`03/04/2027`) or is vague ("a few
//! days ago", "this week") is found, so that it is not taken for something else, and has no time.

use std::ops::Range;

use jiff::Span;
use jiff::civil::{Date, DateTime, Weekday};
use regex::Captures;

use super::rules::Form;
use crate::time::ZonedTime;

/// Which way a date without year, or a weekday, is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lean {
    /// The last one: something has happened.
    Past,
    /// The next one: something will.
    Future,
}

/// How exact a time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grain {
    /// A day, or less.
    Day,
    /// A week, month or year.
    Longer,
}

/// What a time says about what it stands with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    /// "Since March", "last week", "on Friday".
    From,
    /// "Until Friday".
    Until,
    /// "For three years", which tells the start of what still is.
    For,
}

/// A time in a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    /// Where its words are.
    pub(crate) range: Range<usize>,
    /// Start or end of what it stands with.
    pub(crate) sense: Sense,
    /// How exact it is.
    pub(crate) grain: Grain,
    /// The time, where it can be told. With [`Sense::Until`] a day is over at its end, a month at its beginning.
    pub(crate) time: Option<ZonedTime>,
    /// Whether a year, or a distance from now, is part of it.
    pub(crate) is_exact: bool,
}

const MONTH: &str = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const WEEKDAY: &str = "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?";
const NUMBER: &str = r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a )?couple(?: of)?|(?:a )?few|several|many|some";

/// Finds times; hold one, its pattern is costly to make.
pub(crate) struct Clockwork {
    any: Form,
}

/// A date without its year.
#[derive(Clone, Copy)]
struct YearlyDate {
    month: i8,
    day: i8,
}

impl Clockwork {
    pub(crate) fn new() -> Self {
        let until = "until|till|'?til|through";
        let pre = "since|from|on|in|by|around|back in|starting(?: on| in| from)?|as of|at the (?:end|beginning|start) of|early|late|mid|this past";
        let unit = "minute|hour|day|week|month|year";
        let parts = [
            r"(?P<day>the day before yesterday|the day after tomorrow|today|tonight|tomorrow|yesterday|last night|this (?:morning|afternoon|evening))(?: (?:morning|afternoon|evening|night))?".to_owned(),
            format!(r"(?P<which>last|past|next|this(?: coming)?|coming|previous)\s+(?:(?P<unit>week|month|year|weekend)(?: (?:on )?(?:{WEEKDAY})\b)?|(?P<whichday>{WEEKDAY})|(?P<whichmonth>{MONTH})|(?P<season>spring|summer|autumn|fall|winter|semester|season|christmas|night))"),
            format!(r"(?:(?:about|around|almost|nearly|over|like|just|only)\s+)?(?P<ago>{NUMBER})\s+(?P<agounit>{unit})s?\s+(?:ago|back)"),
            format!(r"in\s+(?:(?:about|around)\s+)?(?P<in>{NUMBER})\s+(?P<inunit>{unit})s?(?:['’]s? time)?"),
            format!(r"for\s+(?:(?:the )?(?:last|past)\s+)?(?:(?:about|around|almost|nearly|over|like|more than)\s+)?(?P<for>{NUMBER})\s+(?P<forunit>{unit})s?(?: now)?"),
            r"(?P<iso>\d{4}-\d{2}-\d{2})".to_owned(),
            r"(?P<slash>\d{1,2}[/.]\d{1,2}[/.]\d{4})".to_owned(),
            format!(r"(?:the\s+)?(?P<dm>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<dmonth>{MONTH})\b\.?(?:,?\s+(?P<dyear>(?:19|20)\d{{2}}))?"),
            format!(r"(?P<mmonth>{MONTH})\.?\s+(?:the\s+)?(?P<md>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<myear>(?:19|20)\d{{2}}))?"),
            format!(r"(?P<month>{MONTH})(?:\s+(?:of\s+)?(?P<monthyear>(?:19|20)\d{{2}}))?"),
            r"(?P<year>(?:19|20)\d{2})".to_owned(),
            format!(r"(?P<weekday>{WEEKDAY})(?: (?:morning|afternoon|evening|night))?"),
            r"(?P<vague>the other day|a while (?:ago|back)|ages ago|earlier this (?:week|month|year)|recently|lately)".to_owned(),
        ];
        let pattern = format!(
            r"(?i)\b(?:(?:(?P<until>{until})|(?P<pre>{pre}))\s+)?(?:{})\b",
            parts.join("|")
        );
        Self {
            any: Form::new(&pattern),
        }
    }

    /// The times in `text`, in order, counted from `now`.
    pub(crate) fn said(&self, text: &str, now: ZonedTime, lean: Lean) -> Vec<Said> {
        let all = self.any.captures_iter(text);
        all.filter_map(|found| read(&found, now, lean)).collect()
    }
}

fn read(found: &Captures<'_>, now: ZonedTime, lean: Lean) -> Option<Said> {
    let word = |name: &str| found.name(name).map(|part| part.as_str().to_lowercase());
    let pre = word("pre");
    let is_bare = pre.is_none() && word("until").is_none();
    // A bare "2019" may be a count, a bare "May" or "April" a verb or a name, a bare "Sat" or "Sun" another word.
    let is_other_day_word = word("weekday").is_some_and(|word| word.len() <= 3);
    let lacks_year = word("month").is_some() && word("monthyear").is_none();
    if is_bare && (word("year").is_some() || lacks_year || is_other_day_word) {
        return None;
    }
    let sense = match () {
        () if word("until").is_some() => Sense::Until,
        () if word("for").is_some() => Sense::For,
        () => Sense::From,
    };
    let is_season = word("season").is_some();
    let reading = Reading {
        word: &word,
        now,
        lean,
    };
    let (time, grain, is_exact) = reading.time().map_or(
        (None, Grain::Longer, is_season),
        |(civil, grain, is_exact)| {
            (
                now.with_civil(at_the_end(civil, grain, sense)),
                grain,
                is_exact,
            )
        },
    );
    Some(Said {
        range: found.get(0)?.range(),
        sense,
        grain,
        time,
        is_exact,
    })
}

/// "Until Friday" is over when Friday is.
fn at_the_end(civil: DateTime, grain: Grain, sense: Sense) -> DateTime {
    if sense != Sense::Until || grain != Grain::Day {
        return civil;
    }
    let next = civil.date().tomorrow().unwrap_or(civil.date());
    next.to_datetime(jiff::civil::Time::midnight())
}

type Told = (DateTime, Grain, bool);

struct Reading<'a, W> {
    word: &'a W,
    now: ZonedTime,
    lean: Lean,
}

impl<W: Fn(&str) -> Option<String>> Reading<'_, W> {
    fn time(&self) -> Option<Told> {
        self.relative_day()
            .or_else(|| self.counted())
            .or_else(|| self.which())
            .or_else(|| self.numeric())
            .or_else(|| self.dated())
            .or_else(|| self.weekday())
    }

    fn get(&self, name: &str) -> Option<String> {
        (self.word)(name)
    }

    fn today(&self) -> Date {
        self.now.civil().date()
    }

    fn moved(&self, span: Span) -> Option<DateTime> {
        self.now.civil().checked_add(span).ok()
    }

    fn relative_day(&self) -> Option<Told> {
        let days = match self.get("day")?.as_str() {
            "the day before yesterday" => -2,
            "yesterday" | "last night" => -1,
            "tomorrow" => 1,
            "the day after tomorrow" => 2,
            _ => 0,
        };
        Some((self.moved(Span::new().days(days))?, Grain::Day, true))
    }

    /// "Three days ago", "in a week", "for two years".
    fn counted(&self) -> Option<Told> {
        let (count, unit, sign) = [
            ("ago", "agounit", -1),
            ("in", "inunit", 1),
            ("for", "forunit", -1),
        ]
        .into_iter()
        .find_map(|(count, unit, sign)| Some((self.get(count)?, self.get(unit)?, sign)))?;
        let span = span(&unit, sign * number(&count)?)?;
        let grain = if matches!(unit.as_str(), "minute" | "hour" | "day") {
            Grain::Day
        } else {
            Grain::Longer
        };
        Some((self.moved(span)?, grain, true))
    }

    /// "Last week", "next Friday", "last March".
    fn which(&self) -> Option<Told> {
        let lean = match self.get("which")?.as_str() {
            "last" | "past" | "previous" => Some(Lean::Past),
            "next" | "coming" | "this coming" => Some(Lean::Future),
            _ => None,
        };
        if let Some(weekday) = self.get("whichday").as_deref().and_then(weekday_of) {
            let day = self.nearest(weekday, lean.unwrap_or(self.lean))?;
            return Some((midnight(day), Grain::Day, true));
        }
        if let Some(month) = self.get("whichmonth").as_deref().and_then(month_of) {
            let day = self.yearly(YearlyDate { month, day: 1 }, lean.unwrap_or(self.lean))?;
            return Some((midnight(day), Grain::Longer, true));
        }
        let unit = self.get("unit")?;
        if unit == "weekend" {
            let saturday = self.nearest(Weekday::Saturday, lean.unwrap_or(self.lean))?;
            return Some((midnight(saturday), Grain::Day, true));
        }
        let sign = match lean? {
            Lean::Past => -1,
            Lean::Future => 1,
        };
        Some((self.moved(span(&unit, sign)?)?, Grain::Longer, true))
    }

    /// `2027-03-14`, and `14/03/2027` where it has one reading.
    fn numeric(&self) -> Option<Told> {
        let day = if let Some(iso) = self.get("iso") {
            iso.parse::<Date>().ok()?
        } else {
            let slash = self.get("slash")?;
            let mut numbers = slash.split(['/', '.']).map(str::parse::<i16>);
            let (first, second, year) = (
                numbers.next()?.ok()?,
                numbers.next()?.ok()?,
                numbers.next()?.ok()?,
            );
            let (day, month) = match () {
                () if first > 12 || first == second => (first, second),
                () if second > 12 => (second, first),
                () => return None,
            };
            Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?
        };
        Some((midnight(day), Grain::Day, true))
    }

    /// "14 March", "March 14th, 2027", "in May", "since 2019".
    fn dated(&self) -> Option<Told> {
        let year = ["dyear", "myear", "monthyear", "year"]
            .iter()
            .find_map(|name| self.get(name));
        let year: Option<i16> = year.and_then(|year| year.parse().ok());
        let month = ["dmonth", "mmonth", "month"]
            .iter()
            .find_map(|name| self.get(name));
        let Some(month) = month.as_deref().and_then(month_of) else {
            return Some((midnight(Date::new(year?, 1, 1).ok()?), Grain::Longer, true));
        };
        let named_day = ["dm", "md"].iter().find_map(|name| self.get(name));
        let day: i8 = named_day
            .as_deref()
            .map_or(Some(1), |day| day.parse().ok())?;
        let grain = if named_day.is_some() {
            Grain::Day
        } else {
            Grain::Longer
        };
        let date = match year {
            Some(year) => Date::new(year, month, day).ok()?,
            None => self.yearly(YearlyDate { month, day }, self.lean)?,
        };
        Some((midnight(date), grain, year.is_some()))
    }

    fn weekday(&self) -> Option<Told> {
        let weekday = weekday_of(&self.get("weekday")?)?;
        Some((
            midnight(self.nearest(weekday, self.lean)?),
            Grain::Day,
            true,
        ))
    }

    /// The weekday before or after today.
    fn nearest(&self, weekday: Weekday, lean: Lean) -> Option<Date> {
        let nth = match lean {
            Lean::Past => -1,
            Lean::Future => 1,
        };
        self.today().nth_weekday(nth, weekday).ok()
    }

    /// The last such date up to today, or the first one from today.
    fn yearly(&self, date: YearlyDate, lean: Lean) -> Option<Date> {
        let today = self.today();
        let years = match lean {
            Lean::Past => [today.year(), today.year() - 1],
            Lean::Future => [today.year(), today.year() + 1],
        };
        let fits = |day: &Date| match lean {
            Lean::Past => *day <= today,
            Lean::Future => *day >= today,
        };
        let days = years
            .into_iter()
            .filter_map(|year| Date::new(year, date.month, date.day).ok());
        days.into_iter().find(fits)
    }
}

fn midnight(day: Date) -> DateTime {
    day.to_datetime(jiff::civil::Time::midnight())
}

fn span(unit: &str, count: i64) -> Option<Span> {
    let span = Span::new();
    match unit {
        "minute" => span.try_minutes(count),
        "hour" => span.try_hours(count),
        "day" => span.try_days(count),
        "week" => span.try_weeks(count),
        "month" => span.try_months(count),
        "year" => span.try_years(count),
        _ => return None,
    }
    .ok()
}

/// A count in digits or words; `None` for a vague one.
fn number(word: &str) -> Option<i64> {
    const WORDS: [&str; 13] = [
        "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    match word {
        "a" | "an" => Some(1),
        _ if word.contains("couple") => Some(2),
        _ => word.parse().ok().or_else(|| {
            let at = WORDS.iter().skip(1).position(|known| *known == word)?;
            i64::try_from(at + 1).ok()
        }),
    }
}

fn month_of(word: &str) -> Option<i8> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    (1_i8..)
        .zip(MONTHS)
        .find(|(_, month)| word.starts_with(month))
        .map(|(number, _)| number)
}

fn weekday_of(word: &str) -> Option<Weekday> {
    const DAYS: [(&str, Weekday); 7] = [
        ("mon", Weekday::Monday),
        ("tue", Weekday::Tuesday),
        ("wed", Weekday::Wednesday),
        ("thu", Weekday::Thursday),
        ("fri", Weekday::Friday),
        ("sat", Weekday::Saturday),
        ("sun", Weekday::Sunday),
    ];
    DAYS.into_iter()
        .find(|(day, _)| word.starts_with(day))
        .map(|(_, day)| day)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted from a Tuesday morning.
    #[track_caller]
    fn check(text: &str, lean: Lean, expected: &str) {
        let now = ZonedTime::parse("at", "2026-03-10T09:30:00+01:00").unwrap();
        let said = Clockwork::new().said(text, now, lean);
        let told = said.iter().map(|said| match said.time {
            Some(time) => time.to_string().replace(":00+01:00", ""),
            None => format!("[{}]", &text[said.range.clone()]),
        });
        assert_eq!(told.collect::<Vec<_>>().join(" "), expected, "{text}");
    }

    #[test]
    fn distances_keep_the_wall_clock() {
        for (text, expected) in [
            ("today", "2026-03-10T09:30"),
            ("yesterday evening", "2026-03-09T09:30"),
            ("the day before yesterday", "2026-03-08T09:30"),
            ("last week", "2026-03-03T09:30"),
            ("last month", "2026-02-10T09:30"),
            ("last year", "2025-03-10T09:30"),
            ("next month", "2026-04-10T09:30"),
            ("three days ago", "2026-03-07T09:30"),
            ("a couple of weeks ago", "2026-02-24T09:30"),
            ("about 2 years ago", "2024-03-10T09:30"),
            ("in 10 days", "2026-03-20T09:30"),
            ("for the past three years", "2023-03-10T09:30"),
        ] {
            check(text, Lean::Past, expected);
        }
    }

    #[test]
    fn named_days_begin_at_midnight() {
        for (text, lean, expected) in [
            ("last Friday", Lean::Past, "2026-03-06T00:00"),
            ("next Tuesday", Lean::Future, "2026-03-17T00:00"),
            ("this Friday", Lean::Future, "2026-03-13T00:00"),
            ("on Monday", Lean::Past, "2026-03-09T00:00"),
            ("last weekend", Lean::Past, "2026-03-07T00:00"),
            ("since 2019", Lean::Past, "2019-01-01T00:00"),
            ("since March", Lean::Past, "2026-03-01T00:00"),
            ("in May", Lean::Past, "2025-05-01T00:00"),
            ("in May", Lean::Future, "2026-05-01T00:00"),
            ("on 14 March", Lean::Future, "2026-03-14T00:00"),
            ("on 14 March", Lean::Past, "2025-03-14T00:00"),
            ("on the 14th of March 2027", Lean::Past, "2027-03-14T00:00"),
            ("March 14th, 2027", Lean::Past, "2027-03-14T00:00"),
            ("2027-03-14", Lean::Past, "2027-03-14T00:00"),
            ("14/03/2027", Lean::Past, "2027-03-14T00:00"),
            ("03/14/2027", Lean::Past, "2027-03-14T00:00"),
        ] {
            check(text, lean, expected);
        }
    }

    #[test]
    fn an_end_is_the_end_of_a_day_or_the_beginning_of_a_month() {
        check("until Friday", Lean::Future, "2026-03-14T00:00");
        check("until next month", Lean::Future, "2026-04-10T09:30");
        check("until May", Lean::Future, "2026-05-01T00:00");
    }

    #[test]
    fn what_has_two_readings_or_none_has_no_time() {
        check("03/04/2027", Lean::Past, "[03/04/2027]");
        check("a few days ago", Lean::Past, "[a few days ago]");
        check(
            "this week and the other day",
            Lean::Past,
            "[this week] [the other day]",
        );
        check("on 31 February", Lean::Past, "[on 31 February]");
        check("9999-99-99", Lean::Past, "[9999-99-99]");
    }

    #[test]
    fn other_words_are_no_times() {
        for text in [
            "you may march",
            "I sat in the sun",
            "2019 people",
            "thousands",
            "the second one",
            "monkeys",
        ] {
            check(text, Lean::Past, "");
        }
    }

    #[test]
    fn no_time_is_out_of_range() {
        for at in ["0001-01-02T00:00:00Z", "9999-12-30T00:00:00Z"] {
            let now = ZonedTime::parse("at", at).unwrap();
            for text in [
                "999 years ago",
                "in 999 years",
                "last year",
                "next Friday",
                "until tomorrow",
                "in May",
            ] {
                for lean in [Lean::Past, Lean::Future] {
                    assert_eq!(Clockwork::new().said(text, now, lean).len(), 1, "{text}");
                }
            }
        }
    }
}
