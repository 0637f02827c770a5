//! How further pages of a list are asked for.

/// How further pages are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paging {
    /// One answer holds everything.
    None,
    /// Rows are skipped by number.
    Offset {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter with the number of rows to skip.
        offset: &'static str,
    },
    /// An opaque token of the answer's `meta` leads on.
    Cursor {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter that takes the token.
        cursor: &'static str,
        /// Whether only a missing token ends the list, and `has_more` has no say.
        ends_by_token: bool,
    },
    /// A token of the answer leads on, or the keys of the last row of a page do.
    Keyset {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter that takes the token.
        cursor: &'static str,
        /// Parameters and the members of the last row that fill them.
        keys: &'static [(&'static str, &'static str)],
        /// Whether a token leads on whatever `has_more` says.
        ends_by_token: bool,
    },
    /// A token of the answer's `pagination` member leads on.
    PaginationKey {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter that takes the token.
        key: &'static str,
    },
}

impl Paging {
    /// Parameter with the page size.
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

    /// Parameter with the number of rows to skip.
    #[must_use]
    pub const fn offset(self) -> Option<&'static str> {
        match self {
            Paging::Offset { offset, .. } => Some(offset),
            _ => None,
        }
    }

    /// Parameter that takes the token of the next page.
    #[must_use]
    pub const fn token(self) -> Option<&'static str> {
        match self {
            Paging::Cursor { cursor, .. } | Paging::Keyset { cursor, .. } => Some(cursor),
            Paging::PaginationKey { key, .. } => Some(key),
            Paging::None | Paging::Offset { .. } => None,
        }
    }

    /// Parameters that take members of the last row, and these members.
    #[must_use]
    pub const fn keys(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Paging::Keyset { keys, .. } => keys,
            _ => &[],
        }
    }

    /// Every parameter that says which page is meant.
    pub fn parameters(self) -> impl Iterator<Item = &'static str> {
        let keys = self.keys().iter().map(|(parameter, _)| *parameter);
        [self.limit(), self.offset(), self.token()].into_iter().flatten().chain(keys)
    }
}
