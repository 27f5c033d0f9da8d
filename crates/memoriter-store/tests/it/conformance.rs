//! Both back ends, and the encrypted one of them, keep the port's contract.

use memoriter_core::time::Timestamp;
use memoriter_store::{Encryption, MemoryStore, Snapshot, SqliteOptions, SqliteStore, Store};
use memoriter_testkit::SeededEntropy;
use memoriter_testkit::conformance::store::check;

use crate::support::encryption;

#[test]
fn the_memory_store_conforms() {
    check(&|| Box::new(MemoryStore::new([7; 32])));
}

/// A store and the folder that goes with it.
struct Temporary {
    store: SqliteStore,
    _folder: tempfile::TempDir,
}

impl Store for Temporary {
    fn commit(
        &self,
        unit: Vec<memoriter_store::Write>,
    ) -> Result<memoriter_store::Committed, memoriter_store::StoreError> {
        self.store.commit(unit)
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, memoriter_store::StoreError> {
        self.store.snapshot()
    }

    fn head(&self) -> Result<memoriter_core::id::ChangeNumber, memoriter_store::StoreError> {
        self.store.head()
    }

    fn scrub(
        &self,
        needles: &memoriter_store::Needles,
        patience: memoriter_store::Patience,
    ) -> Result<memoriter_store::Scrubbed, memoriter_store::StoreError> {
        self.store.scrub(needles, patience)
    }

    fn secret(&self) -> &[u8; 32] {
        self.store.secret()
    }

    fn is_encrypted(&self) -> bool {
        self.store.is_encrypted()
    }

    fn destroy_keys(
        &self,
        of: memoriter_store::KeysOf,
    ) -> Result<memoriter_store::DestroyedKeys, memoriter_store::StoreError> {
        self.store.destroy_keys(of)
    }
}

fn temporary(encryption: Option<&Encryption>) -> Box<dyn Store> {
    let folder = tempfile::tempdir().unwrap();
    let entropy = SeededEntropy::new(1);
    let options = SqliteOptions {
        encryption,
        ..SqliteOptions::new(&entropy, Timestamp::from_micros(0))
    };
    let store = SqliteStore::open(&folder.path().join("store.db"), &options).unwrap();
    Box::new(Temporary {
        store,
        _folder: folder,
    })
}

#[test]
fn the_sqlite_store_conforms() {
    check(&|| temporary(None));
}

#[test]
fn an_encrypted_store_conforms() {
    check(&|| {
        let store = temporary(Some(&encryption(1)));
        assert!(store.is_encrypted());
        store
    });
}
