//! Tests of queries that ClickHouse accepts but this engine rejects. For these queries, the engine cannot return the
//! same result as ClickHouse.

use crate::fixture;

/// Queries that this engine rejects, each with a part of the expected error message.
const REFUSED: &[(&str, &str)] = &[
    ("SELECT groupArraySorted(2)(x) FROM (SELECT arrayJoin([nan, 1]) AS x)", "NaN"),
    ("SELECT uniq(toInt128(number) - 1) FROM numbers(3)", "uniqExact"),
    (
        "SELECT sum(number) OVER (ORDER BY if(number = 1, NULL, number) \
         RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM numbers(3)",
        "NULL or NaN",
    ),
    (
        "SELECT y FROM (SELECT 1 AS k, 2. AS x) AS a \
         ASOF JOIN (SELECT 1 AS k, nan AS y) AS b ON a.k = b.k AND a.x >= b.y",
        "NaN",
    ),
    ("SELECT x FROM (SELECT nan AS x) AS a, (SELECT nan AS y) AS b WHERE x = y", "ON"),
    ("SELECT x FROM (SELECT 0. AS x) AS a, (SELECT -0. AS y) AS b WHERE x = y", "ON"),
    ("SELECT (number % 2, 1) AS k FROM numbers(3) GROUP BY k WITH ROLLUP", "tuples"),
    ("SELECT toUInt8(number) AS n FROM numbers(2) ORDER BY n WITH FILL TO 300", "range"),
    (
        "SELECT number AS x, 1 AS v, 2 AS w FROM numbers(1) \
         ORDER BY x WITH FILL TO 3 INTERPOLATE (v AS v + 1, w AS v)",
        "another column of INTERPOLATE",
    ),
    (
        "SELECT toDate('2024-03-30') AS x ORDER BY x \
         WITH FILL TO toDate('2024-04-02') STEP INTERVAL 24 HOUR",
        "STEP",
    ),
    (
        "SELECT toDateTime('2011-12-29 02:30:00', 'Pacific/Apia') AS x ORDER BY x \
         WITH FILL TO toDateTime('2012-01-03 00:00:00', 'Pacific/Apia') STEP INTERVAL 1 DAY",
        "outside the supported range",
    ),
    ("SELECT if((SELECT 1), 1, 2)", "add AS name"),
    ("SELECT number AND (SELECT 0.5) FROM numbers(2)", "compare the float"),
    (
        "SELECT 1 FROM (SELECT 1 AS k) AS a ANY INNER JOIN (SELECT 1 AS k) AS b ON 1",
        "equality of a left and a right column",
    ),
    (
        "SELECT k FROM (SELECT 1 AS k) AS a INNER JOIN (SELECT 1 AS k) AS b ON a.k = b.k \
         INNER JOIN (SELECT 1 AS k) AS c ON a.k = c.k",
        "several tables",
    ),
    (
        "SELECT toStartOfInterval(toDate('2026-05-20'), INTERVAL 3100000000000000000 YEAR)",
        "INTERVAL is too large",
    ),
    (
        "SELECT toStartOfInterval(toDateTime64('1960-05-20 10:00:00', 0), INTERVAL 12000001 MONTH)",
        "INTERVAL is too large",
    ),
    ("SELECT dateTrunc('day', toDate('2024-01-01'), 'Europe/Berlin')", "argument 3"),
    ("SELECT toRelativeHourNum(toDateTime(1730610000, 'Asia/Pyongyang'))", "whole hours"),
    (r#"SELECT JSONExtract('{"a":"1"}', 'a', 'DateTime')"#, "write it as 2026-01-31"),
    (r#"SELECT JSONExtractRaw('{"b":-0}', 'b')"#, "-0"),
    (r#"SELECT JSONExtractInt('{"b":18446744073709551616}', 'b')"#, "more than 64 bits"),
    // ClickHouse compares values of different types in CASE and `transform` in another way than `=`.
    ("SELECT CASE toDate('2024-01-01') WHEN '2024-01-01' THEN 1 ELSE 0 END", "Date with String"),
    ("SELECT CASE now() WHEN toDate('2024-01-01') THEN 1 ELSE 0 END", "DateTime with Date"),
    ("SELECT CASE toDecimal64('0.29', 2) WHEN 0.29 THEN 1 ELSE 0 END", "with Float64"),
    (
        "SELECT CASE x WHEN y THEN 1 END FROM (SELECT arrayJoin([-0.0]) AS x, 0.0 AS y)",
        "with Float64",
    ),
    ("SELECT CASE [0.0] WHEN [-0.0] THEN 1 ELSE 5 END", "Array(Float64)"),
    (
        "SELECT transform(toDateTime('2024-01-01 00:00:00'), [toDate('2024-01-01')], [1], 0)",
        "no common type",
    ),
    ("SELECT unhex('61FF') LIKE unhex('61FF')", "not valid UTF-8"),
    ("SELECT match(unhex('61FF'), unhex('FF'))", "not valid UTF-8"),
    ("SELECT toJSONString(unhex('FF'))", "only valid UTF-8"),
    ("SELECT countMatchesCaseInsensitive('É', 'é')", "ASCII pattern"),
    (r"SELECT match('a', '\\Qa\\E')", "no supported escape"),
    (r"SELECT match('a', '\\141')", "no supported escape"),
    (r"SELECT multiMatchAny('a\n', ['a$'])", "does not support `$`"),
];

#[test]
fn queries_without_a_certain_result_are_rejected_with_a_reason() {
    for (sql, reason) in REFUSED {
        let answer = fixture::answer(sql);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains(reason), "{sql}: {answer}");
    }
}
