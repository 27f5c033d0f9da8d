//! `memoriter serve`: the memory over HTTP.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use memoriter::{Diagnose, Fault};
use memoriter_server::credential::token::TokenPolicy;
use memoriter_server::{Limits, Server, Settings, StartError, run as serve};
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::runtime;

use crate::context::Context;
use crate::failure::Failure;
use crate::log::{self, LogForm};
use crate::output::{self, Answer};

/// Serve memory over HTTP
///
/// Every tenant's store in the data folder, with the settings of the command. On a loopback address nobody needs a key
/// until there is one; any other address needs keys first. docs/http.md has the routes, docs/security.md who may do what.
#[derive(Args)]
#[command(after_help = "\
Examples: memoriter serve
          memoriter serve --listen 0.0.0.0:7077 --allow-host memory.example.org

Ends with Ctrl-C or SIGTERM: requests in flight are answered first.")]
pub(super) struct ServeArgs {
    /// Where to listen; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:7077", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// A name that requests may be sent to, besides the address; may be given several times
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// An origin of web pages that may come here, as <https://app.example.org>; may be given several times
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// Requests a second that one credential may send
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rate: Option<u32>,
    /// How the log is written, on standard error
    #[arg(long, value_enum, default_value_t = LogForm::Text)]
    log: LogForm,
    /// Where spans are sent as OTLP over HTTP, as <http://127.0.0.1:4318/v1/traces>; in builds with the feature otlp
    #[arg(long, value_name = "URL")]
    otlp: Option<String>,
    #[command(flatten)]
    tokens: TokenArgs,
}

/// Tokens of an OAuth 2.1 authorization server.
#[derive(Args)]
#[command(next_help_heading = "Tokens of an authorization server")]
#[expect(clippy::struct_field_names, reason = "they are the names of flags")]
struct TokenArgs {
    /// Who gives them: the claim iss
    #[arg(long, value_name = "URL", requires_all = ["oauth_audience", "oauth_jwks"])]
    oauth_issuer: Option<String>,
    /// This server's own address: the claim aud
    #[arg(long, value_name = "URL", requires = "oauth_issuer")]
    oauth_audience: Option<String>,
    /// The issuer's public keys, a JWKS document
    #[arg(long, value_name = "FILE", requires = "oauth_issuer")]
    oauth_jwks: Option<PathBuf>,
}

#[derive(Serialize)]
struct ServedWire {
    listened: String,
}

pub(super) fn run(context: Context, args: &ServeArgs) -> Result<Answer, Failure> {
    let _traces = log::start(args.log, args.otlp.as_deref())?;
    let folder = context.settings.folder()?.to_owned();
    // What is wrong with the settings is told before anybody calls.
    drop(context.open()?);
    let tenant = context.settings.tenant.clone();
    let open = move |tenant: &str| {
        let opened = context.open_tenant(tenant);
        opened.map_err(|failure| failure.text().into())
    };
    let mut settings = Settings::new(open, &folder);
    settings.tokens = tokens(&args.tokens, &tenant)?;
    settings.tenant = tenant;
    settings.hosts.clone_from(&args.allow_host);
    settings.origins.clone_from(&args.allow_origin);
    if let Some(rate) = args.rate.and_then(std::num::NonZeroU32::new) {
        settings.limits = Limits {
            requests_per_second: rate,
            ..Limits::default()
        };
    }
    let runtime = runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::file(&error).within("starting"))?;
    let listened = runtime.block_on(listen(settings, args.listen))?;
    Ok(Answer::new(&ServedWire { listened }, "stopped"))
}

async fn listen(settings: Settings, wanted: SocketAddr) -> Result<String, Failure> {
    let within =
        |error: &std::io::Error| Failure::file(error).within(&format!("listening at {wanted}"));
    // The settings are looked at before anything can come in.
    let server = Server::new(settings, wanted).map_err(not_started)?;
    let listener = TcpListener::bind(wanted)
        .await
        .map_err(|error| within(&error))?;
    let address = listener.local_addr().map_err(|error| within(&error))?;
    output::talk(&format!("listening on http://{address}"));
    if server.is_open() {
        output::talk(
            "everybody on this machine may come in; memoriter key new makes a key, and from then on one is needed",
        );
    }
    serve(listener, server, ended())
        .await
        .map_err(|error| within(&error))?;
    Ok(format!("http://{address}"))
}

/// Done when somebody wants the server to end.
async fn ended() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminated) => {
                tokio::select! {
                    _ = interrupted => {}
                    _ = terminated.recv() => {}
                }
            }
            // Without it Ctrl-C still works.
            Err(_) => {
                let _ = interrupted.await;
            }
        }
    }
    #[cfg(not(unix))]
    {
        let _ = interrupted.await;
    }
}

fn not_started(error: StartError) -> Failure {
    let hint = match error.code() {
        "keys_needed" => {
            "memoriter key new makes a key; --listen 127.0.0.1:7077 is for this machine alone"
        }
        "hosts_needed" => "--allow-host memory.example.org, once for each name",
        _ => return error.into(),
    };
    Failure::from(error).hint(hint)
}

fn tokens(args: &TokenArgs, tenant: &str) -> Result<Option<TokenPolicy>, Failure> {
    let (Some(issuer), Some(audience), Some(file)) =
        (&args.oauth_issuer, &args.oauth_audience, &args.oauth_jwks)
    else {
        return Ok(None);
    };
    let keys = fs_err::read_to_string(file).map_err(|error| Failure::file(&error))?;
    let policy = TokenPolicy::new(issuer, audience, tenant, &keys);
    policy
        .map(Some)
        .map_err(|error| Failure::new(Fault::Caller, "usage", error.to_string()))
}
