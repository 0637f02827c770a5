//! Stores recent chat answers. A later request can continue after a stored answer: the request's argument
//! `previous_response_id` contains the id of this answer. The number of answers is limited, both for each caller and
//! for all callers together. The oldest answers are dropped. A caller is identified by an API key, or by an IP address
//! if the request has no key.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::account::Identity;
use crate::context::Context;
use crate::refusal::Refusal;

use super::question::{Question, SavedQuestion};

/// Data of a stored chat answer. A later request can continue the conversation after this answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn {
    pub(super) question: Question,
    /// Text of the question. A later request without a question, for example one with tool results, uses this text.
    pub(super) text: String,
    /// Tool calls that the answer requested: call identifiers and tool names.
    pub(super) calls: Vec<(String, String)>,
    /// Number of tokens of the conversation so far, including the answers.
    pub(super) tokens: usize,
}

#[derive(Debug)]
struct Kept {
    owner: Identity,
    id: String,
    turn: Turn,
}

/// Data of one stored chat answer in a saved state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SavedTurn {
    owner: Identity,
    id: String,
    question: SavedQuestion,
    text: String,
    calls: Vec<(String, String)>,
    tokens: usize,
}

/// Maximum number of stored answers of one caller.
const OF_ONE: usize = 256;
/// Maximum number of stored answers of all callers together.
const OF_ALL: usize = 1_024;
/// Maximum stored size of the text of a question in bytes.
const QUESTION: usize = 2_048;

/// Stored chat answers of all callers, oldest first.
#[derive(Debug, Default)]
pub(super) struct Memory(Mutex<VecDeque<Kept>>);

impl Memory {
    pub(super) fn keep(&self, owner: &Identity, id: String, mut turn: Turn) {
        turn.text.truncate(super::tokens::start(&turn.text, QUESTION / 4).len());
        turn.text.shrink_to_fit();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_owner = kept.iter().filter(|kept| kept.owner == *owner).count();
        if of_owner >= OF_ONE
            && let Some(oldest) = kept.iter().position(|kept| kept.owner == *owner)
        {
            drop(kept.remove(oldest));
        } else if kept.len() >= OF_ALL {
            kept.pop_front();
        }
        kept.push_back(Kept { owner: owner.clone(), id, turn });
    }

    /// Returns the data of all stored answers for a saved state.
    pub(super) fn to_saved(&self) -> Vec<SavedTurn> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let saved = |Kept { owner, id, turn }: &Kept| SavedTurn {
            owner: owner.clone(),
            id: id.clone(),
            question: turn.question.to_saved(),
            text: turn.text.clone(),
            calls: turn.calls.clone(),
            tokens: turn.tokens,
        };
        kept.iter().map(saved).collect()
    }

    /// Adds the stored answers of a saved sandbox.
    pub(super) fn restore(&self, ctx: &Context<'_>, saved: Vec<SavedTurn>) {
        let turns = saved.into_iter().map(|saved| Kept {
            owner: saved.owner,
            id: saved.id,
            turn: Turn {
                question: Question::from_saved(ctx, &saved.question),
                text: saved.text,
                calls: saved.calls,
                tokens: saved.tokens,
            },
        });
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(turns);
    }

    /// Finds the stored answer with the identifier `id` that belongs to the account `owner`.
    ///
    /// # Errors
    /// Returns an error with status 404 if the identifier is unknown, if the answer was dropped, or if the answer
    /// belongs to another account.
    pub(super) fn find(&self, owner: &Identity, id: &str) -> Result<Turn, Refusal> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().rev().find(|kept| kept.owner == *owner && kept.id == id);
        found.map(|kept| kept.turn.clone()).ok_or_else(|| {
            let id: String = id.chars().take(80).collect();
            Refusal::not_found(format!(
                "`previous_response_id`: no stored response has the id `{id}`"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_is_forgotten_and_nobody_sees_anothers() {
        let memory = Memory::default();
        let (one, other) = (Identity::Key(0), Identity::Key(1));
        memory.keep(&other, "r".to_owned(), Turn::default());
        for n in 0..=OF_ONE {
            memory.keep(&one, format!("r{n}"), Turn { tokens: n, ..Turn::default() });
        }

        assert!(memory.find(&one, "r0").is_err());
        assert_eq!(memory.find(&one, "r1").unwrap().tokens, 1);
        assert!(memory.find(&one, "r").is_err());
        assert!(memory.find(&other, "r").is_ok());

        for key in 2..20 {
            for n in 0..OF_ONE {
                memory.keep(&Identity::Key(key), n.to_string(), Turn::default());
            }
        }

        assert_eq!(memory.0.lock().unwrap().len(), OF_ALL);

        let text = "漢".repeat(10_000);
        memory.keep(&one, "long".to_owned(), Turn { text, ..Turn::default() });
        assert!(memory.find(&one, "long").unwrap().text.len() <= QUESTION);
    }
}
