//! Relatives, friends and animals.

use crate::extract::rules::rule::{Head, Rule, Shape, When, Who};

pub(in crate::extract::rules) const RULES: &[Rule] = &[
    Rule {
        who: Who::US,
        when: When::Ignored,
        value: "{t} named {v}",
        ..Rule::fact(
            "pet-named",
            "pet",
            Shape::Name,
            &[
                r"{have}(?:got\s+)?(?:an?|one|another)\s+(?:[\p{L}-]+\s+){0,3}?(?<t>{pet})(?:,?\s+(?:who is\s+|that is\s+)?(?:named|called)|,?\s+(?:and\s+)?(?:his|her|its) name(?:'s|\s+is)|\s*[,:–-])\s+(?<v>{Name}.*)",
                r"{had}(?:adopted|got|gotten|bought|rescued)\s+(?:an?|another)\s+(?:[\p{L}-]+\s+){0,3}?(?<t>{pet})(?:,?\s+(?:named|called)|\s*[,:–-])\s+(?<v>{Name}.*)",
            ],
        )
    },
    // "My dog's name is Max, not Rex."
    Rule {
        head: Head::Owner,
        who: Who::SELF,
        when: When::Ignored,
        value: "{t} named {v}",
        goes_on: true,
        ..Rule::end(
            "pet-is-not-named",
            "pet",
            Shape::Name,
            &[
                r"\s+(?:[\p{L}-]+\s+){0,2}?(?<t>{pet})(?:'s\s+name(?:'s|\s+is)|\s+is\s+(?:actually\s+)?(?:named|called))\s+(?:actually\s+)?(?:{Name},?\s+(?:and\s+)?not|not)\s+(?<v>{Name})\b",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        who: Who::SELF,
        when: When::Ignored,
        value: "{t} named {v}",
        ..Rule::fact(
            "pet-is-named",
            "pet",
            Shape::Name,
            &[
                r"\s+(?:[\p{L}-]+\s+){0,2}?(?<t>{pet})(?:'s\s+name(?:'s|\s+is)|\s+is\s+(?:named|called))\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        head: Head::Mention,
        who: Who::SELF,
        when: When::Ignored,
        importance: 5,
        value: "{t} named {v}",
        ..Rule::fact(
            "my-pet",
            "pet",
            Shape::Name,
            &[
                r"(?:my|our)\s+(?:(?:old|new|little|sweet|beloved|other|first|second|dear|lovely)\s+)*(?<t>{pet}),?\s+(?<v>{Name})",
            ],
        )
    },
    Rule {
        who: Who::US,
        ..Rule::fact(
            "has-pet",
            "pet",
            Shape::Things,
            &[
                r"{have}(?:got\s+)?(?<v>(?:an?|one|two|three|four|five|six|\d)\s+(?:[\p{L}-]+\s+){0,2}?(?:{pet})\b(?:\s*(?:,|and)\s*(?:an?|one|two|three)\s+(?:[\p{L}-]+\s+){0,2}?(?:{pet})\b)*)(?:\s*[.,;:!)]|\s*$|\s+(?:and|but|who|that|which|at|in|with|called|named|now|too|as|so|because|since|from|for|plus)\b)",
                r"{_}own\s+(?<v>(?:an?|one|two|three|four|\d)\s+(?:[\p{L}-]+\s+){0,3}?(?:{pet})\b)",
            ],
        )
    },
    Rule {
        who: Who::US,
        value: "{t} named {v}",
        ..Rule::end(
            "named-pet-no-more",
            "pet",
            Shape::Name,
            &[
                r"(?:{dont}|{_}no longer\s+)(?:have|own)\s+(?:an?|any|the|my|our)\s+(?:[\p{L}-]+\s+){0,2}?(?<t>{pet}),?\s+(?:(?:named|called)\s+)?(?<v>{Name})",
                r"{had}(?:had to\s+)?(?:gave away|given away|give away|rehomed?|sold|lost|put down)\s+(?:my|our)\s+(?:[\p{L}-]+\s+){0,2}?(?<t>{pet}),?\s+(?:(?:named|called)\s+)?(?<v>{Name})",
                r"{had}(?:had to\s+)?put\s+(?:my|our)\s+(?:[\p{L}-]+\s+){0,2}?(?<t>{pet}),?\s+(?<v>{Name}),?\s+(?:down|to sleep)\b",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        who: Who::I,
        value: "{t} named {v}",
        ..Rule::end(
            "named-pet-died",
            "pet",
            Shape::Name,
            &[
                r"\s+(?:[\p{L}-]+\s+){0,2}?(?<t>{pet}),?\s+(?:(?:named|called)\s+)?(?<v>{Name}),?\s+(?:just\s+|recently\s+|sadly\s+|has\s+|(?:had to be|was)\s+)*(?:died|passed away|ran away|run away|is dead|put down|put to sleep)\b",
            ],
        )
    },
    Rule {
        who: Who::US,
        ..Rule::end(
            "pet-no-more",
            "pet",
            Shape::Thing,
            &[
                r"{dont}(?:have|own)\s+(?<v>(?:an?|any|the|my|our)\s+(?:[\p{L}-]+\s+){0,2}?(?:{pet})(?:\s+(?:named|called)\s+[\p{L}'-]+)?)\b",
                r"{_}no longer\s+(?:have|own)\s+(?<v>(?:an?|any|the|our)\s+(?:[\p{L}-]+\s+){0,2}?(?:{pet})(?:\s+(?:named|called)\s+[\p{L}'-]+)?)\b",
                r"{had}(?:gave away|given away|rehomed|sold|lost|put down)\s+(?:my|our)\s+(?<v>(?:[\p{L}-]+\s+){0,1}?(?:{pet}))\b",
                r"{had}(?:had to\s+)?put\s+(?:my|our)\s+(?<v>(?:[\p{L}-]+\s+){0,1}?(?:{pet}))\s+(?:down|to sleep)\b",
            ],
        )
    },
    Rule {
        who: Who::US,
        value: "",
        ..Rule::end(
            "pets-no-more",
            "pet",
            Shape::Fixed,
            &[
                r"(?:{dont}|{_}no longer\s+)(?:have|own|keep)\s+(?:any\s+)?pets(?:\s*[.,;!)]|\s*$|\s+(?:and|but|any ?more|at all|now|because|since|so)\b)",
                r"{have}no\s+(?:more\s+)?pets(?:\s*[.,;!)]|\s*$|\s+(?:and|but|any ?more|at all|now|because|since|so)\b)",
            ],
        )
    },
    // A friend can have the name too, so that only a known animal is meant.
    Rule {
        head: Head::Bare,
        who: Who::I,
        ..Rule::concluded_end(
            "name-died",
            "pet",
            Shape::Name,
            &[
                r"(?:(?:sadly|unfortunately|poor|dear|little|old)[\s,]+)*(?<v>{Name})\s+(?:just\s+|recently\s+|sadly\s+|has\s+|had to be\s+|was\s+)*(?:(?:died|passed away|passed on|put down|put to sleep|crossed the rainbow bridge)\b|(?:is\s+)?dead(?:\s*[.,;!)]|\s*$))",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        who: Who::I,
        ..Rule::end(
            "pet-died",
            "pet",
            Shape::Thing,
            &[
                r"\s+(?<v>(?:[\p{L}-]+\s+){0,2}?(?:{pet}))\b(?:,?\s+{Name},?)?\s+(?:died|passed away|ran away|is dead|has died|has passed away)\b",
            ],
        )
    },
    Rule {
        head: Head::Mention,
        who: Who::SELF,
        when: When::Ignored,
        importance: 7,
        ..Rule::fact(
            "my-relative",
            "{t}",
            Shape::Name,
            &[
                r"(?:my|our)\s+(?:(?:older|younger|little|big|eldest|oldest|youngest|elder|twin|baby|dear|lovely|beloved|wonderful|good|close|old|dear)\s+)*(?<t>{rel})\s+(?<v>{Name})",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        who: Who::SELF,
        when: When::Ignored,
        importance: 7,
        ..Rule::fact(
            "relative-is",
            "{t}",
            Shape::Name,
            &[
                r"\s+(?:(?:older|younger|little|big|eldest|oldest|youngest|elder|twin|baby|new)\s+)*(?<t>{rel})(?:'s\s+name(?:'s|\s+is)|\s+is\s+(?:named|called))\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        who: Who::US,
        when: When::Ignored,
        importance: 7,
        ..Rule::fact(
            "relative-named",
            "{t}",
            Shape::Name,
            &[
                r"{have}(?:got\s+)?(?:an?|one)\s+(?:[\p{L}-]+\s+){0,2}?(?<t>{rel})(?:,?\s+(?:who is\s+)?(?:named|called)|,?\s+(?:and\s+)?(?:his|her) name(?:'s|\s+is)|\s*[,:–-])\s+(?<v>{Name}.*)",
                r"{be}(?:married|engaged)\s+to\s+(?<v>{Name}\b)(?:\s*[.,;!)]|\s*$|\s+(?:and|for|since)\b)",
                r"{be}dating\s+(?<v>{Name}\b)(?:\s*[.,;!)]|\s*$|\s+(?:and|for|since|now)\b)",
            ],
        )
    },
    Rule {
        who: Who::US,
        when: When::Ignored,
        importance: 7,
        ..Rule::fact(
            "relatives-named",
            "{t}",
            Shape::Names,
            &[
                r"{have}(?:got\s+)?(?:two|three|four|five|six|\d)\s+(?:[\p{L}-]+\s+){0,2}?(?<t>sisters|brothers|siblings|nephews|nieces|cousins|roommates|flatmates|grandchildren|grandkids)(?:,?\s+(?:named|called)|,?\s+(?:and\s+)?their names are|\s*[,:(–-])\s*(?<v>{Name}(?:,\s+{Name})*,?\s+(?:and|&)\s+{Name})(?:\s*[.,;!)]|\s*$|\s+(?:and|but|who)\b)",
            ],
        )
    },
    // How many there are is read too.
    Rule {
        who: Who::US,
        when: When::Ignored,
        importance: 7,
        goes_on: true,
        ..Rule::fact(
            "children-named",
            "{t}",
            Shape::Names,
            &[
                r"{have}(?:got\s+)?(?:two|three|four|five|six|\d)\s+(?:[\p{L}-]+\s+){0,2}?(?<t>kids|children|sons|daughters)(?:,?\s+(?:named|called)|,?\s+(?:and\s+)?their names are|\s*[,:(–-])\s*(?<v>{Name}(?:,\s+{Name})*,?\s+(?:and|&)\s+{Name})(?:\s*[.,;!)]|\s*$|\s+(?:and|but|who)\b)",
            ],
        )
    },
    Rule {
        who: Who::US,
        when: When::Ignored,
        ..Rule::fact(
            "children_count",
            "children_count",
            Shape::Thing,
            &[
                r"{have}(?:got\s+)?(?<v>(?:one|two|three|four|five|six|seven|eight|\d)\s+(?:[\p{L}-]+\s+){0,2}?(?:kids?|children|sons?|daughters?|boys|girls|child)\b(?:\s+and\s+(?:an?|one|two|three)\s+(?:sons?|daughters?))?)",
                r"{be}(?:an?|the)\s+(?:proud\s+|single\s+|busy\s+)*(?:mother|father|mom|mum|dad|parent)\s+(?:of|to)\s+(?<v>(?:one|two|three|four|five|six|\d)\b(?:\s+(?:kids|children|boys|girls|sons|daughters))?)",
            ],
        )
    },
    Rule {
        who: Who::US,
        when: When::Ignored,
        ..Rule::fact(
            "has-relative",
            "{t}",
            Shape::Thing,
            &[
                r"{have}(?:got\s+)?(?<v>(?:an?|one|two|three|four|five|\d)\s+(?:(?:older|younger|little|big|twin|baby|half-|\d+[- ]year[- ]old|[a-z]+[- ]year[- ]old|teenage|elder|adult|step)\s*)*(?<t>sisters?|brothers?|siblings?|sons?|daughters?|child|nephews?|nieces?|grandchildren|grandkids|grandson|granddaughter|cousins?|roommates?|flatmates?))(?:[.,;:!)]|\s|$)",
            ],
        )
    },
    Rule {
        importance: 8,
        value: "married",
        ..Rule::fact(
            "has-spouse",
            "marital_status",
            Shape::Fixed,
            &[
                r"{have}(?:got\s+)?an?\s+(?:[\p{L}-]+\s+){0,2}?(?:wife|husband)(?:\s*[.,;!)]|\s*$|\s+(?:and|but|who|now|named|called)\b)",
            ],
        )
    },
    Rule {
        who: Who::ALL,
        importance: 8,
        goes_on: true,
        ..Rule::fact(
            "marital-status",
            "marital_status",
            Shape::Word,
            &[
                r"{be}(?:happily\s+|newly\s+|recently\s+)?(?<v>married|divorced|single|engaged|widowed|separated)(?:\s*[.,;!)]|\s*$|\s+(?:(?:and|now|but|since|with|for|again)\b|(?:to\s+(?:{Name}|an?\b|someone\b|him\b|her\b|my\s+(?:[\p{L}-]+\s+){0,2}?(?:{rel})\b|the\s+(?:love|man|woman|father|mother)\b))))",
                r"{had}(?:gotten|got|become)\s+(?<v>married|divorced|engaged|separated)\b",
                r"{have}been\s+(?:happily\s+)?(?<v>married|divorced|single|engaged|widowed)\s+(?:(?:for|since)\b|(?:to\s+(?:{Name}|an?\b|someone\b|him\b|her\b|my\s+(?:[\p{L}-]+\s+){0,2}?(?:{rel})\b|the\s+(?:love|man|woman|father|mother)\b)))",
            ],
        )
    },
    Rule {
        who: Who::US,
        importance: 8,
        ..Rule::end(
            "broke-up",
            "partner",
            Shape::Name,
            &[
                r"{had}(?:broken|broke|split)\s+up\s+with\s+(?<v>{Name})\b",
                r"{be}(?:no longer|not)\s+(?:together|dating|with)\s+(?:with\s+)?(?<v>{Name})\b",
            ],
        )
    },
    Rule {
        who: Who::US,
        importance: 8,
        value: "",
        ..Rule::end(
            "broke-up-with",
            "{t}",
            Shape::Fixed,
            &[
                r"{had}(?:broken|broke|split)\s+up\s+with\s+my\s+(?<t>girlfriend|boyfriend|partner|fiancée?|husband|wife)\b",
                r"{_}no longer\s+have\s+an?\s+(?<t>girlfriend|boyfriend|partner|roommate|flatmate|job|car)\b",
                r"{dont}have\s+an?\s+(?<t>girlfriend|boyfriend|partner|roommate|flatmate|job|car)\s+any ?more\b",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        who: Who::I,
        importance: 8,
        value: "",
        ..Rule::end(
            "we-broke-up",
            "{t}",
            Shape::Fixed,
            &[
                r"\s+(?<t>girlfriend|boyfriend|partner|fiancée?|husband|wife)(?:\s+{Name})?\s+and\s+(?:I|me)\s+(?:just\s+|recently\s+|have\s+)?(?:broke up|broken up|split up|separated|got divorced|are divorced)\b",
            ],
        )
    },
    // "Anna and I split up": under the word by which Anna is known.
    Rule {
        head: Head::Bare,
        who: Who::I,
        importance: 8,
        ..Rule::concluded_end(
            "couple-split",
            "partner|wife|husband|girlfriend|boyfriend|fiancé",
            Shape::Name,
            &[
                r"(?<v>{Name})\s+and\s+(?:I|me)\s+(?:have\s+|just\s+|recently\s+|sadly\s+|finally\s+|are\s+)*(?:broke up|broken up|split up|separated|got divorced|getting divorced|divorced|get divorced|no longer together|not together any ?more)(?:\s*[.,;!)]|\s*$|\s+(?:last|in|two|three|a|after|because|yesterday|on|this|and|but|for good|recently)\b)",
            ],
        )
    },
    Rule {
        who: Who::WE,
        importance: 8,
        value: "",
        goes_on: true,
        ..Rule::concluded_end(
            "we-split",
            "partner|wife|husband|girlfriend|boyfriend|fiancé",
            Shape::Fixed,
            &[
                r"{had}(?:broken|broke|split)\s+up(?:\s*[.,;!)]|\s*$|\s+(?:last|in|two|three|a|after|because|yesterday|on|this)\b)",
                r"{had}(?:got|gotten)\s+divorced\b",
            ],
        )
    },
    Rule {
        ..Rule::fact(
            "car",
            "car",
            Shape::Thing,
            &[
                r"{_}drives?\s+(?<v>an?\s+(?-i:[\p{Lu}\d][\p{L}\d-]*)(?:\s(?-i:[\p{Lu}\d])[\p{L}\d-]*)*)",
                r"{have}(?:got\s+)?an?\s+(?<v>(?-i:\p{Lu}[\w-]+)(?:\s(?-i:[\p{Lu}\d])[\w-]*)*)\s+car\b",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        ..Rule::fact(
            "car-is",
            "car",
            Shape::Thing,
            &[
                r"\s+(?:new\s+)?car\s+is\s+(?<v>an?\s+(?-i:[\p{Lu}\d][\p{L}\d-]*)(?:\s(?-i:[\p{Lu}\d])[\p{L}\d-]*)*)",
            ],
        )
    },
    Rule {
        who: Who::US,
        goes_on: true,
        ..Rule::concluded_end(
            "sold-the",
            "car",
            Shape::Thing,
            &[
                r"{had}(?:sold|got rid of|gotten rid of|gave away|given away|scrapped|traded in)\s+(?:the|my|our)\s+(?:old\s+)?(?<v>(?-i:\p{Lu}[\w-]+)(?:\s(?-i:[\p{Lu}\d])[\w-]*)*)(?:\s*[.,;!)]|\s*$|\s+(?:and|but|last|for|because|yesterday|this|in|to)\b)",
            ],
        )
    },
    Rule {
        who: Who::US,
        ..Rule::fact(
            "car-bought",
            "car",
            Shape::Thing,
            &[
                r"{had}(?:bought|got|leased|purchased)\s+(?:myself\s+|ourselves\s+)?an?\s+(?:new\s+|used\s+|second-hand\s+)*(?<v>(?:{make})\b(?:\s(?-i:[\p{Lu}\d])[\w-]*)*)(?:\s*[.,;!)]|\s*$|\s+(?:and|but|last|for|because|yesterday|this|in|now|instead)\b)",
            ],
        )
    },
    Rule {
        who: Who::US,
        value: "",
        ..Rule::end(
            "sold",
            "{t}",
            Shape::Fixed,
            &[
                r"{had}(?:sold|got rid of|gotten rid of|gave away|given away|scrapped|crashed and lost)\s+(?:my|our)\s+(?:old\s+)?(?<t>car|bike|house|boat|motorbike|motorcycle|van|truck|apartment)\b",
            ],
        )
    },
];
