//! Data series of a chart: values over time, candles, or named bars.
//!
//! Terminal charts and images draw the same series. An image consists of panels. A panel shows one series, or several
//! lines with the same unit and similar size.

use super::cell::Meaning;

/// Data series of a chart, with its name and the kind of its values, such as percentages.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Series {
    /// Name of the drawn field. If several groups of rows are drawn, the name contains the name of the group too.
    pub(crate) figure: String,
    pub(crate) meaning: Meaning,
    pub(crate) shape: Shape,
    /// Number of rows that the chart does not show, because they have no time or no value.
    pub(crate) left_out: usize,
}

/// Data of a series: points over time, candles, or bars with names. Points and candles are sorted by time, oldest
/// first. Bars are in the order of the rows. Times are Unix seconds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    Line(Vec<(i64, f64)>),
    /// Vertical bars over time, for amounts such as daily flows.
    Columns(Vec<(i64, f64)>),
    Candles(Vec<Candle>),
    Bars(Vec<(String, f64)>),
}

/// First, highest, lowest and last price of one time interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candle {
    pub(crate) time: i64,
    pub(crate) open: f64,
    pub(crate) high: f64,
    pub(crate) low: f64,
    pub(crate) close: f64,
}

impl Shape {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Shape::Line(points) | Shape::Columns(points) => points.is_empty(),
            Shape::Candles(candles) => candles.is_empty(),
            Shape::Bars(bars) => bars.is_empty(),
        }
    }

    /// Returns the smallest and largest value of the series. If the values are equal, returns a small range around
    /// them, because a chart needs a range that is not empty.
    pub(crate) fn range(&self) -> (f64, f64) {
        let figures: Vec<f64> = match self {
            Shape::Line(points) => points.iter().map(|(_, value)| *value).collect(),
            Shape::Candles(candles) => candles.iter().flat_map(|c| [c.low, c.high]).collect(),
            // Bars start at zero, so zero belongs to the range.
            Shape::Columns(points) => points.iter().map(|(_, value)| *value).chain([0.0]).collect(),
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

    /// Returns the first and last time of the series, in Unix seconds. Returns `None` for an empty series and for
    /// [`Shape::Bars`], which has names in place of times.
    pub(crate) fn span(&self) -> Option<(i64, i64)> {
        match self {
            Shape::Line(points) | Shape::Columns(points) => {
                Some((points.first()?.0, points.last()?.0))
            }
            Shape::Candles(candles) => Some((candles.first()?.time, candles.last()?.time)),
            Shape::Bars(_) => None,
        }
    }
}

/// Returns the first and last time of several series together, in Unix seconds.
pub(crate) fn common_span(series: &[&Series]) -> Option<(i64, i64)> {
    let spans: Vec<_> = series.iter().filter_map(|one| one.shape.span()).collect();
    let first = spans.iter().map(|(first, _)| *first).min()?;
    Some((first, spans.iter().map(|(_, last)| *last).max()?))
}

/// Groups the series into the panels of an image. Line series share a panel if they have the same unit and values of
/// similar size. Every other series has its own panel.
#[cfg(any(feature = "plot", test))]
pub(crate) fn panels(series: &[Series]) -> Vec<Vec<&Series>> {
    /// Maximum ratio between the largest absolute values of two series in one panel. Above this ratio, the series with
    /// the smaller values would look flat.
    const SIMILAR: f64 = 5.0;
    let size = |one: &Series| {
        let (low, high) = one.shape.range();
        low.abs().max(high.abs())
    };
    let is_similar = |a: &Series, b: &Series| {
        let same_shape = std::mem::discriminant(&a.shape) == std::mem::discriminant(&b.shape);
        let (small, large) = (size(a).min(size(b)), size(a).max(size(b)));
        same_shape && a.meaning == b.meaning && large <= small * SIMILAR
    };

    let mut panels: Vec<Vec<&Series>> = Vec::new();
    for one in series.iter().filter(|one| !one.shape.is_empty()) {
        let is_line = matches!(one.shape, Shape::Line(_));
        let fitting = panels.iter_mut().find(|panel| is_line && is_similar(panel[0], one));
        match fitting {
            Some(panel) => panel.push(one),
            None => panels.push(vec![one]),
        }
    }
    panels
}

/// Merges neighbouring candles, so that at most `most` candles remain.
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

    #[test]
    fn lines_of_similar_size_share_a_panel() {
        let line = |name: &str, size: f64| Series {
            figure: name.to_owned(),
            meaning: Meaning::Usd,
            shape: Shape::Line(vec![(0, size / 2.0), (1, size)]),
            left_out: 0,
        };
        let series = [line("a", 100.0), line("b", 2.0), line("c", 60.0)];
        let sizes: Vec<_> = panels(&series).iter().map(Vec::len).collect();
        assert_eq!(sizes, [2, 1]);
    }

    #[test]
    fn neighbours_become_one_candle() {
        let candle = |time, open, high, low, close| Candle { time, open, high, low, close };
        let both = [candle(0, 1.0, 4.0, 1.0, 2.0), candle(1, 2.0, 3.0, 0.5, 2.5)];
        assert_eq!(condensed(&both, 1), [candle(0, 1.0, 4.0, 0.5, 2.5)]);
        assert_eq!(condensed(&both, 9), both);
    }
}
