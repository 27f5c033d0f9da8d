//! `memoriter config`: the settings in use.

use clap::{Args, Subcommand};
use memoriter::Memoriter;
use serde::Serialize;

use crate::config::{Origin, Setting, unknown_variables};
use crate::context::Context;
use crate::failure::Failure;
use crate::layout;
use crate::output::Answer;

/// See and check the settings
#[derive(Args)]
#[command(after_help = SETTINGS)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

const SETTINGS: &str = "\
Example: memoriter config check --config memoriter.toml

A file of settings, all of them optional, each also a variable such as MEMORITER_USER:
  data = \"/srv/memory\"          # folder of the stores
  tenant = \"default\"
  user = \"priya\"
  agent = \"tutor\"
  encrypt = true                # what new stores hold; see docs/encryption.md
  key_file = \"/srv/keys/memory\"   # or the variable MEMORITER_KEY, or keyring = true
  embedder = \"built-in\"         # or minilm:FOLDER, where the build has it
  extract = \"rules\"             # what finds facts: rules, model or none
  judge = \"none\"              # or model: it is asked whether statements mean the same
  model = \"openai:gpt-4o-mini\"  # or anthropic:NAME, ollama:NAME
  model_url = \"http://localhost:8080/v1\"   # where another service is
  model_timeout = 60            # seconds, at most 240
  model_temperature = 0         # 0 to 2; \"none\" for models that take none
  model_calls_a_day = 1000      # caps, for all of the tenant
  model_tokens_a_day = 2000000
  blocked = [\"phone\"]          # never kept: card-number, iban, email, phone, national-id
  blocked_patterns = [\"staff=\\\\bS-[0-9]{6}\\\\b\"]  # NAME=EXPRESSION: masked, and a fact that needs it refused
  masked_patterns = [\"case=\\\\bCASE-[0-9]+\\\\b\"]    # masked as a secret; as variables one a line
  index_bytes = 1073741824      # memory that indexes may take
  set_attributes = [\"badge\"]    # attributes that hold several values at a time
  single_attributes = [\"pet\"]   # attributes that hold one

A key holds one value at a time, and a newer one takes its place. These attributes hold several values at a \
time: alias, allergy, child, dislike, email, event, goal, hobby, instruction, instrument, interest, language, like, \
pet, phone, preference, project, relative, skill, tool. set_attributes adds to them, single_attributes takes some \
out; write them in the singular. What is remembered already stays as it was decided. As variables both are \
lists with commas: MEMORITER_SET_ATTRIBUTES=badge,cup

The key of a model's service is MEMORITER_MODEL_KEY, or model_key in the file, or what its own tools read: \
OPENAI_API_KEY, ANTHROPIC_API_KEY.

For tests: clock = \"2026-03-01\" stops the clock, seed = 1 makes ids repeat. A command with the same clock and \
seed as one before it makes the same ids, so change one of the two from call to call.";

#[derive(Subcommand)]
enum ConfigCommand {
    /// Check all settings and show each with the place it comes from
    #[command(after_help = SETTINGS)]
    Check,
}

#[derive(Serialize)]
struct ConfigWire {
    ok: bool,
    store: String,
    settings: Vec<SettingWire>,
}

#[derive(Serialize)]
struct SettingWire {
    key: &'static str,
    value: Option<String>,
    from: String,
}

pub(super) fn run(context: &Context, args: &ConfigArgs) -> Result<Answer, Failure> {
    match args.command {
        ConfigCommand::Check => check(context),
    }
}

fn check(context: &Context) -> Result<Answer, Failure> {
    if let Some(name) = unknown_variables().first() {
        return Err(Failure::usage(name, format!("{name} is not a setting")));
    }
    let store = context.settings.store_file()?;
    context.settings.encryption.check(&store)?;
    context.settings.build_embedder()?;
    context.settings.model.check()?;
    context.settings.extracting(Memoriter::builder(), None)?;
    let wire = ConfigWire {
        ok: true,
        store: context.settings.store_file()?.display().to_string(),
        settings: context
            .settings
            .written
            .iter()
            .map(|written| setting(written, context.settings.effective(written)))
            .collect(),
    };
    let mut table = layout::table(&["setting", "value", "from"]);
    for setting in &wire.settings {
        let value = setting.value.as_deref().unwrap_or("-");
        table.add_row([setting.key, value, &setting.from]);
    }
    let text = format!("{}\n\nstore: {}", layout::render(&table), wire.store);
    Ok(Answer::new(&wire, text))
}

fn setting(setting: &Setting, value: Option<String>) -> SettingWire {
    SettingWire {
        key: setting.key.name(),
        value,
        from: match &setting.origin {
            Origin::File(file) => file.display().to_string(),
            Origin::Flag | Origin::Environment | Origin::Default => setting.place(),
        },
    }
}
