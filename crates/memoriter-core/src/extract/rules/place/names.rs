//! Names that are of places, and names that are of none.

/// Words inside a name that have no capital.
pub(super) const JOINTS: &[&str] = &[
    "de", "la", "le", "los", "las", "el", "am", "an", "der", "upon", "of", "da", "do", "del", "sur", "on", "in",
];

/// Words with a capital that begin no place: days, signs, feelings, places of stories.
pub(super) const NO_PLACES: &[&str] = &[
    "i", "i'm", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "christmas",
    "english", "german", "french", "spanish", "general", "fact", "spring", "summer", "autumn", "winter", "house",
    "facebook", "instagram", "god", "heaven", "hell", "mars", "earth", "aries", "taurus", "leo", "virgo", "libra",
    "scorpio", "sagittarius", "capricorn", "aquarius", "pisces", "hogwarts", "narnia", "wonderland", "neverland",
    "mordor", "gotham", "westeros", "atlantis", "hyrule", "azeroth", "skyrim", "starfield", "minecraft", "fortnite",
    "roblox", "team", "hamburger", "hope", "denial", "proton", "brave", "arc", "wakanda", "transylvania", "sim",
    "rapture", "tatooine", "middle-earth", "rivendell", "asgard", "gondor", "rohan", "panem", "azkaban", "hobbiton",
    "valhalla", "utopia", "limbo", "paradise", "metropolis", "smallville", "mount", "area", "zion", "krypton",
    "vulcan", "pandora", "elsweyr", "winterfell", "duckburg", "bikini", "ft", "mt", "st", "pt",
];

/// Software, products, companies, departments, parts of buildings and plans: with one of these a name is of no
/// place.
pub(super) const OF_NO_PLACE: &[&str] = &[
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

/// Words that may stand behind a place without a sign between them. Any other makes the name one of something else:
/// "the Phoenix framework".
pub(super) const BEHIND: &[&str] = &[
    "with", "any", "anymore", "for", "to", "since", "and", "near", "right", "now", "but", "because", "so", "as", "at", "in", "on",
    "last", "too", "by", "these", "from", "where", "which", "until", "when", "currently", "after", "before", "again",
    "yesterday", "today", "this", "or", "if", "though", "although", "while", "except", "whereas", "who", "that",
    "then", "than", "also", "here", "there", "most", "half", "part", "all", "alone", "together", "between", "during",
    "through", "over", "under", "about", "around", "outside", "inside", "just", "only", "still", "once", "every",
    "each", "some", "full-time", "part-time", "temporarily", "permanently", "always", "usually", "mainly", "mostly",
    "actually", "and/or", "is", "was", "has", "have", "had", "will", "are", "were", "can", "cause", "cuz", "plus",
    "till", "not", "next", "back", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "a", "an",
    "the", "my", "our", "i", "we", "it", "he", "she", "they", "recently", "ago", "years", "months", "weeks", "days",
    "nowadays", "anymore", "lately", "soon", "tho", "via", "without", "within", "away", "down", "up", "out", "off",
    "long", "long-term", "well", "please", "thanks", "btw", "lol", "haha", "rn",
];

/// Cities whose names are also in those of companies, teams and buildings: "Boston Dynamics". Sorted.
pub(super) const CITIES: &[&str] = &[
    "Aachen", "Aberdeen", "Adelaide", "Amsterdam", "Ankara", "Antwerp", "Athens", "Atlanta", "Auckland", "Augsburg",
    "Austin", "Baltimore", "Bangalore", "Bangkok", "Barcelona", "Basel", "Beijing", "Beirut", "Belfast", "Belgrade",
    "Bergen", "Berlin", "Bern", "Bielefeld", "Bilbao", "Birmingham", "Bochum", "Bogotá", "Bologna", "Bonn",
    "Bordeaux", "Boston", "Brasília", "Bratislava", "Bremen", "Brisbane", "Bristol", "Brussels", "Bucharest",
    "Budapest", "Cairo", "Calgary", "Cambridge", "Canberra", "Cardiff", "Charlotte", "Chengdu", "Chennai", "Chicago",
    "Cincinnati", "Cleveland", "Cologne", "Copenhagen", "Cracow", "Dallas", "Delhi", "Denver", "Detroit", "Dortmund",
    "Dresden", "Dubai", "Dublin", "Duisburg", "Düsseldorf", "Edinburgh", "Edmonton", "Essen", "Florence", "Frankfurt",
    "Freiburg", "Geneva", "Genoa", "Ghent", "Glasgow", "Gothenburg", "Graz", "Göttingen", "Hague", "Hamburg",
    "Hannover", "Hanoi", "Hanover", "Heidelberg", "Helsinki", "Houston", "Indianapolis", "Innsbruck", "Istanbul",
    "Jakarta", "Jerusalem", "Johannesburg", "Karlsruhe", "Kassel", "Kiel", "Kraków", "Kyiv", "Köln", "Lagos",
    "Lausanne", "Leeds", "Leipzig", "Lille", "Lima", "Linz", "Lisbon", "Liverpool", "Ljubljana", "London", "Lyon",
    "Madrid", "Mainz", "Malmö", "Manchester", "Mannheim", "Marseille", "Melbourne", "Miami", "Milan", "Milwaukee",
    "Minneapolis", "Montreal", "Moscow", "Mumbai", "Munich", "Málaga", "München", "Münster", "Nairobi", "Nantes",
    "Naples", "Nashville", "Nice", "Nottingham", "Nuremberg", "Nürnberg", "Oakland", "Orlando", "Osaka", "Oslo",
    "Ottawa", "Oxford", "Palermo", "Paris", "Perth", "Philadelphia", "Phoenix", "Pittsburgh", "Portland", "Porto",
    "Potsdam", "Prague", "Raleigh", "Reykjavik", "Riga", "Rome", "Rostock", "Rotterdam", "Sacramento", "Salzburg",
    "Santiago", "Sarajevo", "Seattle", "Seoul", "Seville", "Shanghai", "Sheffield", "Shenzhen", "Sofia", "Stockholm",
    "Strasbourg", "Stuttgart", "Sydney", "Taipei", "Tallinn", "Tampa", "Tehran", "Tokyo", "Toronto", "Toulouse",
    "Trieste", "Tucson", "Turin", "Utrecht", "Valencia", "Vancouver", "Venice", "Vienna", "Vilnius", "Warsaw", "Wien",
    "Wolfsburg", "Wrocław", "Würzburg", "Zagreb", "Zurich", "Zürich",
];

/// Words with a capital behind a city that are a part of it: "Kansas City", "Paris North".
pub(super) const PARTS_OF_CITIES: &[&str] = &[
    "City", "Bay", "Beach", "Heights", "Hills", "Old", "New", "North", "South", "East", "West", "Northern", "Southern",
    "Central", "Downtown", "Centre", "Center", "Greater", "County", "Metro", "Metropolitan", "DC", "D.C.",
];
