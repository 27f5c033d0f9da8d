//! Where the log of a server goes, and its traces.

use std::io::IsTerminal;

use clap::ValueEnum;
use tracing::Level;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt};

use crate::failure::Failure;

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogForm {
    /// Lines for people
    Text,
    /// A JSON document a line
    Json,
    /// Failures alone
    Quiet,
}

/// What takes events and spans.
type Sink = Box<dyn Layer<Registry> + Send + Sync>;

/// Ends what sends traces, with what it still has.
pub(crate) struct Traces(
    #[cfg(feature = "otlp")] Option<opentelemetry_sdk::trace::SdkTracerProvider>,
);

/// Starts the log, on standard error as everything that is no answer, and sends spans to `otlp` where one is named.
pub(crate) fn start(form: LogForm, otlp: Option<&str>) -> Result<Traces, Failure> {
    let level = match form {
        LogForm::Text | LogForm::Json => Level::INFO,
        LogForm::Quiet => Level::ERROR,
    };
    let log = fmt::layer()
        .with_target(false)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let log: Sink = match form {
        LogForm::Json => log.json().flatten_event(true).boxed(),
        LogForm::Text | LogForm::Quiet => log.boxed(),
    };
    let log = log.with_filter(LevelFilter::from_level(level)).boxed();
    let (traces, sent) = traces(otlp)?;
    let layers: Vec<_> = std::iter::once(log).chain(sent).collect();
    // Only one log can be set in a process, and this is the first.
    let _ = Registry::default().with(layers).try_init();
    Ok(traces)
}

#[cfg(feature = "otlp")]
fn traces(otlp: Option<&str>) -> Result<(Traces, Option<Sink>), Failure> {
    use opentelemetry::trace::TracerProvider as _;
    use opentelemetry_otlp::{SpanExporter, WithExportConfig};
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::trace::SdkTracerProvider;

    let Some(address) = otlp else {
        return Ok((Traces(None), None));
    };
    let exporter = SpanExporter::builder()
        .with_http()
        .with_endpoint(address)
        .build();
    let exporter = exporter.map_err(|error| Failure::usage("otlp", format!("otlp: {error}")))?;
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(Resource::builder().with_service_name("memoriter").build())
        .build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("memoriter"));
    let layer = layer.with_filter(LevelFilter::INFO).boxed();
    Ok((Traces(Some(provider)), Some(layer)))
}

#[cfg(not(feature = "otlp"))]
fn traces(otlp: Option<&str>) -> Result<(Traces, Option<Sink>), Failure> {
    match otlp {
        None => Ok((Traces(), None)),
        Some(_) => Err(Failure::usage("otlp", "this build sends no traces")
            .hint("build with it: cargo install --path crates/memoriter-cli --features otlp")),
    }
}

#[cfg(feature = "otlp")]
impl Drop for Traces {
    fn drop(&mut self) {
        if let Some(provider) = &self.0 {
            // A collector that does not answer keeps nobody from ending.
            let _ = provider.shutdown();
        }
    }
}
