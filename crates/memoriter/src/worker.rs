//! A thread that reads what waits, and sweeps.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use memoriter_core::access::Right;
use memoriter_core::time::Timestamp;

use crate::error::Error;
use crate::open::Memoriter;

/// Turns that are read before the thread looks whether it is to end.
const ROUND_TURNS: usize = 64;
/// How long it rests when nothing is due.
const REST: Duration = Duration::from_secs(1);
/// Microseconds between two sweeps: tiers are a matter of weeks.
const SWEEP_EVERY_MICROS: u64 = 3_600_000_000;
/// How long when nobody answers, a cap is reached, or the store fails.
const LONG_REST: Duration = Duration::from_secs(30);

/// A thread that calls [`Memoriter::work`] again and again, and [`Memoriter::sweep`] when it starts and every hour, until it
/// is stopped or dropped.
///
/// ```
/// use memoriter::{Memoriter, Scope};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("memory.db");
/// let memory = Memoriter::open(path)?;
/// let worker = memory.start_worker()?;
/// // Turns that `append_to_learn` leaves in the queue are read soon.
/// worker.stop();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Worker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_ending: bool,
    failure: Option<String>,
}

impl Memoriter {
    /// Starts a thread that reads turns that wait, of all scopes. Several may run, also in several processes: a turn
    /// is read by one of them.
    ///
    /// # Errors
    /// [`Error::Thread`] when the system gives no thread.
    pub fn start_worker(&self) -> Result<Worker, Error> {
        self.may(Right::Admin)?;
        let shared = Arc::new(Shared::default());
        let (memory, its) = (self.clone(), Arc::clone(&shared));
        let thread = std::thread::Builder::new()
            .name("memoriter-worker".to_owned())
            .spawn(move || run(&memory, &its))
            .map_err(|source| Error::Thread { source })?;
        Ok(Worker {
            shared,
            thread: Some(thread),
        })
    }
}

impl Worker {
    /// Why the last round could not read everything that it took; `None` when it could. What failed is read again
    /// later by itself.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.shared.lock().failure.clone()
    }

    /// Ends the thread. What it reads at the moment is finished first; what still waits stays in the queue.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.shared.lock().is_ending = true;
        self.shared.wake.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been told on standard error; here is nobody to tell.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes how a round went and rests; whether to end.
    fn rest(&self, failure: Option<String>, time: Duration) -> bool {
        let mut state = self.lock();
        state.failure = failure;
        let waited = self
            .wake
            .wait_timeout_while(state, time, |state| !state.is_ending);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.is_ending
    }
}

fn run(memory: &Memoriter, shared: &Shared) {
    let mut swept_at: Option<Timestamp> = None;
    loop {
        let now = memory.engine.clock.now();
        // A clock that went back does not put a sweep off.
        let since = swept_at.map(|then| now.micros_since(then).unsigned_abs());
        if since.is_none_or(|since| since >= SWEEP_EVERY_MICROS) {
            swept_at = Some(now);
            if let Err(error) = memory.sweep()
                && shared.rest(Some(error.to_string()), REST)
            {
                return;
            }
        }
        let (failure, rest) = match memory.work(ROUND_TURNS) {
            Ok(worked) => {
                let rest = match (worked.is_stopped(), worked.turns) {
                    (true, _) => LONG_REST,
                    (false, 0) => REST,
                    (false, _) => Duration::ZERO,
                };
                (worked.failure.map(|failure| failure.to_string()), rest)
            }
            Err(error) => (Some(error.to_string()), LONG_REST),
        };
        if shared.rest(failure, rest) {
            return;
        }
    }
}
