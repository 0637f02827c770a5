//! Kinds of paging: how to request further pages of a list.

/// Kind of paging: how to request further pages of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paging {
    /// The list has no pages. One response contains the whole list.
    None,
    /// A request contains the number of rows to skip.
    Offset {
        /// Name of the parameter with the page size.
        limit: &'static str,
        /// Name of the parameter with the number of rows to skip.
        offset: &'static str,
    },
    /// The request for each further page contains the cursor from the `meta` of the previous page.
    Cursor {
        /// Name of the parameter with the page size.
        limit: &'static str,
        /// Name of the parameter with the cursor.
        cursor: &'static str,
        /// True if the list ends only when a page has no cursor. If true, the client ignores the response field
        /// `has_more`.
        ends_by_token: bool,
    },
    /// A request contains the cursor from the previous page. If the previous page has no cursor, the request contains
    /// field values of the last row of that page.
    Keyset {
        /// Name of the parameter with the page size.
        limit: &'static str,
        /// Name of the parameter with the cursor.
        cursor: &'static str,
        /// Pairs of a request parameter and a row field. The parameter gets the value that the field has in the last
        /// row of the previous page.
        keys: &'static [(&'static str, &'static str)],
        /// True if a page with a cursor is never the last page of the list. The client then ignores the response field
        /// `has_more` of these pages.
        ends_by_token: bool,
    },
    /// A request contains the pagination key from the `pagination` object of the previous page.
    PaginationKey {
        /// Name of the parameter with the page size.
        limit: &'static str,
        /// Name of the parameter with the pagination key, which is a cursor for the next page.
        key: &'static str,
    },
}

impl Paging {
    /// Returns the name of the parameter with the page size.
    #[must_use]
    pub const fn limit(self) -> Option<&'static str> {
        match self {
            Paging::None => None,
            Paging::Offset { limit, .. }
            | Paging::Cursor { limit, .. }
            | Paging::Keyset { limit, .. }
            | Paging::PaginationKey { limit, .. } => Some(limit),
        }
    }

    /// Returns the name of the parameter with the number of rows to skip.
    #[must_use]
    pub const fn offset(self) -> Option<&'static str> {
        match self {
            Paging::Offset { offset, .. } => Some(offset),
            _ => None,
        }
    }

    /// Returns the name of the parameter that takes the cursor or pagination key of the next page.
    #[must_use]
    pub const fn token(self) -> Option<&'static str> {
        match self {
            Paging::Cursor { cursor, .. } | Paging::Keyset { cursor, .. } => Some(cursor),
            Paging::PaginationKey { key, .. } => Some(key),
            Paging::None | Paging::Offset { .. } => None,
        }
    }

    /// Returns pairs of a request parameter and a row field. The parameter gets the value that the field has in the
    /// last row of the previous page.
    #[must_use]
    pub const fn keys(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Paging::Keyset { keys, .. } => keys,
            _ => &[],
        }
    }

    /// Returns the names of all parameters that select a page.
    pub fn parameters(self) -> impl Iterator<Item = &'static str> {
        let keys = self.keys().iter().map(|(parameter, _)| *parameter);
        [self.limit(), self.offset(), self.token()].into_iter().flatten().chain(keys)
    }
}
