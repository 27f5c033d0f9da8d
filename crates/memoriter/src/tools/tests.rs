use std::collections::BTreeSet;

use super::*;

/// Field names that serde lists for a request, from the error about one that is not there.
fn accepted<T: DeserializeOwned>() -> BTreeSet<String> {
    let error = read::<T>("x", &json!({"no such field": 1}));
    let error = error.err().unwrap().to_string();
    let listed = error.split("expected ").nth(1).unwrap();
    let names = listed.split('`').skip(1).step_by(2);
    names.map(str::to_owned).collect()
}

#[test]
fn schemas_and_requests_have_the_same_fields() {
    let definitions = definitions();
    let fields = [
        ("search", accepted::<Search>()),
        ("fetch_turns", accepted::<FetchTurns>()),
        ("fetch_attachment", accepted::<FetchAttachment>()),
        ("pin", accepted::<Pin>()),
        ("unpin", accepted::<Pin>()),
        ("edit_block", accepted::<EditBlock>()),
    ];
    assert_eq!(definitions.as_array().unwrap().len(), fields.len());
    for (tool, (name, fields)) in definitions.as_array().unwrap().iter().zip(fields) {
        assert_eq!(tool["name"], name);
        let schema = &tool["parameters"];
        let properties = schema["properties"].as_object().unwrap();
        assert_eq!(
            properties.keys().cloned().collect::<BTreeSet<_>>(),
            fields,
            "{name}"
        );
        assert_eq!(schema["additionalProperties"], false);
        assert!(tool["read_only"].is_boolean() && tool["description"].is_string());
        let message = ToolError::NoSuchTool { name: "x".into() }.to_string();
        assert!(message.contains(name), "{message}");
    }
}

#[test]
fn definitions_are_written_for_providers() {
    let openai = definitions_for(Shape::OpenAi);
    assert_eq!(openai[0]["function"]["name"], "search");
    assert_eq!(openai[0]["function"]["parameters"]["required"][0], "query");
    let anthropic = definitions_for(Shape::Anthropic);
    assert_eq!(
        anthropic[5]["input_schema"]["properties"]["name"]["type"],
        "string"
    );
}
