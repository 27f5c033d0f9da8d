//! A consistent view of the file: the port's reading half.

use memoriter_core::forget::Remains;
use memoriter_core::id::{ChangeNumber, MemoryId, TurnId};
use memoriter_core::memory::{Memory, State};
use memoriter_core::port::ModelName;
use memoriter_core::scope::Scope;
use memoriter_core::turn::{SessionName, Turn};
use rusqlite::{Connection, Row, params};

use super::bound::Growing;
use super::fault::{explain, words};
use super::fetch::{self, Record, fetch, fetch_sound, sort_in};
use super::head::read_head;
use super::keys::Keys;
use super::locate::{self, Identified, Stretch};
use super::pool::Reader;
use super::view::View;
use super::write::find_scope;
use super::{index_feed, log, remains, summary, verify};
use crate::error::StoreError;
use crate::store::{
    Change, Changed, Damage, DamagedRow, IndexChange, MemoryQuery, Page, RecordRef, RowKind, Rows,
    ScopeSummary, ScopeTotals, SessionSummary, Snapshot, TurnQuery, VerifyReport,
};

/// A read transaction on a connection of its own.
pub(super) struct SqliteSnapshot<'a> {
    reader: Reader<'a>,
    keys: &'a Keys,
    head: ChangeNumber,
}

impl<'a> SqliteSnapshot<'a> {
    /// Begins to see the file as it is now.
    pub(super) fn begin(reader: Reader<'a>, keys: &'a Keys) -> Result<Self, StoreError> {
        let begun = begin(reader.connection())
            .map_err(|error| explain(&error, reader.path(), "reading"))?;
        // After that: the keys of what it sees are in the file by now.
        keys.refresh()?;
        Ok(Self {
            head: begun,
            reader,
            keys,
        })
    }

    pub(super) fn connection(&self) -> &Connection {
        self.reader.connection()
    }

    /// Scopes of an encrypted store whose key is gone: they have none, or another that was made since, with which not one
    /// of their memories and turns opens.
    pub(super) fn keyless_scopes(&self) -> Result<Vec<Scope>, StoreError> {
        let mut keyless = Vec::new();
        if !self.keys.is_encrypted() {
            return Ok(keyless);
        }
        for summary in self.told(summary::scopes(self.connection()))? {
            let is_keyless =
                self.keys.is_without(&summary.scope.to_json()) || self.opens_nothing(&summary)?;
            keyless.extend(is_keyless.then_some(summary.scope));
        }
        Ok(keyless)
    }

    fn opens_nothing(&self, summary: &ScopeSummary) -> Result<bool, StoreError> {
        let memories: u64 = summary.memories.iter().map(|(_, count)| count).sum();
        let all = memories + summary.turns;
        let damaged = self.damaged(&summary.scope)?;
        let counted = |row: &DamagedRow| matches!(row.kind, RowKind::Memory | RowKind::Turn);
        let closed = damaged.iter().filter(|(row, _)| counted(row)).count() as u64;
        Ok(all > 0 && closed == all)
    }

