//! Scope by operation by transport: the library and HTTP refuse the same calls.

use memoriter::core::query::Filter;
use memoriter::core::time::ZonedTime;
use memoriter::core::turn::{Message, Role, SessionName};
use memoriter::{
    Access, AccessDenied, Correction, Error, Memoriter, NewState, Note, Right, Rights, Scope,
    ScopedMemory, Selector, TurnDraft, TurnKey,
};
use serde_json::{Value, json};

use crate::client::{Caller, Served};

/// An operation in both ways. Ids that are not there are as good as those that are: what is refused is refused before.
struct Operation {
    name: &'static str,
    right: Right,
    library: fn(&ScopedMemory) -> Result<(), Error>,
    /// `None` for what no route does.
    http: Option<fn(&Caller, &str) -> u16>,
}

const ID: &str = "0190b2c4-7d3e-7c5a-9b1f-2a6d8e4f0c11";

fn place(user: &str, mut body: Value) -> Value {
    body["user_id"] = json!(user);
    body
}

fn turn(session: &str) -> TurnDraft {
    let at = ZonedTime::parse("at", "2026-03-01T09:00:00Z").unwrap();
    TurnDraft {
        session: SessionName::new(session).unwrap(),
        key: TurnKey::Given("k".to_owned()),
        message: Message::new(Role::User, "hello", at),
    }
}

fn operations() -> Vec<Operation> {
    macro_rules! operations {
        ($($name:literal $right:ident: |$memory:ident| $library:expr, |$caller:ident, $user:ident| $http:expr;)+) => {
            vec![$(Operation {
                name: $name,
                right: Right::$right,
                library: |$memory| ($library).map(drop),
                http: Some(|$caller, $user| ($http).status),
            }),+]
        };
    }
    operations! {
        "remember" Write: |m| m.remember("I like tea"),
            |c, u| c.post("/v1/memories", &place(u, json!({"text": "I like tea"})));
        "remember facts" Write: |m| m.remember_all([Note::new("I like tea")]),
            |c, u| c.post("/v1/memories", &place(u, json!({"facts": [{"statement": "I like tea"}]})));
        "remember messages" Write: |m| m.session("s").append_openai(&json!([{"role": "user", "content": "hi"}])),
            |c, u| c.post("/v1/memories", &place(u, json!({"session_id": "s", "messages": [{"role": "user", "content": "hi"}]})));
        "recall" Read: |m| m.recall("tea").run(),
            |c, u| c.post("/v1/memories/search", &place(u, json!({"query": "tea"})));
        "list" Read: |m| m.list_matching(&Filter::default(), &[], None, 10),
            |c, u| c.get(&format!("/v1/memories?user_id={u}"));
        "get" Read: |m| m.get(ID.parse().unwrap()),
            |c, u| c.get(&format!("/v1/memories/{ID}?user_id={u}"));
        "history" Read: |m| m.history(ID.parse().unwrap()),
            |c, u| c.get(&format!("/v1/memories/{ID}/history?user_id={u}"));
        "update" Write: |m| m.update(ID.parse().unwrap(), &Correction { statement: "a".to_owned(), ..Correction::default() }),
            |c, u| c.patch(&format!("/v1/memories/{ID}"), &place(u, json!({"statement": "a"})));
        "retire" Delete: |m| m.retire(&[ID.parse().unwrap()]),
            |c, u| c.delete(&format!("/v1/memories/{ID}?user_id={u}"));
        "forget a key" Delete: |m| m.forget_key(&"user.city".parse().unwrap(), turn("s").message.at),
            |c, u| c.post("/v1/forget", &place(u, json!({"key": "user.city"})));
        "erase" Delete: |m| m.erase(Selector::Key("user.city".parse().unwrap())).run(),
            |c, u| c.post("/v1/erase", &place(u, json!({"key": "user.city"})));
        "plan an erasure" Delete: |m| m.erase(Selector::Key("user.city".parse().unwrap())).dry_run(),
            |c, u| c.post("/v1/erase", &place(u, json!({"key": "user.city", "dry_run": true})));
        "see a receipt" Read: |m| m.receipt("00"),
            |c, u| c.get(&format!("/v1/receipts/00?user_id={u}"));
        "list what waits" Read: |m| m.pending(None, 10),
            |c, u| c.get(&format!("/v1/review?user_id={u}"));
        "approve" Write: |m| m.approve(ID.parse().unwrap()),
            |c, u| c.post(&format!("/v1/review/{ID}"), &place(u, json!({"action": "approve"})));
        "reject" Write: |m| m.reject(ID.parse().unwrap()),
            |c, u| c.post(&format!("/v1/review/{ID}"), &place(u, json!({"action": "reject"})));
        "list sessions" Read: |m| m.sessions(),
            |c, u| c.get(&format!("/v1/sessions?user_id={u}"));
        "append turns" Write: |m| m.learn([turn("s")]),
            |c, u| c.post("/v1/sessions/s/turns", &place(u, json!({"turns": [{"role": "user", "content": "hello"}]})));
        "append turns to be read later" Write: |m| m.append_to_learn([turn("s")]),
            |c, u| c.post("/v1/sessions/s/turns", &place(u, json!({"extract": "later", "turns": [{"role": "user", "content": "hello"}]})));
        "list turns" Read: |m| m.turns(&SessionName::new("s").unwrap(), 0, 10),
            |c, u| c.get(&format!("/v1/sessions/s/turns?user_id={u}"));
        "lay out a desk" Read: |m| m.session("s").assemble("hello").run(),
            |c, u| c.post("/v1/sessions/s/context", &place(u, json!({"message": "hello"})));
        "read state" Read: |m| m.session("s").state().list(),
            |c, u| c.get(&format!("/v1/sessions/s/state?user_id={u}"));
        "write state" Write: |m| m.session("s").state().set("a", json!(1)),
            |c, u| c.patch("/v1/sessions/s/state", &place(u, json!({"fields": [{"name": "a", "value": 1}]})));
        "save a checkpoint" Write: |m| m.session("s").checkpoints().save(NewState::new("json", "1")),
            |c, u| c.post("/v1/sessions/s/checkpoints", &place(u, json!({})));
        "list checkpoints" Read: |m| m.session("s").checkpoints().list(10),
            |c, u| c.get(&format!("/v1/sessions/s/checkpoints?user_id={u}"));
        "resume" Read: |m| m.session("s").checkpoints().resume(None),
            |c, u| c.get(&format!("/v1/sessions/s/checkpoints/latest?user_id={u}"));
        "how far reading is" Read: |m| m.extraction_of(ID.parse().unwrap()),
            |c, u| c.get(&format!("/v1/operations/{ID}?user_id={u}"));
        "export" Export: |m| m.export(&mut Vec::new(), &mut |_, _| {}),
            |c, u| c.get(&format!("/v1/export?user_id={u}"));
        "import" Export: |m| m.import().read(&mut std::io::Cursor::new(b"{}".to_vec())),
            |c, u| c.send("POST", &format!("/v1/import?user_id={u}"), &[("Content-Type", "application/x-ndjson")], Some("{}"));
    }
}

