//! Fuzzes the SQL engine with random texts. The engine must not panic and must stay within its limits. Each result must
//! be JSON. Parsing the normalised text of a query must return a query with the same normalised text.
#![no_main]

use std::sync::Arc;
use std::time::{Duration, Instant};

use crypto_intel_sql::{Control, Empty, Limits, Parsed, Prepared};
use libfuzzer_sys::fuzz_target;

/// Maximum duration of one run. It is far above [`Limits::time`], because the address sanitizer slows the code
/// down.
const MOST_TIME: Duration = Duration::from_secs(15);

fuzz_target!(|text: &str| {
    let started = Instant::now();
    run(text);
    assert!(started.elapsed() < MOST_TIME, "{:?}", started.elapsed());
});

fn run(text: &str) {
    let Ok(query) = Parsed::read(text) else { return };
    let normalised = query.normalised();
    let again = Parsed::read(normalised).expect("the normalised text is a query");
    assert_eq!(again.normalised(), normalised);

    let Ok(prepared) = Prepared::new(&query, Arc::new(Empty), 1_780_000_000) else { return };
    let limits = Limits {
        max_rows: 100,
        rows_to_read: 10_000,
        time: Duration::from_secs(1),
        memory: 16 << 20,
        result: 1 << 20,
        ..Limits::default()
    };
    if let Ok(outcome) = prepared.run(&limits, &Control::default()) {
        let json = outcome.json();
        serde_json::from_str::<serde_json::Value>(json.as_ref()).expect("the result is JSON");
    }
}
