//! Compares the rows of two responses, and lists the rows that are new, changed or gone.
//!
//! The input is the rows of the earlier and the later response, and the record type of the rows. The output is one
//! [`Change`] per row that differs.

use std::collections::HashMap;

use crypto_intel::catalogue::RecordRow;

use super::cell::show;
use super::columns::{Column, ranked};
use super::node::Node;

/// Difference of one row between an earlier and a later response.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub(crate) what: ChangeKind,
    /// Names and values of the fields that identify the row. Empty if each response has at most one row, or if
    /// rows have no unique key.
    pub(crate) key: Vec<(String, Node)>,
    /// Index of the row in the later response, or in the earlier response if the row is gone.
    pub(crate) index: usize,
    /// Index of the row in the earlier response, if the row changed.
    pub(crate) old: Option<usize>,
    /// Description of the change on one line, or `None` for a new row. For a changed row, the description lists the
    /// columns that differ. If no column differs, the description lists the JSON values that differ: for example, a
    /// null field is now missing. For a row that is gone, the description is the row and `is gone`.
    pub(crate) line: Option<String>,
}

/// Kind of a difference between an earlier and a later response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    New,
    Changed,
    Gone,
}

/// Compares the rows of an earlier and a later response. The result first lists new and changed rows in the order of
/// the later response, then the rows that are gone.
///
/// Rows of the two responses are paired by the values of their name columns, such as `symbol`. If these values are not
/// unique, the values of identifier and time columns are used too. If each response has at most one row, these rows are
/// always paired.
///
/// No rows are paired if they have none of these columns, or if two rows of one response have equal values in all of
/// these columns. A changed row is then reported as one row that is gone and one row that is new.
///
/// Only the fields in the list `fields` are compared. If the list is empty, all fields are compared.
pub(crate) fn between(
    before: &[Node],
    after: &[Node],
    record: Option<&RecordRow>,
    fields: &[String],
) -> Vec<Change> {
    let both: Vec<Node> = before.iter().chain(after).cloned().collect();
    let columns = ranked(&both, record);
    let Some(key) = key(before, after, &columns) else { return by_content(before, after, fields) };

    let old = before.iter().enumerate().map(|(index, row)| (key.name(row), index));
    let mut old: HashMap<String, usize> = old.collect();
    let mut changes = Vec::new();
    for (index, row) in after.iter().enumerate() {
        let name = key.name(row);
        let change = |what, old, line| Change { what, key: key.values(row), index, old, line };
        match old.remove(&name) {
            None => changes.push(change(ChangeKind::New, None, None)),
            Some(old) if is_same(&before[old], row, fields) => {}
            Some(old) => {
                let line = line(&name, &members(&before[old], row, &columns, fields));
                changes.push(change(ChangeKind::Changed, Some(old), Some(line)));
            }
        }
    }

    let gone = before.iter().enumerate().filter(|(_, row)| old.contains_key(&key.name(row)));
    changes.extend(gone.map(|(index, row)| {
        let name = match key.0.as_slice() {
            [] => shortened(&compared(row, fields)),
            _ => key.name(row),
        };
        let line = Some(format!("{name}  is gone"));
        Change { what: ChangeKind::Gone, key: key.values(row), index, old: None, line }
    }));
    changes
}

/// Compares rows that have no key. A changed row is reported as one row that is gone and one row that is new. Equal
/// rows are counted: if the earlier response has three rows `a` and the later response has one, two rows are gone.
fn by_content(before: &[Node], after: &[Node], fields: &[String]) -> Vec<Change> {
    let only_in = |rows: &[Node], others: &[Node], what: ChangeKind| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for other in others {
            *counts.entry(sorted(&compared(other, fields))).or_default() += 1;
        }
        let mut changes = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let row = compared(row, fields);
            match counts.get_mut(&sorted(&row)) {
                Some(count) if *count > 0 => *count -= 1,
                _ => {
                    let is_gone = what == ChangeKind::Gone;
                    let line = is_gone.then(|| format!("{}  is gone", shortened(&row)));
                    changes.push(Change { what, key: Vec::new(), index, old: None, line });
                }
            }
        }
        changes
    };
    let mut changes = only_in(after, before, ChangeKind::New);
    changes.extend(only_in(before, after, ChangeKind::Gone));
    changes
}

/// Returns a JSON object that contains only the fields of the row that are in the list `fields`. If the list is empty,
/// returns the whole row.
fn compared(row: &Node, fields: &[String]) -> Node {
    if fields.is_empty() {
        return row.clone();
    }
    let member = |field: &String| {
        let path: Vec<&str> = field.split('.').collect();
        (field.clone(), row.at_path(&path).unwrap_or(Node::Null))
    };
    Node::Object(fields.iter().map(member).collect())
}

