//! Tests of requests that restrict a chat answer. A request can contain a JSON Schema that the answer must match. A
//! request can also contain a list of abilities, such as `market_analysis`, that limits the data in the answer.

use serde_json::{Value, json};

use crate::support::{Bench, seen};

const RESPONSES: &str = "/gateway/v1/responses";
const COMPLETIONS: &str = "/v1/chat/completions";

async fn post(bench: &Bench, path: &str, body: Value) -> Value {
    let url = format!("{}{path}", bench.sandbox.url());
    let seen = seen(bench.http.post(url).bearer_auth(bench.sandbox.key()).json(&body)).await;
    assert_eq!(seen.status, 200, "{body}: {}", seen.text);
    seen.json
}

async fn respond(bench: &Bench, question: &str, more: Value) -> String {
    let mut body = json!({"model": "svc-2.0", "input": question});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    post(bench, RESPONSES, body).await["output_text"].as_str().unwrap().to_owned()
}

async fn complete(bench: &Bench, question: &str, more: Value) -> String {
    let messages = json!([{"role": "user", "content": question}]);
    let mut body = json!({"model": "svc-1.5", "messages": messages});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = post(bench, COMPLETIONS, body).await;
    answer["choices"][0]["message"]["content"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn json_of_a_schema_holds_figures_of_the_data_endpoints() {
    let bench = Bench::start().await;
    let price = bench.get("/gateway/v1/market/price?symbol=ETH&time_range=7d").await.json;
    let last = &price["summary"]["last"];

    let schema = json!({
        "type": "object",
        "$defs": {"Verdict": {"type": "string", "enum": ["up", "down"]}},
        "properties": {
            "symbol": {"type": "string"},
            "price": {"type": "number"},
            "verdict": {"$ref": "#/$defs/Verdict"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "summary": {"type": "string"},
            "as_of": {"type": "string", "format": "date"},
            "assets": {"type": "array", "items": {"type": "object",
                "properties": {"symbol": {"type": "string"}}, "required": ["symbol"]}},
        },
        "required": ["symbol", "price", "verdict", "note", "summary", "as_of", "assets"],
    });

    let flat = json!({"text": {"format": {"type": "json_schema", "name": "n", "schema": schema}}});
    let nested = json!({"response_format": {"type": "json_schema",
        "json_schema": {"name": "n", "strict": true, "schema": schema}}});

    let question = "price of ETH";
    for text in [respond(&bench, question, flat).await, complete(&bench, question, nested).await] {
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&value["symbol"], &value["price"]), (&json!("ETH"), last), "{value}");
        assert_eq!((&value["verdict"], &value["as_of"]), (&json!("up"), &json!("2026-06-15")));
        assert_eq!(value["assets"], json!([{"symbol": "ETH"}]));
        assert!(value["note"].is_string());
        assert!(value["summary"].as_str().unwrap().contains("Invented figures"), "{value}");
    }

    let free = json!({"response_format": {"type": "json_object"}});
    let value: Value = serde_json::from_str(&complete(&bench, question, free).await).unwrap();
    assert_eq!(value["symbol"], "ETH");
}

#[tokio::test]
async fn numbers_are_within_the_bounds_of_the_schema() {
    let bench = Bench::start().await;
    let schema = json!({"type": "object", "required": ["price", "share", "count", "level", "whole"], "properties": {
        "price": {"type": "number", "exclusiveMaximum": 0},
        "share": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "count": {"type": "integer", "exclusiveMinimum": 1, "maximum": 2},
        "level": {"type": "number", "minimum": 5, "maximum": 9},
        "whole": {"type": "integer", "minimum": 1.5, "maximum": 2.9},
    }});
    let form = json!({"text": {"format": {"type": "json_schema", "name": "n", "schema": schema}}});

    let text = respond(&bench, "price of ETH", form).await;
    let value: Value = serde_json::from_str(&text).unwrap();
    let number = |name: &str| value[name].as_f64().unwrap();
    assert!(number("price") < 0.0 && number("count") == 2.0, "{value}");
    assert!(number("share") > 0.0 && number("share") < 1.0, "{value}");
    assert!((5.0..=9.0).contains(&number("level")) && number("whole") == 2.0, "{value}");
}

#[tokio::test]
async fn a_schema_that_is_written_into_the_instructions_is_followed() {
    let bench = Bench::start().await;
    let schema = json!({"properties": {"price": {"type": "number"}}, "required": ["price"]});
    let said = format!("Answer with {{JSON}} that matches this schema: {schema}");
    let body = json!({
        "model": "svc-1.5",
        "messages": [
            {"role": "system", "content": said},
            {"role": "user", "content": "What is the price of ETH?"},
        ],
        "response_format": {"type": "json_object"},
    });
    let answer = post(&bench, COMPLETIONS, body).await;
    let text = answer["choices"][0]["message"]["content"].as_str().unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    assert!(value["price"].as_f64().is_some_and(|price| price > 0.0), "{value}");
}

#[tokio::test]
async fn abilities_restrict_what_is_looked_at() {
    let bench = Bench::start().await;
    let question = "price and news of ETH";
    let with = async |abilities: Value| {
        complete(&bench, question, json!({"ability": abilities, "reasoning_effort": "high"})).await
    };
    let all = with(json!([])).await;
    assert!(all.contains("(ETH): price") && all.contains("(ETH): news"), "{all}");
    let market = with(json!(["market_analysis"])).await;
    assert!(market.contains("(ETH): price") && !market.contains("(ETH): news"), "{market}");
    let search = with(json!(["search"])).await;
    assert!(!search.contains("(ETH): price") && search.contains("(ETH): news"), "{search}");
    let none = with(json!(["calculate"])).await;
    assert!(none.contains("no data for the requested values of `ability`: calculate"), "{none}");
}

/// Tests a chat request for an unknown model. The live service answers such a request. Therefore the sandbox also
/// answers it, and adds a warning header.
#[tokio::test]
async fn unknown_model_is_answered_with_a_warning() {
    let bench = Bench::start().await;
    let url = format!("{}{RESPONSES}", bench.sandbox.url());
    let ask = async |model: &str| {
        let body = json!({"model": model, "input": "BTC"});
        let request = bench.http.post(&url).bearer_auth(bench.sandbox.key()).json(&body);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        response.headers().get("x-sandbox-warning").map(|value| value.to_str().unwrap().to_owned())
    };

    let warning = ask("svc-2.0-instnat").await.expect("a warning");
    assert!(warning.contains("did you mean `svc-2.0-instant`?"), "{warning}");
    assert_eq!(bench.sandbox.requests().last().unwrap().warning, Some(warning));
    assert_eq!(ask("svc-2.0-instant").await, None);
    assert_eq!(bench.sandbox.requests().last().unwrap().warning, None);
}
