//! Reading what the user gives: texts, standard input, files, and the values of flags.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::str::FromStr;

use memoriter::Fault;
use memoriter::core::error::InvalidInput;
use memoriter::core::metadata::Metadata;
use memoriter::core::time::ZonedTime;
use memoriter::import::{parse_exact_json, parse_json};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::{layout, progress};

/// Bytes that are read from standard input for one text: above every limit of the engine, whose messages
/// name the size, and far below what would hurt.
const STDIN_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A text given as an argument; `-` reads standard input, without the line end that `echo` adds.
pub(crate) fn text(argument: &str) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut bytes = Vec::new();
    let read = io::stdin()
        .lock()
        .take(STDIN_BYTES_MAX + 1)
        .read_to_end(&mut bytes);
    read.map_err(|error| Failure::file(&error).within("reading standard input"))?;
    if bytes.len() as u64 > STDIN_BYTES_MAX {
        let message =
            format!("standard input is over {STDIN_BYTES_MAX} bytes, more than any text may have");
        return Err(Failure::new(Fault::Caller, "over_limit", message));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        Failure::new(
            Fault::Caller,
            "not_utf8",
            format!("standard input: byte {at} is not UTF-8"),
        )
    })?;
    let trimmed = text
        .strip_suffix('\n')
        .map(|text| text.strip_suffix('\r').unwrap_or(text));
    Ok(trimmed.unwrap_or(&text).to_owned())
}

/// A file to read from, or standard input for `-`, with a bar that follows the reading.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        let bar = progress::bytes(None, "standard input");
        return Ok(Box::new(BufReader::new(bar.wrap_read(io::stdin()))));
    }
    let file = fs_err::File::open(path).map_err(|error| Failure::file(&error))?;
    let metadata = file.metadata().map_err(|error| Failure::file(&error))?;
    if metadata.is_dir() {
        let message = format!("{} is a folder, not a file", path.display());
        return Err(Failure::new(Fault::Caller, "not_a_file", message));
    }
    let name = path
        .file_name()
        .map(OsStr::to_string_lossy)
        .unwrap_or_default();
    let bar = progress::bytes(Some(metadata.len()), &layout::escaped(&name));
    Ok(Box::new(BufReader::new(bar.wrap_read(file))))
}

/// JSON out of a file, or standard input for `-`.
pub(crate) fn json_file(path: &str) -> Result<Value, Failure> {
    let text = if path == "-" {
        text(path)?
    } else {
        let bytes = bytes(Path::new(path))?;
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            let message = format!("{path}: byte {at} is not UTF-8");
            Failure::new(Fault::Caller, "not_utf8", message)
        })?
    };
    parse_json(&text)
        .map_err(|error| Failure::new(Fault::Caller, "not_json", format!("{path}: {error}")))
}

/// JSON as an argument; `-` reads standard input.
pub(crate) fn json(field: &'static str, argument: &str) -> Result<Value, Failure> {
    let text = text(argument)?;
    parse_exact_json(&text).map_err(|error| {
        Failure::new(Fault::Caller, "not_json", format!("{field}: {error}")).field(field)
    })
}

/// All of a file.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let length = fs_err::metadata(path)
        .map_err(|error| Failure::file(&error))?
        .len();
    if length > STDIN_BYTES_MAX {
        let message = format!(
            "{} is over {STDIN_BYTES_MAX} bytes, more than one call takes",
            path.display()
        );
        return Err(Failure::new(Fault::Caller, "over_limit", message));
    }
    fs_err::read(path).map_err(|error| Failure::file(&error))
}

/// A time as a flag gives it.
pub(crate) fn time(text: &str) -> Result<ZonedTime, InvalidInput> {
    ZonedTime::parse("time", text)
}

/// A whole number as a flag gives it: `expected` says in words which ones may be.
pub(crate) fn whole_number<T: FromStr>(
    field: &'static str,
    expected: &'static str,
) -> impl Fn(&str) -> Result<T, InvalidInput> + Clone {
    move |text| {
        text.parse()
            .map_err(|_| InvalidInput::malformed(field, expected, text))
    }
}

/// A number from 0 to 1 as a flag gives it.
pub(crate) fn share(field: &'static str) -> impl Fn(&str) -> Result<f32, InvalidInput> + Clone {
    move |text| {
        let share = text
            .parse()
            .ok()
            .filter(|share| (0.0..=1.0).contains(share));
        share.ok_or_else(|| InvalidInput::malformed(field, "a number from 0 to 1", text))
    }
}

/// `name=value`; the value is JSON where it reads as JSON, else a text.
pub(crate) fn metadata_field(text: &str) -> Result<(String, Value), String> {
    let malformed = |expected| InvalidInput::malformed("meta", expected, text).to_string();
    let form = "name=value such as team=blue or priority=2";
    let (name, value) = text
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| malformed(form))?;
    let read = match parse_exact_json(value) {
        Err(error) if error.is_data() => return Err(format!("meta: {error}")),
        read => read.ok(),
    };
    if changes_as_number(value, read.as_ref()) {
        return Err(malformed(
            "name=value with a number that JSON can hold, or the text in double quotes",
        ));
    }
    let value = read.unwrap_or_else(|| Value::from(value));
    Ok((name.to_owned(), value))
}

/// Whether a value that was meant as a number would be kept as another one, or as a text.
fn changes_as_number(text: &str, read: Option<&Value>) -> bool {
    match read {
        Some(Value::Number(number)) => {
            let is_whole = text
                .trim()
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-');
            is_whole && number.is_f64()
        }
        Some(_) => false,
        None => {
            let is_name = matches!(text, "NaN" | "Infinity" | "-Infinity" | "+Infinity");
            let has_digits = text.bytes().any(|byte| byte.is_ascii_digit());
            is_name || has_digits && text.parse().is_ok_and(f64::is_infinite)
        }
    }
}

/// The fields together, each named once.
pub(crate) fn metadata(fields: &[(String, Value)]) -> Result<Metadata, Failure> {
    let mut object = Map::new();
    for (name, value) in fields {
        if object.insert(name.clone(), value.clone()).is_some() {
            return Err(Failure::usage("meta", format!("meta names `{name}` twice")));
        }
    }
    Ok(Metadata::new(object)?)
}
