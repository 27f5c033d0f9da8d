//! The forms by which sentences are sorted, in English.

use super::span::ItemKind;
use crate::extract::rules::Form;

/// What may stand before an order: "And please, from now on, never ...".
const BEFORE_ORDER: &str = r"(?:(?:please|pls|also|and|but|so|ok(?:ay)?|remember(?: that)?|note(?: that)?|from now on|important|one (?:more )?thing|by the way|btw|again|just|in (?:general|any case))[\s,:!–—-]+)*";
/// What has to be.
const MUST: &str = r"(?:must(?:n['’]t| not| never| always| only)?|ha(?:s|ve) to|needs? to|may not|(?:is|are)(?: not|n['’]t) allowed|shall(?: not)?|should (?:never|always|not)|cannot|can['’]?t)";
/// A quantity.
const AMOUNT: &str = r"(?:[$€£¥]\s*)?(?:\d|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|a (?:dozen|hundred|thousand|million)\b)";
const DAY: &str = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon|midnight|end of|next|this|the|january|february|march|april|may|june|july|august|september|october|november|december|\d)";
/// Verbs that follow "never" and "always" in an order. A list, for "never thought" and "always great" are none.
const ORDERED: &str = r"(?:accept|add|address|answer|ask|assume|attach|book|buy|call|change|charge|check|choose|commit|confirm|contact|copy|create|delete|deploy|disclose|discuss|do|edit|email|end|expose|give|include|install|invite|keep|leave|let|link|list|log|make|mention|merge|message|modify|move|open|order|overwrite|pay|publish|push|put|quote|recommend|refer|release|remove|reply|respond|retry|return|reveal|round|run|save|schedule|sell|send|serve|set|share|ship|show|sign|speak|spend|start|store|suggest|talk|tell|test|touch|translate|trust|try|turn|upload|use|verify|wait|write)";

/// The forms of one kind of item.
pub(super) struct Cue {
    pub(super) kind: ItemKind,
    form: Form,
    /// What such a sentence is not.
    except: Form,
}

impl Cue {
    fn new(kind: ItemKind, forms: &[String], except: &str) -> Self {
        let forms = forms.join("|");
        Self {
            kind,
            form: Form::new(&format!("(?i)(?:{forms})")),
            except: Form::new(&format!("(?i)(?:{except})")),
        }
    }

    pub(super) fn fits(&self, sentence: &str) -> bool {
        self.form.is_match(sentence) && !self.except.is_match(sentence)
    }
}

/// The cues in the order in which they are tried: of a sentence that fits two, the first decides.
pub(super) fn cues() -> [Cue; 4] {
    [question(), constraint(), decision(), outcome()]
}

/// What is open, said in so many words.
fn question() -> Cue {
    let forms = [
        r"\b(?:open|unresolved|outstanding|unanswered) (?:question|issue|point|item)s?\b",
        r"\b(?:(?:still|yet) (?:have|has|need|needs) to|still (?:must|should)|need to) (?:decide|figure out|find out|settle|clarify|agree on|work out|choose|pick|confirm|hear back)\b",
        r"\b(?:remains?|is|are|still|left) (?:undecided|unclear|to be (?:decided|confirmed|clarified|settled|seen)|open)\b",
        r"\b(?:have|has|had)(?:n['’]t| not)(?: yet)? (?:decided|settled|agreed|figured out|chosen|heard back)\b",
        r"\b(?:tbd|tbc)\b",
        r"\blet['’]?s (?:park|postpone|leave) (?:the (?:question|decision|choice)|that|this) ",
        r"\bremind me to (?:decide|ask|check|choose|find out)\b",
        r"\b(?:we|i) still (?:don['’]t|do not) know\b",
        r"\bto be (?:decided|confirmed|determined)\b",
    ];
    Cue::new(
        ItemKind::Question,
        &forms.map(str::to_owned),
        r"\bopen(?:s|ed)? (?:to|from|for|until|till|on|at|daily|the|a|it)\b|\bopen[- ](?:source|ended|air)\b",
    )
}

