//! Converts prices, estimates and the credit ledger for Python.

use crypto_intel::catalogue::{OPERATIONS, Paging, Price};
use crypto_intel::credits::{Estimate, Ledger, Spending};
use pyo3::prelude::*;
use serde_json::{Map, Value, json};

/// Returns the minimum and maximum list price of a call, in credits. Returns `None` if the price is not published.
pub(crate) fn estimated(estimate: Estimate) -> Option<(u64, u64)> {
    Some((estimate.least()?.0, estimate.credits()?.0))
}

/// Converts a credit ledger to JSON. The class `Ledger` of the Python module `crypto_intel._money` reads this JSON.
pub(crate) fn ledger(ledger: &Ledger) -> Value {
    let spending =
        |(name, spending): (&'static str, Spending)| (name.to_owned(), spending_json(spending));
    let by = |all: Vec<(&'static str, Spending)>| -> Map<String, Value> {
        all.into_iter().map(spending).collect()
    };
    let unsettled = ledger.unsettled();
    json!({
        "total": spending_json(ledger.total()),
        "by_operation": by(ledger.by_operation().into_iter().collect()),
        "by_tag": by(ledger.by_tag().into_iter().collect()),
        "remaining": ledger.remaining().map(|credits| credits.0),
        "unsettled_requests": unsettled.requests,
        "unsettled_list_price": unsettled.list_price.0,
    })
}

fn spending_json(spending: Spending) -> Value {
    json!({
        "calls": spending.calls,
        "list_price": spending.list_price.0,
        "unpriced": spending.unpriced,
        "reported": spending.reported.0,
        "saved": spending.saved.0,
    })
}

/// Returns all operations as JSON text. `crypto_intel.operations` and the polars scans of `crypto_intel._scan` use it.
#[pyfunction]
pub(crate) fn catalogue() -> String {
    let operations = OPERATIONS.iter().map(|operation| {
        let price = match operation.price {
            Price::Free => json!(0),
            Price::Credits(credits) => json!(credits),
            Price::ByModel(prices) => prices
                .iter()
                .map(|price| {
                    json!({"model": price.model, "effort": price.effort, "credits": price.credits})
                })
                .collect(),
            Price::Unknown => Value::Null,
        };

        let of_pages: Vec<&str> = operation.paging.parameters().collect();
        let parameters = operation.params.iter().filter(|param| param.refused.is_none());
        let parameters = parameters.map(|param| {
            json!({
                "name": param.name,
                "kind": format!("{:?}", param.kind).split([' ', '(', '{']).next(),
                "convention": param.convention.map(|convention| format!("{convention:?}")),
                "required": param.required,
                "is_of_pages": of_pages.contains(&param.name),
            })
        });

        json!({
            "id": operation.id,
            "tag": operation.tag,
            "summary": operation.summary,
            "is_read": operation.method.is_safe(),
            "is_paged": operation.paging != Paging::None,
            "price": price,
            "tier": operation.tier_in_words(),
            "parameters": parameters.collect::<Vec<_>>(),
        })
    });
    operations.collect::<Value>().to_string()
}
