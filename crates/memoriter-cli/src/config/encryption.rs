//! The key of an encrypted store, and where it comes from.

use std::path::{Path, PathBuf};

use memoriter::store::StoreError;
use memoriter::{Builder, Error, MasterKey, SystemEntropy, make_key_file, read_key_file};

use super::{Key, Setting};
use crate::failure::Failure;
use crate::{layout, output};

/// Whether new stores are encrypted, and the key of those that are.
#[derive(Clone, Debug)]
pub(crate) struct EncryptionConfig {
    is_wanted: bool,
    source: Option<KeySource>,
}

/// Where a key comes from.
#[derive(Clone, Debug)]
enum KeySource {
    File(PathBuf),
    Environment(MasterKey),
    Keyring,
}

/// Whether a command may make what is not there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Making {
    /// A store, and a key for it.
    Allowed,
    /// Everything has to be there.
    Nothing,
}

impl EncryptionConfig {
    /// Reads and checks the settings, except for files and keyrings.
    pub(super) fn read(written: &[Setting]) -> Result<Self, Failure> {
        let set = |key: Key| {
            let mut settings = written.iter();
            settings.find(|setting| setting.key == key && setting.text.is_some())
        };
        let is_set = |key: Key| set(key).map_or(Ok(false), is_on);
        let is_wanted = is_set(Key::Encrypt)?;
        let file = set(Key::SecretFile);
        let keyring = set(Key::Keyring).filter(|_| is_set(Key::Keyring).unwrap_or(false));
        is_set(Key::Keyring)?;
        let given = set(Key::Secret);
        let named: Vec<&Setting> = [file, keyring, given].into_iter().flatten().collect();
        if let [first, second, ..] = named.as_slice() {
            let message = format!(
                "two keys are named, {} and {}: a store has one",
                first.place(),
                second.place()
            );
            return Err(Failure::usage(second.key.name(), message));
        }
        let source = match (file, given) {
            (Some(file), _) => file.text.clone().map(|path| KeySource::File(path.into())),
            (None, Some(given)) => Some(KeySource::Environment(key_of(given)?)),
            (None, None) => keyring.map(|_| KeySource::Keyring),
        };
        if is_wanted && source.is_none() {
            let message = "encrypt needs a key, and none is named";
            return Err(Failure::usage("encrypt", message).hint(ways()));
        }
        Ok(Self { is_wanted, source })
    }

    /// Gives the key to a builder. Where a new store is to be encrypted with a key in a file that is not there, the file is
    /// made with it.
    pub(crate) fn give(
        &self,
        builder: Builder,
        making: Making,
        store: &Path,
    ) -> Result<Builder, Failure> {
        let makes_key = self.is_wanted && making == Making::Allowed && !store.exists();
        Ok(match self.key(makes_key, store)? {
            Some(key) if self.is_wanted => builder.encrypted(key),
            Some(key) => builder.key(key),
            None => builder,
        })
    }

    /// Reads the key, to see whether it can be used. One that is made with the store is not there before it.
    pub(crate) fn check(&self, store: &Path) -> Result<(), Failure> {
        let is_new = self.is_wanted && !store.exists();
        match &self.source {
            Some(KeySource::File(path)) if is_new && !path.exists() => Ok(()),
            Some(KeySource::Keyring) if is_new && cfg!(feature = "keyring") => Ok(()),
            Some(_) | None => self.key(false, store).map(drop),
        }
    }

    fn key(&self, makes: bool, store: &Path) -> Result<Option<MasterKey>, Failure> {
        match &self.source {
            None => Ok(None),
            Some(KeySource::Environment(key)) => Ok(Some(key.clone())),
            Some(KeySource::File(path)) if makes && !path.exists() => {
                let key = make_key_file(path, &SystemEntropy).map_err(not_usable)?;
                tell_made(&path.display().to_string());
                Ok(Some(key))
            }
            Some(KeySource::File(path)) => read_key_file(path).map(Some).map_err(|error| {
                let failure = not_usable(error);
                if path.exists() {
                    return failure;
                }
                failure.hint(missing(store))
            }),
            Some(KeySource::Keyring) => keyring::key(store, makes).map(Some),
        }
    }
}

/// The ways to name a key.
pub(crate) fn ways() -> &'static str {
    "name its key: --key-file FILE, or the variable MEMORITER_KEY, or the system's keyring with --keyring"
}

fn is_on(setting: &Setting) -> Result<bool, Failure> {
    match setting.text.as_deref() {
        Some("true") => Ok(true),
        Some("false") | None => Ok(false),
        Some(other) => {
            let name = setting.key.name();
            let message = format!("{name} must be true or false, got `{other}`");
            Err(Failure::usage(name, message))
        }
    }
}

/// A key that is written out. In the file of settings it would lie where everybody looks.
fn key_of(setting: &Setting) -> Result<MasterKey, Failure> {
    if let super::Origin::File(file) = &setting.origin {
        let message = format!(
            "{}: a key does not go among the settings; name a file of its own as key_file",
            file.display()
        );
        return Err(Failure::usage("key", message));
    }
    let text = setting.text.as_deref().unwrap_or_default();
    MasterKey::parse(text).map_err(|error| Failure::from(error).field("MEMORITER_KEY"))
}

fn not_usable(error: StoreError) -> Failure {
    Failure::from(Error::from(error)).field(Key::SecretFile.name())
}

/// What to do where the named file with a key is not there.
fn missing(store: &Path) -> &'static str {
    if store.exists() {
        "name the file that holds the key of this store; where none is left, nobody can read it"
    } else {
        "name the file that holds your key; with --encrypt, the first write makes a store and a key for it"
    }
}

fn tell_made(place: &str) {
    output::talk(&layout::escaped(&format!(
        "made a new key in {place}: keep a copy of it elsewhere, for without it nothing in the store can be read"
    )));
}

/// Keys in the system's keyring, one a store.
#[cfg(feature = "keyring")]
mod keyring {
    use std::path::Path;

    use keyring::v1::{Entry, Error};
    use memoriter::core::port::Entropy;
    use memoriter::{Fault, MasterKey, SystemEntropy};

    use crate::failure::Failure;

    /// The key of a store; a new one where there is none and one may be made.
    pub(super) fn key(store: &Path, makes: bool) -> Result<MasterKey, Failure> {
        let store = std::path::absolute(store).map_err(|error| Failure::file(&error))?;
        let entry = Entry::new("memoriter", &store.display().to_string()).map_err(failed)?;
        match entry.get_password() {
            Ok(text) => Ok(MasterKey::parse(&text)?),
            Err(Error::NoEntry) if makes => {
                let mut bytes = [0; 32];
                SystemEntropy.fill(&mut bytes);
                let key = MasterKey::new(bytes);
                entry.set_password(&key.to_text()).map_err(failed)?;
                super::tell_made("the system's keyring");
                Ok(key)
            }
            Err(error) => Err(failed(error)),
        }
    }

    fn failed(error: Error) -> Failure {
        let message = format!("the system's keyring gives no key: {error}");
        Failure::new(Fault::Environment, "keyring", message).field("keyring")
    }
}

#[cfg(not(feature = "keyring"))]
mod keyring {
    use std::path::Path;

    use memoriter::MasterKey;

    use crate::failure::Failure;

    /// How a build gets what this one is without.
    const WITH_KEYRING: &str =
        "build with it: cargo install --path crates/memoriter-cli --features keyring";

    pub(super) fn key(_store: &Path, _makes: bool) -> Result<MasterKey, Failure> {
        let message = "this build has no access to the system's keyring";
        Err(Failure::usage("keyring", message).hint(WITH_KEYRING))
    }
}
