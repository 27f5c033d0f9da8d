//! What goes from the ends of a value: articles, adverbs, punctuation, the words of a request.

/// "My address from your memory, please" asks for the address.
pub(super) fn without_request(topic: &str) -> Option<&str> {
    let end = [
        " from your memory",
        " from memory",
        " from the record",
        " from your record",
        " from your notes",
        ", please",
        " please",
        " pls",
        " thanks",
        ", thanks",
        " thx",
        ", thx",
        " thank you",
        ", thank you",
        " right now",
        " for good",
    ]
    .iter()
    .filter_map(|end| topic.find(end))
    .min();
    topic.get(..end.unwrap_or(topic.len()))
}

/// What is left of a clause, up to its punctuation.
pub(super) fn rest_of_clause(raw: &str) -> Option<&str> {
    let end = raw.find(['\n', ';', '!', '?']).unwrap_or(raw.len());
    let rest = raw
        .get(..end)?
        .trim()
        .trim_end_matches(['.', ',', ' ', '"', '”']);
    let rest = unquoted(rest);
    (rest.len() >= 2 && rest.len() <= 300).then_some(rest)
}

/// Without articles in front, without adverbs and punctuation behind.
pub(super) fn tidy(value: &str) -> Option<&str> {
    const BEHIND: [&str; 27] = [
        " too",
        " as well",
        " a lot",
        " so much",
        " very much",
        " much",
        " now",
        " again",
        " there",
        " here",
        " lately",
        " please",
        " right now",
        " at all",
        " for sure",
        " though",
        " myself",
        " the most",
        " most",
        " best",
        " a ton",
        " anymore",
        " though",
        " a bit",
        " more",
        " better",
        " just",
    ];
    let mut value = value
        .trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#' | '%' | '$' | '€'));
    while let Some(shorter) = BEHIND.iter().find_map(|end| strip_end(value, end)) {
        value = shorter.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#'));
    }
    let value = strip_article(value);
    (!value.is_empty()).then_some(value)
}

fn strip_end<'a>(value: &'a str, end: &str) -> Option<&'a str> {
    let at = value.len().checked_sub(end.len())?;
    let tail = value.get(at..)?;
    tail.eq_ignore_ascii_case(end)
        .then(|| value.get(..at))
        .flatten()
}

pub(super) fn strip_article(value: &str) -> &str {
    const ARTICLES: [&str; 10] = [
        "a little ",
        "a bit of ",
        "a ",
        "an ",
        "the ",
        "some ",
        "any ",
        "all kinds of ",
        "all ",
        "both ",
    ];
    let stripped = ARTICLES.iter().find_map(|article| {
        let start = value.get(..article.len())?;
        start
            .eq_ignore_ascii_case(article)
            .then(|| value.get(article.len()..))
            .flatten()
    });
    stripped.map_or(value, str::trim_start)
}

/// What stands between quotation marks, where the value begins with one.
pub(super) fn unquoted(value: &str) -> &str {
    for (open, close) in [
        ('"', '"'),
        ('“', '”'),
        ('\'', '\''),
        ('‘', '’'),
        ('«', '»'),
        ('`', '`'),
    ] {
        if let Some(inner) = value.strip_prefix(open)
            && let Some(end) = inner.find(close)
        {
            return inner.get(..end).unwrap_or(inner);
        }
    }
    value
}
