//! `memoriter session attach` and `memoriter session attachment`: files beside a conversation.

use std::path::{Path, PathBuf};

use clap::Args;
use memoriter::core::attachment::{ATTACHMENT_BYTES_MAX, Attachment, Handle, MediaType};
use memoriter::core::message::media;
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::output::Answer;
use crate::{input, layout};
use memoriter_server::wire::AttachmentWire;

/// Keep a file beside a conversation, up to 16 MiB
#[derive(Args)]
#[command(after_help = "\
Example: memoriter session attach work build.log --type text/plain

A turn of the conversation gets a note with the beginning of a text and a handle. Nothing is learned from the file.")]
pub(super) struct AttachArgs {
    /// The name of the conversation
    #[arg(value_name = "SESSION")]
    session: String,
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What kind of thing it is, such as text/plain [default: what the content says]
    #[arg(long = "type", value_name = "TYPE", value_parser = MediaType::new)]
    media_type: Option<MediaType>,
}

/// Read an attachment, or a part of it, by its handle
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter session attachment attachment:0190b2c4-7d3e-8c5a-9b1f-2a6d8e4f0c11 --length 2000
          memoriter session attachment attachment:0190b2c4-7d3e-8c5a-9b1f-2a6d8e4f0c11 --out picture.png")]
pub(super) struct AttachmentArgs {
    /// attachment:ID or turn:ID, as `session show` prints it
    #[arg(value_name = "HANDLE")]
    handle: Handle,
    /// Start at this byte
    #[arg(
        long,
        default_value = "0",
        value_name = "N",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = input::whole_number::<usize>("offset", "a whole number, 0 or more"))]
    offset: usize,
    /// At most so many bytes [default: all of it]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = input::whole_number::<usize>("length", "a whole number, 0 or more"))]
    length: Option<usize>,
    /// Write it to this new file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A part of an attachment.
#[derive(Serialize)]
struct StretchWire {
    handle: String,
    media_type: String,
    total_bytes: usize,
    offset: usize,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
    next_offset: Option<usize>,
}

/// An attachment in a line.
pub(super) fn told(attachment: &Attachment) -> String {
    let name = attachment
        .name
        .as_deref()
        .map_or_else(String::new, |name| format!("{name}, "));
    let Attachment {
        media_type, bytes, ..
    } = attachment;
    format!("{name}{media_type}, {bytes} bytes, {}", attachment.handle())
}

pub(super) fn attach(context: &Context, args: &AttachArgs) -> Result<Answer, Failure> {
    let bytes = input::bytes(&args.file)?;
    let name = args.file.file_name().map(|name| name.to_string_lossy());
    let scope = context.own_scope(&context.open()?)?;
    let session = scope.session(args.session.as_str());
    let attachment = session.attach(bytes, args.media_type.clone(), name.as_deref())?;
    let text = format!("attached: {}", told(&attachment));
    Ok(Answer::new(
        &AttachmentWire::from(&attachment),
        layout::escaped(&text),
    ))
}

pub(super) fn read(context: &Context, args: &AttachmentArgs) -> Result<Answer, Failure> {
    let scope = context.own_scope(&context.open_existing()?)?;
    let length = args.length.unwrap_or(ATTACHMENT_BYTES_MAX);
    let stretch = scope.read_handle(args.handle, args.offset, length)?;
    let mut wire = StretchWire {
        handle: args.handle.to_string(),
        media_type: stretch.media_type.to_string(),
        total_bytes: stretch.total_bytes,
        offset: stretch.offset,
        bytes: stretch.bytes.len(),
        text: None,
        base64: None,
        next_offset: stretch.next_offset(),
    };
    if let Some(out) = &args.out {
        write_new(out, &stretch.bytes)?;
        let text = format!("{} bytes written to {}", stretch.bytes.len(), out.display());
        return Ok(Answer::new(&wire, layout::escaped(&text)));
    }
    match String::from_utf8(stretch.bytes) {
        Ok(text) => {
            wire.text = Some(text.clone());
            let more = wire.next_offset;
            let more = more.map_or_else(String::new, |next| format!("\nmore: --offset {next}"));
            Ok(Answer::new(&wire, format!("{text}{more}")))
        }
        Err(error) => {
            let bytes = error.into_bytes();
            wire.base64 = Some(media::encode(&bytes));
            let text = format!(
                "{} bytes of {}; --out FILE writes them",
                bytes.len(),
                wire.media_type
            );
            Ok(Answer::new(&wire, text))
        }
    }
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    use std::io::Write as _;
    let file = fs_err::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path);
    let written = file.and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| Failure::file(&error))
}
