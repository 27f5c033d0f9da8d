//! Whether the words of a value are of the kind that the key holds: an employer is not "the moment", and who has a fish
//! for dinner keeps none.

use super::form::Form;
use super::place;
use super::rule::Rule;

/// The words around a value.
pub(super) struct Words<'a> {
    /// What the key names, where the rule has such a thing.
    pub(super) thing: &'a str,
    /// The words that the value was read from.
    pub(super) raw: &'a str,
    /// The value as it was read.
    pub(super) value: &'a str,
    /// All that the pattern read, from the head of the clause on.
    pub(super) matched: &'a str,
    /// What stands behind `raw` in the sentence.
    pub(super) behind: &'a str,
    /// The sentence.
    pub(super) sentence: &'a str,
}

/// Tells which words are under their key; hold one, its patterns are costly to make.
pub(super) struct Kinds {
    once: Form,
    to_whom: Form,
    at_times: Form,
    for_a_day: Form,
    elsewhere: Form,
    form: Form,
}

impl Kinds {
    pub(super) fn new() -> Self {
        Self {
            once: Form::new(
                r"(?i)\b(?:(?:just|only) (?:this|for this|for once|for today|for now)\b|this (?:one )?time\b|this once\b|for (?:now|once|today|tonight|the moment|the time being|(?:this|these|the next|the following|the first|the last) (?:[\p{L}-]+ )?(?:ones?|questions?|answers?|messages?|e?mails?|repl(?:y|ies)|tasks?|chat|conversation|session|text|exercise|prompt|part|section|chapter|letter|report|document|essay|translation|test|paragraph)|this\s*(?:$|[.,;!]))|(?:in|to|on) (?:this|that|the (?:next|following|above)) (?:chat|conversation|message|answer|reply|response|thread|session|case|e?mail|letter|document|text|question|one|paragraph|section)\b|(?:today|tonight)(?:$|[^'’\w])|the (?:next|following|first) (?:answer|question|message|reply|response|paragraph|one)\b)",
            ),
            to_whom: Form::new(
                r"(?i)^\s*(?:to|for|with|about|on|at)\s+(?:my|the|this|that|our|his|her|a|an|(?-i:\p{Lu}))",
            ),
            at_times: Form::new(
                r"(?i)\b(?:(?:during|for|in) the (?:week|winter|summer|spring|autumn|fall|weekend|day)|on (?:the )?(?:weekdays?|weekends?|workdays)|at (?:the )?weekends?|(?:most|half|part|some|much|the rest) of (?:the )?(?:year|time|week|month|winter|summer)|(?:half|part) (?:the )?(?:year|time|week)|in (?:winter|summer|spring|autumn|term time)|sometimes|some days|every other (?:week|month|weekend|year)|part[- ]time|when(?:ever)?|for (?:a|one|two|three|the) (?:night|day|week|month|semester)s?(?:\s*(?:[.,;!]|$)))",
            ),
            for_a_day: Form::new(
                r"(?i)\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week)|most (?:days|mornings|evenings)|some (?:days|mornings|evenings)|sometimes|for (?:the day|an hour|a few hours|a day|a bit|a while)|to get (?:some|away|out)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|as a guest)\b",
            ),
            elsewhere: Form::new(
                r"(?i)^\s*(?:for\b|in\b|at\b|to\b|on\b|with (?:potatoes|rice|chips|fries|salad|veg|vegetables|gravy|sauce)\b)",
            ),
            form: Form::new(r"(?i)\s(?:in|on|at|for|of)\s+(?:the|this|that|my|your|our|all|an?)\b"),
        }
    }

    /// Whether the words of a value, and of the thing that the key names, are of the kind that the key holds.
    pub(super) fn are_under(&self, rule: &Rule, words: &Words<'_>) -> bool {
        let raw = words.raw;
        let first = raw
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let has_article = matches!(first.as_str(), "the" | "a" | "an" | "my" | "our" | "this");
        if rule.is_request && !rule.action.is_to_forget() && self.is_for_once(rule, words) {
            return false;
        }
        match rule.name {
            // "In the kitchen" is where, "in the film industry" is what.
            "industry" => {
                let branch = ["industry", "sector", "business", "field", "trade"];
                let mut words = raw.split(|c: char| !c.is_alphabetic());
                !has_article || words.any(|word| branch.contains(&word))
            }
            // "Forget about it" asks for nothing.
            "forget-unclear" => !is_figure(&first),
            "has-pet" => {
                // A mouse stands beside most keyboards.
                !is_mouse(raw) && self.is_kept(words)
            }
            // "I study the logs every morning."
            "studies" => !has_article,
            // "My phone number is on the website."
            "owned" => !is_whereabouts(&first),
            "favourite" => is_favoured(words.thing),
            "employer" | "employer-is" | "will-work" => {
                is_employer(words.value) && !(goes_to_work(words.matched) && self.is_for_a_day(raw))
            }
            "lives" => {
                let end = raw.find([',', ';', '.', '!']).unwrap_or(raw.len());
                !self.at_times.is_match(raw.get(..end).unwrap_or(raw))
            }
            // "I like to think so": a way to begin a sentence.
            "likes" => !is_manner_of_speaking(&first, words.matched),
            "left-for" => place::is_city(words.thing) && place::is_city(words.value),
            "left-body" => !place::is_city(words.value),
            "set-city" | "set-name" | "set-owned" => {
                !self.form.is_match(words.matched) && !self.form.is_match(words.behind)
            }
            _ => true,
        }
    }

