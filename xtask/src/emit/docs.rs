//! Converts Markdown text of an OpenAPI document into Rust doc comments. Escapes the text so that rustdoc shows it
//! correctly.

use proc_macro2::TokenStream;
use quote::quote;

/// Returns `#[doc]` attributes for Markdown text. Returns no tokens for an empty text.
pub(crate) fn doc(text: &str) -> TokenStream {
    lines(&markdown(text))
}

/// Returns `///` comment lines for Markdown text.
pub(crate) fn comment(text: &str) -> String {
    let lines = markdown(text).into_iter();
    lines.map(|line| format!("{}\n", format!("/// {line}").trim_end())).collect()
}

/// Returns `#[doc]` attributes for lines that are already escaped for rustdoc.
pub(crate) fn lines(lines: &[String]) -> TokenStream {
    let lines = lines.iter().map(|line| format!(" {line}").trim_end().to_owned());
    quote!(#(#[doc = #lines])*)
}

/// Converts Markdown to lines for rustdoc. Escapes text that rustdoc would interpret as a link to a Rust item, an HTML
/// tag or a code test.
pub(crate) fn markdown(text: &str) -> Vec<String> {
    let text = clean(text);
    let mut fence: Option<char> = None;
    let mut lines = Vec::new();

    for line in text.trim().split('\n') {
        let start = line.trim_start();
        let mark = ['`', '~'].into_iter().find(|c| start.starts_with(&c.to_string().repeat(3)));
        match (fence, mark) {
            (None, Some(mark)) => {
                fence = Some(mark);
                lines.push(opening(start, mark));
            }
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                lines.push(mark.to_string().repeat(3));
            }
            (Some(_), _) => lines.push(line.trim_end().to_owned()),
            // At most three spaces are kept. Four spaces would begin a code block, which rustdoc would compile.
            (None, None) => {
                let indent = (line.len() - start.len()).min(3);
                lines.push(format!("{}{}", " ".repeat(indent), escape(start.trim_end())));
            }
        }
    }

    if let Some(mark) = fence {
        lines.push(mark.to_string().repeat(3));
    }
    if text.trim().is_empty() { Vec::new() } else { lines }
}

/// Rewrites `line`, the first line of a fenced code block. If this line has the language Rust or no language, the
/// language becomes `text`, so that rustdoc does not run the block as a test.
fn opening(line: &str, mark: char) -> String {
    let language: String =
        line.trim_start_matches(mark).chars().take_while(char::is_ascii_alphanumeric).collect();
    let tested = ["", "rust", "ignore", "standalone"].contains(&language.as_str())
        || language.starts_with("edition");
    format!("{}{}", mark.to_string().repeat(3), if tested { "text" } else { &language })
}

/// Converts text to a single escaped line for a `//!` or `///` comment.
pub(crate) fn line(text: &str) -> String {
    escape(&clean(text).split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Formats a value as a Markdown code span on one line.
pub(crate) fn code(value: &str) -> String {
    let plain = clean(value).replace('`', "'").replace('\n', "\\n");
    format!("`{plain}`")
}

/// Removes control characters and Unicode marks that change the text direction, because they are invalid or misleading
/// in Rust comments. Replaces a lone carriage return or tab by a space.
fn clean(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    text.replace("\r\n", "\n")
        .chars()
        .filter(|c| !turns(*c) && (!c.is_control() || matches!(c, '\n' | '\t' | '\r')))
        .map(|c| if matches!(c, '\r' | '\t') { ' ' } else { c })
        .collect()
}

/// Escapes brackets and angle brackets outside of code spans, because rustdoc would interpret them as links and HTML
/// tags. Converts URLs to links.
fn escape(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    let mut code = false;
    let mut rest = line;

    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        match c {
            '`' => {
                code = !code;
                escaped.push(c);
            }
            _ if code => escaped.push(c),
            // Characters that are already escaped stay escaped.
            '\\' if rest[1..].starts_with(|c: char| c.is_ascii_punctuation() && c != '`') => {
                escaped.push_str(&rest[..2]);
                taken = 2;
            }
            '[' | ']' | '<' | '>' => {
                escaped.push('\\');
                escaped.push(c);
            }
            'h' if address(rest) > 0 => {
                taken = address(rest);
                escaped.push_str(&format!("<{}>", &rest[..taken]));
            }
            _ => escaped.push(c),
        }

        rest = &rest[taken..];
    }

    // An unclosed code span would extend to the end of the comment.
    if code { escape(&line.replace('`', "'")) } else { escaped }
}

/// Returns the length in bytes of the URL at the start of the text, without trailing punctuation. Returns 0 for any
/// other text.
fn address(text: &str) -> usize {
    if !["https://", "http://"].iter().any(|scheme| text.starts_with(scheme)) {
        return 0;
    }
    let end =
        text.find(|c: char| c.is_whitespace() || "<>[]()\"'`\\".contains(c)).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_outside_code_is_plain() {
        for (text, escaped) in [
            ("a [b] <c>", r"a \[b\] \<c\>"),
            ("`a[0] < b` and [c]", r"`a[0] < b` and \[c\]"),
            ("an `open span [a]", r"an 'open span \[a\]"),
            (r"\[a\] and \`b", r"\[a\] and \'b"),
            ("see https://a.example/b?c=1.", "see <https://a.example/b?c=1>."),
            ("[text](https://a.example/)", r"\[text\](<https://a.example/>)"),
            ("httpx is no address", "httpx is no address"),
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

    #[test]
    fn nothing_becomes_a_test_or_breaks_the_comment() {
        for (text, lines) in [
            ("a\n    indented", vec!["a", "   indented"]),
            ("```\nlet x;\n```", vec!["```text", "let x;", "```"]),
            ("```rust,no_run\nlet x;", vec!["```text", "let x;", "```"]),
            ("~~~sql title=\"a\"\n[1]\n~~~\n[b]", vec!["~~~sql", "[1]", "~~~", r"\[b\]"]),
            ("a\r\nb\rc", vec!["a", "b c"]),
            ("a\u{202E}b\0c", vec!["abc"]),
            (" \n\t ", vec![]),
        ] {
            assert_eq!(markdown(text), lines, "{text:?}");
        }
        assert_eq!(line("two\nlines <b>"), r"two lines \<b\>");
        assert_eq!(code("a`b\nc"), r"`a'b\nc`");
    }
}
