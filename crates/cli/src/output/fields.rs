//! Option `--fields`: selects fields of rows by paths such as `symbol` or `profile.name`.

use std::fmt;

use crypto_intel::catalogue::{RecordRow, Type};
use crypto_intel_api::generated::tables;

use super::cell::is_metric;
use super::node::Node;
use crate::closest::closest;
use crate::failure::Failure;

/// Path of a field in a row, as a list of field names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path(Vec<String>);

impl Path {
    /// Parses a comma-separated list of field paths, such as `symbol,profile.name`.
    pub(crate) fn list(text: &str) -> Result<Vec<Path>, Failure> {
        text.split(',').map(|path| Path::parse(path.trim())).collect()
    }

    /// Parses one field path, such as `profile.name`.
    pub(crate) fn parse(text: &str) -> Result<Path, Failure> {
        let parts: Vec<_> = text.split('.').map(str::to_owned).collect();
        match parts.iter().any(String::is_empty) {
            true => Err(Failure::usage(format!("the name of a field is empty in `{text}`"))
                .next("separate names with commas, and nested names with dots: a,b.c")),
            false => Ok(Path(parts)),
        }
    }

    /// Returns the value at this path in a row. For a figure of a financial statement, returns only the content of the
    /// field `value`: 3 for `{"value":3,"status":"available"}`.
    pub(crate) fn value(&self, row: &Node) -> Option<Node> {
        let value = row.at_path(&self.parts())?;
        match is_metric(&value) {
            true => value.member("value").cloned(),
            false => Some(value),
        }
    }

    fn parts(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }

    /// Returns the type of the field at this path in `record`. Returns `None` if the path leads into arbitrary JSON or
    /// another value without described fields.
    ///
    /// # Errors
    /// Returns an error if the record, or a nested record on the path, does not have the field.
    pub(crate) fn check(&self, record: &'static RecordRow) -> Result<Option<Type>, Failure> {
        let mut record = record;
        for (index, part) in self.0.iter().enumerate() {
            let Some(field) = record.fields.iter().find(|field| field.name == *part) else {
                return Err(unknown(part, record));
            };
            if index + 1 == self.0.len() {
                return Ok(Some(field.ty));
            }
            match inner(field.ty).and_then(tables::record) {
                Some(below) => record = below,
                // The catalogue does not describe fields inside this type.
                None => return Ok(None),
            }
        }
        Ok(None)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

fn inner(ty: Type) -> Option<&'static str> {
    match ty {
        Type::Record(name) => Some(name),
        Type::List(of) => inner(*of),
        _ => None,
    }
}

fn unknown(part: &str, record: &RecordRow) -> Failure {
    let names: Vec<_> = record.fields.iter().map(|field| field.name).collect();
    let failure = Failure::usage(format!("rows of `{}` have no field `{part}`", record.name));
    match closest(part, names.iter().copied()) {
        Some(meant) => failure.next(format!(
            "did you mean `{meant}`? For a field that this release does not know, use `--jq .[].{part}`"
        )),
        None => failure.next(format!("the fields are {}", names.join(", "))),
    }
}

/// Returns a JSON object that contains only the fields of `row` at the given `paths`. Nested fields stay nested.
/// Missing fields are null.
pub(crate) fn project(row: &Node, paths: &[Path]) -> String {
    let mut projected = Node::Object(Vec::new());
    for path in paths {
        let parts = path.parts();
        let value = row.at_path(&parts).unwrap_or(Node::Null);
        set_field(&mut projected, &parts, value);
    }
    projected.to_string()
}

fn set_field(target: &mut Node, path: &[&str], value: Node) {
    let (Node::Object(members), Some((name, rest))) = (target, path.split_first()) else { return };
    let index = members.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
        members.push(((*name).to_owned(), Node::Object(Vec::new())));
        members.len() - 1
    });
    match rest {
        [] => members[index].1 = value,
        _ => set_field(&mut members[index].1, rest, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_the_order_asked_for() {
        let row = Node::parse(r#"{"a":1.50,"b":{"c":[{"d":1},{"d":2},{}],"e":null}}"#);
        for (paths, expected) in [
            ("b.c.d,a", r#"{"b":{"c":{"d":[1,2]}},"a":1.50}"#),
            ("a,none", r#"{"a":1.50,"none":null}"#),
            ("b.e", r#"{"b":{"e":null}}"#),
        ] {
            assert_eq!(project(&row, &Path::list(paths).expect(paths)), expected);
        }
        assert!(Path::list("a,,b").is_err());
    }
}
