//! Arithmetic with missing values. If one operand of a calculation has no number, the result has no number either. The
//! result then has the state of this operand: missing or not applicable.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::error::Error;
use crate::error_kind::ErrorKind;

/// A number, or the reason why the number is missing.
///
/// Figures support arithmetic. If one operand is missing and the other is not applicable, the result is not applicable,
/// in either order. If both are missing or both are not applicable, the result has the reason of the first operand.
///
/// A missing value is never treated as 0. The sum of an empty list is missing too. A division by zero is not
/// applicable. A result out of the range of its number type is missing.
///
/// ```
/// use crypto_intel_core::Figure;
///
/// let revenue = [Figure::Value(5.0), Figure::missing("not_reported")];
/// assert_eq!(revenue.iter().cloned().sum::<Figure<f64>>(), Figure::missing("not_reported"));
///
/// let (now, before) = (Figure::Value(6.0), Figure::Value(5.0));
/// assert_eq!((now - before).to_string(), "1");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Figure<T = f64> {
    /// The number is known.
    Value(T),
    /// The number is not known, for example because the company did not report it, or because a result is out of range.
    Missing(Gap),
    /// The number has no meaning. For example, a growth rate has no meaning if the earlier value is 0.
    NotApplicable(Gap),
}

/// Reason why a number is missing or not applicable, as a code such as `not_reported`. Contains no code if the reason
/// is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gap(Option<Box<str>>);

impl Gap {
    /// Returns the code of the reason, such as `not_reported`.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl From<Option<&str>> for Gap {
    fn from(reason: Option<&str>) -> Self {
        Gap(reason.map(Into::into))
    }
}

impl From<&str> for Gap {
    fn from(reason: &str) -> Self {
        Some(reason).into()
    }
}

/// Reason code of a figure that is not applicable because of a division by zero.
const BY_ZERO: &str = "division_by_zero";
/// Reason code of a result that is missing because it is out of the range of its number type.
const OVERFLOW: &str = "overflow";
/// Reason code for the sum of an empty list. This sum has no number.
const NO_FIGURES: &str = "no_figures";

/// Number type that a [`Figure`] can contain. Arithmetic methods return `None` if the result is out of range.
pub trait Amount: Copy + PartialOrd {
    /// The number zero.
    const ZERO: Self;
    /// Returns `self + other`.
    fn plus(self, other: Self) -> Option<Self>;
    /// Returns `self - other`.
    fn minus(self, other: Self) -> Option<Self>;
    /// Returns `self * other`.
    fn times(self, other: Self) -> Option<Self>;
    /// Returns `self / other`, or `None` if the result is out of range. The caller ensures that `other` is not zero.
    fn over(self, other: Self) -> Option<Self>;
    /// Returns the absolute value.
    fn magnitude(self) -> Self;
}

impl Amount for f64 {
    const ZERO: Self = 0.0;

    fn plus(self, other: Self) -> Option<Self> {
        Some(self + other).filter(|sum| sum.is_finite())
    }

    fn minus(self, other: Self) -> Option<Self> {
        Some(self - other).filter(|difference| difference.is_finite())
    }

    fn times(self, other: Self) -> Option<Self> {
        Some(self * other).filter(|product| product.is_finite())
    }

    fn over(self, other: Self) -> Option<Self> {
        Some(self / other).filter(|quotient| quotient.is_finite())
    }

    fn magnitude(self) -> Self {
        self.abs()
    }
}

#[cfg(feature = "decimal")]
impl Amount for rust_decimal::Decimal {
    const ZERO: Self = rust_decimal::Decimal::ZERO;

    fn plus(self, other: Self) -> Option<Self> {
        self.checked_add(other)
    }

    fn minus(self, other: Self) -> Option<Self> {
        self.checked_sub(other)
    }

    fn times(self, other: Self) -> Option<Self> {
        self.checked_mul(other)
    }

    fn over(self, other: Self) -> Option<Self> {
        self.checked_div(other)
    }

    fn magnitude(self) -> Self {
        self.abs()
    }
}

impl<T> Figure<T> {
    /// Creates a figure that is missing, because the number is not known. `reason` is a code such as `not_reported`.
    #[must_use]
    pub fn missing(reason: &str) -> Self {
        Figure::Missing(reason.into())
    }

    /// Creates a figure that is not applicable, because a number would have no meaning. `reason` is a code such as
    /// `division_by_zero`.
    #[must_use]
    pub fn not_applicable(reason: &str) -> Self {
        Figure::NotApplicable(reason.into())
    }

    /// Returns the number, or `None` if it is missing or not applicable.
    #[must_use]
    pub fn value(self) -> Option<T> {
        match self {
            Figure::Value(value) => Some(value),
            Figure::Missing(_) | Figure::NotApplicable(_) => None,
        }
    }

