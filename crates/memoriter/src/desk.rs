//! A session and the desk of its next call: what is read for it, and how much of that.
//!
//! Choosing and laying out is [`memoriter_core::desk`]; `gather` reads the material through the handle. Looking stores
//! nothing: spans are kept by `spans` when a session is folded, and turns by `answer` after the model.

mod answer;
mod gather;
mod made;
mod spans;

pub use answer::Answered;
pub(crate) use made::MadeSpans;
pub use spans::Folded;

use std::sync::Arc;

use memoriter_core::access::Right;
use memoriter_core::desk::{
    Boundary, Desk, Form, Plan, Shares, TOOL_RESULT_TOKENS_MAX, full_history_tokens,
};
use memoriter_core::error::{InvalidInput, check_some_text};
use memoriter_core::id::TurnId;
use memoriter_core::port::TokenCounter;
use memoriter_core::session::Mode;
use memoriter_core::time::ZonedTime;
use memoriter_core::turn::{Message, SessionName, TURN_BYTES_MAX};

use crate::error::Error;
use crate::handle::ScopedMemory;
use crate::learn::Learned;
use crate::messages::ATTACH_BYTES_MIN;
use crate::prepared::Prepared;
use crate::session::{TurnDraft, TurnKey};

/// Tokens of a desk that does not say how many.
pub const BUDGET_TOKENS_DEFAULT: usize = 8_000;
/// Tokens that a desk may have: ten times what the largest models read.
pub const BUDGET_TOKENS_MAX: usize = 10_000_000;

/// A conversation or run. Cheap to make; nothing is read before it is asked for.
#[derive(Clone)]
pub struct Session {
    pub(crate) memory: ScopedMemory,
    pub(crate) name: String,
    pub(crate) mode: Mode,
    /// Bytes above which a tool's result is an attachment.
    pub(crate) attach_over: usize,
}

/// When turns are read for what is worth remembering, in [`Mode::Full`].
#[derive(Clone, Copy)]
pub(crate) enum WhenRead {
    Now,
    /// By [`Memoriter::work`](crate::Memoriter::work).
    Later,
    Never,
}

impl ScopedMemory {
    /// A session of this scope by name, whether it has turns or not.
    #[must_use]
    pub fn session(&self, name: impl Into<String>) -> Session {
        Session {
            memory: self.clone(),
            name: name.into(),
            mode: Mode::Full,
            attach_over: TURN_BYTES_MAX,
        }
    }
}

impl Session {
    /// With less long-term memory than the session has. A session that is made by this handle keeps it; see
    /// [`Session::set_mode`] for one that is there.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Keeps results of tools that are longer than so many bytes as attachments; else those that are longer than a turn
    /// may be. The turn has a note with the beginning and a handle.
    ///
    /// # Errors
    /// When it is below 2,048, where notes would save nothing, or above what a turn may have.
    pub fn attach_over(mut self, bytes: usize) -> Result<Self, InvalidInput> {
        if !(ATTACH_BYTES_MIN..=TURN_BYTES_MAX).contains(&bytes) {
            return Err(InvalidInput::malformed(
                "attach_over",
                "a number of bytes from 2048 to 1048576",
                &bytes.to_string(),
            ));
        }
        self.attach_over = bytes;
        Ok(self)
    }

    /// Appends turns and, in [`Mode::Full`], reads them for what is worth remembering. [`Learned::unread`] tells how many
    /// were not read for another mode.
    ///
    /// # Errors
    /// As [`ScopedMemory::learn`], or when the session's name is not one.
    pub fn append(
        &self,
        turns: impl IntoIterator<Item = (TurnKey, Message)>,
    ) -> Result<Learned, Error> {
        self.memory.may(Right::Write)?;
        let session = self.name()?;
        let prepared = turns.into_iter().map(|(key, message)| {
            let session = session.clone();
            let draft = TurnDraft {
                session,
                key,
                message,
            };
            self.memory.prepared(draft, self.attach_over)
        });
        self.append_all(prepared, WhenRead::Now)
    }

    /// Appends turns that are masked, and has them read as far as the mode lets.
    pub(crate) fn append_all(
        &self,
        turns: impl IntoIterator<Item = Result<Prepared, InvalidInput>>,
        reading: WhenRead,
    ) -> Result<Learned, Error> {
        self.keep_mode_of_new()?;
        let extract_at = match (self.mode, reading) {
            (Mode::Full, WhenRead::Now) => return self.memory.learn_prepared(turns),
            (Mode::Full, WhenRead::Later) => Some(self.memory.engine.clock.now()),
            (Mode::Full, WhenRead::Never) | (Mode::ReadOnly | Mode::NoMemory, _) => None,
        };
        let turns = self.memory.append_prepared(turns, extract_at)?;
        let new = turns.iter().filter(|turn| turn.is_new).count();
        Ok(Learned {
            turns,
            unread: if self.mode == Mode::Full { 0 } else { new },
            ..Learned::default()
        })
    }

    /// The present, as a time that something is said at.
    pub(crate) fn now(&self) -> ZonedTime {
        ZonedTime::utc(self.memory.engine.clock.now())
    }

