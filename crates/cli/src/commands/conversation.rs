//! Stores the last conversation of `cintel ask` on disk, so that `cintel ask --continue` can load it.

use std::path::PathBuf;

use crypto_intel::Client;
use crypto_intel::chat::Thread;
use crypto_intel_api::generated::chat::Response;
use serde::{Deserialize, Serialize};

use crate::connection::{Connection, in_settings};
use crate::failure::Failure;
use crate::settings::{Settings, cache_folder, write_private};
use crate::terminal;

/// Conversation that `cintel ask` stores. It contains the latest state, the state before the first question, and the
/// questions.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Conversation {
    pub(crate) thread: Thread,
    /// State of the conversation before the first question. It contains the model, the reasoning effort and the
    /// instructions.
    begun: Thread,
    asked: Vec<String>,
}

impl Conversation {
    pub(crate) fn new(thread: Thread) -> Self {
        Conversation { begun: thread.clone(), thread, asked: Vec::new() }
    }

    /// Reads the last conversation of this profile from disk. The embedded sandbox of this run does not have the
    /// conversation of an earlier run. Therefore this method sends the earlier questions to an embedded sandbox again.
    pub(crate) async fn last(
        connection: &Connection,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let none = || {
            Failure::usage("no earlier conversation of this profile is stored")
                .next("ask without `--continue` first")
        };
        let text = std::fs::read_to_string(file(connection, settings)?).map_err(|_| none())?;
        let mut kept: Conversation = serde_json::from_str(&text).map_err(|_| none())?;

        if let Some(sandbox) = &connection.sandbox {
            // Uses a separate client, so that the ledger of the run counts only the new question.
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

    /// Appends a question and its answer to the conversation.
    pub(crate) fn note(&mut self, question: String, answer: &Response) {
        self.thread.note(answer);
        self.asked.push(question);
    }

    /// Writes the conversation to disk. If the file cannot be written, prints a note instead of returning an error,
    /// because the answer of the chat is valid.
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

/// Returns the path of the file with the stored conversation. Each profile has its own file. The sandbox has one file
/// for all profiles.
fn file(connection: &Connection, settings: &Settings) -> Result<PathBuf, Failure> {
    let name = match (&connection.sandbox, &settings.profile) {
        (Some(_), _) => "sandbox".to_owned(),
        (None, None) => "default".to_owned(),
        (None, Some(profile)) => format!("profile-{profile}"),
    };
    Ok(cache_folder()?.join("conversations").join(format!("{name}.json")))
}
