//! Pictures: the same as a chart, as SVG or PNG.

use std::path::Path;
use std::sync::Once;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

use super::chart::label;
use super::series::{Series, Shape, condensed};
use super::value::time;
use crate::failure::{Exit, Failure};

/// Points of a picture.
const SIZE: (u32, u32) = (1200, 675);

/// More candles cannot be told apart.
const CANDLES: usize = 300;

/// Colours of a picture.
#[derive(Debug, Clone, Copy)]
struct Theme {
    background: RGBColor,
    text: RGBColor,
    grid: RGBColor,
    figure: RGBColor,
    rise: RGBColor,
    fall: RGBColor,
}

const LIGHT: Theme = Theme {
    background: RGBColor(255, 255, 255),
    text: RGBColor(40, 44, 52),
    grid: RGBColor(226, 229, 234),
    figure: RGBColor(28, 100, 242),
    rise: RGBColor(5, 122, 85),
    fall: RGBColor(200, 30, 30),
};

const DARK: Theme = Theme {
    background: RGBColor(17, 24, 39),
    text: RGBColor(229, 231, 235),
    grid: RGBColor(45, 55, 72),
    figure: RGBColor(118, 169, 250),
    rise: RGBColor(49, 196, 141),
    fall: RGBColor(249, 128, 128),
};

/// Draws into a file; its name says the format.
pub(crate) fn write(series: &Series, title: &str, path: &Path, theme: &str) -> Result<(), Failure> {
    if series.shape.is_empty() {
        return Err(Failure::new(Exit::NotFound, "there is nothing to draw"));
    }
    fonts();
    let theme = if theme == "dark" { DARK } else { LIGHT };
    let ends = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    match ends.to_ascii_lowercase().as_str() {
        "svg" => drawn(&SVGBackend::new(path, SIZE).into_drawing_area(), series, title, theme),
        "png" => drawn(&BitMapBackend::new(path, SIZE).into_drawing_area(), series, title, theme),
        _ => return Err(unknown(path)),
    }
    .map_err(|error| Failure::new(Exit::Local, format!("{}: {error}", path.display())))
}

/// Refuses a file whose format cannot be written, before anything is paid for.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    let ends = path.extension().and_then(|end| end.to_str()).map(str::to_ascii_lowercase);
    match ends.as_deref() {
        Some("svg" | "png") => Ok(()),
        _ => Err(unknown(path)),
    }
}

fn unknown(path: &Path) -> Failure {
    Failure::usage(format!("`{}` names no picture", path.display()))
        .next("name a file that ends in .svg or .png")
}

/// The program brings its letters, so that pictures are the same on every machine.
fn fonts() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without the letters the texts are missing, and drawing says so.
        let _ = register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular());
    });
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

fn drawn<B>(area: &DrawingArea<B, Shift>, series: &Series, title: &str, theme: Theme) -> Drawn
where
    B: DrawingBackend,
    B::ErrorType: 'static,
{
    area.fill(&theme.background)?;
    match &series.shape {
        Shape::Bars(bars) => bars_of(area, series, bars, title, theme)?,
        _ => over_time(area, series, title, theme)?,
    }
    area.present()?;
    Ok(())
}

fn over_time<B>(area: &DrawingArea<B, Shift>, series: &Series, title: &str, theme: Theme) -> Drawn
where
    B: DrawingBackend,
    B::ErrorType: 'static,
{
    let (low, high) = series.shape.range();
    let room = (high - low) * 0.05;
    let (first, last) = series.shape.span().unwrap_or_default();
    let (first, last) = if first == last { (first - 1, last + 1) } else { (first, last) };
    let letters = ("sans-serif", 18).into_font().color(&theme.text);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 26).into_font().color(&theme.text))
        .margin(20)
        // The last label stands half outside.
        .margin_right(70)
        .x_label_area_size(50)
        .y_label_area_size(110)
        .build_cartesian_2d(first..last, (low - room)..(high + room))?;
    chart
        .configure_mesh()
        .axis_style(theme.text)
        .bold_line_style(theme.grid)
        .light_line_style(theme.background)
        .label_style(letters.clone())
        .x_labels(7)
        .x_label_formatter(&|seconds| day(*seconds, last - first))
        .y_label_formatter(&|value| label(*value, series.meaning))
        .x_desc("UTC")
        .y_desc(series.figure.as_str())
        .axis_desc_style(letters)
        .draw()?;

    match &series.shape {
        Shape::Line(points) => {
            chart.draw_series(LineSeries::new(
                points.iter().copied(),
                theme.figure.stroke_width(2),
            ))?;
        }
        Shape::Candles(candles) => {
            let candles = condensed(candles, CANDLES);
            let width = (900 / u32::try_from(candles.len().max(1)).unwrap_or(1)).clamp(1, 24);
            chart.draw_series(candles.iter().map(|c| {
                let (rise, fall) = (theme.rise.filled(), theme.fall.filled());
                CandleStick::new(c.time, c.open, c.high, c.low, c.close, rise, fall, width)
            }))?;
        }
        Shape::Bars(_) => {}
    }
    Ok(())
}

/// A time on the axis: the day, or the hour where the whole is short.
fn day(seconds: i64, span: i64) -> String {
    let whole = time(seconds, "");
    match span {
        0..172_800 => whole.get(5..16).unwrap_or(&whole).to_owned(),
        _ => whole.get(..10).unwrap_or(&whole).to_owned(),
    }
}

fn bars_of<B>(
    area: &DrawingArea<B, Shift>,
    series: &Series,
    bars: &[(String, f64)],
    title: &str,
    theme: Theme,
) -> Drawn
where
    B: DrawingBackend,
    B::ErrorType: 'static,
{
    let (low, high) = series.shape.range();
    let count = i32::try_from(bars.len()).unwrap_or(i32::MAX);
    let letters = ("sans-serif", 18).into_font().color(&theme.text);
    let name = |index: &i32| {
        let bar = usize::try_from(*index).ok().and_then(|index| bars.get(index));
        bar.map_or(String::new(), |(name, _)| name.chars().take(24).collect())
    };
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 26).into_font().color(&theme.text))
        .margin(20)
        .margin_right(70)
        .x_label_area_size(50)
        .y_label_area_size(230)
        .build_cartesian_2d(low..high * 1.02, (0..count - 1).into_segmented())?;
    chart
        .configure_mesh()
        .axis_style(theme.text)
        .disable_y_mesh()
        .bold_line_style(theme.grid)
        .light_line_style(theme.background)
        .label_style(letters.clone())
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

    // The first row is on top.
    let rectangles = (0..count).zip(bars.iter().rev()).map(|(index, (_, value))| {
        let colour = if *value < 0.0 { theme.fall } else { theme.figure };
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
    use crate::output::value::Meaning;

    #[test]
    fn pictures_hold_title_axes_and_figures() {
        let folder = tempfile::tempdir().expect("a folder");
        let shape = Shape::Line(vec![(1_780_000_000, 1.0), (1_780_086_400, 2.0)]);
        let series =
            Series { figure: "price_usd".to_owned(), meaning: Meaning::Usd, shape, left_out: 0 };

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
    }
}
