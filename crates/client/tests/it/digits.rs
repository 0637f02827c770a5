//! Tests that numbers with more digits than an `f64` can hold keep all digits: in typed responses, in raw responses and
//! in SQL tables.

use crypto_intel::values::Number;
use crypto_intel::{Client, Json, Method, RetryPolicy};
use serde_json::value::RawValue;

use crate::server::{Server, answer};

const WIDE: &str = "115792089237316195423570985008687907853269984665640564039457584007913129639935";

#[tokio::test]
async fn unknown_members_and_raw_answers_keep_all_digits() {
    for number in [WIDE, "18446744073709551616", "1.10", "1e999999999999"] {
        let row = format!(r#"{{"timestamp":1735689600,"value":1.5,"new":[{number},"1.10"]}}"#);
        let body = format!(
            r#"{{"data":[{row}],"newer":{{"of":{number}}},"meta":{{"credits_used":2,"newest":{number}}}}}"#
        );
        let server = Server::start(answer(200, &[], &body)).await;
        let builder = Client::builder().base_url(server.url()).retry(RetryPolicy::none());
        let client = builder.build().unwrap();

        let typed = client.market_price("BTC").await.unwrap();
        let list = format!(r#"[{number},"1.10"]"#);
        assert_eq!(typed.data[0].extra.get("new").map(Json::text).as_deref(), Some(list.as_str()));
        assert_eq!(serde_json::to_string(&typed.data[0]).unwrap(), row);
        assert_eq!(typed.meta.extra.get("newest").map(Json::text).as_deref(), Some(number));
        let written = serde_json::to_string(&*typed).unwrap();
        assert!(written.contains(&format!(r#""newer":{{"of":{number}}}"#)), "{written}");

        let raw = client.raw(Method::GET, "/x").decode::<Box<RawValue>>().await.unwrap();
        assert_eq!((raw.get(), raw.credits_used()), (body.as_str(), Some(2)));

        let raw = client.raw(Method::GET, "/x").await.unwrap();
        assert_eq!((raw.text().as_ref(), raw.credits_used()), (body.as_str(), Some(2)));
        assert_eq!(raw["data"][0]["value"], 1.5);
    }
}

#[tokio::test]
async fn rows_of_any_shape_keep_all_digits() {
    let row = format!(r#"{{"a":{WIDE},"b":1.10,"c":[18446744073709551616]}}"#);
    let body = format!(r#"{{"data":[{row}],"meta":{{"credits_used":2}}}}"#);
    let server = Server::start(answer(200, &[], &body)).await;
    let builder = Client::builder().base_url(server.url()).retry(RetryPolicy::none());
    let client = builder.build().unwrap();

    let typed = client.onchain_sql("SELECT 1").await.unwrap();
    assert_eq!(serde_json::to_string(&typed.data[0]).unwrap(), row);
    let exact: Vec<Number> = typed.data[0]["c"].decode().unwrap();
    assert_eq!(exact[0].as_str(), "18446744073709551616");

    let table = client.sql("SELECT 1").await.unwrap();
    assert_eq!(serde_json::to_string(&table.json()).unwrap(), format!("[{row}]"));

    let trades = client.polymarket_smart_money().await.unwrap();
    assert_eq!(serde_json::to_string(&trades.data).unwrap(), format!("[{row}]"));
}
