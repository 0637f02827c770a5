//! Finds the data series of a chart in rows.
//!
//! The input is rows, their record type and the requested kind of chart. The output is [`Series`] for a terminal chart
//! or an image.

use crypto_intel::catalogue::RecordRow;

use super::cell::{Meaning, has_word};
use super::columns::{Column, ranked};
use super::node::Node;
use super::series::{Candle, Series, Shape};
use crate::failure::Failure;

/// Kind of chart that the user requests with `--chart`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ChartKind {
    /// `cintel` selects the kind of chart that suits the fields of the rows.
    #[default]
    Auto,
    Line,
    Candles,
    Bars,
}

impl ChartKind {
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "line" => ChartKind::Line,
            "candles" => ChartKind::Candles,
            "bars" => ChartKind::Bars,
            _ => ChartKind::Auto,
        }
    }
}

/// Requested chart: its kind, and the fields of `--y`. Without `--y`, the chart shows candles if the rows contain
/// candle prices. Otherwise it shows the most important numeric field, and a related field if the rows have one (see
/// [`counterpart`]).
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestedChart {
    pub(crate) kind: ChartKind,
    pub(crate) figures: Vec<String>,
}

/// Finds the data series of a chart: candles, or one series per selected numeric field. In a chart over time, rows with
/// the same time but different names get one series per name.
pub(crate) fn find(
    rows: &[Node],
    record: Option<&'static RecordRow>,
    wanted: &RequestedChart,
) -> Result<Vec<Series>, Failure> {
    let (rows, record) = inner_rows(rows, record).unwrap_or((rows, record));
    let columns = ranked(rows, record);
    let time = columns.iter().find(|column| is_time(column, &columns, rows));
    let has_prices =
        ["open", "high", "low", "close"].iter().all(|name| columns.iter().any(|c| c.name == *name));
    let kind = match (wanted.kind, time) {
        (ChartKind::Auto, Some(_)) if has_prices && wanted.figures.is_empty() => ChartKind::Candles,
        (ChartKind::Auto, Some(_)) => ChartKind::Line,
        (ChartKind::Auto, None) => ChartKind::Bars,
        (kind, _) => kind,
    };

    match (kind, time) {
        (ChartKind::Candles, Some(time)) if has_prices => Ok(vec![candles(rows, time)]),
        (ChartKind::Candles, _) => Err(cannot("candles need time, open, high, low and close")),
        (ChartKind::Line, None) => Err(cannot("a line needs a time")),
        (ChartKind::Line, Some(time)) => {
            let others: Vec<_> =
                columns.iter().filter(|column| column.name != time.name).cloned().collect();
            let figures = figures(&others, wanted)?;
            Ok(over_time(rows, time, &columns, &figures, wanted.kind))
        }
        _ => {
            let figures = figures(&columns, wanted)?;
            Ok(figures.iter().map(|figure| bars(rows, time, &columns, figure)).collect())
        }
    }
}

/// Returns the series of a chart over time. `figures` lists numeric fields, and [`groups`] divides the rows into
/// groups. Each series shows one field for one group, so 2 groups and 3 fields result in 6 series.
fn over_time(
    rows: &[Node],
    time: &Column,
    columns: &[Column],
    figures: &[&Column],
    kind: ChartKind,
) -> Vec<Series> {
    let groups = groups(rows, time, columns);
    let pairs = groups.iter().flat_map(|group| figures.iter().map(move |figure| (group, *figure)));
    let series = pairs.map(|((name, rows), figure)| {
        let points = points(rows, time, figure);
        let left_out = rows.len() - points.len();
        let shape = match kind == ChartKind::Auto && has_word(&figure.name, FLOWS) {
            true => Shape::Columns(points),
            false => Shape::Line(points),
        };
        let figure_name = match (name.is_empty(), figures.len()) {
            (true, _) => figure.name.clone(),
            (false, 1) => format!("{} {name}", figure.name),
            (false, _) => format!("{name} {}", figure.name),
        };
        Series { figure: figure_name, meaning: figure.meaning, shape, left_out }
    });
    series.collect()
}

/// Words in field names. If the name of a field contains one of these words, the field counts as an amount per time
/// interval, such as daily inflows.
const FLOWS: &[&str] = &["flow", "flows", "inflow", "outflow", "netflow"];

/// Maximum number of groups in a chart. More lines could not be distinguished, so a column with more different values
/// is not used to group rows.
const GROUPS: usize = 8;

