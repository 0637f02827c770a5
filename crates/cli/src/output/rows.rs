//! Writes rows. JSON and NDJSON rows are written as soon as they arrive. Other formats, charts, `--where`, `--sort` and
//! `--jq` need all rows, so the writer collects the rows first.
//!
//! The input is rows as JSON text. The output is text on standard output in the selected format.

use crypto_intel::catalogue::RecordRow;
use serde_json::Value;

use super::fields::Path;
use super::find_series::{self, RequestedChart};
use super::node::Node;
use super::{Options, chart, csv, fields, jq, table};
use crate::failure::Failure;
use crate::format::Format;
use crate::terminal;

/// Writer of the rows of one response.
#[derive(Debug)]
pub(crate) struct Rows {
    options: Options,
    record: Option<&'static RecordRow>,
    is_list: bool,
    meta: Value,
    order: Vec<String>,
    /// Rows that are collected until the last row has arrived. Only then are `--where` and `--sort` applied to them.
    unselected: Vec<String>,
    /// Rows that are collected until the last row has arrived. Only then are they written.
    kept: Vec<String>,
    /// Number of rows that `--where` has selected so far, including rows beyond the maximum number of written rows.
    seen: u64,
    written: usize,
}

impl Rows {
    pub(crate) fn start(options: Options, record: Option<&'static RecordRow>) -> Self {
        Rows {
            options,
            record,
            is_list: true,
            meta: Value::Null,
            order: Vec::new(),
            unselected: Vec::new(),
            kept: Vec::new(),
            seen: 0,
            written: 0,
        }
    }

    /// Sets whether the response is a list of rows or a single value.
    pub(crate) fn is_list(&mut self, is_list: bool) {
        self.is_list = is_list;
    }

    /// Sets the order of the columns, for responses that define a column order, such as query results.
    pub(crate) fn in_order<T: Into<String>>(&mut self, columns: impl IntoIterator<Item = T>) {
        self.order = columns.into_iter().map(Into::into).collect();
    }

    /// Sets the metadata of the response.
    pub(crate) fn meta(&mut self, meta: Value) {
        self.meta = meta;
    }

    /// Returns true if the writer prints each row as soon as it arrives.
    pub(crate) fn prints_at_once(&self) -> bool {
        let needs_all =
            self.options.has_selection() || self.options.jq.is_some() || self.is_drawn();
        matches!(self.options.format, Format::Json | Format::Ndjson) && !needs_all
    }

    /// Adds a row that `cintel` itself created.
    pub(crate) fn push_value(&mut self, row: &impl serde::Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(row);
        self.push(&text.map_err(|error| Failure::usage(error.to_string()))?)
    }

    /// Adds a row as JSON text, as the service sent it.
    pub(crate) fn push(&mut self, row: &str) -> Result<(), Failure> {
        if self.options.has_selection() {
            self.unselected.push(row.to_owned());
            return Ok(());
        }
        self.write(row)
    }

    fn write(&mut self, row: &str) -> Result<(), Failure> {
        self.seen += 1;
        if self.options.limit.is_some_and(|limit| self.seen > limit) {
            return Ok(());
        }
        let row = match self.options.fields.as_slice() {
            [] => row.to_owned(),
            paths => fields::project(&Node::parse(row), paths),
        };
        if self.options.jq.is_some() || self.is_drawn() {
            self.kept.push(row);
            return Ok(());
        }

        match self.options.format {
            Format::Table | Format::Csv | Format::Compact => self.kept.push(row),
            Format::Ndjson => terminal::print(&format!("{}\n", shown(&one_line(&row)))),
            Format::Json if self.is_list => {
                let before = if self.written == 0 { "[\n" } else { ",\n" };
                terminal::print(&format!("{before}{}", shown(&line_feeds(&row))));
            }
            Format::Json => terminal::print(&format!("{}\n", shown(&line_feeds(&row)))),
        }
        self.written += 1;
        Ok(())
    }

