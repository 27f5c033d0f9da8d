//! Values: the words under a key, without what hangs on them.

use super::form::Form;
use super::place;
use super::rule::Shape;
use super::telling::{is_a_name, is_narrowed, is_substance, is_telling, plural, points_out};
use super::topic;
use super::trim::{rest_of_clause, strip_article, tidy, unquoted, without_request};
use super::under::Kinds;
use super::words;
use super::year_day::is_day;

/// Items of a list that are read.
const ITEMS_MAX: usize = 8;
/// "And" joins these into one thing.
const PAIRS: &[&str] = &[
    "rock and roll",
    "mac and cheese",
    "fish and chips",
    "drum and bass",
    "r and b",
    "arts and crafts",
    "friends and family",
    "family and friends",
    "bed and breakfast",
];

/// Reads values; hold one, its patterns are costly to make.
pub(super) struct Values {
    clause_end: Form,
    loose_end: Form,
    body_end: Form,
    job_end: Form,
    name: Form,
    correction: Form,
    item: Form,
    tool: Form,
    year_day: Form,
    /// Which words are under which key.
    pub(super) kinds: Kinds,
}

impl Values {
    pub(super) fn new() -> Self {
        let stop = "but|because|['’]?cause|cuz|so|since|although|though|while|whilst|when|whenever|where|which|who|whom|whose|if|unless|until|till|after|before|as|than|like|for now|by the way|btw|anyway|too|either|now|these days|nowadays|lately|at the moment|right now|any ?more|again|just|exactly|over all|lol|haha|lmao|yet|once|even|especially|particularly|including|such|then|always|never|also|really|actually|still|ever";
        let after_and = "i|i['’]\\w+|my|we|we['’]\\w+|our|he|she|it|it['’]s|they|the|that|this|there|you|am|is|was|were|are|have|has|had|don['’]t|do|can|could|will|would|even|so|not|now|then|just|always|love|like|hate|want|never|how|got|been|also|really|makes?|helps?|feels?|think|hope|went|am|see|saw|named|called|to|all|am|work|works|live|lives|moved|his|her|their|its|only|still|one|more|enjoy|prefer|play|plays|need";
        Self {
            clause_end: Form::new(&format!(
                r"(?i)[.;:!?()\[\]{{}}…—–|\n]|\s-+\s|-\s|\s*,\s*(?:{stop}|{after_and}|we|you|they|like|lot|it|and {after_and}|thanks?|please|not|no)\b|\s(?:{stop})\b|\s(?:and|&|or)\s+(?:{after_and})\b|\p{{So}}"
            )),
            loose_end: Form::new(
                r"(?i)\s(?:to|for|at|in|on|with|from|during|about|into|over|every|each|instead|more than|better|by|of my|whatever|in order)\b",
            ),
            body_end: Form::new(
                r"(?i)\s(?:as|in|on|to|doing|with|near|by|from|every|part|full|remotely|over|during|and|or|here|there|this|last)\b",
            ),
            job_end: Form::new(
                r"(?i)\s(?:at|for|in|on|with|from|near|by|part[- ]time|full[- ]time|remotely|here|there|over|to|and (?:part|full))\b",
            ),
            name: Form::new(
                r"^(?:\p{Lu}[\p{L}\p{M}'’-]*\.?)(?:\s(?:de |van |von |der |la |el |bin )?\p{Lu}[\p{L}\p{M}'’-]*){0,2}",
            ),
            correction: Form::new(
                r"(?i)^not\s+.+?,?\s+but\s+(?:(?:rather|in|at|an?)\s+)*|,?\s+not\s.*$",
            ),
            item: Form::new(r"(?i)\s*,\s*(?:and|or|&)\s+|\s+(?:and|or|&)\s+|\s*,\s*"),
            tool: Form::new(
                r"^(?:\p{Lu}[\w+#.-]*|[a-z]+\p{Lu}\w*)(?:\s(?:\p{Lu}[\w+#.-]*|\d[\d.]*))*",
            ),
            year_day: Form::new(
                r"(?i)\b(?:(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\b)(?:,?\s+(?:19|20)\d{2})?|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{4}\b",
            ),
            kinds: Kinds::new(),
        }
    }

