//! Turns that say what is forgotten, or say it again.

use std::collections::{BTreeMap, BTreeSet};

use memoriter_core::extract::{Action, Candidate, Heard};
use memoriter_core::id::{MemoryId, TurnId};
use memoriter_core::memory::{FactKey, Memory, State};
use memoriter_core::port::Extractor;
use memoriter_core::provenance::{Origin, SourceRef};
use memoriter_core::time::{Timestamp, ZonedTime};
use memoriter_core::turn::{Role, Turn};
use memoriter_core::write::{
    BLOCK, Teller, Trace, as_said_by_the_user, names_value, possible_traces, telling_sentences,
    traces, traces_of_value,
};
use memoriter_store::MemoryQuery;
use memoriter_store::index::ScopeIndex;

use crate::draft::sound;
use crate::error::Error;
use crate::handle::ScopedMemory;

/// Turns, and memories, that are looked at for one trace.
const LOOKED_AT_MAX: usize = 200;

/// Words behind "my" in which something is named: "my old Dutch phone number".
const OWN_WORDS: usize = 4;

/// Something that goes on request: a memory, or what a request names.
pub(crate) struct Gone {
    /// Its key and value; `None` for a statement without key, or a topic.
    fact: Option<(FactKey, String)>,
    traces: Vec<Trace>,
    sources: Vec<SourceRef>,
    asked_at: Timestamp,
    reach: Reach,
    /// How many new memories of the same unit were decided on before.
    new_before: usize,
    /// The line of the unit's ledger that says of the request that nothing is known, if it does.
    answer: Option<usize>,
}

/// How far a request reaches beyond what rules read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// To an assistant's answer, and its sentences to the user in the same session: what goes does not come back.
    Read,
    /// To what speaks of the user and has a trace.
    Told,
    /// To what the user says of his own with these words: "my salary".
    Own,
    /// To everything that was said about it, whatever it says.
    Topic,
}

impl Gone {
    /// A memory.
    pub(crate) fn memory(memory: &Memory, asked_at: Timestamp) -> Self {
        let value = || memory.value_or_statement().to_owned();
        Self {
            fact: memory.fact_key().map(|key| (key.clone(), value())),
            traces: traces(memory),
            sources: memory.sources.iter().map(|source| source.of).collect(),
            asked_at,
            reach: Reach::Told,
            new_before: 0,
            answer: None,
        }
    }

    /// A memory that goes for good, so that nothing goes with it that may say something else.
    pub(crate) fn for_good(memory: &Memory, asked_at: Timestamp) -> Self {
        Self {
            reach: Reach::Read,
            ..Self::memory(memory, asked_at)
        }
    }

    /// What a request names, known or not.
    pub(crate) fn named(key: &FactKey, value: &str, asked_at: Timestamp) -> Self {
        Self {
            fact: Some((key.clone(), value.to_owned())),
            traces: traces_of_value(key, value),
            sources: Vec::new(),
            asked_at,
            reach: Reach::Told,
            new_before: 0,
            answer: None,
        }
    }

    /// What the user said of something of his own under which nothing is known: "my therapist".
    pub(crate) fn own(key: &FactKey, asked_at: Timestamp) -> Self {
        Self {
            reach: Reach::Own,
            ..Self::topic(&key.attribute().replace('_', " "), asked_at)
        }
    }

    /// All that was said about something.
    pub(crate) fn topic(about: &str, asked_at: Timestamp) -> Self {
        Self {
            fact: None,
            traces: Trace::of(about).into_iter().collect(),
            sources: Vec::new(),
            asked_at,
            reach: Reach::Topic,
            new_before: 0,
            answer: None,
        }
    }

    /// The same, asked for in a unit after so many new memories.
    pub(crate) fn after_new(self, new_before: usize) -> Self {
        Self { new_before, ..self }
    }

    /// Notes which line of the ledger says of the request that nothing is known.
    pub(crate) fn answered_by(&mut self, line: usize) {
        self.answer = Some(line);
    }

    /// What it is known by.
    pub(crate) fn traces(&self) -> &[Trace] {
        &self.traces
    }
}

/// What says again what goes.
#[derive(Default)]
pub(crate) struct Echoes {
    pub(crate) turns: BTreeSet<TurnId>,
    /// Memories, with the traces that they have.
    pub(crate) memories: BTreeMap<MemoryId, (Memory, Vec<Trace>)>,
    /// What was found for requests of which a line of the ledger says that nothing is known.
    pub(crate) found: BTreeSet<(usize, SourceRef)>,
}

