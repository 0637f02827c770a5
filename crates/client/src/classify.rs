//! Maps HTTP responses to errors.
//!
//! The kind of an error depends on the HTTP status and on the error code in the response body. The error message is the
//! message of the service's error object. If the service sent no such message, the error message describes the response
//! or quotes its body. A response with status 200 can also contain an error object.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use crypto_intel_core::private::from_slice;
use crypto_intel_core::{Error, ErrorKind};
use http::{HeaderMap, StatusCode};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

/// Returns the error for a response whose HTTP status is not a success.
pub(crate) fn classify(
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
    now: SystemTime,
) -> Error {
    let details = details(body);
    let text = |name: &str| details.as_ref()?.get(name)?.as_str();
    let kind = kind(status, error_code(details.as_ref()), text("status"));
    let message = match text("message") {
        Some(message) => one_line(message),
        None => body_message(status, headers, body),
    };

    let retryable = is_retryable(status, kind, details.as_ref());
    let error = Error::new(kind, message).with_status(status).with_retryable(retryable);
    add_details(error, headers, details, now)
}

/// Returns the error that a response with a success status reports in its body, or `None` if the body reports
/// no error.
///
/// An error body is a JSON object in one of two forms:
///
/// - The field `error` is a non-empty object or string.
/// - The field `error` has another type or is absent, the field `success` is false, and the field `error_code` exists.
///
/// In both forms, the fields `data` and `rows` are absent. A field with the value `null` counts as absent.
pub(crate) fn body_error(
    status: StatusCode,
    headers: &HeaderMap,
    body: &Bytes,
    now: SystemTime,
) -> Option<Error> {
    // A body that begins with the field `data` is a normal response, so it is not searched for an error.
    if body.starts_with(b"{\"data\":[") || body.starts_with(b"{\"data\":{") {
        return None;
    }
    // Every error body has the field `error` or `error_code`, so its text contains `"error`.
    memchr::memmem::find(body, b"\"error")?;
    let Outer { error, error_code, success, data, rows } = from_slice(body).ok()?;
    let says_so = match error {
        Some(Value::Object(members)) => !members.is_empty(),
        Some(Value::String(text)) => !text.is_empty(),
        _ => success == Some(Value::Bool(false)) && error_code.is_some(),
    };
    if !says_so || data.is_some() || rows.is_some() {
        return None;
    }

    let Ok(Value::Object(members)) = from_slice(body) else { return None };
    Some(from_object(members, headers, now).with_status(status).with_body(body.clone()))
}

/// Fields of a response body that decide whether the body is an error.
#[derive(serde::Deserialize)]
struct Outer {
    #[serde(default)]
    error: Option<Value>,
    #[serde(default)]
    error_code: Option<IgnoredAny>,
    #[serde(default)]
    success: Option<Value>,
    #[serde(default)]
    data: Option<IgnoredAny>,
    #[serde(default)]
    rows: Option<IgnoredAny>,
}

/// Converts an error object to an [`Error`]. The error object is from the JSON body of a response with a success
/// status, or from an event of a chat stream. If a chat answer failed without an error object, the caller creates an
/// error object.
pub(crate) fn from_object(body: Map<String, Value>, headers: &HeaderMap, now: SystemTime) -> Error {
    let details = error_object(body);
    let text = |name: &str| details.as_ref()?.get(name)?.as_str();
    let code = error_code(details.as_ref());
    let status = error_status(details.as_ref());
    let kind = match (status, code) {
        (Some(status), _) => kind(status, code, text("status")),
        (None, Some("UNAUTHORIZED")) => ErrorKind::Authentication,
        (None, Some("PAID_BALANCE_ZERO" | "FREE_QUOTA_EXHAUSTED" | "INSUFFICIENT_CREDIT")) => {
            ErrorKind::InsufficientCredits
        }
        (None, Some("RATE_LIMITED" | "rate_limit_exceeded")) => ErrorKind::RateLimited,
        (None, Some("INVALID_REQUEST" | "invalid_request_error")) => ErrorKind::InvalidRequest,
        (None, Some("NOT_FOUND")) => ErrorKind::NotFound,
        // Without an HTTP status, an error object with any other error code counts as a failure of the service. The
        // exceptions are rejected SQL queries and the code `FORBIDDEN`, which `kind` recognises without a status.
        (None, _) => kind(StatusCode::INTERNAL_SERVER_ERROR, code, text("status")),
    };
    let message = text("message")
        .map_or_else(|| "the service reports an error without a message".to_owned(), whole_words);

    let mut error = Error::new(kind, message);
    if kind == ErrorKind::SqlRejected {
        let says_so = is_retryable(StatusCode::OK, kind, details.as_ref());
        error = error.with_retryable(says_so);
    }
    add_details(error, headers, details, now)
}

