//! Work and school.

use crate::extract::rules::rule::{Head, Rule, Shape, When, Who};

pub(in crate::extract::rules) const RULES: &[Rule] = &[
    Rule {
        importance: 7,
        goes_on: true,
        ..Rule::fact(
            "works-as",
            "job",
            Shape::Job,
            &[
                r"{_}works?\s+(?:full[- ]time\s+|part[- ]time\s+)?as\s+(?<v>(?:an?|the|head|chief|lead)\s.+)",
                r"{be}(?:working|employed)\s+(?:full[- ]time\s+|part[- ]time\s+)?as\s+(?<v>(?:an?|the|head|chief|lead)\s.+)",
                r"{have}(?:worked|been working)\s+as\s+(?<v>an?\s+.+?)\s+(?:since|for)\s.+",
                r"{had}(?:started|began)\s+(?:working\s+)?as\s+(?<v>an?\s.+)",
                r"{had}(?:got|gotten|landed|accepted|took|started)\s+(?:an?|my|the)\s+(?:new\s+|first\s+)?(?:job|position|role|gig)\s+as\s+(?<v>.+)",
                r"{had}(?:been|got|gotten)?\s*(?:hired|promoted)\s+(?:as|to)\s+(?<v>.+)",
                r"{_}(?:was|got) (?:hired|promoted)\s+(?:as|to)\s+(?<v>.+)",
                r"{_}joined\s+[^,;]+?\s+as\s+(?<v>an?\s+.+)",
            ],
        )
    },
    Rule {
        importance: 7,
        goes_on: true,
        ..Rule::fact(
            "trade",
            "job",
            Shape::Job,
            &[
                r"{be}(?<v>not\s+an?\s+[^,;]+?,?\s+but\s+an?\s+(?:[\p{L}-]+\s+){0,3}?(?:{trade}))\b(?:\s*[.,;!)]|\s*$|\s+(?:at|for|in|and|from|by|with|who|but|now|based|working)\b)",
                r"{be}an?\s+(?<v>(?:[\p{L}-]+\s+){0,3}?(?:{trade}))(?:\s*[.,;!)]|\s*$|\s+(?:at|for|in|and|from|by|with|who|but|now|based|working|these)\b)",
                r"{had}became\s+an?\s+(?<v>(?:[\p{L}-]+\s+){0,3}?(?:{trade}))(?:\s*[.,;!)]|\s*$|\s+(?:at|for|in|and|last|two|a|this)\b)",
                r"{have}been\s+an?\s+(?<v>(?:[\p{L}-]+\s+){0,3}?(?:{trade}))\s+(?:at|for|since|in)\b",
            ],
        )
    },
    Rule {
        importance: 7,
        goes_on: true,
        ..Rule::fact(
            "employer",
            "employer",
            Shape::Body,
            &[
                r"{_}works?\s+(?:as\s+[^,;]+?\s+)?(?:(?:part[- ]time|full[- ]time|at home|from home|at night|nights|remotely|on weekends|at weekends)\s+)*(?:at|for)\s+(?<v>.+)",
                r"{be}(?:working|employed)\s+(?:as\s+[^,;]+?\s+)?(?:(?:part[- ]time|full[- ]time|at home|from home|at night|nights|remotely|on weekends|at weekends)\s+)*(?:at|for|by)\s+(?<v>.+)",
                r"{be}an?\s+(?:[\p{L}-]+\s+){0,3}?(?:{trade})\s+(?:at|for)\s+(?<v>.+)",
                r"{have}(?:been working|worked)\s+(?:at|for)\s+(?<v>.+?)\s+(?:since|for)\s.+",
                r"{had}(?:started|began)\s+(?:working\s+|(?:an?|my|the)\s+(?:new\s+)?(?:job|position|role)\s+)(?:as\s+[^,;]+?\s+)?(?:at|for|with)\s+(?<v>.+)",
                r"{had}(?:got|gotten|landed|accepted|took|found)\s+(?:an?|my|the)\s+(?:new\s+|first\s+)?(?:job|position|role|gig)\s+(?:as\s+[^,;]+?\s+)?(?:at|with)\s+(?<v>.+)",
                r"{_}(?:was|got) hired\s+(?:as\s+[^,;]+?\s+)?(?:by|at)\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        when: When::Planned,
        importance: 7,
        ..Rule::fact(
            "will-work",
            "employer",
            Shape::Body,
            &[
                r"{be}(?:starting|going to start)\s+at\s+(?<v>(?-i:\p{Lu}).*)",
                r"{be}(?:starting|going to start)\s+(?:work(?:ing)?\s+|(?:an?|my|the)\s+(?:new\s+)?(?:job|position|role)\s+)(?:as\s+[^,;]+?\s+)?(?:at|for|with)\s+(?<v>.+)",
                r"(?:'ll|\s+will)\s+(?:be\s+)?start(?:ing)?\s+(?:work(?:ing)?\s+)?(?:at|for)\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        ..Rule::fact(
            "industry",
            "industry",
            Shape::Job,
            &[
                r"{_}works?\s+in\s+(?<v>(?:the\s+)?(?-i:[a-z]|IT\b|HR\b|PR\b).*)",
                r"{be}working\s+in\s+(?<v>(?:the\s+)?(?:finance|marketing|education|healthcare|health care|sales|retail|advertising|tech|hospitality|insurance|publishing|media|logistics|construction|consulting|research|law|it|hr)\b.*)",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        importance: 7,
        when: When::Ignored,
        ..Rule::fact(
            "job-is",
            "job",
            Shape::Job,
            &[
                r"\s+(?:current\s+|new\s+|main\s+)?(?:job|profession|occupation|job title)(?:'s|\s+is)\s+(?:(?:being|that of|as)\s+)?(?<v>(?:an?\s+)?(?:[\p{L}-]+\s+){0,3}?(?:{trade}))(?:\s*[.,;!)]|\s*$|\s+(?:at|for|in)\b)",
            ],
        )
    },
    Rule {
        head: Head::Owner,
        importance: 7,
        ..Rule::fact(
            "employer-is",
            "employer",
            Shape::Body,
            &[
                r"\s+(?:current\s+|new\s+)?employer(?:'s|\s+is)\s+(?<v>.+)",
                r"\s+(?:current\s+|new\s+)?job(?:'s|\s+is)\s+(?:at|with)\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        importance: 7,
        ..Rule::fact(
            "work-state",
            "job",
            Shape::Word,
            &[
                r"{be}(?<v>self[- ]employed|retired|unemployed|a freelancer|freelancing|between jobs)\b",
                r"{had}(?<v>retired)(?:\s*[.,;!)]|\s*$|\s+(?:last|from|in|two|three|a)\b)",
            ],
        )
    },
    Rule {
        importance: 7,
        goes_on: true,
        ..Rule::end(
            "left-job-at",
            "employer",
            Shape::Body,
            &[
                r"{had}(?:quit|left|resigned from|lost)\s+(?:my\s+|the\s+|his\s+|her\s+)?(?:job|position|role)\s+(?:as\s+[^,;]+?\s+)?(?:at|with)\s+(?<v>.+)",
                r"{had}(?:resigned from|got fired from|been fired from|been laid off from|got laid off from|was fired from|was laid off from)\s+(?<v>.+)",
                r"{_}(?:was|got) (?:fired|laid off)\s+(?:from|by)\s+(?<v>.+)",
                r"{dont}work\s+(?:at|for)\s+(?<v>.+)",
                r"{_}no longer\s+works?\s+(?:at|for)\s+(?<v>.+)",
                r"{_}used to work\s+(?:at|for)\s+(?<v>.+)",
                r"{isnt}(?:working|employed)\s+(?:at|for|by)\s+(?<v>.+)",
            ],
        )
    },
    Rule {
        importance: 7,
        ..Rule::end(
            "left-job-as",
            "job",
            Shape::Job,
            &[
                r"{had}(?:quit|left|lost)\s+(?:my\s+|the\s+|his\s+|her\s+)?(?:job|position|role)\s+as\s+(?<v>.+)",
                r"{dont}work\s+as\s+(?<v>.+)",
                r"{_}no longer\s+works?\s+as\s+(?<v>.+)",
                r"{_}used to (?:work as|be)\s+(?<v>an?\s+(?:[\p{L}-]+\s+){0,3}?(?:{trade}))\b",
                r"{be}(?:no longer|not)\s+(?<v>an?\s+(?:[\p{L}-]+\s+){0,3}?(?:{trade}))(?:\s+any ?more)",
                r"{be}no longer\s+(?<v>an?\s+(?:[\p{L}-]+\s+){0,3}?(?:{trade}))\b",
            ],
        )
    },
    // Where the job is gone, so is the employer.
    Rule {
        importance: 7,
        value: "",
        goes_on: true,
        ..Rule::concluded_end(
            "left-employer",
            "employer",
            Shape::Fixed,
            &[
                r"{had}(?:quit|left|lost)\s+(?:my\s+|his\s+|her\s+|the\s+)(?:(?:old|last|day|corporate)\s+)?job(?:\s*[.,;!)]|\s*$|\s+(?:last|in|today|yesterday|this|and|two|three|a|after|because|on)\b)",
                r"{had}(?:resigned|quit)(?:\s*[.,;!)]|\s*$|\s+(?:last|today|yesterday|this)\b)",
                r"(?:{had}|{_}(?:was|got)\s+|{have}been\s+)(?:got\s+|gotten\s+)?(?:fired|laid off|let go|made redundant)(?:\s*[.,;!)]|\s*$|\s+(?:last|from work|from my job|today|yesterday|this|in|two|three)\b)",
            ],
        )
    },
    // A place, a person or a party can be left too, so that only a known employer is.
    Rule {
        importance: 7,
        ..Rule::concluded_end(
            "left-body",
            "employer",
            Shape::Body,
            &[
                r"{had}(?:left|quit)\s+(?<v>{Name}(?:\s+(?:(?:and|of|&)\s+)?{Name})*)(?:\s*[.,;!)]|\s*$|\s+(?:last|after|for good|two|three|a|years|because|and|but|yesterday|this|in\s+(?:\d{4}|early|late|mid|(?-i:\p{Lu}\p{L}+))|to\s+(?:start|join|found|work|study|become)|for\s+(?:an?|my|{Name}))\b)",
            ],
        )
    },
    Rule {
        importance: 7,
        value: "",
        ..Rule::end(
            "left-job",
            "job",
            Shape::Fixed,
            &[
                r"{had}(?:quit|left|lost)\s+(?:my\s+|his\s+|her\s+|the\s+)(?:(?:old|last|day|corporate)\s+)?job\b",
                r"{had}(?:resigned|quit)(?:\s*[.,;!)]|\s*$|\s+(?:last|today|yesterday|this)\b)",
                r"(?:{had}|{_}(?:was|got)\s+|{have}been\s+)(?:got\s+|gotten\s+)?(?:fired|laid off|let go|made redundant)(?:\s*[.,;!)]|\s*$|\s+(?:last|from work|from my job|today|yesterday|this|in|two|three)\b)",
            ],
        )
    },
    Rule {
        goes_on: true,
        ..Rule::fact(
            "studies",
            "field_of_study",
            Shape::Job,
            &[
                r"{be}(?:studying|majoring in|doing (?:a|my) (?:degree|masters?|phd|bachelors?) in|getting (?:a|my) (?:degree|masters?|phd) in)\s+(?<v>(?-i:[a-z]).*)",
                r"{_}(?:studies|study|majors? in|majored in)\s+(?<v>(?-i:[a-z]|IT\b).*)",
            ],
        )
    },
    Rule {
        ..Rule::fact(
            "school",
            "school",
            Shape::Body,
            &[
                r"{_}(?:go(?:es)? to|attends?)\s+(?<v>(?-i:\p{Lu}).*\b(?:school|university|college|academy|institute|uni|high)\b.*|the university of .+|(?-i:MIT|ETH|UCLA|LSE|NYU)\b.*)",
                r"{be}(?:attending|studying\s+(?:[a-z ]+\s+)?at|a student at)\s+(?<v>(?-i:\p{Lu}).*|the university of .+)",
                r"{_}stud(?:y|ies)\s+(?:[\p{L} ]+\s+)?at\s+(?<v>(?-i:\p{Lu}).*|the university of .+)",
            ],
        )
    },
    Rule {
        ..Rule::fact(
            "graduated",
            "alma_mater",
            Shape::Body,
            &[r"{had}graduated\s+from\s+(?<v>(?-i:\p{Lu}).*|the (?i:university) of .+)"],
        )
    },
    Rule {
        ..Rule::fact(
            "degree",
            "degree",
            Shape::Thing,
            &[
                r"{have}(?:got\s+)?(?:an?|my)\s+(?<v>(?:(?:bachelor|master|law|college|university|engineering|business|music|nursing)(?:'?s)?\s+)?(?:degree|phd|mba|diploma|doctorate)(?:\s+in\s+[\p{L} ]+)?)(?:\s*[.,;!)]|\s*$|\s+(?:from|and|but|last|two|this|at)\b)",
                r"{had}(?:got|earned|finished|completed)\s+(?:an?|my)\s+(?<v>(?:(?:bachelor|master|law|college|university|engineering|business|music|nursing)(?:'?s)?\s+)?(?:degree|phd|mba|diploma|doctorate)(?:\s+in\s+[\p{L} ]+)?)(?:\s*[.,;!)]|\s*$|\s+(?:from|and|but|last|two|this|at)\b)",
            ],
        )
    },
    Rule {
        ..Rule::fact(
            "project",
            "project",
            Shape::Thing,
            &[
                r"{be}(?:working on|building|writing|developing)\s+(?:an?|my)\s+(?<v>(?:(?:own|first|new|next|second)\s+)?(?:[\p{L}'-]+\s+){0,4}?(?:app|book|novel|game|website|web ?site|library|thesis|dissertation|paper|compiler|engine|podcast|album|screenplay|startup|start-up|project|plugin|tool|bot|blog|script|series|film|documentary)\b.*)",
            ],
        )
    },
    Rule {
        who: Who::I,
        head: Head::Owner,
        when: When::Ignored,
        ..Rule::fact(
            "goal",
            "goal",
            Shape::Clause,
            &[
                r"\s+(?:main\s+|next\s+|big\s+|biggest\s+|ultimate\s+|current\s+|long-term\s+)?goal(?:\s+for\s+[^,;]{1,30})?\s+is\s+to\s+(?<v>.+)",
                r"\s+(?:main\s+|big\s+|biggest\s+|ultimate\s+|lifelong\s+)?dream\s+is\s+to\s+(?<v>.+)",
            ],
        )
    },
];
