//! `memoriter session state`: fields that code reads directly.

use clap::{Args, Subcommand};
use memoriter::core::board::{BoardError, Field, FieldType, FieldWrite, Guarded, MergeRule};
use memoriter::core::id::MemoryId;
use memoriter::import::parse_exact_json;
use memoriter::{Board, Error, Memoriter, Taken};
use serde_json::Value;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};
use memoriter_server::wire::{self, BoardWire, FieldWire};

/// See or write the state of a conversation: named fields that code reads directly
#[derive(Args)]
#[command(after_help = "\
With --json `get` without a field gives {\"session\", \"fields\": [field...]}, everything else one field:
{\"name\", \"value\", \"revision\", \"type\", \"rule\", \"owner\", \"protected\", \"source\", \"actor\", \"at\"}.

Examples: memoriter session state set work order_id '\"A-17\"'
          memoriter session state append work steps '\"paid\"'
          memoriter session state get work")]
pub(super) struct StateArgs {
    #[command(subcommand)]
    command: StateCommand,
}

#[derive(Subcommand)]
enum StateCommand {
    Get(GetArgs),
    Set(SetArgs),
    Append(AppendArgs),
    Remove(RemoveArgs),
    Take(TakeArgs),
}

/// See a field, or all
#[derive(Args)]
#[command(after_help = "Example: memoriter session state get work steps")]
struct GetArgs {
    /// The name of the conversation
    #[arg(value_name = "SESSION")]
    session: String,
    /// The field; all where it is left out
    #[arg(value_name = "FIELD")]
    field: Option<String>,
}

/// Write a value
#[derive(Args)]
#[command(after_help = "\
By a rule a write is merged with what is there: append adds an item to a list, max keeps the greater number, union adds
the items that a list lacks. The first write declares type and rule; what was declared to merge is replaced only with
--expect-revision. With --expect-revision 0 the field must not be there.

Examples: memoriter session state set work order_id '\"A-17\"'
          memoriter session state set work approved true --type bool --expect-revision 3
          memoriter session state set work goal '\"ship on Friday\"' --protected --owner planner --as planner")]
struct SetArgs {
    /// The name of the conversation
    #[arg(value_name = "SESSION")]
    session: String,
    /// The field
    #[arg(value_name = "FIELD")]
    field: String,
    /// The value as JSON: a text stands in double quotes
    #[arg(value_name = "JSON", allow_hyphen_values = true)]
    value: String,
    /// What the field may hold: any, string, number, bool, list or object
    #[arg(long = "type", value_name = "TYPE", value_parser = FieldType::parse)]
    kind: Option<FieldType>,
    /// How this write meets what is there: replace, append, max or union
    #[arg(long, value_name = "RULE", value_parser = MergeRule::parse)]
    rule: Option<MergeRule>,
    /// Who alone may write from now on
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Always show it to the model, such as a goal
    #[arg(long)]
    protected: bool,
    #[command(flatten)]
    conditions: Conditions,
}

/// Add an item to a list
#[derive(Args)]
#[command(after_help = "Example: memoriter session state append work steps '\"paid\"'")]
struct AppendArgs {
    /// The name of the conversation
    #[arg(value_name = "SESSION")]
    session: String,
    /// The field
    #[arg(value_name = "FIELD")]
    field: String,
    /// The item as JSON: a text stands in double quotes
    #[arg(value_name = "JSON", allow_hyphen_values = true)]
    item: String,
    #[command(flatten)]
    conditions: Conditions,
}

/// Remove a field
#[derive(Args)]
#[command(after_help = "Example: memoriter session state remove work order_id")]
struct RemoveArgs {
    /// The name of the conversation
    #[arg(value_name = "SESSION")]
    session: String,
    /// The field
    #[arg(value_name = "FIELD")]
    field: String,
    #[command(flatten)]
    conditions: Conditions,
}

/// Copy what is remembered into a field, which says where it comes from
#[derive(Args)]
#[command(after_help = "\
Only what is live moves: what waits for a person is refused.

Example: memoriter session state take work city user.city")]
struct TakeArgs {
    /// The name of the conversation
    #[arg(value_name = "SESSION")]
    session: String,
    /// The field
    #[arg(value_name = "FIELD")]
    field: String,
    /// The memory, by its id or key
    #[arg(value_name = "ID|KEY")]
    memory: String,
    /// Who writes [default: the agent, if one is set]
    #[arg(long = "as", value_name = "NAME")]
    actor: Option<String>,
}

#[derive(Args)]
struct Conditions {
    /// Only if the field has this revision; 0: only if it is not there
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = input::whole_number::<u64>("expect-revision", "a whole number, 0 or more"))]
    expect_revision: Option<u64>,
    /// Who writes [default: the agent, if one is set]
    #[arg(long = "as", value_name = "NAME")]
    actor: Option<String>,
}