/// Returns the error status (4xx or 5xx) in the field `status` or `code` of an error object. An error can occur after
/// the service has sent the HTTP status 200. The service can then report the status of the error only in the error
/// object.
fn error_status(details: Option<&Map<String, Value>>) -> Option<StatusCode> {
    let number = |name: &str| details?.get(name)?.as_u64();
    number("status")
        .or_else(|| number("code"))
        .and_then(|status| StatusCode::from_u16(u16::try_from(status).ok()?).ok())
        .filter(|status| status.is_client_error() || status.is_server_error())
}

/// Returns the service's error code, such as `NOT_FOUND`, from the field `code` or `error_code` of the error object.
fn error_code(details: Option<&Map<String, Value>>) -> Option<&str> {
    let text = |name: &str| details?.get(name)?.as_str();
    text("code").or_else(|| text("error_code"))
}

/// Adds error code, retry delay, request ID and details to an error. These values are read from the response headers
/// and from the service's error object.
fn add_details(
    mut error: Error,
    headers: &HeaderMap,
    details: Option<Map<String, Value>>,
    now: SystemTime,
) -> Error {
    if let Some(code) = error_code(details.as_ref()) {
        error = error.with_code(code);
    }
    if let Some(wait) = retry_after(headers, details.as_ref(), now) {
        error = error.with_retry_after(wait);
    }

    let in_body = details.as_ref().and_then(|details| details.get("request_id")?.as_str());
    let id = headers.get("x-request-id").and_then(|id| id.to_str().ok()).or(in_body);
    if let Some(id) = id {
        error = error.with_request_id(id);
    }

    match details {
        Some(details) => error.with_details(details),
        None => error,
    }
}

/// Returns the service's error object from a response body. For data endpoints and rejected SQL queries, the body is
/// `{"error": {..}}`. For chat completions, the whole body is the error object. Fields beside `error` are copied into
/// the result, because a field such as `recommended_action` can be beside `error` or inside it.
fn details(body: &[u8]) -> Option<Map<String, Value>> {
    let Ok(Value::Object(outer)) = from_slice(body) else { return None };
    error_object(outer)
}

fn error_object(mut outer: Map<String, Value>) -> Option<Map<String, Value>> {
    match outer.remove("error") {
        Some(Value::Object(mut inner)) => {
            for (name, value) in outer {
                inner.entry(name).or_insert(value);
            }
            Some(inner)
        }
        Some(Value::String(message)) => {
            outer.entry("message").or_insert(Value::String(message));
            Some(outer)
        }
        _ => (!outer.is_empty()).then_some(outer),
    }
}

fn kind(status: StatusCode, code: Option<&str>, body_status: Option<&str>) -> ErrorKind {
    // A rejected SQL query is recognised by its body, because the service publishes no HTTP status for it.
    if code.is_some_and(|code| code.starts_with("ASYNC_SQL_")) || body_status == Some("rejected") {
        return ErrorKind::SqlRejected;
    }
    // The service's API documentation names `FORBIDDEN` as the code for insufficient credits, but names no HTTP status
    // for it.
    if code == Some("FORBIDDEN") {
        return ErrorKind::InsufficientCredits;
    }
    match status.as_u16() {
        402 => ErrorKind::InsufficientCredits,
        401 | 403 | 407 => ErrorKind::Authentication,
        404 | 410 => ErrorKind::NotFound,
        408 => ErrorKind::Timeout,
        429 => ErrorKind::RateLimited,
        400..=499 => ErrorKind::InvalidRequest,
        _ => ErrorKind::Service,
    }
}

fn is_retryable(status: StatusCode, kind: ErrorKind, details: Option<&Map<String, Value>>) -> bool {
    let says = |name: &str| details.and_then(|details| details.get(name));
    match kind {
        ErrorKind::SqlRejected => says("retryable").and_then(Value::as_bool).unwrap_or(false),
        ErrorKind::RateLimited => true,
        // Retryable if the service recommends to wait and retry, or if it recommends nothing. After any other
        // recommended action, such as `use_async_job`, the same query would exceed its time limit again.
        ErrorKind::Timeout => {
            says("recommended_action").is_none_or(|action| action == "wait_and_retry")
        }
        ErrorKind::Service => status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED,
        _ => false,
    }
}

