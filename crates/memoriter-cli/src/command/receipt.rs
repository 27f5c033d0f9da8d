//! `memoriter receipt`: what was erased, and the proof.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use memoriter::core::forget::RECEIPT_BYTES_MAX;
use memoriter::{Fault, Memoriter, SignedReceipt};
use serde::Serialize;
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};

/// Check or list receipts of erasures
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter receipt list
          memoriter receipt verify receipt.json")]
pub(super) struct ReceiptArgs {
    #[command(subcommand)]
    command: ReceiptCommand,
}

#[derive(Subcommand)]
enum ReceiptCommand {
    /// Check the signature of a receipt, whether this store has signed it, and whether its audit log is whole and has the
    /// erasure and the line of then (exit code 1 where not)
    Verify {
        /// The receipt, as memoriter erase --json prints it; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// List the receipts of this store
    List,
}

#[derive(Serialize)]
struct VerifyWire {
    valid: bool,
    /// Whether the signature fits the text and the key in it.
    signature: bool,
    /// Whether the key is this store's; null where there is no store.
    store: Option<bool>,
    /// Whether the audit log of the store is whole and has the erasure; null where the store is not the one that signed it.
    log: Option<bool>,
    /// The levels that are reached by now, where the store is this one: V5 after a restore.
    #[serde(skip_serializing_if = "Option::is_none")]
    levels_now: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    receipt: Option<Value>,
}

#[derive(Serialize)]
struct ListWire {
    receipts: Vec<Value>,
}

pub(super) fn run(context: &Context, args: &ReceiptArgs) -> Result<Answer, Failure> {
    match &args.command {
        ReceiptCommand::Verify { file } => verify(context, file),
        ReceiptCommand::List => list(context),
    }
}

fn verify(context: &Context, file: &Path) -> Result<Answer, Failure> {
    let mut text = String::new();
    let limit = RECEIPT_BYTES_MAX as u64 + 1;
    input::open(file)?
        .take(limit)
        .read_to_string(&mut text)
        .map_err(|error| Failure::file(&error))?;
    let signed = match SignedReceipt::verify(text.trim()) {
        Ok(signed) => signed,
        Err(error) => {
            let problem = error.to_string();
            let said = format!("not valid: {}", layout::escaped(&problem));
            let wire = VerifyWire {
                valid: false,
                signature: false,
                store: None,
                log: None,
                levels_now: None,
                problem: Some(problem),
                receipt: None,
            };
            return Ok(Answer::new(&wire, said).with_fault(Fault::Environment));
        }
    };
    // Without a store the signature alone can be checked.
    let opened = context.open_existing().ok();
    let store = opened.as_ref().map(|memory| memory.has_signed(&signed));
    let log = match &opened {
        Some(memory) if store == Some(true) => Some(memory.has_logged(&signed)?),
        Some(_) | None => None,
    };
    let valid = store != Some(false) && log != Some(false);
    let whose = match (store, log) {
        (Some(true), Some(false)) => {
            "not valid here: signed by this store, whose audit log was changed, cut or made anew since"
        }
        (Some(true), _) => "valid: signed by this store",
        (Some(false), _) => "not valid: the signature fits, and it is another store's",
        (None, _) => "valid: the signature fits; there is no store here to compare its key with",
    };
    let kept = match &opened {
        Some(memory) if store == Some(true) => kept_now(memory, &signed)?,
        Some(_) | None => None,
    };
    let shown = kept.as_ref().unwrap_or(&signed.receipt);
    let text = format!("{whose}\n{}", lines(&serde_json::json!({"receipt": shown})));
    let wire = VerifyWire {
        valid,
        signature: true,
        store,
        log,
        levels_now: kept.and_then(|kept| kept.get("levels").cloned()),
        problem: None,
        receipt: Some(signed.receipt),
    };
    let answer = Answer::new(&wire, text);
    Ok(if valid {
        answer
    } else {
        answer.with_fault(Fault::Environment)
    })
}

/// The receipt of the same request as the store has it now: it may have gone on since this one was printed.
fn kept_now(memory: &Memoriter, signed: &SignedReceipt) -> Result<Option<Value>, Failure> {
    let id = signed.receipt.get("id").and_then(Value::as_str);
    let mut receipts = memory.receipts()?.into_iter();
    let Some(kept) = receipts.find(|receipt| Some(receipt.id.as_str()) == id) else {
        return Ok(None);
    };
    Ok(Some(SignedReceipt::verify(&kept.document)?.receipt))
}

fn list(context: &Context) -> Result<Answer, Failure> {
    let receipts = context.open_or_empty()?.receipts()?;
    let documents: Vec<Value> = receipts
        .iter()
        .filter_map(|receipt| serde_json::from_str(&receipt.document).ok())
        .collect();
    let text = if documents.is_empty() {
        "Nothing was erased yet.".to_owned()
    } else {
        documents.iter().map(lines).collect::<Vec<_>>().join("\n")
    };
    Ok(Answer::new(
        &ListWire {
            receipts: documents,
        },
        text,
    ))
}

/// A receipt for people.
pub(super) fn lines(document: &Value) -> String {
    let receipt = document.get("receipt");
    let text = |name: &str| {
        let value = receipt.and_then(|receipt| receipt.get(name)?.as_str());
        layout::escaped(value.unwrap_or("?"))
    };
    let erased = receipt.and_then(|receipt| receipt.get("erased")?.as_object());
    let counts = erased
        .into_iter()
        .flatten()
        .filter(|(_, count)| count.as_u64() != Some(0));
    let counts: Vec<String> = counts
        .map(|(name, count)| format!("{count} {}", layout::escaped(name)))
        .collect();
    let what = if counts.is_empty() {
        "nothing".to_owned()
    } else {
        counts.join(", ")
    };
    let levels = receipt.and_then(|receipt| receipt.get("levels")?.as_array());
    let levels: Vec<&str> = levels
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut lines = format!(
        "erased   {what}\n{:9}receipt {} · {} · {}",
        "",
        text("id"),
        text("state"),
        layout::escaped(&levels.join(" "))
    );
    let keys = receipt.and_then(|receipt| receipt.get("keys"));
    let more = [
        explained(&text("state"), &text("why")),
        keys.map(about_keys),
    ];
    for line in more.into_iter().flatten() {
        lines.push_str("\n         ");
        lines.push_str(&line);
    }
    lines
}

/// What became of the keys of an encrypted store.
fn about_keys(keys: &Value) -> String {
    let destroyed = keys.get("destroyed").and_then(Value::as_array);
    let count = destroyed.map_or(0, Vec::len) as u64;
    let is_all = keys.get("all").and_then(Value::as_bool) == Some(true);
    let why = keys.get("why").and_then(Value::as_str);
    let what = layout::count(count, "key", "keys");
    match (is_all, why) {
        (true, _) => format!("{what} destroyed: in copies of the store it can be read by nobody"),
        (false, Some(why)) => {
            format!("the keys could not be destroyed ({})", layout::escaped(why))
        }
        (false, None) => {
            "there is more in the scope, so it keeps its key: in copies of the store it can be read"
                .to_owned()
        }
    }
}

/// What a state means where somebody has to know, or to do something.
fn explained(state: &str, why: &str) -> Option<String> {
    match (state, why) {
        ("pending", "reader") => Some(
            "a program reads an old state of the store; its log is cleared when that ends"
                .to_owned(),
        ),
        ("pending", "?") => Some("the files have still to be searched".to_owned()),
        ("pending", why) => Some(format!(
            "the files could not be searched ({why}); the next write or memoriter work tries again"
        )),
        ("failed", _) => {
            Some("pieces of it were found in the files where no record has them".to_owned())
        }
        ("begun", _) => Some("a program erases it now, or was stopped in the middle".to_owned()),
        ("interrupted", _) => Some(
            "it was stopped in the middle: what is counted is gone; run it again for the rest"
                .to_owned(),
        ),
        _ => None,
    }
}
