//! Draws charts in the terminal with Unicode characters.
//!
//! The input is data series with a title and a width. The output is lines of text, with ANSI colours if requested.

use unicode_width::UnicodeWidthStr;

use super::cell::{Meaning, number, time};
use super::series::{Candle, Series, Shape, common_span, condensed};

/// Height of a chart in lines, without its title and time axis.
const HEIGHT: usize = 16;

/// Maximum width of a chart, in terminal columns. Wider charts are not easier to read.
const WIDEST: usize = 160;

/// Height of each chart in lines, if several charts are drawn below each other.
const LOWER: usize = 11;

/// Draws data series as text for a terminal of `width` columns. The text can be wider if the title is long or the
/// terminal is very narrow. Several series over time become separate charts with a common time axis, because lines in
/// one chart would look alike without colours.
pub(crate) fn draw(all: &[Series], title: &str, width: usize) -> String {
    let series: Vec<&Series> = all.iter().filter(|one| !one.shape.is_empty()).collect();
    if series.is_empty() {
        return "nothing to draw\n".to_owned();
    }
    let width = width.min(WIDEST);
    let height = if series.len() == 1 { HEIGHT } else { LOWER };
    let frame = Frame::new(&series, height, width);

    let mut text = String::new();
    for (index, one) in series.iter().enumerate() {
        let title = if index == 0 { format!("{title}: ") } else { String::new() };
        let left_out = match one.left_out {
            0 => String::new(),
            rows => format!(" ({rows} rows have no value)"),
        };
        text.push_str(&format!("{title}{}{left_out}\n", one.figure));
        text.push_str(&match &one.shape {
            Shape::Bars(bars) => bars_of(bars, one.meaning, width),
            _ => frame.draw(one, index + 1 == series.len()),
        });
    }
    text
}

/// Formats a number for the label of an axis, such as `$1.23B` or `5%`.
pub(crate) fn label(value: f64, meaning: Meaning) -> String {
    let text = number(&format!("{value}"));
    match meaning {
        Meaning::Usd if value < 0.0 => format!("-${}", text.trim_start_matches('-')),
        Meaning::Usd => format!("${text}"),
        Meaning::Percent => format!("{text}%"),
        _ => text,
    }
}

/// Size and time range that all charts of one output share.
struct Frame {
    height: usize,
    /// Width of the labels to the left of the charts, in terminal columns.
    margin: usize,
    columns: usize,
    span: (i64, i64),
}

impl Frame {
    fn new(series: &[&Series], height: usize, width: usize) -> Self {
        let labels = series.iter().flat_map(|one| labels(one, height));
        let margin = labels.map(|label| label.width()).max().unwrap_or_default();
        let columns = width.saturating_sub(margin + 2).max(8);
        let span = common_span(series).unwrap_or_default();
        Frame { height, margin, columns, span }
    }

    /// Draws the chart of one series with its axes.
    fn draw(&self, series: &Series, has_times: bool) -> String {
        let (margin, height) = (self.margin, self.height);
        let lines = match &series.shape {
            Shape::Line(points) => self.line_of(points, series),
            Shape::Columns(points) => self.columns_of(points, series),
            Shape::Candles(candles) => {
                candles_of(&condensed(candles, self.columns), series, self.columns)
            }
            Shape::Bars(_) => Vec::new(),
        };
        let columns = lines.first().map_or(self.columns, |line| line.chars().count());

        let mut text = String::new();
        for (row, (line, label)) in lines.iter().zip(labels(series, height)).enumerate() {
            let axis = if is_labelled(row) { '┤' } else { '│' };
            text.push_str(format!("{label:>margin$} {axis}{line}").trim_end());
            text.push('\n');
        }
        if has_times {
            let (first, last) = self.span;
            text.push_str(&format!("{:margin$} └{}\n", "", "─".repeat(columns)));
            text.push_str(&format!("{:margin$}  {}\n", "", ends(first, last, columns)));
        }
        text
    }
}

/// Formats the labels of the value axis, one per line of the chart. Lines without a label get an empty text.
fn labels(series: &Series, height: usize) -> Vec<String> {
    let (low, high) = series.shape.range();
    let at = |row: usize| high - (high - low) * row as f64 / (height - 1) as f64;
    let label = |row: usize| match is_labelled(row) {
        true => label(at(row), series.meaning),
        false => String::new(),
    };
    match series.shape {
        Shape::Bars(_) => Vec::new(),
        _ => (0..height).map(label).collect(),
    }
}

