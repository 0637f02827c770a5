//! The conversation that `cintel ask --continue` goes on with, kept between two runs.

use std::path::PathBuf;

use crypto_intel::Client;
use crypto_intel::chat::Thread;
use crypto_intel_api::generated::chat::Response;
use serde::{Deserialize, Serialize};

use crate::connection::{Connection, in_settings};
use crate::failure::Failure;
use crate::settings::{Settings, cache_folder, write_private};
use crate::terminal;

/// A conversation, and how it came to where it is.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Conversation {
    pub(crate) thread: Thread,
    /// The conversation before its first question.
    begun: Thread,
    asked: Vec<String>,
}

impl Conversation {
    pub(crate) fn new(thread: Thread) -> Self {
        Conversation { begun: thread.clone(), thread, asked: Vec::new() }
    }

    /// The last conversation of this profile. The embedded sandbox forgets when a run ends, so that
    /// it is told again what was asked.
    pub(crate) async fn last(
        connection: &Connection,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let none = || {
            Failure::usage("there is no conversation to go on with")
                .next("ask without `--continue` first")
        };
        let text = std::fs::read_to_string(file(connection, settings)?).map_err(|_| none())?;
        let mut kept: Conversation = serde_json::from_str(&text).map_err(|_| none())?;

        if let Some(sandbox) = &connection.sandbox {
            // A client of its own, so that the ledger of the run holds the new question alone.
            let again = Client::builder()
                .base_url("http://sandbox.invalid")
                .api_key(sandbox.key())
                .http_service(sandbox.service())
                .build()
                .map_err(in_settings)?;
            kept.thread = kept.begun.clone();
            for question in &kept.asked {
                kept.thread.ask(&again, question.as_str()).await?;
            }
        }
        Ok(kept)
    }

    /// Notes a question and its answer.
    pub(crate) fn note(&mut self, question: String, answer: &Response) {
        self.thread.note(answer);
        self.asked.push(question);
    }

    /// Keeps it for the next run. What cannot be kept is told, since the answer is there.
    pub(crate) fn keep(&self, connection: &Connection, settings: &Settings) {
        let text = serde_json::to_string(self).unwrap_or_default();
        let kept = file(connection, settings).and_then(|path| {
            write_private(&path, text.as_bytes())
                .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
        });
        if let Err(failure) = kept {
            terminal::note(&format!("note: `--continue` will not work: {}", failure.message()));
        }
    }
}

/// Each profile has its own, and so has the sandbox, of which the service knows nothing.
fn file(connection: &Connection, settings: &Settings) -> Result<PathBuf, Failure> {
    let name = match (&connection.sandbox, &settings.profile) {
        (Some(_), _) => "sandbox".to_owned(),
        (None, None) => "default".to_owned(),
        (None, Some(profile)) => format!("profile-{profile}"),
    };
    Ok(cache_folder()?.join("conversations").join(format!("{name}.json")))
}
