//! Generates strings by the name of their field.
//!
//! For the operations of this release, the domains set every string. These strings are for records and fields that a
//! newer description adds. They have the format of the field, and are recognisable as generated.

use crate::random::Seed;
use crate::timestamp;

/// Generates a string for the field `name` of a row at `time`.
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