/// What must or must not be.
fn constraint() -> Cue {
    let forms = [
        format!(r"^\W*{BEFORE_ORDER}(?:never|always)(?: ever)? (?:again )?{ORDERED}\b"),
        format!(r"^\W*{BEFORE_ORDER}(?:do not|don['’]t)(?: ever)? {ORDERED}\b"),
        format!(
            r"^\W*{BEFORE_ORDER}(?:make sure|avoid|use only|only (?:use|write|buy|book|show|send|call|answer|take|reply|respond|suggest|recommend|run)|under no circumstances|at no time|stick to|refrain from)\b"
        ),
        format!(
            r"\b(?:the|our|all|every|each|any|no|nobody|nothing|everything|everyone)\b[^.?!;]{{0,60}}?\b{MUST} (?:be|not|stay|fit|cost|use|have|include|contain|support|end|start|finish|run|work|exceed|leave|happen|keep|arrive|change|pass|match|remain|follow|return|touch|fly|meet)\b"
        ),
        r"\b(?:it|this|that|we|you)\s+(?:must(?: not|n['’]t| never| always| only)|must (?:stay|use|keep|fit|work|end|finish|run|support|cost|include|contain|be (?:under|below|above|over|at|less|more|no|in|on|before|by|within|ready|done|finished|able))|(?:has|have|needs?|need) to (?:be (?:under|below|above|over|at (?:least|most)|less|more than|no more|in|before|by|within|ready by|done by|finished by)|stay|fit|cost|support)|can['’]?t (?:exceed|spend more|go over|cost more|be (?:more|later|longer|over|after))|cannot (?:exceed|spend|go over|cost|be (?:more|later|longer|over|after)))\b".to_owned(),
        format!(
            r"\b(?:budget|limit|deadline|cap|ceiling|maximum|minimum|allowance)\b[^.?!;]{{0,40}}?(?:\b(?:is|of|are|at|was set to|stays)\b|:|=)[^.?!;]{{0,20}}?(?:{AMOUNT}|\b{DAY})"
        ),
        format!(
            r"\b(?:at most|at least|no more than|no less than|no later than|not more than|a maximum of|a minimum of|up to|not exceed(?:ing)?|under|below|within|less than|fewer than) {AMOUNT}[^.?!;]{{0,40}}\b(?:budget|in total|per (?:day|person|month|week|night|year)|at the (?:most|latest)|max(?:imum)?|please)\b"
        ),
        format!(
            r"\b(?:due|has to be (?:done|ready|in)|must be (?:done|ready|in|finished|submitted)|needs to be (?:done|ready|in|finished|submitted)) (?:on|by|before|no later than|at) {DAY}"
        ),
        r"\b(?:i['’]?m|i am|we['’]?re|we are|(?:he|she|wife|husband|son|daughter|partner|kid|child)(?:['’]s| is)|he['’]s|she['’]s) (?:\w+ )?(?:allergic to|intolerant|vegan|vegetarian|celiac|coeliac|diabetic)\b".to_owned(),
        format!(r"\bkeep (?:it|the|everything|all)\b[^.?!;]{{0,40}}\b(?:under|below|within|to at most) {AMOUNT}"),
        format!(r"\b(?:we|i) (?:have|need) to be (?:back|there|home|done|gone|out)\b[^.?!;]{{0,40}}\b(?:by|before) {DAY}"),
        r"^\W*no [\w -]{2,60},? (?:please|pls)\b".to_owned(),
        r"\b(?:i|we) (?:can['’]?t|cannot) (?:do|make|have) (?:mornings|evenings|afternoons|weekends|nights|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b".to_owned(),
        r"\byou (?:may|can) only\b|\b(?:i|we)(?:['’]d| would) rather not\b|\bplease keep\b".to_owned(),
        r"\b(?:requirement|constraint|hard rule|ground rule|non-negotiable|precondition|restriction)s?\b\s*(?:is|are|:|#)".to_owned(),
    ];
    Cue::new(
        ItemKind::Constraint,
        &forms,
        r"\b(?:must|has to|have to|need to) be (?:so|such|very|really|quite|nice|great|hard|tough|proud|exciting|amazing|fun|tired|a joke|kidding|wonderful|lovely|difficult)\b|\bdo(?:n['’]t| not) (?:worry|you|tell me|let (?:it|that|this|anything|anyone|the)|give up|make me|do anything i|try too hard|forget (?:to|about)? ?(?:have fun|enjoy|smile))\b|\byou['’]?ll have to\b|\bnever (?:tell me|let me down|give up|say never)\b|\bmake sure you (?:don['’]t quit|have fun|enjoy|rest|take care)\b|\b(?:that|it|this) must(?: have|['’]ve)\b",
    )
}

