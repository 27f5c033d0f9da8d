//! One word for one thing: which attribute or relative the words of a speaker name.

/// Words for relatives and the one that keys have.
const RELATIVES: &[(&str, &[&str])] = &[
    ("mother", &["mom", "mum", "mommy", "mothers"]),
    ("father", &["dad", "daddy", "fathers"]),
    (
        "grandmother",
        &["grandma", "grandmom", "granny", "grannys", "nana"],
    ),
    ("grandfather", &["grandpa", "granddad"]),
    ("child", &["kid", "kids", "children", "baby"]),
    ("grandchild", &["grandkid", "grandkids", "grandchildren"]),
    ("partner", &["spouse"]),
    ("fiancé", &["fiance", "fiancee", "fiancée"]),
    ("neighbour", &["neighbor", "neighbors", "neighbours"]),
    (
        "colleague",
        &[
            "coworker",
            "co-worker",
            "coworkers",
            "co-workers",
            "colleagues",
        ],
    ),
    (
        "roommate",
        &[
            "flatmate",
            "housemate",
            "flatmates",
            "housemates",
            "roommates",
        ],
    ),
    ("friend", &["best friend", "friends"]),
];

/// Words for attributes and the one that keys have.
const ATTRIBUTES: &[(&str, &[&str])] = &[
    ("name", &["full name", "first name", "real name"]),
    ("age", &[]),
    (
        "city",
        &[
            "home",
            "home city",
            "town",
            "location",
            "place of residence",
            "residence",
            "where i live",
        ],
    ),
    ("address", &["home address"]),
    ("hometown", &["home town", "origin"]),
    ("birthplace", &["birth place", "place of birth"]),
    (
        "job",
        &[
            "work",
            "occupation",
            "profession",
            "job title",
            "career",
            "role",
        ],
    ),
    ("employer", &["company", "workplace"]),
    ("school", &["university", "college"]),
    (
        "birthday",
        &["birthdate", "birth date", "date of birth", "birth day"],
    ),
    ("diet", &[]),
    ("allergy", &["allergies", "food allergies"]),
    ("intolerance", &["intolerances"]),
    ("pet", &["pets"]),
    ("hobby", &["hobbies"]),
    ("phone", &["phone number", "number", "mobile number"]),
    (
        "email",
        &[
            "mail",
            "e-mail",
            "email address",
            "mail address",
            "e-mail address",
        ],
    ),
    (
        "marital_status",
        &["relationship status", "marriage", "divorce"],
    ),
    ("medication", &["medications", "meds", "medicine"]),
    (
        "condition",
        &["health", "illness", "diagnosis", "medical condition"],
    ),
    (
        "language",
        &[
            "native language",
            "mother tongue",
            "first language",
            "languages",
        ],
    ),
    ("editor", &["ide", "text editor"]),
    ("operating_system", &["os", "operating system"]),
    ("browser", &[]),
    ("shell", &[]),
    ("car", &[]),
    ("religion", &[]),
    ("nationality", &[]),
    ("surname", &["last name"]),
    ("blood_type", &["blood group", "blood type"]),
    ("star_sign", &["zodiac sign", "star sign"]),
    ("timezone", &["time zone", "timezone"]),
    ("instrument", &["instruments"]),
    ("skill", &["skills"]),
    ("tool", &["tools"]),
    ("goal", &["goals"]),
    ("project", &["projects"]),
    ("salary", &["income"]),
    ("nickname", &[]),
];

/// The word that keys have for a relative: `mom` is `mother`, `sisters` is `sister`.
pub(super) fn relative(word: &str) -> String {
    let lower = word
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase();
    if let Some((key, _)) = RELATIVES
        .iter()
        .find(|(_, others)| others.contains(&lower.as_str()))
    {
        return (*key).to_owned();
    }
    lower
        .strip_suffix('s')
        .filter(|stem| !stem.ends_with('s') && lower != "boss")
        .unwrap_or(&lower)
        .to_owned()
}

/// Of these a speaker has one at a time, as keys name them: a name adds nothing.
const ONLY_ONE: &[&str] = &[
    "mother",
    "father",
    "mother-in-law",
    "father-in-law",
    "wife",
    "husband",
    "partner",
    "girlfriend",
    "boyfriend",
    "fiancé",
    "boss",
    "manager",
    "landlord",
    "landlady",
];

