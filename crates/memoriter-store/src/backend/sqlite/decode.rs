//! From columns to fields. Whatever a file holds, decoding ends in a record or in words that say why not.

use memoriter_core::error::InvalidInput;
use memoriter_core::id::{ChangeNumber, MemoryId, TurnId};
use memoriter_core::memory::Cardinality;
use memoriter_core::provenance::SourceRef;
use memoriter_core::scope::Scope;
use memoriter_core::time::{Timestamp, ZonedTime};
use rusqlite::Row;
use rusqlite::types::{FromSql, ValueRef};
use serde_json::Value;

use super::cipher::Binding;
use super::fault::words;
use super::keys::{Cover, Keys, Opened};
use super::parts::Parts;

/// Why a row is no record.
#[derive(Debug)]
pub(super) struct Undecodable(pub(super) String);

impl From<InvalidInput> for Undecodable {
    fn from(error: InvalidInput) -> Self {
        // The value itself is somebody's data and stays out of messages.
        if let InvalidInput::Malformed {
            field, expected, ..
        } = &error
        {
            return Self(format!("{field} is not {expected}"));
        }
        Self(error.to_string())
    }
}

impl From<rusqlite::Error> for Undecodable {
    fn from(error: rusqlite::Error) -> Self {
        Self(words(&error))
    }
}

/// The scope of the row before, which is mostly that of the next.
#[derive(Default)]
pub(super) struct LastScope(Option<(String, Scope, Cover)>);

impl LastScope {
    /// The scope of this text, and how its content lies in the store.
    pub(super) fn or_read(
        &mut self,
        keys: &Keys,
        json: &str,
    ) -> Result<(Scope, Cover), Undecodable> {
        if let Some((known, scope, cover)) = &self.0
            && known == json
        {
            return Ok((scope.clone(), cover.clone()));
        }
        let (scope, cover) = (Scope::from_json(json)?, keys.of(json));
        self.0 = Some((json.to_owned(), scope.clone(), cover.clone()));
        Ok((scope, cover))
    }
}

/// Reads the columns of a row from left to right.
pub(super) struct Columns<'r> {
    row: &'r Row<'r>,
    at: usize,
    /// What is encrypted of the columns of content that follow; `None` where they hold it themselves.
    opened: Option<Parts<'r>>,
}

impl<'r> Columns<'r> {
    pub(super) fn new(row: &'r Row<'r>) -> Self {
        Self {
            row,
            at: 0,
            opened: None,
        }
    }

    /// The columns but the first.
    pub(super) fn after_key(row: &'r Row<'r>) -> Self {
        Self {
            row,
            at: 1,
            opened: None,
        }
    }

    /// The next column, a ciphertext, opened: it goes to [`Columns::with`].
    pub(super) fn open(
        &mut self,
        cover: &Cover,
        binding: &Binding<'_>,
    ) -> Result<Opened, Undecodable> {
        let at = self.at;
        let cipher = self.value()?.as_blob_or_null();
        let cipher = cipher.map_err(|error| Undecodable(format!("column {at}: {error}")))?;
        cover.open(binding, cipher)
    }

