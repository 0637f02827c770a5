//! Replays the recorded responses in a directory. Equal requests get their responses in the recorded order. Further
//! equal requests get the last response again.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, request};
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;

use super::exchange::{Answered, Exchange, RecordedRequest};
use super::form::form_of;
use super::secrets::Secrets;

/// All recorded responses to one request. Equal requests count as one request.
#[derive(Debug)]
struct Answers {
    asked: RecordedRequest,
    answers: Vec<Answered>,
    given: AtomicUsize,
}

/// All recorded responses from the files in one directory. The sandbox replays these responses.
#[derive(Debug)]
pub(crate) struct Player {
    by_identity: HashMap<String, Answers>,
}

impl Player {
    /// Reads all recordings in a directory.
    ///
    /// # Errors
    /// Returns an error if the directory or a file cannot be read, if a file is not a valid recording, or if the
    /// directory contains no recording.
    pub(crate) fn open(directory: &Path) -> io::Result<Self> {
        let named = |error: io::Error| {
            let message = format!("the recordings in {}: {error}", directory.display());
            io::Error::new(error.kind(), message)
        };
        let entries = std::fs::read_dir(directory).map_err(named)?;
        let paths =
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
        let mut paths: Vec<PathBuf> = paths.map_err(named)?;
        paths.retain(|path| path.extension().is_some_and(|end| end == "json"));

        // File names of equal requests differ only in the number at their end, so sorting gives the recorded order.
        paths.sort();
        if paths.is_empty() {
            return Err(named(io::Error::new(
                io::ErrorKind::NotFound,
                "the folder contains no recordings",
            )));
        }

        let mut by_identity: HashMap<String, Answers> = HashMap::new();
        for path in paths {
            let Exchange { asked, answered } = Exchange::read(&path)?;
            let answers = by_identity.entry(asked.identity()).or_insert_with(|| Answers {
                asked,
                answers: Vec::new(),
                given: AtomicUsize::new(0),
            });
            answers.answers.push(answered);
        }

        Ok(Player { by_identity })
    }

    /// Returns the next recorded response for a request. If all recorded responses were already returned, returns the
    /// last one again. If no recording exists for the request, returns an error with status 404.
    pub(super) fn respond(&self, head: &request::Parts, body: &[u8]) -> Response {
        let secrets = Secrets::from_request(head, body);
        // A request whose body cannot be searched for secrets is never recorded.
        let asked = RecordedRequest::from_request(head, body, &secrets)
            .unwrap_or_else(|_| RecordedRequest::without_body(head, &secrets));
        let Some(found) = self.by_identity.get(&asked.identity()) else {
            let form = form_of(&asked.path);
            return self.miss(&asked).into_response(form);
        };
        let turn = found.given.fetch_add(1, Ordering::Relaxed);
        let answer = found.answers.get(turn).or(found.answers.last());
        answer.map_or_else(|| StatusCode::NOT_FOUND.into_response(), response)
    }

    /// Creates the error for a request that has no recording. The message lists similar recorded requests.
    fn miss(&self, asked: &RecordedRequest) -> Refusal {
        let mut nearest: Vec<_> = self.by_identity.values().map(|known| &known.asked).collect();
        nearest.sort_by_cached_key(|known| {
            (std::cmp::Reverse(similarity(known, asked)), known.identity())
        });
        let shown: Vec<_> = nearest.iter().take(NEAREST).map(|known| shortened(known)).collect();
        let message = format!(
            "no response is recorded for the request {}; similar recorded requests: {}",
            shortened(asked),
            shown.join("; ")
        );
        Refusal::new(StatusCode::NOT_FOUND, "NOT_RECORDED", message)
    }
}

/// Maximum number of similar recorded requests that the message of the error `NOT_RECORDED` lists.
const NEAREST: usize = 5;
/// Maximum length of a request body in the message of the error `NOT_RECORDED`, in characters.
const SHOWN: usize = 200;

fn shortened(asked: &RecordedRequest) -> String {
    let body = asked.body.canonical();
    let mut text = asked.line();
    if !body.is_empty() {
        text.push(' ');
        text.extend(body.chars().take(SHOWN));
    }
    text
}

/// Returns the similarity of two requests. Higher numbers mean more similar requests.
fn similarity(one: &RecordedRequest, other: &RecordedRequest) -> usize {
    let segments = one.path.split('/').zip(other.path.split('/'));
    let shared = segments.take_while(|(one, other)| one == other).count();
    let query = one.query.iter().filter(|pair| other.query.contains(pair)).count();
    let body = usize::from(one.body == other.body);
    shared * 4
        + 16 * usize::from(one.path == other.path)
        + 2 * usize::from(one.method == other.method)
        + query
        + body
}

fn response(answered: &Answered) -> Response {
    let mut response = Response::new(Body::from(answered.body.bytes()));
    *response.status_mut() = StatusCode::from_u16(answered.status).unwrap_or_default();
    for (name, value) in &answered.headers {
        if let (Ok(name), Ok(value)) =
            (HeaderName::try_from(name.as_str()), HeaderValue::try_from(value.as_str()))
        {
            response.headers_mut().append(name, value);
        }
    }
    response
}
