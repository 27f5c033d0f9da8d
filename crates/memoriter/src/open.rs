//! Opening a store.

use std::path::Path;
use std::sync::Arc;

use memoriter_core::access::{Access, AccessDenied, Right};
use memoriter_core::error::InvalidInput;
use memoriter_core::extract::model::ModelExtractor;
use memoriter_core::fold::model::ModelFolder;
use memoriter_core::guard::{Guard, GuardPolicy};
use memoriter_core::id::ChangeNumber;
use memoriter_core::memory::Kind;
use memoriter_core::port::{
    Clock, Embedder, Entropy, Extractor, LanguageModel, ModelError, TokenCounter,
};
use memoriter_core::rank::decay::DecayPolicy;
use memoriter_core::scope::Scope;
use memoriter_core::write::AttributeRegistry;
use memoriter_core::write::judge::ModelJudge;
use memoriter_provider::embed::StaticTable;
use memoriter_provider::tokens::Estimate;
use memoriter_store::{
    Encryption, MasterKey, ScopeSummary, SqliteOptions, SqliteStore, Store, StoreError,
};

use crate::engine::{Engine, Extraction, Parts};
use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::model::{Metered, ModelPolicy};
use crate::system::{SystemClock, SystemEntropy};

/// Memory that indexes of all scopes may take together unless the builder says otherwise: enough for about
/// three million records.
pub const INDEX_BYTES_DEFAULT: usize = 1024 * 1024 * 1024;

/// An open store. Cheap to clone; every clone and handle shares one writer and one set of indexes.
#[derive(Clone)]
pub struct Memoriter {
    pub(crate) engine: Arc<Engine>,
    access: Access,
}

impl Memoriter {
    /// Opens the file at `path`, or makes it, with the built-in embedder.
    ///
    /// ```
    /// use memoriter::{Memoriter, Scope};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("memory.db");
    /// let memory = Memoriter::open(path)?;
    /// let priya = memory.scope(Scope::user("priya"));
    /// priya.remember("My exam is on 14 March")?;
    /// let hits = priya.recall("when is the exam?").top(5).run()?;
    /// assert_eq!(hits[0].text(), "My exam is on 14 March");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the file is not a store, is newer than this program, is damaged, or cannot be written or made.
    /// [`Builder::open_existing`] also reads what cannot be written.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::builder().open(path)
    }

    /// Everything that can be chosen about a store.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The memory of one scope: the access wall. What the handle reads lies in the scope or around it, what
    /// it writes lies in it.
    #[must_use]
    pub fn scope(&self, scope: Scope) -> ScopedMemory {
        ScopedMemory::granted(Arc::clone(&self.engine), scope, self.access.clone())
    }

    /// The same store for a caller who may do less: every handle that comes of it checks each call, and answers
    /// [`Error::Denied`] where the scope is outside or the right is missing. Whoever opens a store has every right.
    ///
    /// ```
    /// use memoriter::{Access, Memoriter, Right, Rights, Scope};
    /// # let folder = tempfile::tempdir()?;
    /// let memory = Memoriter::open(folder.path().join("memory.db"))?;
    /// let reader = memory.granted(Access::new(Some(Scope::user("priya")), Rights::of(&[Right::Read])));
    /// assert!(reader.scope(Scope::user("priya")).sessions().is_ok());
    /// assert!(reader.scope(Scope::user("priya")).remember("I like tea").is_err());
    /// assert!(reader.scope(Scope::user("emma")).sessions().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn granted(&self, access: Access) -> Self {
        Self {
            engine: Arc::clone(&self.engine),
            access,
        }
    }

    /// What this handle may do.
    #[must_use]
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// Whether this handle may do a kind of thing to the whole store.
    pub(crate) fn may(&self, right: Right) -> Result<(), Error> {
        if let Some(within) = self.access.within() {
            let scope = within.clone();
            return Err(AccessDenied::Store { scope }.into());
        }
        self.access.check(right)?;
        Ok(())
    }

    /// Every scope with its counts, in order. For operators: it looks over all walls.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn scopes(&self) -> Result<Vec<ScopeSummary>, Error> {
        self.may(Right::Admin)?;
        Ok(self.engine.store.snapshot()?.scopes()?)
    }

    /// Whether the store is encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.engine.store.is_encrypted()
    }

    /// The newest change number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn head(&self) -> Result<ChangeNumber, Error> {
        Ok(self.engine.store.head()?)
    }

    /// Why the judge (see [`ModelPolicy`]) last did not answer, once, since this was asked before: what it was to
    /// compare has been decided by words alone. `None` where it answered or was not asked.
    #[must_use]
    pub fn take_judge_failure(&self) -> Option<ModelError> {
        self.engine.take_judge_failure()
    }
}

