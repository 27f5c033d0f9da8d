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
fn what_is_said_of_somebody_is_a_key_of_his() {
    for (topic, expected) in [
        ("Emma's allergy", Some(("emma", "allergy", None))),
        (
            "Emma’s nut allergies, please",
            Some(("emma", "allergy", Some("nut"))),
        ),
        ("my sister's job", Some(("sister", "job", None))),
        (
            "sister Emma's birthday",
            Some(("sister:emma", "birthday", None)),
        ),
        ("mom's address", Some(("mother", "address", None))),
        ("dog Rex's age", Some(("dog:rex", "age", None))),
        ("Emma's party", None),
        ("sister's wedding", None),
        ("the teacher's name", None),
        ("Today's job", None),
        ("allergy", None),
    ] {
        let expected = expected.map(|(entity, attribute, value)| {
            let value = value.map(str::to_owned);
            (entity.to_owned(), attribute.to_owned(), value)
        });
        assert_eq!(of_somebody(topic), expected, "{topic}");
    }
}

#[test]
fn a_value_before_its_noun_is_told() {
    let valued = |key: &str, value: &str| Some((key.to_owned(), Some(value.to_owned())));
    for (topic, expected) in [
        ("diabetes diagnosis", valued("condition", "diabetes")),
        ("asthma", None),
        (
            "type 2 diabetes diagnosis",
            valued("condition", "type 2 diabetes"),
        ),
        ("chess hobby", valued("hobby", "chess")),
        ("lactose intolerance", valued("intolerance", "lactose")),
        ("Buddhist religion", valued("religion", "buddhist")),
        ("old hobby", None),
        ("work number", None),
        ("user name", None),
        ("last diagnosis", None),
        ("diagnosis appointment", None),
    ] {
        assert_eq!(to_forget(topic), expected, "{topic}");
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
