//! Writes a chart as an SVG or PNG image.
//!
//! The input is data series, a title, a file name and a theme. The extension of the file name selects the image format.

use std::path::Path;
use std::sync::Once;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

use super::cell::time;
use super::chart::label;
use super::series::{Candle, Series, Shape, common_span, condensed, panels};
use crate::failure::{Exit, Failure};

/// Width of an image, in pixels. `HEIGHT` is the minimum height.
const WIDTH: u32 = 1200;
const HEIGHT: u32 = 675;
/// Height of a horizontal bar with its name, in pixels.
const BAR: u32 = 22;
/// Height of the title, in pixels.
const TITLE: u32 = 50;
const AXIS: u32 = 80;
/// Height of the empty space that is reserved for each legend entry, as a fraction of the panel's value range.
const LEGEND: f64 = 0.06;

/// Maximum number of candles in an image. More candles would overlap.
const CANDLES: usize = 300;

/// Colours of the parts of an image.
#[derive(Debug, Clone, Copy)]
struct Theme {
    background: RGBColor,
    text: RGBColor,
    grid: RGBColor,
    /// Colours of the lines of a panel, in the order of the lines.
    figures: [RGBColor; 8],
    rise: RGBColor,
    fall: RGBColor,
}

const LIGHT: Theme = Theme {
    background: RGBColor(255, 255, 255),
    text: RGBColor(40, 44, 52),
    grid: RGBColor(226, 229, 234),
    figures: [
        RGBColor(28, 100, 242),
        RGBColor(194, 65, 12),
        RGBColor(5, 122, 85),
        RGBColor(126, 34, 206),
        RGBColor(190, 24, 93),
        RGBColor(14, 116, 144),
        RGBColor(133, 77, 14),
        RGBColor(75, 85, 99),
    ],
    rise: RGBColor(5, 122, 85),
    fall: RGBColor(200, 30, 30),
};

const DARK: Theme = Theme {
    background: RGBColor(17, 24, 39),
    text: RGBColor(229, 231, 235),
    grid: RGBColor(45, 55, 72),
    figures: [
        RGBColor(118, 169, 250),
        RGBColor(251, 146, 60),
        RGBColor(49, 196, 141),
        RGBColor(192, 132, 252),
        RGBColor(244, 114, 182),
        RGBColor(34, 211, 238),
        RGBColor(250, 204, 21),
        RGBColor(156, 163, 175),
    ],
    rise: RGBColor(49, 196, 141),
    fall: RGBColor(249, 128, 128),
};

/// Draws the series into an image file. The file extension selects the format.
pub(crate) fn write(
    series: &[Series],
    title: &str,
    path: &Path,
    theme: &str,
) -> Result<(), Failure> {
    if series.iter().all(|one| one.shape.is_empty()) {
        return Err(Failure::new(Exit::NotFound, "there is nothing to draw"));
    }
    fonts();
    let theme = if theme == "dark" { DARK } else { LIGHT };
    let size = (WIDTH, height(series));
    let ends = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    match ends.to_ascii_lowercase().as_str() {
        "svg" => drawn(&SVGBackend::new(path, size).into_drawing_area(), series, title, theme),
        "png" => drawn(&BitMapBackend::new(path, size).into_drawing_area(), series, title, theme),
        _ => return Err(unknown(path)),
    }
    .map_err(|error| {
        let message = format!("the image {} cannot be written: {error}", path.display());
        Failure::new(Exit::Local, message).next("name a writable file")
    })
}

/// Returns the height of the image, in pixels. The image has enough space for the names of all horizontal bars, up to
/// 40 per panel.
fn height(series: &[Series]) -> u32 {
    let of_bars = |one: &Series| match &one.shape {
        Shape::Bars(bars) => u32::try_from(bars.len()).unwrap_or_default().min(40) * BAR + AXIS,
        _ => 0,
    };
    let panels = u32::try_from(panels(series).len()).unwrap_or(1);
    let tallest = series.iter().map(of_bars).max().unwrap_or_default();
    HEIGHT.max(TITLE + panels.saturating_mul(tallest))
}

/// Rejects a file with an unknown extension or in a folder that does not exist, before any request is sent.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    let ends = path.extension().and_then(|end| end.to_str()).map(str::to_ascii_lowercase);
    if !matches!(ends.as_deref(), Some("svg" | "png")) {
        return Err(unknown(path));
    }
    match path.parent() {
        Some(folder) if folder != Path::new("") && !folder.is_dir() => {
            let message = format!("there is no folder `{}`", folder.display());
            Err(Failure::usage(message)
                .next("create the folder of the image, or name another folder"))
        }
        _ => Ok(()),
    }
}

