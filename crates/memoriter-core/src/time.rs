//! Instants in microseconds and the zone they were told in.

use std::fmt;

use jiff::tz::Offset;

use crate::error::InvalidInput;

/// An instant, UTC, in microseconds since 1970. Between the years 1 and 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// Microseconds in a day of 24 hours.
pub const DAY_MICROS: i64 = 86_400_000_000;
const DAY_SECONDS: i32 = 86_400;

impl Timestamp {
    /// 0001-01-02T00:00:00Z: a year that RFC 3339 can write, at any offset.
    pub const MIN: Self = Self(-62_135_510_400_000_000);
    /// 9999-12-30T00:00:00Z: a year that RFC 3339 can write, at any offset.
    pub const MAX: Self = Self(253_402_128_000_000_000);

    /// An instant from microseconds since 1970. Values outside [`Timestamp::MIN`]..=[`Timestamp::MAX`]
    /// become the nearer end.
    #[must_use]
    pub fn from_micros(micros: i64) -> Self {
        Self(micros).clamp(Self::MIN, Self::MAX)
    }

    /// An instant from microseconds since 1970, if it is within range.
    fn within_range(micros: i64) -> Option<Self> {
        (Self::MIN.0..=Self::MAX.0)
            .contains(&micros)
            .then_some(Self(micros))
    }

    /// Microseconds since 1970.
    #[must_use]
    pub fn as_micros(self) -> i64 {
        self.0
    }

