//! Filters and sorts response rows of any record type. Parameters with usual names, such as `min_volume` or `sort_by`,
//! select the filters and the order.
//!
//! The input is the arguments of a request, and the response rows with their type. The output is the rows that match,
//! in the requested order.

use std::cmp::Ordering;

use crypto_intel_api::generated::tables;
use crypto_intel_core::{Field, Param, ParamKind, Type};

use crate::args::Args;
use crate::context::Context;
use crate::row::Row;
use crate::time_fields::TIMES;
use crate::timestamp;
use crate::value::Value;

/// Filters and sort order of a request.
#[derive(Debug)]
pub struct RowFilters<'a> {
    filters: Vec<Filter<'a>>,
    sort: Option<(&'static str, bool)>,
}

#[derive(Debug)]
enum Filter<'a> {
    /// Name of a field, and allowed strings. A row matches if the value of the field is equal to one of these strings,
    /// ignoring case.
    Is(&'static str, Vec<&'a str>),
    Flag(&'static str, bool),
    AtLeast(&'static str, f64),
    AtMost(&'static str, f64),
}

/// Alternative field names for values of `sort_by` and for parameters such as `min_amount`. For example,
/// `sort_by=price` sorts by the field `latest_price` if the record has none of the fields `price`, `price_usd` and
/// `price_pct`.
const ALIASES: &[(&str, &[&str])] = &[
    ("recency", TIMES),
    ("timestamp", TIMES),
    ("block_time", TIMES),
    ("amount", &["amount_usd", "usd_value", "notional_volume_usd"]),
    ("notional_volume_usd", &["amount_usd"]),
    ("price", &["latest_price"]),
    ("volume_24h", &["volume_24h_usd", "volume_24h_quote"]),
    ("portfolio_count", &["invested_projects_count"]),
    ("tier", &["tier"]),
    ("trades", &["total_trades"]),
    ("trending", &["score"]),
    ("polymarket_volume", &["polymarket"]),
    ("kalshi_volume", &["kalshi"]),
    ("order", TIMES),
];

/// Finds the record field for a name in a request. In the request `sort_by=price&min_volume=5`, the names are `price`
/// and `volume`. For example, the name `volume` finds the field `volume`, or `volume_usd` if the record has no field
/// `volume`.
fn find_field(fields: &[Field], wish: &str) -> Option<&'static str> {
    let find = |name: &str| fields.iter().map(|field| field.name).find(|field| *field == name);
    find(wish)
        .or_else(|| find(&format!("{wish}_usd")))
        .or_else(|| find(&format!("{wish}_pct")))
        .or_else(|| {
            let (_, names) = ALIASES.iter().find(|(alias, _)| *alias == wish)?;
            names.iter().find_map(|name| find(name))
        })
}

impl<'a> RowFilters<'a> {
    /// Creates the filters and the sort order from the arguments of a request. `row` is the type of the response rows.
    pub fn new(ctx: &Context, args: &'a Args, row: Type) -> Self {
        let mut filters = RowFilters { filters: Vec::new(), sort: None };
        let Type::Record(name) = row else { return filters };
        let fields = tables::record(name).map_or(&[][..], |record| record.fields);
        let has_field = |name: &str| fields.iter().any(|field| field.name == name);
        let time = TIMES.iter().copied().find(|time| has_field(time));

        let params = args.operation.params.iter();
        filters.filters.extend(params.filter_map(|param| param_filter(args, param, fields, time)));

        if let (None, Some(time), Some(range)) =
            (args.timestamp("from"), time, args.text("time_range").and_then(timestamp::window))
        {
            filters.filters.push(Filter::AtLeast(time, as_number(ctx.now - range)));
        }

        let has = |name: &str| args.operation.param(name).is_some();
        let by =
            args.text("sort_by").or_else(|| (has("order") && !has("sort_by")).then_some("order"));
        if let Some(field) = by.and_then(|by| find_field(fields, by)) {
            filters.sort = Some((field, args.text("order") == Some("asc")));
        }

        filters
    }

    /// Returns the names of the fields that the filters and the sort order need.
    fn needed_fields(&self) -> impl Iterator<Item = &'static str> {
        let filters = self.filters.iter().map(|filter| match filter {
            Filter::Is(name, _)
            | Filter::Flag(name, _)
            | Filter::AtLeast(name, _)
            | Filter::AtMost(name, _) => *name,
        });
        filters.chain(self.sort.map(|(name, _)| name))
    }

    /// For each row, computes the values of all fields that the filters and the sort order need. `ty` is the type of
    /// the rows.
    pub fn decide(&self, ctx: &Context, ty: Type, rows: &mut [Row]) {
        let needs: Vec<_> = self.needed_fields().collect();
        if rows.iter().all(|row| needs.iter().all(|name| row.given.contains_key(name))) {
            return;
        }
        for row in rows {
            row.decide(ctx, ty, &needs);
        }
    }

    /// Removes the rows that do not match the filters, and sorts the others.
    pub fn apply(&self, rows: &mut Vec<Row>) {
        rows.retain(|row| self.filters.iter().all(|filter| filter.matches(row)));
        if let Some((name, ascending)) = self.sort {
            let keys: Vec<_> = rows.iter().map(|row| Key::new(row.given.get(name))).collect();
            let order = |a: &Key<'_>, b: &Key<'_>| match ascending {
                true => a.compare(b),
                false => a.compare(b).reverse(),
            };
            if keys.is_sorted_by(|a, b| order(a, b).is_le()) {
                return;
            }

            // The sort is stable, so that rows with equal values have the same order on all pages.
            let mut places: Vec<_> = (0..keys.len()).collect();
            places.sort_by(|a, b| order(&keys[*a], &keys[*b]));
            drop(keys);
            let mut unsorted: Vec<_> = rows.drain(..).map(Some).collect();
            rows.extend(places.into_iter().filter_map(|place| unsorted[place].take()));
        }
    }
}

