//! What older turns came to, without a file.

use memoriter_core::fold::{Run, Span};
use memoriter_core::id::ChangeNumber;
use memoriter_core::scope::Scope;
use memoriter_core::turn::SessionName;

use super::Content;
use super::view::View;
use crate::error::StoreError;
use crate::store::{Rows, Spans};

impl Content {
    pub(super) fn put_span(
        &mut self,
        (scope, session): (&Scope, &SessionName),
        span: &Span,
        read_at: ChangeNumber,
    ) {
        let run = span.run;
        let mut turns = self.turns.iter().map(|held| &held.record);
        let has_changed = turns.any(|turn| {
            turn.scope == *scope
                && turn.session == *session
                && (run.from..=run.to).contains(&turn.position)
                && turn.change > read_at
        });
        let is_there = self.sessions.contains(&(scope.clone(), session.clone()));
        if is_there && !has_changed {
            let place = (scope.clone(), session.clone(), run);
            self.spans.insert(place, span.clone());
        }
    }

    pub(super) fn drop_spans(&mut self, scope: &Scope, session: &SessionName, position: u32) {
        self.spans.retain(|(of, name, run), _| {
            (of, name) != (scope, session) || !(run.from..=run.to).contains(&position)
        });
    }
}

impl Spans for View {
    fn spans(
        &self,
        scope: &Scope,
        session: &SessionName,
        runs: &[Run],
    ) -> Result<Rows<Span>, StoreError> {
        let place = |run: &Run| (scope.clone(), session.clone(), *run);
        let found = runs.iter().filter_map(|run| self.0.spans.get(&place(run)));
        Ok(Rows {
            rows: found.cloned().collect(),
            damaged: Vec::new(),
        })
    }
}
