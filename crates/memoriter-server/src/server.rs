//! Starting, serving, stopping.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use memoriter::core::port::{Clock, Entropy};
use memoriter::{Access, Memoriter, SystemClock, SystemEntropy};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt;

use crate::app::{App, Parts};
use crate::credential::Granted;
use crate::credential::key::{KeyError, Keys};
use crate::credential::token::TokenPolicy;
use crate::desk::LastDesks;
use crate::layer::host::Hosts;
use crate::limit::{Limits, Meter};
use crate::metrics::Metrics;
use crate::repeat::Repeats;
use crate::route;
use crate::tenant::{OpenError, OpenTenant, TENANTS_OPEN_MAX, Tenants};

/// How long requests in flight may take when the server is told to stop.
const STOP_TIME: Duration = Duration::from_secs(10);
/// How often what idles is let go of.
const TIDY_EVERY: Duration = Duration::from_mins(1);
/// How long to wait when the system gives no connection, as when files run out.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What a server is made of.
pub struct Settings {
    /// Opens a tenant's store, or makes it.
    pub open: Box<OpenTenant>,
    /// The keys that let callers in.
    pub keys: Keys,
    /// Tokens that let callers in, too.
    pub tokens: Option<TokenPolicy>,
    /// Whose store a caller without a key reaches, where that is allowed.
    pub tenant: String,
    /// Names of this server, besides those of the address it listens at.
    pub hosts: Vec<String>,
    /// Origins of pages in browsers that may come here, besides its own.
    pub origins: Vec<String>,
    /// What callers may take.
    pub limits: Limits,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness for the names of requests.
    pub entropy: Arc<dyn Entropy>,
}

impl Settings {
    /// The usual settings over the stores of a folder, with its keys.
    #[must_use]
    pub fn new(
        open: impl Fn(&str) -> Result<Memoriter, OpenError> + Send + Sync + 'static,
        folder: &Path,
    ) -> Self {
        Self {
            open: Box::new(open),
            keys: Keys::in_folder(folder),
            tokens: None,
            tenant: "default".to_owned(),
            hosts: Vec::new(),
            origins: Vec::new(),
            limits: Limits::default(),
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
        }
    }
}

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Others than this machine could come in, and nothing would keep anybody out.
    #[error(
        "{address} can be reached from elsewhere, and there is no key: everybody could come in"
    )]
    NoKeys {
        /// Where it would listen.
        address: SocketAddr,
    },
    /// It listens everywhere, and nobody said by which name it is reached.
    #[error(
        "{address} is every address of this machine: name the hosts that requests may be sent to"
    )]
    NoHosts {
        /// Where it would listen.
        address: SocketAddr,
    },
    /// The key file cannot be used.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// The address cannot be used.
    #[error("listening failed")]
    Listen(#[from] io::Error),
}

impl memoriter::Diagnose for StartError {
    fn code(&self) -> &'static str {
        match self {
            Self::NoKeys { .. } => "keys_needed",
            Self::NoHosts { .. } => "hosts_needed",
            Self::Keys(error) => error.code(),
            Self::Listen(_) => "listen",
        }
    }

    fn fault(&self) -> memoriter::Fault {
        match self {
            Self::NoKeys { .. } => memoriter::Fault::Refused,
            Self::NoHosts { .. } => memoriter::Fault::Caller,
            Self::Keys(error) => error.fault(),
            Self::Listen(_) => memoriter::Fault::Environment,
        }
    }
}

/// A server that may start.
pub struct Server {
    app: App,
    router: Router,
}

impl Server {
    /// Looks at the settings: whether what listens at `address` keeps out who must not come in.
    ///
    /// # Errors
    /// [`StartError`], with what is missing.
    pub fn new(settings: Settings, address: SocketAddr) -> Result<Self, StartError> {
        let is_keyed = !settings.keys.is_empty()? || settings.tokens.is_some();
        let is_loopback = address.ip().is_loopback();
        // Who gives this server a name expects callers from elsewhere, as through a proxy.
        if !(is_keyed || is_loopback && settings.hosts.is_empty()) {
            return Err(StartError::NoKeys { address });
        }
        let hosts = Hosts::new(address, &settings.hosts, &settings.origins);
        let hosts = hosts.ok_or(StartError::NoHosts { address })?;
        let unkeyed = (is_loopback && !is_keyed).then(|| Granted {
            tenant: settings.tenant,
            access: Access::FULL,
            name: "local".to_owned(),
        });
        let app = App::new(Parts {
            tenants: Tenants::new(settings.open, TENANTS_OPEN_MAX),
            keys: settings.keys,
            tokens: settings.tokens,
            unkeyed,
            is_keyed: AtomicBool::new(is_keyed),
            hosts,
            meter: Meter::new(&settings.limits),
            threads: Arc::new(Semaphore::new(settings.limits.calls_at_once)),
            limits: settings.limits,
            metrics: Metrics::new(),
            repeats: Repeats::default(),
            desks: LastDesks::default(),
            clock: settings.clock,
            entropy: settings.entropy,
            requests: AtomicU64::new(0),
            is_ending: AtomicBool::new(false),
        });
        let router = route::router(&app);
        Ok(Self { app, router })
    }

    /// Whether callers come in without a key: only from this machine, and only while there is no key.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.app.unkeyed.is_some()
    }
}

/// Serves what comes in at `listener` until `shutdown` is done. Requests in flight are answered first, for ten seconds at
/// most; what was acknowledged is on disk.
///
/// # Errors
/// When the listener has no address.
pub async fn run(
    listener: TcpListener,
    server: Server,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let Server { app, router } = server;
    let connections = Arc::new(Semaphore::new(app.limits().connections));
    let graceful = GracefulShutdown::new();
    let mut shutdown = std::pin::pin!(shutdown);
    let mut tidy = tokio::time::interval(TIDY_EVERY);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            _ = tidy.tick() => app.meter.tidy(),
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    // One too many is closed at once: it would wait for nothing.
                    if let Ok(place) = Arc::clone(&connections).try_acquire_owned() {
                        serve(stream, place, &app, router.clone(), &graceful);
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be taken");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }
    app.is_ending.store(true, Ordering::Relaxed);
    drop(listener);
    let ended = tokio::time::timeout(STOP_TIME, graceful.shutdown()).await;
    if ended.is_err() {
        tracing::warn!("some requests took longer than ten seconds and were broken off");
    }
    let closing = app.clone();
    // A worker that reads ends with what it reads.
    let _ = tokio::task::spawn_blocking(move || closing.tenants().close()).await;
    Ok(())
}

fn serve(
    stream: TcpStream,
    place: OwnedSemaphorePermit,
    app: &App,
    router: Router,
    graceful: &GracefulShutdown,
) {
    // Answers are small and written at once.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: Request<hyper::body::Incoming>| {
        let router = router.clone();
        async move {
            let answered = router.oneshot(request.map(axum::body::Body::new)).await;
            Ok::<_, Infallible>(answered.unwrap_or_else(|never| match never {}))
        }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(app.limits().read_time);
    let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
    tokio::spawn(async move {
        // A caller that leaves is no failure of ours.
        let _ = connection.await;
        drop(place);
    });
}
