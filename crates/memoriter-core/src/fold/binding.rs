//! The forms of what binds: orders, limits, and what must or must not be, in English.

use super::cues::Cue;
use super::span::ItemKind;

/// What may stand before an order: "And please, from now on, never ...", "By the way, for the trip never ...".
const BEFORE_ORDER: &str = r"(?:(?:(?:please|pls|also|and|but|so|ok(?:ay)?|remember(?: that)?|note(?: that)?|from (?:now|here) on|important|one (?:more )?thing|by the way|btw|again|just|as a rule|whatever (?:happens|you do)|no matter what(?: happens)?|in (?:general|any case)|at all costs|come what may)[\s,:!–—-]+)|(?:for|in|on|during|with) (?:the|this|that|these|my|our|your|all|any|every|each|legal|safety|tax) [\w'’-]+(?: [\w'’-]+){0,2}?,?\s+|when(?:ever)? (?:you|we|i) [^,.;:!?]{1,50},\s+)*";
/// What has to be.
const MUST: &str = r"(?:must(?:n['’]t| not| never| always| only)?|ha(?:s|ve) to|needs? to|may not|(?:is|are)(?: not|n['’]t) allowed|shall(?: not)?|should (?:never|always|not)|cannot|can['’]?t)";
/// A quantity.
const AMOUNT: &str = r"(?:[$€£¥]\s*)?(?:\d|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|eleven\b|twelve\b|fifteen\b|twenty\b|thirty\b|forty\b|fifty\b|sixty\b|eighty\b|ninety\b|a (?:dozen|hundred|thousand|million)\b)";
const DAY: &str = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon|midnight|end of|next|this|the|january|february|march|april|may|june|july|august|september|october|november|december|\d)";
/// Verbs that follow "never" and "always" in an order. A list, for "never thought" and "always great" are none.
const ORDERED: &str = r"(?:accept|add|address|answer|ask|assume|attach|book|buy|call|change|charge|check|choose|commit|confirm|contact|copy|create|delete|deploy|disclose|discuss|do|edit|email|end|expose|give|include|install|invite|keep|leave|let|link|list|log|make|mention|merge|message|modify|move|open|order|overwrite|pay|publish|push|put|quote|recommend|refer|release|remove|reply|respond|retry|return|reveal|round|run|save|schedule|sell|send|serve|set|share|ship|show|sign|speak|spend|start|store|suggest|talk|tell|test|touch|translate|trust|try|turn|upload|use|verify|wait|write)";

/// From when on an order holds: always.
const FROM_NOW_ON: &str = r"(?:from (?:here|now|this point) on|going forward|in (?:all )?future|henceforth|until further notice)";
/// What a thing that somebody orders or writes has to do.
const TO_DO: &str = r"(?:be|not|stay|fit|cost|use|have|include|contain|support|end|start|finish|run|work|exceed|leave|happen|keep|arrive|change|pass|match|remain|follow|return|touch|fly|meet|allow|permit|accept|offer|seat|hold|serve|cover|show|list|mention|cite|connect|last|weigh|reach|answer|load|respond|print)";

/// What such a sentence is not.
const EXCEPT: &str = r"\b(?:must|has to|have to|need to) be (?:so|such|very|really|quite|nice|great|hard|tough|proud|exciting|amazing|fun|tired|a joke|kidding|wonderful|lovely|difficult)\b|\bdo(?:n['’]t| not) (?:worry|you|tell me|let (?:it|that|this|anything|anyone|the)|give up|make me|do anything i|try too hard|forget (?:to|about)? ?(?:have fun|enjoy|smile))\b|\byou['’]?ll have to\b|\bnever (?:tell me|let me down|give up|say never)\b|\bmake sure you (?:don['’]t quit|have fun|enjoy|rest|take care)\b|\b(?:that|it|this) must(?: have|['’]ve)\b|\b(?:i|we|they|he|she|you|it|people|kids) (?:almost |just |really |have |had )?(?:never|always) |\bmust(?: not|n['’]?t)? (?:have|be) (?:\w+ed|been|seen|known|heard|found|gone|done|had|slept|got|felt|thought|made|taken|come|so|easy|very|nice|fun|good|unreal|incredible|inspiring)\b|\bkeep (?:smiling|going|up|fighting|trying|believing|on|calm|moving|shining|doing|in touch|pushing|at it|me posted|your (?:head|chin|spirits))\b|^\W*no (?:worries|problem|luck|idea|way|wonder|doubt|need|thanks|rush|pressure|rest|plans|news|shame|biggie|regrets|excuses|hope|time|fun|big deal)\b|^\W*(?:if|not|one and|members|read|invite|this once|for once|just|it was|staff|women|men|adults) only\b|\bwant any(?:more)? (?:more|of (?:that|this|it)|trouble|problems|regrets|drama|fuss|part|pressure|hard feelings|harm)\b";

/// What must or must not be.
pub(super) fn constraint() -> Cue {
    let forms = [needs(), wishes(), orders()].concat();
    Cue::new(ItemKind::Constraint, &forms, EXCEPT)
}

