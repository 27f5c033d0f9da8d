//! The thread that writes.
//!
//! Callers put units in a bounded queue and wait for the answer. The thread takes what waits, up to
//! [`GROUP_UNITS_MAX`], and commits it as one transaction: under load the cost of a sync is shared, without
//! load a unit is committed at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, ffi};

use super::fault::{Failure, ends_transaction, explain, leaves_nothing, words};
use super::keys::Keys;
use super::open::PAGE_BYTES;
use super::pragma::BUSY_TIMEOUT;
use super::reserve;
use super::write::Transaction;
use crate::error::StoreError;
use crate::store::{Committed, DestroyedKeys, KeysOf, Patience, Write};

/// Units that may wait; callers over that wait at the door. More than threads that one process runs.
const QUEUE_UNITS_MAX: usize = 1_024;
/// Units in one commit. At 30 microseconds each the first of them waits 8 ms for the others.
const GROUP_UNITS_MAX: usize = 256;
/// Writes after which a commit takes no further unit: a bulk load shall not hold the others up.
const GROUP_WRITES_MAX: usize = 2_048;

type Answer = Result<Committed, StoreError>;

struct Request {
    unit: Vec<Write>,
    answer: SyncSender<Answer>,
}

/// What the thread is asked to do.
enum Order {
    Commit(Request),
    /// Write the log back and cut it to nothing; whether that went all the way.
    CutLog(Patience, SyncSender<Result<bool, StoreError>>),
    /// Write every page of the file anew.
    Rewrite(SyncSender<Result<(), StoreError>>),
    /// Destroy the keys of scopes that hold nothing.
    DestroyKeys(KeysOf, SyncSender<Result<DestroyedKeys, StoreError>>),
}

/// The caller's end of the writing thread. Dropping it finishes what was accepted.
pub(super) struct Writer {
    queue: Option<SyncSender<Order>>,
    thread: Option<JoinHandle<()>>,
    poison: Arc<OnceLock<String>>,
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        path: PathBuf,
        keys: Arc<Keys>,
    ) -> Result<Self, StoreError> {
        let (queue, requests) = sync_channel(QUEUE_UNITS_MAX);
        let poison = Arc::new(OnceLock::new());
        let worker = Worker {
            connection,
            path,
            keys,
            poison: Arc::clone(&poison),
        };
        let thread = std::thread::Builder::new()
            .name("memoriter-store".into())
            .spawn(move || worker.run(&requests))
            .map_err(|error| StoreError::System {
                doing: "starting the writer".into(),
                why: error.to_string(),
            })?;
        Ok(Self {
            queue: Some(queue),
            thread: Some(thread),
            poison,
        })
    }

    pub(super) fn commit(&self, unit: Vec<Write>) -> Answer {
        let (answer, answered) = sync_channel(1);
        self.order(Order::Commit(Request { unit, answer }))?;
        answered.recv().map_err(|_| self.gone())?
    }

    /// Writes the log back and cuts it to nothing; `false` where a reader holds an old snapshot.
    pub(super) fn cut_log(&self, patience: Patience) -> Result<bool, StoreError> {
        let (answer, answered) = sync_channel(1);
        self.order(Order::CutLog(patience, answer))?;
        answered.recv().map_err(|_| self.gone())?
    }

    /// Writes every page of the file anew, so that none has anything but rows.
    pub(super) fn rewrite(&self) -> Result<(), StoreError> {
        let (answer, answered) = sync_channel(1);
        self.order(Order::Rewrite(answer))?;
        answered.recv().map_err(|_| self.gone())?
    }

    /// Destroys the keys of those of the scopes that hold nothing any more.
    pub(super) fn destroy_keys(&self, of: KeysOf) -> Result<DestroyedKeys, StoreError> {
        let (answer, answered) = sync_channel(1);
        self.order(Order::DestroyKeys(of, answer))?;
        answered.recv().map_err(|_| self.gone())?
    }

    fn order(&self, order: Order) -> Result<(), StoreError> {
        let queue = self
            .queue
            .as_ref()
            .expect("the queue is there until the writer is dropped");
        queue.send(order).map_err(|_| self.gone())
    }

    fn gone(&self) -> StoreError {
        poisoned(
            self.poison
                .get()
                .map_or("the writer has ended", String::as_str),
        )
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            // A panic in the thread was reported to whoever waited for it.
            let _ = thread.join();
        }
    }
}

