//! Places: towns and regions by their capitals, countries by a list.

/// Countries as people call them, in lower case, sorted.
const COUNTRIES: &[&str] = &[
    "afghanistan",
    "albania",
    "algeria",
    "america",
    "argentina",
    "armenia",
    "australia",
    "austria",
    "azerbaijan",
    "bangladesh",
    "belarus",
    "belgium",
    "bolivia",
    "bosnia",
    "brazil",
    "britain",
    "bulgaria",
    "cambodia",
    "cameroon",
    "canada",
    "chile",
    "china",
    "colombia",
    "costa rica",
    "croatia",
    "cuba",
    "cyprus",
    "czech republic",
    "czechia",
    "denmark",
    "ecuador",
    "egypt",
    "england",
    "estonia",
    "ethiopia",
    "finland",
    "france",
    "germany",
    "ghana",
    "greece",
    "guatemala",
    "haiti",
    "honduras",
    "hungary",
    "iceland",
    "india",
    "indonesia",
    "iran",
    "iraq",
    "ireland",
    "israel",
    "italy",
    "jamaica",
    "japan",
    "jordan",
    "kazakhstan",
    "kenya",
    "kuwait",
    "laos",
    "latvia",
    "lebanon",
    "libya",
    "lithuania",
    "luxembourg",
    "madagascar",
    "malaysia",
    "malta",
    "mexico",
    "moldova",
    "mongolia",
    "morocco",
    "myanmar",
    "namibia",
    "nepal",
    "netherlands",
    "new zealand",
    "nicaragua",
    "nigeria",
    "north macedonia",
    "northern ireland",
    "norway",
    "oman",
    "pakistan",
    "panama",
    "paraguay",
    "peru",
    "philippines",
    "poland",
    "portugal",
    "qatar",
    "romania",
    "russia",
    "rwanda",
    "saudi arabia",
    "scotland",
    "senegal",
    "serbia",
    "singapore",
    "slovakia",
    "slovenia",
    "somalia",
    "south africa",
    "south korea",
    "spain",
    "sri lanka",
    "sudan",
    "sweden",
    "switzerland",
    "syria",
    "taiwan",
    "tanzania",
    "thailand",
    "tunisia",
    "turkey",
    "u.k",
    "u.s",
    "u.s.a",
    "uganda",
    "uk",
    "ukraine",
    "united kingdom",
    "united states",
    "uruguay",
    "us",
    "usa",
    "uzbekistan",
    "venezuela",
    "vietnam",
    "wales",
    "yemen",
    "zambia",
    "zimbabwe",
];
/// Words inside a name that have no capital.
const JOINTS: &[&str] = &[
    "de", "la", "le", "los", "las", "el", "am", "an", "der", "upon", "of", "da", "do", "del",
    "sur", "on", "in",
];
/// Words with a capital that begin no place.
const NO_PLACES: &[&str] = &[
    "i",
    "i'm",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "christmas",
    "english",
    "german",
    "french",
    "spanish",
    "general",
    "fact",
    "spring",
    "summer",
    "autumn",
    "winter",
    "house",
    "facebook",
    "instagram",
    "god",
    "heaven",
    "hell",
    "mars",
    "team",
];
/// Words that follow a place but are no part of it, where nobody writes capitals.
const AFTER: &[&str] = &[
    "with",
    "for",
    "to",
    "since",
    "and",
    "near",
    "right",
    "now",
    "but",
    "because",
    "so",
    "as",
    "at",
    "in",
    "on",
    "last",
    "too",
    "by",
    "these",
    "from",
    "where",
    "which",
    "until",
    "when",
    "currently",
    "after",
    "before",
    "again",
    "yesterday",
    "today",
    "this",
];

/// Whether a place is a country.
pub(super) fn is_country(place: &str) -> bool {
    let lower = place.to_lowercase();
    COUNTRIES
        .binary_search(&lower.trim_end_matches('.'))
        .is_ok()
}

/// The place that `raw` begins with, or names after "in" in its first clause: "a flat in Munich".
pub(super) fn place(raw: &str, has_capitals: bool) -> Option<&str> {
    let end = raw
        .find(['.', ';', '!', '?', '(', ':', '\n'])
        .filter(|end| !is_dotted(raw, *end))
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

/// "U.S." has its dots inside.
fn is_dotted(raw: &str, at: usize) -> bool {
    raw.starts_with("U.") || raw.starts_with("the U.") || raw.starts_with("St. ") && at < 4
}

/// Words with capitals from the start, with a region after a comma.
fn capitalised(text: &str) -> Option<&str> {
    let mut end = 0;
    let mut joints = 0;
    let mut after_comma = false;
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end().trim_end_matches(',');
        let has_capital = bare.starts_with(char::is_uppercase);
        if !has_capital && (end == 0 || after_comma || !JOINTS.contains(&bare)) || is_no_place(bare)
        {
            break;
        }
        joints += word.len();
        if has_capital {
            end = joints - (word.len() - bare.len());
        }
        after_comma = word.trim_end().ends_with(',');
    }
    let place = text
        .get(..end)?
        .trim_end_matches(|c: char| !c.is_alphanumeric() && c != '.');
    let place = place
        .strip_suffix("'s")
        .or_else(|| place.strip_suffix("’s"))
        .unwrap_or(place);
    let is_some =
        place.chars().filter(|c| c.is_alphabetic()).count() >= 2 && place.split(' ').count() <= 6;
    is_some.then_some(place)
}

fn is_no_place(word: &str) -> bool {
    let word = word.replace('’', "'").to_lowercase();
    NO_PLACES.contains(&word.as_str()) || word.starts_with("i'")
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
            || AFTER.contains(&bare)
            || !bare.chars().all(|c| c.is_alphabetic() || c == '-');
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
        check("Once upon", Some("Once"));
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
    fn countries_are_known() {
        assert!(COUNTRIES.is_sorted());
        assert!(
            is_country("Sweden")
                && is_country("the US".trim_start_matches("the "))
                && !is_country("Munich")
        );
    }
}
