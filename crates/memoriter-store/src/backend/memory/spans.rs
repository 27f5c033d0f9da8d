//! What older turns came to, without a file.

use memoriter_core::fold::{Run, Span};
use memoriter_core::id::{ChangeNumber, TurnId};
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
        let turns = self.turns_of_session(scope, session);
        let mut inside = turns
            .iter()
            .filter(|turn| (run.from..=run.to).contains(&turn.position));
        let has_changed = inside.any(|turn| turn.change > read_at);
        if self.find_session(scope, session).is_some() && !has_changed {
            let place = (scope.clone(), session.clone(), run);
            self.spans.insert(place, span.clone());
        }
    }

    /// Drops the spans that a turn is in: of its session and of those that go on from it.
    pub(super) fn drop_spans(&mut self, id: TurnId) {
        let has_it = |(scope, session, run): &(Scope, SessionName, Run)| {
            let turns = self.turns_of_session(scope, session);
            turns
                .iter()
                .any(|turn| turn.id == id && (run.from..=run.to).contains(&turn.position))
        };
        let gone: Vec<_> = self
            .spans
            .keys()
            .filter(|place| has_it(place))
            .cloned()
            .collect();
        for place in gone {
            self.spans.remove(&place);
        }
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
