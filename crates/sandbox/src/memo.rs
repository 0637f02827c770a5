//! Answers that were just given. An answer depends on the request and the second alone, but for
//! what it says of its cost, so that many who ask the same at once need it computed once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::answer::Composed;
use crate::random::Seed;
use crate::refusal::Refusal;

/// Bytes of answers kept at most.
const BYTES: usize = 8 << 20;

/// The answers of one second.
#[derive(Debug, Default)]
pub(crate) struct Memo(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// Unix seconds.
    now: i64,
    bytes: usize,
    answers: HashMap<Seed, Arc<Composed<String>>>,
}

impl Memo {
    /// The answer to `request`, computed if it is not known for this second.
    ///
    /// # Errors
    /// Those of `compute`; they are not kept.
    pub(crate) fn answer(
        &self,
        request: Seed,
        now: i64,
        compute: impl FnOnce() -> Result<Composed<String>, Refusal>,
    ) -> Result<Arc<Composed<String>>, Refusal> {
        if let Some(known) = self.known(request, now) {
            return Ok(known);
        }
        // Not under the lock: others need not wait, and two that compute the same agree.
        let answer = Arc::new(compute()?);
        self.keep(request, now, &answer);
        Ok(answer)
    }

    fn known(&self, request: Seed, now: i64) -> Option<Arc<Composed<String>>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.now == now { kept.answers.get(&request).cloned() } else { None }
    }

    fn keep(&self, request: Seed, now: i64, answer: &Arc<Composed<String>>) {
        let size = answer.size();
        if size > BYTES / 8 {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.now != now || kept.bytes + size > BYTES {
            *kept = Kept { now, ..Kept::default() };
        }
        if kept.answers.insert(request, Arc::clone(answer)).is_none() {
            kept.bytes += size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(size: usize) -> Result<Composed<String>, Refusal> {
        Ok(Composed::of_size(size))
    }

    #[test]
    fn an_answer_is_computed_once_a_second() {
        let memo = Memo::default();
        let mut computed = 0;
        for (request, now) in [(1, 0), (1, 0), (2, 0), (1, 0), (1, 1), (2, 1), (1, 0)] {
            let known = memo.answer(Seed::new(request), now, || {
                computed += 1;
                answer(3)
            });
            assert_eq!(known.unwrap().size(), 3);
        }
        assert_eq!(computed, 5);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let memo = Memo::default();
        for request in 0..100 {
            memo.answer(Seed::new(request), 0, || answer(BYTES / 10)).unwrap();
            memo.answer(Seed::new(1_000 + request), 0, || answer(BYTES)).unwrap();
        }
        let kept = memo.0.lock().unwrap();
        let held: usize = kept.answers.values().map(|answer| answer.size()).sum();
        assert!(held == kept.bytes && held <= BYTES && held > 0, "{held}");
    }

    #[test]
    fn a_refusal_is_not_kept() {
        let memo = Memo::default();
        let refused = memo.answer(Seed::new(1), 0, || Err(Refusal::not_found("no")));
        assert!(refused.is_err());
        assert!(memo.answer(Seed::new(1), 0, || answer(1)).is_ok());
    }
}