/// If several rows have the same time, groups the rows by a text column such as `symbol`: the first text column with 2
/// to [`GROUPS`] different values. Rows without a text in this column form another group. In all other cases, returns
/// all rows as one group without a name.
fn groups<'a>(rows: &'a [Node], time: &Column, columns: &[Column]) -> Vec<(String, Vec<&'a Node>)> {
    let all = || vec![(String::new(), rows.iter().collect())];
    let mut times: Vec<_> = rows.iter().filter_map(|row| seconds(row, time)).collect();
    let count = times.len();
    times.sort_unstable();
    times.dedup();
    if times.len() == count {
        return all();
    }

    let is_name = |column: &&Column| column.meaning == Meaning::Text && column.name != time.name;
    let grouped = columns.iter().filter(is_name).map(|column| {
        let mut groups: Vec<(String, Vec<&Node>)> = Vec::new();
        let mut without_name = Vec::new();
        for row in rows {
            let Some(Node::Text(name)) = row.member(&column.name) else {
                without_name.push(row);
                continue;
            };
            match groups.iter_mut().find(|(known, _)| known == name) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((name.clone(), vec![row])),
            }
            if groups.len() > GROUPS {
                break;
            }
        }
        (groups, format!("without {}", column.name), without_name)
    });
    let mut fitting = grouped.filter(|(groups, ..)| (2..=GROUPS).contains(&groups.len()));
    fitting.next().map_or_else(all, |(mut groups, name, rows)| {
        groups.extend((!rows.is_empty()).then_some((name, rows)));
        groups
    })
}

/// If `rows` is a single row that contains lists of objects, returns the longest of these lists, and the record type of
/// its items. For example, the row of a trading pair contains a list of candles. Returns `None` for all other rows.
fn inner_rows<'a>(
    rows: &'a [Node],
    record: Option<&'static RecordRow>,
) -> Option<(&'a [Node], Option<&'static RecordRow>)> {
    let [Node::Object(members)] = rows else { return None };
    let lists = members.iter().filter_map(|(name, value)| match value {
        Node::List(items) if matches!(items.first(), Some(Node::Object(_))) => Some((name, items)),
        _ => None,
    });
    let (name, items) = lists.max_by_key(|(_, items)| items.len())?;
    let field = record.and_then(|record| record.fields.iter().find(|field| field.name == *name));
    Some((items, field.and_then(|field| super::table::inner_record(Some(field.ty)))))
}

fn cannot(why: &str) -> Failure {
    Failure::usage(format!("the rows cannot be drawn as a chart: {why}"))
        .next("select numeric fields with `--y FIELD,..`, or choose --chart=line, candles or bars")
}

/// Returns true if the column contains the time of the rows, such as `timestamp`. In rows with names or symbols, a
/// column such as `close_time` can contain the time of another event, so the function returns false.
fn is_time(column: &Column, columns: &[Column], rows: &[Node]) -> bool {
    let is_time = match column.meaning {
        Meaning::Seconds | Meaning::Millis => true,
        _ => has_word(&column.name, &["timestamp", "time", "date", "day", "period", "t"]),
    };
    let has_names = columns.iter().any(Column::is_name);
    let is_of_row = column.is_time_of_row() || column.name == "t" || !has_names;
    is_time && is_of_row && rows.iter().any(|row| seconds(row, column).is_some())
}

/// Returns the time of a row in Unix seconds. The field may contain Unix seconds, Unix milliseconds or a date.
fn seconds(row: &Node, column: &Column) -> Option<i64> {
    match row.member(&column.name)? {
        Node::Number(digits) => {
            let number = digits.parse::<i64>().ok()?;
            let is_millis = column.meaning == Meaning::Millis || number > 100_000_000_000;
            Some(if is_millis { number.div_euclid(1000) } else { number })
        }
        Node::Text(text) => crate::settings::moment(text, 0).ok(),
        _ => None,
    }
}

/// Returns the columns of the fields in `--y`. Without `--y`, returns the first numeric column, and its counterpart if
/// there is one. For example, the columns `long_usd` and `short_usd` are counterparts.
fn figures<'a>(columns: &'a [Column], wanted: &RequestedChart) -> Result<Vec<&'a Column>, Failure> {
    let is_figure = |column: &&Column| {
        matches!(column.meaning, Meaning::Number | Meaning::Usd | Meaning::Percent)
    };
    let known: Vec<&Column> =
        columns.iter().filter(is_figure).filter(|column| column.name != "rank").collect();
    let named = |name: &str| known.iter().find(|column| column.name == name).copied();
    if wanted.figures.is_empty() {
        let first =
            known.first().copied().ok_or_else(|| cannot("the rows have no numeric field"))?;
        return Ok(match counterpart(first, &known) {
            // The chart of the flow is drawn above the chart of the price.
            Some(other) if has_word(&other.name, FLOWS) => vec![other, first],
            other => std::iter::once(first).chain(other).collect(),
        });
    }

    let found = wanted.figures.iter().map(|name| {
        named(name).ok_or_else(|| {
            let names: Vec<_> = known.iter().map(|column| column.name.as_str()).collect();
            Failure::usage(format!("--y: the rows have no numeric field `{name}`"))
                .next(format!("the numeric fields are {}", names.join(", ")))
        })
    });
    found.collect()
}

