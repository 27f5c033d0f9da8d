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
    /// Rows are gone; a reader of an old snapshot keeps their bytes in the log for now.
    Pending,
    /// The files were searched as well.
    Complete,
}

impl ReceiptState {
    /// The word in receipts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Complete => "complete",
        }
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
    /// Rows that went, counted as they went.
    pub counts: ErasedCounts,
    /// How far it has come.
    pub state: ReceiptState,
    /// When it was completed.
    pub completed_at: Option<Timestamp>,
    /// What was searched; `None` while pending, and where it was completed by a process that did not know any more what to
    /// look for.
    pub search: Option<Search>,
    /// Lines of the audit log and the hash of the last, when the receipt was signed.
    pub audit: (u64, [u8; 32]),
    /// The program.
    pub engine: String,
}

impl Receipt {
    /// The levels that were reached: V1 no call returns it, V2 no row has it, V3 no byte of it was found in the files.
    #[must_use]
    pub fn levels(&self) -> Vec<&'static str> {
        match self.state {
            ReceiptState::Pending => levels(None),
            ReceiptState::Complete => levels(self.search.as_ref()),
        }
    }

    /// The id in hexadecimal digits.
    #[must_use]
    pub fn id_text(&self) -> String {
        hex(&self.id)
    }

    /// The document without its signature.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let counts: serde_json::Map<String, Value> = self
            .counts
            .listed()
            .into_iter()
            .map(|(name, count)| (name.to_owned(), count.into()))
            .collect();
        json!({
            "form": FORM,
            "id": hex(&self.id),
            "at": self.at.to_string(),
            "subject": self.subject,
            "selector": self.selector,
            "erased": counts,
            "state": self.state.as_str(),
            "completed_at": self.completed_at.map(|at| at.to_string()),
            "levels": self.levels(),
            "search": self.search.as_ref().map(Search::to_json),
            "audit": {"lines": self.audit.0, "hash": hex(&self.audit.1)},
            "engine": self.engine,
        })
    }

    /// The whole document: the receipt, the public key of the store, and the signature. `secret` is the store's.
    #[must_use]
    pub fn signed(&self, secret: &[u8; 32]) -> String {
        sign(&self.to_json(), secret)
    }
}

/// The document of a pending receipt once it is complete. Without a `search` nobody knew any more what to look for.
///
/// # Errors
/// When the document is no receipt whose signature fits.
pub fn completed(
    document: &str,
    secret: &[u8; 32],
    at: Timestamp,
    search: Option<&Search>,
) -> Result<String, InvalidInput> {
    let mut receipt = SignedReceipt::verify(document)?.receipt;
    if let Some(fields) = receipt.as_object_mut() {
        fields.insert("state".into(), ReceiptState::Complete.as_str().into());
        fields.insert("completed_at".into(), at.to_string().into());
        fields.insert("levels".into(), levels(search).into());
        fields.insert("search".into(), search.map(Search::to_json).into());
    }
    Ok(sign(&receipt, secret))
}

fn levels(search: Option<&Search>) -> Vec<&'static str> {
    let mut levels = vec!["V1", "V2"];
    if search.is_some_and(|search| search.found == 0) {
        levels.push("V3");
    }
    levels
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

    fn receipt() -> Receipt {
        Receipt {
            id: [7; 16],
            at: Timestamp::from_micros(0),
            subject: pseudonym(&[1; 32], &Scope::user("priya")),
            selector: "key".into(),
            counts: ErasedCounts {
                memories: 3,
                ..ErasedCounts::default()
            },
            state: ReceiptState::Complete,
            completed_at: Some(Timestamp::from_micros(1)),
            search: Some(Search {
                sought: 4,
                ..Search::default()
            }),
            audit: (2, [9; 32]),
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
        let mut receipt = receipt();
        assert_eq!(receipt.levels(), ["V1", "V2", "V3"]);
        receipt.search = Some(Search {
            found: 1,
            ..Search::default()
        });
        assert_eq!(receipt.levels(), ["V1", "V2"]);
        receipt.search = None;
        assert_eq!(receipt.levels(), ["V1", "V2"]);
    }

    #[test]
    fn a_completed_receipt_is_the_one_that_would_have_been_complete() {
        let pending = Receipt {
            state: ReceiptState::Pending,
            completed_at: None,
            search: None,
            ..receipt()
        };
        let document = pending.signed(&[1; 32]);
        assert!(document.contains("\"pending\"") && !document.contains("V3"));
        let at = Timestamp::from_micros(1);
        let done = completed(&document, &[1; 32], at, receipt().search.as_ref());
        assert_eq!(done, Ok(receipt().signed(&[1; 32])));
        assert!(completed("{}", &[1; 32], at, None).is_err());
    }
}