fn unknown(path: &Path) -> Failure {
    Failure::usage(format!("`{}` is not an image file", path.display()))
        .next("choose a file name that ends in .svg or .png")
}

/// Registers the embedded font. Text in images then looks the same on every machine.
fn fonts() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // If this fails, drawing returns an error about the missing font.
        let _ = register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular());
    });
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Draws the panels of an image below each other. All panels have the same time axis.
fn drawn<B>(area: &DrawingArea<B, Shift>, series: &[Series], title: &str, theme: Theme) -> Drawn
where
    B: DrawingBackend,
    B::ErrorType: 'static,
{
    area.fill(&theme.background)?;
    let heading = ("sans-serif", 26).into_font().color(&theme.text);
    let below = area.margin(10, 0, 0, 0).titled(title, heading)?;
    let panels = panels(series);
    let (first, last) = common_span(&series.iter().collect::<Vec<_>>()).unwrap_or_default();
    let aside = series.iter().map(half_step).max().unwrap_or_default();
    // A time axis needs a range, also if all rows have the same time.
    let aside = if first == last { aside.max(1) } else { aside };
    let span = (first - aside, last + aside);
    for (part, panel) in below.split_evenly((panels.len(), 1)).iter().zip(&panels) {
        match &panel[0].shape {
            Shape::Bars(bars) => bars_of(part, panel[0], bars, theme)?,
            _ => over_time(part, panel, span, theme)?,
        }
    }
    area.present()?;
    Ok(())
}

/// Returns the lower and upper end of a value axis. The ends are the smallest and the largest value of the panel, each
/// moved outwards by 5% of their difference. An end that is zero is not moved.
fn range(panel: &[&Series]) -> (f64, f64) {
    let ranges: Vec<_> = panel.iter().map(|one| one.shape.range()).collect();
    let low = ranges.iter().map(|(low, _)| *low).fold(f64::INFINITY, f64::min);
    let high = ranges.iter().map(|(_, high)| *high).fold(f64::NEG_INFINITY, f64::max);
    let space = (high - low) * 0.05;
    // If the end of the range is zero, no value is beyond it, so that end needs no space.
    let padded = |end: f64, space: f64| if end == 0.0 { end } else { end + space };
    (padded(low, -space), padded(high, space))
}

/// Draws a panel with a time axis: lines, vertical bars or candles.
fn over_time<B>(
    area: &DrawingArea<B, Shift>,
    panel: &[&Series],
    (first, last): (i64, i64),
    theme: Theme,
) -> Drawn
where
    B: DrawingBackend,
    B::ErrorType: 'static,
{
    let (low, high) = range(panel);
    // The range is extended, so that the legend does not cover a line.
    let names = if panel.len() > 1 { panel.len() as f64 } else { 0.0 };
    let high = high + (high - low) * LEGEND * names;
    let series = panel[0];
    let (step, marks) = marks(first, last);
    let letters = ("sans-serif", 18).into_font().color(&theme.text);
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        // The margin leaves space for the last label, which extends beyond the axis.
        .margin_right(70)
        .x_label_area_size(50)
        .y_label_area_size(110)
        .build_cartesian_2d((first..last).with_key_points(marks), low..high)?;

    let unit = if panel.len() == 1 { series.figure.as_str() } else { "" };
    chart
        .configure_mesh()
        .axis_style(theme.text)
        .bold_line_style(theme.grid)
        .light_line_style(theme.background)
        .label_style(letters.clone())
        .x_labels(MARKS)
        .x_label_formatter(&|seconds| mark(*seconds, step))
        .y_label_formatter(&|value| label(*value, series.meaning))
        .x_desc("UTC")
        .y_desc(unit)
        .axis_desc_style(letters.clone())
        .draw()?;

    for (index, one) in panel.iter().enumerate() {
        let colour = theme.figures[index % theme.figures.len()];
        match &one.shape {
            Shape::Line(points) => {
                let line = LineSeries::new(points.iter().copied(), colour.stroke_width(2));
                let key =
                    move |(x, y)| PathElement::new([(x, y), (x + 24, y)], colour.stroke_width(3));
                chart.draw_series(line)?.label(&one.figure).legend(key);
            }
            Shape::Columns(points) => {
                let width = (half_step(one) * 4 / 5).max(1);
                chart.draw_series(points.iter().map(|(time, value)| {
                    let colour = if *value < 0.0 { theme.fall } else { theme.rise };
                    Rectangle::new([(time - width, 0.0), (time + width, *value)], colour.filled())
                }))?;
            }
            Shape::Candles(candles) => {
                chart.draw_series(candle_sticks(candles, theme))?;
            }
            Shape::Bars(_) => {}
        }
    }

    if panel.len() > 1 {
        let mut names = chart.configure_series_labels();
        names.position(SeriesLabelPosition::UpperLeft).label_font(letters);
        names.background_style(theme.background.mix(0.85)).border_style(theme.grid).draw()?;
    }
    Ok(())
}

