//! The functions there are. What is in none of these tables is refused by name.

use super::types::Ty;

/// What a function gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gives {
    Is(Ty),
    /// The type of its first value.
    First,
    /// What holds all its values.
    Common,
}

/// A function of single values.
#[derive(Debug)]
pub(super) struct Scalar {
    /// In lower case.
    name: &'static str,
    /// A letter a value: `t` text, `n` number, `d` date or time, `a` array, `*` anything. After
    /// `|` they may be left out; `+` repeats the last.
    pub(super) takes: &'static str,
    pub(super) gives: Gives,
    /// What it is in the engine: `$1` is the first value, `$*` all of them. No value may stand
    /// there twice, or nested calls would grow without end.
    pub(super) text: &'static str,
}

use Gives::{Common, First, Is};
use Ty::{Any, Array, Date, DateTime, Float, Int, Text};

const fn f(name: &'static str, takes: &'static str, gives: Gives, text: &'static str) -> Scalar {
    Scalar { name, takes, gives, text }
}

const SCALARS: &[Scalar] = &[
    // Texts.
    f("lower", "t", Is(Text), "lower($1)"),
    f("lcase", "t", Is(Text), "lower($1)"),
    f("upper", "t", Is(Text), "upper($1)"),
    f("ucase", "t", Is(Text), "upper($1)"),
    f("lowerutf8", "t", Is(Text), "ch_lower($1)"),
    f("upperutf8", "t", Is(Text), "ch_upper($1)"),
    f("lengthutf8", "t", Is(Int), "length($1)"),
    f("char_length", "t", Is(Int), "length($1)"),
    f("character_length", "t", Is(Int), "length($1)"),
    f("substring", "tn|n", Is(Text), "ch_substring($*)"),
    f("substr", "tn|n", Is(Text), "ch_substring($*)"),
    f("mid", "tn|n", Is(Text), "ch_substring($*)"),
    f("substringutf8", "tn|n", Is(Text), "ch_substring($*)"),
    f("left", "tn", Is(Text), "ch_substring($1, 1, $2)"),
    f("right", "tn", Is(Text), "ch_right($*)"),
    f("startswith", "tt", Is(Int), "ch_starts($*)"),
    f("endswith", "tt", Is(Int), "ch_ends($*)"),
    f("position", "tt", Is(Int), "ch_position($*)"),
    f("positioncaseinsensitive", "tt", Is(Int), "ch_position(lower($1), lower($2))"),
    f("locate", "tt", Is(Int), "ch_position($2, $1)"),
    f("replace", "ttt", Is(Text), "ch_replace($*)"),
    f("replaceall", "ttt", Is(Text), "ch_replace($*)"),
    f("replaceone", "ttt", Is(Text), "ch_replace_one($*)"),
    f("trim", "t", Is(Text), "trim($1)"),
    f("trimboth", "t", Is(Text), "trim($1)"),
    f("trimleft", "t", Is(Text), "ltrim($1)"),
    f("ltrim", "t", Is(Text), "ltrim($1)"),
    f("trimright", "t", Is(Text), "rtrim($1)"),
    f("rtrim", "t", Is(Text), "rtrim($1)"),
    f("reverse", "t", Is(Text), "ch_reverse($1)"),
    f("repeat", "tn", Is(Text), "ch_repeat($*)"),
    f("leftpad", "tn|t", Is(Text), "ch_pad(1, $*)"),
    f("lpad", "tn|t", Is(Text), "ch_pad(1, $*)"),
    f("rightpad", "tn|t", Is(Text), "ch_pad(0, $*)"),
    f("rpad", "tn|t", Is(Text), "ch_pad(0, $*)"),
    f("hex", "t", Is(Text), "hex($1)"),
    f("like", "tt", Is(Int), "($1 LIKE $2 ESCAPE '\\')"),
    f("ilike", "tt", Is(Int), "(lower($1) LIKE lower($2) ESCAPE '\\')"),
    f("notlike", "tt", Is(Int), "($1 NOT LIKE $2 ESCAPE '\\')"),
    f("notilike", "tt", Is(Int), "(lower($1) NOT LIKE lower($2) ESCAPE '\\')"),
    f("splitbychar", "tt", Is(Array), "ch_split($*)"),
    f("splitbystring", "tt", Is(Array), "ch_split($*)"),
    // Numbers.
    f("abs", "n", First, "abs($1)"),
    f("negate", "n", First, "(-$1)"),
    f("multiply", "nn", Common, "($1 * $2)"),
    f("divide", "nn", Is(Float), "(CAST($1 AS REAL) / $2)"),
    f("intdiv", "nn", Is(Int), "ch_intdiv($*)"),
    f("modulo", "nn", Common, "ch_mod($*)"),
    f("mod", "nn", Common, "ch_mod($*)"),
    f("bitand", "nn", Is(Int), "($1 & $2)"),
    f("bitor", "nn", Is(Int), "($1 | $2)"),
    f("bitshiftleft", "nn", Is(Int), "($1 << $2)"),
    f("bitshiftright", "nn", Is(Int), "($1 >> $2)"),
    f("round", "n|n", First, "ch_round($*)"),
    f("roundbankers", "n|n", First, "ch_round($*)"),
    f("floor", "n|n", First, "ch_floor($*)"),
    f("ceil", "n|n", First, "ch_ceil($*)"),
    f("ceiling", "n|n", First, "ch_ceil($*)"),
    f("trunc", "n|n", First, "ch_trunc($*)"),
    f("truncate", "n|n", First, "ch_trunc($*)"),
    f("sign", "n", Is(Int), "ch_sign($1)"),
    f("sqrt", "n", Is(Float), "ch_sqrt($1)"),
    f("cbrt", "n", Is(Float), "ch_cbrt($1)"),
    f("exp", "n", Is(Float), "ch_exp($1)"),
    f("exp2", "n", Is(Float), "ch_exp2($1)"),
    f("exp10", "n", Is(Float), "ch_exp10($1)"),
    f("ln", "n", Is(Float), "ch_ln($1)"),
    f("log", "n", Is(Float), "ch_ln($1)"),
    f("log2", "n", Is(Float), "ch_log2($1)"),
    f("log10", "n", Is(Float), "ch_log10($1)"),
    f("log1p", "n", Is(Float), "ch_log1p($1)"),
    f("sin", "n", Is(Float), "ch_sin($1)"),
    f("cos", "n", Is(Float), "ch_cos($1)"),
    f("tan", "n", Is(Float), "ch_tan($1)"),
    f("tanh", "n", Is(Float), "ch_tanh($1)"),
    f("atan", "n", Is(Float), "ch_atan($1)"),
    f("pow", "nn", Is(Float), "ch_pow($*)"),
    f("power", "nn", Is(Float), "ch_pow($*)"),
    f("pi", "", Is(Float), "3.141592653589793"),
    f("e", "", Is(Float), "2.718281828459045"),
    // The engine knows no NaN: it is NULL there.
    f("isnan", "n", Is(Int), "($1 IS NULL)"),
    f("isfinite", "n", Is(Int), "ch_finite($1)"),
    // Choices.
    f("nullif", "**", First, "nullif($*)"),
    f("assumenotnull", "*", First, "$1"),
    f("tonullable", "*", First, "$1"),
    f("materialize", "*", First, "$1"),
    f("identity", "*", First, "$1"),
    f("isnull", "*", Is(Int), "($1 IS NULL)"),
    f("isnotnull", "*", Is(Int), "($1 IS NOT NULL)"),
    f("not", "n", Is(Int), "(NOT $1)"),
    f("xor", "nn", Is(Int), "(($1 <> 0) <> ($2 <> 0))"),
    // Conversions.
    f("toint8", "*", Is(Int), "ch_int($1, 8, 1)"),
    f("toint16", "*", Is(Int), "ch_int($1, 16, 1)"),
    f("toint32", "*", Is(Int), "ch_int($1, 32, 1)"),
    f("toint64", "*", Is(Int), "ch_int($1, 64, 1)"),
    f("toint128", "*", Is(Int), "ch_int($1, 64, 1)"),
    f("toint256", "*", Is(Int), "ch_int($1, 64, 1)"),
    f("touint8", "*", Is(Int), "ch_int($1, 8, 0)"),
    f("touint16", "*", Is(Int), "ch_int($1, 16, 0)"),
    f("touint32", "*", Is(Int), "ch_int($1, 32, 0)"),
    f("touint64", "*", Is(Int), "ch_int($1, 64, 0)"),
    f("touint128", "*", Is(Int), "ch_int($1, 64, 0)"),
    f("touint256", "*", Is(Int), "ch_int($1, 64, 0)"),
    f("toint64ornull", "t", Is(Int), "ch_int_or($1, NULL)"),
    f("toint64orzero", "t", Is(Int), "ch_int_or($1, 0)"),
    f("touint64ornull", "t", Is(Int), "ch_int_or($1, NULL)"),
    f("touint64orzero", "t", Is(Int), "ch_int_or($1, 0)"),
    f("tofloat32", "*", Is(Float), "ch_float($1)"),
    f("tofloat64", "*", Is(Float), "ch_float($1)"),
    f("tofloat64ornull", "t", Is(Float), "ch_float_or($1, NULL)"),
    f("tofloat64orzero", "t", Is(Float), "ch_float_or($1, 0.0)"),
    f("todecimal32", "*n", Is(Float), "ch_round(ch_float($1), $2)"),
    f("todecimal64", "*n", Is(Float), "ch_round(ch_float($1), $2)"),
    f("todecimal128", "*n", Is(Float), "ch_round(ch_float($1), $2)"),
    f("todecimal256", "*n", Is(Float), "ch_round(ch_float($1), $2)"),
    f("tobool", "*", Is(Int), "(ch_int($1, 64, 1) <> 0)"),
    f("todateornull", "t", Is(Date), "ch_start(ch_time_or($1, NULL), 'day', 1)"),
    f("todateorzero", "t", Is(Date), "ch_start(ch_time_or($1, 0), 'day', 1)"),
    f("todatetimeornull", "t", Is(DateTime), "ch_time_or($1, NULL)"),
    f("todatetimeorzero", "t", Is(DateTime), "ch_time_or($1, 0)"),
    f("parsedatetimebesteffort", "d", Is(DateTime), "$1"),
    f("parsedatetimebesteffortornull", "t", Is(DateTime), "ch_time_or($1, NULL)"),
    f("tounixtimestamp", "d", Is(Int), "$1"),
    f("fromunixtimestamp", "n", Is(DateTime), "ch_int($1, 64, 1)"),
    f("totimezone", "dt", First, "$1"),
    // Parts of a time.
    f("toyear", "d", Is(Int), "ch_part('year', $1)"),
    f("year", "d", Is(Int), "ch_part('year', $1)"),
    f("toquarter", "d", Is(Int), "ch_part('quarter', $1)"),
    f("tomonth", "d", Is(Int), "ch_part('month', $1)"),
    f("month", "d", Is(Int), "ch_part('month', $1)"),
    f("toisoweek", "d", Is(Int), "ch_part('week', $1)"),
    f("todayofmonth", "d", Is(Int), "ch_part('day', $1)"),
    f("today_of_month", "d", Is(Int), "ch_part('day', $1)"),
    f("day", "d", Is(Int), "ch_part('day', $1)"),
    f("todayofweek", "d", Is(Int), "ch_part('dayofweek', $1)"),
    f("todayofyear", "d", Is(Int), "ch_part('dayofyear', $1)"),
    f("tohour", "d", Is(Int), "ch_part('hour', $1)"),
    f("hour", "d", Is(Int), "ch_part('hour', $1)"),
    f("tominute", "d", Is(Int), "ch_part('minute', $1)"),
    f("tosecond", "d", Is(Int), "ch_part('second', $1)"),
    f("toyyyymm", "d", Is(Int), "ch_part('yyyymm', $1)"),
    f("toyyyymmdd", "d", Is(Int), "ch_part('yyyymmdd', $1)"),
    f("toyyyymmddhhmmss", "d", Is(Int), "ch_part('yyyymmddhhmmss', $1)"),
    f("formatdatetime", "dt", Is(Text), "ch_format($*)"),
    // Starts of a time.
    f("tostartofsecond", "d", Is(DateTime), "ch_start($1, 'second', 1)"),
    f("tostartofminute", "d", Is(DateTime), "ch_start($1, 'minute', 1)"),
    f("tostartoffiveminutes", "d", Is(DateTime), "ch_start($1, 'minute', 5)"),
    f("tostartoffiveminute", "d", Is(DateTime), "ch_start($1, 'minute', 5)"),
    f("tostartoftenminutes", "d", Is(DateTime), "ch_start($1, 'minute', 10)"),
    f("tostartoffifteenminutes", "d", Is(DateTime), "ch_start($1, 'minute', 15)"),
    f("tostartofhour", "d", Is(DateTime), "ch_start($1, 'hour', 1)"),
    f("tostartofday", "d", Is(DateTime), "ch_start($1, 'day', 1)"),
    f("tostartofweek", "d|n", Is(Date), "ch_week($*)"),
    f("tomonday", "d", Is(Date), "ch_start($1, 'week', 1)"),
    f("tostartofisoweek", "d", Is(Date), "ch_start($1, 'week', 1)"),
    f("tostartofmonth", "d", Is(Date), "ch_start($1, 'month', 1)"),
    f("tostartofquarter", "d", Is(Date), "ch_start($1, 'quarter', 1)"),
    f("tostartofyear", "d", Is(Date), "ch_start($1, 'year', 1)"),
    f("tolastdayofmonth", "d", Is(Date), "ch_month_end($1)"),
    // Arrays.
    f("array", "*+", Is(Array), "json_array($*)"),
    f("arrayelement", "an", Is(Any), "ch_element($*)"),
    f("has", "a*", Is(Int), "(ch_index_of($*) > 0)"),
    f("indexof", "a*", Is(Int), "ch_index_of($*)"),
    f("arraysum", "a", Is(Float), "ch_array('sum', $1)"),
    f("arrayavg", "a", Is(Float), "ch_array('avg', $1)"),
    f("arraymin", "a", Is(Any), "ch_array('min', $1)"),
    f("arraymax", "a", Is(Any), "ch_array('max', $1)"),
    f("arraysort", "a", Is(Array), "ch_array('sort', $1)"),
    f("arrayreversesort", "a", Is(Array), "ch_array('reversesort', $1)"),
    f("arrayreverse", "a", Is(Array), "ch_array('reverse', $1)"),
    f("arraydistinct", "a", Is(Array), "ch_array('distinct', $1)"),
    f("arraystringconcat", "a|t", Is(Text), "ch_join($*)"),
    f("range", "n|n", Is(Array), "ch_range($*)"),
];

