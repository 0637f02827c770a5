//! Ranks the columns of a table by the type and name of their fields, so that narrow tables show the most useful
//! columns.

use crypto_intel::catalogue::{RecordRow, Type};

use super::cell::{Meaning, has_word, is_metric, meaning, words};
use super::node::Node;

/// Column of a table. The field `rank` is a sort key: [`ranked`] returns columns with a smaller rank first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    /// Path of the field that the column shows, such as `profile.name`.
    pub(crate) name: String,
    pub(crate) meaning: Meaning,
    rank: Rank,
}

/// Sort key of columns. The parts are:
///
/// 1. the number of the column's role, from 0 for names to 9 for links;
/// 2. whether all rows have the same value in this column;
/// 3. whether the field can be missing in a row;
/// 4. the index of the first word of the field's name in [`HEADLINES`].
type Rank = (usize, bool, bool, usize);

impl Column {
    /// Creates a column that the user requested by name. Requested columns keep the order of the request, so they all
    /// have the same rank.
    pub(crate) fn new(name: String, meaning: Meaning) -> Self {
        Column { name, meaning, rank: Rank::default() }
    }

    /// Returns true if the column contains names or symbols, such as the names of assets. Returns false for
    /// columns of numeric ranks, such as `rank`.
    pub(crate) fn is_name(&self) -> bool {
        self.rank.0 == 0 && matches!(self.meaning, Meaning::Text | Meaning::Label)
    }

    /// Returns true if the column contains identifiers or addresses.
    pub(crate) fn is_identifier(&self) -> bool {
        self.rank.0 == 6
    }

    /// Returns true if the column contains the time of the whole row. Returns false for times of nested objects.
    pub(crate) fn is_time_of_row(&self) -> bool {
        self.rank.0 == 1
    }
}

/// Returns the columns of `rows`, most useful first:
///
/// 1. names, symbols and ranks;
/// 2. the time of the row;
/// 3. important numbers such as prices, then other numbers;
/// 4. enum values, booleans, other times and short texts;
/// 5. identifiers and addresses;
/// 6. long texts, lists and objects, then links.
///
/// Within each kind of column, such as important numbers, columns whose values are equal in all rows come last. Columns
/// of equal rank keep the order of the fields in the rows. Empty columns are omitted.
pub(crate) fn ranked(rows: &[Node], record: Option<&RecordRow>) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for (name, _) in rows.iter().flat_map(members) {
        if columns.iter().any(|column| column.name == name) {
            continue;
        }
        let values: Vec<&Node> = rows.iter().filter_map(|row| row.member(name)).collect();
        let Some(sample) = values.iter().find(|value| !value.is_empty()) else { continue };
        let field = record.and_then(|record| record.fields.iter().find(|field| field.name == name));
        let ty = field.map(|field| field.ty);
        let meaning = meaning(name, ty, sample);

        let is_same = rows.len() > 1
            && values.len() == rows.len()
            && values.iter().all(|value| *value == values[0]);
        let is_optional = field.is_some_and(|field| !field.required);
        let first = words(name).next().unwrap_or_default();
        let headline = HEADLINES.iter().position(|word| word.eq_ignore_ascii_case(first));
        let headline = headline.unwrap_or(HEADLINES.len());
        let rank = (role(name, ty, meaning, &values), is_same, is_optional, headline);
        columns.push(Column { name: name.to_owned(), meaning, rank });
    }
    columns.sort_by_key(|column| column.rank);
    // Financial statements have many columns about their period. Two of them before the numeric columns are enough.
    for column in columns.iter_mut().filter(|column| column.is_time_of_row()).skip(TIMES) {
        column.rank.0 = 5;
    }
    columns.sort_by_key(|column| column.rank);
    columns
}

/// Maximum number of time columns that are placed before the numeric columns.
const TIMES: usize = 2;

/// Iterates over the fields of a JSON object. Returns no fields for any other value.
fn members(row: &Node) -> impl Iterator<Item = (&str, &Node)> {
    let members = match row {
        Node::Object(members) => members.as_slice(),
        _ => &[],
    };
    members.iter().map(|(name, value)| (name.as_str(), value))
}

fn role(name: &str, ty: Option<Type>, meaning: Meaning, values: &[&Node]) -> usize {
    let last = words(name).last().unwrap_or_default();
    let is = |words: &[&str]| words.contains(&last);
    if has_word(name, &["url", "logo", "image", "avatar", "icon", "website"]) {
        return 9;
    }
    if matches!(meaning, Meaning::Nested) {
        return 8;
    }
    if is(&[
        "name", "symbol", "title", "question", "handle", "ticker", "pair", "rank", "label",
        "metric",
    ]) {
        return 0;
    }
    if matches!(meaning, Meaning::Seconds | Meaning::Millis)
        || is(&["date", "time", "timestamp", "day", "period", "year", "quarter"])
    {
        // A name of one word, such as `date`, is the time of the row. A longer name is the time of a nested part.
        let is_period = is(&["period", "year", "quarter"]);
        return if is_period || words(name).count() == 1 { 1 } else { 5 };
    }
    if is(&["id", "ids", "address", "hash", "slug", "cik", "accession", "version"]) {
        return 6;
    }

    let is_figure = matches!(meaning, Meaning::Number | Meaning::Usd | Meaning::Percent)
        || values.iter().any(|value| is_metric(value));
    let longest = values.iter().map(|value| length(value)).max().unwrap_or_default();
    match ty {
        _ if is_figure && has_word(name, HEADLINES) => 2,
        _ if is_figure => 3,
        Some(Type::Enum(_) | Type::Boolean) => 4,
        _ if longest > 60 => 7,
        _ => 5,
    }
}

/// Words in field names, the most important word first. If the name of a numeric field contains one of these words, the
/// field counts as important.
const HEADLINES: &[&str] = &[
    "price", "last", "value", "revenue", "net", "income", "eps", "open", "high", "low", "close",
    "amount", "balance", "pct", "percent", "score", "market", "cap", "volume", "tvl", "rate",
    "pnl", "total",
];

fn length(value: &Node) -> usize {
    match value {
        Node::Text(text) => text.chars().count(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use crypto_intel::catalogue::Field;

    use super::*;

    #[test]
    fn names_come_before_figures_and_links_last() {
        static FIELDS: &[Field] = &[
            Field::new("logo_url", Type::String).required(),
            Field::new("id", Type::String).required(),
            Field::new("volume", Type::Number),
            Field::new("price", Type::Number).required(),
            Field::new("updated_at", Type::UnixSeconds).required(),
            Field::new("symbol", Type::String).required(),
            Field::new("status", Type::Enum(&["active"])).required(),
            Field::new("empty", Type::String),
        ];
        static RECORD: RecordRow = RecordRow { name: "Row", fields: FIELDS };
        let rows: Vec<Node> = [("BTC", 1), ("ETH", 2)]
            .iter()
            .map(|(symbol, n)| {
                Node::parse(&format!(
                    r#"{{"logo_url":"https://x","id":"a{n}","volume":{n},"price":{n},"updated_at":{n},"symbol":"{symbol}","status":"active","empty":null}}"#
                ))
            })
            .collect();

        let names: Vec<_> =
            ranked(&rows, Some(&RECORD)).into_iter().map(|column| column.name).collect();
        assert_eq!(names, ["symbol", "price", "volume", "status", "updated_at", "id", "logo_url"]);
    }
}
