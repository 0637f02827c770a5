//! Tests of SQL queries that the sandbox rejects or stops.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Bench, builder, operation};

/// Rejected queries, each with a part of the expected error message.
const REFUSED: &[(&str, &str)] = &[
    // Queries that write.
    ("DROP TABLE agent.tokens", "only SELECT"),
    ("INSERT INTO agent.tokens VALUES (1)", "only SELECT"),
    ("CREATE TABLE agent.x (a UInt8) ENGINE = Memory", "only SELECT"),
    ("ALTER TABLE agent.tokens DELETE WHERE 1", "only SELECT"),
    ("DELETE FROM agent.tokens WHERE 1", "only SELECT"),
    ("UPDATE agent.tokens SET name = 'x'", "only SELECT"),
    ("TRUNCATE TABLE agent.tokens", "only SELECT"),
    ("GRANT ALL ON *.* TO me", "only SELECT"),
    ("ATTACH DATABASE 'x' AS y", "only SELECT"),
    ("PRAGMA table_info(t0)", "only SELECT"),
    ("EXPLAIN SELECT 1", "only SELECT"),
    ("SHOW TABLES", "only SELECT"),
    ("SYSTEM SHUTDOWN", "only SELECT"),
    ("KILL QUERY WHERE 1", "only SELECT"),
    ("SET max_rows_to_read = 0", "only SELECT"),
    ("WITH x AS (SELECT 1) INSERT INTO agent.tokens SELECT * FROM x", "a query can only read"),
    ("SELECT 1 INTO OUTFILE '/tmp/x'", "INTO"),
    // Several queries.
    ("SELECT 1; SELECT 2", "one query"),
    ("SELECT 1; DROP TABLE agent.tokens", "one query"),
    // Files, URLs, other servers.
    ("SELECT * FROM file('/etc/passwd', 'CSV', 'a String')", "`file` is not a table"),
    ("SELECT * FROM url('http://example.com', CSV, 'a String')", "`url` is not a table"),
    ("SELECT * FROM s3('https://x/y', 'CSV')", "`s3` is not a table"),
    ("SELECT * FROM remote('host', agent.tokens)", "is not a table"),
    ("SELECT * FROM mysql('h', 'd', 't', 'u', 'p')", "is not a table"),
    ("SELECT * FROM executable('x')", "is not a table"),
    ("SELECT readfile('/etc/passwd')", "no function `readfile`"),
    ("SELECT load_extension('x')", "no function `load_extension`"),
    ("SELECT sqlite_version()", "no function `sqlite_version`"),
    ("SELECT writefile('/tmp/x', 'y')", "no function `writefile`"),
    ("SELECT file('/etc/passwd')", "no function `file`"),
    // Tables and columns that do not exist.
    ("SELECT * FROM agent.nothing", "no table `agent.nothing`"),
    ("SELECT * FROM tokens", "`agent.tokens`"),
    ("SELECT * FROM system.tables", "no database `system`"),
    ("SELECT * FROM sqlite_master", "no table `sqlite_master`"),
    ("SELECT * FROM t0", "no table `t0`"),
    ("SELECT c0 FROM agent.tokens", "no column `c0`"),
    ("SELECT symbl FROM agent.tokens", "`symbol` is the nearest"),
    ("SELECT \"eth\"", "single quotes"),
    ("SELECT x.symbol FROM agent.tokens AS t", "no column `x.symbol`"),
    ("SELECT nosuch(1)", "no function `nosuch`"),
    ("SELECT rand()", "the same result"),
    // Unsupported clauses.
    ("SELECT 1 SETTINGS max_result_rows = 1", "max_result_rows"),
    ("SELECT 1 FORMAT CSV", "FORMAT"),
    ("SELECT number FROM numbers(3) SAMPLE 0.1", "SAMPLE"),
    ("SELECT 1 UNION SELECT 2", "ALL or DISTINCT"),
    // Values of wrong types.
    ("SELECT 1 + 'a'", "must be"),
    ("SELECT lower(5)", "must be a string"),
    ("SELECT number FROM numbers(3) WHERE number = 'abc'", "compared with a number"),
    ("SELECT today() > 'someday'", "not a date or time"),
    ("SELECT toDate('2026-13-01')", "is not a value of type Date"),
    ("SELECT substring('a')", "takes 2 to 3 values"),
    ("SELECT intDiv(1, 0)", "divided by zero"),
    ("SELECT toUInt64('x')", "is not a value of type UInt64"),
    ("SELECT quantile(1.5)(number) FROM numbers(3)", "between 0 and 1"),
    // Aggregates where they are not allowed.
    ("SELECT symbol, count() FROM agent.tokens", "nor in GROUP BY"),
    ("SELECT count() FROM agent.tokens WHERE count() > 1", "HAVING"),
    ("SELECT sum(count()) FROM agent.tokens", "another aggregate"),
    ("SELECT row_number() FROM agent.tokens", "needs OVER"),
    // Large tables without a limit on days.
    ("SELECT count() FROM agent.ethereum_transfers", "needs a lower bound on `block_date`"),
    ("SELECT count() FROM agent.ethereum_dex_trades WHERE block_time > now() - 60", "lower bound"),
    ("SELECT count() FROM agent.base_transfers WHERE block_date <= today()", "lower bound"),
    ("SELECT count() FROM agent.base_transfers WHERE block_date >= '2024-01-01'", "365"),
    ("SELECT count() FROM agent.base_transfers WHERE block_date >= today() OR 1", "lower bound"),
    (
        "WITH t AS (SELECT * FROM agent.base_transfers) SELECT count() FROM t WHERE block_date = today()",
        "lower bound",
    ),
    (
        "SELECT count() FROM agent.base_transfers a JOIN agent.base_dex_trades b ON a.tx_hash = b.tx_hash \
         WHERE a.block_date >= today()",
        "`agent.base_dex_trades` needs",
    ),
    // Texts that are not queries.
    ("SELEC 1", "only SELECT"),
    ("SELECT FROM", ""),
    ("SELECT 1 +", ""),
    ("SELECT (1", ""),
    ("-- nothing", "no query"),
    ("SELECT 'open", ""),
];

