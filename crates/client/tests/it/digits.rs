//! Numbers that a double does not hold keep their digits on every way to a caller.

use crypto_intel::{Client, Method, RetryPolicy};
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
        assert_eq!(typed.data[0].extra.json("new").as_deref(), Some(list.as_str()));
        assert_eq!(serde_json::to_string(&typed.data[0]).unwrap(), row);
        assert_eq!(typed.meta.extra.json("newest").as_deref(), Some(number));
        let written = serde_json::to_string(&*typed).unwrap();
        assert!(written.contains(&format!(r#""newer":{{"of":{number}}}"#)), "{written}");

        let raw = client.raw(Method::GET, "/x").decode::<Box<RawValue>>().await.unwrap();
        assert_eq!((raw.get(), raw.credits_used()), (body.as_str(), Some(2)));
    }
}
