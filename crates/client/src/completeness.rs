//! Completeness of a list, a query or a table: complete if all rows were read.
//!
//! The input is the position after the last page or the limit that ended the list. The output is a state with
//! counts and a resume token.

use crypto_intel_core::{
    Call, Error, ErrorKind, Paged, PagedRequest, Paging, Position, Request, Value,
};
use serde::Serialize;

use crate::paging::{Items, Pages, Reached, ResumeToken, after_answer};

/// State in which a list, a query or a table ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CompletenessState {
    /// Every row of the service was read.
    Complete,
    /// The caller's own limit of rows or pages stopped the reading. The service may have more rows.
    CutAtLimit,
    /// Reading stopped after one page, or at the service's limit. The service may have more rows.
    MoreAvailable,
    /// A later request failed. The rows before it were read.
    Failed,
    /// A limit of credits or time stopped the reading. The service may have more rows.
    StoppedByBudget,
}

impl CompletenessState {
    /// Returns the state in `snake_case`, such as `more_available`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            CompletenessState::Complete => "complete",
            CompletenessState::CutAtLimit => "cut_at_limit",
            CompletenessState::MoreAvailable => "more_available",
            CompletenessState::Failed => "failed",
            CompletenessState::StoppedByBudget => "stopped_by_budget",
        }
    }
}

/// State of a list after reading: complete, or with remaining rows and a token for reading them.
///
/// ```
/// use crypto_intel::{Completeness, CompletenessState};
///
/// let ended = Completeness::new(CompletenessState::MoreAvailable).with_total(Some(2_000));
/// assert!(!ended.is_complete());
/// assert_eq!((ended.state.as_str(), ended.total), ("more_available", Some(2_000)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completeness {
    /// State in which the reading ended.
    pub state: CompletenessState,
    /// Number of all rows, if the service reports it.
    pub total: Option<u64>,
    /// Token to continue the list.
    pub resume: Option<ResumeToken>,
}

impl Completeness {
    /// Creates a state without a total and without a token.
    #[must_use]
    pub fn new(state: CompletenessState) -> Self {
        Completeness { state, total: None, resume: None }
    }

    /// Returns the state of one page: [`CompletenessState::MoreAvailable`] if the page
    /// names a next page or has fewer rows than the total.
    #[must_use]
    pub fn of_page(position: &Position, rows: usize) -> Self {
        let total = position.total.and_then(|total| u64::try_from(total).ok());
        let read = position.offset.and_then(|offset| u64::try_from(offset).ok()).unwrap_or(0);
        let has_cursor = position.next_cursor.as_ref().is_some_and(|cursor| !cursor.is_empty());
        let is_short = total.is_some_and(|total| read + (rows as u64) < total);
        let has_more = position.has_more.unwrap_or(has_cursor || is_short);
        let state = match has_more {
            true => CompletenessState::MoreAvailable,
            false => CompletenessState::Complete,
        };
        Completeness::new(state).with_total(total)
    }

    /// Returns the state of one response; see [`of_page`](Self::of_page). An operation without pages may have a `limit`
    /// parameter. A response with `limit` rows or more then counts as incomplete, because the service does not report
    /// whether more rows exist.
    #[must_use]
    pub fn of_answer(call: &Call, position: &Position, rows: usize) -> Self {
        let completeness = Completeness::of_page(position, rows);
        let own =
            call.operation().param("limit").filter(|_| call.operation().paging == Paging::None);
        let Some((_, limit)) = own else { return completeness };
        let (most, state) = match call.get(limit.name) {
            Some(Value::Integer(most)) => (Some(*most), CompletenessState::CutAtLimit),
            _ => {
                let default = limit.default.and_then(|default| default.parse().ok());
                (default, CompletenessState::MoreAvailable)
            }
        };
        let is_cut = most.is_some_and(|most| i64::try_from(rows).is_ok_and(|rows| rows >= most));
        match is_cut && rows > 0 && completeness.is_complete() {
            true => Completeness { state, ..completeness },
            false => completeness,
        }
    }

    /// Returns the state of the answer to a call, with the token of the next page if there is one.
    #[must_use]
    pub fn of_reply(call: &Call, page: &impl Paged<Item: Serialize>) -> Self {
        let completeness = Completeness::of_answer(call, &page.position(), page.items().len());
        if call.operation().paging == Paging::None {
            return completeness;
        }
        let resume = after_answer(call, page);
        let state = match resume {
            Some(_) => CompletenessState::MoreAvailable,
            None => CompletenessState::Complete,
        };
        Completeness { state, resume, ..completeness }
    }

    /// Returns the state of a list after the rows that `items` has returned so far.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
    /// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).build()?;
    /// use crypto_intel::{Completeness, CompletenessState, prelude::*};
    ///
    /// let mut posts = client.social_user_posts("eth_daily").max_items(3).items();
    /// while let Some(post) = posts.try_next().await? {
    ///     println!("{}", post.text);
    /// }
    /// let completeness = Completeness::of_items(&posts);
    /// assert_eq!(completeness.state, CompletenessState::CutAtLimit);
    /// assert!(completeness.resume.is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn of_items<R>(items: &Items<R>) -> Self
    where
        R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        Completeness::of_list(items.ending(), items.resume_token())
    }

    /// Returns the state of a list that is read page by page. `resume` is the token after the rows that were read.
    #[must_use]
    pub fn of_pages<R>(pages: &Pages<R>, resume: Option<ResumeToken>) -> Self
    where
        R: Request + PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        Completeness::of_list(pages.ending(), resume)
    }

    fn of_list(
        (reached, total): (Option<Reached>, Option<u64>),
        resume: Option<ResumeToken>,
    ) -> Self {
        let state = match (&resume, reached) {
            (None, _) => CompletenessState::Complete,
            (Some(_), None) => CompletenessState::MoreAvailable,
            (Some(_), Some(Reached::Length)) => CompletenessState::CutAtLimit,
            (Some(_), Some(Reached::Credits)) => CompletenessState::StoppedByBudget,
        };
        Completeness { state, total, resume }
    }

    /// Returns the state after the error that ended the list.
    #[must_use]
    pub fn after_error(self, error: &Error) -> Self {
        let state = match error.kind() {
            ErrorKind::OverBudget | ErrorKind::InsufficientCredits => {
                CompletenessState::StoppedByBudget
            }
            _ => CompletenessState::Failed,
        };
        let resume = ResumeToken::of(error).cloned().or(self.resume);
        Completeness { state, resume, ..self }
    }

    /// Sets the number of all rows.
    #[must_use]
    pub fn with_total(mut self, total: Option<u64>) -> Self {
        self.total = total;
        self
    }

    /// Sets the token to continue the list.
    #[must_use]
    pub fn with_resume(mut self, resume: Option<ResumeToken>) -> Self {
        self.resume = resume;
        self
    }

    /// Returns true if every row of the service was read.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.state == CompletenessState::Complete
    }
}
