//! Everything searchable in one scope.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::Tier;
use memoriter_core::port::WordVectors;
use memoriter_core::query::Filter;
use memoriter_core::rank::decay::DecayPolicy;
use memoriter_core::text::{Analyser, TermHash, normalise};
use memoriter_core::time::Timestamp;
use memoriter_core::turn::Role;

use super::entry::{Entry, Extra, Names};
use super::kernel;
use super::lexicon::{Counted, Lexicon};
use super::slot::Slot;
use super::traits::{Flags, Traits, other_entity};
use super::vectors::Vectors;
use crate::store::{IndexChange, IndexRow, RecordRef};

/// The index of one scope: columns, words and vectors by slot. Derived from rows, never the truth.
///
/// A record that changes gets a new slot and its old one dies; [`ScopeIndex::is_worn`] says when so many are
/// dead that building anew pays.
pub struct ScopeIndex {
    pub(super) traits: Vec<Traits>,
    pub(super) entries: Vec<Entry>,
    pub(super) extras: HashMap<Slot, Extra>,
    pub(super) lexicon: Lexicon,
    pub(super) vectors: Vectors,
    pub(super) speakers: Names,
    /// Words that say something in the living slots.
    pub(super) total_length: u64,
    live_count: u32,
    slots: HashMap<RecordRef, Slot>,
    /// The terms of the entity, for facts that are not about the user.
    pub(super) others: HashMap<Slot, Vec<TermHash>>,
    /// The newest record under each single-valued key, by the key's hash.
    single_keys: HashMap<u64, Slot>,
    session_numbers: HashMap<u64, u32>,
    sessions: Vec<Session>,
    /// Records that begin or stop answering at some time; those that died are counted too.
    temporary_count: usize,
    pub(super) words: Arc<dyn WordVectors>,
    analyser: Analyser,
    seen: ChangeNumber,
}

/// The turns of one session.
#[derive(Default)]
struct Session {
    /// By position.
    slots: Vec<Slot>,
    has_assistant: bool,
}

impl ScopeIndex {
    /// An empty index for vectors of `dimensions` components; `words` gives single words a direction.
    #[must_use]
    pub fn new(dimensions: usize, words: Arc<dyn WordVectors>) -> Self {
        Self {
            traits: Vec::new(),
            entries: Vec::new(),
            extras: HashMap::new(),
            lexicon: Lexicon::new(words.dimensions()),
            vectors: Vectors::new(dimensions),
            speakers: Names::default(),
            total_length: 0,
            live_count: 0,
            slots: HashMap::new(),
            others: HashMap::new(),
            single_keys: HashMap::new(),
            session_numbers: HashMap::new(),
            sessions: Vec::new(),
            temporary_count: 0,
            words,
            analyser: Analyser::new(),
            seen: ChangeNumber::default(),
        }
    }

    /// The newest change that this index holds.
    #[must_use]
    pub fn seen(&self) -> ChangeNumber {
        self.seen
    }

    /// Notes that everything up to `head` has been applied.
    pub fn set_seen(&mut self, head: ChangeNumber) {
        self.seen = head;
    }

