//! Descriptions as doc comments.

use proc_macro2::TokenStream;
use quote::quote;

/// Doc attributes for Markdown text; nothing for an empty one.
pub(crate) fn doc(text: &str) -> TokenStream {
    let lines =
        text.trim().lines().filter(|_| !text.trim().is_empty()).scan(false, |fenced, line| {
            if line.trim_start().starts_with("```") {
                *fenced = !*fenced;
            }
            Some(if *fenced { format!(" {line}") } else { format!(" {}", escape(line)) })
        });
    let lines = lines.map(|line| line.trim_end().to_owned());
    quote!(#(#[doc = #lines])*)
}

/// One line of text for a `//!` comment.
pub(crate) fn line(text: &str) -> String {
    escape(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Outside of code spans, brackets would become links and angle brackets tags.
fn escape(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    let mut code = false;
    for c in line.chars() {
        match c {
            '`' => code = !code,
            '[' | ']' | '<' | '>' if !code => escaped.push('\\'),
            _ => {}
        }
        escaped.push(c);
    }
    // A span that is never closed would swallow the rest of the comment.
    if code { line.replace('`', "'") } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_outside_code_is_plain() {
        for (text, escaped) in [
            ("a [b] <c>", r"a \[b\] \<c\>"),
            ("`a[0] < b` and [c]", r"`a[0] < b` and \[c\]"),
            ("an `open span", "an 'open span"),
        ] {
            assert_eq!(escape(text), escaped);
        }
    }

    #[test]
    fn fences_are_kept_as_they_are() {
        let tokens = doc("a\n\n```json\n[1]\n```\n[b]\n").to_string();
        assert!(tokens.contains(r#"" [1]""#), "{tokens}");
        assert!(tokens.contains(r#"" \\[b\\]""#), "{tokens}");
    }
}
