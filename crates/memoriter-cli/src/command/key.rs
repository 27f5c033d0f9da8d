//! `memoriter key`: who may come in over HTTP and MCP.

use clap::{Args, Subcommand};
use memoriter::core::time::ZonedTime;
use memoriter::{Rights, Scope, SystemEntropy};
use memoriter_server::credential::key::{KeyEntry, Keys, NewKey};
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};

/// Keys for the server: make, list, replace and take back
///
/// A key reaches one tenant, and in it one user, agent or everybody; it has some of the rights read, write, delete, export
/// and admin. It is shown once; the data folder keeps a hash of it.
#[derive(Args)]
#[command(after_help = "Example: memoriter key new --user priya")]
pub(super) struct KeyArgs {
    #[command(subcommand)]
    command: KeyCommand,
}

#[derive(Subcommand)]
enum KeyCommand {
    New(NewArgs),
    List,
    Rotate(IdArgs),
    Revoke(IdArgs),
}

/// Make a key
///
/// For the user that --user names, or the agent inside that --agent names; --everybody reaches the whole tenant.
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter key new --user priya
          memoriter key new --everybody --rights all --label backend
          memoriter key new --user priya --rights read --expires 2027-01-01")]
struct NewArgs {
    /// What people call it
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
    /// read, write, delete, export, admin with commas between, or all
    #[arg(long, default_value = "read,write,delete", value_name = "RIGHTS", value_parser = Rights::parse)]
    rights: Rights,
    /// Reaches every user of the tenant
    #[arg(long)]
    everybody: bool,
    /// From when on it is refused
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    expires: Option<ZonedTime>,
}

#[derive(Args)]
struct IdArgs {
    /// The id of a key, as list shows it
    #[arg(value_name = "ID")]
    id: String,
}

#[derive(Serialize)]
struct KeyWire {
    id: String,
    /// The key itself: only when it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    label: Option<String>,
    tenant: String,
    within: Option<Vec<String>>,
    rights: String,
    created_at: String,
    expires_at: Option<String>,
}

#[derive(Serialize)]
struct KeysWire {
    keys: Vec<KeyWire>,
}

pub(super) fn run(context: &Context, args: &KeyArgs) -> Result<Answer, Failure> {
    let keys = Keys::in_folder(context.settings.folder()?);
    match &args.command {
        KeyCommand::New(args) => new(context, &keys, args),
        KeyCommand::List => list(&keys),
        KeyCommand::Rotate(args) => {
            let (entry, text) = keys.rotate(&args.id, &SystemEntropy, context.now())?;
            Ok(made(&entry, text))
        }
        KeyCommand::Revoke(args) => {
            let entry = keys.revoke(&args.id)?;
            let told = format!("{} is taken back: it is refused from now on", entry.id);
            Ok(Answer::new(&wire(&entry, None), told))
        }
    }
}

fn new(context: &Context, keys: &Keys, args: &NewArgs) -> Result<Answer, Failure> {
    let chosen = context.settings.chosen_scope().is_some();
    let within = match (chosen, args.everybody) {
        (true, false) => Some(context.scope_of(&context.settings.user)?),
        (false, true) => None,
        (true, true) => {
            let message = "everybody has no place beside a user or an agent";
            return Err(Failure::usage("everybody", message));
        }
        (false, false) => {
            let message =
                "say whom the key is for: --user NAME, or --everybody for the whole tenant";
            return Err(Failure::usage("user", message));
        }
    };
    context.make_data_folder()?;
    let key = NewKey {
        label: args.label.clone(),
        tenant: context.settings.tenant.clone(),
        within,
        rights: args.rights,
        expires_at: args.expires.map(|time| time.instant),
    };
    let (entry, text) = keys.create(key, &SystemEntropy, context.now())?;
    Ok(made(&entry, text))
}

/// Shown this once.
fn made(entry: &KeyEntry, text: String) -> Answer {
    let told = format!("{text}\n{}; it is not shown again", reach(entry));
    Answer::new(&wire(entry, Some(text)), told)
}

fn list(keys: &Keys) -> Result<Answer, Failure> {
    let entries = keys.list()?;
    let document = KeysWire {
        keys: entries.iter().map(|entry| wire(entry, None)).collect(),
    };
    if entries.is_empty() {
        return Ok(Answer::new(&document, "There is no key."));
    }
    let mut table = layout::table(&["key", "label", "tenant", "reaches", "rights", "until"]);
    for entry in &entries {
        let label = entry.key.label.as_deref().unwrap_or_default();
        let until = entry.key.expires_at.map(|end| end.to_string());
        table.add_row([
            entry.id.clone(),
            layout::one_line(label, layout::LISTED_CHARS_MAX),
            entry.key.tenant.clone(),
            layout::one_line(&place(entry), layout::LISTED_CHARS_MAX),
            entry.key.rights.to_string(),
            until.unwrap_or_else(|| "-".to_owned()),
        ]);
    }
    Ok(Answer::new(&document, layout::render(&table)))
}

fn reach(entry: &KeyEntry) -> String {
    format!(
        "{} of tenant {}: {}",
        place(entry),
        entry.key.tenant,
        entry.key.rights
    )
}

fn place(entry: &KeyEntry) -> String {
    let within = entry.key.within.as_ref();
    within.map_or_else(|| "everybody".to_owned(), Scope::to_string)
}

fn wire(entry: &KeyEntry, key: Option<String>) -> KeyWire {
    let within = entry.key.within.as_ref();
    KeyWire {
        id: entry.id.clone(),
        key,
        label: entry.key.label.clone(),
        tenant: entry.key.tenant.clone(),
        within: within.map(|scope| scope.segments().map(str::to_owned).collect()),
        rights: entry.key.rights.to_string(),
        created_at: entry.created_at.to_string(),
        expires_at: entry.key.expires_at.map(|end| end.to_string()),
    }
}
