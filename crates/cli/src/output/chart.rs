//! Draws charts in the terminal with Unicode characters.

use unicode_width::UnicodeWidthStr;

use super::cell::{Meaning, number, time};
use super::series::{Candle, Series, Shape, condensed};

/// Height of a chart in lines.
const HEIGHT: usize = 16;

/// Wider charts are not easier to read.
const WIDEST: usize = 160;

/// Draws a series as text of at most `width` columns.
pub(crate) fn draw(series: &Series, title: &str, width: usize) -> String {
    if series.shape.is_empty() {
        return "nothing to draw\n".to_owned();
    }
    let width = width.min(WIDEST);
    let body = match &series.shape {
        Shape::Bars(bars) => bars_of(bars, series.meaning, width),
        Shape::Line(points) => framed(series, width, |columns| line_of(points, series, columns)),
        Shape::Candles(candles) => framed(series, width, |columns| {
            candles_of(&condensed(candles, columns), series, columns)
        }),
    };
    let left_out = match series.left_out {
        0 => String::new(),
        rows => format!(" ({rows} rows have no value)"),
    };
    format!("{title}: {}{left_out}\n{body}", series.figure)
}

/// A number beside an axis.
pub(crate) fn label(value: f64, meaning: Meaning) -> String {
    let text = number(&format!("{value}"));
    match meaning {
        Meaning::Usd => format!("${text}"),
        Meaning::Percent => format!("{text}%"),
        _ => text,
    }
}

/// Adds axes to the lines of a drawing.
fn framed(series: &Series, width: usize, draw: impl Fn(usize) -> Vec<String>) -> String {
    let (low, high) = series.shape.range();
    let at = |row: usize| high - (high - low) * row as f64 / (HEIGHT - 1) as f64;
    let shown = |row: usize| row.is_multiple_of(5);
    let labels: Vec<String> = (0..HEIGHT)
        .map(|row| if shown(row) { label(at(row), series.meaning) } else { String::new() })
        .collect();
    let margin = labels.iter().map(|label| label.width()).max().unwrap_or_default();

    let columns = width.saturating_sub(margin + 2).max(8);
    let lines = draw(columns);
    let columns = lines.first().map_or(columns, |line| line.chars().count());
    let mut text = String::new();
    for (row, (line, label)) in lines.iter().zip(&labels).enumerate() {
        let axis = if shown(row) { '┤' } else { '│' };
        text.push_str(format!("{label:>margin$} {axis}{line}").trim_end());
        text.push('\n');
    }
    if let Some((first, last)) = series.shape.span() {
        text.push_str(&format!("{:margin$} └{}\n", "", "─".repeat(columns)));
        text.push_str(&format!("{:margin$}  {}\n", "", ends(first, last, columns)));
    }
    text
}

/// First and last time below an axis: both with the time of day, both as dates, or only the first.
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

/// A line chart in Braille dots, two by four per character.
fn line_of(points: &[(i64, f64)], series: &Series, columns: usize) -> Vec<String> {
    let (low, high) = series.shape.range();
    let (first, last) = series.shape.span().unwrap_or_default();
    let (wide, tall) = (columns * 2, HEIGHT * 4);
    let mut dots = vec![vec![0_u8; columns]; HEIGHT];
    let mut set = |x: usize, y: usize| {
        // Bits of the dots in a Braille character.
        const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
        dots[y / 4][x / 2] |= BITS[x % 2][y % 4];
    };

    let place = |(time, value): (i64, f64)| {
        let x = share((time - first) as f64, (last - first) as f64, wide);
        (x, tall - 1 - share(value - low, high - low, tall))
    };
    let mut before: Option<(usize, usize)> = None;
    for point in points {
        let (x, y) = place(*point);
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

    let letter =
        |bits: &u8| char::from_u32(0x2800 + u32::from(*bits)).filter(|_| *bits > 0).unwrap_or(' ');
    dots.iter().map(|row| row.iter().map(letter).collect()).collect()
}

/// Columns for the times below an axis.
const LABELS: usize = 36;

/// Colours rising candles green and falling candles red.
pub(crate) fn coloured(text: &str, series: &Series) -> String {
    if !matches!(series.shape, Shape::Candles(_)) {
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

/// One column per candle: filled if the price fell, hollow if it rose.
fn candles_of(candles: &[Candle], series: &Series, columns: usize) -> Vec<String> {
    let (low, high) = series.shape.range();
    let row = |value: f64| HEIGHT - 1 - share(value - low, high - low, HEIGHT);
    let step = (columns / candles.len().max(1)).clamp(1, 3);
    // As wide as the candles, so the last time stands below the last candle.
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

/// One line per bar. Negative values have another kind of bar.
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

/// Position of `part` in `whole`, from 0 to `steps - 1`.
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
        let text = draw(&line(vec![(0, 0.0), (86_400, 100.0)]), "test", 40);
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
            for series in [line(points), bars] {
                for text in draw(&series, "t", width).lines().skip(1) {
                    prop_assert!(text.width() <= width.max(46), "{text}");
                }
            }
        }
    }
}
