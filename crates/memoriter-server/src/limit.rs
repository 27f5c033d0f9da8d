//! What one caller may take: requests a second, requests at a time, bytes, time.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use governor::clock::{Clock as _, DefaultClock};
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;

/// The limits of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a body.
    pub body_bytes: usize,
    /// Bytes of an import, which is written to a file as it comes.
    pub import_bytes: u64,
    /// How long a call may take before the caller is told that it takes too long.
    pub call_time: Duration,
    /// How long the head or the body of a request may take to come.
    pub read_time: Duration,
    /// Requests a second of one credential, and as many at once after a rest.
    pub requests_per_second: NonZeroU32,
    /// Requests in flight of one credential.
    pub requests_at_once: usize,
    /// Requests in flight of all.
    pub calls_at_once: usize,
    /// Watches of one credential. They wait more than they work, and so are counted apart.
    pub watches_at_once: usize,
    /// Watches of all.
    pub watches: usize,
    /// Open connections.
    pub connections: usize,
}

impl Default for Limits {
    /// Sizes of `docs/http.md`: enough for an application, not for filling a disk by accident.
    fn default() -> Self {
        Self {
            body_bytes: 1024 * 1024,
            import_bytes: 1024 * 1024 * 1024,
            call_time: Duration::from_secs(10),
            read_time: Duration::from_secs(30),
            requests_per_second: NonZeroU32::new(20_000).unwrap_or(NonZeroU32::MAX),
            requests_at_once: 64,
            calls_at_once: 256,
            watches_at_once: 64,
            watches: 1_024,
            connections: 4_096,
        }
    }
}

/// Counts what callers take.
pub(crate) struct Meter {
    rate: RateLimiter<String, DashMapStateStore<String>, DefaultClock>,
    clock: DefaultClock,
    calls: Lanes,
    watches: Lanes,
}

/// Places for all, and of each credential.
struct Lanes {
    each_max: usize,
    held: Arc<Held>,
    all: Arc<Semaphore>,
}

/// How many places each credential holds; one that holds none is not listed.
#[derive(Default)]
struct Held(Mutex<HashMap<String, usize>>);

/// A place among the requests in flight, given back when it is dropped.
pub(crate) struct Place {
    name: String,
    held: Arc<Held>,
    _of_all: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = self.held.lock();
        if let Some(count) = held.get_mut(&self.name) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.name);
            }
        }
    }
}

impl Held {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lanes {
    fn new(each_max: usize, all: usize) -> Self {
        Self {
            each_max,
            held: Arc::default(),
            all: Arc::new(Semaphore::new(all)),
        }
    }

    fn take(&self, name: &str, what: &str) -> Result<Place, Problem> {
        let of_all = Arc::clone(&self.all).try_acquire_owned();
        let mut held = self.held.lock();
        let count = held.get(name).copied().unwrap_or_default();
        if count >= self.each_max {
            let detail = format!("more {what} at once than this credential may have");
            return Err(too_many(&detail).retry_after(1));
        }
        let of_all = of_all.map_err(|_| {
            let detail = format!("more {what} at once than this server takes");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", detail).retry_after(1)
        })?;
        held.insert(name.to_owned(), count + 1);
        Ok(Place {
            name: name.to_owned(),
            held: Arc::clone(&self.held),
            _of_all: of_all,
        })
    }
}

impl Meter {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            rate: RateLimiter::dashmap(Quota::per_second(limits.requests_per_second)),
            clock: DefaultClock::default(),
            calls: Lanes::new(limits.requests_at_once, limits.calls_at_once),
            watches: Lanes::new(limits.watches_at_once, limits.watches),
        }
    }

    /// Takes one request of a credential, or says when to come again.
    pub(crate) fn take(&self, name: &str) -> Result<Place, Problem> {
        if let Err(until) = self.rate.check_key(&name.to_owned()) {
            let wait = until.wait_time_from(self.clock.now());
            return Err(
                too_many("more requests a second than this credential may send")
                    .retry_after(wait.as_secs() + 1),
            );
        }
        self.calls.take(name, "requests")
    }

    /// Takes one watch of a credential.
    pub(crate) fn take_watch(&self, name: &str) -> Result<Place, Problem> {
        self.watches.take(name, "watches")
    }

    /// Forgets credentials that have sent nothing for a while.
    pub(crate) fn tidy(&self) {
        self.rate.retain_recent();
    }
}

fn too_many(detail: &str) -> Problem {
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_takes_its_own_places_and_no_others() {
        let lanes = Lanes::new(2, 5);
        let take = |name: &str| {
            lanes
                .take(name, "requests")
                .map_err(|problem| problem.code())
        };
        let first = take("a").unwrap();
        let _second = take("a").unwrap();
        assert_eq!(take("a").err(), Some("too_many_requests"));
        let others = ["b", "b", "c"].map(|name| take(name).unwrap());
        assert_eq!(take("d").err(), Some("overloaded"));
        drop(first);
        let _again = take("a").unwrap();
        drop(others);
        assert_eq!(lanes.held.lock().len(), 1, "who holds none is not listed");
    }
}