/// The entity of a relative, friend or animal: `sister`, or `sister:lena` where there may be several and it has a name.
pub(super) fn one_of(word: &str, name: Option<&str>) -> String {
    let relative = relative(word);
    let name = name.map(|name| name.trim_end_matches(['\'', '’', '-']));
    match name.filter(|name| super::telling::is_a_name(name)) {
        Some(name) if !ONLY_ONE.contains(&relative.as_str()) => {
            format!("{relative}:{}", name.to_lowercase())
        }
        Some(_) | None => relative,
    }
}

/// The attribute that a noun names, if it is one that rules write.
pub(super) fn attribute(noun: &str) -> Option<&'static str> {
    let lower = noun.to_lowercase();
    let found = ATTRIBUTES
        .iter()
        .find(|(key, others)| *key == lower || others.contains(&lower.as_str()));
    found.map(|(key, _)| *key)
}

/// An attribute made of the words themselves, in the spelling that keys have for known ones.
pub(super) fn attribute_or_words(noun: &str) -> String {
    let lower = noun
        .to_lowercase()
        .replace("favorite", "favourite")
        .replace("color", "colour");
    attribute(&lower).map_or(lower, str::to_owned)
}

/// The words of a topic that names no attribute; `None` where it only points at something.
pub(super) fn words(topic: &str) -> Option<String> {
    let bare = without_please(topic);
    let articles = ["the ", "a ", "an ", "that ", "this "];
    let lower = bare.to_lowercase();
    let length = articles
        .iter()
        .find(|article| lower.starts_with(**article))
        .map_or(0, |article| article.len());
    let bare = bare.get(length..).unwrap_or_default();
    let is_pointing = matches!(
        bare.to_lowercase().as_str(),
        "" | "it"
            | "that"
            | "this"
            | "them"
            | "him"
            | "her"
            | "us"
            | "you"
            | "everything"
            | "family"
    );
    (!is_pointing).then(|| bare.to_owned())
}

/// Several topics of one request: "where I live and where I work", "my birthday and my address".
pub(super) fn parts(topics: &str) -> Vec<&str> {
    const AND: &str = " and ";
    const BEGIN: [&str; 7] = ["my ", "where ", "who ", "what ", "when ", "how ", "which "];
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in topics.match_indices(AND) {
        let behind = topics.get(at + AND.len()..).unwrap_or_default();
        let begins = |word: &&str| {
            let start = behind.get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        if let Some(begin) = BEGIN.iter().find(|word| begins(word)) {
            parts.extend(topics.get(start..at));
            let own = if *begin == "my " { begin.len() } else { 0 };
            start = at + AND.len() + own;
        }
    }
    parts.extend(topics.get(start..));
    parts
        .iter()
        .map(|part| part.trim_matches([' ', ',']))
        .collect()
}

/// What is asked about a relative: "where my mum lives", "who my brother Tom works for". Entity and attribute.
pub(super) fn of_relative(topic: &str) -> Option<(String, &'static str)> {
    let form = super::form::Form::new(&format!(
        r"(?i)^(?P<ask>where|who|what|when|how old)\s+my\s+(?P<rel>{})\b(?:\s+(?P<name>(?-i:\p{{Lu}}[\p{{L}}'’-]+)))?(?:['’]s)?\s+(?P<what>lives?|works?|is from|comes from|does|is|was born|birthday is|name is)\b",
        super::words::RELATIONS.join("|")
    ));
    let found = form.captures(topic)?;
    let word = |name| found.name(name).map(|found| found.as_str().to_lowercase());
    let attribute = match (word("ask")?.as_str(), word("what")?.as_str()) {
        ("where", "live" | "lives" | "is") => "city",
        ("where" | "who", "work" | "works") => "employer",
        ("where", "is from" | "comes from") => "hometown",
        ("where", "was born") => "birthplace",
        ("what", "does") => "job",
        ("what", "name is") | ("who", "is") => "name",
        ("when", "was born" | "birthday is") => "birthday",
        ("how old", "is") => "age",
        _ => return None,
    };
    let name = found.name("name").map(|name| name.as_str());
    Some((one_of(found.name("rel")?.as_str(), name), attribute))
}

/// Nouns that name every attribute, as patterns.
pub(super) fn nouns() -> Vec<&'static str> {
    let all = ATTRIBUTES.iter();
    all.flat_map(|(key, others)| [key].into_iter().chain(others.iter()))
        .filter(|noun| !noun.contains(['_']) && !noun.starts_with("where"))
        .copied()
        .collect()
}