/// Returns how long the service asks the client to wait before a retry. The delay is from a response header such as
/// `retry-after`, or else from the field `retry_after_ms` of the error object. The error object of a rejected SQL query
/// can have this field.
///
/// A value that cannot be parsed counts as absent, so the caller uses its own backoff. A number that is too large for a
/// `Duration` becomes `Duration::MAX`.
pub(crate) fn retry_after(
    headers: &HeaderMap,
    details: Option<&Map<String, Value>>,
    now: SystemTime,
) -> Option<Duration> {
    let header = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| *n >= 0.0);
    // The conversion of a number of 0 or more fails only if the number is too large.
    let seconds = |number: f64| Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX);
    let millis = |number: f64| seconds(number / 1000.0);

    if let Some(wait) = header("retry-after-ms").and_then(number).map(millis) {
        return Some(wait);
    }

    if let Some(text) = header("retry-after") {
        if let Some(wait) = number(text).map(seconds) {
            return Some(wait);
        }
        if let Ok(date) = httpdate::parse_http_date(text) {
            // `date` is the time at which the service sent the response. Both dates are from the clock of the service,
            // so their difference does not depend on the local clock.
            let sent = header("date").and_then(|text| httpdate::parse_http_date(text).ok());
            return Some(date.duration_since(sent.unwrap_or(now)).unwrap_or(Duration::ZERO));
        }
    }

    if let Some(text) = header("x-retry-in") {
        let (text, unit) = match text.strip_suffix("ms") {
            Some(text) => (text, 1000.0),
            None => (text.strip_suffix('s').unwrap_or(text), 1.0),
        };
        if let Some(number) = number(text) {
            return Some(seconds(number / unit));
        }
    }

    details?.get("retry_after_ms")?.as_f64().filter(|n| *n >= 0.0).map(millis)
}

