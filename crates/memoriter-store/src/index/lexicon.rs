//! The words of a scope: which records hold them, and what they are near to.

mod hashers;
mod new_words;
mod postings;
mod question;
mod spellings;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};
use std::ops::Range;

use memoriter_core::port::WordVectors;
use memoriter_core::text::{Analyser, TermHash, Token, TokenClass, cues};

pub(super) use self::hashers::{AsItIs, NumberHasher};
pub(super) use self::postings::Posting;
pub(super) use self::question::QuestionWords;

use self::new_words::NewWords;
use self::postings::List;
use self::spellings::Spellings;
use super::kernel;
use super::slot::Slot;
use super::vectors::Vectors;

/// Distinct content words of a record that are compared word by word: its beginning says what it is about,
/// and a long text would be near to everything.
const CONTENT_WORDS_MAX: usize = 64;

/// The number of a content word, from 0 in order of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct WordNumber(u32);

/// Inverted lists by term, and the content words of each record with their vectors.
///
/// Several words (`exam`, `exams`) share a term. What was worked out for a word once is remembered, so that
/// stemming and embedding are done once a word, not once an occurrence. Append-only: dead slots are passed
/// over by whoever reads, and vanish when the index is built anew.
pub(super) struct Lexicon {
    words: HashMap<u64, Known, BuildHasherDefault<AsItIs>>,
    /// Inverted lists by term number, each in order of slots.
    lists: Vec<List>,
    terms: HashMap<TermHash, u32, BuildHasherDefault<AsItIs>>,
    /// By content word: its vector, its term number.
    vectors: Vectors,
    term_of: Vec<u32>,
    /// Components of a word's vector.
    dimensions: usize,
    /// Content words of each slot, one after another, without repeats; `starts` has one entry more than there
    /// are slots.
    forward: Vec<WordNumber>,
    starts: Vec<u32>,
    new_words: NewWords,
    /// What words came to as they are written, until their vectors are placed.
    spellings: Spellings,
    scratch: Scratch,
}

/// What is known of a word.
#[derive(Clone, Copy)]
struct Known {
    term: u32,
    /// Its number, if it is a content word.
    content: Option<WordNumber>,
    is_time: bool,
}

/// A word of a text and what it is there.
#[derive(Clone, Copy)]
struct Occurrence {
    known: Known,
    class: TokenClass,
}

/// What was counted in a text.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    /// Terms that say something, and one.
    pub(super) length: u32,
    /// Words that say something, in halves: a character of a script without spaces is one half.
    pub(super) half_words: u32,
    /// Whether a word says when.
    pub(super) tells_time: bool,
}

impl Default for Counted {
    /// Of an empty text.
    fn default() -> Self {
        Self {
            length: 1,
            half_words: 0,
            tells_time: false,
        }
    }
}

/// Buffers that live on between records.
#[derive(Default)]
struct Scratch {
    terms: Vec<u32>,
    content: Vec<WordNumber>,
}

/// A text that is being counted.
struct Tally {
    found: Scratch,
    counted: Counted,
}

impl Tally {
    /// Counts a word. Content words and words of time are looked for in what was said.
    fn add(&mut self, Occurrence { known, class }: Occurrence, is_said: bool) {
        self.found.terms.push(known.term);
        self.counted.length += u32::from(class != TokenClass::Stop);
        self.counted.half_words += half_words(class);
        if is_said {
            self.found.content.extend(known.content);
            self.counted.tells_time |= known.is_time;
        }
    }
}

impl Lexicon {
    pub(super) fn new(dimensions: usize) -> Self {
        Self {
            words: HashMap::default(),
            lists: Vec::new(),
            terms: HashMap::default(),
            vectors: Vectors::without_signs(dimensions),
            term_of: Vec::new(),
            dimensions,
            forward: Vec::new(),
            starts: vec![0],
            new_words: NewWords::default(),
            spellings: Spellings::default(),
            scratch: Scratch::default(),
        }
    }

    /// Leaves an empty lexicon of the same dimensions in its place.
    pub(super) fn take(&mut self) -> Self {
        let empty = Self::new(self.dimensions);
        std::mem::replace(self, empty)
    }

