//! Aggregate functions for variance, covariance, correlation and linear regression. They use the algorithms of
//! ClickHouse, so their results have the same rounding errors.

use super::{AggregateCall, Made, State};
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

/// Function that computes a result from the sums of a group.
type Of<S> = fn(&S) -> f64;

pub(super) fn make(asked: &AggregateCall<'_>) -> Option<Result<Made>> {
    let of_one: Option<Of<Sums>> = match asked.name {
        "varPop" => Some(Sums::variance),
        "varSamp" => Some(Sums::sample_variance),
        "stddevPop" => Some(|sums| sums.variance().sqrt()),
        "stddevSamp" => Some(|sums| sums.sample_variance().sqrt()),
        "skewPop" => Some(|sums| ratio(sums.third(), sums.variance(), 1.5)),
        "skewSamp" => Some(|sums| ratio(sums.third(), sums.sample_variance(), 1.5)),
        "kurtPop" => Some(|sums| ratio(sums.fourth(), sums.variance(), 2.0)),
        "kurtSamp" => Some(|sums| ratio(sums.fourth(), sums.sample_variance(), 2.0)),
        _ => None,
    };

    let of_two: Option<Of<Pairs>> = match asked.name {
        "covarPop" => Some(|sums| (sums.xy - sums.x * sums.y / sums.n) / sums.n),
        "covarSamp" => Some(|sums| match sums.n {
            n if n < 2.0 => f64::NAN,
            n => (sums.xy - sums.x * sums.y / n) / (n - 1.0),
        }),
        "corr" => Some(Pairs::correlation),
        _ => None,
    };

    let stable: Option<(Of<Means>, bool)> = match asked.name {
        "varPopStable" => Some((|means| population(means.left, means.n), false)),
        "varSampStable" => Some((|means| sample(means.left, means.n), false)),
        "stddevPopStable" => Some((|means| population(means.left, means.n).sqrt(), false)),
        "stddevSampStable" => Some((|means| sample(means.left, means.n).sqrt(), false)),
        "covarPopStable" => Some((|means| population(means.both, means.n), true)),
        "covarSampStable" => Some((|means| sample(means.both, means.n), true)),
        "corrStable" => Some((Means::correlation, true)),
        _ => None,
    };

    Some(match (of_one, of_two, stable) {
        (Some(of), ..) => build::<Sums>(asked, of, false),
        (_, Some(of), _) => build::<Pairs>(asked, of, true),
        (.., Some((of, two))) => build::<Means>(asked, of, two),
        _ if asked.name == "simpleLinearRegression" => regression(asked),
        _ => return None,
    })
}

/// Returns `moment / variance.powf(power)`, or NaN if the variance is not positive. With the third moment and the power
/// 1.5, this is the skewness.
fn ratio(moment: f64, variance: f64, power: f64) -> f64 {
    if variance > 0.0 { moment / variance.powf(power) } else { f64::NAN }
}

/// Returns the variance or covariance of a population, `sum / n`. `sum` is the sum of the squared deviations, or of the
/// products of deviations. `n` is the number of rows. Like ClickHouse, returns infinity for 0 rows and 0 for 1 row.
fn population(sum: f64, n: f64) -> f64 {
    match n {
        n if n < 1.0 => f64::INFINITY,
        1.0 => 0.0,
        n => sum / n,
    }
}

/// Returns the variance or covariance of a sample, `sum / (n - 1)`. `sum` is the sum of the squared deviations, or of
/// the products of deviations, and `n` is the number of rows. Like ClickHouse, returns infinity for fewer than 2 rows.
fn sample(sum: f64, n: f64) -> f64 {
    if n < 2.0 { f64::INFINITY } else { sum / (n - 1.0) }
}

fn scale(ty: &Type) -> f64 {
    match ty {
        Type::Decimal { scale, .. } => 10_f64.powi(i32::from(*scale)),
        _ => 1.0,
    }
}

fn build<S: Sum>(asked: &AggregateCall<'_>, of: Of<S>, two: bool) -> Result<Made> {
    asked.takes(if two { 2..=2 } else { 1..=1 })?;
    let is_taken = |ty: &Type| (ty.is_int() && !ty.is_wide()) || ty.is_float() || ty.is_null();
    if two && !asked.types.iter().all(is_taken) {
        return Err(asked.fault("each argument must be an integer of up to 64 bits or a float"));
    }
    if asked.types.contains(&Type::Float32) {
        return Err(asked.fault("a sum of Float32 depends on the order of rows: use toFloat64"));
    }
    let left = scale(asked.number(0)?);
    let right = if two { scale(asked.number(1)?) } else { 1.0 };
    Made::new(Type::Float64, move || Numbers {
        sums: S::default(),
        scales: (left, right),
        finish: Box::new(move |sums: &S| Value::Float(of(sums))),
    })
}

