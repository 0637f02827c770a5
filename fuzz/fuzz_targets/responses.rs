//! Fuzzes the client with HTTP responses: envelopes, error bodies, lists, streams and SQL results. No response may
//! cause a panic, and no error message may contain the API key.
//!
//! The API key replaces each byte with the value 1 in a header or body, so that responses can contain the key.
#![no_main]

use std::convert::Infallible;
use std::error::Error as _;
use std::time::Duration;

use crypto_intel::http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use crypto_intel::http_service::{Body, service_fn};
use crypto_intel::prelude::*;
use crypto_intel::{Client, Error, Method, RetryPolicy};
use libfuzzer_sys::fuzz_target;

const KEY: &str = "sk-fuzz-0123456789abcdef";
const STATUSES: [u16; 16] =
    [200, 200, 200, 200, 202, 204, 302, 400, 401, 402, 403, 404, 422, 429, 500, 503];

fuzz_target!(|bytes: &[u8]| {
    // One byte for the status and one for the call, the headers, an empty line, and the body.
    let [status, call, response @ ..] = bytes else { return };
    let end = response.windows(2).position(|pair| pair == b"\n\n").unwrap_or(response.len());
    let (headers, body) = response.split_at(end);
    let headers = String::from_utf8_lossy(headers);
    let client = client(*status, &headers, body.get(2..).unwrap_or_default());
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    if let Err(error) = runtime.block_on(send(&client, *call)) {
        let mut texts = format!("{error} {error:?} {error:#?}");
        let mut source = error.source();
        while let Some(cause) = source {
            texts += &format!(" {cause} {cause:?}");
            source = cause.source();
        }
        assert!(!texts.contains(KEY), "{texts}");
    }
});

/// Returns a client whose HTTP service sends this response to every request.
fn client(status: u8, headers: &str, body: &[u8]) -> Client {
    let status =
        StatusCode::from_u16(STATUSES[usize::from(status) % STATUSES.len()]).expect("a status");
    let body: Vec<u8> = body.split(|byte| *byte == 1).collect::<Vec<_>>().join(KEY.as_bytes());
    let headers: Vec<_> = headers
        .lines()
        .filter_map(|line| {
            let (name, value) = line.split_once(": ")?;
            let value = HeaderValue::from_str(&value.replace('\u{1}', KEY)).ok()?;
            Some((HeaderName::try_from(name).ok()?, value))
        })
        .collect();

    let service = service_fn(move |_: Request<Body>| {
        let mut response = Response::new(Body::from(body.clone()));
        *response.status_mut() = status;
        response.headers_mut().extend(headers.iter().cloned());
        async move { Ok::<_, Infallible>(response) }
    });

    let builder =
        Client::builder().base_url("http://service.example").api_key(KEY).http_service(service);
    builder
        .retry(RetryPolicy::none())
        .deadline(Duration::from_secs(5))
        .max_body(1 << 20)
        .build()
        .expect("a client")
}

#[allow(deprecated, reason = "chat completions are still served")]
async fn send(client: &Client, call: u8) -> Result<(), Error> {
    match call % 8 {
        0 => client.market_fear_greed().await.map(drop),
        1 => client.market_price("BTC").await.map(drop),
        2 => client.social_user_posts("name").pager().max_pages(3).collect_all().await.map(drop),
        3 => client.request("news-feed")?.await.map(drop),
        4 => client.sql("SELECT 1").table().await.map(drop),
        5 => client.raw(Method::GET, "/gateway/v1/market/price").await.map(drop),
        6 => {
            let mut stream = client.responses("svc-2.0-instant", "question").stream().await?;
            while stream.next_event().await?.is_some() {}
            Ok(())
        }
        _ => {
            let messages = vec![crypto_intel::chat::user("question")];
            let mut stream = client.chat_completions("svc-2.0-instant", messages).stream().await?;
            while stream.next_event().await?.is_some() {}
            Ok(())
        }
    }
}
