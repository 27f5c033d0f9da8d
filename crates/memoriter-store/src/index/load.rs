//! Filling an empty index: rows are read on one thread while their words are counted on another.

use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use memoriter_core::text::Analyser;

use super::ScopeIndex;
use super::lexicon::{Counted, Lexicon};
use super::scope_index::hash_of_text;
use super::traits::{Flags, Traits};
use crate::store::{IndexChange, IndexRow};

/// Texts that are handed over together.
const BATCH_TEXTS: usize = 128;
/// Batches that may wait: enough to even out long and short ones.
const BATCHES_WAITING: usize = 8;

/// Texts one after another, each as the end of its frame and the end of what was said.
#[derive(Default)]
struct Batch {
    text: String,
    ends: Vec<(usize, usize)>,
}

impl ScopeIndex {
    /// Fills an index that holds nothing with what `read` tells its sink, as [`ScopeIndex::apply`] would one
    /// by one.
    ///
    /// # Errors
    /// That of `read`; then the index holds what was told before.
    pub(super) fn load<E>(
        &mut self,
        read: impl FnOnce(&mut dyn FnMut(IndexChange<'_>)) -> Result<(), E>,
    ) -> Result<(), E> {
        assert_eq!(self.slot_count(), 0, "only an empty index is loaded");
        let mut lexicon = self.lexicon.take();
        let (queue, batches) = sync_channel(BATCHES_WAITING);
        let (outcome, counts) = std::thread::scope(|threads| {
            let counting = threads.spawn(|| count_all(&mut lexicon, batches));
            let outcome = self.read_all(&queue, read);
            drop(queue);
            (
                outcome,
                counting.join().unwrap_or_else(|panic| resume_unwind(panic)),
            )
        });
        lexicon.place_words(self.words.as_ref());
        self.lexicon = lexicon;
        self.fill_in(&counts);
        outcome
    }

    /// Places every row and queues its text. What is compared of the text is worked out here, since this thread
    /// would wait for the other.
    fn read_all<E>(
        &mut self,
        queue: &SyncSender<Batch>,
        read: impl FnOnce(&mut dyn FnMut(IndexChange<'_>)) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut batch = Batch::default();
        // A send fails when the other thread panicked, which is told when it is joined.
        let outcome = read(&mut |change| match change {
            IndexChange::Put(row) => {
                if row.is_recallable() {
                    self.place(&row, Counted::default(), hash_of_text(row.text));
                    batch.push(&row);
                } else {
                    self.remove(row.record);
                }
                if batch.ends.len() == BATCH_TEXTS {
                    let _ = queue.send(std::mem::take(&mut batch));
                }
            }
            IndexChange::Remove(record) => self.remove(record),
            // Not told to whoever asks for everything.
            IndexChange::Anew => {}
        });
        let _ = queue.send(batch);
        outcome
    }

    /// Puts what was counted in the place of what was assumed for it.
    fn fill_in(&mut self, counts: &[Counted]) {
        for (traits, counted) in self.traits.iter_mut().zip(counts) {
            if traits.flags.has(Flags::ALIVE) {
                self.total_length -= u64::from(traits.length);
                self.total_length += u64::from(counted.length);
            }
            traits.take_counts(counted);
        }
    }
}

impl Batch {
    fn push(&mut self, row: &IndexRow<'_>) {
        row.indexed_text().push_frame(&mut self.text);
        let end_of_frame = self.text.len();
        self.text.push_str(row.text);
        self.ends.push((end_of_frame, self.text.len()));
    }

    /// Frame and what was said, text by text.
    fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut rest = self.text.as_str();
        let mut start = 0;
        self.ends.iter().map(move |(frame_end, end)| {
            let (frame, after) = rest.split_at(frame_end - start);
            let (said, after) = after.split_at(end - frame_end);
            (rest, start) = (after, *end);
            (frame, said)
        })
    }
}

/// Adds every text that comes, and counts its words.
fn count_all(lexicon: &mut Lexicon, batches: Receiver<Batch>) -> Vec<Counted> {
    let analyser = Analyser::new();
    let mut counts = Vec::new();
    for batch in batches {
        let texts = batch.texts();
        counts.extend(texts.map(|(frame, said)| lexicon.add(&analyser, frame, said)));
    }
    counts
}

impl Traits {
    fn take_counts(&mut self, counted: &Counted) {
        self.length = counted.length;
        self.words = counted.half_words / 2;
        if counted.tells_time {
            self.flags = self.flags.with(Flags::TELLS_TIME);
        }
    }
}