    /// Returns the reason why the figure has no number, as a code such as `not_reported`. Returns `None` if the figure
    /// has a number or the reason is unknown.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Figure::Value(_) => None,
            Figure::Missing(gap) | Figure::NotApplicable(gap) => gap.reason(),
        }
    }

    /// Returns the number. If the figure has no number, returns an error whose message contains the reason.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotFound`] if the figure is missing or not applicable.
    pub fn require(self) -> Result<T, Error> {
        match self {
            Figure::Value(value) => Ok(value),
            gap => Err(Error::new(
                ErrorKind::NotFound,
                format!("the figure has no value: {}", gap.status_text()),
            )),
        }
    }

    /// Applies a function to the number. Returns a figure without a number unchanged.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Figure<U> {
        match self {
            Figure::Value(value) => Figure::Value(change(value)),
            Figure::Missing(gap) => Figure::Missing(gap),
            Figure::NotApplicable(gap) => Figure::NotApplicable(gap),
        }
    }

    /// Applies a function to the numbers of two figures. If one figure has no number, the result has no number and has
    /// the reason of that figure. For two figures without a number, the documentation of [`Figure`] defines the reason.
    pub fn with<U, V>(
        self,
        other: Figure<U>,
        combine: impl FnOnce(T, U) -> Figure<V>,
    ) -> Figure<V> {
        match (self, other) {
            (Figure::Value(a), Figure::Value(b)) => combine(a, b),
            (Figure::NotApplicable(gap), _) | (_, Figure::NotApplicable(gap)) => {
                Figure::NotApplicable(gap)
            }
            (Figure::Missing(gap), _) | (_, Figure::Missing(gap)) => Figure::Missing(gap),
        }
    }

    fn status_text(&self) -> String {
        let (what, reason) = match self {
            Figure::Value(_) => ("available", None),
            Figure::Missing(gap) => ("missing", gap.reason()),
            Figure::NotApplicable(gap) => ("not applicable", gap.reason()),
        };
        reason.map_or_else(|| what.to_owned(), |reason| format!("{what} ({reason})"))
    }
}

impl<T: Amount> Figure<T> {
    /// Returns the relative change since `previous`: 0.25 is a growth of one quarter. The change is divided by the
    /// absolute value of `previous`, so a rise from a negative value is positive. If `previous` is zero, the result is
    /// not applicable.
    ///
    /// ```
    /// use crypto_intel_core::Figure;
    ///
    /// assert_eq!(Figure::Value(5.0).growth(Figure::Value(4.0)), Figure::Value(0.25));
    /// assert_eq!(Figure::Value(1.0).growth(Figure::Value(-4.0)), Figure::Value(1.25));
    /// assert_eq!(Figure::Value(1.0).growth(Figure::Value(0.0)).value(), None);
    /// ```
    #[must_use]
    pub fn growth(self, previous: Figure<T>) -> Figure<T> {
        let base = previous.clone().map(Amount::magnitude);
        (self - previous) / base
    }

    /// Compares two figures. If one figure has no number, the result is missing or not applicable, as in arithmetic.
    /// The result is missing if the two numbers have no order, for example if one number is NaN.
    #[must_use]
    pub fn compare(self, other: Figure<T>) -> Figure<Ordering> {
        self.with(other, |a, b| match a.partial_cmp(&b) {
            Some(ordering) => Figure::Value(ordering),
            None => Figure::missing("not_comparable"),
        })
    }
}

fn or_overflow<T>(result: Option<T>) -> Figure<T> {
    result.map_or_else(|| Figure::missing(OVERFLOW), Figure::Value)
}

macro_rules! operator {
    ($($operator:ident $method:ident |$a:ident, $b:ident| $result:expr;)*) => {$(
        impl<T: Amount> $operator for Figure<T> {
            type Output = Figure<T>;

            fn $method(self, other: Figure<T>) -> Figure<T> {
                self.with(other, |$a, $b| $result)
            }
        }

        impl<T: Amount> $operator<T> for Figure<T> {
            type Output = Figure<T>;

            fn $method(self, other: T) -> Figure<T> {
                $operator::$method(self, Figure::Value(other))
            }
        }
    )*};
}
operator! {
    Add add |a, b| or_overflow(a.plus(b));
    Sub sub |a, b| or_overflow(a.minus(b));
    Mul mul |a, b| or_overflow(a.times(b));
    Div div |a, b| {
        if b == T::ZERO { Figure::not_applicable(BY_ZERO) } else { or_overflow(a.over(b)) }
    };
}

impl<T: Amount> Neg for Figure<T> {
    type Output = Figure<T>;

