//! The state of a session: fields that code reads directly.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use memoriter_core::access::Right;
use memoriter_core::board::{self, BoardError, Field, FieldType, FieldWrite, Guarded, MergeRule};
use memoriter_core::id::{ChangeNumber, MemoryId};
use memoriter_core::memory::{FactKey, Memory, State};
use memoriter_core::provenance::SourceRef;
use memoriter_core::scope::Scope;
use memoriter_core::time::Timestamp;
use memoriter_core::turn::SessionName;
use memoriter_store::{FieldQuery, Rows, StoreError, Write};
use serde_json::{Map, Value};

use crate::desk::Session;
use crate::draft::sound;
use crate::error::Error;
use crate::guarded::masked_json;
use crate::handle::ScopedMemory;
use crate::import::parse_exact_json;

/// How often a write is tried while other processes are faster. Callers of this process take turns.
const ATTEMPTS_MAX: usize = 64;

/// The board of a session. Cheap to make; nothing is read before it is asked for.
///
/// ```
/// use memoriter::{Memoriter, Scope};
/// use serde_json::json;
/// # let folder = tempfile::tempdir()?;
/// # let memory = Memoriter::open(folder.path().join("memory.db"))?;
/// let session = memory.scope(Scope::user("priya")).session("s1");
/// session.state().set("order_id", json!("A-17"))?;
/// session.state().append("steps", json!("paid"))?;
/// let steps = session.state().append("steps", json!("packed"))?;
/// assert_eq!((steps.value, steps.revision), (Some(json!(["paid", "packed"])), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Board {
    memory: ScopedMemory,
    session: String,
    actor: Option<String>,
}

/// A memory whose value moves into a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// This one.
    Memory(MemoryId),
    /// The live one under a key, in the innermost visible scope that has one.
    Key(FactKey),
}

impl Session {
    /// The state of this session.
    #[must_use]
    pub fn state(&self) -> Board {
        Board {
            memory: self.memory.clone(),
            session: self.name.clone(),
            actor: self.memory.actor(),
        }
    }
}

impl ScopedMemory {
    /// Who writes through this handle, where nobody says otherwise: the agent of the scope.
    fn actor(&self) -> Option<String> {
        let segments: Vec<&str> = self.scope.segments().collect();
        match segments.as_slice() {
            [.., "agent", name] => Some((*name).to_owned()),
            _ => None,
        }
    }
}

/// Forgetting.
impl ScopedMemory {
    /// Empties the fields, of boards here and of agents inside, that were copied from something that goes.
    pub(crate) fn fields_without(
        &self,
        gone: &BTreeSet<SourceRef>,
        now: Timestamp,
    ) -> Result<Vec<Write>, Error> {
        let mut writes = Vec::new();
        if gone.is_empty() {
            return Ok(writes);
        }
        let snapshot = self.engine.store.snapshot()?;
        for scope in snapshot.scopes_within(&self.scope)? {
            for session in snapshot
                .sessions(&scope)?
                .iter()
                .map(|session| &session.name)
            {
                let scope = &scope;
                let copied = |field: &Field| {
                    field.value.is_some() && field.source.is_some_and(|of| gone.contains(&of))
                };
                let fields = snapshot.fields(FieldQuery::Board { scope, session })?.rows;
                for field in fields.into_iter().filter(copied) {
                    let guarded = Guarded {
                        actor: field.terms.owner.clone(),
                        expected_revision: None,
                    };
                    writes.push(Write::PutField {
                        field: Box::new(board::remove(&field.name, Some(&field), guarded, now)?),
                        read_at: Some(field.change),
                    });
                }
            }
        }
        Ok(writes)
    }
}

impl Board {
    /// Says who writes; the agent of the scope, or nobody, unless it is said.
    #[must_use]
    pub fn by(mut self, actor: impl Into<String>) -> Self {
        self.actor = Some(actor.into());
        self
    }

    /// A field; `None` where there is none.
    ///
    /// # Errors
    /// When the field is damaged, or the store cannot be read.
    pub fn get(&self, name: &str) -> Result<Option<Field>, Error> {
        self.memory.may(Right::Read)?;
        let row = self.row(&self.name()?, name)?;
        Ok(row.filter(|field| field.value.is_some()))
    }

