//! Spans for a desk: which runs of turns are folded, and what they came to.

use memoriter_core::access::Right;
use memoriter_core::desk::{Plan, unfolded_from};
use memoriter_core::fold::{Cues, Run, Span, cover};
use memoriter_core::port::folder::TURNS_AFTER;
use memoriter_core::port::{Folder, ModelError};
use memoriter_core::turn::{SessionName, Turn};
use memoriter_store::{Snapshot, TurnQuery, Write};

use super::Assembly;
use super::gather::Gathered;
use crate::error::Error;

/// What came of folding a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folded {
    /// The spans that were made and kept now, oldest first.
    pub made: Vec<Span>,
    /// How many others the desk needs; they were there.
    pub known: usize,
    /// Why the language model could not choose; then the built-in folder did, and the next call asks again.
    pub failure: Option<ModelError>,
}

impl Assembly<'_> {
    /// Makes what older turns came to, as far as this desk needs it and it is not there, and keeps it. Without that a
    /// desk makes what it needs by itself, without a model and once a process. Spans are made from the turns
    /// themselves, by the language model where the store has one that folds; what another model chose is then made
    /// again. Without one, what is kept stays.
    ///
    /// # Errors
    /// When the session's name is not one, or the store fails. A language model that fails is no error: see
    /// [`Folded::failure`].
    pub fn fold(&self) -> Result<Folded, Error> {
        self.session.memory.may(Right::Write)?;
        let plan = self.plan()?;
        let mut gathered = Gathered::default();
        self.gather_turns(&mut gathered, &plan)?;
        let folded = self.folded_before(&gathered.turns, &plan);
        let engine = &self.session.memory.engine;
        let best: &dyn Folder = match &engine.folder {
            Some(by_model) => by_model,
            None => engine.cues(),
        };
        let mut done = Folded::default();
        for run in cover(folded) {
            let known = self.kept(&[run])?;
            let stays = |span: &Span| engine.folder.is_none() || span.made_by == best.name();
            if known.iter().any(stays) {
                done.known += 1;
                continue;
            }
            let span = self.make_and_keep(run, best, &mut done.failure)?;
            if known.contains(&span) {
                done.known += 1;
            } else {
                done.made.push(span);
            }
        }
        Ok(done)
    }

    /// The position up to which a desk shows no turns word for word.
    pub(super) fn folded_before(&self, turns: &[Turn], plan: &Plan) -> u32 {
        unfolded_from(turns, plan, self.counter.as_ref()).unwrap_or(0)
    }

    /// What stands for the turns before a position. What is not kept is made without a model, once a process.
    pub(super) fn spans_before(&self, position: u32) -> Result<Vec<Span>, Error> {
        let runs: Vec<Run> = cover(position).collect();
        let mut spans = self.kept(&runs)?;
        let missing: Vec<Run> = runs
            .into_iter()
            .filter(|run| spans.iter().all(|span| span.run != *run))
            .collect();
        if missing.is_empty() {
            return Ok(spans);
        }
        let engine = &self.session.memory.engine;
        let snapshot = engine.store.snapshot()?;
        let place = (self.session.memory.scope.clone(), self.session.name()?);
        let mut made = engine.made_spans.take(snapshot.as_ref(), &place)?;
        for run in &missing {
            spans.push(made.span(*run, || {
                let turns = self.turns_of(snapshot.as_ref(), &place.1, *run)?;
                Ok(fold_by_cues(engine.cues(), *run, &turns))
            })?);
        }
        made.keep_only(&missing);
        engine.made_spans.put(place, made);
        spans.sort_by_key(|span| span.run);
        Ok(spans)
    }

    /// Spans that are there and sound; a damaged one is made again.
    fn kept(&self, runs: &[Run]) -> Result<Vec<Span>, Error> {
        let scope = &self.session.memory.scope;
        let snapshot = self.session.memory.engine.store.snapshot()?;
        Ok(snapshot.spans(scope, &self.session.name()?, runs)?.rows)
    }

    fn make_and_keep(
        &self,
        run: Run,
        best: &dyn Folder,
        failure: &mut Option<ModelError>,
    ) -> Result<Span, Error> {
        let engine = &self.session.memory.engine;
        let session = self.session.name()?;
        let snapshot = engine.store.snapshot()?;
        let read_at = snapshot.head()?;
        let turns = self.turns_of(snapshot.as_ref(), &session, run)?;
        drop(snapshot);
        let (inside, after) = parted(run, &turns);
        let is_useless = failure.as_ref().is_some_and(ModelError::meets_everything);
        let items = if is_useless {
            None
        } else {
            Some(best.fold(inside, after))
        };
        let span = match items {
            Some(Ok(items)) => Span {
                run,
                made_by: best.name().to_owned(),
                items,
            },
            Some(Err(error)) => {
                *failure = Some(error);
                fold_by_cues(engine.cues(), run, &turns)
            }
            None => fold_by_cues(engine.cues(), run, &turns),
        };
        engine.store.commit(vec![Write::PutSpan {
            scope: self.session.memory.scope.clone(),
            session,
            span: Box::new(span.clone()),
            read_at,
        }])?;
        Ok(span)
    }

    /// The turns of a run, and those behind it that a folder reads besides.
    fn turns_of(
        &self,
        snapshot: &dyn Snapshot,
        session: &SessionName,
        run: Run,
    ) -> Result<Vec<Turn>, Error> {
        let rows = snapshot.turns(TurnQuery::Session {
            scope: &self.session.memory.scope,
            session,
            from: run.from,
            limit: (run.turns() as usize).saturating_add(TURNS_AFTER as usize),
        })?;
        Ok(rows.rows)
    }
}

/// The turns of a run, and those behind it.
fn parted(run: Run, turns: &[Turn]) -> (&[Turn], &[Turn]) {
    turns.split_at(turns.partition_point(|turn| turn.position <= run.to))
}

fn fold_by_cues(cues: &Cues, run: Run, turns: &[Turn]) -> Span {
    let (inside, after) = parted(run, turns);
    Span {
        run,
        made_by: cues.name().to_owned(),
        items: cues.items(inside, after),
    }
}
