//! What the published benchmarks have in common: collections of histories, each with sessions of its own.

use memoriter_core::turn::{Message, SessionName};

use super::error::{ImportError, Place};
use super::node::Node;
use super::{Batch, ImportedTurn};
use crate::{TurnDraft, TurnKey};

/// A turn of a history.
pub(crate) struct Said {
    /// As the file names it, unique within the history.
    pub(crate) session: SessionName,
    /// Unique within the session.
    pub(crate) id: String,
    pub(crate) message: Message,
    pub(crate) place: Place,
}

/// Puts the turns of the history `name`, which stands at `node`, into `batch`. Sessions are named
/// `history/session`: other histories of the file have sessions of the same names.
pub(super) fn put(
    batch: &mut Batch,
    (node, name): (Node<'_>, &str),
    turns: impl IntoIterator<Item = Said>,
) -> Result<(), ImportError> {
    for said in turns {
        let session = format!("{name}/{}", said.session.as_str());
        let draft = TurnDraft {
            session: node.valid(SessionName::new(session))?,
            key: TurnKey::Given(said.id),
            message: said.message,
        };
        batch.turns.push_back(ImportedTurn {
            user: None,
            draft,
            place: said.place,
        });
    }
    Ok(())
}