/// Returns the JSON of a value, with the fields of objects in alphabetical order. Two values count as equal if this
/// function returns the same JSON for both.
fn sorted(value: &Node) -> String {
    match value {
        Node::Object(members) => {
            let mut members: Vec<_> =
                members.iter().map(|(name, value)| format!("{name:?}:{}", sorted(value))).collect();
            members.sort_unstable();
            format!("{{{}}}", members.join(","))
        }
        Node::List(items) => {
            format!("[{}]", items.iter().map(sorted).collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}

/// Returns the JSON of a row, cut off after 80 characters.
fn shortened(row: &Node) -> String {
    let json = row.to_string();
    match json.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &json[..end]),
        None => json,
    }
}

/// Key of the rows in a list: the columns whose values identify a row.
#[derive(Debug)]
struct RowKey<'a>(Vec<&'a Column>);

impl RowKey<'_> {
    /// Returns the names and values of the key columns in a row.
    fn values(&self, row: &Node) -> Vec<(String, Node)> {
        let value =
            |column: &&Column| Some((column.name.clone(), row.member(&column.name)?.clone()));
        self.0.iter().filter_map(value).collect()
    }

    /// Returns the values of the key columns in a row as one text, separated by spaces.
    fn name(&self, row: &Node) -> String {
        let values = self
            .0
            .iter()
            .filter_map(|column| Some(show(row.member(&column.name)?, column.meaning)));
        values.collect::<Vec<_>>().join(" ")
    }
}

/// Returns the first key that distinguishes all rows within each response: the name columns, then the name and
/// identifier columns, then the name, identifier and time columns. Returns `None` if no key distinguishes the rows. If
/// each response has at most one row, the key is empty.
fn key<'a>(before: &[Node], after: &[Node], columns: &'a [Column]) -> Option<RowKey<'a>> {
    if before.len() <= 1 && after.len() <= 1 {
        return Some(RowKey(Vec::new()));
    }
    let columns_that_are = |is: &[fn(&Column) -> bool]| {
        RowKey(columns.iter().filter(|column| is.iter().any(|is| is(column))).collect())
    };
    let keys = [
        columns_that_are(&[Column::is_name]),
        columns_that_are(&[Column::is_name, Column::is_identifier]),
        columns_that_are(&[Column::is_name, Column::is_identifier, Column::is_time_of_row]),
    ];
    let tells_apart = |key: &RowKey<'_>, rows: &[Node]| {
        let mut names: Vec<String> = rows.iter().map(|row| key.name(row)).collect();
        names.sort_unstable();
        names.windows(2).all(|pair| pair[0] != pair[1])
    };
    keys.into_iter()
        .find(|key| !key.0.is_empty() && tells_apart(key, before) && tells_apart(key, after))
}

/// Returns true if two rows have equal values in the compared fields. The order of the fields does not matter.
fn is_same(before: &Node, after: &Node, fields: &[String]) -> bool {
    leaves(&compared(before, fields), &compared(after, fields)).is_empty()
}

/// Returns the columns in which two rows differ. Each item has the name, the old text and the new text of one column.
/// If no column differs, each item is a JSON value that differs, with the path of the value as its name.
fn members(
    before: &Node,
    after: &Node,
    columns: &[Column],
    fields: &[String],
) -> Vec<(String, String, String)> {
    let matters = |column: &&Column| {
        let is_of = |field: &String| field.split('.').next() == Some(column.name.as_str());
        fields.is_empty() || fields.iter().any(is_of)
    };
    let differs = |column: &Column| {
        let nothing = Node::Null;
        let old = before.member(&column.name).unwrap_or(&nothing);
        let new = after.member(&column.name).unwrap_or(&nothing);
        let shown = |node| show(node, column.meaning);
        (sorted(old) != sorted(new)).then(|| (column.name.clone(), shown(old), shown(new)))
    };
    let members: Vec<_> = columns.iter().filter(matters).filter_map(differs).collect();
    if !members.is_empty() {
        return members;
    }

    let json =
        |node: Option<Node>| node.map_or_else(|| "missing".to_owned(), |node| shortened(&node));
    let leaves = leaves(&compared(before, fields), &compared(after, fields));
    leaves.into_iter().map(|leaf| (leaf.path, json(leaf.old), json(leaf.new))).collect()
}

