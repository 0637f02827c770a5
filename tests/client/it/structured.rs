//! Tests of structured chat answers from each model.

use crypto_intel::prelude::*;
use crypto_intel::{Client, ErrorKind};
use crypto_intel_api::generated::catalogue;
use crypto_intel_core::{Operation, ParamKind};
use crypto_intel_sandbox::Sandbox;

/// Type of the structured answers: the symbol and the price of a token. The sandbox fills both fields.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Quote {
    symbol: String,
    price: f64,
}

fn models(operation: &Operation) -> &'static [&'static str] {
    match operation.param("model").map(|(_, param)| param.kind) {
        Some(ParamKind::Enum(models)) => models,
        _ => panic!("{} has no models", operation.id),
    }
}

async fn start() -> (Sandbox, Client) {
    let sandbox = Sandbox::start().await.unwrap();
    let client = Client::builder().api_key(sandbox.key()).base_url(sandbox.url()).build().unwrap();
    (sandbox, client)
}

#[tokio::test]
#[expect(deprecated, reason = "the retired operation is supported")]
async fn every_model_answers_with_a_typed_value() {
    let (_sandbox, client) = start().await;
    for model in models(&catalogue::RESPONSES) {
        let quote = client.responses(*model, "price of BTC").structured::<Quote>().await;
        let quote = quote.unwrap_or_else(|error| panic!("{model}: {error}"));
        assert!(quote.symbol == "BTC" && quote.price > 1_000.0, "{model}: {quote:?}");
    }
    for model in models(&catalogue::CHAT_COMPLETIONS) {
        let messages = [crypto_intel::chat::user("price of BTC")];
        let quote = client.chat_completions(*model, messages).structured::<Quote>().await;
        let quote = quote.unwrap_or_else(|error| panic!("{model}: {error}"));
        assert!(quote.symbol == "BTC" && quote.price > 1_000.0, "{model}: {quote:?}");
    }
}

#[tokio::test]
async fn error_of_a_typed_answer_has_status_and_attempts() {
    let (_sandbox, client) = start().await;
    let request = client.responses("svc-2.0", "price of BTC").max_output_tokens(3);
    let error = request.structured::<Quote>().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert_eq!(error.status().map(|status| status.as_u16()), Some(200));
    assert_eq!(error.attempts(), 1);
}
