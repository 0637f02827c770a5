//! Requests the single response of an operation without pages, or all pages of a list.

use std::pin::Pin;
use std::task::{Context, Poll};

use crypto_intel::paging::{Pager, Pages};
use crypto_intel::{Completeness, CompletenessState, ResumeToken};
use crypto_intel_core::{BoxFuture, Call, Error, Reply};
use futures_core::Stream;

use crate::page::{Page, RowsRequest};
use crate::provenance::Origin;

/// Name of the header that contains the number of a response in the journal of an export. The journal adds this header
/// to the response.
pub(crate) const JOURNAL_ENTRY: &str = "crypto-intel-journal-entry";

/// Source of the responses of a call: a single response, or the pages of a list.
pub(crate) enum Reader {
    /// Future of a single response. `None` after the response was returned.
    Whole(Option<BoxFuture<Result<Reply<Page>, Error>>>),
    Paged(Box<Pages<RowsRequest>>, Option<u64>),
}

/// A received page of rows, with the resume tokens of this page and of the next page. The field `origin` contains the
/// time of the response and the watermark.
pub(crate) struct Read {
    pub(crate) page: Page,
    /// Resume token of this page. `None` for an operation without pages.
    pub(crate) start: Option<ResumeToken>,
    /// Resume token of the next page. `None` after the last page.
    pub(crate) resume: Option<ResumeToken>,
    /// Number of the response in the journal of the export. `None` if the journal does not contain the response.
    #[cfg_attr(not(feature = "export"), expect(dead_code, reason = "read only by exports"))]
    pub(crate) entry: Option<u64>,
    /// Origin of the rows. It contains the time of the response and the watermark. The request is missing here
    /// (`None`). The code that decodes the page adds the request.
    pub(crate) origin: Origin,
    /// True if this call sent no request. The response then comes from the journal, from the client's cache, or from an
    /// equal call that was in flight.
    #[cfg_attr(not(feature = "export"), expect(dead_code, reason = "read only by exports"))]
    pub(crate) reused: bool,
}

impl Read {
    fn new(reply: Reply<Page>, start: Option<ResumeToken>, resume: Option<ResumeToken>) -> Read {
        let entry = reply.http().headers.get(JOURNAL_ENTRY);
        let entry = entry.and_then(|number| number.to_str().ok()?.parse().ok());
        let reused = reply.http().reused;
        let origin = Origin::new(reply.http(), reply.meta(), None);
        Read { page: reply.into_inner(), start, resume, entry, origin, reused }
    }
}

impl Reader {
    pub(crate) fn of_call(call: Call) -> Reader {
        Reader::Whole(Some(Box::pin(call.send())))
    }

    pub(crate) fn of_pager(pager: Pager<RowsRequest>) -> Reader {
        let most = pager.get_max_items();
        Reader::Paged(Box::new(pager.pages()), most)
    }

    /// Returns whether the whole list was read. If rows remain, the result contains `resume`, the token to continue.
    pub(crate) fn completeness(&self, resume: Option<ResumeToken>) -> Completeness {
        match self {
            Reader::Whole(_) => Completeness::new(CompletenessState::Complete),
            Reader::Paged(pages, _) => Completeness::of_pages(pages, resume),
        }
    }

    /// Returns the maximum number of rows, as set by the caller. The last page may contain rows beyond this maximum.
    pub(crate) fn most_rows(&self) -> Option<u64> {
        match self {
            Reader::Whole(_) => None,
            Reader::Paged(_, most) => *most,
        }
    }

    pub(crate) fn poll_page(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Read, Error>>> {
        match self {
            Reader::Whole(None) => Poll::Ready(None),
            Reader::Whole(Some(call)) => {
                let read = std::task::ready!(call.as_mut().poll(cx));
                *self = Reader::Whole(None);
                Poll::Ready(Some(read.map(|reply| Read::new(reply, None, None))))
            }
            Reader::Paged(pages, _) => Pin::new(&mut **pages).poll_next(cx).map(|page| {
                let read = |page: crypto_intel::paging::Page<Page>| {
                    Read::new(page.reply, Some(page.start), page.resume)
                };
                page.map(|page| page.map(read))
            }),
        }
    }
}
