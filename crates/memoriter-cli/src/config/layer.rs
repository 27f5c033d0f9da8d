//! One place that settings are read from.

use std::path::Path;

use toml::{Table, Value};

use super::key::Form;
use super::{Key, Origin, Setting};
use crate::failure::Failure;

/// What one place says.
pub(crate) struct Layer {
    origin: Origin,
    values: Vec<(Key, String)>,
}

impl Layer {
    pub(super) fn new(origin: Origin, values: impl IntoIterator<Item = (Key, String)>) -> Self {
        Self {
            origin,
            values: values.into_iter().collect(),
        }
    }

    /// The variables that are set.
    pub(super) fn of_environment() -> Result<Self, Failure> {
        let mut values = Vec::new();
        for key in Key::ALL {
            if let Some(value) = variable(&key.variable())? {
                values.push((*key, value));
            }
        }
        Ok(Self::new(Origin::Environment, values))
    }

    /// The file; a relative data folder or key file starts at the file's own folder.
    pub(super) fn of_file(file: &Path) -> Result<Self, Failure> {
        let text = fs_err::read_to_string(file).map_err(|error| Failure::file(&error))?;
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map_or(1, |span| {
                1 + text
                    .get(..span.start)
                    .unwrap_or_default()
                    .matches('\n')
                    .count()
            });
            Failure::usage(
                "config",
                format!("{}, line {line}: {}", file.display(), error.message()),
            )
        })?;
        let mut values = Vec::new();
        for (name, value) in table {
            let key = Key::of_name(&name).ok_or_else(|| {
                let message = format!(
                    "{}: unknown key `{name}`, the keys are {}",
                    file.display(),
                    Key::names()
                );
                Failure::usage(&name, message)
            })?;
            let text = text_of(key.form(), &value).ok_or_else(|| {
                let message = format!(
                    "{}: {name} must be {}, got {}",
                    file.display(),
                    key.form().expected(),
                    type_of(&value)
                );
                Failure::usage(&name, message)
            })?;
            values.push((key, beside(file, key, text)));
        }
        Ok(Self::new(Origin::File(file.to_owned()), values))
    }
}

/// The setting in the first layer that has it.
pub(super) fn find(layers: &[Layer], key: Key) -> Setting {
    let said = |layer: &Layer| {
        let value = layer.values.iter().find(|(of, _)| *of == key);
        value.map(|(_, text)| (text.clone(), layer.origin.clone()))
    };
    match layers.iter().find_map(said) {
        Some((text, origin)) => Setting {
            key,
            text: Some(text),
            origin,
        },
        None => Setting {
            key,
            text: None,
            origin: Origin::Default,
        },
    }
}

fn beside(file: &Path, key: Key, text: String) -> String {
    let folder = file
        .parent()
        .filter(|_| matches!(key, Key::Data | Key::SecretFile) && Path::new(&text).is_relative());
    folder.map_or(text.clone(), |folder| {
        folder.join(text).display().to_string()
    })
}

/// The type of a value, in words.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number with a fraction",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a time",
        Value::Array(items) if items.iter().all(Value::is_str) => "a list of texts",
        Value::Array(_) => "a list of other things",
        Value::Table(_) => "a table",
    }
}

fn text_of(form: Form, value: &Value) -> Option<String> {
    match (form, value) {
        (Form::Text | Form::Time | Form::Decimal, Value::String(text)) => Some(text.clone()),
        (Form::Decimal, Value::Float(number)) => Some(number.to_string()),
        (Form::Number | Form::Decimal, Value::Integer(number)) => Some(number.to_string()),
        (Form::Time, Value::Datetime(time)) => Some(time.to_string()),
        (Form::Switch, Value::Boolean(is_on)) => Some(is_on.to_string()),
        (Form::List | Form::Lines, Value::Array(items)) => {
            let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            let between = if form == Form::Lines { "\n" } else { "," };
            texts.map(|texts| texts.join(between))
        }
        (
            Form::Text
            | Form::Number
            | Form::Decimal
            | Form::List
            | Form::Lines
            | Form::Time
            | Form::Switch,
            _,
        ) => None,
    }
}

/// A variable of the environment; an empty one counts as none.
pub(super) fn variable(name: &str) -> Result<Option<String>, Failure> {
    let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    let text = value.into_string();
    text.map(Some)
        .map_err(|_| Failure::usage(name, format!("{name} is not UTF-8")))
}

/// Variables that look like settings and are none.
pub(crate) fn unknown_variables() -> Vec<String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_known = |name: &str| {
        name == "MEMORITER_CONFIG" || Key::ALL.iter().any(|key| key.variable() == name)
    };
    let mut unknown: Vec<String> = names
        .filter(|name| name.starts_with("MEMORITER_") && !is_known(name))
        .collect();
    unknown.sort();
    unknown
}