/// Returns the filter that a parameter of a request selects, if any. `fields` are the fields of the response rows, and
/// `time` is the name of their time field.
fn param_filter<'a>(
    args: &'a Args,
    param: &'static Param,
    fields: &[Field],
    time: Option<&'static str>,
) -> Option<Filter<'a>> {
    let name = param.name;
    let is_text = |name: &str| {
        fields.iter().any(|f| f.name == name && matches!(f.ty, Type::String | Type::Enum(_)))
    };

    match (name, param.kind) {
        (
            "sort_by" | "order" | "limit" | "offset" | "cursor" | "time_range" | "interval" | "q"
            | "id" | "address" | "handle" | "tweet_id",
            _,
        ) => None,

        ("from", _) => Some(Filter::AtLeast(time?, as_number(args.timestamp("from")?))),
        ("to", _) => Some(Filter::AtMost(time?, as_number(args.timestamp("to")?))),

        (_, ParamKind::Boolean) if args.is_given(name) => {
            let field = fields.iter().find(|field| field.name == name)?;
            Some(Filter::Flag(field.name, args.flag(name)))
        }
        (_, ParamKind::Integer { .. } | ParamKind::Number { .. } | ParamKind::String { .. })
            if name.starts_with("min_") =>
        {
            let field = find_field(fields, &name["min_".len()..])?;
            Some(Filter::AtLeast(field, args.number(name)?))
        }

        (_, ParamKind::Enum(_) | ParamKind::String { .. } | ParamKind::List { .. })
            if is_text(name) && args.is_given(name) =>
        {
            let texts = args.list(name);
            // A row may have a longer symbol such as `BTCUSDT`. So the requested ticker is compared with the base
            // asset.
            let field = match name {
                "symbol" if is_text("base_asset") => "base_asset",
                _ => name,
            };
            // The argument `all` means that rows are not filtered.
            (!texts.contains(&"all")).then_some(Filter::Is(field, texts))
        }
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "Unix seconds")]
fn as_number(seconds: i64) -> f64 {
    seconds as f64
}

impl Filter<'_> {
    fn matches(&self, row: &Row) -> bool {
        let number = |name: &str| row.given.get(name).and_then(Value::as_f64);
        match self {
            Filter::Is(name, texts) => match row.given.get(name) {
                Some(Value::String(text)) => {
                    texts.iter().any(|wish| wish.eq_ignore_ascii_case(text))
                }
                _ => false,
            },
            Filter::Flag(name, flag) => row.given.get(name) == Some(&Value::Bool(*flag)),
            Filter::AtLeast(name, least) => number(name).is_some_and(|value| value >= *least),
            Filter::AtMost(name, most) => number(name).is_some_and(|value| value <= *most),
        }
    }
}