    /// "Just this once", "for this question", "write in French to my landlord": what is asked of one answer is no rule
    /// for all.
    fn is_for_once(&self, rule: &Rule, words: &Words<'_>) -> bool {
        let lower = words.sentence.to_lowercase();
        let is_lasting = [
            "from now on",
            "going forward",
            "in future",
            "in the future",
            "starting today",
        ];
        if is_lasting.iter().any(|word| lower.contains(word)) {
            return false;
        }
        let is_one_answer = rule.name == "answer-style"
            && [" answer ", " reply ", " response ", " explanation "]
                .iter()
                .any(|one| format!(" {} ", words.matched.to_lowercase()).contains(one))
            && !["always", "every", "each"]
                .iter()
                .any(|word| lower.contains(word));
        let is_to_somebody = rule.name == "answer-language" && self.to_whom.is_match(words.behind);
        is_one_answer || is_to_somebody || self.once.is_match(words.sentence)
    }

    fn is_for_a_day(&self, raw: &str) -> bool {
        let end = raw.find([';', '.', '!']).unwrap_or(raw.len());
        self.for_a_day.is_match(raw.get(..end).unwrap_or(raw))
    }

    /// Whether an animal lives with the speaker: one that is "in my avatar", "at work" or "for dinner" does not, and a
    /// chicken on its own may be roasted.
    fn is_kept(&self, words: &Words<'_>) -> bool {
        const AT_HOME: &[&str] = &[
            "at home",
            "at the moment",
            "at present",
            "in the house",
            "in the family",
            "in my life",
            "in our life",
            "in my house",
            "in our house",
            "in my flat",
            "in our flat",
            "in my apartment",
            "in our apartment",
            "in the garden",
            "in our garden",
            "in my family",
            "in our family",
            "for years",
            "for a long time",
            "for a while",
            "for many",
            "for over",
            "for about",
            "for almost",
            "for one",
            "for two",
            "for three",
            "for the past",
            "for the last",
            "at my place",
            "at our place",
            "at my house",
            "at our house",
        ];
        let behind = words.behind.trim_start().to_lowercase();
        let is_at_home = AT_HOME.iter().any(|place| behind.starts_with(place))
            || behind
                .strip_prefix("for ")
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let is_meat = matches!(words.value.to_lowercase().as_str(), "chicken" | "hen");
        !is_meat && (is_at_home || !self.elsewhere.is_match(words.behind))
    }
}

/// "Forget about it" asks for nothing.
fn is_figure(first: &str) -> bool {
    matches!(
        first,
        "it" | "that"
            | "this"
            | "them"
            | "him"
            | "her"
            | "me"
            | "us"
            | "you"
            | "everything"
            | "all"
            | "anything"
            | "trying"
            | "getting"
    )
}

/// A mouse that nothing else makes an animal: most stand beside keyboards.
fn is_mouse(raw: &str) -> bool {
    const OF_ANIMALS: &[&str] = &[
        "pet", "tame", "white", "little", "dog", "cat", "rat", "hamster",
    ];
    let words: Vec<String> = raw.split_whitespace().map(str::to_lowercase).collect();
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    has(&["mouse", "mice"]) && !has(OF_ANIMALS)
}

/// Where something is or how it is, and not what it is.
fn is_whereabouts(first: &str) -> bool {
    matches!(
        first,
        "in" | "on"
            | "at"
            | "with"
            | "from"
            | "by"
            | "under"
            | "below"
            | "above"
            | "not"
            | "none"
            | "private"
            | "public"
            | "secret"
            | "wrong"
            | "attached"
            | "listed"
            | "available"
    )
}

/// "My favourite bug today", "my favourite part".
fn is_favoured(thing: &str) -> bool {
    const OF_THE_TALK: &[&str] = &[
        "part", "thing", "bit", "line", "moment", "section", "one", "scene", "today", "here", "so",
        "about",
    ];
    let mut words = thing.split(' ');
    !words.any(|word| OF_THE_TALK.contains(&word.to_lowercase().as_str()))
}

/// Whether a body of people can have this name: a time, a purpose, a piece of furniture and somebody's home cannot.
fn is_employer(value: &str) -> bool {
    const WHICH: &[&str] = &["same", "similar", "other", "usual", "next", "first", "last"];
    let is_named = value.contains(char::is_uppercase);
    let mut words = value.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    let last = value.rsplit(' ').next().unwrap_or_default();
    let is_none =
        last.starts_with(char::is_lowercase) && super::words::NO_EMPLOYERS.contains(&last);
    // "Night for DHL": the name comes behind something else.
    let leads_on = value
        .split(" for ")
        .next()
        .is_some_and(|lead| lead.len() < value.len() && !lead.contains(char::is_uppercase));
    !is_none && !leads_on && (is_named || !WHICH.contains(&first.as_str()))
}

/// "I work at", "I'm working at": present, so that "today" tells where and not for whom.
fn goes_to_work(matched: &str) -> bool {
    let mut words = matched.split_whitespace();
    words.any(|word| matches!(word, "work" | "works" | "working"))
        && !["started", "began", "got", "hired", "start ", "starting"]
            .iter()
            .any(|word| matched.contains(word))
}

/// "I like to think so", "I love to hear that".
fn is_manner_of_speaking(first: &str, matched: &str) -> bool {
    let to = matched.split_whitespace().any(|word| word == "to");
    to && matches!(
        first,
        "think"
            | "believe"
            | "say"
            | "be"
            | "see"
            | "hear"
            | "know"
            | "imagine"
            | "pretend"
            | "joke"
            | "hope"
            | "call"
            | "assume"
    )
}