/// What the library does and no route.
fn operations_of_the_library() -> Vec<Operation> {
    macro_rules! operations {
        ($($name:literal $right:ident: |$memory:ident| $library:expr;)+) => {
            vec![$(Operation {
                name: $name,
                right: Right::$right,
                library: |$memory| ($library).map(drop),
                http: None,
            }),+]
        };
    }
    operations! {
        "append" Write: |m| m.append([turn("s")]);
        "first conflict" Read: |m| m.first_conflict(&[turn("s")]);
        "one turn" Read: |m| m.turn(ID.parse().unwrap());
        "history of a key" Read: |m| m.history_of_key(&"user.city".parse().unwrap());
        "live under a key" Read: |m| m.live_under(&"user.city".parse().unwrap());
        "about" Read: |m| m.about("tea");
        "dead letters" Read: |m| m.dead_letters(10);
        "waiting turns" Read: |m| m.waiting_turns(10);
        "queue" Write: |m| m.queue(&[ID.parse().unwrap()]);
        "ledger" Read: |m| m.ledger(None, 10);
        "decisions on" Read: |m| m.decisions_on(ID.parse().unwrap());
        "pin" Write: |m| m.pin(ID.parse().unwrap());
        "unpin" Write: |m| m.unpin(ID.parse().unwrap());
        "block" Read: |m| m.block("profile");
        "edit a block" Write: |m| m.edit_block("profile", "Likes tea", 0, memoriter::core::provenance::Origin::Agent);
        "attach" Write: |m| m.session("s").attach(b"text".to_vec(), None, None);
        "attachments" Read: |m| m.session("s").attachments();
        "kept mode" Read: |m| m.session("s").kept_mode();
        "is kept" Read: |m| m.session("s").is_kept();
        "set a mode" Write: |m| m.session("s").set_mode(memoriter::Mode::Full);
        "messages" Read: |m| m.session("s").messages(memoriter::core::turn::Shape::OpenAi);
        "anthropic messages" Write: |m| m.session("s").append_anthropic(&json!([{"role": "user", "content": "hi"}]));
        "answered" Write: |m| m.session("s").assemble("hello").answered("hi");
        "fold" Write: |m| m.session("s").assemble("hello").fold();
        "full history" Read: |m| m.session("s").assemble("hello").full_history_tokens();
        "field" Read: |m| m.session("s").state().get("a");
        "changes" Read: |m| m.session("s").state().changes(memoriter::core::id::ChangeNumber(0), 10);
        "append to a field" Write: |m| m.session("s").state().append("b", json!(1));
        "remove a field" Write: |m| m.session("s").state().remove("c", None);
        "latest checkpoint" Read: |m| m.session("s").checkpoints().latest();
        "answer a checkpoint" Write: |m| m.session("s").checkpoints().answer(ID.parse().unwrap(), memoriter::core::checkpoint::Answer::Approved, None);
        "fork" Write: |m| m.session("s").checkpoints().fork(ID.parse().unwrap(), "t");
        "prune" Delete: |m| m.session("s").checkpoints().prune(memoriter::core::checkpoint::Pruning { keep: Some(1), older_than: None, with_pending: false });
        "tool: search" Read: |m| m.tools().call("search", &json!({"query": "tea"})).map_err(tool_error);
    }
}