/// What is said of somebody: "Emma's allergy", "my sister's job", "sister Emma's nut allergy". Entity, attribute and value; the
/// entity of a name alone is that name, since nobody says whose it is.
pub(super) fn of_somebody(topic: &str) -> Option<(String, String, Option<String>)> {
    let topic = without_please(topic);
    let (at, mark) = topic.match_indices(['\'', '’']).rfind(|(at, mark)| {
        topic
            .get(at + mark.len()..)
            .is_some_and(|rest| rest.starts_with("s "))
    })?;
    let whose = topic.get(..at)?.trim();
    let what = topic.get(at + mark.len() + 1..)?.trim().to_lowercase();
    let (attribute, value) = match attribute(&what) {
        Some(attribute) => (attribute.to_owned(), None),
        None => by_value(&what)?,
    };
    let whose = whose.strip_prefix("my ").unwrap_or(whose);
    let listed = super::form::Form::new(&format!("(?i)^(?:{})$", relations_and_pets()));
    let is_listed = |word: &str| listed.is_match(word);
    if is_listed(whose) {
        return Some((relative(whose), attribute, value));
    }
    let (kind, name) = whose.rsplit_once(' ').unwrap_or(("", whose));
    let is_name = name.starts_with(char::is_uppercase) && is_somebody(name);
    if is_name && is_listed(kind) {
        return Some((one_of(kind, Some(name)), attribute, value));
    }
    (is_name && kind.is_empty()).then(|| (name.to_lowercase(), attribute, value))
}

/// Words for who belongs to the user, as a pattern.
fn relations_and_pets() -> String {
    [super::words::RELATIONS, super::words::PETS]
        .concat()
        .join("|")
}

/// Who is named in a text, where that is one: "Rex", or what stands behind "my": "dog Rex", "brother".
pub(super) fn named_in(text: &str) -> Option<&str> {
    let all = relations_and_pets();
    let name = r"(?-i:\p{Lu}[\p{L}-]+)";
    let own = super::form::Form::new(&format!(
        r"(?i)\bmy\s+(?:[\p{{L}}-]+\s+)??(?P<v>(?:{all})\b(?:\s+{name})?)"
    ));
    let names = super::form::Form::new(&format!(r"(?i)\b{name}(?:\s{name})?"));
    let mut found: Vec<&str> = own
        .captures_iter(text)
        .filter_map(|found| found.name("v"))
        .map(|found| found.as_str())
        .collect();
    let own_words = found.join(" ");
    let is_name = |name: &&str| is_somebody(name) && !own_words.contains(*name);
    let others = names.find_iter(text).map(|found| found.as_str());
    found.extend(others.filter(is_name));
    match found.as_slice() {
        [one] => Some(one),
        _ => None,
    }
}

/// Whether a word with a capital is somebody's name, and not one that begins a sentence: "Sadly", "Someone", "Today".
fn is_somebody(name: &str) -> bool {
    let lower = name.to_lowercase();
    let is_word = super::words::holds(super::words::VAGUE, &lower)
        || super::words::holds(super::words::POINTING, &lower)
        || lower.ends_with("ly");
    super::telling::is_a_name(name) && !is_word
}

/// Attributes before whose noun the value may stand: "nut allergy", "diabetes diagnosis", "chess hobby". Of others the word
/// before the noun says which of several: "work number", "user name".
const VALUED: &[&str] = &[
    "allergy",
    "condition",
    "diet",
    "hobby",
    "instrument",
    "intolerance",
    "language",
    "medication",
    "nationality",
    "project",
    "religion",
    "skill",
];

