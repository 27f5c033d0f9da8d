//! What an erasure does with records that are damaged.
//!
//! A damaged record is served to nobody, and what it said may still stand in it: it goes where as much of it as can be read
//! fits what is to be erased, and where nothing tells that it does not.

use std::collections::BTreeSet;

use crate::provenance::Origin;
use crate::time::Timestamp;

use super::{Cascade, Selector};

/// As much of a damaged record as can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remains {
    /// Its id.
    pub id: Option<[u8; 16]>,
    /// The name of its session.
    pub session: Option<String>,
    /// Entity and attribute.
    pub key: Option<(String, String)>,
    /// The word of its origin.
    pub origin: Option<String>,
    /// When the store took it.
    pub recorded_at: Option<Timestamp>,
    /// The records that it names as sources.
    pub sources: Vec<[u8; 16]>,
}

impl Remains {
    /// Whether a selector may mean it. Its words tell nothing: they may be what is damaged.
    #[must_use]
    pub fn may_be_meant(&self, selector: &Selector) -> bool {
        match selector {
            Selector::Memory(id) => self.id == Some(*id.as_bytes()),
            Selector::Turn(id) => self.id == Some(*id.as_bytes()),
            Selector::Key(key) => self.key.as_ref().is_some_and(|(entity, attribute)| {
                (entity.as_str(), attribute.as_str()) == (key.entity(), key.attribute())
            }),
            Selector::Session(name) => self.session.as_deref() == Some(name.as_str()),
            Selector::Everything | Selector::Matching(_) => true,
            Selector::Learned { origin, since } => {
                let found = self
                    .origin
                    .as_deref()
                    .and_then(|word| Origin::parse(word).ok());
                found.is_none_or(|found| found == *origin)
                    && self.recorded_at.is_none_or(|at| at >= *since)
            }
        }
    }

    /// Whether it goes with the records of these ids, which it names as sources.
    #[must_use]
    pub fn falls(&self, gone: &BTreeSet<[u8; 16]>, cascade: Cascade) -> bool {
        let mut is_gone = self.sources.iter().map(|source| gone.contains(source));
        match cascade {
            Cascade::LastSupport => !self.sources.is_empty() && is_gone.all(|gone| gone),
            Cascade::AnySupport => is_gone.any(|gone| gone),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::MemoryId;

    #[track_caller]
    fn check(remains: &Remains, selector: &Selector, expected: bool) {
        assert_eq!(remains.may_be_meant(selector), expected, "{selector:?}");
    }

    #[test]
    fn what_can_be_read_decides_and_what_cannot_is_no_shelter() {
        let known = Remains {
            id: Some([1; 16]),
            key: Some(("user".into(), "city".into())),
            origin: Some("web".into()),
            recorded_at: Some(Timestamp::from_micros(5)),
            ..Remains::default()
        };
        let unknown = Remains::default();
        let since = |origin, micros| Selector::Learned {
            origin,
            since: Timestamp::from_micros(micros),
        };
        let city = Selector::Key("user.city".parse().unwrap());
        let name = Selector::Key("user.name".parse().unwrap());
        let id = Selector::Memory(MemoryId::from_bytes([1; 16]));
        check(&known, &id, true);
        check(&unknown, &id, false);
        check(&known, &city, true);
        check(&known, &name, false);
        check(&known, &since(Origin::Web, 5), true);
        check(&known, &since(Origin::Web, 6), false);
        check(&known, &since(Origin::User, 5), false);
        check(&unknown, &since(Origin::User, 5), true);
        check(&known, &Selector::Matching("Berlin".into()), true);
        check(&unknown, &Selector::Everything, true);
    }

    #[test]
    fn it_falls_with_what_it_names() {
        let remains = Remains {
            sources: vec![[1; 16], [2; 16]],
            ..Remains::default()
        };
        let one = BTreeSet::from([[1; 16]]);
        let both = BTreeSet::from([[1; 16], [2; 16]]);
        assert!(!remains.falls(&one, Cascade::LastSupport));
        assert!(remains.falls(&one, Cascade::AnySupport));
        assert!(remains.falls(&both, Cascade::LastSupport));
        assert!(!Remains::default().falls(&both, Cascade::LastSupport));
    }
}
