//! Rejects arguments whose type ClickHouse does not accept.

use super::FunctionCall;
use crate::problem::Result;
use crate::types::Type;

/// Returns an error if an argument is FixedString but must be String. Also returns an error if the type of a
/// week mode, such as `3` in `toWeek(day, 3)`, is neither UInt8 nor Bool.
pub(super) fn check(given: &FunctionCall<'_>) -> Result<()> {
    for (at, ty) in given.types.iter().enumerate() {
        let place = (given.name, at);
        let is_fixed = matches!(ty, Type::FixedString(_));
        if is_fixed && (ONLY_STRING.contains(&given.name) || STRINGS.contains(&place)) {
            let message = format!("argument {} must be String, not {ty}: use toString", at + 1);
            return Err(given.fault(&message));
        }
        if MODES.contains(&place)
            && !matches!(ty, Type::Int { bits: 8, signed: false } | Type::Bool | Type::Nothing)
        {
            return Err(given.fault(&format!("argument {} must be UInt8, not {ty}", at + 1)));
        }
    }
    Ok(())
}

/// Arguments that must be String, as pairs of function name and argument index. The other arguments of these functions
/// can be FixedString.
const STRINGS: &[(&str, usize)] = &[
    ("arrayStringConcat", 1),
    ("countMatches", 1),
    ("countMatchesCaseInsensitive", 1),
    ("extractGroups", 1),
    ("formatDateTime", 1),
    ("ilike", 1),
    ("leftPad", 2),
    ("leftPadUTF8", 2),
    ("like", 1),
    ("match", 1),
    ("notILike", 1),
    ("notLike", 1),
    ("rightPad", 2),
    ("rightPadUTF8", 2),
    ("translate", 1),
    ("translate", 2),
];

/// Arguments that contain a week mode, such as `3` in `toWeek(day, 3)`. Each entry is a pair of function name and
/// argument index. The type of these arguments must be UInt8 or Bool.
const MODES: &[(&str, usize)] = &[
    ("toDayOfWeek", 1),
    ("toLastDayOfWeek", 1),
    ("toStartOfWeek", 1),
    ("toWeek", 1),
    ("toYearWeek", 1),
];

/// String functions in which no argument can be FixedString.
const ONLY_STRING: &[&str] = &[
    "alphaTokens",
    "base64Decode",
    "countSubstrings",
    "countSubstringsCaseInsensitive",
    "extract",
    "extractAll",
    "hasToken",
    "leftUTF8",
    "locate",
    "lowerUTF8",
    "multiMatchAny",
    "multiSearchAny",
    "multiSearchAnyCaseInsensitive",
    "positionCaseInsensitive",
    "regexpExtract",
    "repeat",
    "replaceAll",
    "replaceOne",
    "replaceRegexpAll",
    "replaceRegexpOne",
    "reverseUTF8",
    "rightUTF8",
    "splitByChar",
    "splitByNonAlpha",
    "splitByRegexp",
    "splitByString",
    "splitByWhitespace",
    "substringIndex",
    "substringUTF8",
    "upperUTF8",
];