impl ScopedMemory {
    /// The turns and memories in use that say again what is `gone`: the user's own up to the request, an
    /// assistant's at any time.
    pub(crate) fn echoes(&self, gone: &[Gone]) -> Result<Echoes, Error> {
        let mut echoes = Echoes::default();
        for gone in gone {
            let sources = self.source_turns(gone)?;
            for trace in &gone.traces {
                for turn in self.turns_with(trace)? {
                    if !echoes.turns.contains(&turn.id)
                        && self.says_again(&turn, gone, trace, &sources)
                    {
                        echoes.turns.insert(turn.id);
                        let found = gone.answer.map(|line| (line, SourceRef::Turn(turn.id)));
                        echoes.found.extend(found);
                    }
                }
                for memory in self.memories_with(trace)? {
                    if self.repeats(&memory, gone, trace) {
                        let memory_id = memory.id;
                        let known = echoes.memories.entry(memory_id);
                        let (_, traces) = known.or_insert_with(|| (memory, Vec::new()));
                        traces.push(trace.clone());
                        let found = gone.answer.map(|line| (line, SourceRef::Memory(memory_id)));
                        echoes.found.extend(found);
                    }
                }
            }
        }
        Ok(echoes)
    }

    /// Which of the memories that a unit adds say again what goes in the same unit, and their traces of it.
    pub(crate) fn new_echoes(&self, new: &[Memory], gone: &[Gone]) -> Vec<(MemoryId, Vec<Trace>)> {
        let mut echoes: BTreeMap<MemoryId, Vec<Trace>> = BTreeMap::new();
        for gone in gone {
            let before = new.iter().take(gone.new_before);
            for memory in before.filter(|memory| memory.state == State::Live) {
                let told = gone.traces.iter().filter(|trace| {
                    trace.is_in(&memory.statement) && self.repeats(memory, gone, trace)
                });
                let told: Vec<Trace> = told.cloned().collect();
                if !told.is_empty() {
                    echoes.entry(memory.id).or_default().extend(told);
                }
            }
        }
        echoes.into_iter().collect()
    }

    /// The traces that a text has of what was forgotten, and that no live memory explains.
    pub(crate) fn forgotten_traces(&self, text: &str, teller: Teller) -> Result<Vec<Trace>, Error> {
        let snapshot = self.engine.store.snapshot()?;
        let mut unknown = Vec::new();
        for trace in possible_traces(text, teller) {
            let asked_at = snapshot.forgotten_at(&self.scope, &[trace.mark()])?;
            let explains = |memory: &Memory| trace.is_in(memory.value_or_statement());
            if asked_at.is_some() && !self.memories_with(&trace)?.iter().any(explains) {
                unknown.push(trace);
            }
        }
        Ok(unknown)
    }

