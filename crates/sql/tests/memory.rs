//! Tests that hostile queries stay within their limits of memory and time. The memory is measured for the whole
//! process. This is a separate test program, because concurrent tests would share the peak memory of one process.
#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::time::Duration;

use crypto_intel_sql::{Control, Empty, Limits, Parsed, Prepared, Problem};

/// Memory limit of each query in bytes.
const MEMORY: usize = 4 << 20;

/// Memory in bytes that the process can use in addition to the memory limit of the query. This memory contains the
/// program itself, unused space in the allocator, and temporary copies of data.
const OVERHEAD: usize = 72 << 20;

/// Time limit of each query. The limit applies only while the query runs. It does not include the evaluation of
/// constants or the planning, which happen before.
const TIME: Duration = Duration::from_secs(2);

/// Stack size, in bytes, of the thread that runs the queries. The stack is large because the engine processes queries
/// with recursive functions.
const STACK: usize = 32 << 20;

/// All aggregate functions with the arguments of a test call. `x` is an integer, `f` a float, `s` a string of about 32
/// bytes, `g` an integer from 0 to 2, and `m` a map.
const AGGREGATES: &[(&str, &str)] = &[
    ("count", "x"),
    ("sum", "x"),
    ("sumKahan", "f"),
    ("avg", "x"),
    ("groupBitAnd", "x"),
    ("groupBitOr", "x"),
    ("groupBitXor", "x"),
    ("sumMap", "m"),
    ("maxMap", "m"),
    ("avgWeighted", "x, f"),
    ("sumForEach", "[x]"),
    ("groupArrayForEach", "[s]"),
    ("retention", "x > 3, x > 5"),
    ("windowFunnel(1000)", "x, x > 3, x > 5"),
    ("sequenceMatch('(?1).*(?2)')", "x, x = 7, x < 0"),
    ("sequenceCount('(?1)(?2)')", "x, x % 2 = 0, x % 2 = 1"),
    ("deltaSum", "x"),
    ("min", "s"),
    ("max", "s"),
    ("any", "s"),
    ("anyLast", "s"),
    ("argMin", "s, x"),
    ("argMax", "s, x"),
    ("groupArray", "s"),
    ("groupArrayLast(1000000)", "s"),
    ("groupArraySorted(1000000)", "s"),
    ("groupUniqArray", "s"),
    ("uniq", "s"),
    ("uniqExact", "s"),
    ("uniqCombined", "s"),
    ("uniqCombined64", "s"),
    // More than 16 different values are rejected, because ClickHouse estimates their number.
    ("uniqHLL12", "g"),
    ("topK(1000000)", "s"),
    ("groupConcat", "s"),
    ("entropy", "s"),
    ("quantile", "x"),
    ("quantiles(0.1, 0.9)", "x"),
    ("median", "x"),
    ("quantileExact", "x"),
    ("quantilesExact(0.5)", "x"),
    ("quantileExactLow", "x"),
    ("quantileExactHigh", "x"),
    ("quantileExactInclusive", "x"),
    ("quantileExactExclusive", "x"),
    ("medianExact", "x"),
    ("medianExactLow", "x"),
    ("medianExactHigh", "x"),
    ("varPop", "x"),
    ("varSamp", "x"),
    ("varPopStable", "x"),
    ("varSampStable", "x"),
    ("stddevPop", "x"),
    ("stddevSamp", "x"),
    ("stddevPopStable", "x"),
    ("stddevSampStable", "x"),
    ("covarPop", "x, x"),
    ("covarSamp", "x, x"),
    ("covarPopStable", "x, x"),
    ("covarSampStable", "x, x"),
    ("corr", "x, x"),
    ("corrStable", "x, x"),
    ("skewPop", "x"),
    ("skewSamp", "x"),
    ("kurtPop", "x"),
    ("kurtSamp", "x"),
    ("simpleLinearRegression", "x, x"),
];

