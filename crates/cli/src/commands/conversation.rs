//! Stores the last conversation for `cintel ask --continue`.

use std::path::PathBuf;

use crypto_intel::Client;
use crypto_intel::chat::Thread;
use crypto_intel_api::generated::chat::Response;
use serde::{Deserialize, Serialize};

use crate::connection::{Connection, in_settings};
use crate::failure::Failure;
use crate::settings::{Settings, cache_folder, write_private};
use crate::terminal;

/// A conversation and its questions.
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

    /// Reads the last conversation of this profile. The embedded sandbox forgets conversations at
    /// the end of a run, so the earlier questions are asked again.
    pub(crate) async fn last(
        connection: &Connection,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let none = || {
            Failure::usage("there is no conversation to continue")
                .next("ask without `--continue` first")
        };
        let text = std::fs::read_to_string(file(connection, settings)?).map_err(|_| none())?;
        let mut kept: Conversation = serde_json::from_str(&text).map_err(|_| none())?;

        if let Some(sandbox) = &connection.sandbox {
            // A separate client, so that the ledger of the run counts only the new question.
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

    /// Adds a question and its answer.
    pub(crate) fn note(&mut self, question: String, answer: &Response) {
        self.thread.note(answer);
        self.asked.push(question);
    }

    /// Writes the conversation to disk. If this fails, the command prints a note, because the
    /// answer itself is valid.
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

/// Returns the path of the stored conversation. Each profile has its own conversation, and the sandbox has another
/// one.
fn file(connection: &Connection, settings: &Settings) -> Result<PathBuf, Failure> {
    let name = match (&connection.sandbox, &settings.profile) {
        (Some(_), _) => "sandbox".to_owned(),
        (None, None) => "default".to_owned(),
        (None, Some(profile)) => format!("profile-{profile}"),
    };
    Ok(cache_folder()?.join("conversations").join(format!("{name}.json")))
}
