//! A recorded request with its response, and the JSON file that contains them.
//!
//! The input is a request and its response, from which secrets were removed. The output is the JSON of the file, and a
//! text that identifies the request during replay.

use std::io;
use std::path::Path;

use axum::http::request;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::content::Content;
use super::secrets::{REMOVED, Secrets, Unsearchable, is_secret_parameter};

/// Recorded parts of a request, without secrets. A replay compares these parts with the parts of a new request to find
/// the recorded response.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RecordedRequest {
    pub(super) method: String,
    pub(super) path: String,
    /// Names and values of the query parameters, sorted.
    pub(super) query: Vec<(String, String)>,
    pub(super) body: Content,
}

/// A recorded response, without secrets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answered {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Content,
}

/// A recorded request and its response.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Exchange {
    pub(super) asked: RecordedRequest,
    pub(super) answered: Answered,
}

/// Version of the file format of recordings.
pub(super) const VERSION: u64 = 1;

impl RecordedRequest {
    /// Returns the recorded parts of a request: the method, path, query and body. Secrets are removed.
    ///
    /// # Errors
    /// Returns an error if the body cannot be searched for secrets.
    pub(super) fn from_request(
        head: &request::Parts,
        body: &[u8],
        secrets: &Secrets,
    ) -> Result<Self, Unsearchable> {
        let body = secrets.cleaned_body(&head.headers, body)?;
        Ok(RecordedRequest {
            body: Content::of_request(body.as_bytes()),
            ..RecordedRequest::without_body(head, secrets)
        })
    }

    /// Returns the method, path and query of a request, without secrets. The returned value has an empty body.
    pub(super) fn without_body(head: &request::Parts, secrets: &Secrets) -> Self {
        let query = head.uri.query().unwrap_or_default();
        let mut query: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
            .map(|(name, value)| {
                let hidden = is_secret_parameter(head.uri.path(), &name);
                let value = if hidden { REMOVED.to_owned() } else { secrets.cleaned(&value) };
                (secrets.cleaned(&name), value)
            })
            .collect();
        query.sort();
        RecordedRequest {
            method: head.method.to_string(),
            path: path(head.uri.path(), secrets),
            query,
            body: Content::Empty,
        }
    }

    /// Returns a text that identifies the request. Requests with equal texts get the same recorded responses.
    pub(super) fn identity(&self) -> String {
        format!("{} {}", self.line(), self.body.canonical())
    }

    /// Returns the method, path and query of the request on one line.
    pub(super) fn line(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&self.query);
        let query = query.finish();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{} {}{mark}{query}", self.method, self.path)
    }
}

/// Returns the URL path of a request. If the path contains secrets, returns the decoded path with the secrets removed.
fn path(sent: &str, secrets: &Secrets) -> String {
    let plain = percent_decode_str(sent).decode_utf8_lossy();
    let cleaned = secrets.cleaned(&plain);
    if cleaned == plain { sent.to_owned() } else { cleaned }
}

/// Reason why a file is not a valid recording, with the number of the wrong line.
#[derive(Debug)]
struct Unreadable {
    line: usize,
    reason: String,
}

impl Exchange {
    #[cfg(any(feature = "record", test))]
    pub(super) fn to_json(&self, recorded_at: &str) -> Value {
        use serde_json::{Map, json};

        let headers = self.answered.headers.iter();
        let headers: Map<_, _> =
            headers.map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
        json!({
            "tape": VERSION,
            "recorded_at": recorded_at,
            "request": {
                "method": self.asked.method,
                "path": self.asked.path,
                "query": self.asked.query,
                "body": self.asked.body.to_json(),
            },
            "response": {
                "status": self.answered.status,
                "headers": headers,
                "body": self.answered.body.to_json(),
            },
        })
    }

