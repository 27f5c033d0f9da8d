//! What a command works with: the settings, and the store opened by them.

use std::path::Path;
use std::sync::Arc;

use memoriter::core::port::Clock;
use memoriter::core::time::{Timestamp, ZonedTime};
use memoriter::store::{MemoryStore, StoreError};
use memoriter::{
    Builder, Diagnose, Error, Memoriter, Restored, Scope, ScopedMemory, SeededEntropy, SystemClock,
};

use crate::clock::SetClock;
use crate::config::{ExtractBy, GlobalArgs, Making, Settings, ways};
use crate::failure::Failure;
use crate::{layout, output};

/// Turns that wait and are counted one by one.
const WAITING_MAX: usize = 1_000;

/// Settings and clock.
pub(crate) struct Context {
    pub(crate) settings: Settings,
    /// The answer goes to a program.
    pub(crate) is_json: bool,
    clock: Arc<dyn Clock>,
}

impl Context {
    /// Reads the settings.
    pub(crate) fn new(global: &GlobalArgs) -> Result<Self, Failure> {
        let settings = Settings::read(global)?;
        let clock: Arc<dyn Clock> = match settings.clock {
            Some(now) => Arc::new(SetClock::new(now)),
            None => Arc::new(SystemClock),
        };
        Ok(Self {
            settings,
            is_json: global.json,
            clock,
        })
    }

    /// The present.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The present as a time that something is said at.
    pub(crate) fn now_told(&self) -> ZonedTime {
        ZonedTime::utc(self.now())
    }

    /// Opens the tenant's store to write to it, or makes it.
    pub(crate) fn open(&self) -> Result<Memoriter, Failure> {
        make_folder(self.settings.folder()?)?;
        let opened = self
            .builder(Making::Allowed)?
            .open(self.settings.store_file()?);
        opened.map_err(not_opened)
    }

    /// Opens the tenant's store to write to it, or makes it; facts are found by what the call or else the settings
    /// say.
    pub(crate) fn open_to_extract(&self, by: Option<ExtractBy>) -> Result<Memoriter, Failure> {
        make_folder(self.settings.folder()?)?;
        let builder = self
            .settings
            .extracting(self.builder(Making::Allowed)?, by)?;
        builder
            .open(self.settings.store_file()?)
            .map_err(not_opened)
    }

    /// The same with a store that must be there.
    pub(crate) fn open_existing_to_extract(
        &self,
        by: Option<ExtractBy>,
    ) -> Result<Memoriter, Failure> {
        let builder = self
            .settings
            .extracting(self.builder(Making::Nothing)?, by)?;
        let opened = builder.open_existing(self.settings.store_file()?);
        opened.map_err(not_opened)
    }

    /// Opens another tenant's store to write to it, or makes it; facts are found by what the settings say.
    pub(crate) fn open_tenant(&self, tenant: &str) -> Result<Memoriter, Failure> {
        let its = Self {
            settings: self.settings.of_tenant(tenant)?,
            is_json: self.is_json,
            clock: Arc::clone(&self.clock),
        };
        its.open_to_extract(None)
    }

    /// Makes the folder of the stores.
    pub(crate) fn make_data_folder(&self) -> Result<(), Failure> {
        make_folder(self.settings.folder()?)
    }

    /// Opens the tenant's store, which must be there.
    pub(crate) fn open_existing(&self) -> Result<Memoriter, Failure> {
        let opened = self
            .builder(Making::Nothing)?
            .open_existing(self.settings.store_file()?);
        opened.map_err(not_opened)
    }

    /// Opens the tenant's store to list or find what is there: where there is none, nothing.
    pub(crate) fn open_or_empty(&self) -> Result<Memoriter, Failure> {
        match self
            .builder(Making::Nothing)?
            .open_existing(self.settings.store_file()?)
        {
            Err(error @ Error::Store(StoreError::NoStore { .. })) => {
                output::talk(&layout::escaped(&format!("{error} yet")));
                Ok(self
                    .builder(Making::Nothing)?
                    .over(Arc::new(MemoryStore::new([0; 32]))))
            }
            opened => opened.map_err(not_opened),
        }
    }

