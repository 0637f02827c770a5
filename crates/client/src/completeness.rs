//! Completeness of a list, an SQL query or a table: whether the program has read all rows.
//!
//! A [`Completeness`] contains a state, such as [`CompletenessState::CutAtLimit`]. It can also contain the total number
//! of rows and a token to read the remaining rows.

use crypto_intel_core::{
    Call, Error, ErrorKind, Paged, PagedRequest, Paging, Position, Request, Value,
};
use serde::Serialize;

use crate::paging::{Items, Pages, ReachedLimit, ResumeToken, next_page_token};

/// State of a list, an SQL query or a table after reading it, such as [`Complete`](Self::Complete).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CompletenessState {
    /// The program read every row that the service has for the request.
    Complete,
    /// The reading stopped at a limit of rows or pages that the caller set. The service may have more rows.
    CutAtLimit,
    /// The service may have more rows. For example, the program stopped reading after one page of a list, or the
    /// response has as many rows as the default limit of the service.
    MoreAvailable,
    /// The request for a page failed. The rows of the pages before this page were read.
    Failed,
    /// The program stopped reading because a limit of credits or time was reached, or because the account had too few
    /// credits. The service may have more rows.
    StoppedByBudget,
}

impl CompletenessState {
    /// Returns the state as text in `snake_case`, such as `more_available`.
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

/// Completeness of a list after reading it: the state, the number of all rows, and a token to read the remaining rows.
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
    /// State of the list when the reading stopped.
    pub state: CompletenessState,
    /// Number of rows of the whole list, if the service reports it.
    pub total: Option<u64>,
    /// Token to resume the list after the last row that was read. `None` if no rows remain or if the list cannot be
    /// resumed.
    pub resume: Option<ResumeToken>,
}

impl Completeness {
    /// Creates a value with the field `state`. The fields `total` and `resume` are `None`.
    #[must_use]
    pub fn new(state: CompletenessState) -> Self {
        Completeness { state, total: None, resume: None }
    }

    /// Returns the completeness of one page. If the page has the field `has_more`, only this field decides the state.
    ///
    /// Without this field, the state is [`CompletenessState::MoreAvailable`] in two cases:
    /// - The page contains a cursor of a next page.
    /// - The list has more rows than this page and all earlier pages together.
    ///
    /// In all other cases the state is [`CompletenessState::Complete`].
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

    /// Returns the completeness of one response; see [`of_page`](Self::of_page).
    ///
    /// If the operation has a `limit` parameter but no pages, the service does not report whether more rows exist. So a
    /// response with at least `limit` rows counts as incomplete.
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

    /// Returns the completeness of the response to a call. If the list has a next page, the result contains a token
    /// to resume the list at that page.
    #[must_use]
    pub fn of_reply(call: &Call, page: &impl Paged<Item: Serialize>) -> Self {
        let completeness = Completeness::of_answer(call, &page.position(), page.items().len());
        if call.operation().paging == Paging::None {
            return completeness;
        }
        let resume = next_page_token(call, page);
        let state = match resume {
            Some(_) => CompletenessState::MoreAvailable,
            None => CompletenessState::Complete,
        };
        Completeness { state, resume, ..completeness }
    }

    /// Returns the completeness of a list that the program reads row by row. The state shows whether rows remain after
    /// the rows that `items` has returned so far.
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
        Completeness::from_list_end(items.limit_and_total(), items.resume_token())
    }

    /// Returns the completeness of a list that the program reads page by page. `resume` is the token to resume the list
    /// after the last row that was read.
    #[must_use]
    pub fn of_pages<R>(pages: &Pages<R>, resume: Option<ResumeToken>) -> Self
    where
        R: Request + PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        Completeness::from_list_end(pages.limit_and_total(), resume)
    }

    fn from_list_end(
        (reached, total): (Option<ReachedLimit>, Option<u64>),
        resume: Option<ResumeToken>,
    ) -> Self {
        let state = match (&resume, reached) {
            (None, _) => CompletenessState::Complete,
            (Some(_), None) => CompletenessState::MoreAvailable,
            (Some(_), Some(ReachedLimit::Length)) => CompletenessState::CutAtLimit,
            (Some(_), Some(ReachedLimit::Credits)) => CompletenessState::StoppedByBudget,
        };
        Completeness { state, total, resume }
    }

    /// Returns the completeness of a list whose reading stopped at `error`. The state becomes
    /// [`StoppedByBudget`](CompletenessState::StoppedByBudget) if the budget or the account had too few credits, and
    /// otherwise [`Failed`](CompletenessState::Failed). The result contains the resume token of the error or, if the
    /// error has none, of `self`.
    #[must_use]
    pub fn after_error(self, error: &Error) -> Self {
        let state = match error.kind() {
            ErrorKind::OverBudget | ErrorKind::InsufficientCredits => {
                CompletenessState::StoppedByBudget
            }
            _ => CompletenessState::Failed,
        };
        let resume = ResumeToken::from_error(error).cloned().or(self.resume);
        Completeness { state, resume, ..self }
    }

    /// Sets the number of rows of the whole list.
    #[must_use]
    pub fn with_total(mut self, total: Option<u64>) -> Self {
        self.total = total;
        self
    }

    /// Sets the token to resume the list.
    #[must_use]
    pub fn with_resume(mut self, resume: Option<ResumeToken>) -> Self {
        self.resume = resume;
        self
    }

    /// Returns true if the program read every row that the service has for the request.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.state == CompletenessState::Complete
    }
}
