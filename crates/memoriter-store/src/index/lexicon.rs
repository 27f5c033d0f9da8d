//! The words of a scope: which records hold them, and what they are near to.

mod hashers;
mod new_words;
mod postings;
mod question;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};

use memoriter_core::port::WordVectors;
use memoriter_core::text::{Analyser, TermHash, TokenClass, cues};

pub(super) use self::hashers::NumberHasher;
pub(super) use self::postings::Posting;
pub(super) use self::question::QuestionWords;

use self::hashers::AsItIs;
use self::new_words::NewWords;
use self::postings::List;
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
            scratch: Scratch::default(),
        }
    }

    /// Leaves an empty lexicon of the same dimensions in its place.
    pub(super) fn take(&mut self) -> Self {
        let empty = Self::new(self.dimensions);
        std::mem::replace(self, empty)
    }

    /// Adds the text of the next slot and counts its words. Content words and words of time are looked for in
    /// what was said; its frame (day, speaker, key) are terms like others. New words have no vectors until
    /// [`Lexicon::place_words`] is called.
    pub(super) fn add(&mut self, analyser: &Analyser, frame: &str, said: &str) -> Counted {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.terms.clear();
        scratch.content.clear();
        let mut counted = Counted::default();
        for (text, is_said) in [(frame, false), (said, true)] {
            analyser.analyse(text, |token| {
                let known = self.know(analyser, token.word, token.class);
                scratch.terms.push(known.term);
                counted.length += u32::from(token.class != TokenClass::Stop);
                counted.half_words += half_words(token.class);
                if is_said {
                    scratch.content.extend(known.content);
                    counted.tells_time |= known.is_time;
                }
            });
        }
        let slot = Slot(u32::try_from(self.starts.len() - 1).unwrap_or(u32::MAX));
        self.post(slot, &mut scratch.terms, counted.length);
        keep_first(&mut scratch.content, CONTENT_WORDS_MAX);
        self.forward.extend_from_slice(&scratch.content);
        self.starts.push(
            u32::try_from(self.forward.len()).expect("a scope holds fewer than four billion words"),
        );
        self.scratch = scratch;
        counted
    }

    /// Gives the new words their vectors.
    pub(super) fn place_words(&mut self, words: &dyn WordVectors) {
        std::mem::take(&mut self.new_words).place(words, &mut self.vectors);
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