    /// Reads a recorded request and its response from a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a valid recording. The message contains the path of the
    /// file and the number of the wrong line.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("the recording {}: {error}", path.display()))
        };
        let text = std::fs::read_to_string(path).map_err(named)?;
        Exchange::parse(&text).map_err(|Unreadable { line, reason }| {
            let message = format!("the recording {}, line {line}: {reason}", path.display());
            io::Error::new(io::ErrorKind::InvalidData, message)
        })
    }

    /// Parses the text of a recording's file. Checks the version, and then reads the request and the response.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid recording. The error contains the line number of the wrong value.
    fn parse(text: &str) -> Result<Self, Unreadable> {
        let file: Value = serde_json::from_str(text)
            .map_err(|error| Unreadable { line: error.line(), reason: error.to_string() })?;
        let file = Reader { text, at: "", value: &file };
        let version = file.member("tape")?;
        if version.value.as_u64().is_some_and(|version| version > VERSION) {
            let reason =
                format!("is newer than {VERSION}, the newest version that this release reads");
            return Err(version.wrong(&reason));
        }
        if version.value != &Value::from(VERSION) {
            return Err(version.wrong(&format!("is not {VERSION}")));
        }

        let (request, response) = (file.member("request")?, file.member("response")?);
        let mut query = Vec::new();
        for pair in request.member("query")?.items()? {
            match pair.as_array().map(Vec::as_slice) {
                Some([Value::String(name), Value::String(value)]) => {
                    query.push((name.clone(), value.clone()));
                }
                _ => return Err(request.member("query")?.wrong("must be a list of pairs")),
            }
        }

        query.sort();
        let status = response.member("status")?;
        let number = status.value.as_u64().and_then(|status| u16::try_from(status).ok());
        let is_status = |status: &u16| (200..=999).contains(status);
        let Some(number) = number.filter(is_status) else {
            return Err(status.wrong("must be an HTTP status from 200 to 999"));
        };
        let headers = response.member("headers")?;
        let Value::Object(members) = headers.value else {
            return Err(headers.wrong("must be an object"));
        };

        let header = |(name, value): (&String, &Value)| {
            let value = value.as_str().filter(|value| is_header(name, value));
            value.map(|value| (name.clone(), value.to_owned()))
        };
        let Some(headers) = members.iter().map(header).collect::<Option<Vec<_>>>() else {
            return Err(headers.wrong("must have valid HTTP names and values"));
        };

        Ok(Exchange {
            asked: RecordedRequest {
                method: request.member("method")?.text()?.to_owned(),
                path: request.member("path")?.text()?.to_owned(),
                query,
                body: request.content("body")?,
            },
            answered: Answered { status: number, headers, body: response.content("body")? },
        })
    }
}

fn is_header(name: &str, value: &str) -> bool {
    axum::http::HeaderName::try_from(name).is_ok()
        && axum::http::HeaderValue::try_from(value).is_ok()
}

/// A JSON value in a recording's file, with the name of its field and the text of the file. An error uses the name and
/// the text to find the line number of the value.
#[derive(Debug, Clone, Copy)]
struct Reader<'a> {
    text: &'a str,
    at: &'a str,
    value: &'a Value,
}

impl<'a> Reader<'a> {
    fn member(self, name: &'a str) -> Result<Self, Unreadable> {
        match self.value.get(name) {
            Some(value) => Ok(Reader { text: self.text, at: name, value }),
            None => Err(self.wrong(&format!("has no `{name}`"))),
        }
    }

    fn items(self) -> Result<&'a Vec<Value>, Unreadable> {
        self.value.as_array().ok_or_else(|| self.wrong("must be a list"))
    }

    fn text(self) -> Result<&'a str, Unreadable> {
        self.value.as_str().ok_or_else(|| self.wrong("must be a string"))
    }

    fn content(self, name: &'a str) -> Result<Content, Unreadable> {
        let value = self.value.get(name);
        let place = value.map_or(self, |value| Reader { text: self.text, at: name, value });
        Content::from_json(value).map_err(|reason| place.wrong(reason))
    }

    /// Creates the error for a field with a wrong value. The error contains the number of the first line with
    /// the field's name.
    fn wrong(self, reason: &str) -> Unreadable {
        if self.at.is_empty() {
            return Unreadable { line: 1, reason: format!("it {reason}") };
        }
        let name = format!("\"{}\"", self.at);
        let line = self.text.lines().position(|line| line.contains(&name)).unwrap_or(0) + 1;
        Unreadable { line, reason: format!("`{}` {reason}", self.at) }
    }
}