    /// Starts the desk for the call that answers `message`, which is not appended by that.
    ///
    /// ```
    /// use memoriter::{Memoriter, Scope};
    /// # let folder = tempfile::tempdir()?;
    /// # let memory = Memoriter::open(folder.path().join("memory.db"))?;
    /// let priya = memory.scope(Scope::user("priya"));
    /// priya.remember("My exam in statistics is on 14 March")?;
    ///
    /// let session = priya.session("s1");
    /// let desk = session.assemble("When is my exam?").budget_tokens(4_000).run()?;
    /// assert!(desk.report.total_tokens <= 4_000);
    /// assert!(desk.rendering.to_json().to_string().contains("14 March"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn assemble<'a>(&'a self, message: &'a str) -> Assembly<'a> {
        Assembly {
            session: self,
            message,
            system: "",
            budget_tokens: BUDGET_TOKENS_DEFAULT,
            form: Form::Text,
            shares: Shares::default(),
            tool_result_tokens_max: TOOL_RESULT_TOKENS_MAX,
            counter: Arc::clone(&self.memory.engine.counter),
        }
    }

    pub(crate) fn name(&self) -> Result<SessionName, Error> {
        Ok(SessionName::new(self.name.as_str())?)
    }

    /// Marks sections with what only this store can know, and alike for all calls of the session.
    fn boundary(&self) -> Boundary {
        let scope = self.memory.scope().to_json();
        let secret = self.memory.engine.store.secret();
        let parts: [&[u8]; 3] = [b"desk", scope.as_bytes(), self.name.as_bytes()];
        Boundary::from_seed(TurnId::derive(secret, &parts).as_bytes())
    }
}

/// A desk being put together; [`Assembly::run`] carries it out.
#[derive(Clone)]
#[must_use]
pub struct Assembly<'a> {
    session: &'a Session,
    message: &'a str,
    system: &'a str,
    budget_tokens: usize,
    form: Form,
    shares: Shares,
    tool_result_tokens_max: usize,
    counter: Arc<dyn TokenCounter>,
}

/// Options.
impl<'a> Assembly<'a> {
    /// Tokens that all of it may have, by the counter.
    pub fn budget_tokens(mut self, tokens: usize) -> Self {
        self.budget_tokens = tokens;
        self
    }

    /// Instructions of the application, which come first and are not quoted.
    pub fn system(mut self, instructions: &'a str) -> Self {
        self.system = instructions;
        self
    }

    /// What it is written for; plain text unless somebody says otherwise.
    pub fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// Other shares of the sections than the usual ones.
    pub fn shares(mut self, shares: Shares) -> Self {
        self.shares = shares;
        self
    }

    /// Tokens that a tool result may have before a note stands for it.
    pub fn tool_result_tokens_max(mut self, tokens: usize) -> Self {
        self.tool_result_tokens_max = tokens;
        self
    }

    /// Another counter than that of the store.
    pub fn token_counter(mut self, counter: Arc<dyn TokenCounter>) -> Self {
        self.counter = counter;
        self
    }

    fn plan(&self) -> Result<Plan, InvalidInput> {
        if self.budget_tokens > BUDGET_TOKENS_MAX {
            return Err(InvalidInput::OverLimit {
                field: "budget_tokens",
                got: self.budget_tokens,
                limit: BUDGET_TOKENS_MAX,
                unit: "tokens",
            });
        }
        Ok(Plan {
            budget_tokens: self.budget_tokens,
            form: self.form,
            boundary: self.session.boundary(),
            shares: self.shares,
            tool_result_tokens_max: self.tool_result_tokens_max,
        })
    }
}

/// Carrying it out.
impl Assembly<'_> {
    /// The desk.
    ///
    /// # Errors
    /// [`Error::Desk`] when what must be there does not fit the budget; when the message is empty or longer than a
    /// turn, the session's name is not one, or the store or embedder fails.
    pub fn run(&self) -> Result<Desk, Error> {
        self.session.memory.may(Right::Read)?;
        check_some_text("message", self.message, TURN_BYTES_MAX)?;
        let plan = self.plan()?;
        let gathered = self.gather(&plan)?;
        let counter = self.counter.as_ref();
        let recalled = gathered.recalled();
        let mut folded = self.folded_before(&gathered.turns, &plan);
        loop {
            let spans = self.spans_before(folded)?;
            let material = gathered.material(self.system, &spans, &recalled, self.message);
            let mut desk = memoriter_core::desk::assemble(&material, &plan, counter)?;
            // Where room is short, fewer turns are shown than was expected; spans stand for the others, too.
            let shown_from = desk.turns_from.unwrap_or(gathered.end());
            if shown_from <= folded {
                desk.report.dropped.extend(gathered.dropped);
                return Ok(desk);
            }
            folded = shown_from;
        }
    }

    /// Tokens of the same call if every turn of the session were sent again: what the desk spares. Reads and counts
    /// the whole session.
    ///
    /// # Errors
    /// As [`Assembly::run`].
    pub fn full_history_tokens(&self) -> Result<usize, Error> {
        self.session.memory.may(Right::Read)?;
        let gathered = self.gather_history()?;
        let counter = self.counter.as_ref();
        let material = gathered.material(self.system, &[], &[], self.message);
        Ok(full_history_tokens(&material, &self.plan()?, counter))
    }
}
