//! A model behind a service, against an endpoint that fails in every way there is.

use std::time::Duration;

use memoriter_core::port::language_model::{
    AnswerForm, LanguageModel, ModelAnswer, ModelError, ModelMessage, ModelRequest, ModelRole,
};
use memoriter_provider::llm::{ApiKey, ModelSettings};
use memoriter_testkit::endpoint::{Endpoint, Reply};
use std::sync::Arc;

fn says(text: &str) -> Reply {
    Reply::Says(text.to_owned())
}

fn settings(name: &str, url: &str) -> ModelSettings {
    ModelSettings {
        url: Some(url.to_owned()),
        key: Some(ApiKey::new("sk-test-key")),
        timeout: Duration::from_secs(5),
        ..ModelSettings::new(name.parse().unwrap())
    }
}

fn ask(model: &dyn LanguageModel) -> Result<ModelAnswer, ModelError> {
    let form = AnswerForm {
        name: "facts",
        schema: serde_json::json!({
            "type": "object", "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
            "required": ["facts"], "additionalProperties": false,
        }),
    };
    let message = |from, text: &str| ModelMessage {
        from,
        text: text.to_owned(),
    };
    model.answer(&ModelRequest {
        purpose: "test",
        system: "Answer in JSON.",
        messages: &[
            message(ModelRole::Application, "first"),
            message(ModelRole::Model, "answer"),
            message(ModelRole::Application, "again"),
        ],
        form: &form,
        output_tokens_max: 77,
    })
}

/// What comes of one reply.
fn answer_to(reply: Reply) -> Result<ModelAnswer, ModelError> {
    let endpoint = Endpoint::start([reply]);
    let model = settings("openai:scripted", &endpoint.url())
        .build()
        .unwrap();
    ask(model.as_ref())
}

