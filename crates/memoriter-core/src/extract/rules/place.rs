//! Places: towns and regions by their capitals.

#[rustfmt::skip] // Lists are read as paragraphs.
mod names;

use super::value::is_abbreviated;
use super::{country, region, words};
use names::{BEHIND, CITIES, JOINTS, NO_PLACES, OF_NO_PLACE, PARTS_OF_CITIES};

/// The place that `raw` begins with, or names after "in" in its first clause: "a flat in Munich".
pub(super) fn place(raw: &str, has_capitals: bool) -> Option<&str> {
    let ends = raw.match_indices(['.', ';', '!', '?', '(', ':', '\n']);
    let end = ends
        .map(|(at, _)| at)
        .find(|at| !is_dotted(raw, *at))
        .unwrap_or(raw.len());
    let clause = raw.get(..end)?.trim();
    let clause = clause.strip_prefix("the ").unwrap_or(clause);
    if let Some(place) = capitalised(clause) {
        return Some(place);
    }
    if let Some(place) = after_in(clause) {
        return Some(place);
    }
    (!has_capitals).then(|| uncapitalised(clause)).flatten()
}

/// "U.S.", "Washington D.C." and "St. Gallen" have their dots inside.
fn is_dotted(raw: &str, at: usize) -> bool {
    let before = raw.get(..at).unwrap_or_default();
    let behind = raw.get(at + 1..).unwrap_or_default();
    let last = before.rsplit([' ', ',']).next().unwrap_or_default();
    let is_initials = last.contains('.') && behind.trim_start_matches(',').is_empty();
    raw.get(at..).is_some_and(|rest| rest.starts_with('.'))
        && (is_abbreviated(last, behind)
            || is_initials
            || last.contains('.') && behind.starts_with(','))
}

/// Whether a city is a part of another name: "Boston Dynamics", "London Stock Exchange".
fn is_of_other_name(place: &str) -> bool {
    let (first, rest) = place.split_once(' ').unwrap_or((place, ""));
    let rest = rest.split(',').next().unwrap_or_default();
    let second = rest.split(' ').next().unwrap_or_default();
    let is_state = second.len() == 2 && second.chars().all(char::is_uppercase);
    let goes_on = second.is_empty()
        || is_state
        || second.starts_with(char::is_lowercase)
        || PARTS_OF_CITIES.contains(&second)
        || country::is_country(rest)
        || region::is_region(rest);
    CITIES.contains(&first) && !goes_on
}

/// Whether this is the name of a city that is known as one; of others nothing is said.
pub(super) fn is_city(place: &str) -> bool {
    const OF_TWO_WORDS: &[&str] = &[
        "New York",
        "New York City",
        "San Francisco",
        "Los Angeles",
        "San Diego",
        "Las Vegas",
        "New Orleans",
        "Hong Kong",
        "Buenos Aires",
        "Mexico City",
        "Cape Town",
        "Tel Aviv",
        "São Paulo",
        "The Hague",
        "Kuala Lumpur",
        "New Delhi",
    ];
    CITIES.contains(&place) || OF_TWO_WORDS.contains(&place)
}

/// Whether what stands right behind a name leaves it the name of a place: "Phoenix framework" is none.
fn may_follow(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix(' ') else {
        return true;
    };
    let next = rest.split([' ', ',', '.', ';', '!', '?', ')']).next();
    let next = next.unwrap_or_default();
    !next.starts_with(char::is_lowercase)
        || next.contains(['\'', '’'])
        || BEHIND.contains(&next)
        || next.ends_with("ly")
}

/// Words with capitals from the start, with a region after a comma.
fn capitalised(text: &str) -> Option<&str> {
    let mut end = 0;
    let mut joints = 0;
    let mut after_comma = false;
    let mut before_comma = None;
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end().trim_end_matches(',');
        let has_capital = bare.starts_with(char::is_uppercase);
        if has_capital && is_of_no_place(bare) {
            end = before_comma?;
            break;
        }
        if !has_capital && (end == 0 || after_comma || !JOINTS.contains(&bare)) || is_no_place(bare)
        {
            break;
        }
        joints += word.len();
        if has_capital {
            end = joints - (word.len() - bare.len());
        }
        after_comma = word.trim_end().ends_with(',');
        if after_comma {
            before_comma = before_comma.or(Some(end));
        }
    }
    let place = text
        .get(..end)?
        .trim_end_matches(|c: char| !c.is_alphanumeric() && c != '.');
    let is_dotted_within = place
        .trim_end_matches('.')
        .ends_with(|c: char| c.is_uppercase());
    let place = if is_dotted_within {
        place
    } else {
        place.trim_end_matches('.')
    };
    if is_street(place) || is_of_other_name(place) {
        return None;
    }
    let owner = place
        .strip_suffix("'s")
        .or_else(|| place.strip_suffix("’s"));
    let behind = text.get(end..)?;
    if owner.is_some() && !names_part(behind) || owner.is_none() && !may_follow(behind) {
        return None;
    }
    let place = owner.unwrap_or(place);
    let is_people =
        words::holds(words::LANGUAGES, place) || words::holds(words::NATIONALITIES, place);
    let is_some = !is_people
        && place.chars().filter(|c| c.is_alphabetic()).count() >= 2
        && place.split(' ').count() <= 6;
    is_some.then_some(place)
}

fn is_no_place(word: &str) -> bool {
    let word = word.replace('’', "'").to_lowercase();
    NO_PLACES.contains(&word.as_str()) || word.starts_with("i'") || word.ends_with("ism")
}

