//! The receipt of an erasure: what was done, in numbers, signed.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde_json::{Value, json};

use crate::audit::pseudonym;
use crate::error::InvalidInput;
use crate::scope::Scope;
use crate::time::Timestamp;

use super::ErasedCounts;

/// Bytes that a receipt may have: many times what one has.
pub const RECEIPT_BYTES_MAX: usize = 64 * 1024;
/// The form of the document, for whoever reads it later.
const FORM: &str = "memoriter-receipt-1";

/// How far an erasure has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptState {
    /// Records are going, unit by unit; those that are counted are gone.
    Begun,
    /// Rows are gone, and the files have still to be searched.
    Pending,
    /// The files were searched as well.
    Complete,
    /// The files were searched, and pieces of what was erased were found where no record has them.
    Failed,
    /// Whoever erased has stopped in the middle: what is counted is gone, and the rest is there.
    Interrupted,
}

impl ReceiptState {
    /// Every state.
    pub const ALL: [Self; 5] = [
        Self::Begun,
        Self::Pending,
        Self::Complete,
        Self::Failed,
        Self::Interrupted,
    ];

    /// The word in receipts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Begun => "begun",
            Self::Pending => "pending",
            Self::Complete => "complete",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// The state of this word; `None` where there is none.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether something has still to be done for it.
    #[must_use]
    pub fn is_open(self) -> bool {
        match self {
            Self::Begun | Self::Pending | Self::Failed => true,
            Self::Complete | Self::Interrupted => false,
        }
    }

    /// The levels that are reached in it, with what a search found and whether keys are gone.
    fn levels(self, search: Option<&Search>, is_without_keys: bool) -> Vec<&'static str> {
        let mut levels = match self {
            Self::Begun | Self::Interrupted => return Vec::new(),
            Self::Pending | Self::Failed | Self::Complete => vec!["V1", "V2"],
        };
        if self == Self::Complete && search.is_some_and(|search| search.found == 0) {
            levels.push("V3");
        }
        if is_without_keys {
            levels.push("V4");
        }
        levels
    }
}

/// How an erasure goes on: what a receipt says more than the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How far it has come.
    pub state: ReceiptState,
    /// When, for a state that stays.
    pub at: Option<Timestamp>,
    /// What went, as it was counted.
    pub counts: ErasedCounts,
    /// What was searched; `None` where nothing was, and where nobody knew any more what to look for.
    pub search: Option<Search>,
    /// Why it is not complete, in a word for programs: `reader`, `residue`, `stopped`, or the code of an error.
    pub why: Option<String>,
    /// What became of keys; `None` where the store is not encrypted, and for what the receipt before says.
    pub keys: Option<KeysGone>,
}

/// What became of the keys that what was erased was encrypted with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeysGone {
    /// The ids of those that were destroyed, in hexadecimal digits.
    pub destroyed: Vec<String>,
    /// Whether every scope of which something was erased is without its key now: what copies of the store hold of them
    /// can be read by nobody. A scope keeps its key as long as it holds something.
    pub is_all: bool,
    /// Why keys could not be destroyed: the code of an error.
    pub why: Option<String>,
}

impl KeysGone {
    fn to_json(&self) -> Value {
        json!({"destroyed": self.destroyed, "all": self.is_all, "why": self.why})
    }

    fn is_all_in(receipt: &Value) -> bool {
        let all = receipt.get("keys").and_then(|keys| keys.get("all"));
        all.and_then(Value::as_bool) == Some(true)
    }
}

/// What was searched in the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Names of the files without their folder, and their bytes.
    pub files: Vec<(String, u64)>,
    /// Pieces of what was erased that were looked for.
    pub sought: u64,
    /// Pieces that records which stay have too.
    pub shared: u64,
    /// Pieces that were found where no record has them.
    pub found: u64,
    /// Texts too short to be looked for.
    pub short: u64,
}

impl Search {
    fn to_json(&self) -> Value {
        let files = self.files.iter();
        let files: Vec<Value> = files
            .map(|(name, bytes)| json!({"name": name, "bytes": bytes}))
            .collect();
        json!({
            "files": files,
            "sought": self.sought,
            "shared": self.shared,
            "found": self.found,
            "short": self.short,
        })
    }
}

/// What a receipt says. It has no content, no hash of content and no name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The request.
    pub id: [u8; 16],
    /// When it was made.
    pub at: Timestamp,
    /// Whose records, by a pseudonym.
    pub subject: String,
    /// What kind of selector: see [`Selector::kind`](super::Selector::kind).
    pub selector: String,
    /// How far it has come.
    pub progress: Progress,
    /// Lines of the audit log and the hash of the last, when the receipt was signed.
    pub audit: (u64, [u8; 32]),
    /// Damaged records that leave no tombstone, since their ids cannot be read: of them a restore cannot know.
    pub unmarked: u64,
    /// The program.
    pub engine: String,
}

