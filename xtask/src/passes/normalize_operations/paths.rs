//! Normalizes the paths of a document. Afterwards, each path begins with `/`, is percent-encoded, and contains
//! exactly one parameter name in each pair of braces.

use serde_json::{Map, Value};

use crate::fault::Fault;
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::escape;

pub(super) fn paths(document: &mut Value, report: &mut Report) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    let mut settled: Map<String, Value> = Map::new();
    for (path, item) in std::mem::take(paths) {
        let place = format!("/paths/{}", escape(&path));
        let at = origin::location(&item, &place);
        if path.starts_with("x-") {
            continue;
        }
        if path.matches('{').count() != path.matches('}').count() || path.contains("{}") {
            report.refuse(
                Fault::at(
                    at,
                    format!("the braces in the path `{path}` are unbalanced or empty"),
                    "write each parameter of a path as `{name}`",
                )
                .settled_by("remove: true"),
            );
            continue;
        }

        let plain = encoded(&path);
        if plain != path {
            report.note(
                Change::Decided,
                format!("the client sends the path `{path}` as `{plain}`"),
                place,
            );
        }
        if settled.contains_key(&plain) {
            report.refuse(
                Fault::at(
                    at,
                    format!("the path `{plain}` is described twice"),
                    "remove one of the two path items",
                )
                .settled_by("remove: true"),
            );
            continue;
        }
        settled.insert(plain, item);
    }
    *paths = settled;
}

/// Percent-encodes a path, except for the parameter names in braces.
fn encoded(path: &str) -> String {
    // A URL fragment is never sent to a server. Some documents use fragments to distinguish operations, so the fragment
    // stays until the operations are read.
    let mut plain = if path.starts_with('/') { String::new() } else { "/".to_owned() };
    let mut name = false;
    for c in path.chars() {
        name = c == '{' || (name && c != '}');
        let odd = !c.is_ascii_graphic() || matches!(c, '"' | '<' | '>' | '\\' | '`' | '^' | '|');
        if odd && !name {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                plain.push_str(&format!("%{byte:02X}"));
            }
        } else {
            plain.push(c);
        }
    }
    plain
}

/// Writes the prefixes of the parameter styles `label` and `matrix` into the path: `/{id}` becomes `/.{id}` or
/// `/;id={id}`.
pub(super) fn styles(document: &mut Value) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for (path, item) in std::mem::take(paths) {
        let mut written = path.clone();
        let mut signs = Vec::new();
        for operation in item.as_object().into_iter().flat_map(Map::values) {
            let parameters = operation.get("parameters").and_then(Value::as_array);
            for parameter in parameters.into_iter().flatten() {
                let name = parameter.get("name").and_then(Value::as_str).unwrap_or_default();
                match parameter.get("x-path-style").and_then(Value::as_str) {
                    Some("label") => signs.push((name.to_owned(), ".".to_owned())),
                    Some("matrix") => signs.push((name.to_owned(), format!(";{name}="))),
                    _ => {}
                }
            }
        }
        signs.dedup();
        for (name, sign) in signs {
            let braces = format!("{{{name}}}");
            if !written.contains(&format!("{sign}{braces}")) {
                written = written.replace(&braces, &format!("{sign}{braces}"));
            }
        }
        paths.insert(written, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_they_are_called() {
        for (path, plain) in [
            ("/a/{b c}/d", "/a/{b c}/d"),
            ("a b", "/a%20b"),
            ("/é", "/%C3%A9"),
            ("/a?b=c", "/a?b=c"),
            ("/#Action=Run", "/#Action=Run"),
        ] {
            assert_eq!(encoded(path), plain);
        }
    }
}