    /// How many records can be found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.live_count as usize
    }

    /// Whether nothing can be found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.live_count == 0
    }

    /// Every record that can be found, in order: for comparing with the rows.
    #[must_use]
    pub fn records(&self) -> Vec<RecordRef> {
        let mut records: Vec<RecordRef> = self
            .live_slots()
            .filter_map(|slot| Some(self.entries.get(slot.at())?.record))
            .collect();
        records.sort_unstable();
        records
    }

    /// Whether a quarter of a sizeable index is dead: build it anew.
    #[must_use]
    pub fn is_worn(&self) -> bool {
        const WORTH_BUILDING_ANEW: usize = 1_024;
        self.slot_count() >= WORTH_BUILDING_ANEW && self.dead_count() * 4 > self.slot_count()
    }

    /// Bytes on the heap, estimated from capacities.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let columns = self.entries.capacity() * size_of::<Entry>()
            + self.traits.capacity() * size_of::<Traits>();
        let slot_map = self.slots.capacity() * (size_of::<(RecordRef, Slot)>() + 1);
        let sessions: usize = self
            .sessions
            .iter()
            .map(|session| session.slots.capacity() * size_of::<Slot>() + 64)
            .sum();
        columns + slot_map + sessions + self.lexicon.bytes() + self.vectors.bytes()
    }

    /// Gives back spare capacity after a load.
    pub fn shrink(&mut self) {
        self.entries.shrink_to_fit();
        self.traits.shrink_to_fit();
        self.lexicon.shrink();
        self.vectors.shrink();
        self.slots.shrink_to_fit();
    }

    /// Takes in what happened to a record.
    pub fn apply(&mut self, change: &IndexChange<'_>) {
        match change {
            IndexChange::Put(row) => {
                if row.is_recallable() {
                    self.add(row);
                } else {
                    self.remove(row.record);
                }
            }
            IndexChange::Remove(record) => self.remove(*record),
            IndexChange::Anew => self.let_go(),
        }
    }

    /// Lets go of everything, so that nothing of what is gone stays in memory; it is to be filled from the beginning.
    fn let_go(&mut self) {
        *self = Self::new(self.vectors.width(), Arc::clone(&self.words));
    }

    /// Notes that a record was used, for its recency. One that is not here is passed over.
    pub fn mark_used(&self, record: RecordRef, at: Timestamp) {
        if let Some(entry) = self
            .slots
            .get(&record)
            .and_then(|slot| self.entries.get(slot.at()))
        {
            entry.mark_used(at);
        }
    }

    pub(super) fn slot_count(&self) -> usize {
        self.traits.len()
    }

    pub(super) fn dead_count(&self) -> usize {
        self.slot_count() - self.len()
    }

    pub(super) fn session_count(&self) -> usize {
        self.sessions.len()
    }

    /// Whether a model takes part in a session; not for [`Traits::NO_SESSION`].
    pub(super) fn has_assistant(&self, session: u32) -> bool {
        self.sessions
            .get(session as usize)
            .is_some_and(|session| session.has_assistant)
    }

    /// Whether a record may not answer yet, or no longer, by itself.
    pub(super) fn has_temporary(&self) -> bool {
        self.temporary_count > 0
    }

    /// Whether a record answers at `now`: by its dates, and because no other value of its key prevails.
    pub(super) fn answers_at(&self, slot: Slot, now: Timestamp) -> bool {
        let Some(entry) = self.entries.get(slot.at()) else {
            return false;
        };
        let prevails = |rival: Slot| {
            self.is_alive(rival)
                && self.entries.get(rival.at()).is_some_and(|other| {
                    other.holds_at(now) && other.precedence() > entry.precedence()
                })
        };
        entry.holds_at(now) && !self.rivals(slot).any(prevails)
    }

    /// The other records under the same single-valued key.
    fn rivals(&self, slot: Slot) -> impl Iterator<Item = Slot> {
        let next = |of: &Slot| self.entries.get(of.at()).map(|entry| entry.rival);
        std::iter::successors(next(&slot), next)
            .take_while(move |rival| *rival != slot && *rival != Slot::NONE)
    }

    /// Whether outcome, category and metadata of a slot pass a filter.
    pub(super) fn admits_labels(&self, filter: &Filter, slot: Slot) -> bool {
        let extra = self.extras.get(&slot);
        filter.admits_outcome(extra.and_then(|extra| extra.outcome))
            && filter.admits_labels(
                extra.and_then(|extra| extra.category.as_deref()),
                extra.map(|extra| &extra.metadata),
            )
    }

    /// Whether a slot holds what is pinned.
    pub(super) fn is_pinned(&self, slot: Slot) -> bool {
        self.extras.get(&slot).is_some_and(|extra| extra.pinned)
    }

    pub(super) fn is_alive(&self, slot: Slot) -> bool {
        self.traits
            .get(slot.at())
            .is_some_and(|traits| traits.flags.has(Flags::ALIVE))
    }

    /// Where a record is that may be found: as [`DecayPolicy::tier_of`] has it. Turns do not sink, nor does what is pinned.
    pub(super) fn tier(&self, slot: Slot, policy: &DecayPolicy, now: Timestamp) -> Tier {
        let Some((traits, entry)) = self.record(slot) else {
            return Tier::Hot;
        };
        match entry.record {
            RecordRef::Memory(_) if !traits.flags.has(Flags::KEYED) => {
                let kind = policy.of(entry.kind);
                let tier = kind.tier(entry.idle_micros(now), entry.importance);
                let stays = tier != Tier::Hot && self.is_pinned(slot);
                if stays { Tier::Hot } else { tier }
            }
            RecordRef::Memory(_) | RecordRef::Turn(_) => Tier::Hot,
        }
    }

    /// What is known of the record in a slot.
    pub(super) fn record(&self, slot: Slot) -> Option<(&Traits, &Entry)> {
        self.traits.get(slot.at()).zip(self.entries.get(slot.at()))
    }

    /// Asks for what ranking asks of a slot.
    pub(super) fn prefetch_traits(&self, slot: Slot) {
        kernel::prefetch(self.traits.get(slot.at()..=slot.at()).unwrap_or_default());
    }

    /// Asks for what is known of a slot, which is far from what others were read.
    pub(super) fn prefetch(&self, slot: Slot) {
        kernel::prefetch(self.entries.get(slot.at()..=slot.at()).unwrap_or_default());
        self.lexicon.prefetch_bounds(slot);
    }

    pub(super) fn live_slots(&self) -> impl Iterator<Item = Slot> {
        (0_u32..)
            .map(Slot)
            .zip(&self.traits)
            .filter(|(_, traits)| traits.flags.has(Flags::ALIVE))
            .map(|(slot, _)| slot)
    }

    pub(super) fn remove(&mut self, record: RecordRef) {
        if let Some(slot) = self.slots.remove(&record) {
            self.kill(slot);
        }
    }

    /// Takes a slot that no record has any more out of use.
    fn kill(&mut self, slot: Slot) {
        let Some(traits) = self.traits.get_mut(slot.at()) else {
            return;
        };
        traits.flags = traits.flags.without(Flags::ALIVE);
        self.live_count -= 1;
        self.total_length -= u64::from(traits.length);
        self.extras.remove(&slot);
        self.others.remove(&slot);
    }

    fn add(&mut self, row: &IndexRow<'_>) {
        let (frame, said) = row.indexed_text().parts();
        let counted = self.lexicon.add(&self.analyser, &frame, said);
        self.lexicon.place_words(self.words.as_ref());
        self.place(row, counted, hash_of_text(row.text));
    }

    /// Gives a row the next slot in all columns, in the place of the one that its record had. Its words are entered
    /// in the lexicon by the caller.
    pub(super) fn place(&mut self, row: &IndexRow<'_>, counted: Counted, text_hash: u64) {
        let slot = Slot(
            u32::try_from(self.traits.len())
                .expect("a scope holds fewer than four billion records"),
        );
        self.vectors.push(row.vector);
        let hash = text_hash ^ hash_of_attempt(row);
        self.entries.push(Entry::of(row, hash));
        self.traits.push(Traits {
            before: Slot::NONE,
            after: Slot::NONE,
            session: Traits::NO_SESSION,
            speaker: self.speakers.number(row.speaker),
            length: counted.length,
            words: counted.half_words / 2,
            flags: Flags::of(row, counted.tells_time),
        });
        if let Some(old) = self.slots.insert(row.record, slot) {
            self.kill(old);
        }
        self.live_count += 1;
        self.total_length += u64::from(counted.length);
        if let Some(extra) = Extra::of(row) {
            self.extras.insert(slot, extra);
        }
        if let Some(entity) = other_entity(row) {
            self.others.insert(slot, terms_of(&self.analyser, entity));
        }
        self.temporary_count +=
            usize::from(row.usable_from.is_some() || row.usable_until.is_some());
        if let Some((entity, attribute)) = row.key.filter(|_| row.holds_one) {
            self.place_among_rivals(slot, hash_of(&[entity, attribute]));
        }
        if let Some((session, position)) = row.session {
            self.place_in_session(slot, row, session, position as usize);
        }
    }

    /// Puts a value into the ring of those under its key.
    fn place_among_rivals(&mut self, slot: Slot, key: u64) {
        let newest = self.single_keys.insert(key, slot).unwrap_or(slot);
        let oldest = match self.entries.get_mut(newest.at()) {
            Some(entry) if newest != slot => std::mem::replace(&mut entry.rival, slot),
            Some(_) | None => slot,
        };
        if let Some(entry) = self.entries.get_mut(slot.at()) {
            entry.rival = oldest;
        }
    }

    /// Puts a turn between its neighbours.
    fn place_in_session(&mut self, slot: Slot, row: &IndexRow<'_>, session: u64, position: usize) {
        let next = u32::try_from(self.sessions.len()).unwrap_or(Traits::NO_SESSION);
        let number = *self.session_numbers.entry(session).or_insert(next);
        if number == next {
            self.sessions.push(Session::default());
        }
        let Some(session) = self.sessions.get_mut(number as usize) else {
            return;
        };
        session.has_assistant |= row.role == Some(Role::Assistant);
        let slots = &mut session.slots;
        if slots.len() <= position {
            slots.resize(position + 1, Slot::NONE);
        }
        if let Some(place) = slots.get_mut(position) {
            *place = slot;
        }
        let before = position
            .checked_sub(1)
            .and_then(|at| slots.get(at))
            .copied()
            .unwrap_or(Slot::NONE);
        let after = slots.get(position + 1).copied().unwrap_or(Slot::NONE);
        if let Some(traits) = self.traits.get_mut(slot.at()) {
            traits.session = number;
        }
        self.link(before, slot);
        self.link(slot, after);
    }

    /// Makes two slots neighbours; [`Slot::NONE`] stands for the end of a session. Links to a slot that dies
    /// stay: readers ask whether a neighbour lives.
    fn link(&mut self, before: Slot, after: Slot) {
        if let Some(traits) = self.traits.get_mut(before.at()) {
            traits.after = after;
        }
        if let Some(traits) = self.traits.get_mut(after.at()) {
            traits.before = before;
        }
    }
}

fn terms_of(analyser: &Analyser, text: &str) -> Vec<TermHash> {
    let mut terms = Vec::new();
    analyser.analyse(text, |token| terms.push(analyser.term(token.word)));
    terms
}

/// Equal for texts that are equal after normalising.
pub(super) fn hash_of_text(text: &str) -> u64 {
    hash_of(&[&normalise(text)])
}

/// Of an attempt what was tried and how it went: with the hash of the text it tells whether two records say the same.
fn hash_of_attempt(row: &IndexRow<'_>) -> u64 {
    row.attempt.map_or(0, |attempt| {
        hash_of(&[attempt.outcome.as_str(), &normalise(attempt.goal)])
    })
}

fn hash_of(texts: &[&str]) -> u64 {
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    hasher.finish()
}