#[track_caller]
fn check_unavailable(reply: Reply, words: &str) {
    match answer_to(reply) {
        Err(ModelError::Unavailable { why }) => assert!(why.contains(words), "{why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_answer_comes_back_as_it_was_said_with_its_tokens() {
    let endpoint = Endpoint::start([says("{\"facts\": []}")]);
    let model = settings("openai:scripted", &endpoint.url())
        .build()
        .unwrap();
    let answer = ask(model.as_ref()).unwrap();
    assert_eq!(answer.text, "{\"facts\": []}");
    assert_eq!((answer.input_tokens, answer.output_tokens), (100, 10));
    assert_eq!(model.name(), "openai:scripted");

    let request = &endpoint.requests()[0];
    assert_eq!(request.path, "/v1/chat/completions");
    let has = |header: &str| {
        request
            .headers
            .iter()
            .any(|line| line.eq_ignore_ascii_case(header))
    };
    assert!(
        has("authorization: Bearer sk-test-key"),
        "{:?}",
        request.headers
    );
    assert_eq!(request.body["model"], "scripted");
    assert_eq!(request.body["temperature"], 0.0);
    let roles: Vec<_> = request.body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| &m["role"])
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert_eq!(request.body["response_format"]["type"], "json_schema");
    let schema = &request.body["response_format"]["json_schema"]["schema"];
    assert_eq!(schema["required"][0], "facts");
}

#[test]
fn anthropic_is_asked_in_its_own_words() {
    let endpoint = Endpoint::start([says("{\"facts\": []}")]);
    let model = settings("anthropic:scripted", &endpoint.url())
        .build()
        .unwrap();
    let answer = ask(model.as_ref()).unwrap();
    assert_eq!(answer.text, "{\"facts\": []}");
    assert_eq!((answer.input_tokens, answer.output_tokens), (100, 10));
    let request = &endpoint.requests()[0];
    assert_eq!(request.path, "/v1/messages");
    let has = |header: &str| {
        request
            .headers
            .iter()
            .any(|line| line.eq_ignore_ascii_case(header))
    };
    assert!(has("x-api-key: sk-test-key"), "{:?}", request.headers);
    assert_eq!(request.body["max_tokens"], 77);
}

#[test]
fn ollama_needs_no_key_and_gets_the_schema() {
    let endpoint = Endpoint::start([says("{}")]);
    let keyless = ModelSettings {
        key: None,
        ..settings("ollama:qwen2.5:7b", &endpoint.url())
    };
    ask(keyless.build().unwrap().as_ref()).unwrap();
    let request = &endpoint.requests()[0];
    assert_eq!(request.body["model"], "qwen2.5:7b");
    assert_eq!(request.body["response_format"]["type"], "json_schema");
}

#[test]
fn a_model_that_takes_no_temperature_gets_none() {
    let endpoint = Endpoint::start([says("{}")]);
    let bare = ModelSettings {
        temperature: None,
        ..settings("openai:scripted", &endpoint.url())
    };
    ask(bare.build().unwrap().as_ref()).unwrap();
    assert!(endpoint.requests()[0].body.get("temperature").is_none());
}

#[test]
fn what_may_pass_is_unavailable() {
    check_unavailable(
        Reply::Status(429, r#"{"error":"slow down"}"#.to_owned()),
        "slow down",
    );
    check_unavailable(Reply::Status(500, "broken".to_owned()), "broken");
    check_unavailable(Reply::Status(503, String::new()), "503");
    check_unavailable(Reply::Breaks, "");
}

#[test]
fn what_will_not_pass_is_refused() {
    for status in [400, 401, 403, 404] {
        let answered = answer_to(Reply::Status(status, r#"{"error":"no"}"#.to_owned()));
        let Err(ModelError::Refused { why }) = answered else {
            panic!("{answered:?}");
        };
        assert!(
            why.contains(&status.to_string()) && why.contains("no"),
            "{why}"
        );
    }
}

#[test]
fn nobody_there_is_unavailable() {
    let model = settings("openai:scripted", "http://127.0.0.1:9/v1")
        .build()
        .unwrap();
    let error = ask(model.as_ref()).unwrap_err();
    assert!(matches!(error, ModelError::Unavailable { .. }), "{error:?}");
    assert!(error.to_string().contains("refused"), "{error}");
}

#[test]
fn a_service_that_hangs_is_left_in_time() {
    let endpoint = Endpoint::start([Reply::Hangs]);
    let hurried = ModelSettings {
        timeout: Duration::from_millis(200),
        ..settings("openai:scripted", &endpoint.url())
    };
    let error = ask(hurried.build().unwrap().as_ref()).unwrap_err();
    assert!(error.to_string().contains("within 0.2 s"), "{error}");
}

#[test]
fn an_answer_that_is_none_is_told_as_such() {
    for (reply, words) in [
        (says(""), "empty"),
        (says("  \n"), "empty"),
        (Reply::SaysCutOff("{\"facts\": [".to_owned()), "cut off"),
        (Reply::Body("{}".to_owned()), ""),
        (Reply::Body("{\"choices\": []}".to_owned()), ""),
    ] {
        let answered = answer_to(reply.clone());
        let Err(ModelError::Answer { why }) = answered else {
            panic!("{reply:?}: {answered:?}");
        };
        assert!(why.contains(words), "{reply:?}: {why}");
    }
}

#[test]
fn a_page_in_place_of_an_answer_is_an_error_and_is_told_short() {
    let page = format!("<html>{}</html>", "sk-test-key x ".repeat(1_000));
    let error = answer_to(Reply::Body(page)).unwrap_err().to_string();
    assert!(
        error.len() < 600 && !error.contains("sk-test-key"),
        "{error}"
    );
}

#[test]
fn a_service_that_repeats_the_key_does_not_bring_it_into_errors() {
    let echo = Reply::Status(401, "bad key sk-test-key".to_owned());
    let error = answer_to(echo).unwrap_err().to_string();
    assert!(
        error.contains("[key]") && !error.contains("sk-test-key"),
        "{error}"
    );
}

#[test]
fn an_address_that_is_none_is_refused() {
    for url in [
        "",
        "localhost:8080",
        "ftp://x/v1",
        "http://x/v1?key=1",
        "http://me:secret@x/v1",
    ] {
        let refused = settings("openai:scripted", url)
            .build()
            .map(|_| ())
            .unwrap_err();
        assert!(
            matches!(refused, ModelError::Refused { .. }),
            "{url}: {refused:?}"
        );
    }
}

#[test]
fn callers_may_ask_from_many_threads_and_from_a_runtime() {
    let endpoint = Endpoint::start([says("{}")]);
    let model: Arc<dyn LanguageModel> = settings("openai:scripted", &endpoint.url())
        .build()
        .unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| ask(model.as_ref()).unwrap());
        }
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime
        .block_on(async { ask(model.as_ref()).map(|_| drop(model)) })
        .unwrap();
    assert_eq!(endpoint.requests().len(), 9);
}

#[test]
fn an_encrypted_call_has_what_it_needs() {
    // The endpoint speaks no TLS, so the handshake begins and fails: without a crypto library it would not begin.
    let endpoint = Endpoint::start([says("{}")]);
    let url = endpoint.url().replace("http://", "https://");
    let error = ask(settings("openai:scripted", &url).build().unwrap().as_ref()).unwrap_err();
    assert!(matches!(error, ModelError::Unavailable { .. }), "{error:?}");
    assert!(endpoint.requests().is_empty());
}
