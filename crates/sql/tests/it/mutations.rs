//! Tests with randomly mutated queries. Each query must return a result or an error of the query. It must not panic
//! or return [`Problem::Internal`].

use crypto_intel_sql::Problem;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::fixture;

const QUERIES: &str = include_str!("../oracle/queries.sql");
const EXPRESSIONS: &str = include_str!("../oracle/expressions.sql");

/// SQL fragments that mutations insert into queries.
const PIECES: &[&str] = &[
    "SELECT",
    "FROM",
    "(",
    ")",
    ",",
    "*",
    "1",
    "0.5",
    "-1",
    "''",
    "NULL",
    "[]",
    "()",
    "number",
    "agent.tokens",
    "numbers(3)",
    "count()",
    "x -> x",
    "OVER ()",
    "AS a",
    "GROUP BY",
    "::UInt256",
    "18446744073709551615",
    "-9223372036854775808",
    "1e308",
    "toUInt256(-1)",
    "INTERVAL 1 YEAR",
    "ARRAY JOIN",
    "WITH FILL",
    "LIMIT 1 BY",
    "ORDER BY",
    "UNION ALL",
    "IN",
    "NOT",
    ".1",
    "?",
    ":",
    "toDate(0)",
    "toDateTime64(0, 9)",
    "map()",
    "arrayJoin([1])",
    "9223372036854775807",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_query_ends_the_program(
        sql in select(fixture::statements(&format!("{QUERIES}{EXPRESSIONS}"))),
        changes in prop::collection::vec((any::<Index>(), select(PIECES), 0..3), 1..4),
    ) {
        let mut words: Vec<&str> = sql.split_inclusive([' ', '(', ',']).collect();
        for (at, piece, way) in changes {
            let at = at.index(words.len());
            match way {
                0 if words.len() > 1 => drop(words.remove(at)),
                1 => words[at] = piece,
                _ => words.insert(at, piece),
            }
        }
        let found = fixture::run(&words.join(" "));
        prop_assert!(!matches!(found, Err(Problem::Internal(_))), "{found:?}");
    }
}