    /// Writes the collected rows, and the text that ends the output, such as `]` after a list in JSON.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        for row in self.options.selection.apply(std::mem::take(&mut self.unselected)) {
            self.write(&row)?;
        }
        if let Some(program) = &self.options.jq {
            return self.filter(program);
        }
        if self.is_drawn() {
            return self.draw();
        }

        match self.options.format {
            Format::Json if self.is_list => {
                terminal::print(if self.written == 0 { "[]\n" } else { "\n]\n" });
                Ok(())
            }
            Format::Json | Format::Ndjson => Ok(()),
            Format::Csv => self.write_csv(),
            Format::Compact => {
                let rows = std::mem::take(&mut self.kept);
                let has_fields = !self.options.fields.is_empty();
                let text = compact(rows, self.is_list, has_fields);
                terminal::print(&format!("{}\n", shown(&text)));
                Ok(())
            }
            Format::Table => {
                self.write_table();
                Ok(())
            }
        }
    }

    fn filter(&self, program: &str) -> Result<(), Failure> {
        let input = match self.is_list {
            true => format!("[{}]", self.kept.join(",")),
            false => self.kept.join("\n"),
        };
        let fields = self.record.into_iter().flat_map(|record| record.fields);
        let members: Vec<_> = fields.map(|field| field.name).collect();
        jq::run(program, &input, &members, |line| terminal::print(&format!("{}\n", shown(line))))
    }

    fn write_csv(&self) -> Result<(), Failure> {
        let header = match (self.options.fields.is_empty(), self.order.as_slice()) {
            (true, order @ [_, ..]) => order.to_vec(),
            _ => columns_of(&self.options.fields, self.record),
        };
        terminal::print(&shown(&csv::write(&self.nodes(), &header)?));
        Ok(())
    }

    fn write_table(&self) {
        let look = table::Look {
            width: terminal::width(),
            record: self.record,
            fields: self.options.fields.iter().map(Path::to_string).collect(),
            order: self.order.clone(),
            why_empty: self.meta.get("empty_reason").and_then(Value::as_str),
        };
        let rows = self.nodes();
        let text = match (self.is_list, rows.as_slice()) {
            (false, [one]) => table::of_one(one, &look),
            _ => table::of_list(&rows, &look),
        };
        terminal::print(&table::emphasised(&terminal::escape_controls(&text), self.is_list));
    }

    fn is_drawn(&self) -> bool {
        self.options.chart.is_some() || self.options.plot.is_some()
    }

    fn draw(&self) -> Result<(), Failure> {
        let wanted = RequestedChart {
            kind: self.options.chart.unwrap_or_default(),
            figures: self.options.figures.clone(),
        };
        let series = find_series::find(&self.nodes(), self.record, &wanted)?;
        if self.options.chart.is_some() {
            let text = chart::draw(&series, &self.options.title, terminal::width());
            let text = terminal::escape_controls(&text);
            terminal::print(&match terminal::has_color() {
                true => chart::coloured(&text, &series),
                false => text,
            });
        }
        #[cfg(feature = "plot")]
        if let Some(path) = &self.options.plot {
            super::plot::write(&series, &self.options.title, path, &self.options.theme)?;
            terminal::note(&format!("the image is in {}", path.display()));
        }
        Ok(())
    }

    fn nodes(&self) -> Vec<Node> {
        self.kept.iter().map(|row| Node::parse(row)).collect()
    }
}

/// Formats rows as compact JSON on one line, like results of the MCP server. Without `all_fields`, the function omits
/// fields such as image URLs and links, and shortens long texts.
#[cfg(feature = "agents")]
fn compact(rows: Vec<String>, is_list: bool, all_fields: bool) -> String {
    let json = |row: String| serde_json::value::RawValue::from_string(one_line(&row)).ok();
    let rows: Vec<_> = rows.into_iter().filter_map(json).collect();
    crypto_intel_mcp::compact_rows(&rows, is_list, all_fields).get().to_owned()
}

/// Replaces the function that formats rows in the compact format. Builds without the feature `agents` do not offer this
/// format, so the function is never called.
#[cfg(not(feature = "agents"))]
fn compact(rows: Vec<String>, _: bool, _: bool) -> String {
    format!("[{}]", rows.join(","))
}

/// Returns the expected columns of CSV output: the requested fields, or all fields of the record if no fields are
/// requested.
pub(super) fn columns_of(paths: &[Path], record: Option<&'static RecordRow>) -> Vec<String> {
    match (paths, record) {
        ([], Some(record)) => record.fields.iter().map(|field| field.name.to_owned()).collect(),
        (paths, _) => paths.iter().map(Path::to_string).collect(),
    }
}

/// Replaces line breaks in JSON text by spaces. Line breaks inside JSON strings are always escaped, so only the layout
/// changes.
pub(super) fn one_line(json: &str) -> String {
    json.replace(['\n', '\r'], " ")
}

/// Replaces carriage returns in JSON text by spaces. Otherwise the function [`shown`] would write them as `\u000d`,
/// which is invalid between JSON values. Carriage returns inside JSON strings are always escaped, so only the layout
/// changes.
fn line_feeds(json: &str) -> String {
    json.replace('\r', " ")
}

/// If standard output is a terminal, escapes control characters and some invisible characters, for example as `\u001b`.
/// Otherwise returns the text unchanged. JSON strings keep their meaning, because JSON has the same escapes.
pub(super) fn shown(text: &str) -> String {
    match terminal::stdout_is_terminal() {
        true => terminal::escaped(text),
        false => text.to_owned(),
    }
}
