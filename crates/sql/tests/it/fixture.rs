//! Test tables of the differential test, and functions that run queries over them.

use std::borrow::Cow;
use std::sync::Arc;

use crypto_intel_sql::{
    Column, Control, Database, Limits, Parsed, Prepared, Problem, Sink, Span, Table, Type, Value,
    Window,
};
use serde_json::{Value as Json, json};

/// Current time of all test queries in Unix seconds: 2026-06-15 13:37:42 UTC.
pub const NOW: i64 = 1_781_530_662;

/// Splits the text of a file into SQL statements. Each statement ends with a semicolon at the end of a line.
pub fn statements(text: &str) -> Vec<String> {
    let parts = text.split(";\n").map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.trim_end_matches(';').to_owned()).collect()
}

/// Runs a query. Returns a JSON object that contains the columns and the rows as text, or the error.
pub fn answer(sql: &str) -> Json {
    match run(sql) {
        Ok((columns, rows)) => json!({"sql": sql, "columns": columns, "rows": rows}),
        Err(problem) => json!({"sql": sql, "error": problem.to_string()}),
    }
}

/// Columns and rows of a query result. A column is a pair of name and type. A row is a list of values as text.
pub type Answer = (Vec<(String, String)>, Vec<Vec<String>>);

/// Runs a query on the test tables.
pub fn run(sql: &str) -> Result<Answer, Problem> {
    let parsed = Parsed::read(sql)?;
    let prepared = Prepared::new(&parsed, Arc::new(Fixture), NOW)?;
    let outcome = prepared.run(&Limits::default(), &Control::default())?;
    let columns = outcome.columns().iter();
    let columns = columns.map(|(name, ty)| (name.clone(), ty.to_string())).collect();
    Ok((columns, outcome.texts()))
}

/// Names of all test tables.
#[allow(dead_code, reason = "only the example prints them")]
pub const NAMES: [&str; 3] = ["trades", "tokens", "prices"];

/// Database with small test tables that resemble market data.
#[derive(Debug)]
pub struct Fixture;

impl Database for Fixture {
    fn name(&self) -> &str {
        "agent"
    }

    fn table(&self, name: &str) -> Option<Arc<dyn Table>> {
        let (columns, rows): (&'static [Column], _) = match name {
            "trades" => (TRADES, trades()),
            "tokens" => (TOKENS, tokens()),
            "prices" => (PRICES, prices()),
            _ => return None,
        };
        Some(Arc::new(Fixed { columns, rows }))
    }
}

struct Fixed {
    columns: &'static [Column],
    rows: Vec<Vec<Value>>,
}

impl Table for Fixed {
    fn columns(&self) -> Vec<Column> {
        self.columns.to_vec()
    }

    fn window(&self) -> Option<Window> {
        None
    }

    fn days(&self, _: Span) -> (i64, i64) {
        (0, 0)
    }

    fn estimate(&self, _: Span) -> i64 {
        i64::try_from(self.rows.len()).unwrap_or(0)
    }

    fn read(&self, _: i64, wanted: &[usize], sink: &mut Sink<'_>) -> Result<(), Problem> {
        for row in &self.rows {
            sink(wanted.iter().map(|at| row[*at].clone()).collect())?;
        }
        Ok(())
    }
}

const fn column(name: &'static str, ty: &'static str) -> Column {
    Column { name: Cow::Borrowed(name), ty, comment: "" }
}

const TRADES: &[Column] = &[
    column("block_date", "Date"),
    column("block_time", "DateTime"),
    column("tx_hash", "String"),
    column("project", "LowCardinality(String)"),
    column("symbol", "String"),
    column("amount", "Float64"),
    column("amount_raw", "UInt256"),
    column("fee", "Decimal(18, 4)"),
    column("maker", "Nullable(String)"),
    column("gas", "UInt64"),
    column("delta", "Int32"),
    column("tags", "Array(String)"),
    column("score", "Nullable(Float64)"),
];

/// Returns a non-negative pseudo-random number that depends only on `seed` and `n`.
fn mixed(seed: i64, n: i64) -> i64 {
    let mut x = (seed * 1_000_003 + n).wrapping_mul(6_364_136_223_846_793_005);
    x ^= x >> 29;
    x = x.wrapping_mul(1_442_695_040_888_963_407);
    (x ^ (x >> 32)) & i64::MAX
}

const FIRST_DAY: i64 = 20_605;
const SYMBOLS: [&str; 5] = ["BTC", "ETH", "SOL", "UNI", "PEPE"];
const PROJECTS: [&str; 3] = ["uniswap", "curve", "balancer"];