/// Returns the numeric column that is drawn together with the column `first`, if any. For example, `long_usd` and
/// `short_usd` are drawn together. A column of prices is drawn together with a column of money flows, such as
/// `netflow`.
fn counterpart<'a>(first: &Column, known: &[&'a Column]) -> Option<&'a Column> {
    let is_price = |column: &Column| has_word(&column.name, &["price", "close"]);
    let is_flow = |column: &Column| has_word(&column.name, FLOWS);
    let other_side = match first.name.contains("long") {
        true => first.name.replace("long", "short"),
        false => first.name.replace("short", "long"),
    };
    known.iter().copied().filter(|column| column.name != first.name).find(|column| {
        let is_pair = (is_price(first) && is_flow(column)) || (is_flow(first) && is_price(column));
        column.name == other_side || is_pair
    })
}

fn number(row: &Node, name: &str) -> Option<f64> {
    let value = row.member(name)?;
    let value = value.member("value").unwrap_or(value);
    match value {
        Node::Text(text) => text.parse().ok().filter(|number: &f64| number.is_finite()),
        other => other.number(),
    }
}

fn points(rows: &[&Node], time: &Column, figure: &Column) -> Vec<(i64, f64)> {
    let point = |row: &&Node| Some((seconds(row, time)?, number(row, &figure.name)?));
    let mut points: Vec<_> = rows.iter().filter_map(point).collect();
    points.sort_by_key(|(time, _)| *time);
    points
}

fn candles(rows: &[Node], time: &Column) -> Series {
    let candle = |row: &Node| {
        let price = |name| number(row, name);
        Some(Candle {
            time: seconds(row, time)?,
            open: price("open")?,
            high: price("high")?,
            low: price("low")?,
            close: price("close")?,
        })
    };
    let mut candles: Vec<_> = rows.iter().filter_map(candle).collect();
    candles.sort_by_key(|candle| candle.time);
    let left_out = rows.len() - candles.len();
    let shape = Shape::Candles(candles);
    Series { figure: "price".to_owned(), meaning: Meaning::Number, shape, left_out }
}