impl Receipt {
    /// The id in hexadecimal digits.
    #[must_use]
    pub fn id_text(&self) -> String {
        hex(&self.id)
    }

    /// The document without its signature.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut receipt = json!({
            "form": FORM,
            "id": hex(&self.id),
            "at": self.at.to_string(),
            "subject": self.subject,
            "selector": self.selector,
            "audit": {"lines": self.audit.0, "hash": hex(&self.audit.1)},
            "unmarked": self.unmarked,
            "engine": self.engine,
        });
        self.progress.write(&mut receipt);
        receipt
    }

    /// The whole document: the receipt, the public key of the store, and the signature. `secret` is the store's.
    #[must_use]
    pub fn signed(&self, secret: &[u8; 32]) -> String {
        sign(&self.to_json(), secret)
    }
}

impl Progress {
    /// Nothing has happened yet.
    #[must_use]
    pub fn begun() -> Self {
        Self {
            state: ReceiptState::Begun,
            at: None,
            counts: ErasedCounts::default(),
            search: None,
            why: None,
            keys: None,
        }
    }

    /// The levels that are reached: V1 no call returns it, V2 no row has it, V3 no byte of it was found in the files, V4
    /// the keys that it was encrypted with are destroyed.
    #[must_use]
    pub fn levels(&self) -> Vec<&'static str> {
        let is_without_keys = self.keys.as_ref().is_some_and(|keys| keys.is_all);
        self.state.levels(self.search.as_ref(), is_without_keys)
    }

    fn write(&self, receipt: &mut Value) {
        let Some(fields) = receipt.as_object_mut() else {
            return;
        };
        if let Some(keys) = &self.keys {
            fields.insert("keys".to_owned(), keys.to_json());
        }
        let is_without_keys = KeysGone::is_all_in(receipt);
        let levels = self.state.levels(self.search.as_ref(), is_without_keys);
        let Some(fields) = receipt.as_object_mut() else {
            return;
        };
        let said = [
            ("erased", self.counts.to_json()),
            ("state", self.state.as_str().into()),
            ("completed_at", self.at.map(|at| at.to_string()).into()),
            ("levels", levels.into()),
            ("search", self.search.as_ref().map(Search::to_json).into()),
            ("why", self.why.clone().into()),
        ];
        fields.extend(said.map(|(name, value)| (name.to_owned(), value)));
    }
}

/// The document of a receipt as it goes on, signed.
///
/// # Errors
/// When the document is no receipt whose signature fits.
pub fn continued(
    document: &str,
    secret: &[u8; 32],
    progress: &Progress,
) -> Result<String, InvalidInput> {
    let mut receipt = SignedReceipt::verify(document)?.receipt;
    progress.write(&mut receipt);
    Ok(sign(&receipt, secret))
}

/// The document of a receipt after a restore in which what it is about stayed away, signed: it reaches V5, absent after a
/// restore. `None` where that cannot be said: it is not complete, or something of it left no tombstone.
///
/// # Errors
/// When the document is no receipt whose signature fits.
pub fn restored(
    document: &str,
    secret: &[u8; 32],
    at: Timestamp,
) -> Result<Option<String>, InvalidInput> {
    let mut receipt = SignedReceipt::verify(document)?.receipt;
    let is = |name: &str, value: Value| receipt.get(name) == Some(&value);
    if !is("state", ReceiptState::Complete.as_str().into()) || !is("unmarked", 0.into()) {
        return Ok(None);
    }
    let Some(fields) = receipt.as_object_mut() else {
        return Ok(None);
    };
    let levels = fields.get_mut("levels").and_then(Value::as_array_mut);
    let reached = Value::from("V5");
    if let Some(levels) = levels.filter(|levels| !levels.contains(&reached)) {
        levels.push(reached);
    }
    fields.insert("restored_at".to_owned(), at.to_string().into());
    Ok(Some(sign(&receipt, secret)))
}

fn sign(receipt: &Value, secret: &[u8; 32]) -> String {
    let key = signing_key(secret);
    let signature = key.sign(receipt.to_string().as_bytes());
    json!({
        "receipt": receipt,
        "key": hex(key.verifying_key().as_bytes()),
        "signature": hex(&signature.to_bytes()),
    })
    .to_string()
}

/// A receipt whose signature fits.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedReceipt {
    /// What it says.
    pub receipt: Value,
    /// The public key that it is signed with, in hexadecimal digits.
    pub key: String,
}

