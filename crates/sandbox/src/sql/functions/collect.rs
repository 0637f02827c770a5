//! Aggregates that keep every value: quantiles, lists, the most frequent.

use std::collections::HashMap;

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Result};
use serde_json::Value as Json;

use super::aggregates::compare;
use super::arrays::item;
use super::{cut, fail, number, owned, real, whole};

/// Most values that one group keeps.
const MOST: usize = 2_000_000;
/// Most bytes of a list.
const LARGEST: usize = 1 << 20;

pub(super) fn register(engine: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    engine.create_aggregate_function("ch_quantile", 2, flags, Quantiles::Between)?;
    engine.create_aggregate_function("ch_quantile_exact", 2, flags, Quantiles::Exact)?;
    engine.create_aggregate_function("ch_quantiles", -1, flags, Quantiles::Several)?;
    engine.create_aggregate_function("ch_group_array", 2, flags, List::All)?;
    engine.create_aggregate_function("ch_group_uniq_array", 2, flags, List::Unique)?;
    engine.create_aggregate_function("ch_top", 2, flags, List::Top)
}

enum Quantiles {
    /// Between the two values nearest to the level.
    Between,
    /// One of the values.
    Exact,
    /// An array for several levels.
    Several,
}

#[derive(Default)]
struct Kept {
    levels: Vec<f64>,
    values: Vec<f64>,
    is_whole: bool,
}

impl Aggregate<Kept, Value> for Quantiles {
    fn init(&self, context: &mut Context<'_>) -> Result<Kept> {
        let levels = (1..context.len()).map(|at| Ok(number(context, at)?.unwrap_or(0.5)));
        let levels = levels.collect::<Result<_>>()?;
        Ok(Kept { levels, values: Vec::new(), is_whole: true })
    }

    fn step(&self, context: &mut Context<'_>, kept: &mut Kept) -> Result<()> {
        let Some(value) = number(context, 0)? else { return Ok(()) };
        if kept.values.len() >= MOST {
            return Err(fail(format!("a quantile is taken of more than {MOST} values")));
        }
        kept.is_whole &= matches!(context.get_raw(0), ValueRef::Integer(_));
        kept.values.push(value);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, kept: Option<Kept>) -> Result<Value> {
        let Some(mut kept) = kept.filter(|kept| !kept.values.is_empty()) else {
            return Ok(Value::Null);
        };
        kept.values.sort_unstable_by(f64::total_cmp);
        let level = kept.levels.first().copied().unwrap_or(0.5);
        Ok(match self {
            Quantiles::Between => real(Some(between(&kept.values, level))),
            Quantiles::Exact => {
                #[expect(clippy::cast_precision_loss, reason = "at most two millions")]
                let place = usize::try_from(cut(level * kept.values.len() as f64)).unwrap_or(0);
                let value = kept.values[place.min(kept.values.len() - 1)];
                if kept.is_whole { Value::Integer(cut(value)) } else { real(Some(value)) }
            }
            Quantiles::Several => {
                let all = kept.levels.iter().map(|level| Json::from(between(&kept.values, *level)));
                Value::Text(Json::Array(all.collect()).to_string())
            }
        })
    }
}

/// The value at a level of sorted values, on the straight line between its neighbours.
fn between(sorted: &[f64], level: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most two millions")]
    let place = level * (sorted.len() - 1) as f64;
    let low = usize::try_from(cut(place)).unwrap_or(0).min(sorted.len() - 1);
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + (sorted[high] - sorted[low]) * place.fract()
}

enum List {
    All,
    Unique,
    /// The most frequent values, most frequent first.
    Top,
}

#[derive(Default)]
struct Items {
    most: Option<usize>,
    values: Vec<Value>,
    places: HashMap<String, (usize, u64)>,
    bytes: usize,
}

impl Aggregate<Items, Value> for List {
    fn init(&self, context: &mut Context<'_>) -> Result<Items> {
        let most = whole(context, 1)?.and_then(|most| usize::try_from(most).ok());
        Ok(Items { most: most.filter(|most| *most > 0), ..Items::default() })
    }

    fn step(&self, context: &mut Context<'_>, items: &mut Items) -> Result<()> {
        let value = context.get_raw(0);
        if value == ValueRef::Null {
            return Ok(());
        }

        let is_full = items.most.is_some_and(|most| items.values.len() >= most);
        match self {
            List::All if is_full => return Ok(()),
            List::All => {}
            List::Unique | List::Top => {
                let key = item(value).to_string();
                if let Some((_, count)) = items.places.get_mut(&key) {
                    *count += 1;
                    return Ok(());
                }

                if is_full && matches!(self, List::Unique) {
                    return Ok(());
                }

                items.bytes += key.len() + 32;
                items.places.insert(key, (items.values.len(), 1));
            }
        }

        items.bytes += match value {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len() + 3,
            _ => 20,
        };
        if items.bytes > LARGEST {
            return Err(fail(format!("an array of more than {LARGEST} bytes is made")));
        }

        items.values.push(owned(value));
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, items: Option<Items>) -> Result<Value> {
        let Some(items) = items else { return Ok(Value::Text("[]".to_owned())) };
        let mut order: Vec<usize> = (0..items.values.len()).collect();
        if matches!(self, List::Top) {
            let mut counts = vec![0; items.values.len()];
            for (place, count) in items.places.values() {
                counts[*place] = *count;
            }
            order.sort_by(|a, b| {
                let by_count = counts[*b].cmp(&counts[*a]);
                by_count
                    .then_with(|| compare((&items.values[*a]).into(), (&items.values[*b]).into()))
            });
            order.truncate(items.most.unwrap_or(10));
        }
        let all = order.into_iter().map(|at| item((&items.values[at]).into()));
        Ok(Value::Text(Json::Array(all.collect()).to_string()))
    }
}
