//! Sets and runs. Every sentence in here was made up for it.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::import::ImportError;

const LOCOMO: &str = r#"{"sample_id":"c1","conversation":{
    "session_1":[{"speaker":"Ida","dia_id":"D1:1","text":"I adopted a dog."},
                 {"speaker":"Omar","dia_id":"D1:2","text":"What is his name?"}],
    "session_1_date_time":"1:56 pm on 8 May, 2024",
    "session_2":[{"speaker":"Ida","dia_id":"D2:1","text":"Biscuit loves the lake."}],
    "session_2_date_time":"12:05 am on 3 June, 2024"},
    "qa":[{"question":"What is Ida's dog called?","answer":"Biscuit","evidence":["D1:1; D2:1"],"category":1},
          {"question":"When did Ida adopt?","answer":"May","evidence":["D:1:1","D7:7"],"category":2},
          {"question":"Would Ida like cats?","answer":"no","evidence":[],"category":3},
          {"question":"What is Omar's dog called?","adversarial_answer":"Biscuit","evidence":["D2:1"],"category":5}]}"#;

const LONGMEMEVAL: &str = r#"[
    {"question_id":"q1","question_type":"single-session-user","question":"Which tea?","question_date":"2024/03/02 (Sat) 10:00",
     "answer_session_ids":["s2","gone"],
     "haystack_session_ids":["s1","s2"],"haystack_dates":["2024/01/02 (Tue) 08:30","2024/02/03 (Sat) 21:15"],
     "haystack_sessions":[[{"role":"user","content":"Good morning"}],
                          [{"role":"assistant","content":"Tea?"},{"role":"user","content":"Only mint","has_answer":true}]]},
    {"question_id":"q2_abs","question_type":"multi-session","question":"Which coffee?",
     "answer_session_ids":["s1"],
     "haystack_session_ids":["s1"],"haystack_dates":["2024/01/05 (Fri) 08:30"],
     "haystack_sessions":[[{"role":"user","content":"Good morning"}]]}]"#;

const NORMALISED: &str = r#"{"set":"own","conv":"n1","lang":"zh-CN","docs":[
    {"id":"0","session":"","speaker":"user","ts":"2024年04月01日 周一 08:06","text":"我在奥斯陆。"},
    {"id":"1","session":"s","speaker":"assistant","ts":"March-15-2024","text":"好的。"},
    {"id":"2","session":"s","speaker":"Ida","ts":null,"text":"Hi","place":"x"},
    {"id":"3","session":"s","speaker":"Ida","ts":"","text":" "}],
    "questions":[{"id":"q","q":"在哪里?","cat":"place","evidence":["0","3"],"answer":"奥斯陆","abstain":false},
                 {"id":"a","q":"?","cat":"none","evidence":[],"abstain":true,"rubric":[]}]}"#;

/// Answers each question with the turns that are set for it, and with nothing otherwise.
struct Scripted(&'static [(&'static str, &'static [&'static str])]);

impl EvalSubject for Scripted {
    fn load(&mut self, _: &EvalConversation) -> Result<(), SubjectError> {
        Ok(())
    }

    fn recall(&mut self, question: &Question, depth: usize) -> Result<Vec<String>, SubjectError> {
        let answer = self.0.iter().find(|(id, _)| *id == question.id);
        let turns = answer.map_or(&[][..], |(_, turns)| turns);
        Ok(turns
            .iter()
            .take(depth)
            .map(|turn| (*turn).to_owned())
            .collect())
    }
}

