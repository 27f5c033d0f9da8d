//! What happened, what is planned, deadlines, and how attempts went.

use crate::extract::rules::rule::{Head, Rule, Shape, When, Who};
use crate::memory::Kind;

pub(in crate::extract::rules) const RULES: &[Rule] = &[
    Rule {
        head: Head::Owner,
        who: Who::ONE,
        importance: 7,
        ..Rule::fact(
            "day-of",
            "{t}_date",
            Shape::Day,
            &[
                r"\s+(?:next\s+|final\s+|first\s+|big\s+)?(?<t>(?:[\p{L}-]+\s)?(?:exam|test|deadline|flight|train|interview|wedding|appointment|surgery|operation|due date|presentation|trip|anniversary|graduation|lease|contract|visa|passport|trial|marathon|defen[cs]e|performance|conference|meeting|checkup|check-up|recital|competition|tournament|vacation|holiday|party|exams))(?:\s+(?:to|from|with|for|in)\s+[\p{L} ]{1,30}?)?(?:'s|\s+(?:is|are|leaves|departs|starts|begins|ends|expires|takes place|got moved to|has been moved to|was moved to|is scheduled|is due))\s*(?:scheduled\s+)?(?:for\s+|on\s+|in\s+)?(?<v>.*)",
            ],
        )
    },
    // "The deadline was moved to Monday."
    Rule {
        head: Head::Bare,
        who: Who::I,
        importance: 7,
        ..Rule::fact(
            "day-moved",
            "{t}_date",
            Shape::Day,
            &[
                r"(?:the|my|our)\s+(?<t>deadline|exam|interview|appointment|surgery|operation|wedding|defen[cs]e|presentation|flight|trial|recital|due date)\s+(?:was|got|has been|is being|is now|'s been)\s+(?:moved|pushed(?: back)?|postponed|rescheduled|brought forward|shifted|changed|put off)\s+to\s+(?<v>.*)",
            ],
        )
    },
    Rule {
        who: Who::US,
        importance: 7,
        ..Rule::fact(
            "has-day",
            "{t}_date",
            Shape::Day,
            &[
                r"{have}(?:got\s+)?(?:an?|my|the|another)\s+(?:big\s+|important\s+|final\s+|next\s+)?(?<t>(?:[\p{L}-]+\s)?(?:exam|test|deadline|flight|interview|appointment|surgery|presentation|recital|checkup|check-up|tournament|performance|competition))\b(?<v>.*)",
            ],
        )
    },
    Rule {
        when: When::Ignored,
        value: "",
        who: Who::ALL,
        importance: 6,
        kind: Kind::Episodic,
        ..Rule::fact(
            "attempt",
            "",
            Shape::Fixed,
            &[
                r"{had}tried\s+(?<g>.+?)(?:,|\s+and|\s+but|\s+-|;)\s+(?:it|that|this|they)\s+(?:really\s+|actually\s+|finally\s+|just\s+|also\s+|still\s+)*(?<o>(?:works?|worked|helped|helps|did(?:n't| not)|does(?:n't| not)|failed|fixed|solved|made|had no|was(?:n't| not)? (?:a success|useless|useful|helpful|worth))\b.*)",
                r"{_}(?:fixed|solved|resolved)\s+(?<g>.+?)\s+by\s+(?<how>\w+ing\b.*)",
            ],
        )
    },
    Rule {
        who: Who::US,
        importance: 6,
        when: When::Since,
        ..Rule::event(
            "attempt-went",
            &[
                r"{had}(?<g>(?:deployed|released|shipped|launched|rolled out|migrated|upgraded|installed|merged|refactored|rewrote|restarted|rebooted|reinstalled|switched to)\s+.+?)(?:,|;|\s+-|\s+and|\s+but)\s+(?:then\s+)?(?:it|that|this|everything)\s+(?:really\s+|actually\s+|finally\s+|just\s+|still\s+|immediately\s+)*(?<o>(?:works?|worked|helped|succeeded|fixed|solved|failed|broke|crashed|fell over|timed out|blew up|went (?:well|fine|smoothly|wrong|badly|down)|did(?:n't| not) (?:work|help|fix|solve)|was (?:a success|a failure|a disaster|useless))\b.*)",
            ],
        )
    },
    Rule {
        head: Head::Bare,
        who: Who::US,
        importance: 6,
        when: When::Since,
        ..Rule::event(
            "fix-went",
            &[
                r"(?:the|our|my|your|that|this)\s+(?<g>(?:[\p{L}-]+\s+){0,2}?(?:fix|hotfix|workaround|patch|rollback|deploy|deployment|migration|upgrade|release|rollout|restart|reinstall))\s+(?:has\s+|have\s+|really\s+|actually\s+|finally\s+|just\s+|still\s+|also\s+)*(?<o>(?:works?|worked|helped|succeeded|failed|crashed|timed out|went (?:well|fine|smoothly|wrong|badly)|did(?:n't| not) (?:work|help|fix|solve)|had no effect)\b.*)",
            ],
        )
    },
    Rule {
        importance: 8,
        who: Who::RELATIVE,
        when: When::Since,
        ..Rule::event("died", &[r"{had}(?:passed away|died)\b.*"])
    },
    Rule::event("happened", &[r"{_}(?:{past})\s+[\p{L}\d].+"]),
    Rule {
        when: When::Planned,
        who: Who::ALL,
        kind: Kind::Episodic,
        ..Rule::event(
            "planned",
            &[
                r"{be}(?:going|flying|travell?ing|visiting|starting|meeting|getting married|having|taking|running|leaving|attending|hosting|performing|competing|driving|heading|seeing|presenting|launching|opening|graduating|joining|returning|coming back|organi[sz]ing|throwing|giving|retiring|turning|doing|participating|celebrating)\b.+",
                r"{have}(?:got\s+)?(?:an?|another|our|my)\s+(?:[\p{L}'-]+\s+){0,3}?(?:concert|show|meeting|gig|game|match|race|party|trip|date|class|lesson|call|visit|session|reunion|event|festival|wedding|conference|workshop|retreat|tournament|competition|exhibition|recital|performance|audition|interview|exam|appointment|photoshoot|launch|fundraiser)\b.+",
            ],
        )
    },
];
