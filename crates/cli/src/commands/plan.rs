//! Plans the calls of a command: the request, the page size, and the maximum numbers of rows, pages and credits.

use clap::ArgMatches;
use crypto_intel::catalogue::{Operation, Paging};
use crypto_intel::paging::Pager;
use crypto_intel::{CallOptions, Client, DynamicRequest, ResumeToken};

use crate::arguments::catalogue::LIMIT;
use crate::arguments::values::fill;
use crate::failure::Failure;
use crate::settings::Settings;

/// Request that a command sends, with the maximum numbers of rows, pages and credits.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) request: DynamicRequest,
    /// Maximum number of printed rows.
    pub(crate) rows: Option<u64>,
    /// True if `--all` or `--max-pages` is set, or if `--limit` exceeds the maximum page size. If false, the command
    /// reads only one page.
    pub(crate) reads_on: bool,
    max_pages: Option<u64>,
    max_credits: Option<u64>,
    resume: Option<ResumeToken>,
}

impl Planned {
    pub(crate) fn new(
        client: &Client,
        operation: &'static Operation,
        given: &ArgMatches,
        resolved: &[(&'static str, String)],
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let mut request = fill(client.request(operation.id)?, given, settings.now())?;
        for (name, value) in resolved {
            request = request.with_text(name, value)?;
        }
        if given.get_flag("unchecked") {
            request = request.with_options(CallOptions::new().unchecked());
        }
        if operation.paging == Paging::None {
            let rows = rows_wanted(operation, given)?;
            let none = (None, None, None);
            let (max_pages, max_credits, resume) = none;
            return Ok(Planned { request, rows, reads_on: false, max_pages, max_credits, resume });
        }
        Self::paged(request, given, settings.max_credits)
    }

    /// Plans the request of a paged list. The page size depends on the number of rows that the user wants.
    fn paged(
        request: DynamicRequest,
        given: &ArgMatches,
        max_credits: Option<u64>,
    ) -> Result<Self, Failure> {
        let all = given.get_flag("all");
        let max_pages = given.get_one::<u64>("max-pages").copied();
        let rows = rows_wanted(request.operation(), given)?;
        let largest = request.operation().largest_page();

        // Large pages are requested, because each page is charged: fewer pages cost less.
        let reads_on = all
            || max_pages.is_some()
            || matches!((rows, largest), (Some(rows), Some(largest)) if rows > largest);
        let size = match (rows, largest) {
            (Some(rows), Some(largest)) => Some(rows.min(largest)),
            (Some(rows), None) => Some(rows),
            (None, largest) => largest.filter(|_| all),
        };
        let request = match (request.operation().paging.limit(), size) {
            (Some(name), Some(size)) => request.with_text(name, &size.to_string())?,
            _ => request,
        };

        let token = given.get_one::<String>("resume");
        let resume = token.map(|token| token.parse::<ResumeToken>()).transpose();
        let resume = resume.map_err(|error| {
            Failure::usage(format!("--resume: {}", error.message())).next(
                "copy the whole token with its quotes, or omit `--resume` to read the list from the start",
            )
        })?;
        Ok(Planned { request, rows, reads_on, max_pages, max_credits, resume })
    }

    /// Returns a pager for the request with the limits of this plan. Returns `None` for operations without pages.
    pub(crate) fn pager(&self) -> Option<Pager<DynamicRequest>> {
        let mut pager = self.request.clone().pager()?;
        let pages = if self.reads_on { self.max_pages } else { Some(1) };
        if let Some(rows) = self.rows {
            pager = pager.max_items(rows);
        }
        if let Some(pages) = pages {
            pager = pager.max_pages(pages);
        }
        if let Some(credits) = self.max_credits {
            pager = pager.max_credits(credits);
        }
        if let Some(resume) = &self.resume {
            pager = pager.resume_from(resume.clone());
        }
        Some(pager)
    }
}

/// Returns the maximum number of rows that the user set with `--limit`. `--limit` is a parameter of some operations and
/// a command-line option of the others.
///
/// Returns `None` if `--limit` is not set, or if it is a parameter of an operation without pages.
pub(crate) fn rows_wanted(
    operation: &Operation,
    given: &ArgMatches,
) -> Result<Option<u64>, Failure> {
    if let Some(rows) = given.try_get_one::<u64>("rows").ok().flatten() {
        return Ok(Some(*rows));
    }
    if operation.paging == Paging::None {
        // If the operation has no pages, a parameter `limit` is passed to the service unchanged.
        return Ok(None);
    }
    let Some(text) = given.try_get_one::<String>(LIMIT).ok().flatten() else { return Ok(None) };
    let rows = text.parse::<u64>().ok().filter(|rows| *rows > 0);
    let wrong = || {
        Failure::usage(format!("--limit must be a whole number of at least 1, not `{text}`"))
            .next("omit `--limit` for one page, or use `--all` for the whole list")
    };
    rows.ok_or_else(wrong).map(Some)
}
