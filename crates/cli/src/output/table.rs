//! Draws tables that fit the width of the terminal.
//!
//! The input is rows, their record type and the requested fields. The output is text. A line below the table lists the
//! columns that do not fit.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle,
    Width as ComfyWidth, presets,
};
use crypto_intel::catalogue::{RecordRow, Type};
use crypto_intel_api::generated::tables;
use unicode_width::UnicodeWidthStr;

use super::cell::{Meaning, is_metric, meaning, show};
use super::columns::{Column, ranked};
use super::node::Node;
use crate::terminal;

/// Settings for drawing rows as a table in the terminal.
#[derive(Debug)]
pub(crate) struct Look<'a> {
    /// Width of the terminal in columns.
    pub(crate) width: usize,
    pub(crate) record: Option<&'static RecordRow>,
    /// Requested fields. If empty, the table selects its columns automatically.
    pub(crate) fields: Vec<String>,
    /// Order of the columns, if the response defines one. Otherwise this list is empty.
    pub(crate) order: Vec<String>,
    /// Reason that the service sent for an empty list of rows.
    pub(crate) why_empty: Option<&'a str>,
}

/// Maximum width of a table cell, in terminal columns. Longer texts are cut, unless the user selects the fields with
/// `--fields`.
const LONGEST: usize = 44;

/// Maximum number of rows that are shown for a nested list. For longer lists, a note shows the number of hidden rows.
const INNER_ROWS: usize = 20;

/// Draws rows as a table. A note below the table lists the columns that do not fit.
pub(crate) fn of_list(rows: &[Node], look: &Look<'_>) -> String {
    if rows.is_empty() {
        return match look.why_empty {
            Some(why) => format!("no rows: {}\n", why.replace('_', " ")),
            None => "no rows\n".to_owned(),
        };
    }
    if rows.iter().any(|row| !matches!(row, Node::Object(_))) {
        let lines: Vec<_> = rows.iter().map(|row| show(row, Meaning::Text)).collect();
        return format!("{}\n", lines.join("\n"));
    }
    if !look.fields.is_empty() {
        return drawn(rows, &requested_columns(rows, look), look.width, None);
    }

    // A single row that contains a list of objects is drawn like a single object.
    if let [row @ Node::Object(members)] = rows
        && members.iter().any(|(_, value)| is_list_of_objects(value))
    {
        return of_one(row, look);
    }

    let mut columns = ranked(rows, look.record);
    if !look.order.is_empty() {
        let place = |column: &Column| look.order.iter().position(|name| *name == column.name);
        columns.sort_by_key(|column| place(column).unwrap_or(usize::MAX));
    }
    let (shown, left_out) = fitting(rows, columns, look.width);
    let mut text = drawn(rows, &shown, look.width, Some(LONGEST));
    if !left_out.is_empty() {
        let names: Vec<_> = left_out.iter().map(|column| column.name.as_str()).collect();
        let more = format!("not shown: {}", names.join(", "));
        text.push_str(&terminal::wrapped(&more, look.width));
    }
    text
}

/// Formats the first line of a table in bold, if this line is a header and colours are enabled.
pub(crate) fn emphasised(text: &str, has_header: bool) -> String {
    match text.split_once('\n') {
        Some((header, rest)) if has_header && terminal::has_color() => {
            format!("\u{1b}[1m{header}\u{1b}[0m\n{rest}")
        }
        _ => text.to_owned(),
    }
}

/// Draws a single object: one line per field, and nested lists as tables.
pub(crate) fn of_one(value: &Node, look: &Look<'_>) -> String {
    let Node::Object(_) = value else { return format!("{}\n", show(value, Meaning::Text)) };
    let mut lines = Vec::new();
    let mut lists = Vec::new();
    collect("", value, look.record, &mut lines, &mut lists);

    let mut table = plain(look.width);
    for (name, text) in &lines {
        table.add_row([name, text]);
    }

    // The names get their full width, up to three fifths of the table, because values wrap better than names. Each
    // column has a space on both sides.
    let names = lines.iter().map(|(name, _)| name.width()).max().unwrap_or_default();
    let names = u16::try_from((names + 2).min(look.width * 3 / 5)).unwrap_or(u16::MAX);
    if let Some(column) = table.column_mut(0) {
        column.set_constraint(ColumnConstraint::LowerBoundary(ComfyWidth::Fixed(names)));
    }

    let mut text = if lines.is_empty() { String::new() } else { format!("{}\n", trimmed(&table)) };
    for (name, items, record) in lists {
        let more = items.len().saturating_sub(INNER_ROWS);
        let inner = Look {
            width: look.width,
            record,
            fields: Vec::new(),
            order: Vec::new(),
            why_empty: None,
        };
        let shown = &items[..items.len().min(INNER_ROWS)];
        text.push_str(&format!("\n{name}\n{}", of_list(shown, &inner)));
        if more > 0 {
            text.push_str(&format!("and {more} more: `--fields {name}` with `--output json`\n"));
        }
    }
    text
}

type List<'a> = (String, &'a [Node], Option<&'static RecordRow>);

fn collect<'a>(
    path: &str,
    value: &'a Node,
    record: Option<&'static RecordRow>,
    lines: &mut Vec<(String, String)>,
    lists: &mut Vec<List<'a>>,
) {
    let Node::Object(members) = value else { return };
    for (name, value) in members {
        let full = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let ty = record.and_then(|record| record.fields.iter().find(|field| field.name == *name));
        let ty = ty.map(|field| field.ty);
        match value {
            Node::Object(inner) if !inner.is_empty() && !is_metric(value) => {
                collect(&full, value, inner_record(ty), lines, lists);
            }
            Node::List(items) if is_list_of_objects(value) => {
                lists.push((full, items, inner_record(ty)));
            }
            _ if value.is_empty() && !matches!(value, Node::Null) => {}
            _ => lines.push((full, show(value, meaning(name, ty, value)))),
        }
    }
}

