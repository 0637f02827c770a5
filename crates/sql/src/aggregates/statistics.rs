//! Variance, covariance and correlation of numbers.

use super::{Asked, Made, State};
use crate::problem::Result;
use crate::types::Type;
use crate::value::Value;

pub(super) const NAMES: &[&str] = &[
    "varPop",
    "varSamp",
    "stddevPop",
    "stddevSamp",
    "covarPop",
    "covarSamp",
    "corr",
    "skewPop",
    "skewSamp",
    "kurtPop",
    "kurtSamp",
    "varPopStable",
    "varSampStable",
    "stddevPopStable",
    "stddevSampStable",
    "corrStable",
    "covarPopStable",
    "covarSampStable",
    "simpleLinearRegression",
];

pub(super) fn make(asked: &Asked<'_>) -> Option<Result<Made>> {
    let name = asked.name.strip_suffix("Stable").unwrap_or(asked.name);
    let (of, two): (fn(&Moments) -> f64, bool) = match name {
        "varPop" => (Moments::variance, false),
        "varSamp" => (|m| m.variance() * m.n / (m.n - 1.0), false),
        "stddevPop" => (|m| m.variance().sqrt(), false),
        "stddevSamp" => (|m| (m.variance() * m.n / (m.n - 1.0)).sqrt(), false),
        "covarPop" => (|m| m.covariance, true),
        "covarSamp" => (|m| m.covariance * m.n / (m.n - 1.0), true),
        "corr" => (Moments::correlation, true),
        "skewPop" => (|m| m.third / m.variance().powf(1.5), false),
        "skewSamp" => (|m| m.third / (m.variance() * m.n / (m.n - 1.0)).powf(1.5), false),
        "kurtPop" => (|m| m.fourth / m.variance().powi(2), false),
        "kurtSamp" => (|m| m.fourth / (m.variance() * m.n / (m.n - 1.0)).powi(2), false),
        "simpleLinearRegression" => return Some(regression(asked)),
        _ => return None,
    };
    Some(build(asked, of, two))
}

fn scale(ty: &Type) -> f64 {
    match ty {
        Type::Decimal { scale, .. } => 10_f64.powi(i32::from(*scale)),
        _ => 1.0,
    }
}

fn build(asked: &Asked<'_>, of: fn(&Moments) -> f64, two: bool) -> Result<Made> {
    asked.takes(if two { 2..=2 } else { 1..=1 })?;
    if two && asked.types.iter().any(Type::is_wide) {
        return Err(asked.fault("numbers of more than 64 bits are not taken"));
    }
    let left = scale(asked.number(0)?);
    let right = if two { scale(asked.number(1)?) } else { 1.0 };
    Made::new(Type::Float64, move || Numbers {
        rows: Vec::new(),
        scales: (left, right),
        of: Some(of),
    })
}

fn regression(asked: &Asked<'_>) -> Result<Made> {
    asked.takes(2..=2)?;
    let scales = (scale(asked.number(0)?), scale(asked.number(1)?));
    let part = |name: &str| (Some(name.to_owned()), Type::Float64);
    let ty = Type::Tuple(vec![part("k"), part("b")]);
    Made::new(ty, move || Numbers { rows: Vec::new(), scales, of: None })
}

/// All numbers of the group. They are summed at the end, since the result must not depend on their
/// order.
struct Numbers {
    rows: Vec<(f64, f64)>,
    scales: (f64, f64),
    of: Option<fn(&Moments) -> f64>,
}

/// Statistical moments of a list of numbers.
struct Moments {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    covariance: f64,
    third: f64,
    fourth: f64,
}

impl Moments {
    #[expect(clippy::cast_precision_loss, reason = "rows are few")]
    fn of(rows: &[(f64, f64)]) -> Self {
        let n = rows.len() as f64;
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| rows.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(&|row| row.0), mean(&|row| row.1));
        Moments {
            n,
            x,
            y,
            xx: mean(&|row| (row.0 - x).powi(2)),
            yy: mean(&|row| (row.1 - y).powi(2)),
            covariance: mean(&|row| (row.0 - x) * (row.1 - y)),
            third: mean(&|row| (row.0 - x).powi(3)),
            fourth: mean(&|row| (row.0 - x).powi(4)),
        }
    }

    fn variance(&self) -> f64 {
        self.xx
    }

    fn correlation(&self) -> f64 {
        self.covariance / (self.xx * self.yy).sqrt()
    }
}

impl State for Numbers {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        let y = args.get(1).map_or(0.0, |y| y.float() / self.scales.1);
        self.rows.push((args[0].float() / self.scales.0, y));
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        let moments = Moments::of(&self.rows);
        Ok(match self.of {
            Some(of) => Value::Float(of(&moments)),
            None => {
                let k = moments.covariance / moments.xx;
                let b = moments.y - k * moments.x;
                Value::list(vec![Value::Float(k), Value::Float(b)])
            }
        })
    }

    fn size(&self) -> usize {
        2 * self.rows.len() * size_of::<(f64, f64)>() + 64
    }
}
