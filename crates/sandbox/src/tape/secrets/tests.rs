use axum::http::{HeaderMap, Request, request};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::tape::content::Content;
use crate::tape::exchange::{Answered, Exchange, RecordedRequest};

fn head(uri: &str, headers: &[(&str, &str)]) -> request::Parts {
    let mut request = Request::builder().method("POST").uri(uri);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).unwrap().into_parts().0
}

#[test]
fn credentials_are_learnt_from_wherever_a_request_carries_them() {
    let uri = "/x?api_key=from-query&symbol=BTC";
    let headers = [
        ("authorization", "Basic dXNlcjpwYXNzd29yZC0x"),
        ("cookie", "session=abcdef012345; theme=dark"),
        ("x-api-key", "from-header"),
    ];
    let body = br#"{"password": "from-body", "symbol": "ETH", "pin": {"secret": 123456}}"#;
    let Secrets(known) = Secrets::from_request(&head(uri, &headers), body);

    let expected = [
        "Basic dXNlcjpwYXNzd29yZC0x",
        "dXNlcjpwYXNzd29yZC0x",
        "abcdef012345",
        "from-header",
        "password-1",
        "from-query",
        "from-body",
        "123456",
        "dark",
    ];
    assert_eq!(known, expected);
}

#[test]
fn bodies_lose_their_secrets_and_stay_what_they_are() {
    let secrets = Secrets(vec!["opaque-credential".to_owned(), "4711".to_owned()]);
    for (body, expected) in [
        (r#"{"a":{"api_key":"x","n":1}}"#, r#"{"a":{"api_key":"REMOVED","n":1}}"#),
        (r#"{ "a": "\u0073k-live" }"#, r#"{"a":"REMOVED"}"#),
        (r#"{"a":"\u0073k-live","a":1}"#, r#"{"a":1}"#),
        (r#"[{"X-Api-Key":["x"]}]"#, r#"[{"X-Api-Key":"REMOVED"}]"#),
        (r#"{ "symbol": "T", "n": 14711 }"#, r#"{ "symbol": "T", "n": 14711 }"#),
        (r#"{"n":4711,"sk-live":0}"#, r#"{"REMOVED":0,"n":"REMOVED"}"#),
        ("you sent opaque-credential.", "you sent REMOVED."),
        ("a=1&token=opaque&b=2", "a=1&token=REMOVED&b=2"),
        ("data: {\"secret\":\"x\"}\r\n\r\n", "data: {\"secret\":\"REMOVED\"}\r\n\r\n"),
        (
            "data: {\"delta\":\"x\"}\n\ndata: [DONE]\n\n",
            "data: {\"delta\":\"x\"}\n\ndata: [DONE]\n\n",
        ),
    ] {
        let cleaned = secrets.cleaned_body(&HeaderMap::new(), body.as_bytes());
        assert_eq!(cleaned.as_deref(), Ok(expected), "{body}");
    }
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let secrets = Secrets(vec!["opaque-credential".to_owned()]);
    let gzip = head("/", &[("content-encoding", "gzip")]).headers;
    let parts = head("/", &[("content-type", "multipart/form-data; boundary=x")]).headers;
    let none = HeaderMap::new();
    let split = "data: {\"delta\":\"opaque-cre\"}\n\ndata: {\"delta\":\"dential\"}\n\n";
    // The part of the key in the first event looks like a whole key.
    let marked = "data: {\"delta\":\"sk-opaque\"}\n\ndata: {\"delta\":\"dential\"}\n\n";
    for (headers, body, expected) in [
        (&gzip, &b"{}"[..], "the body is compressed, so it cannot be searched for keys"),
        (&parts, b"--x--", "the body is multipart, so it is not searched for keys"),
        (&none, b"\xff\xfe", "the body is not text, so it cannot be searched for keys"),
        (&none, split.as_bytes(), "an API key is spread over several events of the stream"),
        (&none, marked.as_bytes(), "an API key is spread over several events of the stream"),
        (
            &none,
            b"data: opaque-cre\n\ndata: dential\n\n",
            "an API key is spread over several events of the stream",
        ),
    ] {
        assert_eq!(secrets.cleaned_body(headers, body), Err(expected));
    }
}

/// Returns the API key `key` in all encodings that a service or a program may use.
fn spellings(key: &str) -> Vec<String> {
    let escaped: String = key.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
    vec![
        key.to_owned(),
        utf8_percent_encode(key, NON_ALPHANUMERIC).to_string(),
        BASE64_STANDARD.encode(key),
        BASE64_URL_SAFE_NO_PAD.encode(format!("user:{key}")),
        key.bytes().map(|byte| format!("{byte:02x}")).collect(),
        escaped,
        key.chars().map(|c| format!("&#{};", u32::from(c))).collect(),
        key.chars().map(|c| format!("&#x{:X};", u32::from(c))).collect(),
    ]
}

/// Returns the text of the file that records a request and its response. `None` if the response is not recorded.
fn file(head: &request::Parts, body: &[u8], answer: &str) -> Option<String> {
    let secrets = Secrets::from_request(head, body);
    let asked = RecordedRequest::from_request(head, body, &secrets).ok()?;
    let answered = secrets.cleaned_body(&HeaderMap::new(), answer.as_bytes()).ok()?;
    let body = Content::of_answer(answered.as_bytes());
    let answered = Answered { status: 200, headers: Vec::new(), body };
    Some(Exchange { asked, answered }.to_json("").to_string())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn no_key_reaches_a_file_wherever_it_stands_and_however_it_is_written(
        key in "(sk-[A-Za-z0-9._+/=~-]{5,40}[A-Za-z0-9])|([A-Za-z0-9!#$%*+./=?@^_~-]{8,40})|([0-9]{6,20})",
        place in 0..8usize,
        spelling in 0..8usize,
        cut in 1..30usize,
    ) {
        let key = key.as_str();
        let written = &spellings(key)[spelling];
        let encoded = utf8_percent_encode(written, NON_ALPHANUMERIC).to_string();
        let bearer = format!("Bearer {key}");
        let headers = [("authorization", bearer.as_str())];
        let (start, end) = written.split_at(cut.min(written.len() - 1));

        let (uri, body, answer) = match place {
            0 => ("/x".to_owned(), Vec::new(), json!({"error": written}).to_string()),
            1 => (format!("/x?q={encoded}"), Vec::new(), String::new()),
            2 => (format!("/x/{encoded}/y"), Vec::new(), String::new()),
            3 => ("/x".to_owned(), json!({"a": [{"b": written}]}).to_string().into_bytes(), String::new()),
            4 => ("/x".to_owned(), format!("a={encoded}&b=1").into_bytes(), String::new()),
            5 => ("/x".to_owned(), Vec::new(), format!("you sent {written}, which is wrong")),
            6 => ("/x".to_owned(), Vec::new(), format!("data: {}\n\n", json!({"delta": written}))),
            _ => ("/x".to_owned(), Vec::new(), format!(
                "data: {}\n\ndata: {}\n\n", json!({"delta": start}), json!({"delta": end})
            )),
        };

        if let Some(file) = file(&head(&uri, &headers), &body, &answer) {
            let plain = file.replace("\\\\", "\\").replace("\\\"", "\"");
            prop_assert!(!plain.contains(key), "{plain}");
            prop_assert!(!plain.contains(written.as_str()), "{plain}");
            // No part of a key remains in the next event.
            prop_assert!(place != 7 || end.len() < 6 || !plain.contains(end), "{plain}");
        }
    }
}
