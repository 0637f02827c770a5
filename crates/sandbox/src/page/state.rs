//! Returns the changing data of the sandbox's web page as JSON: balances, requests, faults and scenarios.

use serde_json::{Value, json};

use crate::account::FREE_CREDITS;
use crate::control;
use crate::log::Arrived;
use crypto_intel_world::timestamp;

use super::view::View;

/// Maximum length of the text that the web page shows for a request's path and query, in characters. A longer text is
/// truncated.
const LONGEST: usize = 300;

/// Returns the state of the sandbox as JSON. API keys are masked, also inside the URLs of requests.
pub(super) fn to_json(view: &mut View<'_>) -> Value {
    let free = view.free_remaining();
    let keys: Vec<_> =
        view.accounts.keys().map(|(key, credits)| (key.to_owned(), credits)).collect();
    let request = |arrived: &Arrived| {
        let mut target = arrived.path.clone();
        if !arrived.query.is_empty() {
            target.push('?');
            target.push_str(&arrived.query);
        }

        json!({
            "time": timestamp::iso_text(arrived.at.0),
            "method": arrived.method.as_str(),
            "target": shortened(&hidden(&target, &keys)),
            "operation": arrived.operation,
            "status": arrived.status,
            "credits": arrived.credits,
            "fault": arrived.fault,
        })
    };
    let requests: Vec<_> = view.requests.iter().rev().map(request).collect();
    let balances: Vec<_> =
        keys.iter().map(|(key, credits)| json!({"key": masked(key), "credits": credits})).collect();

    json!({
        "now": timestamp::iso_text(view.now.div_euclid(1000)),
        "served": view.served,
        "free_remaining": free,
        "free_daily": FREE_CREDITS,
        "keys": balances,
        "requests": requests,
        "faults": control::faults(view.desk.faults),
        "scenarios": control::scenarios(view.desk.stage),
    })
}

/// Masks an API key except its last four characters. Keys with fewer than nine characters are masked completely.
fn masked(key: &str) -> String {
    let length = key.chars().count();
    let shown = if length < 9 { 0 } else { 4 };
    std::iter::once('…').chain(key.chars().skip(length - shown)).collect()
}

/// Masks the API keys of the sandbox in a text. Also masks other parts of the text that look like a key.
fn hidden(text: &str, keys: &[(String, i64)]) -> String {
    let known = keys.iter().filter(|(key, _)| !key.is_empty());
    let text = known.fold(text.to_owned(), |text, (key, _)| text.replace(key, &masked(key)));
    crate::tape::without_keys(&text)
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_whole() {
        for (key, shown) in [
            ("sk-sandbox", "…dbox"),
            ("sk-short", "…"),
            ("", "…"),
            ("漢字漢字漢字漢字漢", "…字漢字漢"),
        ] {
            assert_eq!(masked(key), shown, "{key}");
        }
        let keys = [("opaque-and-long".to_owned(), 1)];
        assert_eq!(hidden("/x?k=opaque-and-long&l=sk-other", &keys), "/x?k=…long&l=REMOVED");
    }
}