    fn neg(self) -> Figure<T> {
        Figure::Value(T::ZERO) - self
    }
}

/// Adds up figures. The sum is [`Figure::Value`] only if every figure is a `Value`. The sum of an empty list is
/// [`Figure::Missing`].
impl<T: Amount> Sum for Figure<T> {
    fn sum<I: Iterator<Item = Self>>(figures: I) -> Self {
        figures.reduce(Add::add).unwrap_or_else(|| Figure::missing(NO_FIGURES))
    }
}

/// Writes the number. For a figure without a number, writes `missing` or `not applicable`, and the reason code in
/// parentheses.
impl<T: fmt::Display> fmt::Display for Figure<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Figure::Value(value) => value.fmt(f),
            gap => f.pad(&gap.status_text()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_figure() -> impl Strategy<Value = Figure<f64>> {
        prop_oneof![
            // The floats are whole numbers, so that sums are exact in any order.
            4 => (-1000i32..1000).prop_map(|n| Figure::Value(f64::from(n))),
            1 => "[ab]".prop_map(|reason| Figure::missing(&reason)),
            1 => "[ab]".prop_map(|reason| Figure::not_applicable(&reason)),
        ]
    }

    fn state<T>(figure: &Figure<T>) -> u8 {
        match figure {
            Figure::Value(_) => 0,
            Figure::Missing(_) => 1,
            Figure::NotApplicable(_) => 2,
        }
    }

    #[test]
    fn results_without_number_have_a_reason() {
        let value = Figure::Value;
        let (missing, never) = (Figure::missing("m"), Figure::not_applicable("n"));
        for (result, expected) in [
            (value(1.5) + 1.0, "2.5"),
            (value(1.0) - missing.clone(), "missing (m)"),
            (missing.clone() * never.clone(), "not applicable (n)"),
            (missing.clone() + Figure::missing("second"), "missing (m)"),
            (never / value(0.0), "not applicable (n)"),
            (value(1.0) / 0.0, "not applicable (division_by_zero)"),
            (missing / value(0.0), "missing (m)"),
            (value(f64::MAX) + f64::MAX, "missing (overflow)"),
            (-value(1.0), "-1"),
            (value(3.0).growth(value(2.0)), "0.5"),
            (Figure::Missing(Gap::default()), "missing"),
            ([].into_iter().sum(), "missing (no_figures)"),
        ] {
            assert_eq!(result.to_string(), expected);
        }

        let error = Figure::<f64>::missing("m").require().unwrap_err();
        assert_eq!(error.to_string(), "not found: the figure has no value: missing (m)");
    }

    #[cfg(feature = "decimal")]
    #[test]
    fn decimals_stay_exact() {
        let decimal = |text: &str| Figure::Value(text.parse::<rust_decimal::Decimal>().unwrap());
        assert_eq!(decimal("0.1") + decimal("0.2"), decimal("0.3"));
        assert_eq!(decimal("1.1").growth(decimal("1")), decimal("0.1"));
        let most = Figure::Value(rust_decimal::Decimal::MAX);
        assert_eq!((most.clone() + most).reason(), Some("overflow"));
    }

    proptest! {
        #[test]
        fn sum_has_number_only_if_all_terms_have_one(
            figures in prop::collection::vec(any_figure(), 1..8),
        ) {
            let worst = figures.iter().map(state).max().unwrap_or(0);
            let sum: Figure<f64> = figures.iter().cloned().sum();
            prop_assert_eq!(state(&sum), worst);
            if worst == 0 {
                let plain: f64 = figures.into_iter().filter_map(Figure::value).sum();
                prop_assert_eq!(sum, Figure::Value(plain));
            }
        }

        #[test]
        fn grouping_keeps_result_and_order_keeps_state(
            a in any_figure(), b in any_figure(), c in any_figure(),
        ) {
            let left = (a.clone() + b.clone()) + c.clone();
            prop_assert_eq!(&left, &(a.clone() + (b.clone() + c)));
            prop_assert_eq!(state(&(a.clone() + b.clone())), state(&(b.clone() + a.clone())));
            prop_assert_eq!(state(&(a.clone() * b.clone())), state(&(b * a)));
        }

        #[test]
        fn a_gap_never_counts_as_zero(a in any_figure(), b in any_figure()) {
            let known = state(&a) == 0 && state(&b) == 0;
            for result in [a.clone() + b.clone(), a.clone() - b.clone(), a.clone() * b.clone()] {
                prop_assert_eq!(result.value().is_some(), known);
            }
            prop_assert_eq!(a.clone().compare(b.clone()).value().is_some(), known);
            prop_assert!(known || (a.clone() / b.clone()).value().is_none());
            prop_assert!(known || a.growth(b).value().is_none());
        }
    }
}
