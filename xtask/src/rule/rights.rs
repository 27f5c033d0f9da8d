//! Every call of a handle looks at what the handle may do.

use syn::spanned::Spanned;
use syn::{ImplItem, Item, ItemImpl, ReturnType, Type, Visibility};

use crate::rust::is_test_path;
use crate::{Finding, Tree};

/// Where the handles are.
const ENGINE: &str = "crates/memoriter/src/";
/// Types whose calls reach the store.
const HANDLES: &[&str] = &[
    "Memoriter",
    "ScopedMemory",
    "Session",
    "Board",
    "Checkpoints",
    "Recall",
    "Assembly",
    "Erasing",
    "Import",
    "Incoming",
];
/// What a check looks like.
const CHECK: &str = ".may(Right::";
/// Calls without a check of their own, and why that is right.
const WITHOUT: &[(&str, &str)] = &[
    (
        "Memoriter::open",
        "whoever can open the file has every right",
    ),
    ("Memoriter::head", "a number that says nothing"),
    (
        "Memoriter::has_logged",
        "about a receipt that the caller has",
    ),
    ("ScopedMemory::list", "list_matching checks"),
    ("Recall::run", "recollect checks"),
    ("Session::attach_over", "a setting of the handle"),
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust()
        .filter(|(path, _)| path.starts_with(ENGINE) && !is_test_path(path))
        .flat_map(|(path, text)| check_file(path, text))
        .collect()
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let Ok(file) = syn::parse_file(text) else {
        // The rule about lengths says so.
        return Vec::new();
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut findings = Vec::new();
    for item in &file.items {
        let Item::Impl(handle) = item else { continue };
        let Some(name) = handle_name(handle) else {
            continue;
        };
        for (call, line, body) in fallible_calls(handle) {
            let called = format!("{name}::{call}");
            let is_checked = lines
                .get(body)
                .is_some_and(|body| body.iter().any(|line| line.contains(CHECK)));
            if !is_checked && WITHOUT.iter().all(|(listed, _)| *listed != called) {
                let message = format!(
                    "{called} does not begin with a check of rights ({CHECK}…): add it, or a line with the reason to \
                     WITHOUT (xtask/src/rule/rights.rs)"
                );
                findings.push(Finding::at(path, line, message));
            }
        }
    }
    findings
}

fn handle_name(item: &ItemImpl) -> Option<String> {
    let Type::Path(path) = item.self_ty.as_ref() else {
        return None;
    };
    let name = path.path.segments.last()?.ident.to_string();
    (item.trait_.is_none() && HANDLES.contains(&name.as_str())).then_some(name)
}

/// Public calls that answer with a `Result`: name, line, and the lines of the body counted from 0.
fn fallible_calls(item: &ItemImpl) -> Vec<(String, usize, std::ops::Range<usize>)> {
    let calls = item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(call) => Some(call),
        ImplItem::Const(_) | ImplItem::Type(_) | ImplItem::Macro(_) | ImplItem::Verbatim(_) | _ => {
            None
        }
    });
    let public = calls.filter(|call| matches!(call.vis, Visibility::Public(_)));
    let fallible = public.filter(|call| match &call.sig.output {
        ReturnType::Type(_, output) => is_result(output),
        ReturnType::Default => false,
    });
    fallible
        .map(|call| {
            let body = call.block.span();
            let lines = body.start().line.saturating_sub(1)..body.end().line;
            let name = &call.sig.ident;
            (name.to_string(), name.span().start().line, lines)
        })
        .collect()
}

fn is_result(output: &Type) -> bool {
    let Type::Path(path) = output else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|segment| segment.ident == "Result")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let found = check_file("crates/memoriter/src/a.rs", text).into_iter();
        found.map(|finding| finding.to_string()).collect()
    }

    #[test]
    fn a_call_without_a_check_is_found() {
        let open = "impl ScopedMemory {\n    pub fn peek(&self) -> Result<u8, Error> {\n        self.look()\n    }\n}\n";
        assert!(found(open)[0].starts_with("crates/memoriter/src/a.rs:2: ScopedMemory::peek"));
        let checked = open.replace(
            "self.look()",
            "self.may(Right::Read)?;\n        self.look()",
        );
        assert!(found(&checked).is_empty());
        assert!(found(&open.replace("pub fn", "pub(crate) fn")).is_empty());
        assert!(found(&open.replace("Result<u8, Error>", "u8")).is_empty());
        assert!(found(&open.replace("ScopedMemory", "Note")).is_empty());
    }
}