    /// The values that `raw` holds when it is read as `shape`; none where it is too vague. `has_capitals` tells
    /// whether the writer uses them.
    pub(super) fn read(&self, shape: Shape, raw: &str, has_capitals: bool) -> Vec<String> {
        let one = |value: Option<&str>| value.map(str::to_owned).into_iter().collect();
        match shape {
            Shape::Fixed | Shape::Day => vec![String::new()],
            Shape::Place => one(place::place(self.corrected(raw), has_capitals)),
            Shape::Name => one(self.name(raw, has_capitals)),
            Shape::Body => one(self.body(raw)),
            Shape::Thing => one(self.thing(self.cut(raw))),
            Shape::Topic => {
                let topics = rest_of_clause(raw).and_then(without_request);
                let topics = topics.into_iter().flat_map(topic::parts);
                topics.filter_map(tidy).map(str::to_owned).collect()
            }
            Shape::Things => {
                let cut = self.cut(raw);
                if is_narrowed(raw, cut) || points_out(cut) {
                    return Vec::new();
                }
                self.things(cut)
            }
            Shape::Job => one(self.job(raw)),
            Shape::Substances => {
                let items = self.things(self.cut(raw));
                // With one that is said in jest, all are.
                let is_joke = items.iter().any(|item| !is_substance(item));
                let substances = items.iter().filter(|_| !is_joke);
                substances.map(|value| plural(value)).collect()
            }
            Shape::Clause => one(rest_of_clause(raw)),
            Shape::Word => one(Some(raw.trim()).filter(|word| !word.is_empty())),
            Shape::Tools => self.tools(raw),
            Shape::Birthday => {
                let found = self.year_day.find(raw).map(|found| found.as_str());
                one(found.filter(|day| is_day(day)))
            }
            Shape::Names => self.names(raw),
        }
    }

