//! Replaces placeholders in the file `tasks.toml`, such as `{token}`, `{token.2}`, `{wallet}` and `{day-30}`.

use std::collections::BTreeMap;

use crypto_intel_sandbox::UnixSeconds;
use jiff::{Timestamp, ToSpan as _};

use crate::seed::Seed;

/// Values that replace the placeholders of one question.
pub(crate) struct Values<'a> {
    pools: &'a BTreeMap<String, Vec<String>>,
    seed: Seed,
    task: &'a str,
    /// Values that the task defines for this question, by placeholder name.
    own: &'a BTreeMap<String, String>,
    /// Values that the task defines for its other question. A random choice never returns one of these values. Empty if
    /// the task has only one question.
    taken: &'a BTreeMap<String, String>,
}

impl<'a> Values<'a> {
    pub(crate) fn new(
        pools: &'a BTreeMap<String, Vec<String>>,
        seed: Seed,
        task: &'a str,
        own: &'a BTreeMap<String, String>,
        taken: &'a BTreeMap<String, String>,
    ) -> Self {
        Values { pools, seed, task, own, taken }
    }

    fn get(&self, name: &str) -> Result<String, String> {
        if let Some(own) = self.own.get(name) {
            // The value of a placeholder can contain other placeholders.
            return fill(own, &Values { own: &BTreeMap::new(), ..*self });
        }
        let now = self.seed.exam_time();
        if let Some(days) = name.strip_prefix("day-").and_then(|days| days.parse::<i64>().ok()) {
            return Ok(iso(UnixSeconds(now.0 - days * 86_400))[..10].to_owned());
        }

        let (pool, number) = name.split_once('.').unwrap_or((name, "1"));
        let number: usize =
            number.parse().map_err(|_| format!("{{{name}}} is not a placeholder"))?;
        match pool {
            "now" => Ok(now.0.to_string()),
            "wallet" => Ok(self.address(number)),
            "nosuch" => Ok(self.word()),
            _ => self.item(pool, number).ok_or_else(|| format!("{{{name}}} is not a placeholder")),
        }
    }

    /// Returns item `number` of the list `pool`, such as `token`, in the section `[pools]` of `tasks.toml`. The first
    /// item has the number 1. The order of the items depends on the seed.
    fn item(&self, pool: &str, number: usize) -> Option<String> {
        let taken = self.taken.get(pool);
        let items = self.pools.get(pool)?.iter().filter(|item| Some(*item) != taken);
        let mut items: Vec<&String> = items.collect();
        items.sort_by_cached_key(|item| self.seed.choice(&format!("{} {pool} {item}", self.task)));
        items.get(number.checked_sub(1)?).map(|item| (*item).clone())
    }

    fn address(&self, number: usize) -> String {
        let part = |part: u32| self.seed.choice(&format!("{} wallet {number} {part}", self.task));
        format!("0x{:016x}{:016x}{:08x}", part(0), part(1), part(2) >> 32)
    }

    /// Returns a random word of 7 consonants, which is not the name of any entity in the sandbox.
    fn word(&self) -> String {
        let letters = b"BCDFGHJKLMNPQRSTVWXZ";
        let letter = |at: u32| {
            let choice = self.seed.choice(&format!("{} word {at}", self.task));
            char::from(letters[usize::try_from(choice % letters.len() as u64).unwrap_or_default()])
        };
        (0..7).map(letter).collect()
    }
}

/// Replaces the placeholders in a text.
pub(crate) fn fill(text: &str, values: &Values<'_>) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, after) =
            behind.split_once('}').ok_or_else(|| format!("`{text}` lacks a `}}`"))?;
        filled += before;
        filled += &values.get(name)?;
        rest = after;
    }
    Ok(filled + rest)
}

/// Formats a timestamp as text: `2026-05-28T20:26:40Z`.
pub(crate) fn iso(time: UnixSeconds) -> String {
    let since = time.0.seconds();
    Timestamp::UNIX_EPOCH
        .checked_add(since)
        .map_or_else(|_| time.0.to_string(), |time| time.to_string())
}