    /// The columns from here on, with what was encrypted of those that are content.
    pub(super) fn with<'s>(self, opened: &'s Opened) -> Columns<'s>
    where
        'r: 's,
    {
        Columns {
            row: self.row,
            at: self.at,
            opened: opened.parts(),
        }
    }

    /// The next column, which is content.
    pub(super) fn content(&mut self) -> Result<Option<&'r str>, Undecodable> {
        let shown = self.optional_text()?;
        let Some(parts) = &mut self.opened else {
            return Ok(shown);
        };
        let text = parts.next()?;
        if shown.is_some() == text.is_some() {
            Ok(text)
        } else {
            let at = self.at - 1;
            Err(Undecodable(format!("column {at} is not what is encrypted")))
        }
    }

    /// The next column, which is content that a row always has.
    pub(super) fn some_content(&mut self) -> Result<&'r str, Undecodable> {
        self.content()?
            .ok_or_else(|| Undecodable(format!("column {} is empty", self.at - 1)))
    }

    /// The next column, which is content, as its own.
    pub(super) fn own_content(&mut self) -> Result<Option<String>, Undecodable> {
        Ok(self.content()?.map(str::to_owned))
    }

    /// What is encrypted and in no column of the row.
    pub(super) fn beside(&self) -> Option<Parts<'r>> {
        self.opened
    }

    /// The next column, borrowed from the row.
    pub(super) fn value(&mut self) -> Result<ValueRef<'r>, Undecodable> {
        let value = self.row.get_ref(self.at)?;
        self.at += 1;
        Ok(value)
    }

    /// The next column as a type that SQLite's values convert to.
    pub(super) fn get<T: FromSql>(&mut self) -> Result<T, Undecodable> {
        let at = self.at;
        T::column_result(self.value()?)
            .map_err(|error| Undecodable(format!("column {at}: {error}")))
    }

    /// Text, borrowed.
    pub(super) fn text(&mut self) -> Result<&'r str, Undecodable> {
        self.optional_text()?
            .ok_or_else(|| Undecodable(format!("column {} is empty", self.at - 1)))
    }

    /// Text or nothing, borrowed.
    pub(super) fn optional_text(&mut self) -> Result<Option<&'r str>, Undecodable> {
        let at = self.at;
        self.value()?
            .as_str_or_null()
            .map_err(|error| Undecodable(format!("column {at}: {error}")))
    }

    /// One of a closed set of words.
    pub(super) fn word<T>(
        &mut self,
        parse: fn(&str) -> Result<T, InvalidInput>,
    ) -> Result<T, Undecodable> {
        Ok(parse(self.text()?)?)
    }

    pub(super) fn time(&mut self) -> Result<Timestamp, Undecodable> {
        self.get().map(Timestamp::from_micros)
    }

    pub(super) fn optional_time(&mut self) -> Result<Option<Timestamp>, Undecodable> {
        Ok(self.get::<Option<i64>>()?.map(Timestamp::from_micros))
    }

    /// Two columns: instant and offset.
    pub(super) fn zoned(&mut self) -> Result<ZonedTime, Undecodable> {
        Ok(ZonedTime {
            instant: self.time()?,
            offset_seconds: self.get()?,
        })
    }

    /// Two columns, both there or neither.
    pub(super) fn optional_zoned(&mut self) -> Result<Option<ZonedTime>, Undecodable> {
        match (self.optional_time()?, self.get()?) {
            (Some(instant), Some(offset_seconds)) => Ok(Some(ZonedTime {
                instant,
                offset_seconds,
            })),
            (None, None) => Ok(None),
            (Some(_), None) | (None, Some(_)) => Err(Undecodable("a time lacks its offset".into())),
        }
    }

    pub(super) fn change(&mut self) -> Result<ChangeNumber, Undecodable> {
        let change: i64 = self.get()?;
        u64::try_from(change)
            .map(ChangeNumber)
            .map_err(|_| Undecodable("the change number is negative".into()))
    }

    pub(super) fn optional_memory_id(&mut self) -> Result<Option<MemoryId>, Undecodable> {
        Ok(self.get::<Option<[u8; 16]>>()?.map(MemoryId::from_bytes))
    }
}

/// JSON or nothing.
pub(super) fn json(text: Option<&str>) -> Result<Option<Value>, Undecodable> {
    text.map(serde_json::from_str)
        .transpose()
        .map_err(|error| Undecodable(error.to_string()))
}

/// The word for a cardinality in the file.
pub(super) fn cardinality_word(cardinality: Cardinality) -> &'static str {
    match cardinality {
        Cardinality::Single => "single",
        Cardinality::Set => "set",
    }
}

/// Reads [`cardinality_word`].
pub(super) fn cardinality(word: &str) -> Result<Cardinality, Undecodable> {
    match word {
        "single" => Ok(Cardinality::Single),
        "set" => Ok(Cardinality::Set),
        _ => Err(Undecodable("cardinality is not single or set".into())),
    }
}

/// Reads what says of a source which record it is: the code of the kind, and the id.
pub(super) fn source_ref(kind: i64, id: [u8; 16]) -> Result<SourceRef, Undecodable> {
    match kind {
        0 => Ok(SourceRef::Memory(MemoryId::from_bytes(id))),
        1 => Ok(SourceRef::Turn(TurnId::from_bytes(id))),
        _ => Err(Undecodable("a source is of no known kind".into())),
    }
}
