//! Writes the changes between repeated calls as data: one object per row that is new, changed or gone.
//!
//! The input is the rows of two consecutive responses, and their changes. The output is NDJSON, JSON or CSV.

use crypto_intel::catalogue::RecordRow;

use super::changes::{Change, ChangeKind, leaves};
use super::fields::{self, Path};
use super::node::Node;
use super::rows::{columns_of, one_line, shown};
use super::{Format, csv};
use crate::failure::Failure;
use crate::terminal;

/// Writer of the row changes between the responses of a repeated call.
#[derive(Debug)]
pub(crate) struct Events {
    format: Format,
    /// Fields to report. If the list is empty, all fields are reported.
    fields: Vec<Path>,
    record: Option<&'static RecordRow>,
    /// Number of responses so far.
    calls: u64,
    /// Columns of the last written CSV header.
    header: Vec<String>,
}

impl Events {
    pub(crate) fn new(
        format: Format,
        fields: Vec<Path>,
        record: Option<&'static RecordRow>,
    ) -> Self {
        Events { format, fields, record, calls: 0, header: Vec::new() }
    }

    /// Writes the changes between the previous and the next response.
    pub(crate) fn write(
        &mut self,
        changes: &[Change],
        before: &[Node],
        after: &[Node],
        is_list: bool,
    ) -> Result<(), Failure> {
        self.calls += 1;
        let events: Vec<Node> =
            changes.iter().map(|change| self.event(change, before, after)).collect();
        if events.is_empty() {
            return Ok(());
        }

        let text = match self.format {
            Format::Csv => self.csv(&events)?,
            Format::Json if is_list => {
                let lines: Vec<String> = events.iter().map(Node::to_string).collect();
                format!("[\n{}\n]\n", lines.join(",\n"))
            }
            _ => events.iter().map(|event| format!("{}\n", one_line(&event.to_string()))).collect(),
        };
        terminal::print(&shown(&text));
        Ok(())
    }

    fn event(&self, change: &Change, before: &[Node], after: &[Node]) -> Node {
        let (what, row) = match change.what {
            ChangeKind::New => ("new", &after[change.index]),
            ChangeKind::Changed => ("changed", &after[change.index]),
            ChangeKind::Gone => ("gone", &before[change.index]),
        };
        let row = self.projected(row);
        let changed = match change.old {
            Some(old) => leaves(&self.projected(&before[old]), &row),
            None => Vec::new(),
        };
        let changed = changed.into_iter().map(|leaf| {
            let value = |name: &str, node: Option<Node>| Some((name.to_owned(), node?));
            let path = Some(Node::Text(leaf.path));
            let members = [value("path", path), value("old", leaf.old), value("new", leaf.new)];
            Node::Object(members.into_iter().flatten().collect())
        });

        let member = |name: &str, value: Node| (name.to_owned(), value);
        let mut members = vec![
            member("call", Node::Number(self.calls.to_string())),
            member("change", Node::Text(what.to_owned())),
            member("key", Node::Object(change.key.clone())),
            member("changed", Node::List(changed.collect())),
            member("row", row),
        ];
        // CSV omits empty objects, because their columns would be empty.
        members
            .retain(|(_, value)| self.format != Format::Csv || *value != Node::Object(Vec::new()));
        Node::Object(members)
    }

    fn projected(&self, row: &Node) -> Node {
        match self.fields.as_slice() {
            [] => row.clone(),
            paths => Node::parse(&fields::project(row, paths)),
        }
    }

    /// Formats the changes of one response as CSV lines. The header is written again when new columns appear.
    fn csv(&mut self, events: &[Node]) -> Result<String, Failure> {
        let known = match self.header.as_slice() {
            [] => self.expected_columns(events),
            header => header.to_vec(),
        };
        let columns = csv::columns(events, &known);
        let lines = csv::lines(events, &columns)?;
        if columns == self.header {
            return Ok(lines);
        }
        let header = csv::header(&columns)?;
        self.header = columns;
        Ok(header + &lines)
    }

    /// Returns the expected columns of the first CSV header. Some columns describe a change, such as `change` and
    /// `key`. The others are one column per field of `--fields` or of the record type, such as `row.price`. A field
    /// thus has a column even if the first rows do not have the field.
    fn expected_columns(&self, events: &[Node]) -> Vec<String> {
        let has_key = events.iter().any(|event| event.member("key").is_some());
        let own = ["call", "change", "key", "changed"].into_iter();
        let own = own.filter(|name| *name != "key" || has_key).map(str::to_owned);
        let of_row = columns_of(&self.fields, self.record).into_iter();
        own.chain(of_row.map(|name| format!("row.{name}"))).collect()
    }
}