/// Returns the error message for a response whose body contains no message of the service. The returned message quotes
/// the beginning of a plain-text body, and describes any other body. For redirects and status 304, the message does not
/// depend on the body.
fn body_message(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> String {
    let reason = status.canonical_reason().unwrap_or("unknown status").to_lowercase();
    if status == StatusCode::NOT_MODIFIED {
        return "the service returned 304 to a request without a condition; did a proxy answer?"
            .to_owned();
    }
    if status.is_redirection() {
        let place =
            if headers.contains_key("location") { "to a new URL" } else { "but sends no URL" };
        return format!(
            "the service redirects the request {place}; \
             the client follows no redirects, so check the base URL"
        );
    }

    let kind = headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let text = std::str::from_utf8(body).unwrap_or_default().trim();
    if body.is_empty() {
        format!("{reason}, without a body")
    } else if kind.contains("html") || text.starts_with('<') {
        format!(
            "{reason}: the response is an HTML page; did a proxy answer instead of the service?"
        )
    } else if text.is_empty() || text.starts_with(['{', '[']) {
        format!(
            "{reason}: the body of {} bytes contains no error message of the service",
            body.len()
        )
    } else {
        format!("{reason}: {}", one_line(text))
    }
}

/// Maximum number of characters that an error message quotes from a response body.
const MESSAGE_LIMIT: usize = 300;

fn one_line(text: &str) -> String {
    let (mut line, rest) = first_chars(text);
    if rest {
        line.push('…');
    }
    line
}

/// Returns at most [`MESSAGE_LIMIT`] characters from the start of a text. A longer text is cut at a space, because a
/// cut inside a word could halve an API key. API keys are masked later, and the masking finds only whole keys.
fn whole_words(text: &str) -> String {
    let (mut line, rest) = first_chars(text);
    if rest {
        line.truncate(line.rfind(' ').map_or(0, |blank| blank + 1));
        line.push('…');
    }
    line
}

/// Returns the first [`MESSAGE_LIMIT`] characters of a text, with each run of white space replaced by one space. The
/// returned boolean is true if the text is longer.
fn first_chars(text: &str) -> (String, bool) {
    let words = text.split_whitespace().enumerate();
    let mut letters = words.flat_map(|(number, word)| {
        let blank = if number > 0 { " " } else { "" };
        blank.chars().chain(word.chars())
    });
    let line = letters.by_ref().take(MESSAGE_LIMIT).collect();
    (line, letters.next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    fn describe(status: u16, body: &str) -> String {
        describe_with(status, &[], body)
    }

    fn describe_with(status: u16, headers: &[(&'static str, &str)], body: &str) -> String {
        let headers =
            headers.iter().map(|(n, v)| (n.parse().unwrap(), v.parse().unwrap())).collect();
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let error = classify(StatusCode::from_u16(status).unwrap(), &headers, body.as_bytes(), now);
        let retry = if error.is_retryable() { "retryable" } else { "final" };
        let wait = error.retry_after().map_or(String::new(), |wait| format!(", wait {wait:?}"));
        format!("{error} [{retry}{wait}]")
    }

    #[test]
    fn status_decides_kind_before_body() {
        assert_snapshot!(describe(402, r#"{"error":{"code":"PAID_BALANCE_ZERO","message":"Top up"}}"#), @"insufficient credits (402 PAID_BALANCE_ZERO): Top up [final]");
        assert_snapshot!(describe(402, r#"{"error":{"code":"FREE_QUOTA_EXHAUSTED","message":"Come back"}}"#), @"insufficient credits (402 FREE_QUOTA_EXHAUSTED): Come back [final]");
        assert_snapshot!(describe(402, r#"{"error":{"code":"INSUFFICIENT_CREDIT","message":"m"}}"#), @"insufficient credits (402 INSUFFICIENT_CREDIT): m [final]");
        assert_snapshot!(describe(400, r#"{"error":{"code":"INVALID_REQUEST","message":"m"}}"#), @"invalid request (400 INVALID_REQUEST): m [final]");
        assert_snapshot!(describe(400, r#"{"success":false,"message":"m","error_code":"INVALID_REQUEST"}"#), @"invalid request (400 INVALID_REQUEST): m [final]");
        assert_snapshot!(describe(502, r#"{"success":false,"message":"m","error_code":"UPSTREAM"}"#), @"service failed (502 UPSTREAM): m [retryable]");
        assert_snapshot!(describe(500, r#"{"error":{"code":"INTERNAL","message":"m"}}"#), @"service failed (500 INTERNAL): m [retryable]");
        assert_snapshot!(describe(504, ""), @"service failed (504): gateway timeout, without a body [retryable]");
        assert_snapshot!(describe(401, r#"{"success":false,"message":"No key","error_code":"UNAUTHORIZED"}"#), @"authentication failed (401 UNAUTHORIZED): No key [final]");
        assert_snapshot!(describe(403, r#"{"error":{"code":"FORBIDDEN","message":"m"}}"#), @"insufficient credits (403 FORBIDDEN): m [final]");
        assert_snapshot!(describe(403, "<html>blocked</html>"), @"authentication failed (403): forbidden: the response is an HTML page; did a proxy answer instead of the service? [final]");
        assert_snapshot!(describe(404, "404 page not found"), @"not found (404): not found: 404 page not found [final]");
        assert_snapshot!(describe(422, r#"{"error":{"code":"INVALID_REQUEST","message":"limit\n is too large"}}"#), @"invalid request (422 INVALID_REQUEST): limit is too large [final]");
        assert_snapshot!(describe(502, "<!doctype html><title>Bad gateway</title>"), @"service failed (502): bad gateway: the response is an HTML page; did a proxy answer instead of the service? [retryable]");
        assert_snapshot!(describe(503, ""), @"service failed (503): service unavailable, without a body [retryable]");
        assert!(describe(304, "").contains("returned 304"), "{}", describe(304, ""));
        assert_snapshot!(describe(302, ""), @"service failed (302): the service redirects the request but sends no URL; the client follows no redirects, so check the base URL [final]");
    }

    #[test]
    fn rejected_query_is_retryable_only_if_service_says_so() {
        let body = |retryable: bool| {
            format!(
                r#"{{"error":{{"code":"ASYNC_SQL_QUEUE_FULL","message":"full","status":"rejected","retryable":{retryable},"retry_after_ms":1500,"recommended_action":"wait_and_retry"}}}}"#
            )
        };
        let at_once = body(true).replace("1500", "0");
        assert_snapshot!(describe(429, &at_once), @"query rejected (429 ASYNC_SQL_QUEUE_FULL): full [retryable, wait 0ns]");
        assert_snapshot!(describe(429, &body(true)), @"query rejected (429 ASYNC_SQL_QUEUE_FULL): full [retryable, wait 1.5s]");
        assert_snapshot!(describe(503, &body(false)), @"query rejected (503 ASYNC_SQL_QUEUE_FULL): full [final, wait 1.5s]");
        let open = body(false).replace("QUEUE_FULL", "CIRCUIT_OPEN");
        assert_snapshot!(describe(429, &open), @"query rejected (429 ASYNC_SQL_CIRCUIT_OPEN): full [final, wait 1.5s]");
    }

    #[test]
    fn query_timeout_with_recommended_action_is_final() {
        for body in [
            r#"{"error":{"code":"TIMEOUT","message":"m","recommended_action":"use_async_job"}}"#,
            r#"{"error":{"code":"TIMEOUT","message":"m"},"recommended_action":"use_async_job"}"#,
            r#"{"error":{"code":"TIMEOUT","message":"m","recommended_action":"a_new_action"}}"#,
        ] {
            assert_eq!(describe(408, body), "timed out (408 TIMEOUT): m [final]");
        }
        assert_snapshot!(describe(408, ""), @"timed out (408): request timeout, without a body [retryable]");
    }

    #[test]
    fn every_form_of_retry_after_is_read() {
        for (name, value, wait) in [
            ("retry-after", "7", ", wait 7s"),
            ("retry-after", "0.5", ", wait 500ms"),
            ("retry-after", "Sun, 09 Sep 2001 01:46:45 GMT", ", wait 5s"),
            ("retry-after", "Sun, 09 Sep 2001 01:46:35 GMT", ", wait 0ns"),
            ("retry-after", "soon", ""),
            ("retry-after", "-1", ""),
            ("retry-after-ms", "250", ", wait 250ms"),
            ("retry-after", "NaN", ""),
            ("retry-after", "1e400", ", wait 18446744073709551615.999999999s"),
            ("retry-after-ms", "1e400", ", wait 18446744073709551615.999999999s"),
            ("x-retry-in", "3", ", wait 3s"),
            ("x-retry-in", "300ms", ", wait 300ms"),
        ] {
            let seen = describe_with(429, &[(name, value)], "");
            let tail = seen.rsplit_once("[retryable").unwrap().1.trim_end_matches(']').to_owned();
            assert_eq!(tail, wait, "{name}: {value}");
        }

        // The service's clock is one day ahead of the local clock.
        let dates = [
            ("date", "Mon, 10 Sep 2001 01:46:40 GMT"),
            ("retry-after", "Mon, 10 Sep 2001 01:46:45 GMT"),
        ];
        assert!(describe_with(429, &dates, "").contains(", wait 5s"));
    }

    #[test]
    fn success_without_data_is_error_if_it_reports_one() {
        let is_error = |body: &str| {
            let body = Bytes::from(body.to_owned());
            body_error(StatusCode::OK, &HeaderMap::new(), &body, SystemTime::UNIX_EPOCH).is_some()
        };
        for body in [
            r#"{"error":{"message":"m"}}"#,
            r#"{"error":"m"}"#,
            r#"{"success":false,"error_code":"CODE"}"#,
        ] {
            assert!(is_error(body), "{body}");
        }
        for body in [
            r#"{"error":{},"total":0}"#,
            r#"{"error":"","total":0}"#,
            r#"{"error":null,"total":0}"#,
            r#"{"success":true,"error_code":"CODE"}"#,
            r#"{"success":false,"errors":0}"#,
            r#"{"error":{"message":"m"},"data":[]}"#,
            r#"{"error":{"message":"m"},"rows":[]}"#,
            r#"{"data":[{"error":"m"}]}"#,
        ] {
            assert!(!is_error(body), "{body}");
        }
    }

    #[test]
    fn body_of_any_shape_gives_a_message() {
        for body in ["null", "[]", "{}", "3", "\"text\"", "{\"error\":null}", "\u{0}"] {
            let shown = describe(400, body);
            assert!(shown.starts_with("invalid request (400): bad request"), "{body}: {shown}");
        }
        assert_snapshot!(describe(400, r#"{"error":"m"}"#), @"invalid request (400): m [final]");
        let long = describe(400, &"x".repeat(10_000));
        assert!(long.len() < 500 && long.contains("xx… ["), "{long}");
    }
}