/// What has to be, and by how much at most.
fn needs() -> Vec<String> {
    vec![
        format!(r"^\W*{BEFORE_ORDER}(?:never|always)(?: ever)? (?:again )?{ORDERED}\b"),
        format!(r"^\W*{BEFORE_ORDER}(?:do not|don['’]t)(?: ever)? {ORDERED}\b"),
        format!(
            r"^\W*{BEFORE_ORDER}(?:make sure|avoid|use only|only (?:use|write|buy|book|show|send|call|answer|take|reply|respond|suggest|recommend|run)|under no circumstances|at no time|stick to|refrain from)\b"
        ),
        format!(
            r"\b(?:the|our|all|every|each|any|no|nobody|nothing|everything|everyone)\b[^.?!;]{{0,60}}?\b{MUST} {TO_DO}\b"
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
    ]
}

/// What somebody wants, calls important or wants to be asked about.
fn wishes() -> Vec<String> {
    vec![
        // Who must be asked before.
        r"\byou (?:must|have to|need to|should|are to)\s+(?:always\s+|first\s+)?(?:ask|consult|inform|notify|warn|check with|confirm with|get (?:my|our))\b[^.?!;]{0,40}\b(?:before|first|each|every|any|approval|permission)\b".to_owned(),
        format!(r"^\W*{BEFORE_ORDER}(?:always )?(?:ask|check with|consult|tell) (?:me|us) (?:first\b|before (?:you|each|every|any|\w+ing)\b)"),
        // What is important or wanted, as far as it says how.
        format!(
            r"\bit(?:['’]s| is) (?:very |really |absolutely |also )*(?:important|essential|crucial|vital|critical|imperative|mandatory)(?: to me| for (?:me|us))? that (?:(?:no|nobody|nothing|none|everything|all|each|every)\b|(?:the|our|it|this)\b[^.?!;]{{0,40}}?\b(?:stays?|remains?|fits?|is|are) (?:under|below|above|within|at (?:most|least)|not|no more|before|by|less|{AMOUNT}))"
        ),
        r"\b(?:i|we) (?:do not|don['’]?t) want (?:any|a single|anybody|anyone|more than)\b[^.?!;]*?\b(?:before|after|on|at|in|above|over|under|between|during|about|with|without|from|near|than|to (?:know|see|hear|find out|call|touch|read))\b".to_owned(),
        format!(
            r"\b(?:i|we)(?:['’]d like| (?:need|want|would like)) (?:the|our|my|all|every|each|this|it|everything)\b[^.?!;,]{{0,40}}? to (?:stay|be|remain|fit|cost|end|start|finish|arrive) (?:under|below|within|above|over|before|after|by|at (?:most|least)|no (?:more|later|less)|less than|without|in (?:english|german|french|spanish|euros|dollars)|{AMOUNT})"
        ),
        format!(r"\b(?:must not|mustn['’]?t)\s+(?:{TO_DO}|find|know|hear|learn|see|read|take|get|go|come)\b"),
        r"\b(?:nobody|no one|none of (?:them|you))\b[^.?!;]{0,40}?\bmay (?:know|see|hear|read|learn|find|touch|open|enter|use|change|leave)\b".to_owned(),
        r"^\W*no [\w -]{2,60}? for (?:me|us|him|her|my \w+|our \w+|the (?:kids|children|baby|guests|team|dog))\b".to_owned(),
    ]
}

/// What is ordered for all that follows, and quantities that a sentence begins with.
fn orders() -> Vec<String> {
    vec![
        // Quantities that a sentence begins with.
        format!(
            r"^\W*{BEFORE_ORDER}(?:at most|no more than|not more than|max(?:imum|\.)?|a maximum of|no less than|no later than|no earlier than|not before|not after) {AMOUNT}"
        ),
        format!(r"^\W*{BEFORE_ORDER}(?:{ORDERED}|speak|do)\b[^.?!;]*\b{FROM_NOW_ON}"),
        format!(r"^\W*(?:please\s+)?{FROM_NOW_ON}[,:]?\s+(?:please\s+)?(?:only\s+)?(?:{ORDERED}|i (?:want|need)|all|every|no)\b"),
        format!(
            r"^\W*(?:(?:and|but|so|please)[\s,]+)*(?:whatever (?:happens|you do)|no matter what(?: happens)?|at all costs|come what may)[,:]?\s+(?:please\s+)?{ORDERED}\b"
        ),
        // "With Swiss only", "only trains, please".
        r"\b(?:i|we)(?:['’]d like| (?:want|need|would like)) (?:to )?[^.?!;]{1,50}? only\W*$|^\W*only [\w -]{2,40},? (?:please|pls)\W*$|^\W*[\p{L}'’-]{4,20}(?: [\p{L}'’-]{2,20}){0,2} only,?(?: please| pls)?[.!]*$|\b(?:i|we) only (?:fly|eat|drink|travel|buy|accept|book) (?:\w+ ){0,3}?[\w-]+\W*$".to_owned(),
        format!(r"\b(?:we|i) must be (?:back|there|home|done|gone|out)\b[^.?!;]{{0,40}}\b(?:by|before) (?:{DAY}|{AMOUNT})"),
    ]
}
