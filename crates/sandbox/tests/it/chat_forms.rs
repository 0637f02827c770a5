//! In which form the chat answers: as JSON of a schema, within abilities, in few words, in a
//! language.

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
    assert!(none.contains("Within the abilities asked for (calculate)"), "{none}");
}

#[tokio::test]
async fn questions_in_other_languages_find_what_they_name() {
    let bench = Bench::start().await;
    for (question, title) in [
        ("比特币价格", "Bitcoin (BTC): price"),
        ("以太坊的价格是多少?", "Ethereum (ETH): price"),
        ("ビットコインの価格", "Bitcoin (BTC): price"),
        ("비트코인 가격", "Bitcoin (BTC): price"),
        ("цена биткоина", "Bitcoin (BTC): price"),
        ("Was ist der Preis von Solana?", "Solana (SOL): price"),
        ("precio de bitcoin", "Bitcoin (BTC): price"),
        ("سعر بيتكوين", "Bitcoin (BTC): price"),
        ("特斯拉价格", "Tesla, Inc. (TSLA): price"),
        ("prix de l'ether en français, Solana", "Solana (SOL): price"),
    ] {
        let text = respond(&bench, question, json!({})).await;
        assert!(text.contains(title), "{question}: {text}");
    }
}

#[tokio::test]
async fn guidance_on_length_and_language_is_honoured_as_far_as_it_goes() {
    let bench = Bench::start().await;
    let question = "price, news and funding of ETH";
    let deep = json!({"reasoning": {"effort": "high"}});
    let long = respond(&bench, question, deep.clone()).await;
    let mut brief = deep;
    brief["instructions"] = "Be brief.".into();
    let brief = respond(&bench, question, brief).await;
    assert!(brief.len() * 2 < long.len(), "{brief}");
    let german = respond(&bench, question, json!({"instructions": "Answer in German."})).await;
    assert!(german.starts_with("*Erfundene Zahlen der Sandbox"), "{german}");
    let messages = json!([{"role": "system", "content": "请用中文回答"},
        {"role": "user", "content": question}]);
    let body = json!({"model": "svc-1.5", "messages": messages});
    let answer = post(&bench, COMPLETIONS, body).await;
    let text = answer["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(text.starts_with("*沙盒虚构的数据"), "{text}");
}

/// The service was seen to answer unknown models, so the sandbox does too, and says so.
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
