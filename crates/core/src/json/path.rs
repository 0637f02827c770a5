//! Finds the path of a value in a JSON text, such as `data[1].price`, from the position of an error.

use super::tokens::string_end;

/// Returns the path of the JSON value that begins or ends at `line` and `column`, such as `data[1].price`. The path of
/// the outermost value is empty.
///
/// `line` counts from 1. `column` is the number of bytes from the start of the line to the position, as in errors of
/// `serde_json`. The text after the position may be invalid JSON.
#[must_use]
pub fn path_at(text: &[u8], line: usize, column: usize) -> String {
    let mut path = String::new();
    for step in steps_to(text, byte_offset(text, line, column)) {
        match step {
            PathStep::Item(index) => path.push_str(&format!("[{index}]")),
            PathStep::Member(name) => {
                // The text may end inside the name.
                let name = name.and_then(|name| std::str::from_utf8(name).ok());
                if let Some(name) = name.and_then(|name| serde_json::from_str::<String>(name).ok())
                {
                    path.push_str(if path.is_empty() { "" } else { "." });
                    path.push_str(&name);
                }
            }
        }
    }
    path
}

/// Returns the path from the root of a JSON text to the byte index `end`. Each object or list around this index adds
/// one step. For example, the path `a[1]` has a step for the field `a` and a step for the item 1.
fn steps_to(text: &[u8], end: usize) -> Vec<PathStep<'_>> {
    let mut steps = Vec::new();
    let mut at = 0;
    while at < end {
        let next = token_end(text, at);
        read_token(&mut steps, &text[at..next]);
        at = next;
    }
    steps
}

fn read_token<'a>(steps: &mut Vec<PathStep<'a>>, token: &'a [u8]) {
    match (token[0], steps.last_mut()) {
        (b'{', _) => steps.push(PathStep::Member(None)),
        (b'[', _) => steps.push(PathStep::Item(0)),
        (b'}' | b']', _) => {
            steps.pop();
        }
        (b',', Some(PathStep::Item(index))) => *index += 1,
        (b',', Some(PathStep::Member(name))) => *name = None,
        (b'"', Some(PathStep::Member(name @ None))) => *name = Some(token),
        _ => {}
    }
}

/// One step of a JSON path: a field of an object, or an item of a list. For example, the path `a[1]` has a step for the
/// field `a` and a step for the item 1.
enum PathStep<'a> {
    /// Name of a field of an object, with its quotes. `None` after `{` or `,`, until the next field name is read.
    Member(Option<&'a [u8]>),
    /// An item of a list, by its index.
    Item(usize),
}

fn byte_offset(text: &[u8], line: usize, column: usize) -> usize {
    let before: usize = text
        .split_inclusive(|byte| *byte == b'\n')
        .take(line.saturating_sub(1))
        .map(<[u8]>::len)
        .sum();
    before.saturating_add(column).min(text.len())
}

/// Returns the index after the token that begins at `at`. A token is a whole string with its quotes, or one byte
/// outside a string.
fn token_end(text: &[u8], at: usize) -> usize {
    if text[at] == b'"' { string_end(text, at) } else { at + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_at_returns_path_of_value_at_position() {
        let text = br#"{"a": [1, {"b\n": "x, ]"}],
            "c": {"d": true}}"#;
        let path = |part: &str, skip: usize| {
            let text = std::str::from_utf8(text).unwrap();
            let before = &text[..text.find(part).unwrap() + skip];
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            path_at(text.as_bytes(), 1 + before.matches('\n').count(), before.len() - line_start)
        };

        assert_eq!(path("{\"a", 0), "");
        assert_eq!(path("[1", 0), "a");
        assert_eq!(path("[1", 2), "a[0]");
        assert_eq!(path("{\"b", 0), "a[1]");
        assert_eq!(path("\"x, ]\"", 6), "a[1].b\n");
        assert_eq!(path("}],", 1), "a[1]");
        assert_eq!(path("}],", 2), "a");
        assert_eq!(path("true", 4), "c.d");
        assert_eq!(path("true", 5), "c");
        assert_eq!(path("true", 6), "");
    }

    #[test]
    fn path_at_accepts_any_text_and_position() {
        for text in [&b""[..], b"]]}", b"\"", b"{\"\xff\":", b"[,,,", b"{\"a\\"] {
            for (line, column) in [(0, 0), (1, 3), (2, 1), (usize::MAX, usize::MAX)] {
                assert!(path_at(text, line, column).len() < 20);
            }
        }
    }
}