    /// The connection with the keys.
    pub(super) fn view(&self) -> View<'_> {
        View {
            connection: self.connection(),
            keys: self.keys,
        }
    }

    pub(super) fn secret(&self) -> &[u8; 32] {
        self.keys.secret()
    }

    pub(super) fn told<T>(&self, result: rusqlite::Result<T>) -> Result<T, StoreError> {
        result.map_err(|error| explain(&error, self.reader.path(), "reading"))
    }

    pub(super) fn by_ids<T: Identified>(
        &self,
        scopes: &[Scope],
        ids: impl Iterator<Item = [u8; 16]>,
        has_id: impl Fn(&T, &[u8; 16]) -> bool,
    ) -> Rows<T> {
        let mut rows = Rows {
            rows: Vec::new(),
            damaged: Vec::new(),
        };
        let ids: Vec<[u8; 16]> = ids.collect();
        for ids in ids.chunks(fetch::TOGETHER) {
            let sound = fetch_sound::<T>(self.view(), ids);
            for (id, sound) in ids.iter().zip(sound) {
                match sound.filter(|record| has_id(record, id)) {
                    Some(record) if scopes.contains(record.scope()) => rows.rows.push(record),
                    Some(_) => {}
                    None => self.by_id(&mut rows, scopes, id, &has_id),
                }
            }
        }
        rows
    }

    /// A record that did not come as it should: there is none, or it is damaged.
    fn by_id<T: Identified>(
        &self,
        rows: &mut Rows<T>,
        scopes: &[Scope],
        id: &[u8; 16],
        has_id: impl Fn(&T, &[u8; 16]) -> bool,
    ) {
        match locate::by_id::<T>(self.connection(), id) {
            Ok(None) => {}
            Ok(Some(row)) => match fetch(self.view(), row, |record| has_id(record, id)) {
                Ok(record) if !scopes.contains(record.scope()) => {}
                fetched => sort_in(rows, fetched),
            },
            Err(error) => rows.damaged.push(Damage {
                record: format!("{} {}", T::TABLE, MemoryId::from_bytes(*id)),
                why: words(&error),
            }),
        }
    }

    pub(super) fn all<T: Record>(&self, rows: &[i64], expected: impl Fn(&T) -> bool) -> Rows<T> {
        let mut found = Rows {
            rows: Vec::new(),
            damaged: Vec::new(),
        };
        for row in rows {
            sort_in(&mut found, fetch(self.view(), *row, &expected));
        }
        found
    }

    /// Turns of a session, and of those that it goes on from.
    fn turns_of(
        &self,
        scope: &Scope,
        session: &SessionName,
        find: impl FnOnce(&Connection, &[Stretch]) -> rusqlite::Result<Vec<i64>>,
    ) -> Result<Rows<Turn>, StoreError> {
        let stretches = self.told(locate::stretches(self.connection(), scope, session))?;
        let rows = self.told(find(self.connection(), &stretches))?;
        let is_in = |turn: &Turn| {
            let mut names = stretches.iter().map(|stretch| stretch.name.as_str());
            turn.scope == *scope && names.any(|name| name == turn.session.as_str())
        };
        Ok(self.all(&rows, is_in))
    }

    /// A page is filled with sound memories, so that an empty one is the end.
    fn page(
        &self,
        scope: &Scope,
        states: &[State],
        page: Page,
    ) -> Result<Rows<Memory>, StoreError> {
        let mut found = Rows {
            rows: Vec::new(),
            damaged: Vec::new(),
        };
        let Some(scope_row) = self.told(find_scope(self.connection(), &scope.to_json()))? else {
            return Ok(found);
        };
        let mut after = match page.after {
            None => 0,
            Some(id) => self
                .told(locate::in_scope(self.connection(), scope_row, id))?
                .ok_or(StoreError::NoSuchMemory { id })?,
        };
        let expected = |memory: &Memory| {
            memory.scope == *scope && (states.is_empty() || states.contains(&memory.state))
        };
        loop {
            let wanted = page.limit - found.rows.len();
            let rows = self.told(locate::page(
                self.connection(),
                scope_row,
                states,
                after,
                wanted,
            ))?;
            for row in &rows {
                sort_in(&mut found, fetch(self.view(), *row, expected));
            }
            match rows.last() {
                Some(last) if found.rows.len() < page.limit => after = *last,
                Some(_) | None => return Ok(found),
            }
        }
    }
}

fn begin(connection: &Connection) -> rusqlite::Result<ChangeNumber> {
    connection.prepare_cached("BEGIN")?.execute([])?;
    read_head(connection)
}