    /// Puts a backup into the place of the tenant's store.
    pub(crate) fn restore(
        &self,
        backup: &Path,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Restored, Failure> {
        let place = self.settings.store_file()?;
        let restored = self
            .builder(Making::Nothing)?
            .restore(backup, place, progress);
        restored.map_err(|error| {
            let hint = match error.code() {
                "in_use" => "end the programs that use the store, then restore again",
                "other_store" => {
                    "--tenant and --data say which store; memoriter export and import carry memories from one to another"
                }
                _ => return not_opened(error),
            };
            Failure::from(error).hint(hint)
        })
    }

    /// Says on standard error where the judge did not answer: what it was to compare was decided by words alone.
    pub(crate) fn tell_judge_failure(memory: &Memoriter) {
        if let Some(failure) = memory.take_judge_failure() {
            let told = format!("the judge did not answer, so words alone decided: {failure}");
            output::talk(&layout::escaped(&told));
        }
    }

    /// Says on standard error how many turns of a scope are taken to be read for facts or wait after a failure, and
    /// until when: whoever took them may have died.
    pub(crate) fn tell_waiting(&self, scope: &ScopedMemory) -> Result<(), Failure> {
        let mut waiting = scope.waiting_turns(WAITING_MAX + 1)?;
        waiting.retain(|extraction| extraction.due_at > self.now());
        let Some(due_at) = waiting.iter().map(|extraction| extraction.due_at).min() else {
            return Ok(());
        };
        let count = if waiting.len() > WAITING_MAX {
            format!("more than {WAITING_MAX} turns")
        } else {
            layout::count(waiting.len() as u64, "turn", "turns")
        };
        output::talk(&format!(
            "{count} not read for facts yet, taken until {due_at}; after that: memoriter work"
        ));
        Ok(())
    }

    fn builder(&self, making: Making) -> Result<Builder, Failure> {
        let mut builder = Memoriter::builder()
            .clock(Arc::clone(&self.clock))
            .embedder(self.settings.build_embedder()?)
            .guard(self.settings.guard.clone())
            .attributes(self.settings.attributes.clone())
            .decay(self.settings.decay)?;
        if let Some(seed) = self.settings.seed {
            builder = builder.entropy(Arc::new(SeededEntropy::new(seed)));
        }
        if let Some(bytes) = self.settings.index_bytes {
            builder = builder.index_bytes(bytes);
        }
        let store = self.settings.store_file()?;
        self.settings.encryption.give(builder, making, &store)
    }

    /// The scope that the settings name, in an open store.
    pub(crate) fn own_scope(&self, memory: &Memoriter) -> Result<ScopedMemory, Failure> {
        Ok(memory.scope(self.scope_of(&self.settings.user)?))
    }

    /// The scope of a user, and of the agent inside it where one is set.
    pub(crate) fn scope_of(&self, user: &str) -> Result<Scope, Failure> {
        let scope = Scope::from_segments(["user", user])?;
        match &self.settings.agent {
            Some(agent) => Ok(scope.within("agent", agent)?),
            None => Ok(scope),
        }
    }
}

/// Says what to do where a store cannot be opened.
fn not_opened(error: Error) -> Failure {
    let hint = match error.code() {
        "no_store" => {
            "memoriter remember TEXT and memoriter ingest FILE make one; --data and --tenant say where it is"
        }
        "read_only" => {
            "to write, change the rights of the file and its folder, or copy the file to a folder of yours"
        }
        "key_needed" => ways(),
        "wrong_key" => "the store was made with another key; nothing was changed",
        "no_keys" => {
            "put the file back that lay beside the store; without it nothing in the store can be read"
        }
        "not_encrypted" => {
            "without --encrypt, memoriter export FILE for each user; then memoriter import FILE with --encrypt and another \
             --data or --tenant"
        }
        "unread_log" => "copy the file and its log to a folder of yours and read them there",
        _ => return error.into(),
    };
    Failure::from(error).hint(hint)
}

/// Makes the folder for the owner alone. One that is there stays as it is.
fn make_folder(folder: &Path) -> Result<(), Failure> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let made = builder.create(folder);
    made.map_err(|error| {
        Failure::file(&error).within(&format!("making the folder {}", folder.display()))
    })
}