    /// Whether a turn, in use or not, says again what any of `gone` says.
    pub(crate) fn is_echo(&self, turn: &Turn, gone: &[Gone]) -> Result<bool, Error> {
        for gone in gone {
            let mut traces = gone.traces.iter();
            if !traces.any(|trace| trace.is_in(&turn.message.content)) {
                continue;
            }
            let sources = self.source_turns(gone)?;
            let mut traces = gone.traces.iter();
            if traces.any(|trace| self.says_again(turn, gone, trace, &sources)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Turns and memories in use that have a trace of what goes, whatever they say of it.
    pub(crate) fn with_traces_of(&self, gone: &Gone) -> Result<Vec<SourceRef>, Error> {
        let mut found = Vec::new();
        for trace in &gone.traces {
            let turns = self.turns_with(trace)?.into_iter();
            found.extend(turns.map(|turn| SourceRef::Turn(turn.id)));
            let memories = self.memories_with(trace)?.into_iter();
            found.extend(memories.map(|memory| SourceRef::Memory(memory.id)));
        }
        Ok(found)
    }

    /// What a user's turn says, by rules.
    pub(crate) fn said_by_the_user(&self, turn: &Turn) -> Vec<Candidate> {
        self.read_as_user(&turn.message.content, turn.message.at, "user")
    }

    /// What an assistant's turn says of the user, by rules.
    pub(crate) fn said_of_the_user(&self, turn: &Turn) -> Vec<Candidate> {
        let text = as_said_by_the_user(&turn.message.content);
        let read = self.read_as_user(&text, turn.message.at, "user");
        read.into_iter()
            .filter(|candidate| candidate.key.is_some())
            .collect()
    }

    /// The value that a statement of the user has under a key, by rules; `None` where they read none or several.
    pub(crate) fn value_in(&self, statement: &str, key: &FactKey) -> Option<String> {
        let heard = Heard {
            role: Role::User,
            origin: Origin::User,
            me: "user",
            text: statement,
            at: ZonedTime::utc(self.engine.clock.now()),
        };
        let read = self.engine.rules().extract(&[heard]).ok()?;
        let mut values = read.into_iter().filter_map(|candidate| {
            let its_key = self.engine.attributes.canonical(candidate.key.as_ref()?);
            let is_told = candidate.action == Action::Remember && its_key == *key;
            is_told.then_some(candidate.value).flatten()
        });
        let only = values.next()?;
        values.next().is_none().then_some(only)
    }

    fn says_again(&self, turn: &Turn, gone: &Gone, trace: &Trace, sources: &[Turn]) -> bool {
        let text = &turn.message.content;
        match turn.message.role {
            Role::User if turn.message.at.instant > gone.asked_at => false,
            Role::User | Role::Assistant if gone.reach == Reach::Own => {
                let teller = match turn.message.role {
                    Role::User => Teller::User,
                    Role::Assistant | Role::System | Role::Tool => Teller::Other,
                };
                names_as_own(text, trace, teller)
            }
            Role::User => {
                gone.fact.is_none()
                    || self.states(text, turn, gone, Teller::User)
                    || gone.reach == Reach::Told
                        && self.tells(text, turn, gone, (trace, Teller::User))
            }
            Role::Assistant => {
                let of_session = |source: &&Turn| source.session == turn.session;
                let mut near = sources.iter().filter(of_session).peekable();
                let is_near = near.peek().is_some();
                let is_answer = near.any(|source| source.position + 1 == turn.position);
                let teller = match gone.reach {
                    Reach::Told if is_near => Some(Teller::OtherNearby),
                    Reach::Read if is_answer => Some(Teller::OtherNearby),
                    Reach::Told => Some(Teller::Other),
                    Reach::Read => Some(Teller::Other).filter(|_| is_near),
                    Reach::Own | Reach::Topic => None,
                };
                gone.fact.is_none()
                    || self.states(text, turn, gone, Teller::Other)
                    || teller.is_some_and(|teller| self.tells(text, turn, gone, (trace, teller)))
            }
            Role::System | Role::Tool => false,
        }
    }

    /// Whether a memory says by its sentence what goes: in the words of the same source, or of the user.
    fn repeats(&self, memory: &Memory, gone: &Gone, trace: &Trace) -> bool {
        let asked_at = gone.asked_at;
        let is_later = memory.recorded_at > asked_at && memory.valid_from.instant > asked_at;
        let Some(teller) = teller_of(memory).filter(|_| !is_later) else {
            return false;
        };
        let shares_source = memory
            .sources
            .iter()
            .any(|source| gone.sources.contains(&source.of));
        let tells = || {
            telling_sentences(&memory.statement, trace, teller)
                .any(|sentence| !self.tells_something_else(sentence, "user", gone, trace))
        };
        match gone.reach {
            Reach::Own => memory.key.is_none() && names_as_own(&memory.statement, trace, teller),
            Reach::Topic => true,
            Reach::Told => shares_source || gone.fact.is_some() && tells(),
            Reach::Read => false,
        }
    }

    /// Whether rules read what goes in a text.
    fn states(&self, text: &str, turn: &Turn, gone: &Gone, teller: Teller) -> bool {
        let Some((key, value)) = &gone.fact else {
            return false;
        };
        let (text, me) = heard_as(text, turn, gone, teller);
        self.read_as_user(&text, turn.message.at, &me)
            .iter()
            .filter(|candidate| self.is_under(candidate, key))
            .filter_map(|candidate| candidate.value.as_deref())
            .any(|said| names_value(key.attribute(), said, value))
    }

    /// Whether a sentence that speaks of the user has the trace and says nothing else that rules know.
    fn tells(
        &self,
        text: &str,
        turn: &Turn,
        gone: &Gone,
        (trace, teller): (&Trace, Teller),
    ) -> bool {
        telling_sentences(text, trace, teller).any(|sentence| {
            let (sentence, me) = heard_as(sentence, turn, gone, teller);
            !self.tells_something_else(&sentence, &me, gone, trace)
        })
    }

    /// "My sister lives in Porto" says nothing of where the user lives.
    fn tells_something_else(&self, sentence: &str, me: &str, gone: &Gone, trace: &Trace) -> bool {
        let Some((key, _)) = &gone.fact else {
            return false;
        };
        let at = ZonedTime::utc(gone.asked_at);
        let read = self.read_as_user(sentence, at, me);
        let says = |candidate: &Candidate| {
            candidate.key.is_some()
                && candidate
                    .value
                    .as_deref()
                    .is_some_and(|value| trace.is_in(value))
        };
        !read.iter().any(|candidate| self.is_under(candidate, key)) && read.iter().any(says)
    }

    fn is_under(&self, candidate: &Candidate, key: &FactKey) -> bool {
        let its_key = candidate.key.as_ref();
        its_key.is_some_and(|its_key| self.engine.attributes.canonical(its_key) == *key)
    }

    fn read_as_user(&self, text: &str, at: ZonedTime, me: &str) -> Vec<Candidate> {
        let heard = Heard {
            role: Role::User,
            origin: Origin::User,
            me,
            text,
            at,
        };
        // Rules do not fail; what they do not read says nothing under a key.
        self.engine.rules().extract(&[heard]).unwrap_or_default()
    }

    fn source_turns(&self, gone: &Gone) -> Result<Vec<Turn>, Error> {
        let turns = gone.sources.iter().filter_map(|source| match source {
            SourceRef::Turn(id) => Some(*id),
            SourceRef::Memory(_) => None,
        });
        Ok(self.turns_of(&turns.collect::<Vec<_>>())?.rows)
    }

    /// Turns in use that have a trace.
    fn turns_with(&self, trace: &Trace) -> Result<Vec<Turn>, Error> {
        let found = self.in_index(|index| index.turns_holding(trace.text(), LOOKED_AT_MAX))?;
        let mut turns = self.turns_of(&found)?.rows;
        // A turn that calls a tool stands with the result.
        turns.retain(|turn| turn.retired_at.is_none() && turn.message.tool_calls.is_none());
        Ok(turns)
    }

    /// Live memories that have a trace.
    fn memories_with(&self, trace: &Trace) -> Result<Vec<Memory>, Error> {
        let ids = self.in_index(|index| index.holding_words(trace.text(), 1.0, LOOKED_AT_MAX))?;
        let query = MemoryQuery::Ids {
            scopes: std::slice::from_ref(&self.scope),
            ids: &ids,
        };
        let mut memories = sound(self.engine.store.snapshot()?.memories(query)?)?;
        memories.retain(|memory| memory.state == State::Live);
        Ok(memories)
    }

    fn in_index<Id>(&self, ask: impl Fn(&ScopeIndex) -> Vec<Id>) -> Result<Vec<Id>, Error> {
        let scopes = std::slice::from_ref(&self.scope);
        let of_own = |indexes: &[&ScopeIndex]| indexes.first().map(|index| ask(index));
        let store = self.engine.store.as_ref();
        let found = self.engine.indexes.with(store, scopes, of_own)?;
        Ok(found.unwrap_or_default())
    }
}

/// Whether a text speaks of something as the user's own: "my salary" is, "the salary I read about" is not.
fn names_as_own(text: &str, trace: &Trace, teller: Teller) -> bool {
    let owner = match teller {
        Teller::User => ["my ", "our "],
        Teller::Other | Teller::OtherNearby | Teller::Agent => ["your ", "user's "],
    };
    let mut sentences = telling_sentences(text, trace, teller);
    sentences.any(|sentence| {
        let lower = sentence.to_lowercase();
        let own = owner.iter().flat_map(|owner| lower.match_indices(owner));
        let behind = own.filter_map(|(at, owner)| lower.get(at + owner.len()..));
        let named = behind.map(|rest| {
            rest.split_inclusive(' ')
                .take(OWN_WORDS)
                .collect::<String>()
        });
        named.into_iter().any(|words| trace.is_in(&words))
    })
}

/// Who tells what a memory states; `None` for what was read somewhere. A block of the profile is about the user whatever
/// its words.
fn teller_of(memory: &Memory) -> Option<Teller> {
    let is_block = memory.fact_key().is_some_and(|key| key.entity() == BLOCK);
    match memory.origin {
        Origin::User | Origin::Agent if is_block => Some(Teller::OtherNearby),
        Origin::User => Some(Teller::User),
        Origin::Agent => Some(Teller::Agent),
        Origin::Operator | Origin::Tool | Origin::Document | Origin::Web | Origin::Import => None,
    }
}

/// A text as rules read it, and whom "I" stands for in it.
fn heard_as(text: &str, turn: &Turn, gone: &Gone, teller: Teller) -> (String, String) {
    let user = || "user".to_owned();
    match teller {
        Teller::User => {
            let me = gone.fact.as_ref().map(|(key, _)| speaker_in(key, turn));
            (text.to_owned(), me.unwrap_or_else(user))
        }
        Teller::Other | Teller::OtherNearby | Teller::Agent => (as_said_by_the_user(text), user()),
    }
}

/// Whom "I" stands for in a turn about a fact: the speaker where the key is about one, else the user.
fn speaker_in(key: &FactKey, turn: &Turn) -> String {
    let speaker = turn.message.speaker_or_role().to_lowercase();
    if key.entity().starts_with(&speaker) {
        speaker
    } else {
        "user".to_owned()
    }
}
