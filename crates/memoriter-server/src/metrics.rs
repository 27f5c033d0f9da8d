//! What the server counts, in the text form of Prometheus: numbers and names of our own, no content.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use memoriter::{Decision, Desk, Memoriter};
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// The media type of the answer.
pub(crate) const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteLabels {
    route: String,
    method: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct DecisionLabel {
    decision: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct CodeLabel {
    code: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct TenantLabel {
    tenant: String,
}

type Seconds = Family<RouteLabels, Histogram, fn() -> Histogram>;

/// Counters and histograms of one server.
pub(crate) struct Metrics {
    registry: Mutex<Registry>,
    requests: Seconds,
    decisions: Family<DecisionLabel, Counter>,
    refusals: Family<CodeLabel, Counter>,
    desk_tokens: Histogram,
    prefix_tokens: Histogram,
    index_bytes: Family<TenantLabel, Gauge>,
    indexes: Family<TenantLabel, Gauge>,
    changes: Family<TenantLabel, Gauge>,
}

/// From a tenth of a millisecond to six and a half seconds, doubling.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 17))
}

/// From 64 tokens to half a million, doubling.
fn tokens() -> Histogram {
    Histogram::new(exponential_buckets(64.0, 2.0, 14))
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let metrics = Self {
            registry: Mutex::new(Registry::with_prefix("memoriter")),
            requests: Family::new_with_constructor(seconds),
            decisions: Family::default(),
            refusals: Family::default(),
            desk_tokens: tokens(),
            prefix_tokens: tokens(),
            index_bytes: Family::default(),
            indexes: Family::default(),
            changes: Family::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&self) {
        let mut registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        registry.register_with_unit(
            "http_request_duration",
            "Time from the head of a request to the head of its answer",
            Unit::Seconds,
            self.requests.clone(),
        );
        registry.register("decisions", "What became of writes", self.decisions.clone());
        registry.register(
            "refusals",
            "Requests that were refused, by code",
            self.refusals.clone(),
        );
        registry.register(
            "desk_tokens",
            "Tokens of desks that were given out",
            self.desk_tokens.clone(),
        );
        registry.register(
            "desk_stable_prefix_tokens",
            "Tokens at the beginning of a desk that are those of the one before in its session",
            self.prefix_tokens.clone(),
        );
        registry.register_with_unit(
            "index_size",
            "Memory that the loaded indexes of a tenant take",
            Unit::Bytes,
            self.index_bytes.clone(),
        );
        registry.register(
            "indexes_loaded",
            "Scopes of a tenant whose index is loaded",
            self.indexes.clone(),
        );
        registry.register(
            "changes",
            "The newest change number of a tenant's store",
            self.changes.clone(),
        );
    }

    pub(crate) fn request(&self, route: &str, method: &str, status: u16, took: Duration) {
        let labels = RouteLabels {
            route: route.to_owned(),
            method: method.to_owned(),
            status,
        };
        self.requests
            .get_or_create(&labels)
            .observe(took.as_secs_f64());
    }

    pub(crate) fn refusal(&self, code: &'static str) {
        self.refusals.get_or_create(&CodeLabel { code }).inc();
    }

    pub(crate) fn decided(&self, decisions: &[Decision]) {
        for decision in decisions {
            let decision = decision.kind.as_str();
            self.decisions
                .get_or_create(&DecisionLabel { decision })
                .inc();
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "budgets are far below 2^52")]
    pub(crate) fn desk(&self, desk: &Desk, stable_tokens: Option<usize>) {
        self.desk_tokens.observe(desk.report.total_tokens as f64);
        if let Some(stable) = stable_tokens {
            self.prefix_tokens.observe(stable as f64);
        }
    }

    /// All of it as text, with how the open stores are now.
    pub(crate) fn text(&self, stores: &[(String, Memoriter)]) -> String {
        let registry = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        // Gauges of who asked before are theirs.
        for family in [&self.index_bytes, &self.indexes, &self.changes] {
            family.clear();
        }
        for (tenant, memory) in stores {
            let label = TenantLabel {
                tenant: tenant.clone(),
            };
            let usage = memory.index_usage();
            set(&self.index_bytes, &label, usage.bytes);
            set(&self.indexes, &label, usage.loaded);
            if let Ok(head) = memory.head() {
                set(&self.changes, &label, head.0);
            }
        }
        let mut told = String::new();
        // Writing to a text cannot fail.
        let _ = text::encode(&mut told, &registry);
        told
    }
}

fn set(family: &Family<TenantLabel, Gauge>, label: &TenantLabel, value: u64) {
    family
        .get_or_create(label)
        .set(i64::try_from(value).unwrap_or(i64::MAX));
}