/// Merges neighbouring candles until at most [`CANDLES`] candles remain. Returns the shapes of these candles.
fn candle_sticks(candles: &[Candle], theme: Theme) -> Vec<CandleStick<i64, f64>> {
    let candles = condensed(candles, CANDLES);
    let width = (720 / u32::try_from(candles.len().max(1)).unwrap_or(1)).clamp(1, 24);
    let (rise, fall) = (theme.rise.filled(), theme.fall.filled());
    let stick =
        |c: &Candle| CandleStick::new(c.time, c.open, c.high, c.low, c.close, rise, fall, width);
    candles.iter().map(stick).collect()
}

/// Returns half the shortest interval between two consecutive candles or vertical bars, in seconds. The result is at
/// least 1 for candles and vertical bars, and 0 for lines and named bars.
fn half_step(series: &Series) -> i64 {
    let times: Vec<i64> = match &series.shape {
        Shape::Candles(candles) => candles.iter().map(|candle| candle.time).collect(),
        Shape::Columns(points) => points.iter().map(|(time, _)| *time).collect(),
        Shape::Line(_) | Shape::Bars(_) => return 0,
    };
    let steps = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0);
    (steps.min().unwrap_or(2) / 2).max(1)
}

/// Maximum number of tick marks on a time axis.
const MARKS: usize = 8;

const DAY: i64 = 86_400;

/// Possible distances between marks of a time axis, in seconds.
const STEPS: &[i64] = &[
    1,
    5,
    15,
    30,
    60,
    300,
    900,
    1_800,
    3_600,
    7_200,
    10_800,
    21_600,
    43_200,
    DAY,
    2 * DAY,
    5 * DAY,
    7 * DAY,
    14 * DAY,
    30 * DAY,
    60 * DAY,
    90 * DAY,
    180 * DAY,
    365 * DAY,
    730 * DAY,
    1_825 * DAY,
];

/// Returns the distance between the marks of a time axis, and the marks from `first` to `last`. All values are in
/// seconds.
fn marks(first: i64, last: i64) -> (i64, Vec<i64>) {
    let most = i64::try_from(MARKS).unwrap_or(i64::MAX);
    let fits = |step: &&i64| (last - first) / **step < most;
    let step = STEPS.iter().find(fits).copied().unwrap_or((last - first).max(1));
    let begin = first.div_euclid(step) * step;
    let marks = std::iter::successors(Some(begin), |mark| mark.checked_add(step));
    (step, marks.skip_while(|mark| *mark < first).take_while(|mark| *mark <= last).collect())
}

/// Formats the label of a mark on a time axis. The label is the date. If the marks are less than a day apart, the label
/// is the time of day, except at midnight.
fn mark(seconds: i64, step: i64) -> String {
    let whole = time(seconds, "");
    let of_day = whole.get(11..).filter(|_| step < DAY && seconds.rem_euclid(DAY) != 0);
    of_day.unwrap_or(whole.get(..10).unwrap_or(&whole)).to_owned()
}

