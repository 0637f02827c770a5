//! What became of rows between two answers: which changed in what, came or went.

use std::collections::HashMap;

use crypto_intel::catalogue::RecordRow;

use super::columns::{Column, ranked};
use super::node::Node;
use super::value::show;

/// The difference of two answers.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Changes {
    /// Lines for rows that changed, with old and new values, and for rows that are gone.
    pub(crate) lines: Vec<String>,
    /// Indexes of rows that were not there.
    pub(crate) new: Vec<usize>,
}

/// What became of the rows. Rows are the same when their names are, or else their identifiers or
/// times. `fields` are the members that matter, all if there are none.
pub(crate) fn between(
    before: &[Node],
    after: &[Node],
    record: Option<&RecordRow>,
    fields: &[String],
) -> Changes {
    let both: Vec<Node> = before.iter().chain(after).cloned().collect();
    let columns = ranked(&both, record);
    let Some(key) = key(before, after, &columns) else {
        // Nothing tells rows apart: those with other members are new.
        let is_new = |index: &usize| !before.contains(&after[*index]);
        return Changes { lines: Vec::new(), new: (0..after.len()).filter(is_new).collect() };
    };

    let mut old: HashMap<String, &Node> = before.iter().map(|row| (key.of(row), row)).collect();
    let mut changes = Changes::default();
    for (index, row) in after.iter().enumerate() {
        let name = key.of(row);
        match old.remove(&name) {
            None => changes.new.push(index),
            Some(old) => {
                let members = members(old, row, &columns, fields);
                if !members.is_empty() {
                    changes.lines.push(line(&name, &members));
                }
            }
        }
    }
    let gone = before.iter().map(|row| key.of(row)).filter(|name| old.contains_key(name));
    changes.lines.extend(gone.map(|name| format!("{name}  is gone")));
    changes
}

/// What tells rows apart.
#[derive(Debug)]
struct Key<'a>(Vec<&'a Column>);

impl Key<'_> {
    /// The row's own value of it, as people read it.
    fn of(&self, row: &Node) -> String {
        let values = self
            .0
            .iter()
            .filter_map(|column| Some(show(row.member(&column.name)?, column.meaning)));
        values.collect::<Vec<_>>().join(" ")
    }
}

/// The shortest key that tells apart the rows of each answer: one row needs none.
fn key<'a>(before: &[Node], after: &[Node], columns: &'a [Column]) -> Option<Key<'a>> {
    if before.len() == 1 && after.len() == 1 {
        return Some(Key(Vec::new()));
    }
    let of = |is: &[fn(&Column) -> bool]| {
        Key(columns.iter().filter(|column| is.iter().any(|is| is(column))).collect())
    };
    let keys = [
        of(&[Column::is_name]),
        of(&[Column::is_name, Column::is_identifier]),
        of(&[Column::is_name, Column::is_identifier, Column::is_time_of_row]),
    ];
    let tells_apart = |key: &Key<'_>, rows: &[Node]| {
        let mut names: Vec<String> = rows.iter().map(|row| key.of(row)).collect();
        names.sort_unstable();
        names.windows(2).all(|pair| pair[0] != pair[1])
    };
    keys.into_iter()
        .find(|key| !key.0.is_empty() && tells_apart(key, before) && tells_apart(key, after))
}

/// The members that differ: name, old value, new value.
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
        (old != new).then(|| (column.name.clone(), shown(old), shown(new)))
    };
    columns.iter().filter(matters).filter_map(differs).collect()
}

fn line(name: &str, members: &[(String, String, String)]) -> String {
    let one = |(member, old, new): &(String, String, String)| match old == new {
        // Rounded they are the same, or the change lies within.
        true => format!("{member} changed"),
        false => format!("{member} {old} → {new}"),
    };
    let members = members.iter().map(one).collect::<Vec<_>>().join(", ");
    if name.is_empty() { members } else { format!("{name}  {members}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(before: &[&str], after: &[&str], fields: &[&str]) -> Changes {
        let rows = |rows: &[&str]| rows.iter().map(|row| Node::parse(row)).collect::<Vec<_>>();
        let fields: Vec<_> = fields.iter().map(|field| (*field).to_owned()).collect();
        between(&rows(before), &rows(after), None, &fields)
    }

    #[test]
    fn rows_are_paired_by_name_and_told_with_old_and_new_values() {
        let before = [
            r#"{"symbol":"BTC","rank":1,"price_usd":1}"#,
            r#"{"symbol":"ETH","rank":2,"price_usd":5}"#,
        ];
        let after = [
            r#"{"symbol":"SOL","rank":1,"price_usd":9}"#,
            r#"{"symbol":"BTC","rank":2,"price_usd":1.5}"#,
        ];
        let found = changes(&before, &after, &[]);
        assert_eq!(found.lines, ["BTC  rank 1 → 2, price_usd $1 → $1.50", "ETH  is gone"]);
        assert_eq!(found.new, [0]);

        let found = changes(&before, &after, &["price_usd"]);
        assert_eq!(found.lines, ["BTC  price_usd $1 → $1.50", "ETH  is gone"]);
        assert_eq!(changes(&before, &before, &[]), Changes::default());
    }

    #[test]
    fn an_only_row_is_the_same_row() {
        let found = changes(&[r#"{"time":"a","value":1}"#], &[r#"{"time":"b","value":2}"#], &[]);
        assert_eq!(
            (found.lines.as_slice(), found.new.len()),
            (&["time a → b, value 1 → 2".to_owned()][..], 0)
        );
    }

    #[test]
    fn rows_of_one_name_are_told_apart_by_their_time_or_not_at_all() {
        let row =
            |time: u32, value: u32| format!(r#"{{"symbol":"A","time":{time},"value":{value}}}"#);
        let (one, two, other) = (row(1, 5), row(2, 5), row(2, 6));
        let found = changes(&[&one, &two], &[&one, &other], &[]);
        assert_eq!((found.lines.len(), found.new.len()), (1, 0), "{found:?}");
        assert!(found.lines[0].ends_with("value 5 → 6"), "{found:?}");

        let found = changes(
            &[r#"{"value":1}"#, r#"{"value":1}"#],
            &[r#"{"value":1}"#, r#"{"value":2}"#],
            &[],
        );
        assert_eq!((found.lines.len(), found.new), (0, vec![1]));
    }
}
