//! Flags that narrow down what is looked at.

use clap::Args;
use memoriter::core::memory::{Kind, Outcome};
use memoriter::core::provenance::Origin;
use memoriter::core::query::{Filter, Records};
use memoriter::core::time::ZonedTime;
use serde_json::Value;

use crate::failure::Failure;
use crate::input;

/// Conditions that every result meets.
#[derive(Args)]
#[command(next_help_heading = "Filters")]
pub(super) struct FilterArgs {
    /// Only semantic, episodic or procedural; may be given several times
    #[arg(long, value_parser = Kind::parse)]
    kind: Vec<Kind>,
    /// Only what happened, or became true, at this time or later
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    since: Option<ZonedTime>,
    /// Only what happened, or became true, before this time
    #[arg(long, value_name = "TIME", value_parser = input::time)]
    until: Option<ZonedTime>,
    /// Only from user, operator, agent, tool, document, web or import; may be given several times
    #[arg(long, value_parser = Origin::parse)]
    origin: Vec<Origin>,
    /// Only attempts with this outcome: success, failure or unknown; may be given several times
    #[arg(long, value_parser = Outcome::parse)]
    outcome: Vec<Outcome>,
    /// Only this category
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Only with this data; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = input::metadata_field)]
    meta: Vec<(String, Value)>,
}

impl FilterArgs {
    /// The filter over these records.
    pub(super) fn filter(&self, records: Records) -> Result<Filter, Failure> {
        input::metadata(&self.meta)?;
        Ok(Filter {
            kinds: self.kind.clone(),
            origins: self.origin.clone(),
            outcomes: self.outcome.clone(),
            category: self.category.clone(),
            since: self.since.map(|time| time.instant),
            until: self.until.map(|time| time.instant),
            metadata: self.meta.clone(),
            records,
        })
    }
}
