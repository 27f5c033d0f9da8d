//! Conditions that results meet: the same in lists and searches.

use memoriter::InvalidInput;
use memoriter::core::memory::{Kind, Outcome};
use memoriter::core::metadata::Metadata;
use memoriter::core::provenance::Origin;
use memoriter::core::query::{Filter, Records};
use serde_json::{Map, Value};

use crate::input::instant;

/// Words of a list, as they were given.
#[derive(Default)]
pub(super) struct Conditions<'a> {
    pub(super) kinds: &'a [String],
    pub(super) origins: &'a [String],
    pub(super) outcomes: &'a [String],
    pub(super) category: Option<&'a str>,
    pub(super) since: Option<&'a str>,
    pub(super) until: Option<&'a str>,
    pub(super) metadata: Option<&'a Map<String, Value>>,
    pub(super) records: Records,
}

impl Conditions<'_> {
    /// The filter that they make.
    pub(super) fn filter(&self) -> Result<Filter, InvalidInput> {
        let metadata = self.metadata.cloned().unwrap_or_default();
        // Limits are those of what is stored.
        Metadata::new(metadata.clone())?;
        let filter = Filter {
            kinds: each(self.kinds, Kind::parse)?,
            origins: each(self.origins, Origin::parse)?,
            outcomes: each(self.outcomes, Outcome::parse)?,
            category: self.category.map(str::to_owned),
            since: instant("since", self.since)?,
            until: instant("until", self.until)?,
            metadata: metadata.into_iter().collect(),
            records: self.records,
        };
        filter.check()?;
        Ok(filter)
    }
}

/// Each word read.
pub(super) fn each<T>(
    words: &[String],
    read: impl Fn(&str) -> Result<T, InvalidInput>,
) -> Result<Vec<T>, InvalidInput> {
    words.iter().map(|word| read(word)).collect()
}

/// The words of a parameter that holds several, with commas between.
pub(super) fn words(parameter: Option<&String>) -> Vec<String> {
    let words = parameter.map(|text| text.split(',').map(|word| word.trim().to_owned()));
    words.into_iter().flatten().collect()
}

/// Which records a call wants.
pub(super) fn records(word: Option<&str>) -> Result<Records, InvalidInput> {
    match word {
        None | Some("all") => Ok(Records::All),
        Some("memories") => Ok(Records::Memories),
        Some("turns") => Ok(Records::Turns),
        Some(other) => Err(InvalidInput::malformed(
            "records",
            "all, memories or turns",
            other,
        )),
    }
}
