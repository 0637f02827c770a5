//! Changes as data: one object for each row that is new, changed or gone.

use crypto_intel::catalogue::RecordRow;

use super::changes::{Change, ChangeKind, leaves};
use super::fields::{self, Path};
use super::node::Node;
use super::rows::{columns_of, one_line, shown};
use super::{Format, csv};
use crate::failure::Failure;
use crate::terminal;

/// The events of a call that is repeated.
#[derive(Debug)]
pub(crate) struct Events {
    format: Format,
    /// The members that are wanted; all if there are none.
    fields: Vec<Path>,
    record: Option<&'static RecordRow>,
    /// Answers so far.
    calls: u64,
    /// The columns of CSV that were written last.
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

    /// Writes what the next answer changed.
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
        // A column without anything in it helps nobody.
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

    /// Lines of one table: the header comes once, and again where members come that it lacks.
    fn csv(&mut self, events: &[Node]) -> Result<String, Failure> {
        let known = match self.header.as_slice() {
            [] => self.known(events),
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

    /// The columns that are there whatever the rows hold, so that later rows find theirs.
    fn known(&self, events: &[Node]) -> Vec<String> {
        let has_key = events.iter().any(|event| event.member("key").is_some());
        let own = ["call", "change", "key", "changed"].into_iter();
        let own = own.filter(|name| *name != "key" || has_key).map(str::to_owned);
        let of_row = columns_of(&self.fields, self.record).into_iter();
        own.chain(of_row.map(|name| format!("row.{name}"))).collect()
    }
}