#[tokio::test]
async fn what_a_query_may_not_is_refused_and_named() {
    let bench = Bench::start().await;
    let mut wrong = Vec::new();
    for (sql, words) in REFUSED {
        let seen = bench.example("onchain-sql", &[("sql", json!(sql))]).await;
        let message = seen.json["error"]["message"].as_str().unwrap_or_default();
        if seen.status != 422 || !message.starts_with("`sql`: ") || !message.contains(words) {
            wrong.push(format!("{sql}\n  {} {}", seen.status, seen.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(bench.sandbox.balance(bench.sandbox.key()), Some(1_000_000), "refusals are free");
}

/// Maximum duration of a query that must end early. Even a slow machine needs less time. An unlimited query would
/// need much more time.
const SOON: Duration = Duration::from_secs(120);

/// Time limit that a query does not reach, even on a slow machine.
const WIDE: Duration = Duration::from_secs(3600);

/// Queries that would run for hours or years.
const ENDLESS: &[&str] = &[
    "SELECT sum(a.number * b.number) FROM numbers(1000000) a, numbers(1000000) b",
    "SELECT count() FROM numbers(1000000) a, numbers(1000000) b, numbers(1000000) c",
    "SELECT number, (SELECT count() FROM numbers(1000000) x WHERE x.number > y.number) FROM numbers(1000000) y",
];

#[tokio::test]
async fn an_endless_query_is_stopped_and_points_to_a_job() {
    let bench = Bench::from_builder(builder().sql_window(Duration::from_millis(400))).await;
    for sql in ENDLESS {
        let started = Instant::now();
        let seen = bench.example("onchain-sql", &[("sql", json!(sql))]).await;
        assert_eq!(seen.status, 408, "{sql} {}", seen.text);
        assert_eq!(seen.json["error"]["recommended_action"], "use_async_job");
        assert!(started.elapsed() < SOON, "{sql}: {:?}", started.elapsed());
    }
    let seen = bench.example("onchain-sql", &[]).await;
    assert_eq!(seen.status, 200, "the next query runs: {}", seen.text);
}

#[tokio::test]
async fn a_query_that_would_fill_the_memory_ends_before() {
    let bench = Bench::from_builder(builder().sql_window(WIDE)).await;
    for sql in [
        "SELECT uniq(t) FROM (
           SELECT concat(repeat('x', 200), toString(a.number * 1000 + b.number)) AS t
           FROM numbers(1000000) a, numbers(1000) b)",
        "SELECT groupArray(repeat('x', 1000)) FROM numbers(1000000)",
        "SELECT repeat(repeat('x', 1000000), 1000000)",
        "SELECT arraySum(range(1000000000))",
        "SELECT groupArray(number) FROM numbers(100000000000)",
    ] {
        let seen = bench.example("onchain-sql", &[("sql", json!(sql))]).await;
        assert_eq!(seen.status, 422, "{sql} {}", seen.text);
    }
}

#[tokio::test]
async fn a_query_of_aliases_that_double_is_refused_early() {
    let bench = Bench::start().await;
    let mut sql = "SELECT number AS a0".to_owned();
    for n in 0..60 {
        sql.push_str(&format!(", a{n} + a{n} AS a{}", n + 1));
    }
    sql.push_str(" FROM numbers(1)");
    let started = Instant::now();
    let seen = bench.example("onchain-sql", &[("sql", json!(sql))]).await;
    assert_eq!(seen.status, 422);
    assert!(seen.text.contains("too large"), "{}", seen.text);
    assert!(started.elapsed() < SOON);
}

#[tokio::test]
async fn a_query_as_deep_as_it_may_be_does_not_overflow_the_stack() {
    let bench = Bench::start().await;
    for (n, open, inner, close) in [
        (499, "1+", "1", ""),
        (499, "1=", "1", ""),
        (499, "NOT ", "1", ""),
        (200, "'a'||", "'b'", ""),
        (48, "(", "1", ")"),
        (48, "toString(", "1", ")"),
        (24, "if(1, ", "1", ", 2)"),
        (12, "(SELECT ", "1", ")"),
        (24, "CASE WHEN 1 THEN ", "1", " END"),
        (24, "[", "1", "]"),
        (60, "(", "1", ")"),
        (5_000, "1+", "1", ""),
        (5_000, "(", "1", ")"),
        (5_000, "SELECT 1 UNION ALL ", "SELECT 1", ""),
    ] {
        let (open, close) = (open.repeat(n), close.repeat(n));
        let start = if open.starts_with("SELECT") { "" } else { "SELECT " };
        let sql = format!("{start}{open}{inner}{close}");

        for id in ["onchain-sql", "onchain-sql-preflight", "onchain-sql-job-create"] {
            let seen = bench.example(id, &[("sql", json!(sql))]).await;
            assert!(matches!(seen.status, 200 | 202 | 422), "{n} {open:.20}: {}", seen.text);
        }
    }
}

#[tokio::test]
async fn a_query_that_nobody_waits_for_any_longer_is_stopped() {
    let bench = Bench::from_builder(builder().sql_window(WIDE)).await;
    for _ in 0..4 {
        let asked = bench
            .request(operation("onchain-sql"), &[("sql", json!(ENDLESS[0]))])
            .bearer_auth(bench.sandbox.key())
            .timeout(Duration::from_millis(200));
        assert!(asked.send().await.unwrap_err().is_timeout());
    }
    // Only two queries run at the same time. If the abandoned queries had continued, this query would wait for an hour.
    let started = Instant::now();
    assert_eq!(bench.example("onchain-sql", &[]).await.status, 200);
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
}

#[tokio::test]
async fn numbers_at_the_border_are_no_fault_of_the_engine() {
    let bench = Bench::start().await;
    let numbers = [
        "9223372036854775807",
        "-9223372036854775808",
        "(-9223372036854775807 - 1)",
        "1e308",
        "-1e308",
        "0",
        "-1",
        "99999999999999999999",
        "0.1",
        "NULL",
    ];

    let dates = [
        "toDate(#)",
        "toDateTime(#)",
        "toString(toDateTime(#))",
        "toStartOfMonth(toDateTime(#))",
        "toStartOfWeek(toDateTime(#))",
        "addMonths(today(), toInt64(#))",
        "addDays(today(), toInt64(#))",
        "today() + INTERVAL # YEAR",
        "now() - toIntervalSecond(#)",
        "toYYYYMM(fromUnixTimestamp(#))",
        "dateDiff('day', now(), toDateTime(#))",
        "formatDateTime(toDateTime(#), '%F %T')",
        "toStartOfInterval(now(), INTERVAL # MINUTE)",
        "toLastDayOfMonth(toDateTime(#))",
    ];

    let texts_and_lists = [
        "substring('abc', toInt64(#), toInt64(#))",
        "substring('abc', 2, toInt64(#))",
        "left('abc', #)",
        "right('abc', #)",
        "leftPad('a', #)",
        "repeat('a', #)",
        "range(#)",
        "range(#, 5)",
        "[1, 2][toInt64(#)]",
    ];

    let arithmetic = [
        "round(1.5, #)",
        "round(#)",
        "round(#, -3)",
        "floor(#, 400)",
        "intDiv(#, -1)",
        "# % -1",
        "-(#)",
        "abs(#)",
        "# + #",
        "# * #",
        "# - #",
        "# / #",
        "toInt8(#)",
        "toUInt64(#)",
        "toDecimal64(#, 400)",
        "pow(#, #)",
        "exp(#)",
        "sqrt(#)",
        "bitShiftLeft(1, toInt64(#))",
        "greatest(#, 1)",
    ];

    let queries = [
        "(SELECT sum(number + #) FROM numbers(3))",
        "(SELECT quantile(0.5)(#) FROM numbers(3))",
        "(SELECT count() FROM agent.tron_transfers WHERE block_date >= # AND block_date <= #)",
        "(SELECT count() FROM agent.tron_transfers WHERE block_date BETWEEN today() AND #)",
        "(SELECT count() FROM numbers(toInt64(#), 3))",
        "(SELECT 1 LIMIT #)",
        "(SELECT 1 OFFSET #)",
    ];

    for call in [&dates[..], &texts_and_lists, &arithmetic, &queries].concat() {
        for number in numbers {
            let sql = format!("SELECT {}", call.replace('#', number));
            let seen = bench.example("onchain-sql", &[("sql", json!(sql))]).await;
            assert!(matches!(seen.status, 200 | 422), "{sql}: {}", seen.text);
            assert!(!seen.text.contains("panic"), "{sql}: {}", seen.text);
        }
    }
}

#[tokio::test]
async fn texts_that_are_slow_to_search_are_searched_in_time() {
    let bench = Bench::from_builder(builder().sql_window(WIDE)).await;
    let started = Instant::now();
    for sql in [
        "SELECT position(repeat('a', 1000000), concat(repeat('a', 500000), 'b'))",
        "SELECT length(replaceAll(repeat('a', 1000000), concat(repeat('a', 500000), 'b'), 'c'))",
        "SELECT repeat('a', 1000000) LIKE '%a%a%a%a%a%a%a%a%a%b'",
    ] {
        let seen = bench.example("onchain-sql", &[("sql", json!(sql))]).await;
        assert_eq!(seen.status, 200, "{sql} {}", seen.text);
    }
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
}

/// SQL fragments from which a property test builds random queries.
const PIECES: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "LIMIT",
    "WITH",
    "AS",
    "UNION ALL",
    "JOIN",
    "ON",
    "HAVING",
    "(",
    ")",
    ",",
    "*",
    "1",
    "0.5",
    "'a'",
    "''",
    "NULL",
    "number",
    "numbers(3)",
    "agent.tokens",
    "symbol",
    "count()",
    "sum(number)",
    "x",
    "=",
    "<",
    "+",
    "-",
    "/",
    "IN",
    "NOT",
    "BETWEEN",
    "AND",
    "OR",
    "CASE",
    "WHEN",
    "THEN",
    "END",
    "OVER",
    "toDate('2026-01-01')",
    "INTERVAL 1 DAY",
    "today()",
    "[1]",
    "::UInt8",
    ";",
    "`q`",
    "\"d\"",
    ".",
    "$1",
    "{a:b}",
    "%",
    "quantile(0.5)(number)",
    "LIMIT 1 BY number",
    "\u{0}",
    "é",
    "--",
    "/*",
    "RECURSIVE",
    "DISTINCT",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_text_makes_the_service_fail() {
    let bench = Bench::from_builder(builder().sql_window(Duration::from_secs(2))).await;
    let piece = prop::sample::select(PIECES.to_vec()).prop_map(str::to_owned);
    let mixed = prop::collection::vec(piece, 1..14).prop_map(|words| words.join(" "));
    let known = prop::sample::select(REFUSED.iter().map(|(sql, _)| *sql).collect::<Vec<_>>());
    let mutated =
        (known, any::<prop::sample::Index>(), any::<char>()).prop_map(|(sql, at, new)| {
            let mut letters: Vec<char> = sql.chars().collect();
            let at = at.index(letters.len());
            letters[at] = new;
            letters.into_iter().collect::<String>()
        });

    // Valid queries in which one to three words are removed, changed or added.
    let running: Vec<_> = crate::sql::queries().into_iter().map(|(sql, _)| sql).collect();
    let word = (any::<prop::sample::Index>(), prop::sample::select(PIECES.to_vec()), 0..3);
    let nearly = (prop::sample::select(running), prop::collection::vec(word, 1..4));
    let nearly = nearly.prop_map(|(sql, changes)| {
        let mut words: Vec<&str> = sql.split(' ').collect();
        for (at, piece, way) in changes {
            let at = at.index(words.len());
            match way {
                0 if words.len() > 1 => drop(words.remove(at)),
                1 => words[at] = piece,
                _ => words.insert(at, piece),
            }
        }
        words.join(" ")
    });
    let garbage = any::<String>();
    let started = mixed.clone().prop_map(|rest| format!("SELECT {rest}"));
    let text = prop_oneof![
        4 => nearly, 2 => started, 1 => mixed, 2 => mutated, 1 => garbage
    ];

    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 800,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let runtime = tokio::runtime::Handle::current();

    tokio::task::block_in_place(|| {
        let judged = runner.run(&text, |sql| {
            let seen = runtime.block_on(bench.example("onchain-sql", &[("sql", json!(sql))]));
            prop_assert!(matches!(seen.status, 200 | 408 | 422), "{sql:?}: {}", seen.text);
            if seen.status == 200 {
                prop_assert!(seen.json["data"].is_array());
            } else {
                prop_assert!(seen.json["error"]["message"] != Value::Null);
            }
            Ok(())
        });
        judged.unwrap();
    });
}