fn read(suite: Suite, file: &str) -> Vec<EvalConversation> {
    open(suite, file.as_bytes())
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

fn run_scripted(suite: Suite, file: &str, mut subject: Scripted) -> Result<Report, EvalError> {
    run(
        suite,
        open(suite, file.as_bytes()).unwrap(),
        &mut subject,
        &mut |_| {},
    )
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn names_read_back() {
    for suite in Suite::ALL {
        assert_eq!(Suite::parse(suite.as_str()), Ok(*suite));
    }
    assert_eq!(
        Suite::parse("beam").unwrap_err().to_string(),
        "suite must be locomo, longmemeval or jsonl, got `beam`"
    );
}

#[test]
fn locomo_evidence_is_looked_up() {
    let conversation = &read(Suite::Locomo, LOCOMO)[0];
    assert_eq!(conversation.turns.len(), 3);
    assert_eq!(conversation.dropped_evidence, 1);
    let questions = &conversation.questions;
    assert_eq!(questions[0].id, "c1-0");
    assert_eq!(questions[0].evidence, set(&["D1:1", "D2:1"]));
    assert_eq!(
        questions[0].evidence_sessions,
        set(&["session_1", "session_2"])
    );
    assert_eq!(questions[1].evidence, set(&["D1:1"]));
    assert!(questions[2].evidence.is_empty());
    let abstain: Vec<bool> = questions.iter().map(|question| question.abstain).collect();
    assert_eq!(abstain, [false, false, false, true]);
}

#[test]
fn longmemeval_questions_bring_their_history() {
    let conversations = read(Suite::LongMemEval, LONGMEMEVAL);
    assert_eq!(conversations.len(), 2);
    let question = &conversations[0].questions[0];
    assert_eq!(question.evidence, set(&["s2_turn_001"]));
    assert_eq!(question.evidence_sessions, set(&["s2"]));
    assert_eq!(conversations[0].dropped_evidence, 1);
    assert_eq!(
        question.asked_at.unwrap().to_string(),
        "2024-03-02T10:00:00+00:00"
    );
    let question = &conversations[1].questions[0];
    assert!(question.abstain && question.evidence.is_empty());
    assert_eq!(question.evidence_sessions, set(&["s1"]));
}

#[test]
fn the_normalised_form_fills_its_gaps() {
    let conversation = &read(Suite::Jsonl, NORMALISED)[0];
    let turns: Vec<_> = conversation
        .turns
        .iter()
        .map(|turn| {
            (
                turn.session.as_str(),
                turn.message.speaker_or_role(),
                turn.message.at.to_string(),
            )
        })
        .collect();
    assert_eq!(
        turns,
        [
            ("n1", "user", "2024-04-01T08:06:00+00:00".to_owned()),
            ("s", "assistant", "2024-03-15T00:00:00+00:00".to_owned()),
            ("s", "Ida", "2024-03-15T00:00:00+00:00".to_owned()),
        ]
    );
    assert_eq!(conversation.lang.as_deref(), Some("zh-CN"));
    assert_eq!(
        (conversation.wordless_turns, conversation.dropped_evidence),
        (1, 1)
    );
    assert_eq!(conversation.questions[0].evidence_sessions, set(&["n1"]));
}

#[test]
fn mistakes_are_named_with_their_place() {
    let second_line = format!(
        "{}\n{}",
        NORMALISED.replace('\n', ""),
        r#"{"conv":"n2","docs":[{"speaker":"x"}]}"#
    );
    let errors: Vec<String> = open(Suite::Jsonl, second_line.as_bytes())
        .unwrap()
        .filter_map(Result::err)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, ["line 2, docs[0]: field `text` is missing"]);
    let mut nothing = open(Suite::Locomo, &b"[]"[..]).unwrap();
    assert!(matches!(nothing.next(), Some(Err(ImportError::Empty))));
    assert!(nothing.next().is_none());
}

#[test]
fn a_report_has_the_promised_shape() {
    let answers = Scripted(&[("c1-0", &["D1:2", "D2:1"]), ("c1-1", &["D1:1"])]);
    let report = run_scripted(Suite::Locomo, LOCOMO, answers).unwrap();
    let mut json = report.to_json();
    // 1/log2(3) over 1 + 1/log2(3), then the mean with the 1 of the second question
    let ndcg = f64::midpoint(0.630_929_753_571_457_4 / 1.630_929_753_571_457_4, 1.0);
    assert!((json["overall"]["ndcg@10"].as_f64().unwrap() - ndcg).abs() < 1e-12);
    assert!(json["recall_latency_ms"]["p50"].as_f64() <= json["recall_latency_ms"]["p99"].as_f64());
    json["overall"]["ndcg@10"].take();
    assert_eq!(
        json["overall"],
        serde_json::json!({
            "n": 2, "recall@5": 0.75, "recall@10": 0.75, "recall@20": 0.75, "recall_any@5": 1.0, "recall_any@10": 1.0,
            "recall_all@5": 0.5, "recall_all@10": 0.5, "ndcg@10": null,
        })
    );
    assert_eq!(json["by_category"]["3"]["n"], 0);
    assert_eq!(
        json["by_category"]["3"]["recall@5"],
        serde_json::Value::Null
    );
    assert_eq!(json["by_category"]["5"]["recall@5"], 0.0);
    assert_eq!(json["session"]["recall_all@5"], 1.0);
    assert_eq!(json["with_abstention"]["turn"]["n"], 3);
    assert_eq!(
        json["abstention"],
        serde_json::json!({ "n": 1, "refused": 1.0 })
    );
    assert_eq!(
        (&json["questions"], &json["without_evidence"]),
        (&4.into(), &1.into())
    );
    assert_eq!(
        (&json["suite"], &json["unit"]),
        (&"locomo".into(), &"turn".into())
    );
}

#[test]
fn rows_line_up_with_the_columns() {
    let answers = Scripted(&[("q1", &["s1_turn_000", "s2_turn_001"])]);
    let report = run_scripted(Suite::LongMemEval, LONGMEMEVAL, answers).unwrap();
    let rows = report.rows();
    let labels: Vec<&str> = rows.iter().map(|row| row.label.as_str()).collect();
    assert_eq!(
        labels,
        [
            "turns",
            "  multi-session",
            "  single-session-user",
            "sessions",
            "turns, with abstention",
            "sessions, with abstention"
        ]
    );
    assert!(
        rows.iter()
            .all(|row| row.figures.len() == Report::columns().count())
    );
    let counts: Vec<usize> = rows.iter().map(|row| row.n).collect();
    assert_eq!(counts, [1, 0, 1, 1, 1, 2]);
    assert_eq!(report.overall().figure("recall@5"), Some(1.0));
    assert_eq!(report.overall().figure("recall@7"), None);
}

#[test]
fn progress_is_told_after_each_step() {
    let mut seen = Vec::new();
    let dataset = open(Suite::LongMemEval, LONGMEMEVAL.as_bytes()).unwrap();
    run(
        Suite::LongMemEval,
        dataset,
        &mut Scripted(&[]),
        &mut |progress| {
            seen.push((
                progress.conversation.to_owned(),
                progress.conversations,
                progress.questions,
            ));
        },
    )
    .unwrap();
    let seen: Vec<_> = seen
        .iter()
        .map(|(id, loaded, asked)| (id.as_str(), *loaded, *asked))
        .collect();
    assert_eq!(
        seen,
        [
            ("q1", 1, 0),
            ("q1", 1, 1),
            ("q2_abs", 2, 1),
            ("q2_abs", 2, 2)
        ]
    );
}

#[test]
fn a_turn_from_nowhere_ends_the_run() {
    let error = run_scripted(Suite::Locomo, LOCOMO, Scripted(&[("c1-0", &["D9:9"])])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "recall for question c1-0 returned turn D9:9, which is not in the conversation"
    );
}

proptest! {
    #[test]
    fn good_sets_gone_bad_are_read_or_named(
        seed in prop::sample::select(&[LOCOMO, LONGMEMEVAL, NORMALISED][..]),
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        end in any::<prop::sample::Index>(),
    ) {
        let mut bytes = seed.as_bytes().to_vec();
        for (place, byte) in places {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let cut = &bytes[..=end.index(bytes.len())];
        for (suite, file) in Suite::ALL.iter().flat_map(|suite| [(*suite, &bytes[..]), (*suite, cut)]) {
            let error = open(suite, file).map_or_else(Some, |mut read| read.find_map(Result::err));
            if let Some(error) = error.map(|error| error.to_string()) {
                prop_assert!(error.starts_with("line "), "{error}");
            }
        }
    }
}