/// How to open a store.
pub struct Builder {
    embedder: Option<Arc<dyn Embedder>>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    attributes: AttributeRegistry,
    guard: Guard,
    extraction: Extraction,
    model: Option<(Arc<dyn LanguageModel>, ModelPolicy)>,
    counter: Arc<dyn TokenCounter>,
    index_bytes: usize,
    decay: DecayPolicy,
    key: Option<MasterKey>,
    is_encrypted: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            embedder: None,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            attributes: AttributeRegistry::default(),
            guard: Guard::default(),
            extraction: Extraction::Rules,
            model: None,
            counter: Arc::new(Estimate),
            index_bytes: INDEX_BYTES_DEFAULT,
            decay: DecayPolicy::default(),
            key: None,
            is_encrypted: false,
        }
    }
}

impl Builder {
    /// Another embedder than the built-in one.
    #[must_use]
    pub fn embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.embedder = Some(embedder);
        self
    }

    /// Another clock than the system's.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Another source of randomness than the system's. With a fixed clock and seed, equal calls give equal ids.
    #[must_use]
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// Which attributes hold a set of values.
    #[must_use]
    pub fn attributes(mut self, attributes: AttributeRegistry) -> Self {
        self.attributes = attributes;
        self
    }

    /// What is masked or refused, beside what always is.
    #[must_use]
    pub fn guard(mut self, policy: GuardPolicy) -> Self {
        self.guard = Guard::new(policy);
        self
    }

    /// What finds facts in texts and turns, instead of the built-in rules.
    #[must_use]
    pub fn extractor(mut self, extractor: Arc<dyn Extractor>) -> Self {
        self.extraction = Extraction::By(extractor);
        self
    }

    /// A language model, and what it may do. Without one everything works by rules.
    #[must_use]
    pub fn language_model(mut self, model: Arc<dyn LanguageModel>, policy: ModelPolicy) -> Self {
        self.model = Some((model, policy));
        self
    }

    /// What counts the tokens of a desk, instead of an estimate.
    #[must_use]
    pub fn token_counter(mut self, counter: Arc<dyn TokenCounter>) -> Self {
        self.counter = counter;
        self
    }

    /// Texts are remembered as they stand, and turns that wait to be read go on waiting.
    #[must_use]
    pub fn without_extractor(mut self) -> Self {
        self.extraction = Extraction::None;
        self
    }

    /// Bytes that the indexes of all scopes may take together; the least recently used give way. A single
    /// scope is never left out for being larger.
    #[must_use]
    pub fn index_bytes(mut self, index_bytes: usize) -> Self {
        self.index_bytes = index_bytes;
        self
    }

    /// How memories sink that are not used, by kind, instead of the usual way.
    ///
    /// # Errors
    /// [`InvalidInput`] where the numbers of a kind make no sense together.
    pub fn decay(mut self, policy: DecayPolicy) -> Result<Self, InvalidInput> {
        for kind in Kind::ALL {
            policy.of(*kind).check()?;
        }
        self.decay = policy;
        Ok(self)
    }

    /// The key of a store that is encrypted. It does nothing where a store is not, and a new one is not.
    #[must_use]
    pub fn key(mut self, key: MasterKey) -> Self {
        self.key = Some(key);
        self
    }

    /// A new store is encrypted with this key; what that covers is told in `docs/encryption.md`. The keys that are made for
    /// it come from the system, whatever [`Builder::entropy`] says.
    ///
    /// ```
    /// use memoriter::{MasterKey, Memoriter, Scope};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("memory.db");
    /// let key = MasterKey::parse("8f1e0c5d2b3a49687786a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0")?;
    /// let memory = Memoriter::builder().encrypted(key).open(&path)?;
    /// memory.scope(Scope::user("priya")).remember("My exam is on 14 March")?;
    /// drop(memory);
    /// let error = Memoriter::open(&path).err().map(|error| error.to_string());
    /// assert!(error.is_some_and(|error| error.contains("is encrypted: it needs its key")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn encrypted(mut self, key: MasterKey) -> Self {
        self.is_encrypted = true;
        self.key(key)
    }

    /// Opens the file at `path`, or makes it.
    ///
    /// # Errors
    /// As [`Memoriter::open`]. [`StoreError::KeyNeeded`], [`StoreError::WrongKey`] and others where a store that is
    /// encrypted cannot be opened, and [`StoreError::NotEncrypted`] where one is there that should be and is not.
    pub fn open(self, path: impl AsRef<Path>) -> Result<Memoriter, Error> {
        self.open_by(|options| SqliteStore::open(path.as_ref(), options))
    }

    /// Opens the file that is at `path`, also where it can only be read: on a medium or in a folder that
    /// cannot be written to. Writes are [`StoreError::ReadOnly`](memoriter_store::StoreError::ReadOnly) then,
    /// and recalls leave no marks of use.
    ///
    /// # Errors
    /// [`StoreError::NoStore`](memoriter_store::StoreError::NoStore) when there is none; otherwise as
    /// [`Memoriter::open`].
    pub fn open_existing(self, path: impl AsRef<Path>) -> Result<Memoriter, Error> {
        self.open_by(|options| SqliteStore::open_existing(path.as_ref(), options))
    }

    /// What an encrypted store is opened or made with.
    pub(crate) fn encryption(&self) -> Option<Encryption> {
        // A seed makes ids that repeat; a key that repeats would be none.
        self.key.as_ref().map(|key| Encryption {
            master: key.clone(),
            entropy: Arc::new(SystemEntropy),
            is_wanted: self.is_encrypted,
        })
    }

    fn open_by(
        self,
        open: impl FnOnce(&SqliteOptions<'_>) -> Result<SqliteStore, StoreError>,
    ) -> Result<Memoriter, Error> {
        let encryption = self.encryption();
        let store = open(&SqliteOptions {
            encryption: encryption.as_ref(),
            ..SqliteOptions::new(self.entropy.as_ref(), self.clock.now())
        })?;
        Ok(self.over(Arc::new(store)))
    }

    /// Works over any store.
    #[must_use]
    pub fn over(self, store: Arc<dyn Store>) -> Memoriter {
        let table = Arc::new(StaticTable::new());
        let embedder = self
            .embedder
            .unwrap_or_else(|| Arc::clone(&table) as Arc<dyn Embedder>);
        let (mut extraction, mut judge, mut folder) = (self.extraction, None, None);
        if let Some((model, policy)) = self.model {
            let (store, clock) = (Arc::clone(&store), Arc::clone(&self.clock));
            let metered = Arc::new(Metered::new(model, store, clock, policy.caps));
            if policy.extracts {
                let model = Arc::clone(&metered) as Arc<dyn LanguageModel>;
                extraction = Extraction::By(Arc::new(ModelExtractor::new(model)));
            }
            if policy.folds {
                let model = Arc::clone(&metered) as Arc<dyn LanguageModel>;
                folder = Some(ModelFolder::new(model));
            }
            judge = policy.judges.then(|| ModelJudge::new(metered));
        }
        let engine = Engine::new(Parts {
            store,
            embedder,
            words: table,
            clock: self.clock,
            entropy: self.entropy,
            attributes: self.attributes,
            guard: self.guard,
            extraction,
            judge,
            folder,
            counter: self.counter,
            index_bytes: self.index_bytes,
            decay: self.decay,
        });
        Memoriter {
            engine: Arc::new(engine),
            access: Access::FULL,
        }
    }
}