fn tool_error(error: memoriter::tools::ToolError) -> Error {
    let memoriter::tools::ToolError::Engine(error) = error else {
        panic!("{error}");
    };
    error
}

fn is_denied(error: &Error) -> bool {
    matches!(
        error,
        Error::Denied(AccessDenied::Right { .. } | AccessDenied::Scope { .. })
    )
}

/// Paths of credentials, and users that they ask for.
fn paths() -> Vec<(Option<Scope>, Vec<&'static str>)> {
    let names = vec!["priya", "priya2", "pri", "Priya", "user", "%", "emma"];
    vec![(None, names.clone()), (Some(Scope::user("priya")), names)]
}

#[test]
fn the_library_and_http_refuse_the_same() {
    let served = Served::start();
    let store = Memoriter::open(served.folder.path().join("default.db")).unwrap();
    let (mut asked, mut wrong) = (0, Vec::new());
    for (within, users) in paths() {
        for right in Right::ALL {
            let key = served.key("default", within.clone(), Rights::of(&[right]));
            let caller = served.caller_with(&key);
            let granted = store.granted(Access::new(within.clone(), Rights::of(&[right])));
            for user in &users {
                let memory = granted.scope(Scope::user(user));
                let reaches = within.is_none() || *user == "priya";
                for operation in operations().into_iter().chain(operations_of_the_library()) {
                    let expected = !reaches || operation.right != right;
                    let library = (operation.library)(&memory);
                    let name = operation.name;
                    if library.as_ref().is_err_and(is_denied) != expected {
                        wrong.push(format!(
                            "library: {name} with {right:?} of {user}: {library:?}"
                        ));
                    }
                    let Some(http) = operation.http else {
                        continue;
                    };
                    let encoded = user.replace('%', "%25");
                    let user = if name_in_body(name) {
                        user
                    } else {
                        encoded.as_str()
                    };
                    let status = http(&caller, user);
                    if (status == 403) != expected {
                        wrong.push(format!("HTTP: {name} with {right:?} of {user}: {status}"));
                    }
                    asked += 1;
                }
            }
        }
    }
    assert_eq!(asked, 2 * 5 * 7 * operations().len(), "calls over HTTP");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whether an operation names its user in the body.
fn name_in_body(name: &str) -> bool {
    [
        "remember",
        "remember facts",
        "remember messages",
        "recall",
        "update",
        "forget a key",
        "erase",
        "plan an erasure",
        "approve",
        "reject",
        "append turns",
        "append turns to be read later",
        "lay out a desk",
        "write state",
        "save a checkpoint",
    ]
    .contains(&name)
}