fn bars(rows: &[Node], time: Option<&Column>, columns: &[Column], figure: &Column) -> Series {
    let is_name = |column: &&Column| column.meaning == Meaning::Text && column.name != figure.name;
    let label = columns.iter().find(is_name);
    let name = |row: &Node| match (time, label) {
        (Some(time), _) => seconds(row, time).map(|s| super::cell::time(s, "")),
        (None, Some(label)) => match row.member(&label.name)? {
            Node::Text(text) => Some(text.clone()),
            other => Some(other.to_string()),
        },
        (None, None) => Some(String::new()),
    };
    let bar = |row: &Node| Some((name(row)?, number(row, &figure.name)?));
    let bars: Vec<_> = rows.iter().filter_map(bar).collect();
    let left_out = rows.len() - bars.len();
    Series {
        figure: figure.name.clone(),
        meaning: figure.meaning,
        shape: Shape::Bars(bars),
        left_out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&str]) -> Vec<Node> {
        rows.iter().map(|row| Node::parse(row)).collect()
    }

    fn only(rows: &[Node], kind: ChartKind) -> Result<Series, Failure> {
        let wanted = RequestedChart { kind, figures: Vec::new() };
        let mut found = find(rows, None, &wanted)?;
        assert_eq!(found.len(), 1, "{found:?}");
        Ok(found.remove(0))
    }

    #[test]
    fn flows_stand_beside_prices_and_long_beside_short() {
        let names = |text: &[&str], figures: &[&str]| {
            let figures = figures.iter().map(|name| (*name).to_owned()).collect();
            let wanted = RequestedChart { kind: ChartKind::Auto, figures };
            let found = find(&rows(text), None, &wanted).expect("series");
            let name = |one: &Series| (one.figure.clone(), matches!(one.shape, Shape::Columns(_)));
            found.iter().map(name).collect::<Vec<_>>()
        };
        let named = |names: &[(&str, bool)]| {
            names.iter().map(|(name, bars)| ((*name).to_owned(), *bars)).collect::<Vec<_>>()
        };
        let flows = [r#"{"timestamp":1,"flow_usd":-5,"price_usd":9}"#];
        assert_eq!(names(&flows, &[]), named(&[("flow_usd", true), ("price_usd", false)]));
        assert_eq!(names(&flows, &["price_usd"]), named(&[("price_usd", false)]));
        let sides = [r#"{"timestamp":1,"long_usd":5,"short_usd":9}"#];
        assert_eq!(names(&sides, &[]), named(&[("long_usd", false), ("short_usd", false)]));

        let sides = [r#"{"timestamp":1,"short_usd":5,"long_usd":9}"#];
        assert_eq!(names(&sides, &[]), named(&[("short_usd", false), ("long_usd", false)]));

        let two = [
            r#"{"timestamp":1,"symbol":"BTC","price":9}"#,
            r#"{"timestamp":1,"symbol":"ETH","price":1}"#,
            r#"{"timestamp":2,"symbol":"BTC","price":8}"#,
            r#"{"timestamp":2,"symbol":"ETH","price":2}"#,
        ];
        assert_eq!(names(&two, &[]), named(&[("price BTC", false), ("price ETH", false)]));
        let wanted = RequestedChart { kind: ChartKind::Auto, figures: vec!["nothing".to_owned()] };
        assert!(find(&rows(&two), None, &wanted).is_err());

        // Rows without a name are drawn too, and dates are not names.
        let [a, b, c, d] = two;
        let three = [a, b, c, d, r#"{"timestamp":2,"symbol":null,"price":3}"#];
        let expected =
            [("price BTC", false), ("price ETH", false), ("price without symbol", false)];
        assert_eq!(names(&three, &[]), named(&expected));
        let dates = ["2026-01-01", "2026-01-02"];
        let many = (0..20)
            .map(|n| format!(r#"{{"date":"{}","symbol":"S{}","price":{n}}}"#, dates[n % 2], n / 2));
        let many: Vec<String> = many.collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(names(&many, &[]), named(&[("price", false)]));
    }

    #[test]
    fn line_series_is_sorted_and_skips_missing_figures() {
        let rows = rows(&[
            r#"{"timestamp":1780000100,"value":2}"#,
            r#"{"timestamp":1780000000,"value":1}"#,
            r#"{"timestamp":1780000200,"value":null}"#,
        ]);
        let series = only(&rows, ChartKind::Auto).expect("a line");
        assert_eq!(series.shape, Shape::Line(vec![(1_780_000_000, 1.0), (1_780_000_100, 2.0)]));
        assert_eq!((series.figure.as_str(), series.left_out), ("value", 1));
    }

    #[test]
    fn prices_are_candles_and_names_are_bars() {
        let candles =
            rows(&[r#"{"timestamp":1,"open":1,"high":3,"low":0.5,"close":2,"volume":9}"#]);
        assert!(matches!(
            only(&candles, ChartKind::Auto).expect("candles").shape,
            Shape::Candles(_)
        ));
        let bars = rows(&[r#"{"name":"a","total_usd":"1.5"}"#, r#"{"name":"b","total_usd":"2"}"#]);
        let series = only(&bars, ChartKind::Auto).expect("bars");
        assert_eq!(series.shape, Shape::Bars(vec![("a".to_owned(), 1.5), ("b".to_owned(), 2.0)]));
        assert!(only(&bars, ChartKind::Candles).is_err());
        assert!(only(&rows(&[r#"{"name":"a"}"#]), ChartKind::Auto).is_err());
    }

    #[test]
    fn the_day_of_a_record_is_not_the_time_of_a_row() {
        let ranking = rows(&[
            r#"{"name":"a","price_usd":1,"ath_date":"2025-01-01"}"#,
            r#"{"name":"b","price_usd":2,"ath_date":"2025-01-02"}"#,
        ]);
        let series = only(&ranking, ChartKind::Auto).expect("bars");
        assert_eq!(series.shape, Shape::Bars(vec![("a".to_owned(), 1.0), ("b".to_owned(), 2.0)]));

        let statements = rows(&[
            r#"{"symbol":"A","cost_of_revenue":1,"revenue":9,"report_period":"2025-03-31","calculated_at":"2026-01-01"}"#,
            r#"{"symbol":"A","cost_of_revenue":2,"revenue":8,"report_period":"2025-06-30","calculated_at":"2026-01-01"}"#,
        ]);
        let series = only(&statements, ChartKind::Auto).expect("a line");
        let points = vec![(1_743_379_200, 9.0), (1_751_241_600, 8.0)];
        assert_eq!((series.figure.as_str(), series.shape), ("revenue", Shape::Line(points)));
    }

    #[test]
    fn the_list_of_an_only_row_is_drawn() {
        let rows = rows(&[
            r#"{"pair":"A/B","high":2,"candles":[{"time":1,"value":2},{"time":3,"value":4}]}"#,
        ]);
        let series = only(&rows, ChartKind::Auto).expect("a line");
        assert_eq!(series.shape, Shape::Line(vec![(1, 2.0), (3, 4.0)]));
    }
}
