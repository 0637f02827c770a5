//! Generates random strings for record fields. The name of the field decides the format.
//!
//! This module generates strings only for records and fields that a newer API description adds. Other modules set all
//! strings of this release. Most generated strings contain the word `sample`.

use crate::random::Seed;
use crate::timestamp;

/// Generates a string for the field `name` of a row. `time` is the Unix time of the row.
pub(super) fn text_for(name: &str, seed: Seed, time: i64) -> String {
    let last = name.rsplit('_').next().unwrap_or(name);
    match last {
        "id" | "ids" => seed.uuid(),
        "address" | "account" => seed.hex_number(40),
        "hash" => seed.hex_number(64),
        "date" | "on" | "of" | "period" | "from" | "to" => timestamp::day_text(time),
        "amount" | "balance" | "price" | "usd" | "value" => seed.range(1, 90_000).to_string(),
        "url" | "link" | "website" | "logo" | "image" | "avatar" => {
            format!("https://sample.example/{}", seed.hex(8))
        }
        _ => format!("sample {}", name.replace('_', " ")),
    }
}