pub(super) fn run(context: &Context, args: &StateArgs) -> Result<Answer, Failure> {
    match &args.command {
        StateCommand::Get(args) => get(context, args),
        StateCommand::Set(args) => set(context, args),
        StateCommand::Append(args) => {
            let board = board(context, &context.open()?, &args.session)?;
            let write = FieldWrite {
                rule: Some(MergeRule::Append),
                guarded: args.conditions.guarded(),
                ..FieldWrite::new(&args.field, json(&args.item)?)
            };
            Ok(written(&board.write(write)?))
        }
        StateCommand::Remove(args) => {
            let Guarded {
                actor,
                expected_revision,
            } = args.conditions.guarded();
            let board = board(context, &context.open()?, &args.session)?;
            let board = acting(board, actor.as_deref());
            let field = board.remove(&args.field, expected_revision)?;
            let text = format!("{} removed", layout::escaped(&field.name));
            Ok(Answer::new(&FieldWire::from(&field), text))
        }
        StateCommand::Take(args) => {
            let from = match args.memory.parse::<MemoryId>() {
                Ok(id) => Taken::Memory(id),
                Err(_) => Taken::Key(args.memory.parse()?),
            };
            let board = board(context, &context.open()?, &args.session)?;
            let board = acting(board, args.actor.as_deref());
            Ok(written(&board.take(&args.field, &from)?))
        }
    }
}

fn get(context: &Context, args: &GetArgs) -> Result<Answer, Failure> {
    let memory = context.open_or_empty()?;
    let session = context.own_scope(&memory)?.session(&args.session);
    let board = session.state();
    if let Some(name) = &args.field {
        let missing = || BoardError::NoSuchField {
            field: name.clone(),
        };
        let field = board.get(name)?.ok_or_else(missing)?;
        return Ok(Answer::new(&FieldWire::from(&field), value_of(&field)));
    }
    let rows = board.list()?;
    if rows.rows.is_empty() && !session.is_kept()? {
        return Err(Error::NoSuchSession {
            name: args.session.clone(),
        }
        .into());
    }
    let wire = BoardWire {
        session: args.session.clone(),
        fields: wire::all(&rows.rows),
        damaged: wire::all(&rows.damaged),
    };
    let mut lines = Vec::new();
    if rows.rows.is_empty() {
        lines.push("No field is kept here.".to_owned());
    } else {
        let mut table = layout::table(&["field", "value", "revision", "written by"]);
        for field in &rows.rows {
            table.add_row([
                layout::one_line(&field.name, layout::LISTED_CHARS_MAX),
                layout::one_line(&value_of(field), layout::LISTED_CHARS_MAX),
                field.revision.to_string(),
                layout::escaped(field.actor.as_deref().unwrap_or_default()),
            ]);
        }
        lines.push(layout::render(&table));
    }
    lines.extend(rows.damaged.iter().map(layout::damage));
    Ok(Answer::new(&wire, lines.join("\n")))
}

fn set(context: &Context, args: &SetArgs) -> Result<Answer, Failure> {
    let write = FieldWrite {
        rule: args.rule,
        kind: args.kind,
        owner: args.owner.clone(),
        is_protected: args.protected.then_some(true),
        guarded: args.conditions.guarded(),
        ..FieldWrite::new(&args.field, json(&args.value)?)
    };
    let board = board(context, &context.open()?, &args.session)?;
    Ok(written(&board.write(write)?))
}

impl Conditions {
    fn guarded(&self) -> Guarded {
        Guarded {
            actor: self.actor.clone(),
            expected_revision: self.expect_revision,
        }
    }
}

fn board(context: &Context, memory: &Memoriter, session: &str) -> Result<Board, Failure> {
    Ok(context.own_scope(memory)?.session(session).state())
}

fn acting(board: Board, actor: Option<&str>) -> Board {
    match actor {
        Some(actor) => board.by(actor),
        None => board,
    }
}

/// A value as an argument gives it.
pub(super) fn json(text: &str) -> Result<Value, Failure> {
    let text = input::text(text)?;
    parse_exact_json(&text).map_err(|error| {
        if error.is_data() {
            return Failure::usage("value", format!("value: {error}"));
        }
        let message = format!("value is no JSON: {error}");
        Failure::usage("value", message).hint("a text stands in double quotes: '\"A-17\"'")
    })
}

fn value_of(field: &Field) -> String {
    field.to_json().unwrap_or_default()
}

fn written(field: &Field) -> Answer {
    let value = layout::one_line(&value_of(field), layout::LISTED_CHARS_MAX);
    let name = layout::escaped(&field.name);
    let text = format!("{name} = {value}  (revision {})", field.revision);
    Answer::new(&FieldWire::from(field), text)
}
