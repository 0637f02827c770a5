//! Recording and replay of responses. A recording sandbox is a proxy in front of the service. A replaying sandbox needs
//! no network.

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

/// Source of responses for a sandbox that does not generate data. The sandbox either replays recorded responses, or
/// records the responses of the service.
#[derive(Debug)]
pub(crate) enum Tape {
    /// Player that returns the recorded responses in a directory.
    Replay(Player),
    /// Recorder that forwards requests to the service, and records the responses.
    #[cfg(feature = "record")]
    Record(Recorder),
}

impl Tape {
    /// Responds to a request with a recorded response, or with the response of the service.
    pub(crate) async fn respond(&self, head: &request::Parts, body: &[u8]) -> Response {
        match self {
            Tape::Replay(player) => player.respond(head, body),
            #[cfg(feature = "record")]
            Tape::Record(recorder) => recorder.respond(head, body).await,
        }
    }
}