    /// Every field, by name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn list(&self) -> Result<Rows<Field>, Error> {
        self.memory.may(Right::Read)?;
        let snapshot = self.memory.engine.store.snapshot()?;
        Ok(snapshot.fields(FieldQuery::Board {
            scope: &self.memory.scope,
            session: &self.name()?,
        })?)
    }

    /// Fields that were written or removed after a change, in the order of their last change, at most `limit`: whoever
    /// asks again with the change of the last one misses nothing.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn changes(&self, after: ChangeNumber, limit: usize) -> Result<Rows<Field>, Error> {
        self.memory.may(Right::Read)?;
        let snapshot = self.memory.engine.store.snapshot()?;
        Ok(snapshot.fields(FieldQuery::Changed {
            scope: &self.memory.scope,
            session: &self.name()?,
            after,
            limit,
        })?)
    }

    /// Writes a value by the field's own rule: unless it was declared otherwise, in the place of the old one.
    ///
    /// # Errors
    /// As [`Board::write`].
    pub fn set(&self, name: &str, value: Value) -> Result<Field, Error> {
        self.memory.may(Right::Write)?;
        self.write(FieldWrite::new(name, value))
    }

    /// Adds an item to a list.
    ///
    /// # Errors
    /// As [`Board::write`].
    pub fn append(&self, name: &str, item: Value) -> Result<Field, Error> {
        self.memory.may(Right::Write)?;
        self.merge(name, item, MergeRule::Append)
    }

    /// Writes a value by a rule.
    ///
    /// # Errors
    /// As [`Board::write`].
    pub fn merge(&self, name: &str, value: Value, rule: MergeRule) -> Result<Field, Error> {
        self.memory.may(Right::Write)?;
        self.write(FieldWrite {
            rule: Some(rule),
            ..FieldWrite::new(name, value)
        })
    }

    /// Writes a field, with every condition that there is, and returns it as it is kept. Durable when it returns.
    /// Secrets in the value are masked. Somebody else's write in between is merged with; only where the write names an
    /// expected revision is it an error.
    ///
    /// # Errors
    /// [`Error::Board`] when the field stays as it was: another revision, owner, type or rule, or a limit; or when the
    /// store fails.
    pub fn write(&self, mut request: FieldWrite) -> Result<Field, Error> {
        self.memory.may(Right::Write)?;
        request.value = self.masked(&request.name, request.value);
        request.guarded.actor = request.guarded.actor.or_else(|| self.actor.clone());
        let session = self.name()?;
        self.change(&session, &request.name, |known| {
            let now = self.memory.engine.clock.now();
            let place = (&self.memory.scope, &session);
            board::write(place, known, request.clone(), now)
        })
    }

    /// Removes a field. Its revision goes on where it is written again.
    ///
    /// # Errors
    /// As [`Board::write`], or when there is no such field.
    pub fn remove(&self, name: &str, expected_revision: Option<u64>) -> Result<Field, Error> {
        self.memory.may(Right::Write)?;
        let session = self.name()?;
        self.change(&session, name, |known| {
            let now = self.memory.engine.clock.now();
            let guarded = Guarded {
                actor: self.actor.clone(),
                expected_revision,
            };
            board::remove(name, known, guarded, now).map(Some)
        })
    }

    /// Copies the value of a live memory into a field, which says where it comes from. A field that holds numbers or
    /// bools reads them from the text of the memory.
    ///
    /// # Errors
    /// [`Error::NotLive`] for a memory that is not believed, such as one that waits for a person;
    /// [`Error::NotOneValue`] where a key has no live value or several; otherwise as [`Board::write`].
    pub fn take(&self, name: &str, from: &Taken) -> Result<Field, Error> {
        self.memory.may(Right::Write)?;
        let memory = self.taken(from)?;
        if memory.state != State::Live {
            return Err(Error::NotLive {
                id: memory.id,
                state: memory.state.as_str(),
            });
        }
        let text = memory.value_or_statement();
        let kind = self.get(name)?.map(|field| field.terms.kind);
        let text_value = || Value::String(text.to_owned());
        let value = match kind {
            Some(FieldType::Number | FieldType::Bool) => {
                parse_exact_json(text).unwrap_or_else(|_| text_value())
            }
            Some(FieldType::Any | FieldType::String | FieldType::List | FieldType::Object)
            | None => text_value(),
        };
        self.write(FieldWrite {
            source: Some(SourceRef::Memory(memory.id)),
            ..FieldWrite::new(name, value)
        })
    }

    fn taken(&self, from: &Taken) -> Result<Memory, Error> {
        let key = match from {
            Taken::Memory(id) => return self.memory.get(*id),
            Taken::Key(key) => key,
        };
        let versions = self.memory.history_of_key(key)?;
        let of_scope = |scope: &Scope| {
            let live = versions.iter().filter(move |memory: &&Memory| {
                memory.state == State::Live && memory.scope == *scope
            });
            live.collect::<Vec<_>>()
        };
        let live = self.memory.visible.iter().map(of_scope);
        let live = live
            .into_iter()
            .find(|live: &Vec<&Memory>| !live.is_empty());
        match live.as_deref() {
            Some([memory]) => Ok((*memory).clone()),
            Some(several) => Err(Error::NotOneValue {
                key: key.to_string(),
                count: several.len(),
            }),
            None => Err(Error::NotOneValue {
                key: key.to_string(),
                count: 0,
            }),
        }
    }

    fn name(&self) -> Result<SessionName, Error> {
        Ok(SessionName::new(self.session.as_str())?)
    }

    /// The row of a field, also of a removed one.
    fn row(&self, session: &SessionName, name: &str) -> Result<Option<Field>, Error> {
        let snapshot = self.memory.engine.store.snapshot()?;
        let rows = snapshot.fields(FieldQuery::Named {
            scope: &self.memory.scope,
            session,
            name,
        })?;
        Ok(sound(rows)?.into_iter().next())
    }

    /// Decides on a field as it is and writes what was decided, again while others are faster.
    fn change(
        &self,
        session: &SessionName,
        name: &str,
        decide: impl Fn(Option<&Field>) -> Result<Option<Field>, BoardError>,
    ) -> Result<Field, Error> {
        let engine = &self.memory.engine;
        let mut hasher = DefaultHasher::new();
        (&self.memory.scope, session, name).hash(&mut hasher);
        let _turn = engine.lock_number(hasher.finish());
        let mut conflict = None;
        for _ in 0..ATTEMPTS_MAX {
            let known = self.row(session, name)?;
            let Some(field) = decide(known.as_ref())? else {
                return Ok(known.expect("only a field that is there can stay as it is"));
            };
            let read_at = known.map(|known| known.change);
            let put = Write::PutField {
                field: Box::new(field.clone()),
                read_at,
            };
            match engine.commit(vec![put]) {
                Ok(committed) => {
                    let change = committed.outcomes.first().and_then(changed_at);
                    return Ok(Field {
                        change: change.unwrap_or_default(),
                        ..field
                    });
                }
                Err(Error::Store(error @ StoreError::FieldConflict { .. })) => {
                    conflict = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(conflict
            .expect("the loop ran and every other outcome returned")
            .into())
    }

    /// The value with its secrets masked; the name of a field says what its value is.
    fn masked(&self, name: &str, value: Value) -> Value {
        let named = Map::from_iter([(name.to_owned(), value.clone())]);
        let masked = masked_json(&self.memory.engine.guard, &Value::Object(named));
        let values = masked.as_object().and_then(|fields| fields.values().next());
        values.cloned().unwrap_or(value)
    }
}

/// The change number that a write was given.
fn changed_at(outcome: &memoriter_store::Outcome) -> Option<ChangeNumber> {
    use memoriter_store::Outcome;
    match outcome {
        Outcome::Changed(change) => Some(*change),
        Outcome::Turn(_) | Outcome::Saved(_) | Outcome::Erased(_) | Outcome::Noted => None,
    }
}
