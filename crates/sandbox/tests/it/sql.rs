//! Tests of the SQL dialect. Most of the queries have a result that does not depend on the sandbox's data.

use serde_json::{Value, json};

use crate::support::{Bench, NOW};

/// An SQL query with its expected rows. A row is a list of values in column order.
type Query = (&'static str, Value);

const DAY: i64 = 86_400;
/// 2026-06-15, a Monday. The time of the sandbox is 13:37:42 UTC on this day.
const TODAY: i64 = NOW - NOW.rem_euclid(DAY);
/// Start of the day 2026-01-01 UTC, in Unix seconds.
const YEAR: i64 = 1_767_225_600;

/// Returns queries that use all parts of the SQL dialect. Other tests make these queries invalid.
pub(crate) fn queries() -> Vec<Query> {
    [
        arithmetic(),
        comparisons(),
        choices(),
        texts(),
        searches_in_texts(),
        conversions(),
        dates(),
        periods(),
        forms_of_dates(),
        arrays(),
        counts_and_sums(),
        other_aggregates(),
        groups(),
        order_and_limits(),
        places_in_windows(),
        aggregates_over_windows(),
        named_queries(),
        joins_and_subqueries(),
        unions(),
    ]
    .concat()
}

fn arithmetic() -> Vec<Query> {
    vec![
        ("SELECT 1", json!([[1]])),
        ("SELECT 1 + 2 * 3, (1 + 2) * 3, -4 + 1", json!([[7, 9, -3]])),
        ("SELECT 7 / 2, 6 / 3, intDiv(7, 2), 7 % 3, -7 % 3", json!([[3.5, 2, 3, 1, -1]])),
        ("SELECT 1 / 0, 0 / 0", json!([[null, null]])),
        ("SELECT 9223372036854775807, 1e3, 0.5, 1_000", json!([[i64::MAX, 1000, 0.5, 1000]])),
        (
            "SELECT round(2.5), round(3.5), round(1.2345, 2), round(1234, -2)",
            json!([[2, 4, 1.23, 1200]]),
        ),
        ("SELECT floor(-1.5), ceil(1.2), trunc(-1.7), floor(1.29, 1)", json!([[-2, 2, -1, 1.2]])),
        (
            "SELECT abs(-3), sign(-2.5), sqrt(9), pow(2, 10), exp(0), log10(1000)",
            json!([[3, -1, 3, 1024, 1, 3]]),
        ),
        ("SELECT greatest(1, 3, 2), least(4, 2.5)", json!([[3, 2.5]])),
        (
            "SELECT plus(1, 2), minus(1, 2), multiply(2, 3), divide(1, 4), modulo(5, 3)",
            json!([[3, -1, 6, 0.25, 2]]),
        ),
    ]
}

fn comparisons() -> Vec<Query> {
    vec![
        ("SELECT 1 == 1, 1 != 2, 2 <> 2, 3 >= 3, NOT 1", json!([[1, 1, 0, 1, 0]])),
        ("SELECT true, false, NULL, NULL + 1, NULL IS NULL", json!([[true, false, null, null, 1]])),
        (
            "SELECT 5 BETWEEN 1 AND 5, 5 NOT BETWEEN 1 AND 5, 3 IN (1, 2, 3), 3 NOT IN (1, 2)",
            json!([[1, 0, 1, 1]]),
        ),
        ("SELECT (1, 'a') IN ((1, 'a'), (2, 'b')), (1, 'b') IN ((1, 'a'))", json!([[1, 0]])),
        ("SELECT xor(1, 0), and(1, 1, 0), or(0, 1)", json!([[1, 0, 1]])),
    ]
}

fn choices() -> Vec<Query> {
    vec![
        (
            "SELECT if(1 > 2, 'a', 'b'), multiIf(0, 1, 1, 2, 3), multiIf(0, 1, 3)",
            json!([["b", 2, 3]]),
        ),
        (
            "SELECT CASE WHEN 1 = 2 THEN 'x' WHEN 2 = 2 THEN 'y' ELSE 'z' END, CASE 3 WHEN 1 THEN 'a' END",
            json!([["y", null]]),
        ),
        (
            "SELECT coalesce(NULL, NULL, 3), ifNull(NULL, 4), nullIf(1, 1), nullIf(1, 2)",
            json!([[3, 4, null, 1]]),
        ),
    ]
}

fn texts() -> Vec<Query> {
    vec![
        ("SELECT 'it''s', 'a\\'b', 'ü'", json!([["it's", "a'b", "ü"]])),
        (
            "SELECT lower('AbC'), upper('AbC'), length('abc'), length('ü'), lengthUTF8('ü')",
            json!([["abc", "ABC", 3, 2, 1]]),
        ),
        (
            "SELECT substring('abcdef', 2, 3), substring('abcdef', -2), left('abc', 2), right('abc', 2)",
            json!([["bcd", "ef", "ab", "bc"]]),
        ),
        (
            "SELECT leftPad('7', 3, '0'), repeat('ab', 3), empty(''), notEmpty('a')",
            json!([["007", "ababab", 1, 1]]),
        ),
    ]
}

fn searches_in_texts() -> Vec<Query> {
    vec![
        ("SELECT concat('a', 1, 'b', 2.5), 'x' || 'y'", json!([["a1b2.5", "xy"]])),
        (
            "SELECT startsWith('abc', 'ab'), endsWith('abc', 'bc'), position('abc', 'c'), position('abc', 'x')",
            json!([[1, 1, 3, 0]]),
        ),
        (
            "SELECT 'abc' LIKE 'a%', 'ABC' LIKE 'a%', 'ABC' ILIKE 'a%', 'abc' NOT LIKE '_b_'",
            json!([[1, 0, 1, 0]]),
        ),
        ("SELECT '10%' LIKE '10\\\\%', '100' LIKE '10\\\\%'", json!([[1, 0]])),
        (
            "SELECT replaceAll('aXbX', 'X', '-'), replaceOne('aXbX', 'X', '-'), trim('  a '), reverse('abc')",
            json!([["a-b-", "a-bX", "a", "cba"]]),
        ),
    ]
}

fn conversions() -> Vec<Query> {
    vec![
        (
            "SELECT toUInt64('12'), toInt32(3.9), toFloat64('1.5'), toString(1.0), toUInt8(256)",
            json!([[12, 3, 1.5, "1", 0]]),
        ),
        (
            "SELECT CAST('7' AS UInt32), '8'::Int64, CAST(1.5 AS String), toInt64OrZero('x'), toFloat64OrNull('x')",
            json!([[7, 8, "1.5", 0, null]]),
        ),
        ("SELECT toDecimal64('1.23456', 2), toBool(3)", json!([[1.23, true]])),
    ]
}

/// Returns queries of dates and times. The expected rows contain all dates and times as Unix seconds.
fn dates() -> Vec<Query> {
    vec![
        ("SELECT now(), today(), yesterday()", json!([[NOW, TODAY, TODAY - DAY]])),
        (
            "SELECT toDate('2026-01-01'), toDateTime('2026-01-01 01:00:00'), toDate('2026-01-01 23:00:00')",
            json!([[YEAR, YEAR + 3600, YEAR]]),
        ),
        (
            "SELECT toDate('2026-01-01') + 1, toDateTime('2026-01-01') + 1, toDate('2026-01-03') - toDate('2026-01-01')",
            json!([[YEAR + DAY, YEAR + 1, 2]]),
        ),
        (
            "SELECT today() - INTERVAL 1 MONTH, today() - INTERVAL 2 WEEK, now() - INTERVAL 1 HOUR",
            json!([[TODAY - 31 * DAY, TODAY - 14 * DAY, NOW - 3600]]),
        ),
        (
            "SELECT today() - 7, addDays(today(), 2), subtractHours(now(), 3), addMonths(toDate('2026-01-31'), 1)",
            json!([[TODAY - 7 * DAY, TODAY + 2 * DAY, NOW - 10_800, YEAR + 58 * DAY]]),
        ),
        (
            "SELECT today() - toIntervalDay(3), today() + INTERVAL '2' DAY, toIntervalHour(1) + now()",
            json!([[TODAY - 3 * DAY, TODAY + 2 * DAY, NOW + 3_600]]),
        ),
    ]
}

fn periods() -> Vec<Query> {
    vec![
        (
            "SELECT toStartOfHour(now()), toStartOfDay(now()), toStartOfMonth(now()), toStartOfYear(now())",
            json!([[NOW - NOW.rem_euclid(3600), TODAY, TODAY - 14 * DAY, YEAR]]),
        ),
        (
            "SELECT toMonday(now()), toStartOfWeek(now()), toStartOfWeek(now(), 1), toStartOfInterval(now(), INTERVAL 15 MINUTE)",
            json!([[TODAY, TODAY - DAY, TODAY, TODAY + 13 * 3600 + 1800]]),
        ),
        (
            "SELECT dateDiff('day', toDate('2026-01-01'), today()), dateDiff('month', toDate('2025-12-31'), toDate('2026-01-01'))",
            json!([[165, 1]]),
        ),
        (
            "SELECT date_trunc('hour', now()) = toStartOfHour(now()), toYYYYMM(now()), toYear(now()), toDayOfWeek(now()), toHour(now())",
            json!([[1, 202_606, 2026, 1, 13]]),
        ),
    ]
}

fn forms_of_dates() -> Vec<Query> {
    vec![
        (
            "SELECT formatDateTime(now(), '%Y-%m-%d %H:%i'), toString(today()), toString(now())",
            json!([["2026-06-15 13:37", "2026-06-15", "2026-06-15 13:37:42"]]),
        ),
        (
            "SELECT toUnixTimestamp(today()), fromUnixTimestamp(0), today() = '2026-06-15', now() > '2026-06-15 13:00:00'",
            json!([[TODAY, 0, 1, 1]]),
        ),
        (
            "SELECT toDate('2026-06-15') BETWEEN '2026-06-01' AND '2026-06-30', today() IN ('2026-06-15', '2026-06-16')",
            json!([[1, 1]]),
        ),
    ]
}

fn arrays() -> Vec<Query> {
    vec![
        (
            "SELECT [1, 2, 3], [1, 2, 3][2], has([1, 2], 2), length(['a', 'b']), arraySum([1, 2.5])",
            json!([[[1, 2, 3], 2, 1, 2, 3.5]]),
        ),
        (
            "SELECT splitByChar(',', 'a,b'), arrayStringConcat(['a', 'b'], '-'), range(3), arraySort([3, 1, 2])",
            json!([[["a", "b"], "a-b", [0, 1, 2], [1, 2, 3]]]),
        ),
    ]
}

fn counts_and_sums() -> Vec<Query> {
    vec![
        (
            "SELECT count(), sum(number), avg(number), min(number), max(number) FROM numbers(5)",
            json!([[5, 10, 2, 0, 4]]),
        ),
        ("SELECT count(), sum(number), max(number) FROM numbers(0)", json!([[0, 0, 0]])),
        (
            "SELECT countIf(number > 2), sumIf(number, number % 2 = 0), avgIf(number, number < 2) FROM numbers(5)",
            json!([[2, 6, 0.5]]),
        ),
        (
            "SELECT uniq(number % 3), uniqExact(number % 2, number % 3), count(DISTINCT number % 4) FROM numbers(12)",
            json!([[3, 6, 4]]),
        ),
    ]
}

fn other_aggregates() -> Vec<Query> {
    vec![
        (
            "SELECT argMax(number, -number), argMin(number * 10, number), any(number), anyLast(number) FROM numbers(4)",
            json!([[0, 0, 0, 3]]),
        ),
        (
            "SELECT quantile(0.5)(number), quantile(0.25)(number), median(number), quantileExact(0.5)(number) FROM numbers(5)",
            json!([[2, 1, 2, 2]]),
        ),
        (
            "SELECT quantiles(0.25, 0.5)(number), groupArray(number), groupUniqArray(number % 2), groupArray(2)(number) FROM numbers(5)",
            json!([[[1.0, 2.0], [0, 1, 2, 3, 4], [0, 1], [0, 1]]]),
        ),
        (
            "SELECT round(stddevPop(number), 1), round(varSamp(number), 4), corr(number, number * 2) FROM numbers(5)",
            json!([[1.4, 2.5, 1]]),
        ),
        ("SELECT topK(1)(number % 3) FROM numbers(4)", json!([[[0]]])),
    ]
}

fn groups() -> Vec<Query> {
    vec![
        (
            "SELECT number % 2 AS odd, count() AS n, sum(number) FROM numbers(5) GROUP BY odd ORDER BY odd",
            json!([[0, 3, 6], [1, 2, 4]]),
        ),
        (
            "SELECT number % 3 AS r, sum(number) AS s FROM numbers(10) GROUP BY r HAVING s > 12 ORDER BY s DESC",
            json!([[0, 18], [2, 15]]),
        ),
        (
            "SELECT number % 2, max(number) FROM numbers(6) GROUP BY 1 ORDER BY 1 DESC",
            json!([[1, 5], [0, 4]]),
        ),
        (
            "SELECT number % 2 AS a, number % 3 AS b, count() FROM numbers(6) GROUP BY ALL ORDER BY a, b LIMIT 2",
            json!([[0, 0, 1], [0, 1, 1]]),
        ),
        (
            "SELECT number + 1 AS a, a * 2 AS b FROM numbers(3) WHERE b > 2 ORDER BY b DESC",
            json!([[3, 6], [2, 4]]),
        ),
        ("SELECT sum(number) AS total, total / count() AS mean FROM numbers(4)", json!([[6, 1.5]])),
        ("SELECT DISTINCT number % 2 AS x FROM numbers(9) ORDER BY x", json!([[0], [1]])),
    ]
}

fn order_and_limits() -> Vec<Query> {
    vec![
        ("SELECT number FROM numbers(3)", json!([[0], [1], [2]])),
        ("SELECT number FROM numbers(5, 2)", json!([[5], [6]])),
        ("SELECT number FROM numbers(10) ORDER BY number DESC LIMIT 2 OFFSET 1", json!([[8], [7]])),
        ("SELECT number FROM numbers(10) ORDER BY number LIMIT 2, 2", json!([[2], [3]])),
        (
            "SELECT if(number = 1, NULL, number) AS n FROM numbers(3) ORDER BY n DESC",
            json!([[2], [0], [null]]),
        ),
        (
            "SELECT if(number = 1, NULL, number) AS n FROM numbers(3) ORDER BY n NULLS FIRST",
            json!([[null], [0], [2]]),
        ),
        (
            "SELECT number % 3 AS r, number FROM numbers(9) ORDER BY number DESC LIMIT 1 BY r",
            json!([[2, 8], [1, 7], [0, 6]]),
        ),
        (
            "SELECT number % 3 AS r, number FROM numbers(9) ORDER BY r, number LIMIT 2 BY r LIMIT 3",
            json!([[0, 0], [0, 3], [1, 1]]),
        ),
    ]
}

fn places_in_windows() -> Vec<Query> {
    vec![
        (
            "SELECT number, row_number() OVER (ORDER BY number DESC) AS n FROM numbers(3) ORDER BY number",
            json!([[0, 3], [1, 2], [2, 1]]),
        ),
        (
            "SELECT number, lagInFrame(number) OVER (ORDER BY number), lead(number, 1, 9) OVER (ORDER BY number) FROM numbers(3) ORDER BY number",
            json!([[0, 0, 1], [1, 0, 2], [2, 1, 9]]),
        ),
        (
            "SELECT number, rank() OVER (PARTITION BY number % 2 ORDER BY number) FROM numbers(4) ORDER BY number",
            json!([[0, 1], [1, 1], [2, 2], [3, 2]]),
        ),
    ]
}

fn aggregates_over_windows() -> Vec<Query> {
    vec![
        (
            "SELECT number, sum(number) OVER (ORDER BY number) FROM numbers(4) ORDER BY number",
            json!([[0, 0], [1, 1], [2, 3], [3, 6]]),
        ),
        (
            "SELECT number, avg(number) OVER (ORDER BY number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM numbers(3) ORDER BY 1",
            json!([[0, 0], [1, 0.5], [2, 1.5]]),
        ),
        (
            "SELECT sum(number) AS s, sum(s) OVER () AS all FROM numbers(3) GROUP BY number ORDER BY s",
            json!([[0, 3], [1, 3], [2, 3]]),
        ),
        (
            "SELECT number, max(number) OVER w FROM numbers(3) WINDOW w AS (ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) ORDER BY number",
            json!([[0, 2], [1, 2], [2, 2]]),
        ),
    ]
}

fn named_queries() -> Vec<Query> {
    vec![
        (
            "WITH t AS (SELECT number AS n FROM numbers(4)) SELECT sum(n), (SELECT max(n) FROM t) FROM t",
            json!([[6, 3]]),
        ),
        (
            "WITH 5 AS five, today() - 1 AS before SELECT five * 2, before",
            json!([[10, TODAY - DAY]]),
        ),
        (
            "WITH (SELECT max(number) FROM numbers(4)) AS top SELECT number FROM numbers(9) WHERE number > top LIMIT 1",
            json!([[4]]),
        ),
        (
            "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n * 2 FROM t WHERE n < 50) SELECT max(n), count() FROM t",
            json!([[64, 7]]),
        ),
    ]
}

fn joins_and_subqueries() -> Vec<Query> {
    vec![
        (
            "SELECT a.n, b.m FROM (SELECT number AS n FROM numbers(3)) AS a JOIN (SELECT number * 2 AS m FROM numbers(3)) AS b ON a.n = b.m ORDER BY a.n",
            json!([[0, 0], [2, 2]]),
        ),
        (
            "SELECT n, m FROM (SELECT number AS n FROM numbers(3)) a LEFT JOIN (SELECT 1 AS n, 'x' AS m) b USING (n) ORDER BY n",
            json!([[0, ""], [1, "x"], [2, ""]]),
        ),
        (
            "SELECT number FROM numbers(5) WHERE number IN (SELECT number * 2 FROM numbers(3)) ORDER BY number",
            json!([[0], [2], [4]]),
        ),
        ("SELECT EXISTS (SELECT 1 FROM numbers(1) WHERE number > 5) AS found", json!([[0]])),
        ("SELECT * EXCEPT (b) FROM (SELECT 1 AS a, 2 AS b, 3 AS c)", json!([[1, 3]])),
    ]
}

fn unions() -> Vec<Query> {
    vec![
        (
            "SELECT a FROM (SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT 1) ORDER BY a DESC",
            json!([[2], [1], [1]]),
        ),
        ("SELECT 1 AS a UNION DISTINCT SELECT 1", json!([[1]])),
        (
            "SELECT a FROM ((SELECT 3 AS a) UNION ALL (SELECT number FROM numbers(5) ORDER BY number DESC LIMIT 1)) ORDER BY a",
            json!([[3], [4]]),
        ),
    ]
}

/// Returns the rows of a JSON response. Each row is a list of values, in the column order of the response text.
fn cells(text: &str) -> Value {
    let answer: Value = serde_json::from_str(text).unwrap();
    let rows = answer["data"].as_array().unwrap();
    // Parsing loses the order of fields, so it is taken from the text.
    let names = names(text);
    let row = |row: &Value| names.iter().map(|name| row[name].clone()).collect::<Vec<_>>();
    rows.iter().map(row).collect::<Vec<_>>().into()
}

/// Returns the field names of the first row of a JSON response, in the order of the text.
fn names(text: &str) -> Vec<String> {
    let start = text.find("[{").map_or(text.len(), |at| at + 2);
    let (mut names, mut rest) = (Vec::new(), &text[start..]);
    while rest.starts_with('"') {
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        names.push(stream.next().unwrap().unwrap());
        rest = &rest[stream.byte_offset() + 1..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        values.next().unwrap().unwrap();
        rest = rest[values.byte_offset()..].trim_start_matches(',');
    }
    names
}

#[tokio::test]
async fn queries_answer_as_the_dialect_has_it() {
    let bench = Bench::start().await;
    let queries = queries();
    assert!(queries.len() >= 80, "only {}", queries.len());
    let mut wrong = Vec::new();
    for (sql, expected) in queries {
        let seen = bench.example("onchain-sql", &[("sql", json!(sql))]).await;
        if seen.status != 200 {
            wrong.push(format!("{sql}\n  {} {}", seen.status, seen.text));
        } else if !same(&cells(&seen.text), &expected) {
            wrong.push(format!("{sql}\n  {}\n  {expected}", cells(&seen.text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns true if two JSON values are equal. The numbers 2 and 2.0 are equal.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (a, b) => a == b,
    }
}

#[tokio::test]
async fn columns_have_the_names_that_the_query_gives_them() {
    let bench = Bench::start().await;
    let sql = "SELECT number AS z, number, count() OVER (), 'a' AS `it's`, number FROM numbers(1)";
    let seen = bench.example("onchain-sql", &[("sql", json!(sql))]).await;
    assert_eq!(names(&seen.text), ["z", "number", "count() OVER ()", "it's", "number_2"]);
}

#[tokio::test]
async fn columns_of_one_name_are_told_apart_by_their_tables() {
    let bench = Bench::start().await;
    let from = "FROM (SELECT 1 AS n, 2 AS m) AS a JOIN (SELECT 1 AS n, 3 AS m) AS b ON a.n = b.n";
    for (list, expected) in [("a.m, b.m", vec!["m", "b.m"]), ("*", vec!["n", "m", "b.n", "b.m"])] {
        let sql = format!("SELECT {list} {from}");
        let seen = bench.example("onchain-sql", &[("sql", json!(sql))]).await;
        assert_eq!(names(&seen.text), expected, "{}", seen.text);
    }
}

#[tokio::test]
async fn no_more_rows_come_than_are_asked_for() {
    let bench = Bench::start().await;
    let sql = json!("SELECT number FROM numbers(20000)");
    for (max_rows, expected) in [(None, 1_000), (Some(7), 7), (Some(10_000), 10_000)] {
        let mut more = vec![("sql", sql.clone())];
        more.extend(max_rows.map(|rows| ("max_rows", json!(rows))));
        let seen = bench.example("onchain-sql", &more).await;
        assert_eq!(seen.json["data"].as_array().unwrap().len(), expected);
        // The query has more rows than the limit. The sandbox does not count them.
        assert_eq!(seen.json["meta"]["has_more"], true);
        assert_eq!(seen.json["meta"].get("total"), None, "{}", seen.text);
        assert_eq!(seen.json["meta"]["limit"], max_rows.unwrap_or(1_000));
    }
    let seen = bench.example("onchain-sql", &[("sql", json!("SELECT 1 LIMIT 0"))]).await;
    assert_eq!(
        (seen.status, seen.json["meta"]["empty_reason"].clone()),
        (200, json!("no_data_in_range"))
    );
}
