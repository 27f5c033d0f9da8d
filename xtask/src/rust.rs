//! What a Rust file says about itself.

use std::ops::RangeInclusive;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItemFn, Item, ItemFn, Signature, TraitItemFn};

use crate::tree::has_extension;

/// A function and the lines between its braces.
pub(crate) struct Function {
    pub(crate) name: String,
    /// The line of its name.
    pub(crate) line: usize,
    pub(crate) body: RangeInclusive<usize>,
}

/// Whether a path holds nothing but tests.
pub(crate) fn is_test_path(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs")
}

/// The lines of a file with their numbers, without those that are for tests only.
pub(crate) fn outside_tests<'a>(
    path: &str,
    text: &'a str,
) -> impl Iterator<Item = (usize, &'a str)> {
    let parsed = has_extension(path, "rs").then(|| syn::parse_file(text).ok());
    let tests = parsed
        .flatten()
        .map_or_else(Vec::new, |file| test_lines(&file));
    let is_whole_test = is_test_path(path);
    (1..).zip(text.lines()).filter(move |(number, _)| {
        !is_whole_test && !tests.iter().any(|lines| lines.contains(number))
    })
}

/// Lines of items that are compiled for tests only, at any depth of modules.
pub(crate) fn test_lines(file: &syn::File) -> Vec<RangeInclusive<usize>> {
    let mut lines = Vec::new();
    collect_test_lines(&file.items, &mut lines);
    lines
}

fn collect_test_lines(items: &[Item], lines: &mut Vec<RangeInclusive<usize>>) {
    for item in items {
        if attributes(item).iter().any(is_cfg_test) {
            let span = item.span();
            lines.push(span.start().line..=span.end().line);
        } else if let Item::Mod(module) = item
            && let Some((_, inner)) = &module.content
        {
            collect_test_lines(inner, lines);
        }
    }
}

fn is_cfg_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute
            .parse_args::<syn::Ident>()
            .is_ok_and(|name| name == "test")
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enum grows with the language; what is left out is never a test by itself"
)]
fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Every function with a body, in order.
pub(crate) fn functions(file: &syn::File) -> Vec<Function> {
    let mut functions = Functions(Vec::new());
    functions.visit_file(file);
    functions.0
}

struct Functions(Vec<Function>);

impl Functions {
    fn add(&mut self, signature: &Signature, body: &syn::Block) {
        self.0.push(Function {
            name: signature.ident.to_string(),
            line: signature.ident.span().start().line,
            body: body.span().start().line + 1..=body.span().end().line.saturating_sub(1),
        });
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(body) = &item.default {
            self.add(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

/// Names before an exclamation mark (`name!`; keywords such as `if` among them), also inside the arguments of other macros, with their lines.
pub(crate) fn macro_calls(tokens: TokenStream) -> Vec<(String, usize)> {
    let mut calls = Vec::new();
    walk(tokens, &mut |before, token| {
        if let (Some(TokenTree::Ident(name)), TokenTree::Punct(mark)) = (before, token)
            && mark.as_char() == '!'
        {
            calls.push((name.to_string(), name.span().start().line));
        }
    });
    calls
}

/// The words of every attribute (`#[...]`), with its line.
pub(crate) fn attribute_words(tokens: TokenStream) -> Vec<(Vec<String>, usize)> {
    let mut found = Vec::new();
    walk(tokens, &mut |before, token| {
        if let (Some(TokenTree::Punct(mark)), TokenTree::Group(group)) = (before, token)
            && mark.as_char() == '#'
            && group.delimiter() == Delimiter::Bracket
        {
            let mut words = Vec::new();
            walk(group.stream(), &mut |_, token| {
                if let TokenTree::Ident(word) = token {
                    words.push(word.to_string());
                }
            });
            found.push((words, mark.span().start().line));
        }
    });
    found
}

/// Visits every token with the one before it in its group.
fn walk(tokens: TokenStream, visit: &mut dyn FnMut(Option<&TokenTree>, &TokenTree)) {
    let mut before: Option<TokenTree> = None;
    for token in tokens {
        visit(before.as_ref(), &token);
        if let TokenTree::Group(group) = &token {
            walk(group.stream(), visit);
        }
        before = Some(token);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_wherever_they_are() {
        let text = "fn a() {}\nimpl T {\n    fn b(\n    ) {\n        fn c() {}\n    }\n}\n\
                    trait U { fn d(); fn e() {} }\nmod m { fn f() {} }\n";
        let found = functions(&syn::parse_file(text).unwrap());
        let lengths: Vec<(&str, usize)> = found
            .iter()
            .map(|function| (function.name.as_str(), function.body.clone().count()))
            .collect();
        assert_eq!(lengths, [("a", 0), ("b", 1), ("c", 0), ("e", 0), ("f", 0)]);
    }

    #[test]
    fn lines_of_tests_are_told_from_others() {
        let text =
            "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n#[cfg(unix)]\nfn b() {}\n";
        assert_eq!(test_lines(&syn::parse_file(text).unwrap()), [2..=5]);
    }

    #[test]
    fn macros_are_seen_inside_macros_and_not_in_text() {
        let tokens = "fn a() { b!(c!()); \"d!\"; let e = !f; } // g!"
            .parse()
            .unwrap();
        let names: Vec<String> = macro_calls(tokens)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["b", "c"]);
    }
}
