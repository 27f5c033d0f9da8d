//! What every route shares.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use axum::http::StatusCode;
use memoriter::core::port::{Clock, Entropy};
use memoriter::core::time::Timestamp;
use tokio::sync::Semaphore;

use crate::credential::Granted;
use crate::credential::key::Keys;
use crate::credential::token::TokenPolicy;
use crate::desk::LastDesks;
use crate::layer::host::Hosts;
use crate::limit::{Limits, Meter};
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::repeat::Repeats;
use crate::tenant::Tenants;

/// The parts of a running server. Cheap to clone.
#[derive(Clone)]
pub(crate) struct App(Arc<Parts>);

pub(crate) struct Parts {
    pub(crate) tenants: Tenants,
    pub(crate) keys: Keys,
    pub(crate) tokens: Option<TokenPolicy>,
    /// What a caller without credential is, where that is allowed.
    pub(crate) unkeyed: Option<Granted>,
    /// Once there was a key, nobody comes in without one, also when the last one is revoked.
    pub(crate) is_keyed: AtomicBool,
    pub(crate) hosts: Hosts,
    pub(crate) limits: Limits,
    pub(crate) meter: Meter,
    /// Places on the threads that block.
    pub(crate) threads: Arc<Semaphore>,
    pub(crate) metrics: Metrics,
    pub(crate) repeats: Repeats,
    pub(crate) desks: LastDesks,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) requests: AtomicU64,
    pub(crate) is_ending: AtomicBool,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    pub(crate) fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn tenants(&self) -> &Tenants {
        &self.tenants
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Who sends this credential, or nobody. Blocks for a look at the key file.
    pub(crate) fn authenticate(&self, bearer: Option<&str>) -> Result<Granted, Problem> {
        let is_keyed = self.is_keyed.load(Ordering::Relaxed) || !self.keys.is_empty()?;
        if is_keyed {
            self.is_keyed.store(true, Ordering::Relaxed);
        }
        let Some(bearer) = bearer else {
            return match &self.unkeyed {
                Some(granted) if !is_keyed => Ok(granted.clone()),
                Some(_) | None => Err(self.unauthenticated()),
            };
        };
        if let Some(granted) = self.keys.check(bearer, self.now())? {
            return Ok(granted);
        }
        let by_token = self.tokens.as_ref();
        by_token
            .and_then(|policy| policy.check(bearer, self.now()))
            .ok_or_else(|| self.unauthenticated())
    }

    /// Whether what a credential allowed is still allowed: a key may be revoked or changed meanwhile. A token holds until
    /// the answer that it began ends.
    pub(crate) fn still_holds(&self, granted: &Granted) -> Result<(), Problem> {
        let holds = match &self.unkeyed {
            Some(unkeyed) if unkeyed == granted => self.keys.is_empty()?,
            Some(_) | None => granted.is_token() || self.keys.has(granted, self.now())?,
        };
        if holds {
            Ok(())
        } else {
            Err(self.unauthenticated())
        }
    }

    fn unauthenticated(&self) -> Problem {
        let problem = Problem::unauthenticated();
        match &self.tokens {
            Some(policy) => problem.challenge(&format!(
                "Bearer resource_metadata=\"{}\"",
                policy.metadata_address()
            )),
            None => problem,
        }
    }

    /// Carries out a call that blocks, away from the threads that wait for connections.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.call_within(self.limits.call_time, work).await
    }

    /// The same with another limit of time.
    pub(crate) async fn call_within<T: Send + 'static>(
        &self,
        time: std::time::Duration,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let span = tracing::info_span!("call");
        let threads = Arc::clone(&self.threads);
        let task = async move {
            let place = threads.acquire_owned().await;
            let work = move || {
                // Given back when the call ends, also one that nobody waits for any more.
                let _place = place;
                span.in_scope(work)
            };
            tokio::task::spawn_blocking(work).await
        };
        match tokio::time::timeout(time, task).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => Err(Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "bug",
                "the call ended without an answer",
            )),
            Err(_) => Err(Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "call_time",
                format!(
                    "the call takes more than {} s; it may still be carried out",
                    time.as_secs()
                ),
            )
            .retry_after(1)),
        }
    }

    /// A name for a request that has none.
    pub(crate) fn request_id(&self) -> String {
        let mut random = [0; 8];
        self.entropy.fill(&mut random);
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        format!("{:016x}{number:x}", u64::from_be_bytes(random))
    }
}