/// What was settled.
fn decision() -> Cue {
    let forms = [
        r"\blet['’]?s (?:go with|use|take|pick|choose|make it|keep|stick with|book|do (?:it|that|this)|go for|settle on|start with|meet)\b",
        r"\b(?:we|i)(?:['’]ve| have)?(?: just| finally| now)? (?:decided|agreed|settled on|chosen|chose|picked|opted)\b",
        r"\b(?:we|i)(?:['’]ll| will| are going to| am going to|['’]m going to) (?:go with|use|take|choose|stick with|go for)\b",
        r"\b(?:decision|decided|agreed|settled)\s*:",
        r"\b(?:going with|go ahead with|signed off on|green light|(?:is|are|was) (?:approved|confirmed|final|decided|settled|agreed))\b",
        r"\b(?:my|our|the) (?:final )?(?:choice|decision) (?:is|was)\b",
    ];
    Cue::new(
        ItemKind::Decision,
        &forms.map(str::to_owned),
        r"\b(?:if|should|could|maybe|perhaps|whether)\b",
    )
}

/// What was tried, and how it went.
fn outcome() -> Cue {
    let forms = [
        r"\b(?:it|that|this|which) (?:worked|works now|failed|broke|crashed|paid off|succeeded|did(?:n['’]t| not) (?:work|help))\b",
        r"\b(?:tests?|builds?|deploy(?:ment)?|migration|run|job|check|upload|import|export|backup|payment|order|booking|request|query|script|experiment) (?:has |have |is |are |was |were )?(?:passed|passes|pass|failed|fails|fail|succeeded|succeeds|broke|crashed|timed out|completed|finished|done|green|red|went through|confirmed|rejected|declined|cancel(?:l)?ed)\b",
        r"\b(?:fixed|solved|resolved|repaired|completed|finished|shipped|deployed|merged|submitted|delivered) (?:it|the|that|this|my|our|by)\b",
        r"\bturned out (?:to be|that|well|fine|badly)\b",
        r"\b(?:i|we) (?:got (?:the|an?) (?:job|offer|refund|visa|reply|approval)|passed (?:the|my|our)|failed (?:the|my|our)|won|lost (?:the|my|our)|managed to|succeeded in|gave up on)\b",
    ];
    Cue::new(
        ItemKind::Outcome,
        &forms.map(str::to_owned),
        r"\b(?:if|would|might|hope|until|when it)\b",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, expected: Option<ItemKind>) {
        let kind = cues()
            .into_iter()
            .find(|cue| cue.fits(sentence))
            .map(|cue| cue.kind);
        assert_eq!(kind, expected, "{sentence}");
    }

    #[test]
    fn constraints_are_told_from_talk() {
        for sentence in [
            "Never book flights before 9 in the morning.",
            "Please don't share my address with anybody.",
            "The budget is 2,000 euros in total.",
            "The report must be written in German.",
            "It has to be under 20 minutes.",
            "And from now on, always answer in French.",
            "Make sure nobody outside the team sees this.",
            "We can't exceed 500 dollars.",
            "The deadline is Friday.",
            "I'm allergic to peanuts.",
            "All dates must be in ISO format.",
            "You must not touch the production database.",
            "Requirement: runs offline.",
            "At most 50 euros per night, please.",
            "Whatever you do, keep the total under 900 euros.",
            "We have to be back home by Sunday evening.",
            "No seafood for the kids, please.",
            "You may only use the company card for trains.",
            "I'd rather not fly.",
            "The paper is due on 3 May.",
        ] {
            check(sentence, Some(ItemKind::Constraint));
        }
        for sentence in [
            "You must be so proud!",
            "I never thought I'd say that.",
            "Always great to hear from you!",
            "Don't worry about it.",
            "I have to go now.",
            "That must have been hard.",
            "Never mind.",
            "We have to catch up soon!",
            "The food was under the table.",
            "I always use the bus.",
        ] {
            check(sentence, None);
        }
    }

    #[test]
    fn decisions_outcomes_and_what_is_open_are_known() {
        check("Let's go with the blue one.", Some(ItemKind::Decision));
        check(
            "We decided to postpone the launch.",
            Some(ItemKind::Decision),
        );
        check("Decision: PostgreSQL.", Some(ItemKind::Decision));
        check("Maybe we decided too early.", None);
        check(
            "The migration failed with error 7.",
            Some(ItemKind::Outcome),
        );
        check("I passed my driving test!", Some(ItemKind::Outcome));
        check("If it worked we would know.", None);
        check("Open question: who signs?", Some(ItemKind::Question));
        check(
            "We still need to decide on a venue.",
            Some(ItemKind::Question),
        );
        check("The date is TBD.", Some(ItemKind::Question));
        check(
            "Let's park the question of the venue for now.",
            Some(ItemKind::Question),
        );
        check("We still don't know who drives.", Some(ItemKind::Question));
        check("The shop is open until six.", None);
        check("We love open source.", None);
    }
}
