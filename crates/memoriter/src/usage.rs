//! Noting which memories were recalled, without making the recall wait.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use memoriter_core::id::MemoryId;
use memoriter_core::time::Timestamp;
use memoriter_store::{Store, Write};

/// Recalls whose marks may wait to be written; when there are more, marks are let go: they are statistics.
const WAITING_MAX: usize = 4_096;
/// Recalls whose marks are written together.
const BATCH_RECALLS: usize = 256;

/// Writes marks in the background, in batches; what waits when it is dropped is written then.
pub(crate) struct UsageWriter {
    sender: Mutex<Option<SyncSender<Mark>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

enum Mark {
    Recalled {
        ids: Vec<MemoryId>,
        at: Timestamp,
    },
    /// Write what waits, then answer.
    Flush(SyncSender<()>),
}

impl UsageWriter {
    /// Starts the thread.
    pub(crate) fn start(store: Arc<dyn Store>) -> Self {
        let (sender, receiver) = sync_channel(WAITING_MAX);
        let thread = std::thread::Builder::new()
            .name("memoriter-usage".into())
            .spawn(move || write_marks(store.as_ref(), &receiver));
        Self {
            sender: Mutex::new(Some(sender)),
            thread: Mutex::new(thread.ok()),
        }
    }

    /// Notes one recall.
    pub(crate) fn note(&self, ids: Vec<MemoryId>, at: Timestamp) {
        if let Some(sender) = self
            .sender
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
        {
            match sender.try_send(Mark::Recalled { ids, at }) {
                Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
            }
        }
    }

    /// Waits until everything noted so far is written.
    pub(crate) fn flush(&self) {
        let (done, wait) = sync_channel(1);
        let sender = self
            .sender
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if sender.is_some_and(|sender| sender.send(Mark::Flush(done)).is_ok()) {
            let _ = wait.recv();
        }
    }
}

impl Drop for UsageWriter {
    fn drop(&mut self) {
        drop(
            self.sender
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
        if let Some(thread) = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
        {
            let _ = thread.join();
        }
    }
}

/// Collects marks and writes them when a batch is full, when asked to, and at the end.
fn write_marks(store: &dyn Store, receiver: &Receiver<Mark>) {
    let mut waiting = Vec::new();
    while let Ok(mark) = receiver.recv() {
        match mark {
            Mark::Recalled { ids, at } => waiting.push(Write::MarkRecalled { ids, at }),
            Mark::Flush(done) => {
                write(store, &mut waiting);
                let _ = done.send(());
            }
        }
        if waiting.len() >= BATCH_RECALLS {
            write(store, &mut waiting);
        }
    }
    write(store, &mut waiting);
}

/// A failed write of marks is let go: nothing rests on them, and the next real write reports the same trouble.
fn write(store: &dyn Store, waiting: &mut Vec<Write>) {
    if !waiting.is_empty() {
        let _ = store.commit(std::mem::take(waiting));
    }
}