impl SignedReceipt {
    /// Reads a document and checks its signature with the key in it. Whose key that is, [`SignedReceipt::is_of`] says.
    ///
    /// # Errors
    /// When the document is no receipt, or the signature does not fit.
    pub fn verify(document: &str) -> Result<Self, InvalidInput> {
        crate::error::check_text("receipt", document, RECEIPT_BYTES_MAX)?;
        let no_receipt = || {
            InvalidInput::malformed(
                "receipt",
                "a receipt as memoriter erase prints one",
                document,
            )
        };
        let whole: Value = serde_json::from_str(document).map_err(|_| no_receipt())?;
        let text = |name: &str| whole.get(name).and_then(Value::as_str);
        let receipt = whole
            .get("receipt")
            .filter(|receipt| receipt.get("form").and_then(Value::as_str) == Some(FORM));
        let (Some(receipt), Some(key), Some(signature)) = (receipt, text("key"), text("signature"))
        else {
            return Err(no_receipt());
        };
        let forged = || {
            InvalidInput::malformed(
                "signature",
                "that of the receipt by the key beside it",
                signature,
            )
        };
        let public = unhex::<32>(key)
            .and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok())
            .ok_or_else(forged)?;
        let made = unhex::<64>(signature)
            .map(|bytes| Signature::from_bytes(&bytes))
            .ok_or_else(forged)?;
        public
            .verify_strict(receipt.to_string().as_bytes(), &made)
            .map_err(|_| forged())?;
        Ok(Self {
            receipt: receipt.clone(),
            key: key.to_owned(),
        })
    }

    /// The number and the hash of the last line that the audit log had; `None` where it had none.
    #[must_use]
    pub fn audit(&self) -> Option<(u64, [u8; 32])> {
        let audit = self.receipt.get("audit")?;
        let number = audit.get("lines")?.as_u64().filter(|number| *number > 0)?;
        Some((number, unhex(audit.get("hash")?.as_str()?)?))
    }

    /// Whether the store with this secret has signed it.
    #[must_use]
    pub fn is_of(&self, secret: &[u8; 32]) -> bool {
        self.key == public_key(secret)
    }

    /// Whether it is about this scope.
    #[must_use]
    pub fn is_about(&self, secret: &[u8; 32], scope: &Scope) -> bool {
        self.receipt.get("subject").and_then(Value::as_str)
            == Some(pseudonym(secret, scope).as_str())
    }
}

/// The public key of a store, in hexadecimal digits: what others may keep to know its receipts.
#[must_use]
pub fn public_key(secret: &[u8; 32]) -> String {
    hex(signing_key(secret).verifying_key().as_bytes())
}

/// Derived from the store's secret, so that it is made with the store and lies where that does.
fn signing_key(secret: &[u8; 32]) -> SigningKey {
    SigningKey::from_bytes(&blake3::derive_key(
        "memoriter 2026 signature of receipts",
        secret,
    ))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(
        String::with_capacity(bytes.len() * 2),
        |mut digits, byte| {
            write!(digits, "{byte:02x}").expect("writing to a string cannot fail");
            digits
        },
    )
}