/// Why a group as a whole was not committed.
enum GroupFailure {
    /// Nothing of it is in the file.
    Nothing(rusqlite::Error),
    /// It may be in the file or not.
    Unknown(String),
}

struct Worker {
    connection: Connection,
    path: PathBuf,
    keys: Arc<Keys>,
    poison: Arc<OnceLock<String>>,
}

impl Worker {
    fn run(self, orders: &Receiver<Order>) {
        let mut next = None;
        while let Some(order) = next.take().or_else(|| orders.recv().ok()) {
            match order {
                Order::Commit(first) => {
                    let (group, other) = gather(first, orders);
                    next = other;
                    match self.poison.get() {
                        Some(why) => refuse(group, || poisoned(why)),
                        None => self.serve(group, |units| self.commit_group(units)),
                    }
                }
                Order::CutLog(patience, answer) => {
                    let cut = match self.poison.get() {
                        Some(why) => Err(poisoned(why)),
                        None => self.cut_log(patience),
                    };
                    // A caller that is gone needs no answer.
                    let _ = answer.send(cut);
                }
                Order::Rewrite(answer) => {
                    let rewritten = match self.poison.get() {
                        Some(why) => Err(poisoned(why)),
                        None => self.rewrite(),
                    };
                    let _ = answer.send(rewritten);
                }
                Order::DestroyKeys(of, answer) => {
                    let destroyed = match self.poison.get() {
                        Some(why) => Err(poisoned(why)),
                        None => self.destroy_keys(&of),
                    };
                    let _ = answer.send(destroyed);
                }
            }
        }
    }

    /// A checkpoint changes nothing that is durable: one that fails leaves the log as it was.
    fn cut_log(&self, patience: Patience) -> Result<bool, StoreError> {
        let failed = |error: rusqlite::Error| explain(&error, &self.path, "writing");
        let wait = match patience {
            Patience::Wait => BUSY_TIMEOUT,
            Patience::None => Duration::ZERO,
        };
        self.connection.busy_timeout(wait).map_err(failed)?;
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let busy = self
            .connection
            .query_row(sql, [], |row| row.get::<_, bool>(0));
        self.connection.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
        match busy {
            Ok(busy) => Ok(!busy),
            Err(error) if is_busy(&error) => Ok(false),
            Err(error) => Err(failed(error)),
        }
    }

    /// A transaction by itself: one that fails leaves the file as it was.
    fn rewrite(&self) -> Result<(), StoreError> {
        self.connection
            .execute_batch("VACUUM")
            .map_err(|error| explain(&error, &self.path, "rewriting"))
    }

    /// Under the write lock: while it is held nobody writes into a scope that was found empty.
    fn destroy_keys(&self, of: &KeysOf) -> Result<DestroyedKeys, StoreError> {
        let failed = |error: rusqlite::Error| explain(&error, &self.path, "writing");
        let transaction = Transaction::begin(&self.connection, &self.keys).map_err(failed)?;
        let destroyed = transaction.destroy_keys(of);
        if let Err(GroupFailure::Unknown(why)) = self.roll_back() {
            return Err(poisoned(self.poison.get_or_init(|| why)));
        }
        destroyed.map_err(|failure| match failure {
            Failure::Refused(error) => error,
            Failure::Sql(error) => failed(error),
        })
    }

