//! Parses YAML 1.2, in which `NO` and `off` are strings. A parse error contains the position.

use serde::de::DeserializeOwned;
use serde_saphyr::Error;

/// An error message, and a hint how to correct the input.
pub(crate) type Wrong = (String, &'static str);

/// Maximum number of corrections in one document. Each correction indents lines of a quoted string by one more space.
/// After each correction, the document is parsed again.
const REPAIRS: usize = 200;

/// Parses a YAML document.
///
/// The YAML library rejects quoted strings whose later lines are indented by only one space more than the key. If
/// parsing fails, this function indents these lines by one more space and tries again. Their leading spaces are not
/// part of the string.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Wrong> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut error = match read(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    for _ in 0..REPAIRS {
        let Some(line) = rejected_line(&error).filter(|line| *line < lines.len()) else { break };
        let blanks = indentation(&lines[line]);
        if blanks == 0 {
            break;
        }
        let same = lines[line..].iter().take_while(|line| indentation(line) == blanks).count();
        for line in &mut lines[line..line + same] {
            line.insert(0, ' ');
        }
        error = match read(&lines.join("\n")) {
            Ok(value) => return Ok(value),
            Err(next) => next,
        };
    }
    Err(wrong(&error))
}

/// Parses YAML text with limits. The number of nodes is limited by the length of the text, because YAML aliases can
/// multiply the nodes.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let usual = serde_saphyr::Budget::default();
    let budget = serde_saphyr::budget! {
        max_nodes: usual.max_nodes.max(text.len()),
        max_events: usual.max_events.max(text.len().saturating_mul(4)),
        max_total_scalar_bytes: usual.max_total_scalar_bytes.max(text.len()),
        max_depth: 200,
        enforce_alias_anchor_ratio: false,
    };
    let options = serde_saphyr::options! {
        strict_booleans: true,
        budget: budget,
    };
    serde_saphyr::from_str_with_options(text, options)
}

/// Returns the index of the line that the parser rejects because a multi-line quoted string is not indented enough.
/// The first line has the index 0. Returns `None` for any other error.
fn rejected_line(error: &Error) -> Option<usize> {
    let is_rejected = first_line(error).contains("indentation in multiline quoted scalar");
    let line = usize::try_from(error.location()?.line()).ok()?;
    line.checked_sub(1).filter(|_| is_rejected)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn wrong(error: &Error) -> Wrong {
    let place = error.location().map(|at| format!("line {} column {}: ", at.line(), at.column()));
    let place = place.unwrap_or_default();
    // The error of a YAML alias contains the error of its value, so the text is searched.
    let is_too_large = first_line(error).contains("budget breached");

    match error.without_snippet() {
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.as_deref().unwrap_or("a member");
            (format!("{place}`{key}` occurs twice in one object"), "remove one of the two fields")
        }
        _ if is_too_large => (
            format!(
                "{place}the YAML document is too large or nested too deeply; each alias counts as a copy of its value"
            ),
            "write the document without aliases and with less nesting",
        ),
        Error::MultipleDocuments { .. } => (
            "the file has several YAML documents".to_owned(),
            "save the OpenAPI document in a separate file",
        ),
        _ if rejected_line(error).is_some() => (
            format!("not YAML: {}", first_line(error)),
            "indent further lines of a quoted string by two spaces more than its key",
        ),
        _ => (format!("not YAML: {}", first_line(error)), "check the indentation of the line"),
    }
}

/// Returns the first line of the parser's error message, at most 120 characters. The further lines only quote the
/// document.
fn first_line(error: &Error) -> String {
    let report = error.to_string();
    let first = report.lines().next().unwrap_or_default();
    first.trim_start_matches("error: ").chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn quoted_texts_go_on_with_one_more_blank() {
        for quote in ["\"", "'"] {
            let text = format!(
                "a:\n  b: {quote}one\n   two\n\n    three\n   four{quote}\n  c: {quote}five\n   six{quote}\n"
            );
            let read: Value = parse(&text).unwrap();
            assert_eq!(read, json!({"a": {"b": "one two\nthree four", "c": "five six"}}));
        }
        // A line that is not indented at all is invalid YAML.
        assert!(parse::<Value>("a:\n  b: \"one\ntwo\"\n").is_err());
    }

    #[test]
    fn aliases_repeat_small_values_and_cannot_multiply_them_without_end() {
        let uses: String = (0..3000).map(|n| format!("u{n}: *a\n")).collect();
        let read: Value = parse(&format!("a: &a {{type: string}}\n{uses}")).unwrap();
        assert_eq!(read["u2999"], json!({"type": "string"}));

        let level =
            |n: usize| format!("l{n}: &l{n} [{}]\n", vec![format!("*l{}", n - 1); 10].join(","));
        let levels: String = (1..12).map(level).collect();
        let (reason, _) = parse::<Value>(&format!("l0: &l0 [a, b]\n{levels}")).unwrap_err();
        assert!(!reason.contains("not YAML"), "{reason}");
    }

    #[test]
    fn several_documents_in_a_file_are_a_fault_without_words_of_the_library() {
        let (reason, _) = parse::<Value>("a: 1\n---\nb: 2\n").unwrap_err();
        assert_eq!(reason, "the file has several YAML documents");
    }

    #[test]
    fn name_that_stands_twice_is_named_with_its_place() {
        let (reason, hint) = parse::<Value>("a: 1\nb: {c: 1, c: 2}\n").unwrap_err();
        assert_eq!(reason, "line 2 column 11: `c` occurs twice in one object");
        assert!(hint.starts_with("remove"), "{hint}");
    }
}