fn is_labelled(row: usize) -> bool {
    row.is_multiple_of(5)
}

/// Formats the first and last time for the time axis. If the axis is too narrow for both times, returns their dates. If
/// it is also too narrow for the dates, or if the dates are equal, returns the first time. Two equal times are returned
/// as one.
fn ends(first: i64, last: i64, columns: usize) -> String {
    let moments = (time(first, ""), time(last, ""));
    let day = |text: &str| text.get(..10).unwrap_or(text).to_owned();
    let days = (day(&moments.0), day(&moments.1));
    for (first, last) in [&moments, &days] {
        let room = columns.saturating_sub(first.width() + last.width());
        if room > 0 && first != last {
            return format!("{first}{}{last}", " ".repeat(room));
        }
    }
    moments.0
}

impl Frame {
    /// Returns the horizontal position of a time in a chart with `wide` columns: a column number from 0 to `wide - 1`.
    fn column(&self, time: i64, wide: usize) -> usize {
        share((time - self.span.0) as f64, (self.span.1 - self.span.0) as f64, wide)
    }

    /// Draws a line chart with Braille characters. Each character shows two by four dots.
    fn line_of(&self, points: &[(i64, f64)], series: &Series) -> Vec<String> {
        let (low, high) = series.shape.range();
        let (wide, tall) = (self.columns * 2, self.height * 4);
        let mut dots = vec![vec![0_u8; self.columns]; self.height];
        let mut set = |x: usize, y: usize| {
            // Bits of the dots in a Braille character.
            const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
            dots[y / 4][x / 2] |= BITS[x % 2][y % 4];
        };

        let mut before: Option<(usize, usize)> = None;
        for (time, value) in points {
            let x = self.column(*time, wide);
            let y = tall - 1 - share(value - low, high - low, tall);
            let (from_x, from_y) = before.unwrap_or((x, y));
            let steps = x.abs_diff(from_x).max(y.abs_diff(from_y)).max(1);
            for step in 0..=steps {
                let between = |a: usize, b: usize| {
                    if b >= a { a + (b - a) * step / steps } else { a - (a - b) * step / steps }
                };
                set(between(from_x, x), between(from_y, y));
            }
            before = Some((x, y));
        }

        let letter = |bits: &u8| {
            char::from_u32(0x2800 + u32::from(*bits)).filter(|_| *bits > 0).unwrap_or(' ')
        };
        dots.iter().map(|row| row.iter().map(letter).collect()).collect()
    }

    /// Draws vertical bars over time. Each bar begins at zero. Values that belong to the same terminal column are added
    /// up.
    fn columns_of(&self, points: &[(i64, f64)], series: &Series) -> Vec<String> {
        let mut sums = vec![0.0; self.columns];
        for (time, value) in points {
            sums[self.column(*time, self.columns)] += value;
        }
        let (low, high) = series.shape.range();
        let row = |value: f64| {
            self.height - 1 - share(value.clamp(low, high) - low, high - low, self.height)
        };
        let zero = row(0.0);
        let cell = |y: usize, sum: f64| match sum {
            0.0 => ' ',
            sum if sum > 0.0 && (row(sum)..=zero).contains(&y) => '█',
            sum if sum < 0.0 && (zero..=row(sum)).contains(&y) => '▒',
            _ => ' ',
        };
        (0..self.height).map(|y| sums.iter().map(|sum| cell(y, *sum)).collect()).collect()
    }
}

/// Minimum width of a time axis with labels, in terminal columns.
const LABELS: usize = 36;

/// Colours rising candles green and falling candles red.
pub(crate) fn coloured(text: &str, series: &[Series]) -> String {
    if !series.iter().any(|one| matches!(one.shape, Shape::Candles(_))) {
        return text.to_owned();
    }
    let mut coloured = String::with_capacity(text.len() * 2);
    for letter in text.chars() {
        match letter {
            '░' => coloured.push_str("\u{1b}[32m█\u{1b}[0m"),
            '█' => coloured.push_str("\u{1b}[31m█\u{1b}[0m"),
            _ => coloured.push(letter),
        }
    }
    coloured
}

