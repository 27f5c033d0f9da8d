//! Places: towns and regions by their capitals.

use super::words;

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
    "earth",
    "aries",
    "taurus",
    "leo",
    "virgo",
    "libra",
    "scorpio",
    "sagittarius",
    "capricorn",
    "aquarius",
    "pisces",
    "hogwarts",
    "narnia",
    "wonderland",
    "neverland",
    "mordor",
    "gotham",
    "westeros",
    "atlantis",
    "hyrule",
    "azeroth",
    "skyrim",
    "starfield",
    "minecraft",
    "fortnite",
    "roblox",
    "team",
];
/// Software, products, companies, departments, parts of buildings and plans: with one of these a name is of no
/// place.
#[rustfmt::skip] // Lists are read as paragraphs.
const OF_NO_PLACE: &[&str] = &[
    // Software and products.
    "ai", "airflow", "airtable", "android", "angular", "ansible", "anthropic", "api", "app", "asana", "aws",
    "azure", "bash", "bitbucket", "chatgpt", "chrome", "chromebook", "claude", "clickhouse", "cloud",
    "cloudflare", "code", "confluence", "copilot", "cursor", "databricks", "datadog", "discord", "dropbox",
    "duckdb", "elasticsearch", "electron", "elixir", "erlang", "evernote", "express", "firebase", "firefox",
    "flutter", "framework", "gcp", "gemini", "gitea", "github", "gitlab", "gmail", "go", "golang", "google",
    "gpt", "grafana", "graphql", "haskell", "helix", "heroku", "hugo", "intellij", "ios", "ipad", "iphone",
    "jenkins", "jetbrains", "jira", "julia", "k8s", "kafka", "laravel", "linear", "lua", "mac", "macbook",
    "mariadb", "markdown", "mastodon", "matrix", "mercurial", "mongodb", "mysql", "net", "netlify", "next",
    "nixos", "node", "nuxt", "openai", "opera", "oracle", "outlook", "pandas", "photoshop", "php",
    "postgis", "powerpoint", "powershell", "premium", "prisma", "pro", "prometheus", "pulumi", "rabbitmq",
    "reddit", "remix", "safari", "salesforce", "scala", "sharepoint", "signal", "skype", "snowflake", "spark",
    "spotify", "sql", "stripe", "studio", "supabase", "svn", "swift", "tailwind", "teams",
    "telegram", "terraform", "threads", "tiktok", "todoist", "trello", "twitter", "vercel", "visual",
    "vite", "vs", "wayland", "webpack", "whatsapp", "windows", "wordpress", "xcode", "youtube", "zed", "zig",
    "zoom",
    // Companies.
    "airbnb", "amazon", "apple", "bosch", "ibm", "intel", "meta", "microsoft", "netflix", "nvidia", "sap",
    "siemens", "tesla", "uber",
    // Departments and posts.
    "accounting", "admin", "administration", "analytics", "backend", "business", "communications",
    "consulting", "customer", "data", "department", "dept", "design", "development", "devops", "director",
    "division", "engineering", "finance", "frontend", "growth", "hr", "human", "infrastructure", "it",
    "lead", "legal", "logistics", "maintenance", "management", "manager", "marketing", "operations",
    "platform", "pr", "procurement", "product", "production", "project", "qa", "quality", "research",
    "resources", "sales", "science", "security", "senior", "services", "staff", "strategy", "success",
    "support", "testing", "ui", "ux",
    // Plans and parts of a whole.
    "apartment", "block", "building", "chapter", "episode", "flat", "floor", "gate", "group", "level", "lesson",
    "office", "option", "page", "part", "phase", "plan", "position", "role", "room", "round", "section",
    "stage", "step", "suite", "terminal", "tier", "unit", "version", "wing",
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
    if is_street(place) {
        return None;
    }
    let owner = place
        .strip_suffix("'s")
        .or_else(|| place.strip_suffix("’s"));
    if owner.is_some() && !names_part(text.get(end..)?) {
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
            || AFTER.contains(&bare)
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
