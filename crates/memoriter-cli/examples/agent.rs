//! An agent with memory: everything about memory is two calls, one before the model and one after it.
//!
//! Talks to any OpenAI-compatible service, line by line from standard input:
//! `cargo run -p memoriter-cli --features llm --example agent -- ollama:qwen2.5 [URL]`. What it was told is in
//! `agent.db`, and known in the next run. Keys are read from `OPENAI_API_KEY`.

#![expect(clippy::print_stdout, reason = "a conversation is on standard output")]
#![expect(
    clippy::disallowed_methods,
    reason = "a program reads its own environment"
)]

use std::io::BufRead;

use memoriter::core::port::language_model::{
    AnswerForm, LanguageModel, ModelMessage, ModelRequest, ModelRole,
};
use memoriter::{Form, Memoriter, Scope};
use memoriter_provider::llm::{ApiKey, ModelSettings};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments
        .next()
        .ok_or("name a model: ollama:qwen2.5, openai:gpt-4o-mini")?;
    let settings = ModelSettings {
        url: arguments.next(),
        key: std::env::var("OPENAI_API_KEY").ok().map(ApiKey::new),
        ..ModelSettings::new(name.parse()?)
    };
    let model = settings.build()?;

    let memory = Memoriter::open("agent.db")?;
    let session = memory.scope(Scope::user("me")).session("agent");
    for message in std::io::stdin().lock().lines() {
        let message = message?;
        let call = session
            .assemble(&message)
            .system("You are a helpful assistant. Answer in a sentence or two.")
            .form(Form::OpenAi)
            .budget_tokens(2_000);
        let desk = call.run()?;
        let answer = ask(model.as_ref(), &desk.rendering.to_json())?;
        println!("{answer}");
        for decision in call.answered(&answer)?.learned.decisions {
            println!("    [{}: {}]", decision.kind, decision.reason.sentence());
        }
    }
    Ok(())
}

/// Asks a model by the port that the product itself uses, which wants JSON.
fn ask(model: &dyn LanguageModel, desk: &Value) -> Result<String, Box<dyn std::error::Error>> {
    let text = |message: &Value| {
        let content = &message["content"];
        let parts = content.as_array().into_iter().flatten();
        let parts: String = parts.filter_map(|part| part["text"].as_str()).collect();
        content.as_str().map_or(parts, str::to_owned)
    };
    let (system, turns) = desk
        .as_array()
        .and_then(|all| all.split_first())
        .ok_or("no messages")?;
    let turn = |turn: &Value| ModelMessage {
        from: if turn["role"] == "assistant" {
            ModelRole::Model
        } else {
            ModelRole::Application
        },
        text: text(turn),
    };
    let schema = json!({"type": "object", "properties": {"reply": {"type": "string"}},
        "required": ["reply"], "additionalProperties": false});
    let answer = model.answer(&ModelRequest {
        purpose: "chat",
        system: &format!("{}\nAnswer as JSON: {{\"reply\": \"...\"}}", text(system)),
        messages: &turns.iter().map(turn).collect::<Vec<_>>(),
        form: &AnswerForm {
            name: "reply",
            schema,
        },
        output_tokens_max: 500,
    })?;
    // Some services do not keep to a form; then the text is the reply.
    let reply = serde_json::from_str::<Value>(&answer.text).ok();
    let reply = reply.as_ref().and_then(|reply| reply["reply"].as_str());
    Ok(reply.unwrap_or(&answer.text).to_owned())
}
