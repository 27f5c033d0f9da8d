//! Standard input and output: a message a line.
//!
//! Standard input is read on a thread of its own and answers are written on another, so that the end of the process waits
//! for neither. The real standard output is put away first, and what any other code prints goes to standard error: nothing
//! but messages reaches the client.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc as channel;
use std::thread;
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::{QuitReason, ServerInitializeError, serve_server_with_ct};
use rmcp::transport::Transport;
use rmcp::{ErrorData, RoleServer};
use tokio::sync::{mpsc, oneshot};

use super::Connection;
use super::frame::{self, Frame};
use super::handler::Handler;

/// Bytes of a message: more than every limit of the engine, whose errors name the size.
const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Messages that were read and are not looked at yet; a client that sends faster waits.
const WAITING_MAX: usize = 64;
/// Calls that may run at a time; more wait. Each is a thread.
const CALLS_MAX: usize = 16;
/// How long calls that run at the end may take to become durable.
const ENDING_MAX: Duration = Duration::from_secs(10);

/// Why the server ended before its client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The system gives no thread, pipe or signal.
    #[error("the server cannot be started")]
    Start(#[source] io::Error),
    /// The client does not speak the protocol.
    #[error("the client did not open the connection: {0}")]
    NotOpened(String),
}

/// Serves one client on standard input and output until its input ends, or a signal to end comes. Everything that was
/// answered by then is durable. Blocks.
///
/// # Errors
/// [`ServeError`]; the end of the input is none.
pub fn serve_stdio(connection: Connection) -> Result<(), ServeError> {
    let output = taken_output().map_err(ServeError::Start)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(CALLS_MAX)
        .build()
        .map_err(ServeError::Start)?;
    let served = runtime.block_on(serve(connection, io::stdin(), output));
    runtime.shutdown_timeout(ENDING_MAX);
    served
}

/// The real standard output. What is printed from now on goes to standard error.
#[cfg(unix)]
fn taken_output() -> io::Result<fs_err::File> {
    use std::os::fd::AsFd;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    let file = std::fs::File::from(output);
    Ok(fs_err::File::from_parts(file, "standard output"))
}

/// The standard output as it is.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the other one can fail")]
fn taken_output() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}

async fn serve(
    connection: Connection,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    let lines = Lines::start(input, output).map_err(ServeError::Start)?;
    let signal = signal().map_err(ServeError::Start)?;
    let stop = tokio_util::sync::CancellationToken::new();
    let stopping = stop.clone();
    let watch = tokio::spawn(async move {
        signal.await;
        stopping.cancel();
    });
    let opened = serve_server_with_ct(Handler::of(connection), lines, stop).await;
    let ended = match opened {
        Ok(service) => match service.waiting().await {
            Ok(QuitReason::JoinError(error)) | Err(error) => {
                Err(ServeError::Start(io::Error::other(error)))
            }
            Ok(_) => Ok(()),
        },
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            Ok(())
        }
        Err(error) => Err(ServeError::NotOpened(error.to_string())),
    };
    watch.abort();
    ended
}

/// Ends when somebody asks the process to end.
#[cfg(unix)]
fn signal() -> io::Result<impl Future<Output = ()> + Send> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Ends when somebody asks the process to end.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the other one can fail")]
fn signal() -> io::Result<impl Future<Output = ()> + Send> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// A line to write, and who waits until it is written.
type Line = (Vec<u8>, Option<oneshot::Sender<io::Result<()>>>);

/// A message a line, both ways.
struct Lines {
    incoming: mpsc::Receiver<Frame>,
    /// `None` once closed.
    outgoing: Option<channel::Sender<Line>>,
    /// Whether the client has asked something: what it only tells before that is about nothing.
    is_open: bool,
}

impl Lines {
    fn start(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> io::Result<Self> {
        let (frames, incoming) = mpsc::channel(WAITING_MAX);
        let (outgoing, lines) = channel::channel();
        let reader = thread::Builder::new().name("memoriter-mcp-in".into());
        reader.spawn(move || read_all(input, &frames))?;
        let writer = thread::Builder::new().name("memoriter-mcp-out".into());
        writer.spawn(move || write_all(output, &lines))?;
        Ok(Self {
            incoming,
            outgoing: Some(outgoing),
            is_open: false,
        })
    }

    fn write(&self, message: &ServerJsonRpcMessage, told: Option<oneshot::Sender<io::Result<()>>>) {
        let mut line = serde_json::to_vec(message).expect("messages have string keys");
        line.push(b'\n');
        if let Some(outgoing) = &self.outgoing {
            // Whoever waits is told by the sender that is dropped.
            let _ = outgoing.send((line, told));
        }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (told, wait) = oneshot::channel();
        self.write(&message, Some(told));
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            wait.await.unwrap_or_else(|_| Err(closed()))
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            match self.incoming.recv().await? {
                Frame::Refused(answer) => self.write(&answer, None),
                Frame::Message(message) => {
                    self.is_open |= matches!(*message, JsonRpcMessage::Request(_));
                    if self.is_open {
                        return Some(*message);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.outgoing = None;
        Ok(())
    }
}

fn read_all(input: impl Read, frames: &mpsc::Sender<Frame>) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        let most = u64::try_from(LINE_BYTES_MAX).unwrap_or(u64::MAX) + 1;
        match input.by_ref().take(most).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let read = if line.len() > LINE_BYTES_MAX {
            if skip_line(&mut input).is_err() {
                return;
            }
            let message = format!("the message is over the limit of {LINE_BYTES_MAX} bytes");
            let error = ErrorData::invalid_request(message, None);
            vec![Frame::Refused(Box::new(JsonRpcMessage::error(error, None)))]
        } else {
            frame::read(&line)
        };
        for frame in read {
            if frames.blocking_send(frame).is_err() {
                return;
            }
        }
    }
}

/// Reads on to the end of a line that is too long to keep.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let available = input.fill_buf()?;
        if available.is_empty() {
            return Ok(());
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

fn write_all(mut output: impl Write, lines: &channel::Receiver<Line>) {
    for (line, told) in lines {
        let written = output.write_all(&line).and_then(|()| output.flush());
        let is_over = written.is_err();
        if let Some(told) = told {
            let _ = told.send(written);
        }
        if is_over {
            return;
        }
    }
}
