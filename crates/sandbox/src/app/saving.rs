//! Saves the state of the sandbox, and creates a sandbox from a saved state.
//!
//! A [`SavedState`] contains all parts of [`App`] on which later responses depend. The [`App`] created from it gives
//! the same responses.

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
    /// For a sandbox that records or replays.
    pub(crate) fn check_state(&self) -> Result<(), InvalidState> {
        if self.tape.is_none() {
            return Ok(());
        }
        let problem = "a sandbox that records or replays has no state to save or load: its recording is in its folder";
        Err(InvalidState(problem.to_owned()))
    }

    /// Returns the present state of the sandbox in the form in which it is saved.
    ///
    /// # Errors
    /// For a sandbox that records or replays.
    pub(crate) fn saved(&self) -> Result<SavedState, InvalidState> {
        self.check_state()?;
        Ok(SavedState::new(saved::Content {
            seed: self.root,
            clock: self.clock.saved(),
            served: self.served(),
            strict_chat: self.chat.is_strict(),
            accounts: self.accounts().saved(),
            faults: self.faults.waiting().iter().map(ToString::to_string).collect(),
            scenarios: self.stage.saved(),
            answers: self.overrides.written(),
            chats: self.chat.saved(),
            sql: self.sql.settings(),
            jobs: self.sql.saved(),
        }))
    }

    /// Creates a sandbox from a saved state. Sets `clock` to the saved time.
    ///
    /// # Errors
    /// If this release does not have a fault, scenario or override of the state.
    pub(crate) fn restored(
        state: &SavedState,
        clock: &Clock,
        serving: &Serving,
        stop: Stop,
    ) -> Result<Self, InvalidState> {
        let saved = state.0.content.clone();
        let invalid =
            |error: &dyn std::fmt::Display| InvalidState(format!("the saved sandbox: {error}"));

        let accounts = Accounts::restored(saved.accounts);
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

    /// Cancels all SQL jobs of a sandbox whose state was replaced by another state. No later request can read their
    /// results.
    pub(crate) fn abandon(&self) {
        self.sql.abandon(self.clock.now().0);
    }
}
