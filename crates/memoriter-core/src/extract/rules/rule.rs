//! What a rule is. How its patterns are spelled is in [`super::spelling`].

use crate::extract::Action;
use crate::memory::Kind;

/// What a clause begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// "I", "we", "my sister": a predicate follows.
    Subject,
    /// "My", "my sister's", "the user's": a noun follows.
    Owner,
    /// Nothing: the clause itself is the pattern, as in a request.
    Bare,
    /// Anywhere in a sentence that tells something: "my sister Lena".
    Mention,
}

/// Whom a clause can be about, as a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Who(pub(super) u8);

impl Who {
    pub(super) const I: Self = Self(1);
    pub(super) const WE: Self = Self(2);
    pub(super) const RELATIVE: Self = Self(4);
    /// "The user", in texts that come from elsewhere.
    pub(super) const USER: Self = Self(8);
    /// An animal that somebody keeps.
    pub(super) const PET: Self = Self(16);
    /// "Anna and I": a "we" that says who.
    pub(super) const PAIR: Self = Self(32);
    pub(super) const SELF: Self = Self(1 | 8);
    pub(super) const US: Self = Self(1 | 2 | 8 | 32);
    pub(super) const ONE: Self = Self(1 | 4 | 8);
    pub(super) const ALL: Self = Self(1 | 2 | 4 | 8 | 32);
    pub(super) const ONE_OR_PET: Self = Self(1 | 4 | 8 | 16);

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// How the words of a value are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// As the template says; nothing is read.
    Fixed,
    /// A town or region, by its capital; a country goes under `country`.
    Place,
    /// One to three words with capitals.
    Name,
    /// A company, school or other body.
    Body,
    /// A short noun phrase.
    Thing,
    /// Noun phrases, one candidate each.
    Things,
    /// Names, one candidate each.
    Names,
    /// Work that somebody does.
    Job,
    /// Substances: like [`Shape::Things`], in the plural where there is one.
    Substances,
    /// The whole rest of the clause.
    Clause,
    /// Digits or a word, taken as they are.
    Word,
    /// Words with capitals or names of software, one candidate each.
    Tools,
    /// What to forget: a noun phrase that may name an attribute.
    Topic,
    /// The day that the clause names, as `2027-03-14`.
    Day,
    /// A day of the year, as said.
    Birthday,
}

/// What the times in a clause mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// The start or end of what is said, where a time is said at all.
    Since,
    /// Something planned: holds only with a time to come.
    Planned,
    /// Something past: holds only with a time that is over.
    Happened,
    /// Nothing.
    Ignored,
}

/// One form in which people say something, and what it says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// Its name, which candidates carry.
    pub(super) name: &'static str,
    pub(super) head: Head,
    pub(super) who: Who,
    pub(super) patterns: &'static [&'static str],
    /// The attribute; `{t}` is replaced. Several with `|` between them: a candidate for each. Empty: no key.
    pub(super) key: &'static str,
    pub(super) shape: Shape,
    /// The value, with `{v}` and `{t}` replaced. Empty: no value.
    pub(super) value: &'static str,
    pub(super) kind: Kind,
    pub(super) action: Action,
    pub(super) importance: u8,
    pub(super) when: When,
    /// Whether later rules may read the same clause too.
    pub(super) goes_on: bool,
    /// Whether it is said to an assistant: holds only where the speaker is the user.
    pub(super) is_request: bool,
    /// Whether the words alone do not say under which key they belong ("Rex died"): what is concluded takes a known
    /// value and nothing else.
    pub(super) is_concluded: bool,
}

impl Rule {
    /// A lasting fact.
    pub(super) const fn fact(
        name: &'static str,
        key: &'static str,
        shape: Shape,
        patterns: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            head: Head::Subject,
            who: Who::ONE,
            patterns,
            key,
            shape,
            value: "{v}",
            kind: Kind::Semantic,
            action: Action::Remember,
            importance: 6,
            when: When::Since,
            goes_on: false,
            is_request: false,
            is_concluded: false,
        }
    }

    /// Something that is true no longer.
    pub(super) const fn end(
        name: &'static str,
        key: &'static str,
        shape: Shape,
        patterns: &'static [&'static str],
    ) -> Self {
        Self {
            action: Action::End,
            ..Self::fact(name, key, shape, patterns)
        }
    }

    /// Something that is true no longer, where what is known tells that it was meant.
    pub(super) const fn concluded_end(
        name: &'static str,
        key: &'static str,
        shape: Shape,
        patterns: &'static [&'static str],
    ) -> Self {
        Self {
            is_concluded: true,
            ..Self::end(name, key, shape, patterns)
        }
    }

    /// Something that happened, without key.
    pub(super) const fn event(name: &'static str, patterns: &'static [&'static str]) -> Self {
        Self {
            kind: Kind::Episodic,
            who: Who::ALL,
            value: "",
            importance: 5,
            when: When::Happened,
            ..Self::fact(name, "", Shape::Fixed, patterns)
        }
    }

    /// Whether its key names a thing that is owned rather than a relative.
    pub(super) fn is_of_owner(&self) -> bool {
        let is_owners = self.head == Head::Owner || self.is_request;
        is_owners && matches!(self.shape, Shape::Clause | Shape::Tools)
    }

    /// Something asked of an assistant.
    pub(super) const fn request(
        name: &'static str,
        key: &'static str,
        shape: Shape,
        patterns: &'static [&'static str],
    ) -> Self {
        Self {
            kind: Kind::Procedural,
            head: Head::Bare,
            importance: 8,
            when: When::Ignored,
            is_request: true,
            ..Self::fact(name, key, shape, patterns)
        }
    }
}