impl Snapshot for SqliteSnapshot<'_> {
    fn head(&self) -> Result<ChangeNumber, StoreError> {
        Ok(self.head)
    }

    fn changes(
        &self,
        scope: &Scope,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<Change>, StoreError> {
        self.told(changes(self.connection(), scope, after, limit))
    }

    fn memories(&self, query: MemoryQuery<'_>) -> Result<Rows<Memory>, StoreError> {
        match query {
            MemoryQuery::Ids { scopes, ids } => Ok(self.by_ids(
                scopes,
                ids.iter().map(|id| *id.as_bytes()),
                |memory: &Memory, id| memory.id.as_bytes() == id,
            )),
            MemoryQuery::Key { scope, key } => {
                let rows = self.told(locate::by_key(self.view(), scope, key))?;
                Ok(self.all(&rows, |memory: &Memory| {
                    memory.scope == *scope && memory.fact_key() == Some(key)
                }))
            }
            MemoryQuery::From { scopes, sources } => {
                let rows = self.told(locate::by_source(self.connection(), sources))?;
                let mut found = self.all(&rows, |_: &Memory| true);
                found.rows.retain(|memory| scopes.contains(&memory.scope));
                Ok(found)
            }
            MemoryQuery::SamePlace(sought) => {
                let row = self.told(locate::by_place(self.view(), sought))?;
                Ok(self.all(row.as_slice(), |memory: &Memory| {
                    memory.scope == sought.scope
                        && memory.state == State::Live
                        && memory.place() == sought.place()
                }))
            }
            MemoryQuery::Scope {
                scope,
                states,
                page,
            } => self.page(scope, states, page),
        }
    }

    fn turns(&self, query: TurnQuery<'_>) -> Result<Rows<Turn>, StoreError> {
        match query {
            TurnQuery::Ids { scopes, ids } => Ok(self.by_ids(
                scopes,
                ids.iter().map(|id| *id.as_bytes()),
                |turn: &Turn, id| turn.id.as_bytes() == id,
            )),
            TurnQuery::Session {
                scope,
                session,
                from,
                limit,
            } => self.turns_of(scope, session, |connection, stretches| {
                locate::by_session(connection, stretches, from, limit)
            }),
            TurnQuery::InRole {
                scope,
                session,
                role,
            } => {
                let mut rows = self.turns_of(scope, session, |connection, stretches| {
                    locate::in_role(connection, stretches, role)
                })?;
                rows.rows.retain(|turn| turn.message.role == role);
                Ok(rows)
            }
            TurnQuery::Last {
                scope,
                session,
                limit,
            } => self.turns_of(scope, session, |connection, stretches| {
                locate::last_of_session(connection, stretches, limit)
            }),
        }
    }

    fn index_changes(
        &self,
        scope: &Scope,
        model: &ModelName,
        after: ChangeNumber,
        sink: &mut dyn FnMut(IndexChange<'_>),
    ) -> Result<(), StoreError> {
        self.told(index_feed::feed(self.view(), (scope, model, after), sink))
    }

    fn sessions(&self, scope: &Scope) -> Result<Vec<SessionSummary>, StoreError> {
        self.told(summary::sessions(self.connection(), scope))
    }

    fn scopes(&self) -> Result<Vec<ScopeSummary>, StoreError> {
        self.told(summary::scopes(self.connection()))
    }

    fn scopes_within(&self, scope: &Scope) -> Result<Vec<Scope>, StoreError> {
        self.told(summary::scopes_within(self.connection(), Some(scope)))
    }

    fn totals(&self, scope: &Scope) -> Result<ScopeTotals, StoreError> {
        self.told(summary::totals(self.connection(), scope))
    }

    fn damaged(&self, scope: &Scope) -> Result<Vec<(DamagedRow, Remains)>, StoreError> {
        self.told(remains::of_scope(self.view(), scope))
    }

    fn verify(&self) -> Result<VerifyReport, StoreError> {
        let mut report = verify::verify(self.view(), self.head);
        report.problems.extend(log::check(self.reader.path()));
        Ok(report)
    }
}

fn changes(
    connection: &Connection,
    scope: &Scope,
    after: ChangeNumber,
    limit: usize,
) -> rusqlite::Result<Vec<Change>> {
    let Some(scope) = find_scope(connection, &scope.to_json())? else {
        return Ok(Vec::new());
    };
    let sql =
        "SELECT feed.change, memory.id, turn.id, session.name, field.name, feed.kind = 4 FROM feed
        LEFT JOIN memory ON feed.kind = 0 AND memory.row = feed.record
        LEFT JOIN turn ON feed.kind = 1 AND turn.row = feed.record
        LEFT JOIN field ON feed.kind = 2 AND field.row = feed.record
        LEFT JOIN session ON (feed.kind = 2 AND session.row = field.session)
            OR (feed.kind = 3 AND session.row = feed.record)
        WHERE feed.scope = ?1 AND feed.change > ?2 ORDER BY feed.change LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let parameters = params![scope, super::write::signed(after), locate::bounded(limit)];
    let mut rows = statement.query(parameters)?;
    let (mut found, mut growing) = (Vec::new(), Growing::above(super::write::signed(after)));
    while let Some(row) = rows.next()? {
        growing.next(row.get(0)?)?;
        let number = ChangeNumber(row.get::<_, u64>(0)?);
        // What is gone, or has no name that is one, `verify` tells of.
        if let Some(what) = changed(row)? {
            found.push(Change { number, what });
        }
    }
    Ok(found)
}

/// What a line of the feed is about.
fn changed(row: &Row<'_>) -> rusqlite::Result<Option<Changed>> {
    let of_memory = row.get::<_, Option<[u8; 16]>>(1)?.map(|id| {
        let id = MemoryId::from_bytes(id);
        Changed::Record(RecordRef::Memory(id))
    });
    let of_turn = row.get::<_, Option<[u8; 16]>>(2)?.map(|id| {
        let id = TurnId::from_bytes(id);
        Changed::Record(RecordRef::Turn(id))
    });
    let session: Option<String> = row.get(3)?;
    let session = session.and_then(|name| SessionName::new(name).ok());
    let field: Option<String> = row.get(4)?;
    let of_session = session.map(|session| match field {
        Some(name) => Changed::Field { session, name },
        None => Changed::Mode(session),
    });
    let of_gone = row.get::<_, bool>(5)?.then_some(Changed::Erased);
    Ok(of_memory.or(of_turn).or(of_session).or(of_gone))
}