/// The function of single values called `name`, in lower case.
pub(super) fn scalar(name: &str) -> Option<&'static Scalar> {
    SCALARS.iter().find(|function| function.name == name)
}

/// A function of many rows.
#[derive(Debug)]
pub(super) struct Aggregate {
    name: &'static str,
    pub(super) takes: &'static str,
    pub(super) gives: Gives,
    /// What it is in the engine; `$p` stands for its parameters.
    pub(super) text: &'static str,
    /// Whether the engine runs it over windows.
    pub(super) has_windows: bool,
}

const fn a(name: &'static str, takes: &'static str, gives: Gives, text: &'static str) -> Aggregate {
    Aggregate { name, takes, gives, text, has_windows: false }
}

const fn w(name: &'static str, takes: &'static str, gives: Gives, text: &'static str) -> Aggregate {
    Aggregate { name, takes, gives, text, has_windows: true }
}

const AGGREGATES: &[Aggregate] = &[
    w("sum", "n", First, "sum($1)"),
    w("avg", "n", Is(Float), "avg($1)"),
    w("min", "*", First, "min($1)"),
    w("max", "*", First, "max($1)"),
    a("any", "*", First, "ch_any($1)"),
    a("any_value", "*", First, "ch_any($1)"),
    a("anylast", "*", First, "ch_any_last($1)"),
    a("uniq", "*+", Is(Int), "count(DISTINCT $1)"),
    a("uniqexact", "*+", Is(Int), "count(DISTINCT $1)"),
    a("uniqcombined", "*+", Is(Int), "count(DISTINCT $1)"),
    a("uniqcombined64", "*+", Is(Int), "count(DISTINCT $1)"),
    a("uniqhll12", "*+", Is(Int), "count(DISTINCT $1)"),
    a("countdistinct", "*+", Is(Int), "count(DISTINCT $1)"),
    a("argmax", "**", First, "ch_arg_max($*)"),
    a("argmin", "**", First, "ch_arg_min($*)"),
    a("quantile", "n", Is(Float), "ch_quantile($1, $p)"),
    a("quantiletdigest", "n", Is(Float), "ch_quantile($1, $p)"),
    a("quantilebfloat16", "n", Is(Float), "ch_quantile($1, $p)"),
    a("quantileexactinclusive", "n", Is(Float), "ch_quantile($1, $p)"),
    a("quantileexact", "n", First, "ch_quantile_exact($1, $p)"),
    a("quantiles", "n", Is(Array), "ch_quantiles($1, $p)"),
    a("median", "n", Is(Float), "ch_quantile($1, 0.5)"),
    a("medianexact", "n", First, "ch_quantile_exact($1, 0.5)"),
    a("stddevpop", "n", Is(Float), "ch_moment('stddevpop', $1)"),
    a("stddevsamp", "n", Is(Float), "ch_moment('stddevsamp', $1)"),
    a("varpop", "n", Is(Float), "ch_moment('varpop', $1)"),
    a("varsamp", "n", Is(Float), "ch_moment('varsamp', $1)"),
    a("corr", "nn", Is(Float), "ch_moment('corr', $*)"),
    a("covarpop", "nn", Is(Float), "ch_moment('covarpop', $*)"),
    a("covarsamp", "nn", Is(Float), "ch_moment('covarsamp', $*)"),
    a("avgweighted", "nn", Is(Float), "ch_moment('avgweighted', $*)"),
    a("grouparray", "*", Is(Array), "ch_group_array($1, $p)"),
    a("groupuniqarray", "*", Is(Array), "ch_group_uniq_array($1, $p)"),
    a("topk", "*", Is(Array), "ch_top($1, $p)"),
];

