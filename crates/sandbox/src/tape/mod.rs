//! Recorded exchanges: the sandbox records as a proxy, and replays offline.

use axum::http::request;
use axum::response::Response;

mod content;
mod exchange;
mod form;
#[cfg(feature = "record")]
mod record;
mod replay;
mod secrets;
#[cfg(feature = "record")]
mod store;

#[cfg(feature = "record")]
pub(crate) use record::Recorder;
pub(crate) use replay::Player;
#[cfg(feature = "page")]
pub(crate) use secrets::without_keys;

/// Source of responses that the sandbox does not generate.
#[derive(Debug)]
pub(crate) enum Tape {
    /// Replays a recording.
    Replay(Player),
    /// Forwards to the service, and records the responses.
    #[cfg(feature = "record")]
    Record(Recorder),
}

impl Tape {
    /// Responds to a request.
    pub(crate) async fn respond(&self, head: &request::Parts, body: &[u8]) -> Response {
        match self {
            Tape::Replay(player) => player.respond(head, body),
            #[cfg(feature = "record")]
            Tape::Record(recorder) => recorder.respond(head, body).await,
        }
    }
}