fn unhex<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let digits = digits.as_bytes();
    let mut bytes = [0; N];
    if digits.len() != N * 2 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete() -> Progress {
        Progress {
            state: ReceiptState::Complete,
            at: Some(Timestamp::from_micros(1)),
            counts: ErasedCounts {
                memories: 3,
                ..ErasedCounts::default()
            },
            search: Some(Search {
                sought: 4,
                ..Search::default()
            }),
            why: None,
            keys: None,
        }
    }

    fn receipt() -> Receipt {
        Receipt {
            id: [7; 16],
            at: Timestamp::from_micros(0),
            subject: pseudonym(&[1; 32], &Scope::user("priya")),
            selector: "key".into(),
            progress: complete(),
            audit: (2, [9; 32]),
            unmarked: 0,
            engine: "memoriter 0.1.0".into(),
        }
    }

    #[test]
    fn a_signature_holds_for_one_store_and_one_text() {
        let document = receipt().signed(&[1; 32]);
        let signed = SignedReceipt::verify(&document).unwrap();
        assert!(signed.is_of(&[1; 32]) && !signed.is_of(&[2; 32]));
        assert!(signed.is_about(&[1; 32], &Scope::user("priya")));
        assert!(!signed.is_about(&[1; 32], &Scope::user("mei")));
        assert!(!document.contains("priya"));
        assert_eq!(signed.audit(), Some((2, [9; 32])));
        let spaced =
            serde_json::to_string_pretty(&serde_json::from_str::<Value>(&document).unwrap())
                .unwrap();
        assert!(
            SignedReceipt::verify(&spaced).is_ok(),
            "its layout does not matter"
        );
        for at in 0..document.len() {
            let mut bytes = document.clone().into_bytes();
            bytes[at] ^= 1;
            if let Ok(changed) = String::from_utf8(bytes) {
                assert!(
                    SignedReceipt::verify(&changed).is_err(),
                    "a change at byte {at} is not seen"
                );
            }
        }
        for odd in [
            "",
            "{}",
            "[]",
            "{\"receipt\":{},\"key\":\"\",\"signature\":\"\"}",
        ] {
            assert!(SignedReceipt::verify(odd).is_err());
        }
    }

    #[test]
    fn only_a_search_that_found_nothing_reaches_the_files() {
        let levels = |state, found: Option<u64>| {
            let search = found.map(|found| Search {
                found,
                ..Search::default()
            });
            let progress = Progress {
                state,
                search,
                ..complete()
            };
            progress.levels().join(" ")
        };
        assert_eq!(levels(ReceiptState::Complete, Some(0)), "V1 V2 V3");
        assert_eq!(levels(ReceiptState::Complete, Some(1)), "V1 V2");
        assert_eq!(levels(ReceiptState::Complete, None), "V1 V2");
        assert_eq!(levels(ReceiptState::Failed, Some(0)), "V1 V2");
        assert_eq!(levels(ReceiptState::Pending, Some(0)), "V1 V2");
        // What is left is there, for whoever reads.
        assert_eq!(levels(ReceiptState::Begun, Some(0)), "");
        assert_eq!(levels(ReceiptState::Interrupted, Some(0)), "");
    }

    #[test]
    fn only_without_any_key_it_reaches_copies() {
        let with = |state, is_all| Progress {
            state,
            keys: Some(KeysGone {
                destroyed: vec!["0a".into()],
                is_all,
                why: None,
            }),
            ..complete()
        };
        let levels = |state, is_all| with(state, is_all).levels().join(" ");
        assert_eq!(levels(ReceiptState::Complete, true), "V1 V2 V3 V4");
        assert_eq!(levels(ReceiptState::Complete, false), "V1 V2 V3");
        assert_eq!(levels(ReceiptState::Pending, true), "V1 V2 V4");
        assert_eq!(levels(ReceiptState::Interrupted, true), "");
        // Who completes it later does not know of keys; the receipt does.
        let pending = Receipt {
            progress: with(ReceiptState::Pending, true),
            ..receipt()
        };
        let done = continued(&pending.signed(&[1; 32]), &[1; 32], &complete()).unwrap();
        assert!(done.contains(r#"["V1","V2","V3","V4"]"#), "{done}");
        assert!(done.contains(r#"{"all":true,"destroyed":["0a"],"why":null}"#));
    }

    #[test]
    fn a_receipt_that_goes_on_is_the_one_that_would_have_been_made() {
        let begun = Receipt {
            progress: Progress::begun(),
            ..receipt()
        };
        let document = begun.signed(&[1; 32]);
        assert!(document.contains("\"begun\"") && !document.contains("V1"));
        let done = continued(&document, &[1; 32], &complete());
        assert_eq!(done, Ok(receipt().signed(&[1; 32])));
        assert!(continued("{}", &[1; 32], &complete()).is_err());
    }

    #[test]
    fn only_what_is_complete_and_marked_is_absent_after_a_restore() {
        let levels = |receipt: &Receipt| {
            let document = restored(
                &receipt.signed(&[1; 32]),
                &[1; 32],
                Timestamp::from_micros(5),
            );
            let said = document.unwrap()?;
            let again = restored(&said, &[1; 32], Timestamp::from_micros(6));
            let twice = SignedReceipt::verify(&again.unwrap()?).unwrap().receipt;
            assert_eq!(twice["restored_at"], "1970-01-01T00:00:00.000006Z");
            Some(twice["levels"].to_string())
        };
        assert_eq!(
            levels(&receipt()).as_deref(),
            Some(r#"["V1","V2","V3","V5"]"#)
        );
        let unmarked = Receipt {
            unmarked: 1,
            ..receipt()
        };
        assert_eq!(levels(&unmarked), None);
        let pending = Progress {
            state: ReceiptState::Pending,
            ..complete()
        };
        let progress = Receipt {
            progress: pending,
            ..receipt()
        };
        assert_eq!(levels(&progress), None);
        assert!(restored("{}", &[1; 32], Timestamp::MIN).is_err());
    }

    #[test]
    fn every_state_has_a_word() {
        for state in ReceiptState::ALL {
            assert_eq!(ReceiptState::parse(state.as_str()), Some(state));
        }
        assert_eq!(ReceiptState::parse("Begun"), None);
    }
}