fn line(name: &str, members: &[(String, String, String)]) -> String {
    let one = |(member, old, new): &(String, String, String)| match old == new {
        // Old and new value round to the same text, or the difference is in a nested value.
        true => format!("{member} changed"),
        // A row that is not a JSON object has no name.
        false if member.is_empty() => format!("{old} → {new}"),
        false => format!("{member} {old} → {new}"),
    };
    let members = members.iter().map(one).collect::<Vec<_>>().join(", ");
    if name.is_empty() { members } else { format!("{name}  {members}") }
}

/// Value that differs between two versions of a row: its path in the row, its old and its new value. The old or new
/// value is `None` if that version of the row does not have the field.
#[derive(Debug, PartialEq)]
pub(crate) struct Leaf {
    pub(crate) path: String,
    pub(crate) old: Option<Node>,
    pub(crate) new: Option<Node>,
}

/// Returns the values in which two rows differ. Numbers are compared by their text, so `1.0` and `1.00` differ. Objects
/// are compared field by field, and lists are compared as a whole.
pub(crate) fn leaves(before: &Node, after: &Node) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect("", Some(before), Some(after), &mut found);
    found
}

fn collect(path: &str, old: Option<&Node>, new: Option<&Node>, found: &mut Vec<Leaf>) {
    if let (Some(Node::Object(before)), Some(Node::Object(after))) = (old, new) {
        let below = |name: &str| match path {
            "" => name.to_owned(),
            _ => format!("{path}.{name}"),
        };
        for (name, value) in after {
            collect(&below(name), old.and_then(|old| old.member(name)), Some(value), found);
        }
        for (name, value) in before {
            if new.is_some_and(|new| new.member(name).is_none()) {
                collect(&below(name), Some(value), None, found);
            }
        }
        return;
    }
    if old.map(sorted) != new.map(sorted) {
        found.push(Leaf { path: path.to_owned(), old: old.cloned(), new: new.cloned() });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn changes(before: &[&str], after: &[&str], fields: &[&str]) -> Vec<Change> {
        let rows = |rows: &[&str]| rows.iter().map(|row| Node::parse(row)).collect::<Vec<_>>();
        let fields: Vec<_> = fields.iter().map(|field| (*field).to_owned()).collect();
        between(&rows(before), &rows(after), None, &fields)
    }

    fn lines(changes: &[Change]) -> Vec<&str> {
        changes.iter().filter_map(|change| change.line.as_deref()).collect()
    }

    fn new(changes: &[Change]) -> Vec<usize> {
        let new = changes.iter().filter(|change| change.what == ChangeKind::New);
        new.map(|change| change.index).collect()
    }

    #[test]
    fn changed_rows_show_old_and_new_values() {
        let before = [
            r#"{"symbol":"BTC","rank":1,"price_usd":1}"#,
            r#"{"symbol":"ETH","rank":2,"price_usd":5}"#,
        ];
        let after = [
            r#"{"symbol":"SOL","rank":1,"price_usd":9}"#,
            r#"{"symbol":"BTC","rank":2,"price_usd":1.5}"#,
        ];
        let found = changes(&before, &after, &[]);
        assert_eq!(lines(&found), ["BTC  rank 1 → 2, price_usd $1 → $1.50", "ETH  is gone"]);
        assert_eq!(new(&found), [0]);
        assert_eq!(found[1].key, [("symbol".to_owned(), Node::Text("BTC".to_owned()))]);

        let found = changes(&before, &after, &["price_usd"]);
        assert_eq!(lines(&found), ["BTC  price_usd $1 → $1.50", "ETH  is gone"]);
        assert_eq!(changes(&before, &before, &[]), []);
        // A row counts as unchanged if only fields outside the comparison differ.
        assert_eq!(
            changes(&before[..1], &[r#"{"symbol":"BTC","rank":7,"price_usd":1}"#], &["price_usd"]),
            []
        );
    }

    #[test]
    fn an_only_row_is_the_same_row() {
        let found = changes(&[r#"{"time":"a","value":1}"#], &[r#"{"time":"b","value":2}"#], &[]);
        assert_eq!((lines(&found), new(&found)), (vec!["time a → b, value 1 → 2"], vec![]));
        assert!(found[0].key.is_empty());
        assert_eq!(new(&changes(&[], &[r#"{"value":2}"#], &[])), [0]);
    }

    #[test]
    fn each_changed_row_has_a_line() {
        for (before, after, expected) in [
            ("1", "2", "1 → 2"),
            (r#"{"value":1,"note":null}"#, r#"{"value":1}"#, "note null → missing"),
            (r#"{"value":1,"note":""}"#, r#"{"value":1,"note":null}"#, r#"note "" → null"#),
        ] {
            assert_eq!(lines(&changes(&[before], &[after], &[])), [expected]);
        }
    }

    #[test]
    fn rows_that_no_key_distinguishes_are_counted() {
        let before = [r#"{"v":1}"#, r#"{"v":1}"#, r#"{"v":2}"#];
        let found = changes(&before, &[r#"{"v":1}"#, r#"{"v":1}"#, r#"{"v":3}"#], &[]);
        assert_eq!((lines(&found), new(&found)), (vec![r#"{"v":2}  is gone"#], vec![2]));

        let found = changes(&before, &[r#"{"v":1}"#, r#"{"v":2}"#], &[]);
        assert_eq!(lines(&found), [r#"{"v":1}  is gone"#]);

        let before = [r#"{"v":1,"w":1}"#, r#"{"v":1,"w":2}"#];
        let found = changes(&before, &[r#"{"w":9,"v":1}"#, r#"{"v":1,"w":2}"#], &["v"]);
        assert_eq!(found, []);
        let found = changes(&before, &[r#"{"v":1,"w":1}"#], &["v"]);
        assert_eq!(lines(&found), [r#"{"v":1}  is gone"#]);

        let long = format!(r#"{{"v":"{}"}}"#, "é".repeat(200));
        let found = changes(&[&long, &long], &[], &[]);
        assert!(lines(&found)[0].ends_with("éé…  is gone"), "{:?}", lines(&found));
    }

    #[test]
    fn rows_with_equal_names_are_paired_by_time() {
        let row =
            |time: u32, value: u32| format!(r#"{{"symbol":"A","time":{time},"value":{value}}}"#);
        let (one, two, other) = (row(1, 5), row(2, 5), row(2, 6));
        let found = changes(&[&one, &two], &[&one, &other], &[]);
        assert_eq!((lines(&found).len(), new(&found).len()), (1, 0), "{found:?}");
        assert!(lines(&found)[0].ends_with("value 5 → 6"), "{found:?}");

        let (same, other) = (r#"{"value":1}"#, r#"{"value":2}"#);
        let found = changes(&[same, same], &[same, other], &[]);
        assert_eq!((lines(&found), new(&found)), (vec![r#"{"value":1}  is gone"#], vec![1]));
        let found = changes(&[same, other], &[same, same], &[]);
        assert_eq!((lines(&found), new(&found)), (vec![r#"{"value":2}  is gone"#], vec![1]));
    }

    #[test]
    fn values_that_differ_have_their_path() {
        let before = Node::parse(r#"{"a":1.0,"b":{"c":null,"d":[1]},"gone":2,"e":5}"#);
        let after = Node::parse(r#"{"e":5,"a":1.00,"b":{"d":[1,2],"c":3},"come":{"x":1}}"#);
        let found: Vec<_> = leaves(&before, &after)
            .into_iter()
            .map(|leaf| {
                let text = |node: Option<Node>| node.map(|node| node.to_string());
                (leaf.path, text(leaf.old), text(leaf.new))
            })
            .collect();

        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            found,
            [
                ("a".to_owned(), some("1.0"), some("1.00")),
                ("b.d".to_owned(), some("[1]"), some("[1,2]")),
                ("b.c".to_owned(), some("null"), some("3")),
                ("come".to_owned(), None, some(r#"{"x":1}"#)),
                ("gone".to_owned(), some("2"), None),
            ]
        );
        assert!(leaves(&before, &before).is_empty());
        let after = Node::parse(r#"{"list":[{"b":2,"a":1}]}"#);
        assert!(leaves(&Node::parse(r#"{"list":[{"a":1,"b":2}]}"#), &after).is_empty());
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf =
            prop_oneof![Just(serde_json::Value::Null), (0..4).prop_map(serde_json::Value::from)];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(serde_json::Value::from),
                prop::collection::btree_map("[a-c]", inner, 0..4)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// Checks that [`leaves`] is empty if and only if two JSON values are equal. Also checks that exchanging the
        /// arguments exchanges the old and new values.
        #[test]
        fn nothing_that_differs_is_left_out(before in json(), after in json()) {
            let (old, new) = (Node::parse(&before.to_string()), Node::parse(&after.to_string()));
            let there = leaves(&old, &new);
            prop_assert_eq!(there.is_empty(), before == after);
            let back = leaves(&new, &old);
            prop_assert_eq!(back.len(), there.len());
            for leaf in back {
                let turned = Leaf { old: leaf.new, new: leaf.old, ..leaf };
                prop_assert!(there.contains(&turned), "{:?}", turned);
            }
        }
    }
}
