//! Finds the series to draw in rows: figures over time, candles, or bars by name.
//!
//! In: rows, their record and the kind of chart. Out: a [`Series`] for a terminal chart or an
//! image.

use crypto_intel::catalogue::RecordRow;

use super::cell::{Meaning, has_word};
use super::columns::{Column, ranked};
use super::node::Node;
use crate::failure::Failure;

/// Kind of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The kind that fits the rows.
    Auto,
    Line,
    Candles,
    Bars,
}

impl Kind {
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "line" => Kind::Line,
            "candles" => Kind::Candles,
            "bars" => Kind::Bars,
            _ => Kind::Auto,
        }
    }
}

/// A series, with the names of its axes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Series {
    /// Name of the figure.
    pub(crate) figure: String,
    pub(crate) meaning: Meaning,
    pub(crate) shape: Shape,
    /// Number of rows without a time or a figure.
    pub(crate) left_out: usize,
}

/// Data of a series, oldest first. Times are Unix seconds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    Line(Vec<(i64, f64)>),
    Candles(Vec<Candle>),
    Bars(Vec<(String, f64)>),
}

/// Prices of one interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candle {
    pub(crate) time: i64,
    pub(crate) open: f64,
    pub(crate) high: f64,
    pub(crate) low: f64,
    pub(crate) close: f64,
}

/// Finds the series in these rows. If fields are selected, it uses the first figure among them.
pub(crate) fn find(
    rows: &[Node],
    record: Option<&'static RecordRow>,
    kind: Kind,
) -> Result<Series, Failure> {
    let (rows, record) = inner_rows(rows, record).unwrap_or((rows, record));
    let columns = ranked(rows, record);
    let time = columns.iter().find(|column| is_time(column, &columns, rows));
    let has_prices =
        ["open", "high", "low", "close"].iter().all(|name| columns.iter().any(|c| c.name == *name));
    let kind = match (kind, time) {
        (Kind::Auto, Some(_)) if has_prices => Kind::Candles,
        (Kind::Auto, Some(_)) => Kind::Line,
        (Kind::Auto, None) => Kind::Bars,
        (kind, _) => kind,
    };

    match (kind, time) {
        (Kind::Candles, Some(time)) if has_prices => Ok(candles(rows, time)),
        (Kind::Candles, _) => Err(cannot("candles need time, open, high, low and close")),
        (Kind::Line, None) => Err(cannot("a line needs a time")),
        (Kind::Line, Some(time)) => {
            let figures: Vec<_> =
                columns.iter().filter(|column| column.name != time.name).cloned().collect();
            let figure = figure(&figures).ok_or_else(|| cannot("the rows have no figure"))?;
            Ok(line(rows, time, figure))
        }
        _ => {
            let figure = figure(&columns).ok_or_else(|| cannot("the rows have no figure"))?;
            Ok(bars(rows, time, &columns, figure))
        }
    }
}

/// The list within a single row, such as the candles of a pair.
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
    Failure::usage(format!("these rows have no such chart: {why}")).next(
        "select a figure with `--fields TIME,FIGURE`, or choose --chart=line, candles or bars",
    )
}

/// Returns true for the time of the rows. The time of a part counts only if no column names the
/// subject of a row.
fn is_time(column: &Column, columns: &[Column], rows: &[Node]) -> bool {
    let is_time = match column.meaning {
        Meaning::Seconds | Meaning::Millis => true,
        _ => has_word(&column.name, &["timestamp", "time", "date", "day", "period", "t"]),
    };
    let has_names = columns.iter().any(Column::is_name);
    let is_of_row = column.is_time_of_row() || column.name == "t" || !has_names;
    is_time && is_of_row && rows.iter().any(|row| seconds(row, column).is_some())
}

/// Time of a row in Unix seconds, from Unix seconds, milliseconds or a date.
fn seconds(row: &Node, column: &Column) -> Option<i64> {
    match row.member(&column.name)? {
        Node::Number(digits) => {
            let number = digits.parse::<i64>().ok()?;
            let is_millis = column.meaning == Meaning::Millis || number > 100_000_000_000;
            Some(if is_millis { number.div_euclid(1000) } else { number })
        }
        Node::Text(text) => crate::settings::moment(text).ok(),
        _ => None,
    }
}

fn figure(columns: &[Column]) -> Option<&Column> {
    let is_figure = |column: &&Column| {
        matches!(column.meaning, Meaning::Number | Meaning::Usd | Meaning::Percent)
    };
    columns.iter().filter(is_figure).find(|column| column.name != "rank")
}

fn number(row: &Node, name: &str) -> Option<f64> {
    let value = row.member(name)?;
    let value = value.member("value").unwrap_or(value);
    match value {
        Node::Text(text) => text.parse().ok().filter(|number: &f64| number.is_finite()),
        other => other.number(),
    }
}

