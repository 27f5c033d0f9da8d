//! The parts that every handle shares.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use memoriter_core::error::InvalidInput;
use memoriter_core::extract::rules::Rules;
use memoriter_core::fold::Cues;
use memoriter_core::fold::model::ModelFolder;
use memoriter_core::guard::Guard;
use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::{Attempt, Memory};
use memoriter_core::port::{
    Clock, EmbedError, Embedder, Entropy, Extractor, ModelError, TextRole, TokenCounter,
    WordVectors,
};
use memoriter_core::rank::decay::DecayPolicy;
use memoriter_core::scope::Scope;
use memoriter_core::text::IndexedText;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::{Message, SessionName};
use memoriter_core::vector::QuantisedVector;
use memoriter_core::write::AttributeRegistry;
use memoriter_core::write::judge::ModelJudge;
use memoriter_store::index::IndexCache;
use memoriter_store::{RecordRef, Store, StoredVector};

use crate::desk::MadeSpans;
use crate::erase::Erasures;
use crate::usage::UsageWriter;

/// Places that are decided on at the same time in this process; more than there will be callers.
const PLACE_LOCKS: usize = 1_024;

/// How facts are found in texts.
pub(crate) enum Extraction {
    /// By the built-in rules.
    Rules,
    /// By another extractor.
    By(Arc<dyn Extractor>),
    /// Not at all.
    None,
}

/// What an engine is made of.
pub(crate) struct Parts {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) words: Arc<dyn WordVectors>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) attributes: AttributeRegistry,
    pub(crate) guard: Guard,
    pub(crate) extraction: Extraction,
    pub(crate) judge: Option<ModelJudge>,
    pub(crate) folder: Option<ModelFolder>,
    pub(crate) counter: Arc<dyn TokenCounter>,
    pub(crate) index_bytes: usize,
    pub(crate) decay: DecayPolicy,
}

/// A store, an embedder and the indexes over them.
pub(crate) struct Engine {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) attributes: AttributeRegistry,
    pub(crate) guard: Guard,
    /// Counts what a desk has.
    pub(crate) counter: Arc<dyn TokenCounter>,
    /// How memories sink that are not used.
    pub(crate) decay: DecayPolicy,
    extraction: Extraction,
    /// Says what words cannot.
    pub(crate) judge: Option<ModelJudge>,
    /// Chooses what older turns came to, where a model does.
    pub(crate) folder: Option<ModelFolder>,
    /// The built-in folder, once it is asked for.
    cues: OnceLock<Cues>,
    /// What it has made for desks.
    pub(crate) made_spans: MadeSpans,
    /// Why it did not answer last.
    judge_failure: Mutex<Option<ModelError>>,
    /// The built-in rules, once they are asked for: making them takes longer than most recalls.
    rules: OnceLock<Rules>,
    pub(crate) indexes: IndexCache,
    /// Gives single words a direction, whatever embeds whole texts.
    pub(crate) words: Arc<dyn WordVectors>,
    usage: UsageWriter,
    /// Erasures that are not done yet.
    pub(crate) erasures: Erasures,
    /// Callers that decide on the same place take turns, so that the loser need not decide again.
    places: Vec<Mutex<()>>,
}

impl Engine {
    pub(crate) fn new(parts: Parts) -> Self {
        let Parts {
            store,
            embedder,
            words,
            clock,
            entropy,
            attributes,
            guard,
            extraction,
            judge,
            folder,
            counter,
            index_bytes,
            decay,
        } = parts;
        let indexes = IndexCache::new(
            embedder.model().clone(),
            embedder.dimensions(),
            Arc::clone(&words),
            index_bytes,
        );
        let usage = UsageWriter::start(Arc::clone(&store));
        let places = (0..PLACE_LOCKS).map(|_| Mutex::new(())).collect();
        Self {
            store,
            embedder,
            clock,
            entropy,
            attributes,
            guard,
            counter,
            decay,
            extraction,
            judge,
            folder,
            cues: OnceLock::new(),
            made_spans: MadeSpans::default(),
            judge_failure: Mutex::default(),
            rules: OnceLock::new(),
            indexes,
            words,
            usage,
            erasures: Erasures::default(),
            places,
        }
    }

    /// The memory in the tier that it has at `now`, which its row need not say.
    pub(crate) fn in_tier(&self, memory: Memory, now: Timestamp) -> Memory {
        Memory {
            tier: self.decay.tier_of(&memory, now),
            ..memory
        }
    }

    /// Finds what is worth remembering in a text; `None` takes texts as they stand.
    pub(crate) fn extractor(&self) -> Option<&dyn Extractor> {
        match &self.extraction {
            Extraction::Rules => Some(self.rules()),
            Extraction::By(extractor) => Some(extractor.as_ref()),
            Extraction::None => None,
        }
    }

    /// Folds without a model.
    pub(crate) fn cues(&self) -> &Cues {
        self.cues.get_or_init(Cues::new)
    }

    pub(crate) fn note_judge_failure(&self, failure: ModelError) {
        *self.lock_judge_failure() = Some(failure);
    }

    pub(crate) fn take_judge_failure(&self) -> Option<ModelError> {
        self.lock_judge_failure().take()
    }