fn bars_of<B>(
    area: &DrawingArea<B, Shift>,
    series: &Series,
    bars: &[(String, f64)],
    theme: Theme,
) -> Drawn
where
    B: DrawingBackend,
    B::ErrorType: 'static,
{
    let (low, high) = range(&[series]);
    let count = i32::try_from(bars.len()).unwrap_or(i32::MAX);
    let letters = ("sans-serif", 18).into_font().color(&theme.text);
    let name = |index: &i32| {
        let bar = usize::try_from(*index).ok().and_then(|index| bars.get(index));
        bar.map_or(String::new(), |(name, _)| name.chars().take(24).collect())
    };

    // The width is estimated at ten pixels per character.
    let longest = (0..count).map(|index| name(&index).chars().count()).max().unwrap_or_default();
    let widest = u32::try_from(longest * 10 + 20).unwrap_or(u32::MAX).clamp(60, 260);
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .margin_right(70)
        .x_label_area_size(50)
        .y_label_area_size(widest)
        .build_cartesian_2d(low..high, (0..count - 1).into_segmented())?;

    chart
        .configure_mesh()
        .axis_style(theme.text)
        .disable_y_mesh()
        .bold_line_style(theme.grid)
        .light_line_style(theme.background)
        .label_style(letters.clone())
        .x_labels(7)
        .y_labels(bars.len().min(40))
        .y_label_formatter(&|place| match place {
            SegmentValue::CenterOf(index) | SegmentValue::Exact(index) => {
                name(&(count - 1 - index))
            }
            SegmentValue::Last => String::new(),
        })
        .x_label_formatter(&|value| label(*value, series.meaning))
        .x_desc(series.figure.as_str())
        .axis_desc_style(letters)
        .draw()?;

    // The bars are reversed, because the axis begins at the bottom and the first row is drawn at the top.
    let rectangles = (0..count).zip(bars.iter().rev()).map(|(index, (_, value))| {
        let colour = if *value < 0.0 { theme.fall } else { theme.figures[0] };
        let (from, to) = (SegmentValue::Exact(index), SegmentValue::Exact(index + 1));
        let mut bar = Rectangle::new([(0.0, from), (*value, to)], colour.filled());
        bar.set_margin(3, 3, 0, 0);
        bar
    });
    chart.draw_series(rectangles)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::cell::Meaning;

    #[test]
    fn marks_are_round_times_and_none_says_the_same_twice() {
        for span in [1, 90, 7_200, DAY, 3 * DAY - 7, 30 * DAY, 400 * DAY, 9_000 * DAY] {
            let first = 1_780_000_123;
            let (step, marks) = marks(first, first + span);
            assert!(marks.len() <= MARKS && (span < 60 || marks.len() >= 2), "{span}: {marks:?}");
            assert!(marks.iter().all(|mark| mark % step == 0), "{span}: {marks:?}");
            let mut texts: Vec<_> = marks.iter().map(|at| mark(*at, step)).collect();
            texts.dedup();
            assert_eq!(texts.len(), marks.len(), "{span}: {texts:?}");
        }
        assert_eq!(mark(1_780_012_800, 3_600), "2026-05-29");
        assert_eq!(mark(1_780_016_400, 3_600), "01:00");
    }

    #[test]
    fn image_is_as_high_as_the_names_of_its_bars() {
        let bars = |figure: &str, count: usize| Series {
            figure: figure.to_owned(),
            meaning: Meaning::Number,
            shape: Shape::Bars((0..count).map(|index| (format!("bar {index}"), 1.0)).collect()),
            left_out: 0,
        };
        assert_eq!(height(&[bars("a", 5)]), HEIGHT);
        // Each of two panels has 20 names.
        let tall = height(&[bars("a", 20), bars("b", 20)]);
        assert!(tall >= TITLE + 2 * (20 * BAR + AXIS), "{tall}");
    }

    #[test]
    fn pictures_hold_title_axes_and_figures() {
        let folder = tempfile::tempdir().expect("a folder");
        let shape = Shape::Line(vec![(1_780_000_000, 1.0), (1_780_086_400, 2.0)]);
        let series =
            [Series { figure: "price_usd".to_owned(), meaning: Meaning::Usd, shape, left_out: 0 }];

        let svg = folder.path().join("a.svg");
        write(&series, "market-price BTC", &svg, "dark").expect("a picture");
        let text = std::fs::read_to_string(&svg).expect("a file");
        for part in ["market-price BTC", "price_usd", "UTC", "$1.50", "polyline"] {
            assert!(text.contains(part), "{part}");
        }
        let png = folder.path().join("a.png");
        write(&series, "market-price BTC", &png, "light").expect("a picture");
        assert!(std::fs::read(&png).expect("a file").starts_with(b"\x89PNG"));
        assert!(check(Path::new("a.gif")).is_err());
        assert!(check(&folder.path().join("none").join("a.png")).is_err());
        assert!(check(Path::new("a.png")).is_ok());
    }
}
