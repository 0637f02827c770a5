//! Saves the state of the sandbox, and creates a sandbox from a saved state.
//!
//! A [`SavedState`] contains all parts of [`App`] on which later responses depend. An [`App`] that is created from this
//! state returns the same responses as the saved [`App`].

use std::sync::atomic::Ordering;

use super::App;
use crate::account::Accounts;
use crate::chat::Chat;
use crate::clock::Clock;
use crate::context::Context;
use crate::fault::Fault;
use crate::overrides;
use crate::saved::{self, InvalidState, SavedState};
use crate::serving::Serving;
use crate::stop::Stop;
use crypto_intel_world as world;

impl App {
    /// Checks that the state of the sandbox can be saved.
    ///
    /// # Errors
    /// Returns an error if the sandbox records or replays.
    pub(crate) fn check_state(&self) -> Result<(), InvalidState> {
        if self.tape.is_none() {
            return Ok(());
        }
        let problem = "a sandbox that records or replays cannot save or load a state: copy its folder of recordings instead";
        Err(InvalidState(problem.to_owned()))
    }

    /// Returns the current state of the sandbox as a saved state.
    ///
    /// # Errors
    /// Returns an error if the sandbox records or replays.
    pub(crate) fn to_saved(&self) -> Result<SavedState, InvalidState> {
        self.check_state()?;
        Ok(SavedState::new(saved::Content {
            seed: self.root,
            clock: self.clock.to_saved(),
            served: self.served(),
            strict_chat: self.chat.is_strict(),
            accounts: self.accounts().to_saved(),
            faults: self.faults.waiting().iter().map(ToString::to_string).collect(),
            scenarios: self.stage.to_saved(),
            answers: self.overrides.written(),
            chats: self.chat.to_saved(),
            sql: self.sql.settings(),
            jobs: self.sql.to_saved(),
        }))
    }

    /// Creates a sandbox from a saved state. Sets `clock` to the saved time and speed.
    ///
    /// # Errors
    /// Returns an error if the state contains a fault, scenario or override that this release does not support.
    pub(crate) fn from_saved(
        state: &SavedState,
        clock: &Clock,
        serving: &Serving,
        stop: Stop,
    ) -> Result<Self, InvalidState> {
        let saved = state.0.content.clone();
        let invalid =
            |error: &dyn std::fmt::Display| InvalidState(format!("the saved sandbox: {error}"));

        let accounts = Accounts::from_saved(saved.accounts);
        let chat = Chat::new(serving.pace, saved.strict_chat);
        let control = serving.control.clone();
        let app = App::new(saved.seed, clock.clone(), accounts, chat, saved.sql, control, stop);
        app.served.store(saved.served, Ordering::Relaxed);

        for text in &saved.faults {
            let added = text.parse::<Fault>().and_then(|fault| app.faults.add(fault));
            added.map_err(|error| invalid(&error))?;
        }
        for (text, since) in &saved.scenarios {
            app.stage.begin(text.parse().map_err(|error| invalid(&error))?, *since);
        }
        for answer in saved.answers {
            let added = overrides::read(answer)
                .and_then(|(operation, script)| app.overrides.add(&operation, script));
            added.map_err(|error| invalid(&error))?;
        }

        clock.restore(saved.clock);
        let world = world::Context::new(app.seed, clock.now().0);
        app.chat.restore(&Context::new(world, &app.cursors), saved.chats);
        app.sql.restore(app.seed, app.stage.scenes(), saved.jobs);
        Ok(app)
    }

    /// Cancels all SQL jobs of a sandbox whose state was replaced by another state. No later request can read the
    /// results of these jobs.
    pub(crate) fn abandon(&self) {
        self.sql.abandon(self.clock.now().0);
    }
}
