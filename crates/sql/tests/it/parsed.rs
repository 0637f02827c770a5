//! Tests of parsed queries: their spelling, the change of their LIMIT, and the limit on nesting.

use crypto_intel_sql::Parsed;

#[test]
fn texts_of_one_query_have_one_spelling() {
    let spell = |text: &str| Parsed::read(text).unwrap().normalised().to_owned();
    assert_eq!(spell("select  1 -- one\n"), spell("SELECT 1;"));
    assert_eq!(spell("SELECT f( a ,b )+1 FROM  agent . t"), "SELECT f(a, b) + 1 FROM agent.t");
    assert_ne!(spell("SELECT 1"), spell("SELECT 2"));
    assert_ne!(spell("WITH 1 AS x SELECT x"), spell("WITH 2 AS x SELECT x"));
    assert_eq!(spell("SELECT 'it''s', `a b`"), "SELECT 'it\\'s', `a b`");
    assert_eq!(spell(r"SELECT '\xff\0', `\0``'`"), r"SELECT '\xFF\0', `\0\`'`");
    let described = "DESCRIBE (SELECT 1 SETTINGS max_threads = 1)";
    assert_eq!(spell(described), "DESCRIBE(SELECT 1 SETTINGS max_threads = 1)");
    for member in ["t . 1 . 2", "t .1 .2", "t.1.2"] {
        assert_eq!(spell(&format!("SELECT {member}")), "SELECT t.1.2", "{member}");
    }
}

#[test]
fn numbers_have_no_members_and_members_have_decimal_numbers() {
    for text in ["SELECT 2 .AS odd", "SELECT 2 . 1", "SELECT t . 0x1", "SELECT t . 1e2"] {
        assert!(Parsed::read(text).is_err(), "{text}");
    }
}

#[test]
fn the_outermost_limit_is_lowered_or_added() {
    for (sql, expected) in [
        ("SELECT 1", "SELECT 1 LIMIT 100"),
        ("SELECT 1 LIMIT 5;", "SELECT 1 LIMIT 5"),
        ("SELECT 1 LIMIT 500 OFFSET 3 -- end", "SELECT 1 LIMIT 100 OFFSET 3"),
        ("SELECT 1 LIMIT 3, 500", "SELECT 1 LIMIT 3, 100"),
        ("SELECT 1 OFFSET 2", "SELECT 1 LIMIT 100 OFFSET 2"),
        ("SELECT 1 LIMIT 2 + 500", "SELECT 1 LIMIT 2 + 500"),
        ("SELECT 1 AS a LIMIT 2 BY a", "SELECT 1 AS a LIMIT 2 BY a LIMIT 100"),
        ("SELECT 1 AS a LIMIT 2 BY a LIMIT 7", "SELECT 1 AS a LIMIT 2 BY a LIMIT 7"),
        ("SELECT (SELECT 1 LIMIT 9)", "SELECT (SELECT 1 LIMIT 9) LIMIT 100"),
        ("SELECT 1 UNION ALL SELECT 2 LIMIT 900", "SELECT 1 UNION ALL SELECT 2 LIMIT 900"),
        ("SELECT 1 SETTINGS max_threads = 1 FORMAT JSON", "SELECT 1 LIMIT 100"),
        ("SELECT 1 LIMIT 900 FORMAT JSON", "SELECT 1 LIMIT 100"),
        ("SELECT 1 SETTINGS join_use_nulls = 1", "SELECT 1 LIMIT 100 SETTINGS join_use_nulls = 1"),
    ] {
        assert_eq!(Parsed::read(sql).unwrap().limited(100), expected, "{sql}");
    }
}

#[test]
fn a_chain_that_would_nest_too_deep_is_counted() {
    let sum = format!("SELECT {}1", "1+".repeat(20_000));
    assert!(Parsed::read(&sql_error(&sum)).is_err());
    let nested = format!("SELECT {}1{}", "(".repeat(2_000), ")".repeat(2_000));
    assert!(sql_error(&nested).contains("deep"));
    let list = format!("SELECT 1 IN ({}1)", "2,".repeat(5_000));
    assert!(Parsed::read(&list).is_ok());
}

fn sql_error(text: &str) -> String {
    Parsed::read(text).unwrap_err().to_string()
}
