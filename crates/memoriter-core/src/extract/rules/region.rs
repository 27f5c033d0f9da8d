//! States, provinces and landscapes, by a list: who lives in one may live in any of its cities.

/// Regions as people call them, in lower case, sorted. Those that are called as a city is ("New York") are not here.
#[rustfmt::skip] // Lists are read as paragraphs.
const REGIONS: &[&str] = &[
    "alabama", "alaska", "alberta", "algarve", "alsace", "andalusia", "arizona", "arkansas", "baden-württemberg",
    "bavaria", "bayern", "bohemia", "brandenburg", "british columbia", "brittany", "burgundy", "calabria",
    "california", "cappadocia", "carinthia", "catalonia", "colorado", "connecticut", "cornwall", "corsica", "crete",
    "crimea", "cumbria", "dalmatia", "delaware", "devon", "dorset", "essex", "flanders", "florida", "friesland",
    "galicia", "georgia", "hawaii", "hesse", "hessen", "idaho", "illinois", "indiana", "iowa", "kansas", "kent",
    "kentucky", "kerala", "lapland", "lombardy", "lorraine", "louisiana", "lower saxony", "maine", "manitoba",
    "maryland", "massachusetts", "mecklenburg-vorpommern", "michigan", "minnesota", "mississippi", "missouri",
    "montana", "moravia", "nebraska", "nevada", "new brunswick", "new hampshire", "new jersey", "new mexico",
    "new south wales", "newfoundland", "niedersachsen", "norfolk", "normandy", "north carolina", "north dakota",
    "north rhine-westphalia", "nova scotia", "ohio", "oklahoma", "ontario", "oregon", "pennsylvania", "piedmont",
    "provence", "punjab", "queensland", "rajasthan", "rhineland-palatinate", "rhode island", "saarland", "sachsen",
    "sardinia", "saskatchewan", "saxony", "saxony-anhalt", "schleswig-holstein", "siberia", "sicily", "silesia",
    "somerset", "south australia", "south carolina", "south dakota", "suffolk", "surrey", "sussex", "tasmania",
    "tennessee", "texas", "thuringia", "thüringen", "tirol", "tuscany", "tyrol", "umbria", "utah", "vermont",
    "virginia", "vorarlberg", "wallonia", "west virginia", "western australia", "wisconsin", "wyoming", "yorkshire",
];

/// Words in front of a region that name a part of it.
const PARTS: &[&str] = &[
    "upper ",
    "lower ",
    "northern ",
    "southern ",
    "eastern ",
    "western ",
    "central ",
    "north ",
    "south ",
    "east ",
    "west ",
    "rural ",
    "upstate ",
];

/// Whether a place is a region.
pub(super) fn is_region(place: &str) -> bool {
    let lower = place.to_lowercase();
    let lower = lower.trim_end_matches('.');
    let is_known = |name: &str| REGIONS.binary_search(&name).is_ok();
    let bare = PARTS.iter().find_map(|part| lower.strip_prefix(part));
    is_known(lower) || bare.is_some_and(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_told_from_cities() {
        assert!(REGIONS.is_sorted());
        for place in [
            "Bavaria",
            "Upper Bavaria",
            "Texas",
            "North Carolina",
            "Southern California",
        ] {
            assert!(is_region(place), "{place}");
        }
        for place in [
            "Munich",
            "New York",
            "Washington",
            "Austin, Texas",
            "Bavaria City",
        ] {
            assert!(!is_region(place), "{place}");
        }
    }
}