/// "Berlin Street": an address, in whatever city.
fn is_street(place: &str) -> bool {
    const STREETS: &[&str] = &[
        "street",
        "st",
        "road",
        "rd",
        "avenue",
        "ave",
        "lane",
        "boulevard",
        "blvd",
        "alley",
        "drive",
        "highway",
        "straße",
        "strasse",
        "platz",
    ];
    let mut words = place.split([' ', ',']).skip(1);
    words.any(|word| STREETS.contains(&word.trim_end_matches('.').to_lowercase().as_str()))
}

/// Whether what follows "Vienna's" is a part of the place; most other things somebody owns are none.
fn names_part(rest: &str) -> bool {
    const PARTS: &[&str] = &[
        "district",
        "area",
        "suburb",
        "suburbs",
        "center",
        "centre",
        "outskirts",
        "quarter",
        "downtown",
        "side",
        "borough",
        "neighborhood",
        "neighbourhood",
        "town",
        "end",
        "north",
        "south",
        "east",
        "west",
    ];
    let near = rest.split([',', '.', ';']).next().unwrap_or_default();
    let mut words = near.split_whitespace().take(4);
    rest.trim().is_empty() || words.any(|word| PARTS.contains(&word.to_lowercase().as_str()))
}

/// "Linux", "Plan B", "Product Management".
fn is_of_no_place(word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#'));
    words::holds(OF_NO_PLACE, word) || words::holds(&words::TOOLS, word)
}

/// "A flat in Munich": the place after the last "in" before a joint of clauses.
fn after_in(clause: &str) -> Option<&str> {
    let is_phrase = [
        "a ",
        "an ",
        "our ",
        "my ",
        "this ",
        "beautiful ",
        "downtown ",
        "central ",
        "rural ",
        "northern ",
        "southern ",
        "eastern ",
        "western ",
    ];
    if !is_phrase.iter().any(|start| clause.starts_with(start)) {
        return None;
    }
    let clause = clause.split([',', '—']).next().unwrap_or(clause);
    if let Some(direct) = [
        "downtown ",
        "central ",
        "rural ",
        "northern ",
        "southern ",
        "eastern ",
        "western ",
        "beautiful ",
    ]
    .iter()
    .find_map(|start| clause.strip_prefix(start))
    {
        return capitalised(direct);
    }
    let joints = [
        " and ",
        " but ",
        " with ",
        " because ",
        " where ",
        " that ",
        " so ",
    ];
    let end = joints
        .iter()
        .filter_map(|joint| clause.find(joint))
        .min()
        .unwrap_or(clause.len());
    let clause = clause.get(..end)?;
    [" in the ", " in ", " of "]
        .iter()
        .find_map(|joint| capitalised(clause.rsplit_once(joint)?.1))
}

fn uncapitalised(clause: &str) -> Option<&str> {
    const NO: &[&str] = &[
        "a",
        "an",
        "the",
        "my",
        "our",
        "your",
        "his",
        "her",
        "their",
        "this",
        "that",
        "it",
        "another",
        "here",
        "there",
        "one",
        "fear",
        "peace",
        "pain",
        "town",
        "house",
        "general",
        "fact",
        "order",
        "bed",
        "love",
        "same",
        "some",
        "me",
        "you",
        "us",
        "him",
        "them",
        "new",
        "different",
        "small",
        "big",
        "what",
        "where",
        "work",
        "school",
        "these",
    ];
    let mut end = 0;
    for (count, word) in clause.split(' ').enumerate() {
        let bare = word.trim_end_matches(',');
        let is_end = bare.is_empty()
            || BEHIND.contains(&bare)
            || !bare.chars().all(|c| c.is_alphabetic() || c == '-');
        if !is_end && is_of_no_place(bare) {
            return None;
        }
        if is_end || NO.contains(&bare) || count > 2 {
            if count == 0 || NO.contains(&bare) || count > 2 {
                return None;
            }
            break;
        }
        end += bare.len() + usize::from(count > 0);
        if bare.len() < word.len() {
            break;
        }
    }
    clause.get(..end).filter(|place| place.len() >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, expected: Option<&str>) {
        let has_capitals = raw.chars().any(char::is_uppercase);
        assert_eq!(place(raw, has_capitals), expected, "{raw}");
    }

    #[test]
    fn places_end_where_their_capitals_do() {
        check("Munich with my wife", Some("Munich"));
        check("Portland, Oregon, and I love it", Some("Portland, Oregon"));
        check("the Netherlands now", Some("Netherlands"));
        check("Rio de Janeiro.", Some("Rio de Janeiro"));
        check("a small flat in Berlin, near the park", Some("Berlin"));
        check("New York City, I think", Some("New York City"));
        check("Frankfurt am Main", Some("Frankfurt am Main"));
    }

    #[test]
    fn small_letters_are_taken_from_who_writes_no_others() {
        check("munich", Some("munich"));
        check("new york with my wife", None);
        check("san francisco with my wife", Some("san francisco"));
        check("a small town", None);
        check("Once upon", None);
    }

    #[test]
    fn other_words_are_no_places() {
        for raw in [
            "a small town",
            "peace",
            "my head",
            "May",
            "the house",
            "",
            "I",
        ] {
            check(raw, None);
        }
    }

    #[test]
    fn what_is_called_by_a_name_need_be_no_place() {
        for raw in [
            "Linux",
            "Postgres",
            "Python from Java",
            "Slack for our chats",
            "Product Management",
            "Brand Management",
            "Plan B",
            "Kubernetes",
            "Building C",
            "Visual Studio Code",
            "Google",
            "Human Resources",
            "linux",
            "French",
        ] {
            check(raw, None);
        }
        check("Munich, Product Management", Some("Munich"));
        check("New Orleans", Some("New Orleans"));
    }
}