fn is_list_of_objects(value: &Node) -> bool {
    matches!(value, Node::List(items) if items.iter().any(|item| matches!(item, Node::Object(_))))
}

pub(super) fn inner_record(ty: Option<Type>) -> Option<&'static RecordRow> {
    match ty? {
        Type::Record(name) => tables::record(name),
        Type::List(of) | Type::Map(of) => inner_record(Some(*of)),
        _ => None,
    }
}

/// Returns the requested columns, in the requested order.
fn requested_columns(rows: &[Node], look: &Look<'_>) -> Vec<Column> {
    let mut columns = Vec::new();
    for field in &look.fields {
        let parts: Vec<_> = field.split('.').collect();
        let value =
            rows.iter().filter_map(|row| row.at_path(&parts)).find(|value| !value.is_empty());
        let ty = type_at(look.record, &parts);
        let meaning = meaning(field, ty, &value.unwrap_or(Node::Null));
        columns.push(Column::new(field.clone(), meaning));
    }
    columns
}

fn type_at(record: Option<&'static RecordRow>, path: &[&str]) -> Option<Type> {
    let (name, rest) = path.split_first()?;
    let field = record?.fields.iter().find(|field| field.name == *name)?;
    match rest {
        [] => Some(field.ty),
        _ => type_at(inner_record(Some(field.ty)), rest),
    }
}

/// Returns two lists: the columns that fit the width, and the columns that do not. A narrow column can still fit after
/// a wider column that does not.
fn fitting(rows: &[Node], columns: Vec<Column>, width: usize) -> (Vec<Column>, Vec<Column>) {
    // Adds one column to the width, because the last table column needs no space behind it.
    let mut left = width + 1;
    let mut shown = Vec::new();
    let mut left_out = Vec::new();
    for column in columns {
        let cells = rows.iter().map(|row| cell(row, &column, Some(LONGEST)).width());
        let needed = cells.max().unwrap_or_default().max(column.name.width()) + GAP;
        if needed <= left || shown.is_empty() {
            left = left.saturating_sub(needed);
            shown.push(column);
        } else {
            left_out.push(column);
        }
    }
    (shown, left_out)
}

/// Number of spaces between two columns.
const GAP: usize = 3;

fn drawn(rows: &[Node], columns: &[Column], width: usize, longest: Option<usize>) -> String {
    let mut table = plain(width);
    table.set_header(columns.iter().map(|column| column.name.as_str()));
    for row in rows {
        table.add_row(columns.iter().map(|column| cell(row, column, longest)));
    }
    for (index, column) in columns.iter().enumerate() {
        let is_figure = matches!(
            column.meaning,
            Meaning::Number | Meaning::Usd | Meaning::Percent | Meaning::Label
        );
        if let (true, Some(drawn)) = (is_figure, table.column_mut(index)) {
            drawn.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{}\n", trimmed(&table))
}

/// Style of tables: no borders, and one line below the header.
const RULED: TableStyle =
    presets::NOTHING.header_separator(LineStyle::none().fill('─').junction('─'));

fn plain(width: usize) -> Table {
    let mut table = Table::new();
    table
        .load_style(RULED)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX));
    table
}

/// Removes spaces at the ends of lines and before the first column.
fn trimmed(table: &Table) -> String {
    let lines: Vec<_> = table
        .to_string()
        .lines()
        .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned())
        .collect();
    lines.join("\n")
}

fn cell(row: &Node, column: &Column, longest: Option<usize>) -> String {
    let parts: Vec<_> = column.name.split('.').collect();
    // A field name may contain a dot.
    let value = row.member(&column.name).cloned().or_else(|| row.at_path(&parts));
    // A missing field is shown like a null field.
    let text = show(&value.unwrap_or(Node::Null), column.meaning);
    match longest {
        Some(longest) => shortened(&text, longest),
        None => text,
    }
}

fn shortened(text: &str, longest: usize) -> String {
    if text.width() <= longest {
        return text.to_owned();
    }
    let mut short = String::new();
    for letter in text.chars() {
        if short.width() + letter.to_string().width() + 1 > longest {
            break;
        }
        short.push(letter);
    }
    format!("{}…", short.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Node> {
        (0..3)
            .map(|n| {
                Node::parse(&format!(
                    r#"{{"symbol":"S{n}","price":{n}.5,"note":"{}","address":"0xd8da6bf26964af9d7eed9e03e53415d37aa9604{n}","volume_usd":12345678{n}}}"#,
                    "long words ".repeat(12)
                ))
            })
            .collect()
    }

    fn look(width: usize) -> Look<'static> {
        Look { width, record: None, fields: Vec::new(), order: Vec::new(), why_empty: None }
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in [20, 40, 80, 120, 200] {
            let text = of_list(&rows(), &look(width));
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {line:?}\n{text}");
            }
            assert!(text.starts_with("symbol"), "{text}");
        }
    }

    #[test]
    fn columns_that_do_not_fit_are_named() {
        assert!(of_list(&rows(), &look(40)).contains("not shown: "));
        assert!(!of_list(&rows(), &look(200)).contains("not shown: "));
    }

    #[test]
    fn nothing_says_why() {
        let look = Look { why_empty: Some("no_trades"), ..look(80) };
        assert_eq!(of_list(&[], &look), "no rows: no trades\n");
    }
}