/// Draws a candlestick chart. The body of a candle consists of `█` if the price fell, and of `░` if it rose or did
/// not change.
fn candles_of(candles: &[Candle], series: &Series, columns: usize) -> Vec<String> {
    let (low, high) = series.shape.range();
    let row = |value: f64| HEIGHT - 1 - share(value - low, high - low, HEIGHT);
    let step = (columns / candles.len().max(1)).clamp(1, 3);
    // The axis is as wide as the candles, so the last time is below the last candle. Only an axis of few candles is
    // wider, because the labels need space.
    let columns = (candles.len().saturating_sub(1) * step + 1).max(LABELS).min(columns);
    let mut cells = vec![vec![' '; columns]; HEIGHT];
    for (index, candle) in candles.iter().enumerate() {
        let x = index * step;
        let (top, bottom) =
            (row(candle.open.max(candle.close)), row(candle.open.min(candle.close)));
        let body = if candle.close >= candle.open { '░' } else { '█' };
        for (y, line) in
            cells.iter_mut().enumerate().take(row(candle.low) + 1).skip(row(candle.high))
        {
            line[x] = if (top..=bottom).contains(&y) { body } else { '│' };
        }
    }
    cells.into_iter().map(String::from_iter).collect()
}

/// Draws a chart of horizontal bars, one line per bar. Bars of negative values have a different fill character.
fn bars_of(bars: &[(String, f64)], meaning: Meaning, width: usize) -> String {
    let longest = (width / 3).max(8);
    let name = |text: &str| text.chars().take(longest).collect::<String>();
    let names = bars.iter().map(|(text, _)| name(text).width()).max().unwrap_or_default();
    let figures: Vec<String> = bars.iter().map(|(_, value)| label(*value, meaning)).collect();
    let figure = figures.iter().map(|text| text.width()).max().unwrap_or_default();
    let most = bars.iter().map(|(_, value)| value.abs()).fold(0.0, f64::max);
    let room = width.saturating_sub(names + figure + 3).max(4);

    let mut text = String::new();
    for ((label, value), shown) in bars.iter().zip(&figures) {
        let full = share(value.abs(), most, room + 1);
        let block = if *value < 0.0 { "▒" } else { "█" };
        let label = name(label);
        let gap = " ".repeat(names - label.width());
        text.push_str(format!("{label}{gap} {shown:>figure$} {}", block.repeat(full)).trim_end());
        text.push('\n');
    }
    text
}

/// Returns the position of the value `part` on an axis from 0 to `whole`. The axis has `steps` positions, numbered from
/// 0. On an axis from 0 to 100 with 11 positions, the value 50 has position 5.
fn share(part: f64, whole: f64, steps: usize) -> usize {
    if whole <= 0.0 || !part.is_finite() {
        return 0;
    }
    ((part / whole).clamp(0.0, 1.0) * (steps - 1) as f64).round() as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(points: Vec<(i64, f64)>) -> Series {
        let shape = Shape::Line(points);
        Series { figure: "value".to_owned(), meaning: Meaning::Number, shape, left_out: 0 }
    }

    #[test]
    fn a_line_goes_from_corner_to_corner() {
        let text = draw(&[line(vec![(0, 0.0), (86_400, 100.0)])], "test", 40);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 1 + HEIGHT + 2, "{text}");
        assert!(lines[1].starts_with("    100 ┤"), "{text}");
        assert!(lines[1].ends_with(|letter| ('\u{2801}'..'\u{2900}').contains(&letter)), "{text}");
        assert!(lines[HEIGHT].starts_with("      0 ┤"), "{text}");
        assert!(
            lines[HEIGHT + 2].contains("1970-01-01") && lines[HEIGHT + 2].ends_with("1970-01-02")
        );
    }

    proptest! {
        #[test]
        fn any_series_fits(
            points in prop::collection::vec((any::<i32>(), any::<f32>()), 1..40),
            width in 20_usize..200,
        ) {
            let mut points: Vec<(i64, f64)> = points
                .into_iter()
                .filter(|(_, value)| value.is_finite())
                .map(|(time, value)| (i64::from(time), f64::from(value)))
                .collect();
            points.sort_by_key(|(time, _)| *time);
            let names = points.iter().map(|(time, value)| (time.to_string(), *value)).collect();
            let bars = Series { shape: Shape::Bars(names), ..line(Vec::new()) };
            let columns = Series { shape: Shape::Columns(points.clone()), ..line(Vec::new()) };
            let both = vec![columns, line(points.clone())];
            for series in [vec![line(points)], vec![bars], both] {
                for text in draw(&series, "t", width).lines().skip(1) {
                    prop_assert!(text.width() <= width.max(46), "{text}");
                }
            }
        }
    }
}