/// Sort key of a field value. The keys form four groups, in ascending order:
///
/// 1. Missing values, and values that are in no other group. All these keys are equal.
/// 2. Strings that parse as a finite `f64`, such as `"12.5"`. They are sorted by this number.
/// 3. Other strings, in the order of their bytes.
/// 4. Numbers, and records with a number in the field `volume_usd`, `volume_contracts` or `value`. They are sorted by
///    this number. If a record has several of these fields, only the first of them in this order counts, even if its
///    value is `null`.
#[derive(Debug, Clone, Copy)]
enum Key<'a> {
    Nothing,
    /// A string that contains a number, such as an amount of tokens.
    Amount(f64),
    Text(&'a str),
    Figure(f64),
}

impl<'a> Key<'a> {
    fn new(value: Option<&'a Value>) -> Self {
        let figure = match value {
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => {
                // Text such as `INF` also parses as a number, but it can be the name of a token.
                let amount = text.parse().ok().filter(|amount: &f64| amount.is_finite());
                return amount.map_or(Key::Text(text), Key::Amount);
            }
            Some(Value::Object(members)) => members
                .get("volume_usd")
                .or_else(|| members.get("volume_contracts"))
                .or_else(|| members.get("value"))
                .and_then(Value::as_f64),
            _ => None,
        };
        figure.map_or(Key::Nothing, Key::Figure)
    }

    fn compare(&self, other: &Self) -> Ordering {
        let kind = |key: &Self| match key {
            Key::Nothing => 0,
            Key::Amount(_) => 1,
            Key::Text(_) => 2,
            Key::Figure(_) => 3,
        };
        match (self, other) {
            (Key::Amount(a), Key::Amount(b)) | (Key::Figure(a), Key::Figure(b)) => a.total_cmp(b),
            (Key::Text(a), Key::Text(b)) => a.cmp(b),
            (a, b) => kind(a).cmp(&kind(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use crate::value::json;

    /// Sorts rows by a field. `values` contains the field value of each row. Returns the original indices of the rows
    /// in the new order.
    fn sorted_indices(values: &[serde_json::Value], ascending: bool) -> Vec<i64> {
        let row = |(n, values): (i64, &serde_json::Value)| {
            Row::new(Seed::new(0), 0, json!({"n": n, "held": values}))
        };
        let mut rows: Vec<_> = (0..).zip(values).map(row).collect();
        RowFilters { filters: Vec::new(), sort: Some(("held", ascending)) }.apply(&mut rows);
        rows.iter().filter_map(|row| row.given["n"].as_i64()).collect()
    }

    #[test]
    fn rows_are_sorted_by_values_of_any_type() {
        let volume = |usd: f64| serde_json::json!({"volume_usd": usd});
        let cases: [(Vec<serde_json::Value>, &[i64]); 6] = [
            (vec![3.into(), 1.into(), 2.5.into()], &[1, 2, 0]),
            (vec!["10".into(), "9".into(), "1e3".into()], &[1, 0, 2]),
            (vec!["b".into(), "a".into(), "b".into()], &[1, 0, 2]),
            (vec!["LINK".into(), "INF".into(), "NAN".into(), "7".into()], &[3, 1, 0, 2]),
            (vec![volume(7.0), volume(-1.0), serde_json::Value::Null], &[2, 1, 0]),
            // Values of different types have a fixed order too.
            (vec![1.into(), "x".into(), "2".into(), serde_json::Value::Null], &[3, 2, 1, 0]),
        ];
        for (held, expected) in cases {
            assert_eq!(sorted_indices(&held, true), expected, "{held:?}");
        }
    }

    #[test]
    fn equal_rows_keep_their_order() {
        let values = [2, 1, 2, 1].map(serde_json::Value::from);
        assert_eq!(sorted_indices(&values, true), [1, 3, 0, 2]);
        assert_eq!(sorted_indices(&values, false), [0, 2, 1, 3]);
        assert_eq!(sorted_indices(&[1, 2, 2].map(serde_json::Value::from), true), [0, 1, 2]);
    }
}
