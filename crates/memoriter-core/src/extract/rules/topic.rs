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
    let bare = topic.trim_matches(|c: char| !c.is_alphanumeric());
    let bare = bare.strip_suffix("please").unwrap_or(bare).trim_end();
    let bare = bare.trim_end_matches(|c: char| !c.is_alphanumeric());
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
    by_name(topic)
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
mod tests {
    use super::*;

    #[test]
    fn one_relative_has_one_word() {
        for (word, expected) in [
            ("Mom", "mother"),
            ("sisters", "sister"),
            ("kids", "child"),
            ("boss", "boss"),
            ("wife", "wife"),
        ] {
            assert_eq!(relative(word), expected);
        }
    }

    #[test]
    fn of_several_each_has_a_name() {
        for (word, name, expected) in [
            ("sister", Some("Lena"), "sister:lena"),
            ("kids", Some("Mia"), "child:mia"),
            ("best friend", Some("Tom"), "friend:tom"),
            ("dog", Some("Rex"), "dog:rex"),
            ("sister", None, "sister"),
            ("sister", Some("The"), "sister"),
            ("wife", Some("Anna"), "wife"),
            ("mom", Some("Eva"), "mother"),
        ] {
            assert_eq!(one_of(word, name), expected);
        }
    }

    #[test]
    fn other_topics_are_their_words() {
        for (topic, expected) in [
            ("Rex", Some("Rex")),
            ("the sushi, please.", Some("sushi")),
            ("it", None),
            ("that", None),
        ] {
            assert_eq!(words(topic).as_deref(), expected, "{topic}");
        }
    }

    #[test]
    fn what_is_asked_about_a_relative_is_a_key_of_his() {
        for (topic, expected) in [
            ("where my mum lives", Some(("mother", "city"))),
            (
                "who my brother Tom works for",
                Some(("brother:tom", "employer")),
            ),
            ("how old my sister is", Some(("sister", "age"))),
            ("when my wife's birthday is", Some(("wife", "birthday"))),
            ("where my mum put the keys", None),
            ("how my sister lives", None),
        ] {
            let expected = expected.map(|(entity, attribute)| (entity.to_owned(), attribute));
            assert_eq!(of_relative(topic), expected, "{topic}");
        }
    }

    #[test]
    fn topics_of_one_request_are_told_apart() {
        for (topics, expected) in [
            (
                "where I live and where I work",
                &["where I live", "where I work"][..],
            ),
            ("birthday and my address", &["birthday", "address"]),
            ("rock and roll", &["rock and roll"]),
            ("job, and where I live", &["job", "where I live"]),
        ] {
            assert_eq!(parts(topics), expected);
        }
    }

    #[test]
    fn topics_lead_to_keys() {
        assert_eq!(to_forget("job"), Some(("job".to_owned(), None)));
        assert_eq!(
            to_forget("favorite color"),
            Some(("favourite_colour".to_owned(), None))
        );
        assert_eq!(
            to_forget("dog"),
            Some(("pet".to_owned(), Some("dog".to_owned())))
        );
        assert_eq!(to_forget("mom"), Some(("mother".to_owned(), None)));
        let named = |key: &str, value: &str| Some((key.to_owned(), Some(value.to_owned())));
        assert_eq!(to_forget("dog Rex"), named("pet", "dog named Rex"));
        assert_eq!(
            to_forget("old cat called Mimi"),
            named("pet", "cat named Mimi")
        );
        assert_eq!(to_forget("best friend Tom"), named("friend", "Tom"));
        assert_eq!(to_forget("dog walker"), None);
        assert_eq!(to_forget("last remark"), None);
    }
}