    /// Adds the text of the next slot and counts its words. Of what was said, content words and words of time are told
    /// apart; its frame (day, speaker, key) are terms like others. New words have no vectors until
    /// [`Lexicon::place_words`] is called.
    pub(super) fn add(&mut self, analyser: &Analyser, frame: &str, said: &str) -> Counted {
        let mut tally = Tally {
            found: std::mem::take(&mut self.scratch),
            counted: Counted::default(),
        };
        tally.found.terms.clear();
        tally.found.content.clear();
        for (text, is_said) in [(frame, false), (said, true)] {
            let Some(words) = analyser.plain_words(text) else {
                analyser.analyse(text, |token| {
                    tally.add(self.occurrence(analyser, token), is_said);
                });
                continue;
            };
            for word in words {
                let occurrences = self.spelled(analyser, word);
                for occurrence in self.spellings.get(occurrences) {
                    tally.add(*occurrence, is_said);
                }
            }
        }
        let Tally { mut found, counted } = tally;
        let slot = Slot(u32::try_from(self.starts.len() - 1).unwrap_or(u32::MAX));
        self.post(slot, &mut found.terms, counted.length);
        keep_first(&mut found.content, CONTENT_WORDS_MAX);
        self.forward.extend_from_slice(&found.content);
        self.starts.push(
            u32::try_from(self.forward.len()).expect("a scope holds fewer than four billion words"),
        );
        self.scratch = found;
        counted
    }

    /// Gives the new words their vectors.
    pub(super) fn place_words(&mut self, words: &dyn WordVectors) {
        std::mem::take(&mut self.new_words).place(words, &mut self.vectors);
        self.spellings = Spellings::default();
    }

    /// Where the spellings have what a word of a plain text comes to.
    fn spelled(&mut self, analyser: &Analyser, word: &str) -> Range<usize> {
        let hash = word_hash(word);
        if let Some(known) = self.spellings.find(hash) {
            return known;
        }
        let mut spellings = std::mem::take(&mut self.spellings);
        analyser.analyse_word(word, |token| {
            spellings.push(self.occurrence(analyser, token));
        });
        let added = spellings.end(hash);
        self.spellings = spellings;
        added
    }

    fn occurrence(&mut self, analyser: &Analyser, token: Token<'_>) -> Occurrence {
        Occurrence {
            known: self.know(analyser, token.word, token.class),
            class: token.class,
        }
    }

    /// Enters a slot of `length` in the lists of its terms.
    fn post(&mut self, slot: Slot, terms: &mut [u32], length: u32) {
        let length = u16::try_from(length).unwrap_or(Posting::LONG);
        terms.sort_unstable();
        for run in terms.chunk_by(|a, b| a == b) {
            let list = run
                .first()
                .and_then(|term| self.lists.get_mut(*term as usize));
            if let Some(list) = list {
                list.push(Posting {
                    slot,
                    count: u16::try_from(run.len()).unwrap_or(u16::MAX),
                    length,
                });
            }
        }
    }

    fn know(&mut self, analyser: &Analyser, word: &str, class: TokenClass) -> Known {
        let hash = word_hash(word);
        if let Some(known) = self.words.get(&hash) {
            return *known;
        }
        let next_term =
            u32::try_from(self.lists.len()).expect("a scope holds fewer than four billion terms");
        let term = *self.terms.entry(analyser.term(word)).or_insert(next_term);
        if term == next_term {
            self.lists.push(List::default());
        }
        let content = is_content(class).then(|| {
            self.new_words.push(word);
            self.term_of.push(term);
            WordNumber(u32::try_from(self.term_of.len() - 1).unwrap_or(u32::MAX))
        });
        let known = Known {
            term,
            content,
            is_time: cues::is_time_word(word),
        };
        self.words.insert(hash, known);
        known
    }

    /// The records that hold `term`, dead ones among them.
    pub(super) fn list(&self, term: TermHash) -> &[Posting] {
        self.terms
            .get(&term)
            .and_then(|term| self.lists.get(*term as usize))
            .map_or(&[], List::as_slice)
    }