    /// Commits a group and answers everybody.
    fn serve(
        &self,
        group: Vec<Request>,
        commit: impl FnOnce(&[Vec<Write>]) -> Result<Vec<Answer>, GroupFailure>,
    ) {
        let (units, answers): (Vec<_>, Vec<_>) = group
            .into_iter()
            .map(|request| (request.unit, request.answer))
            .unzip();
        // A panic may have come at any point of a transaction: what the file holds is not known.
        let outcome = catch_unwind(AssertUnwindSafe(|| commit(&units)))
            .unwrap_or_else(|panic| Err(GroupFailure::Unknown(panic_message(&*panic))));
        match outcome {
            Ok(results) => {
                for (answer, result) in answers.iter().zip(results) {
                    // A caller that is gone needs no answer.
                    let _ = answer.send(result);
                }
            }
            Err(GroupFailure::Nothing(error)) => {
                answer_all(&answers, || explain(&error, &self.path, "writing"));
            }
            Err(GroupFailure::Unknown(why)) => {
                let why = self.poison.get_or_init(|| why);
                answer_all(&answers, || poisoned(why));
            }
        }
    }

    /// Applies every unit and commits those that could be applied.
    fn commit_group(&self, units: &[Vec<Write>]) -> Result<Vec<Answer>, GroupFailure> {
        let applied = Transaction::begin(&self.connection, &self.keys)
            .and_then(|transaction| self.apply_group(transaction, units));
        let results = applied.map_err(|error| self.abandon(error))?;
        if results.iter().all(Result::is_err) {
            return self.roll_back().map(|()| results);
        }
        if let Err(error) = self.keep_space(units) {
            return Err(self.abandon(error));
        }
        match self.run_cached("COMMIT") {
            Ok(()) => Ok(results),
            Err(error) if leaves_nothing(&error) => Err(self.abandon(error)),
            Err(error) => {
                let _ = self.roll_back();
                Err(GroupFailure::Unknown(words(&error)))
            }
        }
    }

    /// Keeps space for writing back the log, unless something is erased: that may use what is kept.
    fn keep_space(&self, units: &[Vec<Write>]) -> rusqlite::Result<()> {
        if units.iter().any(|unit| is_of_erasure(unit)) {
            return Ok(());
        }
        let pages: u64 = self
            .connection
            .prepare_cached("PRAGMA page_count")?
            .query_row([], |row| row.get(0))?;
        let code = match reserve::keep(&self.path, pages * PAGE_BYTES) {
            Ok(()) => return Ok(()),
            Err(StoreError::Full { .. }) => ffi::SQLITE_FULL,
            Err(_) => ffi::SQLITE_IOERR,
        };
        Err(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None))
    }

    /// Applies every unit. An error is the end of the whole group.
    fn apply_group(
        &self,
        mut transaction: Transaction<'_>,
        units: &[Vec<Write>],
    ) -> rusqlite::Result<Vec<Answer>> {
        let results = match units {
            // A unit by itself needs no savepoint, which would copy every page that it changes: if it is
            // refused, so is the whole transaction.
            [unit] => vec![self.judge(transaction.apply(unit))?],
            units => units
                .iter()
                .map(|unit| self.apply_or_undo(&mut transaction, unit))
                .collect::<Result<_, _>>()?,
        };
        transaction.store_head()?;
        if results.iter().any(Result::is_ok) {
            transaction.keep_keys()?;
        }
        Ok(results)
    }

    /// Applies one unit of several or leaves nothing of it.
    fn apply_or_undo(
        &self,
        transaction: &mut Transaction<'_>,
        unit: &[Write],
    ) -> rusqlite::Result<Answer> {
        let head = transaction.head;
        self.run_cached("SAVEPOINT unit")?;
        let answer = self.judge(transaction.apply(unit))?;
        if answer.is_err() {
            self.run_cached("ROLLBACK TO unit")?;
            transaction.head = head;
        }
        self.run_cached("RELEASE unit")?;
        Ok(answer)
    }

    /// Parts what concerns one unit from what is the end of its group.
    fn judge(&self, applied: Result<Committed, Failure>) -> rusqlite::Result<Answer> {
        match applied {
            Ok(committed) => Ok(Ok(committed)),
            Err(Failure::Refused(error)) => Ok(Err(error)),
            Err(Failure::Sql(error)) if ends_transaction(&error) => Err(error),
            Err(Failure::Sql(error)) => Ok(Err(explain(&error, &self.path, "writing"))),
        }
    }

    fn run_cached(&self, sql: &str) -> rusqlite::Result<()> {
        self.connection.prepare_cached(sql)?.execute([]).map(drop)
    }

    /// Gives up a transaction that was not committed.
    fn abandon(&self, error: rusqlite::Error) -> GroupFailure {
        match self.roll_back() {
            Ok(()) => GroupFailure::Nothing(error),
            Err(failure) => failure,
        }
    }

    fn roll_back(&self) -> Result<(), GroupFailure> {
        if self.connection.is_autocommit() {
            return Ok(());
        }
        self.connection
            .execute_batch("ROLLBACK")
            .map_err(|error| GroupFailure::Unknown(words(&error)))
    }
}