/// The function of many rows called `name`, in lower case.
pub(super) fn aggregate(name: &str) -> Option<&'static Aggregate> {
    AGGREGATES.iter().find(|function| function.name == name)
}

/// Functions that look along a window and are nothing without one.
const WINDOWED: &[Aggregate] = &[
    w("row_number", "", Is(Int), "row_number()"),
    w("rank", "", Is(Int), "rank()"),
    w("dense_rank", "", Is(Int), "dense_rank()"),
    w("denserank", "", Is(Int), "dense_rank()"),
    w("percent_rank", "", Is(Float), "percent_rank()"),
    w("cume_dist", "", Is(Float), "cume_dist()"),
    w("ntile", "n", Is(Int), "ntile($1)"),
    w("first_value", "*", First, "first_value($1)"),
    w("last_value", "*", First, "last_value($1)"),
    w("nth_value", "*n", First, "nth_value($*)"),
    w("lag", "*|n*", First, "lag($*)"),
    w("laginframe", "*|n*", First, "lag($*)"),
    w("lead", "*|n*", First, "lead($*)"),
    w("leadinframe", "*|n*", First, "lead($*)"),
];

/// The function along a window called `name`, in lower case.
pub(super) fn windowed(name: &str) -> Option<&'static Aggregate> {
    WINDOWED.iter().find(|function| function.name == name)
}