    /// The content words of a slot, without repeats.
    pub(super) fn content(&self, slot: Slot) -> &[WordNumber] {
        let bounds = self
            .starts
            .get(slot.at())
            .zip(self.starts.get(slot.at() + 1));
        bounds
            .and_then(|(start, end)| self.forward.get(*start as usize..*end as usize))
            .unwrap_or_default()
    }

    /// Asks for where a slot's content words are.
    pub(super) fn prefetch_bounds(&self, slot: Slot) {
        kernel::prefetch(
            self.starts
                .get(slot.at()..slot.at() + 2)
                .unwrap_or_default(),
        );
    }

    /// Asks for a slot's content words.
    pub(super) fn prefetch_content(&self, slot: Slot) {
        kernel::prefetch(self.content(slot));
    }

    /// A question that words of this lexicon are compared with, without words so far.
    pub(super) fn question(&self) -> QuestionWords<'_> {
        QuestionWords::new(self)
    }

    /// The vector of a content word that is known and has one: scale and codes, padded.
    fn vector_of(&self, word: &str) -> Option<(f32, &[i8])> {
        let number = self.words.get(&word_hash(word))?.content?;
        self.vectors.get(Slot(number.0))
    }

    /// Asks for what is known of a content word besides its vector.
    pub(super) fn prefetch_word(&self, word: WordNumber) {
        kernel::prefetch(self.term_of.get(word.at()..=word.at()).unwrap_or_default());
        self.vectors.prefetch_scale(Slot(word.0));
    }

    /// Asks for a content word's vector that will be read soon.
    pub(super) fn prefetch_vector(&self, word: WordNumber) {
        self.vectors.prefetch(Slot(word.0));
    }

    /// Bytes on the heap, estimated from capacities.
    pub(super) fn bytes(&self) -> usize {
        let lists: usize = self
            .lists
            .iter()
            .map(|list| list.capacity() * size_of::<Posting>())
            .sum();
        lists
            + self.lists.capacity() * size_of::<List>()
            + self.words.capacity() * (size_of::<(u64, Known)>() + 1)
            + self.terms.capacity() * (size_of::<(TermHash, u32)>() + 1)
            + (self.forward.capacity() + self.starts.capacity() + self.term_of.capacity())
                * size_of::<u32>()
            + self.vectors.bytes()
    }

    /// Gives back spare capacity.
    pub(super) fn shrink(&mut self) {
        self.lists.iter_mut().for_each(List::shrink);
        self.lists.shrink_to_fit();
        self.words.shrink_to_fit();
        self.terms.shrink_to_fit();
        self.forward.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.vectors.shrink();
    }
}

impl WordNumber {
    /// The number as an array index.
    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}

/// Words of scripts with spaces carry a direction; stop words do not say what a text is about.
pub(super) fn is_content(class: TokenClass) -> bool {
    matches!(class, TokenClass::Word | TokenClass::Part)
}

fn half_words(class: TokenClass) -> u32 {
    match class {
        TokenClass::Word | TokenClass::Part => 2,
        TokenClass::Single => 1,
        TokenClass::Stop | TokenClass::Pair => 0,
    }
}

/// Leaves the first `count` distinct words, in order. `count` is small: a look through what is kept is
/// faster than a set.
fn keep_first(words: &mut Vec<WordNumber>, count: usize) {
    let mut kept = 0;
    for at in 0..words.len() {
        let (before, rest) = words.split_at(at);
        let Some(word) = rest.first().copied() else {
            break;
        };
        let is_known = before.get(..kept).unwrap_or_default().contains(&word);
        if !is_known && kept < count {
            words.swap(kept, at);
            kept += 1;
        }
    }
    words.truncate(kept);
}

fn word_hash(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(word.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_distinct_words_are_kept_in_order() {
        let mut words: Vec<WordNumber> = [3, 1, 3, 2, 1, 4, 5].map(WordNumber).to_vec();
        keep_first(&mut words, 4);
        assert_eq!(words, [3, 1, 2, 4].map(WordNumber));
    }
}