/// Queries that create large lists or sets without an aggregate function.
const LISTS: &[&str] = &[
    "SELECT arrayMap(x -> range(100000), range(100000))",
    "SELECT arrayMap(x -> arrayMap(y -> range(1000), range(1000)), range(1000))",
    "SELECT length(arrayMap(x -> repeat(toString(x), 100000), range(100000)))",
    "SELECT length(arrayMax(x -> repeat(toString(x), 100000), range(100000 + number))) FROM numbers(2)",
    "SELECT arrayFold((a, x) -> arrayConcat(a, a), range(60), [1])",
    "SELECT range(number, number + 100000) AS r FROM numbers(100000) ORDER BY r DESC",
    "SELECT DISTINCT range(number, number + 1000) FROM numbers(1000000)",
    "SELECT DISTINCT ON (r) number, range(number, number + 1000) AS r FROM numbers(1000000)",
    "SELECT number FROM numbers(1000000) LIMIT 1 BY repeat(toString(number), 1000)",
    "SELECT count() OVER (PARTITION BY repeat(toString(number), 1000)) FROM numbers(1000000)",
    "SELECT rank() OVER (ORDER BY repeat(toString(number), 1000)) FROM numbers(1000000)",
    "SELECT 1 IN (SELECT length(repeat(toString(number), 1000)) FROM numbers(3000000))",
];

fn rows(count: usize) -> String {
    format!(
        "(SELECT number AS x, number / 7 AS f, number % 3 AS g, \
         concat('a text of some thirty bytes ', toString(number)) AS s, map(s, x) AS m FROM numbers({count}))"
    )
}

/// Returns test queries that call the aggregate function `name`: alone, with GROUP BY, as a window function, and with
/// each suffix, such as `If` in `sumIf`.
fn aggregations(name: &str, args: &str) -> Vec<String> {
    let (base, parameters) = name
        .split_once('(')
        .map_or((name, String::new()), |(base, rest)| (base, format!("({rest}")));
    let call = |suffix: &str, args: &str| format!("{base}{suffix}{parameters}({args})");
    let plain = call("", args);
    let mut queries = vec![
        format!("SELECT {plain} FROM {}", rows(20_000)),
        format!("SELECT g, {plain} FROM {} GROUP BY g", rows(10_000)),
        format!("SELECT x, {plain} FROM {} GROUP BY x", rows(10_000)),
        format!("SELECT {plain} OVER (ORDER BY x) FROM {}", rows(3_000)),
        format!("SELECT {plain} OVER (ORDER BY x ROWS 300 PRECEDING) FROM {}", rows(1_000)),
        format!("SELECT {plain} OVER (ORDER BY x RANGE 300 PRECEDING) FROM {}", rows(1_000)),
        format!("SELECT {plain} OVER () FROM {}", rows(10_000)),
        format!(
            "SELECT {} FROM (SELECT x % 9 AS k, {} AS state FROM {} GROUP BY k)",
            call("Merge", "state"),
            call("State", args),
            rows(10_000)
        ),
    ];

    let arrays: Vec<String> =
        args.split(", ").map(|arg| format!("arrayMap(i -> {arg}, range(1000))")).collect();
    let arrays = arrays.join(", ");
    let suffixes = [
        ("Array", arrays.clone(), 40),
        ("ForEach", arrays.clone(), 40),
        ("Map", format!("mapFromArrays(range(1000), {arrays})"), 40),
        ("Distinct", args.to_owned(), 4_000),
        ("OrNull", args.to_owned(), 4_000),
        ("OrDefault", args.to_owned(), 4_000),
        ("If", format!("{args}, x > 9"), 4_000),
        ("State", args.to_owned(), 4_000),
    ];

    for (suffix, args, count) in suffixes {
        // The suffix `Map` accepts only one argument. The suffix `OrNull` does not accept functions that return a
        // tuple.
        let takes_more = suffix == "Map" && args.matches("arrayMap").count() > 1;
        if takes_more || suffix == "OrNull" && base == "simpleLinearRegression" {
            continue;
        }
        let call = call(suffix, &args);
        let call = if suffix == "State" { format!("finalizeAggregation({call})") } else { call };
        queries.extend([
            format!("SELECT {call} FROM {}", rows(count)),
            format!("SELECT g, {call} FROM {} GROUP BY g", rows(count)),
        ]);
        if suffix != "State" {
            queries.push(format!("SELECT {call} OVER (ORDER BY x) FROM {}", rows(count / 2)));
        }
    }

    if parameters.is_empty() {
        queries.push(format!("SELECT arrayReduce('{base}', {arrays}) FROM {}", rows(40)));
    }
    queries
}

