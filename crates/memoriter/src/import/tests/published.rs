use memoriter_core::turn::Role;

use super::*;

pub(super) const LOCOMO: &str = r#"[{"sample_id":"c1","qa":[],"conversation":{
    "speaker_a":"Ida","speaker_b":"Omar",
    "session_10":[{"speaker":"Omar","dia_id":"D10:1","text":"Back from the lake."}],
    "session_10_date_time":"12:05 am on 3 June, 2024",
    "session_2":[{"speaker":"Ida","dia_id":"D2:1","text":"Look at him!","blip_caption":"a wet dog","img_url":["x"]},
                 {"speaker":"Omar","dia_id":"D2:2","text":"","blip_caption":"a boat"},
                 {"speaker":"Omar","dia_id":"D2:3","text":" "}],
    "session_2_date_time":"1:56 pm on 8 May, 2024",
    "session_11_date_time":"9:00 am on 9 July, 2024"}}]"#;

pub(super) const LONGMEMEVAL: &str = r#"[
    {"question_id":"q1","question_type":"single-session-user","question":"Which tea?","question_date":"2024/03/02 (Sat) 10:00",
     "answer":"mint","answer_session_ids":["s2"],
     "haystack_session_ids":["s1","s2"],"haystack_dates":["2024/01/02 (Tue) 08:30","2024/02/03 (Sat) 21:15"],
     "haystack_sessions":[[{"role":"user","content":"Good morning"},{"role":"assistant","content":"  "}],
                          [{"role":"user","content":"I only drink mint tea","has_answer":true}]]},
    {"question_id":"q2_abs","question_type":"multi-session","question":"Which coffee?","question_date":"2024/03/02 (Sat) 10:00",
     "answer":"none","answer_session_ids":[],
     "haystack_session_ids":["s1","s1"],"haystack_dates":["2024/01/05 (Fri) 08:30","2024/01/06 (Sat) 08:30"],
     "haystack_sessions":[[{"role":"user","content":"Good morning"}],[{"role":"user","content":"Hello again"}]]}]"#;

#[test]
fn locomo_sessions_come_by_number_with_their_date() {
    check_turns(
        Format::Locomo,
        LOCOMO,
        &[
            "c1/session_2 D2:1 Ida: Look at him! [shares photo: a wet dog]",
            "c1/session_2 D2:2 Omar: [shares photo: a boat]",
            "c1/session_10 D10:1 Omar: Back from the lake.",
        ],
    );
    let (turns, _, left_out) = read_all(Format::Locomo, LOCOMO);
    assert_eq!(left_out.wordless_messages, 1);
    assert!(
        turns
            .iter()
            .all(|turn| turn.draft.message.role == Role::User)
    );
    assert_eq!(
        turns[2].draft.message.at.to_string(),
        "2024-06-03T00:05:00+00:00"
    );
}

#[test]
fn one_locomo_sample_may_stand_alone() {
    let sample = LOCOMO.trim_start_matches('[').trim_end_matches(']');
    assert_eq!(
        read_good(Format::Locomo, sample),
        read_good(Format::Locomo, &LOCOMO[1..LOCOMO.len() - 1])
    );
    assert_eq!(read_good(Format::Auto, sample).len(), 3);
}

#[test]
fn longmemeval_histories_keep_apart() {
    check_turns(
        Format::LongMemEval,
        LONGMEMEVAL,
        &[
            "q1/s1 s1_turn_000 user: Good morning",
            "q1/s2 s2_turn_000 user: I only drink mint tea",
            "q2_abs/s1 s1_turn_000 user: Good morning",
            "q2_abs/s1#2 s1#2_turn_000 user: Hello again",
        ],
    );
    let (turns, _, left_out) = read_all(Format::LongMemEval, LONGMEMEVAL);
    assert_eq!(left_out.wordless_messages, 1);
    assert_eq!(
        turns[1].draft.message.at.to_string(),
        "2024-02-03T21:15:00+00:00"
    );
}

#[test]
fn mistakes_are_named_with_their_place() {
    check_error(
        Format::Locomo,
        LOCOMO.replace("1:56 pm on 8 May, 2024", "some day in May"),
        "line 1, [0].conversation.session_2_date_time: expected a time such as 2026-03-01T09:00:00+01:00, 1:56 pm on \
         8 May, 2023, 2023/05/20 (Sat) 02:21, March-15-2024 or 2024年04月01日 周一 08:06, got `some day in May`",
    );
    check_error(
        Format::Locomo,
        LOCOMO.replace("session_10_date_time", "session_12_date_time"),
        "line 1, [0].conversation: field `session_10_date_time` is missing",
    );
    check_error(
        Format::Locomo,
        LOCOMO.replace(r#""dia_id":"D2:1","#, ""),
        "line 1, [0].conversation.session_2[0]: field `dia_id` is missing",
    );
    check_error(
        Format::LongMemEval,
        LONGMEMEVAL.replace(r#"["s1","s1"]"#, r#"["s1"]"#),
        "line 7, [1].haystack_session_ids: expected an array of 2, as many as there are sessions, got an array",
    );
}
