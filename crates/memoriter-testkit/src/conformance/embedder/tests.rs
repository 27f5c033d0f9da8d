//! The suite lets a sound embedder pass and catches each fault by name.

use std::sync::Mutex;
use std::thread::{self, ThreadId};

use memoriter_core::port::embedder::{Calibration, EmbedError, ModelName};

use super::*;

/// One rule broken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    NoName,
    FlatCalibration,
    EntryMissing,
    OrderSorted,
    AllAlike,
    ShortVector,
    EmptyPlaced,
    BatchSeen,
    HugeRefused,
    ThreadBound,
}

/// Embeds by counting bytes, well but for its fault.
struct ByteCounts {
    model: ModelName,
    fault: Fault,
    first_thread: Mutex<Option<ThreadId>>,
}

impl ByteCounts {
    fn new(fault: Fault) -> Self {
        let name = if fault == Fault::NoName {
            ""
        } else {
            "byte-counts"
        };
        Self {
            model: ModelName::new(name),
            fault,
            first_thread: Mutex::new(None),
        }
    }

    fn embed_one(&self, text: &str, batch: usize) -> Option<UnitVector> {
        let is_huge = text.len() > 1 << 19;
        if (text.trim().is_empty() && self.fault != Fault::EmptyPlaced)
            || (is_huge && self.fault == Fault::HugeRefused)
        {
            return None;
        }
        let mut counts = vec![1.0; self.dimensions()];
        if self.fault != Fault::AllAlike {
            text.bytes()
                .for_each(|byte| counts[usize::from(byte) % 64] += 1.0);
        }
        if self.fault == Fault::BatchSeen && batch > 20 {
            counts[0] += 1.0;
        }
        if self.fault == Fault::ShortVector {
            counts.pop();
        }
        if self.fault == Fault::ThreadBound && !self.is_first_thread() {
            counts[0] += 1.0;
        }
        UnitVector::normalise(counts)
    }

    fn is_first_thread(&self) -> bool {
        let current = thread::current().id();
        *self.first_thread.lock().unwrap().get_or_insert(current) == current
    }
}

impl Embedder for ByteCounts {
    fn model(&self) -> &ModelName {
        &self.model
    }

    fn dimensions(&self) -> usize {
        64
    }

    fn calibration(&self) -> Calibration {
        let deviation = if self.fault == Fault::FlatCalibration {
            0.0
        } else {
            0.1
        };
        Calibration {
            mean: 0.5,
            deviation,
        }
    }

    fn embed(
        &self,
        texts: &[&str],
        _role: TextRole,
    ) -> Result<Vec<Option<UnitVector>>, EmbedError> {
        let mut texts = texts.to_vec();
        if self.fault == Fault::OrderSorted {
            texts.sort_unstable();
        }
        if self.fault == Fault::EntryMissing && texts.len() > 1 {
            texts.pop();
        }
        Ok(texts
            .iter()
            .map(|text| self.embed_one(text, texts.len()))
            .collect())
    }
}

#[test]
fn a_sound_embedder_passes() {
    check(&ByteCounts::new(Fault::None));
}

macro_rules! catches {
    ($($name:ident: $fault:ident, $message:literal;)*) => {$(
        #[test]
        #[should_panic(expected = $message)]
        fn $name() {
            check(&ByteCounts::new(Fault::$fault));
        }
    )*};
}

catches! {
    catches_a_missing_name: NoName, "the model has a name";
    catches_a_flat_calibration: FlatCalibration, "is above 0";
    catches_a_missing_entry: EntryMissing, "one entry per text";
    catches_another_order: OrderSorted, "in order";
    catches_one_vector_for_all: AllAlike, "different sentences have different vectors";
    catches_a_short_vector: ShortVector, "components of the vector";
    catches_a_vector_for_nothing: EmptyPlaced, "an empty text has no vector";
    catches_a_look_at_the_batch: BatchSeen, "alone and in a batch";
    catches_a_refusal_of_huge_texts: HugeRefused, "a long text has a vector";
    catches_state_of_a_thread: ThreadBound, "on another thread";
}
