//! Sentences to remember, made from a seed: about twelve words, common ones often and rare ones seldom.

use memoriter::Note;

/// Words that say something; combined with a number they give a vocabulary of twenty thousand.
const WORDS: &[&str] = &[
    "piano",
    "garden",
    "exam",
    "doctor",
    "flight",
    "recipe",
    "guitar",
    "meeting",
    "holiday",
    "project",
    "birthday",
    "novel",
    "camera",
    "bicycle",
    "allergy",
    "office",
    "museum",
    "concert",
    "puppy",
    "kitchen",
    "lesson",
    "contract",
    "mountain",
    "sister",
    "brother",
    "teacher",
    "hospital",
    "invoice",
    "library",
    "painting",
    "airport",
    "festival",
    "wedding",
    "battery",
    "keyboard",
    "marathon",
    "medicine",
    "neighbour",
    "passport",
    "restaurant",
    "suitcase",
    "telescope",
    "umbrella",
    "violin",
    "wallet",
    "yoga",
    "zucchini",
    "budget",
    "charity",
    "deadline",
];
const VERBS: &[&str] = &[
    "bought", "lost", "liked", "planned", "finished", "started", "visited", "fixed", "forgot",
    "found",
];
const PLACES: &[&str] = &[
    "Berlin", "Munich", "Lisbon", "Oslo", "Kyoto", "Lima", "Cairo", "Austin", "Delhi", "Quito",
];

/// `count` different notes, the same each time.
pub(crate) fn notes(count: usize) -> impl Iterator<Item = Note> {
    (0..count).map(|number| Note::new(sentence(number)))
}

/// The sentence of a number.
pub(crate) fn sentence(number: usize) -> String {
    let mut random = Random(number as u64);
    let (verb, first, second) = (random.pick(VERBS), random.pick(WORDS), random.pick(WORDS));
    let (place, rare) = (random.pick(PLACES), random.pick(WORDS));
    let code = random.next() % 400;
    format!(
        "Last week I {verb} a {first} and a {second} near the {rare}{code} in {place}, it was note {number}"
    )
}

/// A question about some sentences.
pub(crate) fn question(number: usize) -> String {
    let mut random = Random(number as u64 ^ 0x5eed);
    format!(
        "Where did I see the {} and the {} in {}?",
        random.pick(WORDS),
        random.pick(WORDS),
        random.pick(PLACES)
    )
}

/// `SplitMix64` (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        let index = usize::try_from(self.next() % words.len() as u64).unwrap_or(0);
        words.get(index).copied().unwrap_or_default()
    }
}