    /// Microseconds from `earlier` to `self`; negative when `earlier` is later.
    #[must_use]
    pub fn micros_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// This instant moved by `micros`, kept within range.
    #[must_use]
    pub fn plus_micros(self, micros: i64) -> Self {
        Self::from_micros(self.0.saturating_add(micros))
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339 in UTC, with as many decimals as needed: `2026-03-01T09:00:00Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(instant) => write!(f, "{instant}"),
            Err(_) => Err(fmt::Error),
        }
    }
}

/// An instant together with the zone offset it was told in, so that "that evening" keeps its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ZonedTime {
    /// The instant.
    pub instant: Timestamp,
    /// Seconds east of UTC, within one day either way.
    pub offset_seconds: i32,
}

/// A calendar day as told: year, month `1..=12`, day `1..=31`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalendarDay {
    /// Year.
    pub year: i16,
    /// Month, 1 for January.
    pub month: i8,
    /// Day of the month, from 1.
    pub day: i8,
}

impl fmt::Display for CalendarDay {
    /// `2026-03-01`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

/// The months in English, January first.
pub const MONTH_NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl CalendarDay {
    /// The month in English; empty when it is none.
    #[must_use]
    pub fn month_name(self) -> &'static str {
        let index = usize::try_from(self.month)
            .ok()
            .and_then(|month| month.checked_sub(1));
        index
            .and_then(|index| MONTH_NAMES.get(index))
            .copied()
            .unwrap_or_default()
    }

    /// Days since 1970-01-01; `None` when there is no such day.
    #[must_use]
    pub fn number(self) -> Option<i64> {
        Some(
            ZonedTime::from_day(self)?
                .instant
                .as_micros()
                .div_euclid(DAY_MICROS),
        )
    }
}

impl ZonedTime {
    /// An instant told in UTC.
    #[must_use]
    pub fn utc(instant: Timestamp) -> Self {
        Self {
            instant,
            offset_seconds: 0,
        }
    }

    /// Midnight UTC at the start of a calendar day; `None` when there is no such day within the range.
    #[must_use]
    pub fn from_day(day: CalendarDay) -> Option<Self> {
        Self::from_civil(day, 0, 0)
    }

    /// A wall-clock minute in UTC; `None` when there is no such day, hour or minute within the range.
    #[must_use]
    pub fn from_civil(day: CalendarDay, hour: i8, minute: i8) -> Option<Self> {
        let civil =
            jiff::civil::DateTime::new(day.year, day.month, day.day, hour, minute, 0, 0).ok()?;
        let instant = Offset::UTC.to_timestamp(civil).ok()?;
        Timestamp::within_range(instant.as_microsecond()).map(Self::utc)
    }

    /// Reads an RFC 3339 date-time (`2026-03-01T09:00:00+01:00`), a date-time without zone (taken as UTC)
    /// or a date (`2026-03-01`, midnight UTC).
    ///
    /// # Errors
    /// [`InvalidInput::Malformed`] naming `field`.
    pub fn parse(field: &'static str, text: &str) -> Result<Self, InvalidInput> {
        let must_be = |expected| InvalidInput::malformed(field, expected, text);
        let malformed = || {
            must_be(
                "an RFC 3339 time such as 2026-03-01T09:00:00+01:00 or a date such as 2026-03-01",
            )
        };
        let pieces = jiff::fmt::temporal::DateTimeParser::new()
            .parse_pieces(text.trim())
            .map_err(|_| malformed())?;
        if names_second_60(text) {
            return Err(must_be("a time with seconds from 00 to 59"));
        }
        let offset = match pieces.to_numeric_offset() {
            Some(offset) => offset,
            None if pieces.time_zone_annotation().is_some() => return Err(malformed()),
            None => Offset::UTC,
        };
        if offset.seconds().abs() >= DAY_SECONDS {
            return Err(must_be("a time with an offset of less than a day"));
        }
        let civil = pieces.date().to_datetime(pieces.time().unwrap_or_default());
        let instant = offset
            .to_timestamp(civil)
            .ok()
            .and_then(|instant| Timestamp::within_range(instant.as_microsecond()))
            .ok_or_else(|| must_be("a time from 0001-01-02 to 9999-12-29"))?;
        Ok(Self {
            instant,
            offset_seconds: offset.seconds(),
        })
    }

    /// The time to the microsecond and the offset to the second, as [`ZonedTime::parse`] reads it back. RFC 3339 where
    /// the offset has no seconds; it knows of none.
    #[must_use]
    pub fn to_exact(self) -> String {
        const MINUTE: i32 = 60;
        if self.offset_seconds % MINUTE == 0 {
            return self.to_string();
        }
        let sign = if self.offset_seconds < 0 { '-' } else { '+' };
        let offset = self.offset_seconds.abs();
        let (hours, minutes) = (offset / (MINUTE * MINUTE), offset / MINUTE % MINUTE);
        let seconds = offset % MINUTE;
        format!("{}{sign}{hours:02}:{minutes:02}:{seconds:02}", self.civil())
    }

    /// The calendar day at the told offset.
    #[must_use]
    pub fn day(self) -> CalendarDay {
        let date = self.civil().date();
        CalendarDay {
            year: date.year(),
            month: date.month(),
            day: date.day(),
        }
    }

    /// The wall clock where it was told.
    pub(crate) fn civil(self) -> jiff::civil::DateTime {
        let instant = jiff::Timestamp::from_microsecond(self.instant.as_micros())
            .expect("a Timestamp is within the range that jiff can hold");
        self.offset().to_datetime(instant)
    }

    /// Another wall-clock time at the same offset; `None` outside the years that can be written.
    pub(crate) fn with_civil(self, civil: jiff::civil::DateTime) -> Option<Self> {
        let instant = self.offset().to_timestamp(civil).ok()?;
        let instant = Timestamp::from_micros(instant.as_microsecond());
        Some(Self { instant, ..self })
    }

    fn offset(self) -> Offset {
        Offset::from_seconds(self.offset_seconds).unwrap_or(Offset::UTC)
    }
}

/// Whether a text that reads as a time has 60 where seconds stand. The parser takes it for 59, which is another
/// second.
fn names_second_60(text: &str) -> bool {
    let time = text
        .trim()
        .split_once(['T', 't', ' '])
        .map(|(_, time)| time);
    let digits = time.unwrap_or_default().bytes();
    let clock: Vec<u8> = digits
        .filter(|byte| *byte != b':')
        .take_while(u8::is_ascii_digit)
        .collect();
    clock.get(4..6) == Some(b"60")
}

impl fmt::Display for ZonedTime {
    /// RFC 3339 at the told offset: `2026-03-01T09:00:00+01:00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instant =
            jiff::Timestamp::from_microsecond(self.instant.as_micros()).map_err(|_| fmt::Error)?;
        write!(f, "{}", instant.display_with_offset(self.offset()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        assert_eq!(ZonedTime::parse("ts", input).unwrap().to_string(), expected);
    }

    #[test]
    fn times_keep_their_zone() {
        check("2026-03-01T09:00:00+01:00", "2026-03-01T09:00:00+01:00");
        check("2026-03-01T09:00:00Z", "2026-03-01T09:00:00+00:00");
        check("2026-03-01 09:00", "2026-03-01T09:00:00+00:00");
        check("2026-03-01", "2026-03-01T00:00:00+00:00");
        check(
            "2026-03-01T09:00:00.25-11:00",
            "2026-03-01T09:00:00.25-11:00",
        );
    }

    #[test]
    fn the_day_is_the_day_where_it_was_told() {
        let evening = ZonedTime::parse("ts", "2026-03-01T23:30:00-05:00").unwrap();
        assert_eq!(
            evening.day(),
            CalendarDay {
                year: 2026,
                month: 3,
                day: 1
            }
        );
    }

    #[test]
    fn nonsense_is_named() {
        for nonsense in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-02-30T00:00:00Z",
            "\u{1F600}",
        ] {
            let error = ZonedTime::parse("ts", nonsense).unwrap_err();
            assert!(error.to_string().starts_with("ts must be"), "{error}");
        }
    }

    #[test]
    fn what_no_clock_shows_is_refused() {
        for (text, expected) in [
            (
                "0000-05-05",
                "ts must be a time from 0001-01-02 to 9999-12-29",
            ),
            (
                "0001-01-01",
                "ts must be a time from 0001-01-02 to 9999-12-29",
            ),
            (
                "-000044-03-15",
                "ts must be a time from 0001-01-02 to 9999-12-29",
            ),
            (
                "9999-12-31",
                "ts must be a time from 0001-01-02 to 9999-12-29",
            ),
            (
                "2026-03-01T09:00:00+25:00",
                "ts must be a time with an offset of less than a day",
            ),
            (
                "2026-03-01T09:00:00-24:00",
                "ts must be a time with an offset of less than a day",
            ),
            (
                "2026-03-01T09:00:60Z",
                "ts must be a time with seconds from 00 to 59",
            ),
            (
                "2016-12-31t23:59:60+00:00",
                "ts must be a time with seconds from 00 to 59",
            ),
            (
                "20260301T090060",
                "ts must be a time with seconds from 00 to 59",
            ),
            ("2026-03-01 24:00", "ts must be an RFC 3339 time"),
            ("2026-03-01T09:60", "ts must be an RFC 3339 time"),
        ] {
            let error = ZonedTime::parse("ts", text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
            assert!(error.ends_with(&format!("got `{text}`")), "{error}");
        }
        check("0001-01-02", "0001-01-02T00:00:00+00:00");
        check("9999-12-29T23:59:59Z", "9999-12-29T23:59:59+00:00");
        check("2026-03-01T09:00:59-23:59", "2026-03-01T09:00:59-23:59");
        let day = |year| CalendarDay {
            year,
            month: 1,
            day: 1,
        };
        assert_eq!(ZonedTime::from_day(day(0)), None);
        assert!(ZonedTime::from_day(day(2)).is_some());
    }

    #[test]
    fn the_ends_of_time_can_be_written() {
        for end in [
            Timestamp::MIN,
            Timestamp::MAX,
            Timestamp::from_micros(i64::MIN),
            Timestamp::from_micros(i64::MAX),
        ] {
            assert!(!end.to_string().is_empty());
            assert!(!ZonedTime::utc(end).to_string().is_empty());
        }
    }

    #[test]
    fn an_exact_time_reads_back_whatever_its_offset() {
        for offset_seconds in [0, 3_600, -39_600, 20_700, 86_399, -86_399, 59, -1] {
            for micros in [
                Timestamp::MIN.as_micros(),
                -1,
                0,
                1_772_323_200_000_001,
                Timestamp::MAX.as_micros(),
            ] {
                let time = ZonedTime {
                    instant: Timestamp::from_micros(micros),
                    offset_seconds,
                };
                let text = time.to_exact();
                assert_eq!(ZonedTime::parse("at", &text), Ok(time), "{text}");
            }
        }
    }
}