    fn corrected<'a>(&self, raw: &'a str) -> &'a str {
        match self.correction.find(raw) {
            Some(found) if found.start() == 0 => raw.get(found.end()..).unwrap_or_default(),
            Some(found) => raw.get(..found.start()).unwrap_or_default(),
            None => raw,
        }
    }

    fn cut<'a>(&self, raw: &'a str) -> &'a str {
        let raw = unquoted(self.corrected(raw.trim()));
        let is_short = |at: usize| {
            let before = raw.get(..at).unwrap_or_default();
            let last = before.rsplit(char::is_whitespace).next();
            let behind = raw.get(at + 1..).unwrap_or_default();
            last.is_some_and(|last| is_abbreviated(last, behind))
        };
        let end = self
            .clause_end
            .find_iter(raw)
            .find(|found| found.as_str() != "." || !is_short(found.start()))
            .map_or(raw.len(), |found| found.start());
        raw.get(..end).unwrap_or_default()
    }

    fn loosely_cut<'a>(&self, raw: &'a str) -> &'a str {
        let end = self
            .loose_end
            .find(raw)
            .map_or(raw.len(), |found| found.start());
        raw.get(..end).unwrap_or_default()
    }

    fn thing<'a>(&self, cut: &'a str) -> Option<&'a str> {
        let first = self.listed(cut);
        let value = match first.as_slice() {
            [] => return None,
            [one] => *one,
            [first, .., last] => {
                let start = first.as_ptr() as usize - cut.as_ptr() as usize;
                let end = last.as_ptr() as usize - cut.as_ptr() as usize + last.len();
                cut.get(start..end)?
            }
        };
        tidy(value).filter(|value| is_telling(value))
    }

    fn things(&self, cut: &str) -> Vec<String> {
        let items = self.listed(cut);
        let is_gerund = |item: &str| {
            item.split_whitespace()
                .next()
                .is_some_and(|word| word.ends_with("ing"))
        };
        let lower = cut.to_lowercase();
        if items
            .first()
            .copied()
            .and_then(tidy)
            .is_none_or(|first| !is_telling(first))
        {
            return Vec::new();
        }
        let hangs = |item: &&str| {
            [" about ", " of ", " with ", " from ", " on ", " in "]
                .iter()
                .any(|joint| item.contains(joint))
        };
        let hangs_together = items
            .split_last()
            .is_some_and(|(_, before)| before.iter().any(hangs));
        let agree = items
            .iter()
            .all(|item| is_gerund(item) == items.first().is_some_and(|first| is_gerund(first)));
        let is_long = items
            .first()
            .is_some_and(|first| is_gerund(first) && first.split_whitespace().count() > 1);
        if PAIRS.iter().any(|pair| lower.contains(pair))
            || hangs_together
            || items.len() > 1 && is_long && !agree
        {
            return self.thing(cut).map(str::to_owned).into_iter().collect();
        }
        if let [only] = items.as_slice()
            && only.len() < cut.trim_end().len()
            && ends_in_adjective(only)
        {
            return Vec::new();
        }
        let shared = shared_noun(&items);
        let with_noun = |item: &str| match shared {
            Some(noun) if !item.contains(' ') && !item.ends_with('s') && !is_gerund(item) => {
                format!("{item} {noun}")
            }
            Some(_) | None => item.to_owned(),
        };
        let tidied = items.into_iter().filter_map(tidy);
        tidied
            .filter(|value| is_telling(value))
            .map(with_noun)
            .collect()
    }

    /// The items of an enumeration; a comma without an "and" after it ends it.
    fn listed<'a>(&self, cut: &'a str) -> Vec<&'a str> {
        let mut items = Vec::new();
        let mut at = 0;
        let mut closed = 1;
        for joint in self.item.find_iter(cut) {
            if items.len() == ITEMS_MAX {
                break;
            }
            items.extend(cut.get(at..joint.start()));
            at = joint.end();
            if joint.as_str().trim() != "," {
                closed = items.len() + 1;
            }
        }
        items.extend(cut.get(at..));
        items.truncate(closed);
        items.retain(|item| !item.trim().is_empty());
        items
    }

    fn job<'a>(&self, raw: &'a str) -> Option<&'a str> {
        let cut = self.cut(raw);
        let end = self
            .job_end
            .find(cut)
            .map_or(cut.len(), |found| found.start());
        let cut = cut.get(..end)?;
        let cut = cut.split(',').next().unwrap_or(cut);
        tidy(cut).filter(|job| is_telling(job))
    }

    /// A company or school: words with capitals, or a noun with an article in front.
    fn body<'a>(&self, raw: &'a str) -> Option<&'a str> {
        let cut = self.cut(raw);
        let end = self
            .body_end
            .find(cut)
            .map_or(cut.len(), |found| found.start());
        let cut = cut.get(..end)?;
        let cut = cut.split(',').next().unwrap_or(cut);
        let is_named = cut.chars().any(char::is_uppercase);
        let has_article = strip_article(cut.trim()) != cut.trim();
        // "At the intersection of art and code" is no employer.
        if !is_named && cut.trim_start().starts_with("the ") && cut.contains(" of ") {
            return None;
        }
        tidy(cut).filter(|body| (is_named || has_article) && is_telling(body))
    }

    fn name<'a>(&self, raw: &'a str, has_capitals: bool) -> Option<&'a str> {
        let raw = unquoted(self.corrected(raw.trim()));
        if let Some(found) = self.name.find(raw) {
            let name = found.as_str();
            let name = name
                .strip_suffix("'s")
                .or_else(|| name.strip_suffix("’s"))
                .unwrap_or(name);
            return Some(name.trim_end_matches(['.', '\'', '’', '-']))
                .filter(|name| is_a_name(name));
        }
        let word = raw.split(|c: char| !c.is_alphabetic() && c != '-').next()?;
        (!has_capitals && is_a_name(word) && is_telling(word)).then_some(word)
    }

    /// "Ana and Rita": each with a capital, and nothing else among them.
    fn names(&self, raw: &str) -> Vec<String> {
        let items = self.listed(self.cut(raw)).into_iter().filter_map(tidy);
        let names: Vec<&str> = items.collect();
        let is_name = |item: &&str| {
            let found = self.name.find(item);
            found.is_some_and(|found| found.len() == item.len()) && is_a_name(item)
        };
        if names.iter().all(is_name) {
            names.into_iter().map(str::to_owned).collect()
        } else {
            Vec::new()
        }
    }

    fn tools(&self, raw: &str) -> Vec<String> {
        let cut = self.loosely_cut(self.cut(raw));
        let is_tool = |item: &&str| {
            let lower = item.to_lowercase();
            words::TOOLS.contains(&lower.as_str())
                || self
                    .tool
                    .find(item)
                    .is_some_and(|found| found.len() == item.len())
                    && is_a_name(item)
        };
        let items = self.listed(cut).into_iter().filter_map(tidy);
        items.filter(is_tool).map(str::to_owned).collect()
    }
}

