//! What sessions have to do with long-term memory.

use std::collections::BTreeMap;

use memoriter_core::access::Right;
use memoriter_core::session::Mode;
use memoriter_core::turn::SessionName;
use memoriter_store::{Snapshot, Write};

use crate::desk::Session;
use crate::error::Error;
use crate::handle::ScopedMemory;

impl Session {
    /// What is kept of the session: [`Mode::Full`] until somebody says otherwise.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn kept_mode(&self) -> Result<Mode, Error> {
        self.memory.may(Right::Read)?;
        self.mode_in_store()
    }

    fn mode_in_store(&self) -> Result<Mode, Error> {
        let snapshot = self.memory.engine.store.snapshot()?;
        self.memory.mode_of(snapshot.as_ref(), &self.name()?)
    }

    /// Whether there is a session of this name: something was said in it, or is kept of it.
    ///
    /// # Errors
    /// When the name is not one, or the store cannot be read.
    pub fn is_kept(&self) -> Result<bool, Error> {
        self.memory.may(Right::Read)?;
        let snapshot = self.memory.engine.store.snapshot()?;
        let row = snapshot.session(&self.memory.scope, &self.name()?)?;
        Ok(row.is_some())
    }

    /// Keeps a mode with the session, for every caller from now on. In [`Mode::NoMemory`] its turns are not recalled
    /// from anywhere; with another mode they are again. What was remembered from it before stays.
    ///
    /// # Errors
    /// When the session's name is not one, or the store fails.
    pub fn set_mode(&self, mode: Mode) -> Result<(), Error> {
        self.memory.may(Right::Write)?;
        let set = Write::SetMode {
            scope: self.memory.scope.clone(),
            session: self.name()?,
            mode,
        };
        self.memory.engine.commit(vec![set])?;
        Ok(())
    }

    /// The mode that holds for this handle: of its own and the kept one that which has less.
    pub(crate) fn mode_now(&self) -> Result<Mode, Error> {
        Ok(self.mode.max(self.mode_in_store()?))
    }

    /// Keeps the mode of this handle with a session that is not there yet.
    pub(crate) fn keep_mode_of_new(&self) -> Result<(), Error> {
        let snapshot = self.memory.engine.store.snapshot()?;
        let row = snapshot.session(&self.memory.scope, &self.name()?)?;
        drop(snapshot);
        if row.is_none() && self.mode != Mode::Full {
            self.set_mode(self.mode)?;
        }
        Ok(())
    }
}

impl ScopedMemory {
    fn mode_of(&self, snapshot: &dyn Snapshot, name: &SessionName) -> Result<Mode, Error> {
        let row = snapshot.session(&self.scope, name)?;
        Ok(row.map_or_else(Mode::default, |row| row.mode))
    }

    /// The kept mode of each of these sessions.
    pub(crate) fn modes_of<'n>(
        &self,
        names: impl IntoIterator<Item = &'n SessionName>,
    ) -> Result<BTreeMap<SessionName, Mode>, Error> {
        let snapshot = self.engine.store.snapshot()?;
        let mut modes = BTreeMap::new();
        for name in names {
            if !modes.contains_key(name) {
                let mode = self.mode_of(snapshot.as_ref(), name)?;
                modes.insert(name.clone(), mode);
            }
        }
        Ok(modes)
    }
}