fn line(rows: &[Node], time: &Column, figure: &Column) -> Series {
    let point = |row: &Node| Some((seconds(row, time)?, number(row, &figure.name)?));
    let mut points: Vec<_> = rows.iter().filter_map(point).collect();
    points.sort_by_key(|(time, _)| *time);
    let left_out = rows.len() - points.len();
    Series {
        figure: figure.name.clone(),
        meaning: figure.meaning,
        shape: Shape::Line(points),
        left_out,
    }
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

impl Shape {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Shape::Line(points) => points.is_empty(),
            Shape::Candles(candles) => candles.is_empty(),
            Shape::Bars(bars) => bars.is_empty(),
        }
    }

    /// Smallest and largest figure, widened a little if they are equal.
    pub(crate) fn range(&self) -> (f64, f64) {
        let figures: Vec<f64> = match self {
            Shape::Line(points) => points.iter().map(|(_, value)| *value).collect(),
            Shape::Candles(candles) => candles.iter().flat_map(|c| [c.low, c.high]).collect(),
            // Bars start at zero.
            Shape::Bars(bars) => bars.iter().map(|(_, value)| *value).chain([0.0]).collect(),
        };
        let low = figures.iter().copied().fold(f64::INFINITY, f64::min);
        let high = figures.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match low < high {
            true => (low, high),
            false if low.is_finite() => {
                (low - low.abs().max(1.0) * 0.01, low + low.abs().max(1.0) * 0.01)
            }
            false => (0.0, 1.0),
        }
    }

    /// First and last time.
    pub(crate) fn span(&self) -> Option<(i64, i64)> {
        match self {
            Shape::Line(points) => Some((points.first()?.0, points.last()?.0)),
            Shape::Candles(candles) => Some((candles.first()?.time, candles.last()?.time)),
            Shape::Bars(_) => None,
        }
    }
}

/// Merges neighbouring candles until there are at most `most`.
pub(crate) fn condensed(candles: &[Candle], most: usize) -> Vec<Candle> {
    let size = candles.len().div_ceil(most.max(1)).max(1);
    let merged = candles.chunks(size).map(|group| {
        let (first, last) = (group[0], group[group.len() - 1]);
        Candle {
            high: group.iter().map(|candle| candle.high).fold(f64::NEG_INFINITY, f64::max),
            low: group.iter().map(|candle| candle.low).fold(f64::INFINITY, f64::min),
            close: last.close,
            ..first
        }
    });
    merged.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&str]) -> Vec<Node> {
        rows.iter().map(|row| Node::parse(row)).collect()
    }

    #[test]
    fn line_series_is_sorted_and_skips_missing_figures() {
        let rows = rows(&[
            r#"{"timestamp":1780000100,"value":2}"#,
            r#"{"timestamp":1780000000,"value":1}"#,
            r#"{"timestamp":1780000200,"value":null}"#,
        ]);
        let series = find(&rows, None, Kind::Auto).expect("a line");
        assert_eq!(series.shape, Shape::Line(vec![(1_780_000_000, 1.0), (1_780_000_100, 2.0)]));
        assert_eq!((series.figure.as_str(), series.left_out), ("value", 1));
    }

    #[test]
    fn prices_are_candles_and_names_are_bars() {
        let candles =
            rows(&[r#"{"timestamp":1,"open":1,"high":3,"low":0.5,"close":2,"volume":9}"#]);
        assert!(matches!(
            find(&candles, None, Kind::Auto).expect("candles").shape,
            Shape::Candles(_)
        ));
        let bars = rows(&[r#"{"name":"a","total_usd":"1.5"}"#, r#"{"name":"b","total_usd":"2"}"#]);
        let series = find(&bars, None, Kind::Auto).expect("bars");
        assert_eq!(series.shape, Shape::Bars(vec![("a".to_owned(), 1.5), ("b".to_owned(), 2.0)]));
        assert!(find(&bars, None, Kind::Candles).is_err());
        assert!(find(&rows(&[r#"{"name":"a"}"#]), None, Kind::Auto).is_err());
    }

    #[test]
    fn the_day_of_a_record_is_not_the_time_of_a_row() {
        let ranking = rows(&[
            r#"{"name":"a","price_usd":1,"ath_date":"2025-01-01"}"#,
            r#"{"name":"b","price_usd":2,"ath_date":"2025-01-02"}"#,
        ]);
        let series = find(&ranking, None, Kind::Auto).expect("bars");
        assert_eq!(series.shape, Shape::Bars(vec![("a".to_owned(), 1.0), ("b".to_owned(), 2.0)]));

        let statements = rows(&[
            r#"{"symbol":"A","cost_of_revenue":1,"revenue":9,"report_period":"2025-03-31","calculated_at":"2026-01-01"}"#,
            r#"{"symbol":"A","cost_of_revenue":2,"revenue":8,"report_period":"2025-06-30","calculated_at":"2026-01-01"}"#,
        ]);
        let series = find(&statements, None, Kind::Auto).expect("a line");
        let points = vec![(1_743_379_200, 9.0), (1_751_241_600, 8.0)];
        assert_eq!((series.figure.as_str(), series.shape), ("revenue", Shape::Line(points)));
    }

    #[test]
    fn the_list_of_an_only_row_is_drawn() {
        let rows = rows(&[
            r#"{"pair":"A/B","high":2,"candles":[{"time":1,"value":2},{"time":3,"value":4}]}"#,
        ]);
        let series = find(&rows, None, Kind::Auto).expect("a line");
        assert_eq!(series.shape, Shape::Line(vec![(1, 2.0), (3, 4.0)]));
    }

    #[test]
    fn neighbours_become_one_candle() {
        let candle = |time, open, high, low, close| Candle { time, open, high, low, close };
        let both = [candle(0, 1.0, 4.0, 1.0, 2.0), candle(1, 2.0, 3.0, 0.5, 2.5)];
        assert_eq!(condensed(&both, 1), [candle(0, 1.0, 4.0, 0.5, 2.5)]);
        assert_eq!(condensed(&both, 9), both);
    }
}
