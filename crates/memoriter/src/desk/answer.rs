//! After the model: what was said goes to the log, what is worth remembering is remembered, what is old is folded.

use memoriter_core::access::Right;
use memoriter_core::time::ZonedTime;
use memoriter_core::turn::{Message, Role};

use super::{Assembly, Folded};
use crate::error::Error;
use crate::learn::Learned;
use crate::session::TurnKey;

/// What came of an exchange.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The turns that were appended, and what was found in them.
    pub learned: Learned,
    /// What older turns came to.
    pub folded: Folded,
}

impl Assembly<'_> {
    /// Takes the model's answer to this desk: the message and the answer are appended to the session, read for what is
    /// worth remembering as far as its mode allows, and what is too old for the next desk is folded.
    ///
    /// ```
    /// use memoriter::{Form, Memoriter, Scope};
    /// # let folder = tempfile::tempdir()?;
    /// # let memory = Memoriter::open(folder.path().join("memory.db"))?;
    /// # fn ask_model(_: serde_json::Value) -> String { "Noted.".to_owned() }
    /// let session = memory.scope(Scope::user("priya")).session("s1");
    /// for message in ["My exam is on 14 March", "When is my exam?"] {
    ///     let call = session.assemble(message).form(Form::OpenAi).budget_tokens(4_000);
    ///     let desk = call.run()?;
    ///     let answer = ask_model(desk.rendering.to_json());
    ///     call.answered(&answer)?;
    /// }
    /// # assert_eq!(session.assemble("?").run()?.turns_from, Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Session::append`](super::Session::append) and [`Assembly::fold`].
    pub fn answered(&self, answer: &str) -> Result<Answered, Error> {
        self.session.memory.may(Right::Write)?;
        let now = ZonedTime::utc(self.session.memory.engine.clock.now());
        self.answered_with([Message::new(Role::Assistant, answer, now)])
    }

    /// [`Assembly::answered`] for an answer of several turns: calls of tools, their results, and what the model said in
    /// the end.
    ///
    /// # Errors
    /// As [`Assembly::answered`].
    pub fn answered_with(
        &self,
        answer: impl IntoIterator<Item = Message>,
    ) -> Result<Answered, Error> {
        self.session.memory.may(Right::Write)?;
        let engine = &self.session.memory.engine;
        let now = ZonedTime::utc(engine.clock.now());
        let said = Message::new(Role::User, self.message, now);
        let messages = std::iter::once(said).chain(answer);
        // Nobody else names these turns: each exchange is one of its own.
        let memory = &self.session.memory;
        let keyed: Vec<(TurnKey, Message)> = messages
            .map(|message| (TurnKey::Given(memory.new_id()), message))
            .collect();
        Ok(Answered {
            learned: self.session.append(keyed)?,
            folded: self.fold()?,
        })
    }
}
