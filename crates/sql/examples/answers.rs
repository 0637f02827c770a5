//! Runs the SQL queries of the differential test, and prints the result of each query as one line of JSON.
//!
//! Command: `cargo run -p crypto-intel-sql --example answers < queries.sql`. With the argument `tables`, the program
//! runs no query and prints the definitions of the test tables.
#![expect(unreachable_pub, reason = "the fixture is shared with the test")]

#[path = "../tests/it/fixture.rs"]
mod fixture;

use std::io::Read as _;

fn main() -> std::io::Result<()> {
    if std::env::args().any(|arg| arg == "tables") {
        for name in fixture::NAMES {
            println!("{}", fixture::definition(name));
        }
        return Ok(());
    }

    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    // Deeply nested queries need a large stack.
    let work = std::thread::Builder::new().stack_size(64 << 20).spawn(move || {
        for sql in fixture::statements(&text) {
            println!("{}", fixture::answer(&sql));
        }
    })?;
    work.join().map_err(|_| std::io::Error::other("a query ended the program"))
}