/// Whether the dot behind a word is part of it: "St. Gallen", "Washington D.C.", "J. Smith".
pub(super) fn is_abbreviated(last: &str, behind: &str) -> bool {
    let goes_on = !behind.trim().is_empty();
    let is_known = matches!(
        last,
        "St" | "Mt" | "Ft" | "Pt" | "Dr" | "Mr" | "Mrs" | "Ms" | "Prof" | "Bros"
    );
    let mut initials = last.split('.');
    let is_initials = initials.all(|part| {
        let mut letters = part.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
    });
    goes_on && is_known || is_initials && behind.starts_with(|c: char| c.is_uppercase() || c == ' ')
}

/// "Creating a safe, inviting place" is no list: its first part lacks the noun.
fn ends_in_adjective(item: &str) -> bool {
    let mut words = item.rsplit(' ').skip(1);
    words.next().is_some_and(|word| matches!(word, "a" | "an")) && words.next().is_some()
}

/// The noun that "action and sci-fi movies" says once for both.
fn shared_noun<'a>(items: &[&'a str]) -> Option<&'a str> {
    const SHARED: [&str; 14] = [
        "movies", "films", "music", "books", "novels", "games", "shows", "flavors", "flavours",
        "food", "dishes", "songs", "stories", "art",
    ];
    let [_, .., last] = items else { return None };
    let (_, noun) = last.trim().rsplit_once(' ')?;
    SHARED.contains(&noun).then_some(noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(shape: Shape, raw: &str, expected: &[&str]) {
        assert_eq!(Values::new().read(shape, raw, true), expected, "{raw}");
    }

    #[test]
    fn what_hangs_on_a_value_goes() {
        check(Shape::Thing, "a guitar, as I said", &["guitar"]);
        check(Shape::Thing, "the sea, by the way.", &["sea"]);
        check(Shape::Thing, "jazz and I love it", &["jazz"]);
        check(Shape::Thing, "jazz so much!", &["jazz"]);
        check(Shape::Thing, "\"Dune\" because it is long", &["Dune"]);
        check(Shape::Name, "not Max but Moritz", &["Moritz"]);
        check(Shape::Name, "Lena, not Lea", &["Lena"]);
        check(Shape::Job, "nurse at a hospital", &["nurse"]);
        check(Shape::Body, "Siemens as an engineer", &["Siemens"]);
    }

    #[test]
    fn lists_are_read_to_their_end() {
        check(
            Shape::Things,
            "hiking, swimming, and chess",
            &["hiking", "swimming", "chess"],
        );
        check(Shape::Things, "pizza, thanks for asking", &["pizza"]);
        check(
            Shape::Things,
            "action and sci-fi movies",
            &["action movies", "sci-fi movies"],
        );
        check(
            Shape::Things,
            "dramas and dark films",
            &["dramas", "dark films"],
        );
        check(Shape::Things, "making a safe, open place", &[]);
        check(Shape::Things, "fish and chips", &["fish and chips"]);
        check(
            Shape::Things,
            "spending time with friends and music",
            &["spending time with friends and music"],
        );
        check(Shape::Substances, "nut", &["nuts"]);
        check(
            Shape::Substances,
            "shellfish and strawberry",
            &["shellfish", "strawberries"],
        );
        check(
            Shape::Tools,
            "Vim and tmux for everything",
            &["Vim", "tmux"],
        );
    }

    #[test]
    fn vague_values_are_none() {
        for raw in [
            "it",
            "that a lot",
            "something",
            "one",
            "",
            "...",
            "how it goes",
            "your painting",
            "my job",
            "🎸",
            "to it",
        ] {
            check(Shape::Things, raw, &[]);
        }
        check(Shape::Name, "The best", &[]);
        check(Shape::Body, "home", &[]);
    }
}