/// Words before a noun that are no value: "my old hobby", "all my allergies".
const NO_VALUES: &[&str] = &[
    "all",
    "current",
    "every",
    "favourite",
    "first",
    "former",
    "last",
    "latest",
    "main",
    "new",
    "next",
    "old",
    "only",
    "other",
    "own",
    "past",
    "present",
    "previous",
    "recent",
    "second",
    "stupid",
    "whole",
];

/// "Diabetes diagnosis": the attribute that the noun names, and the value before it.
fn by_value(lower: &str) -> Option<(String, Option<String>)> {
    let words: Vec<&str> = lower.split_whitespace().collect();
    (1..words.len()).find_map(|split| {
        let (before, noun) = words.split_at_checked(split)?;
        let attribute = attribute(&noun.join(" ")).filter(|key| VALUED.contains(key))?;
        let is_value = !before.iter().any(|word| NO_VALUES.contains(word));
        is_value.then(|| (attribute.to_owned(), Some(before.join(" "))))
    })
}

fn without_please(topic: &str) -> &str {
    let bare = topic.trim_matches(|c: char| !c.is_alphanumeric());
    let bare = bare.strip_suffix("please").unwrap_or(bare);
    bare.trim_end_matches(|c: char| !c.is_alphanumeric())
}

/// What is named in "forget my …": key and value, as far as they can be told.
pub(super) fn to_forget(topic: &str) -> Option<(String, Option<String>)> {
    let lower = topic
        .to_lowercase()
        .replace("favorite", "favourite")
        .replace("color", "colour");
    let words: Vec<&str> = lower.split_whitespace().collect();
    if let Some(attribute) = attribute(&lower) {
        return Some((attribute.to_owned(), None));
    }
    let asked = match words.as_slice() {
        ["where", "i", .., "live"]
        | ["which", ..]
        | ["what", "city" | "town" | "place", ..]
        | ["city" | "town" | "place", "i" | "that", ..] => Some("city"),
        ["where", "i", .., "work"] | ["who", ..] | ["company" | "firm", "i" | "that", ..] => {
            Some("employer")
        }
        ["where", .., "born"] => Some("birthplace"),
        ["where", ..] => Some("hometown"),
        ["what", .., "name", "is"] => Some("name"),
        ["what", ..] => Some("job"),
        ["how", "old", ..] => Some("age"),
        ["when", ..] => Some("birthday"),
        _ => None,
    };
    if let Some(attribute) = asked {
        return Some((attribute.to_owned(), None));
    }
    if let ["favourite", thing @ ..] = words.as_slice() {
        return Some((format!("favourite_{}", thing.join("_")), None));
    }
    let is_listed = |list: &[&str]| {
        let whole = format!("(?i)^(?:{})$", list.join("|"));
        super::form::Form::new(&whole).is_match(&lower)
    };
    if is_listed(super::words::PETS) {
        return Some(("pet".to_owned(), Some(lower)));
    }
    if is_listed(super::words::RELATIONS) {
        return Some((relative(&lower), None));
    }
    by_name(topic).or_else(|| by_value(without_please(&lower)))
}

/// "Dog Rex", "old dog named Rex", "sister Anna".
fn by_name(topic: &str) -> Option<(String, Option<String>)> {
    let form = |list: &[&str]| {
        super::form::Form::new(&format!(
            r"(?i)^(?:[\p{{L}}-]+\s+){{0,2}}?(?P<t>{})\b,?\s+(?:(?:named|called)\s+)?(?P<v>(?-i:\p{{Lu}}[\p{{L}}'’-]+)(?:\s(?-i:\p{{Lu}}[\p{{L}}'’-]+))?)$",
            list.join("|")
        ))
    };
    let named = |list: &[&str]| {
        let form = form(list);
        let found = form.captures(topic)?;
        let (thing, name) = (found.name("t")?.as_str(), found.name("v")?.as_str());
        super::telling::is_a_name(name).then(|| (thing.to_lowercase(), name.to_owned()))
    };
    if let Some((pet, name)) = named(super::words::PETS) {
        return Some(("pet".to_owned(), Some(format!("{pet} named {name}"))));
    }
    named(super::words::RELATIONS).map(|(word, name)| (relative(&word), Some(name)))
}

#[cfg(test)]
mod tests;