#[allow(clippy::cast_precision_loss)]
fn trades() -> Vec<Vec<Value>> {
    let row = |n: i64| {
        let day = FIRST_DAY + n / 20;
        let time = day * 86_400 + mixed(1, n) % 86_400;
        let pick =
            |seed: i64, count: usize| usize::try_from(mixed(seed, n) % count as i64).unwrap_or(0);
        let maker = match mixed(4, n) % 5 {
            0 => Value::Null,
            m => Value::text(format!("0x{m:040x}")),
        };
        let tags = (0..mixed(9, n) % 4).map(|k| Value::text(format!("t{k}")));
        let raw = format!("{}000000000000000000", mixed(6, n) % 1_000_000);
        let score =
            if n % 7 == 0 { Value::Null } else { Value::Float((mixed(10, n) % 1000) as f64 / 8.0) };

        vec![
            Value::Int(day.into()),
            Value::Int(time.into()),
            Value::text(format!("0x{:064x}", mixed(2, n))),
            Value::text(PROJECTS[pick(3, 3)]),
            Value::text(SYMBOLS[pick(5, 5)]),
            Value::Float((mixed(7, n) % 100_000) as f64 / 4.0),
            Type::read("UInt256").and_then(|ty| ty.value(&raw)).unwrap_or_default(),
            Value::Int((mixed(8, n) % 1_000_000).into()),
            maker,
            Value::Int((21_000 + mixed(11, n) % 200_000).into()),
            Value::Int((mixed(12, n) % 2_001 - 1_000).into()),
            Value::List(tags.collect()),
            score,
        ]
    };

    (0..200).map(row).collect()
}

const TOKENS: &[Column] = &[
    column("symbol", "String"),
    column("chain", "LowCardinality(String)"),
    column("decimals", "UInt8"),
    column("supply", "Nullable(Float64)"),
    column("name", "String"),
    column("is_stable", "UInt8"),
];

fn tokens() -> Vec<Vec<Value>> {
    let row =
        |(symbol, chain, decimals, supply, name, stable): (&str, &str, i128, f64, &str, i128)| {
            vec![
                Value::text(symbol),
                Value::text(chain),
                Value::Int(decimals),
                if supply > 0.0 { Value::Float(supply) } else { Value::Null },
                Value::text(name),
                Value::Int(stable),
            ]
        };
    [
        ("BTC", "bitcoin", 8, 19_700_000.0, "Bitcoin", 0),
        ("ETH", "ethereum", 18, 120_400_000.5, "Ether", 0),
        ("SOL", "solana", 9, 0.0, "Solana", 0),
        ("UNI", "ethereum", 18, 1_000_000_000.0, "Uniswap", 0),
        ("USDC", "ethereum", 6, 0.0, "USD Coin", 1),
        ("USDC", "solana", 6, 0.0, "USD Coin", 1),
        ("DOGE", "dogecoin", 8, 145_000_000_000.0, "Dogecoin’s", 0),
    ]
    .map(row)
    .to_vec()
}

const PRICES: &[Column] = &[
    column("block_date", "Date"),
    column("timestamp", "DateTime"),
    column("symbol", "LowCardinality(String)"),
    column("open", "Float64"),
    column("close", "Float64"),
    column("volume", "Float64"),
];

#[allow(clippy::cast_precision_loss)]
fn prices() -> Vec<Vec<Value>> {
    let mut rows = Vec::new();
    for (at, symbol) in ["BTC", "ETH", "SOL", "UNI"].into_iter().enumerate() {
        for day in 0..14 {
            // Some days have no price.
            if mixed(20 + at as i64, day) % 6 == 0 {
                continue;
            }
            let open = (mixed(30 + at as i64, day) % 80_000) as f64 / 16.0 + 1.0;
            let close = (mixed(30 + at as i64, day + 1) % 80_000) as f64 / 16.0 + 1.0;
            rows.push(vec![
                Value::Int((FIRST_DAY + day).into()),
                Value::Int(((FIRST_DAY + day) * 86_400).into()),
                Value::text(symbol),
                Value::Float(open),
                Value::Float(close),
                Value::Float((mixed(40 + at as i64, day) % 1_000) as f64),
            ]);
        }
    }
    rows
}

/// Returns the definition of a test table for ClickHouse: its name, its CREATE TABLE statement, and its rows.
#[allow(dead_code, reason = "only the example prints it")]
pub fn definition(name: &str) -> Json {
    let columns = Fixture.table(name).map(|table| table.columns()).unwrap_or_default();
    let columns: Vec<String> =
        columns.iter().map(|column| format!("`{}` {}", column.name, column.ty)).collect();
    let create = format!("CREATE TABLE agent.{name} ({}) ENGINE = Memory", columns.join(", "));
    let all = answer(&format!("SELECT * FROM agent.{name}"));
    json!({"name": name, "create": create, "rows": all["rows"]})
}