/// The units that are committed together, and what was asked for behind them that is no unit.
fn gather(first: Request, orders: &Receiver<Order>) -> (Vec<Request>, Option<Order>) {
    let mut writes = first.unit.len();
    let mut group = vec![first];
    while group.len() < GROUP_UNITS_MAX && writes < GROUP_WRITES_MAX {
        match orders.try_recv() {
            Ok(Order::Commit(next)) => {
                writes += next.unit.len();
                group.push(next);
            }
            Ok(other @ (Order::CutLog(..) | Order::Rewrite(_) | Order::DestroyKeys(..))) => {
                return (group, Some(other));
            }
            Err(_) => break,
        }
    }
    (group, None)
}

/// Whether a unit is part of an erasure: it may use the space that is kept for that.
pub(super) fn is_of_erasure(unit: &[Write]) -> bool {
    unit.iter()
        .any(|write| matches!(write, Write::Erase(_) | Write::PutReceipt { .. }))
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
    )
}

fn refuse(group: Vec<Request>, error: impl Fn() -> StoreError) {
    for request in group {
        let _ = request.answer.send(Err(error()));
    }
}

fn answer_all(answers: &[SyncSender<Answer>], error: impl Fn() -> StoreError) {
    for answer in answers {
        let _ = answer.send(Err(error()));
    }
}

fn poisoned(why: &str) -> StoreError {
    StoreError::Poisoned {
        why: why.to_owned(),
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("the writer panicked")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_poisons_and_is_told_to_everybody_who_waits() {
        let worker = Worker {
            connection: Connection::open_in_memory().unwrap(),
            path: PathBuf::new(),
            keys: Arc::new(Keys::none([0; 32])),
            poison: Arc::default(),
        };
        let (answer, answers) = sync_channel(2);
        let request = || Request {
            unit: Vec::new(),
            answer: answer.clone(),
        };
        worker.serve(vec![request(), request()], |units| {
            panic!("{} units", units.len())
        });
        for told in [answers.recv().unwrap(), answers.recv().unwrap()] {
            assert!(matches!(told, Err(StoreError::Poisoned { why }) if why == "2 units"));
        }
        assert_eq!(worker.poison.get().map(String::as_str), Some("2 units"));
    }

    #[test]
    fn a_group_is_bounded_in_units_and_writes() {
        let mark = || Write::MarkRecalled {
            ids: Vec::new(),
            at: memoriter_core::time::Timestamp::MIN,
        };
        let (answer, _answers) = sync_channel(1);
        let request = |writes| Request {
            unit: vec![mark(); writes],
            answer: answer.clone(),
        };
        let (queue, requests) = sync_channel(QUEUE_UNITS_MAX);
        for _ in 0..GROUP_UNITS_MAX + 10 {
            queue.send(Order::Commit(request(1))).unwrap();
        }
        let gathered = |first| gather(first, &requests).0.len();
        assert_eq!(gathered(request(GROUP_WRITES_MAX)), 1);
        assert_eq!(gathered(request(1)), GROUP_UNITS_MAX);
        let (answer, _answers) = sync_channel(1);
        let cut = Order::CutLog(Patience::None, answer);
        queue.send(cut).unwrap();
        queue.send(Order::Commit(request(1))).unwrap();
        let (group, other) = gather(request(1), &requests);
        assert_eq!((group.len(), other.is_some()), (12, true));
        assert_eq!(gathered(request(1)), 2);
    }
}