fn regression(asked: &AggregateCall<'_>) -> Result<Made> {
    asked.takes(2..=2)?;
    let scales = (scale(asked.number(0)?), scale(asked.number(1)?));
    let part = |name: &str| (Some(name.to_owned()), Type::Float64);
    let ty = Type::Tuple(vec![part("k"), part("b")]);
    Made::new(ty, move || Numbers {
        sums: Pairs::default(),
        scales,
        finish: Box::new(|sums: &Pairs| {
            let (slope, start) = sums.line();
            Value::list(vec![Value::Float(slope), Value::Float(start)])
        }),
    })
}

/// Sums that a statistical function accumulates over the rows of a group. `add` gets the two arguments of a row as `x`
/// and `y`. Functions of one argument ignore `y`.
trait Sum: Default + Send + 'static {
    fn add(&mut self, x: f64, y: f64);
}

struct Numbers<S> {
    sums: S,
    scales: (f64, f64),
    finish: Box<dyn Fn(&S) -> Value + Send>,
}

impl<S: Sum> State for Numbers<S> {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        let y = args.get(1).map_or(0.0, |y| y.float() / self.scales.1);
        self.sums.add(args[0].float() / self.scales.0, y);
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok((self.finish)(&self.sums))
    }
}

/// Returns 0 for negative numbers and, like ClickHouse, for NaN. Returns other numbers unchanged.
fn at_least_zero(number: f64) -> f64 {
    number.max(0.0)
}

/// Number of rows, and the sums of the first four powers of the argument.
#[derive(Default)]
struct Sums([f64; 5]);

impl Sum for Sums {
    fn add(&mut self, x: f64, _: f64) {
        let mut power = 1.0;
        for sum in &mut self.0 {
            *sum += power;
            power *= x;
        }
    }
}

impl Sums {
    fn variance(&self) -> f64 {
        let [n, x, xx, ..] = self.0;
        if n < 1.0 { f64::NAN } else { at_least_zero((xx - x * x / n) / n) }
    }

    fn sample_variance(&self) -> f64 {
        let [n, x, xx, ..] = self.0;
        if n <= 1.0 { f64::NAN } else { at_least_zero((xx - x * x / n) / (n - 1.0)) }
    }

    fn third(&self) -> f64 {
        let [n, x, xx, xxx, _] = self.0;
        (xxx - (3.0 * xx - 2.0 * x * x / n) * x / n) / n
    }

    fn fourth(&self) -> f64 {
        let [n, x, xx, xxx, xxxx] = self.0;
        (xxxx - (4.0 * xxx - (6.0 * xx - 3.0 * x * x / n) * x / n) * x / n) / n
    }
}

/// Number of rows `n`, and the sums of `x`, `y`, `x * y`, `x * x` and `y * y` over all rows.
#[derive(Default)]
struct Pairs {
    n: f64,
    x: f64,
    y: f64,
    xy: f64,
    xx: f64,
    yy: f64,
}

impl Sum for Pairs {
    fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xy += x * y;
        self.xx += x * x;
        self.yy += y * y;
    }
}

impl Pairs {
    fn correlation(&self) -> f64 {
        let both = self.n * self.xy - self.x * self.y;
        let squares = |squares: f64, sum: f64| self.n * squares - sum * sum;
        both / (squares(self.xx, self.x) * squares(self.yy, self.y)).sqrt()
    }

    /// Returns the slope and the intercept of the regression line (least squares).
    fn line(&self) -> (f64, f64) {
        let divisor = self.xx * self.n - self.x * self.x;
        if divisor == 0.0 {
            return (f64::NAN, f64::NAN);
        }
        let slope = (self.xy * self.n - self.x * self.y) / divisor;
        (slope, (self.y - slope * self.x) / self.n)
    }
}

/// State of functions such as `corrStable(x, y)`: the number of rows, the mean of each argument, and three sums over
/// all rows. `left` is the sum of the squared deviations of `x` from its mean, and `right` is the sum of the squared
/// deviations of `y`. `both` is the sum of the products of the two deviations.
#[derive(Default)]
struct Means {
    n: f64,
    mean_x: f64,
    mean_y: f64,
    left: f64,
    right: f64,
    both: f64,
}

impl Sum for Means {
    fn add(&mut self, x: f64, y: f64) {
        let (delta_x, delta_y) = (x - self.mean_x, y - self.mean_y);
        self.n += 1.0;
        self.mean_x += delta_x / self.n;
        self.mean_y += delta_y / self.n;
        self.left += delta_x * (x - self.mean_x);
        self.right += delta_y * (y - self.mean_y);
        self.both += (x - self.mean_x) * delta_y;
    }
}

impl Means {
    fn correlation(&self) -> f64 {
        if self.n < 2.0 { f64::INFINITY } else { self.both / (self.left * self.right).sqrt() }
    }
}