/// The letter of value `at` (from 0) by a list of letters, if one may stand there.
pub(super) fn letter(takes: &str, at: usize) -> Option<char> {
    let repeats = takes.ends_with('+');
    let letters: Vec<char> = takes.chars().filter(|letter| !matches!(letter, '|' | '+')).collect();
    letters.get(at).or(letters.last().filter(|_| repeats)).copied()
}

/// The least number of values by a list of letters.
pub(super) fn least(takes: &str) -> usize {
    takes.split('|').next().unwrap_or_default().chars().filter(|letter| *letter != '+').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_stands_twice() {
        let texts = SCALARS.iter().map(|f| (f.name, f.text));
        let texts = texts.chain(AGGREGATES.iter().chain(WINDOWED).map(|f| (f.name, f.text)));
        for (name, text) in texts {
            for mark in ["$1", "$2", "$3", "$*", "$p"] {
                assert!(text.matches(mark).count() <= 1, "{name}");
            }
            assert!(!(text.contains("$*") && text.contains("$1")), "{name}");
            assert_eq!(name, name.to_lowercase());
        }
    }

    #[test]
    fn letters_say_how_many() {
        assert_eq!((least("tn|n"), letter("tn|n", 2), letter("tn|n", 3)), (2, Some('n'), None));
        assert_eq!((least("*+"), letter("*+", 9)), (1, Some('*')));
        assert_eq!((least(""), letter("", 0)), (0, None));
    }
}