    fn lock_judge_failure(&self) -> MutexGuard<'_, Option<ModelError>> {
        self.judge_failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The built-in rules, whatever finds facts here.
    pub(crate) fn rules(&self) -> &Rules {
        self.rules.get_or_init(Rules::new)
    }

    /// Notes that memories were recalled: at once for ranking in this process, soon on disk.
    pub(crate) fn mark_recalled(&self, visible: &[Scope], ids: Vec<MemoryId>, now: Timestamp) {
        if ids.is_empty() {
            return;
        }
        // A failure to read the head means no mark for now; the recall itself has succeeded.
        let _ = self.indexes.with(self.store.as_ref(), visible, |indexes| {
            for index in indexes {
                for id in &ids {
                    index.mark_used(RecordRef::Memory(*id), now);
                }
            }
        });
        self.usage.note(ids, now);
    }

    /// An id that nothing else has, in its text form.
    pub(crate) fn new_id(&self) -> String {
        let mut bytes = [0; 16];
        self.entropy.fill(&mut bytes);
        TurnId::from_bytes(bytes).to_string()
    }

    /// What the row of an erased session is called where it has to stay.
    pub(crate) fn erased_name(&self) -> Result<SessionName, InvalidInput> {
        SessionName::new(format!("erased-{}", self.new_id()))
    }

    /// Waits until every mark so far is on disk.
    pub(crate) fn flush_marks(&self) {
        self.usage.flush();
    }

    /// Embeds the texts of memories to be added.
    pub(crate) fn embed_memories(
        &self,
        memories: &[Memory],
    ) -> Result<Vec<Option<StoredVector>>, EmbedError> {
        let spoken = |memory: &Memory| indexed_memory(memory).spoken();
        self.embed(&memories.iter().map(spoken).collect::<Vec<_>>())
    }

    /// Embeds the texts of turns to be appended; what no recall can find needs no vector.
    pub(crate) fn embed_messages(
        &self,
        messages: &[&Message],
    ) -> Result<Vec<Option<StoredVector>>, EmbedError> {
        let spoken = |message: &&Message| {
            if message.is_recallable() {
                indexed_message(message).spoken()
            } else {
                String::new()
            }
        };
        self.embed(&messages.iter().map(spoken).collect::<Vec<_>>())
    }

    /// Embeds texts as records.
    pub(crate) fn embed(&self, texts: &[String]) -> Result<Vec<Option<StoredVector>>, EmbedError> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = self.embedder.embed(&texts, TextRole::Record)?;
        let model = self.embedder.model();
        let stored = |vector: &_| StoredVector {
            model: model.clone(),
            vector: QuantisedVector::quantise(vector),
        };
        Ok(vectors
            .iter()
            .map(|vector| vector.as_ref().map(stored))
            .collect())
    }

    /// Holds the places of the candidates until the guards are dropped. Taken in one order, so that callers
    /// cannot wait for each other in a circle.
    pub(crate) fn lock_places<'m>(
        &self,
        candidates: impl IntoIterator<Item = &'m Memory>,
    ) -> Vec<MutexGuard<'_, ()>> {
        let mut numbers: Vec<usize> = candidates
            .into_iter()
            .map(|memory| lock_number(&memory.scope, memory))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let lock = |number| {
            self.places
                .get(number)
                .map(|lock: &Mutex<()>| lock.lock().unwrap_or_else(PoisonError::into_inner))
        };
        numbers.into_iter().filter_map(lock).collect()
    }
}

impl Engine {
    /// Holds the lock of something else that callers decide on: they take turns by the hash of its name. Nothing else
    /// may be locked meanwhile.
    pub(crate) fn lock_number(&self, hash: u64) -> Option<MutexGuard<'_, ()>> {
        let lock = self.places.get(place_number(hash));
        lock.map(|lock| lock.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn place_number(hash: u64) -> usize {
    usize::try_from(hash % PLACE_LOCKS as u64).unwrap_or(0)
}

/// The lock of a place. All values of a key share one: they are decided on together.
fn lock_number(scope: &Scope, memory: &Memory) -> usize {
    let mut hasher = DefaultHasher::new();
    scope.hash(&mut hasher);
    match memory.fact_key() {
        Some(key) => key.hash(&mut hasher),
        None => memory.place_of_event().hash(&mut hasher),
    }
    place_number(hasher.finish())
}

/// A memory as the index reads it.
pub(crate) fn indexed_memory(memory: &Memory) -> IndexedText<'_> {
    let key = memory
        .fact_key()
        .map(|key| (key.attribute(), memory.value.as_deref().unwrap_or_default()));
    IndexedText {
        day: memory.valid_from.day(),
        speaker: None,
        text: &memory.statement,
        key,
        attempt: memory.attempt.as_ref().map(Attempt::borrowed),
    }
}

/// A turn as the index reads it.
pub(crate) fn indexed_message(message: &Message) -> IndexedText<'_> {
    IndexedText {
        day: message.at.day(),
        speaker: Some(message.speaker_or_role()),
        text: &message.content,
        key: None,
        attempt: None,
    }
}
