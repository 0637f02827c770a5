//! Tests that a request body distinguishes a field with the value `null` from a missing field.

use crypto_intel::Client;
use serde_json::{Value, json};

use crate::server::{Server, answer};

#[tokio::test]
async fn part_of_a_body_is_absent_or_null_or_a_value() {
    let server = Server::start(answer(200, &[], r#"{"data":[],"meta":{}}"#)).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let query = || client.onchain_structured_query("agent.ethereum_blocks");

    query().await.unwrap();
    query().fields_null().sort_null().await.unwrap();
    // If a field is set twice, the second value replaces the first.
    query().fields_null().fields(["number"]).await.unwrap();
    query().fields(["number"]).fields_null().await.unwrap();

    let bodies: Vec<Value> = server
        .texts()
        .iter()
        .map(|text| serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap())
        .collect();
    let source = "agent.ethereum_blocks";
    assert_eq!(
        bodies,
        [
            json!({"source": source}),
            json!({"source": source, "fields": null, "sort": null}),
            json!({"source": source, "fields": ["number"]}),
            json!({"source": source, "fields": null}),
        ]
    );
}