fn queries() -> Vec<String> {
    let mut queries: Vec<String> = LISTS.iter().map(ToString::to_string).collect();
    // A query whose constants alone exceed the memory limit.
    let constants: Vec<String> =
        (0..200).map(|n| format!("length(range({n}, {n} + 500000))")).collect();
    queries.push(format!("SELECT {}", constants.join(" + ")));

    AGGREGATES.iter().for_each(|(name, args)| queries.extend(aggregations(name, args)));
    // `groupArraySorted` is rejected in windows.
    queries.retain(|sql| !(sql.contains("groupArraySorted") && sql.contains(" OVER ")));
    queries
}

/// Runs a query, and converts the result to JSON text. Returns the length of this text in bytes.
fn run(sql: &str, limits: &Limits) -> Result<usize, Problem> {
    let prepared = Prepared::new(&Parsed::read(sql)?, Arc::new(Empty), 1_780_000_000)?;
    let outcome = prepared.run(limits, &Control::default())?;
    Ok(outcome.json().len())
}

/// Returns the peak resident memory of this process so far in bytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

/// Returns the processor time that this thread has used. In contrast to elapsed time, it does not depend on other
/// programs.
fn processor_time() -> Duration {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(status.split_whitespace().next().unwrap().parse().unwrap())
}

#[test]
fn hostile_queries_stay_within_memory_and_time() {
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(test_limits).unwrap().join().unwrap();
}

fn test_limits() {
    let limits = Limits { memory: MEMORY, time: TIME, rows_to_read: i64::MAX, ..Limits::default() };
    large_expression_is_planned_quickly(&limits);

    let (mut answered, mut rejected, mut longest) = (0, 0, Duration::ZERO);
    for sql in queries() {
        let start = processor_time();
        match run(&sql, &limits) {
            Ok(_) => answered += 1,
            Err(Problem::TooMuch(_) | Problem::TooLong(_)) => rejected += 1,
            Err(problem) => panic!("{problem}: {sql}"),
        }
        let sql = &sql[..sql.len().min(200)];
        let (took, peak) = (processor_time() - start, peak());
        assert!(peak <= MEMORY + OVERHEAD, "{} MiB of memory: {sql}", peak >> 20);
        assert!(took <= 2 * TIME, "{took:?}: {sql}");
        longest = longest.max(took);
    }
    // Both results must occur. Otherwise the queries are too small to reach a limit, or all of them are rejected early.
    assert!(answered > 50 && rejected > 50, "{answered} answered, {rejected} rejected");
    println!(
        "{answered} answered, {rejected} rejected; at most {} MiB, {longest:?} per statement",
        peak() >> 20
    );

    // The peak memory never decreases, so the tests with the larger limits of the service come last.
    windows_stay_within_the_limits_of_the_service();
}

/// Tests an expression with many operators. A planner with quadratic time needs about 4 seconds and 300 MiB for this
/// query. A planner with linear time needs about 20 ms.
fn large_expression_is_planned_quickly(limits: &Limits) {
    let sql = format!("SELECT {} FROM numbers(2)", vec!["number"; 999].join(" + "));
    let start = processor_time();
    run(&sql, limits).unwrap();
    let (took, peak) = (processor_time() - start, peak());
    assert!(took <= TIME, "{took:?}");
    assert!(peak <= MEMORY + OVERHEAD, "{} MiB of memory", peak >> 20);
}

/// Tests calls that return a list for each of 20,000 rows, such as `groupArray(x) OVER (ORDER BY x)`. One call,
/// `groupArrayState(x)`, returns an aggregation state that contains such a list. The limits are the default limits:
/// 512 MiB and 30 seconds.
fn windows_stay_within_the_limits_of_the_service() {
    let limits = Limits::default();
    for call in ["groupArray(x)", "groupUniqArray(x)", "groupArray(s)", "groupArrayState(x)"] {
        let over = format!("{call} OVER (ORDER BY x) AS list FROM {}", rows(20_000));
        for sql in [format!("SELECT {over}"), format!("SELECT count(list) FROM (SELECT {over})")] {
            let start = processor_time();
            // A result that contains a copy of the list in each row exceeds the limit.
            let found = run(&sql, &limits);
            let is_expected = matches!(&found, Ok(_) | Err(Problem::TooMuch(_) | Problem::Text(_)));
            assert!(is_expected, "{found:?}: {sql}");
            let (took, peak) = (processor_time() - start, peak());
            assert!(peak <= limits.memory + OVERHEAD, "{} MiB of memory: {sql}", peak >> 20);
            assert!(took <= limits.time, "{took:?}: {sql}");
        }
    }
}
